/* Extraction of the action from a reply, against the corpus of malformed replies. */
#include "agent/reply/extract.h"
#include "agent/reply/reply_blocks.h"
#include "agent/text/python_lexer.h"
#include "base/buf.h"
#include "base/scope.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const kinds[] = {"code", "final", "nothing"};

static const char *text_of(const json_t *o, const char *key) {
    return json_string_value(json_object_get(o, key));
}

static bool same(const char *what, const char *name, const char *got, const char *expected) {
    if (!expected || (got && strcmp(got, expected) == 0))
        return true;
    print_error("%s: %s is \"%s\", expected \"%s\"\n", name, what, got ? got : "(none)", expected);
    return false;
}

static bool holds(const json_t *c, const struct extract *x) {
    const json_t *e = json_object_get(c, "expect");
    const char *name = text_of(c, "name"), *problem = text_of(e, "problem");
    bool ok = same("kind", name, kinds[x->kind], text_of(e, "kind"));
    ok = same("language", name, x->language, text_of(e, "language")) && ok;
    ok = same("code", name, x->code, text_of(e, "code")) && ok;
    ok = same("text", name, x->text, text_of(e, "text")) && ok;
    if (problem && !strstr(x->problem, problem))
        ok = same("problem", name, x->problem, problem) && ok;
    size_t ignored = (size_t)json_integer_value(json_object_get(e, "ignored"));
    if (x->ignored != ignored) {
        print_error("%s: ignored is %zu, expected %zu\n", name, x->ignored, ignored);
        ok = false;
    }
    return ok;
}

static bool run_case(const json_t *c) {
    struct extract_call calls[4];
    struct extract_input in = {.text = text_of(c, "text"), .calls = calls};
    const json_t *list = json_object_get(c, "calls");
    for (size_t i = 0; i < json_array_size(list) && i < 4; i++) {
        const json_t *call = json_array_get(list, i);
        calls[in.call_count++] = (struct extract_call){
            .id = "1", .name = text_of(call, "name"), .arguments = text_of(call, "arguments")};
    }
    if (text_of(c, "mode"))
        in.mode = (enum extract_mode)extract_mode_parse(text_of(c, "mode"));
    struct extract x;
    assert_int_equal(extract_reply(&in, &x), 0);
    bool ok = holds(c, &x);
    extract_done(&x);
    return ok;
}

static json_t *load_corpus(void) {
    const char *dir = getenv("TEST_DATA");
    char path[512];
    snprintf(path, sizeof path, "%s/extract/replies.json", dir ? dir : "tests/unit/data");
    json_error_t error;
    json_t *corpus = json_load_file(path, 0, &error);
    if (!corpus)
        print_error("%s: %s\n", path, error.text);
    return corpus;
}

static void the_corpus_is_extracted(void **state) {
    (void)state;
    json_t *corpus = load_corpus();
    assert_non_null(corpus);
    assert_true(json_array_size(corpus) >= 60);
    size_t failed = 0;
    for (size_t i = 0; i < json_array_size(corpus); i++)
        failed += !run_case(json_array_get(corpus, i));
    json_decref(corpus);
    assert_int_equal(failed, 0);
}

/* Every reply of the corpus, cut anywhere, is still some outcome. */
static void cut_anywhere(void **state) {
    (void)state;
    json_t *corpus = load_corpus();
    assert_non_null(corpus);
    for (size_t i = 0; i < json_array_size(corpus); i++) {
        const char *text = text_of(json_array_get(corpus, i), "text");
        for (size_t n = 0; text && n < strlen(text); n++) {
            char *cut = strndup(text, n);
            struct extract x;
            struct extract_input in = {.text = cut};
            assert_int_equal(extract_reply(&in, &x), 0);
            assert_true(x.kind != EXTRACT_CODE || (x.code && x.code[0] && x.language));
            assert_true(x.kind != EXTRACT_FINAL || (x.text && x.text[0]));
            assert_true(x.kind != EXTRACT_NOTHING || x.problem[0]);
            extract_done(&x);
            free(cut);
        }
    }
    json_decref(corpus);
}

static void shapes_can_be_extracted(void **state) {
    (void)state;
    for (int mode = EXTRACT_TAGS; mode <= EXTRACT_FENCES; mode++) {
        struct extract x;
        struct extract_input in = {.text = extract_shape((enum extract_mode)mode),
                                   .mode = (enum extract_mode)mode};
        assert_int_equal(extract_reply(&in, &x), 0);
        assert_int_equal(x.kind, EXTRACT_CODE);
        assert_string_equal(x.code, "print(6 * 7)");
        extract_done(&x);
    }
}

static void lexer_covers_every_byte(void **state) {
    (void)state;
    const char *source = "x = f\"a{1}\" + '''b\n''' # c\nif x >= 1.5e-3: y = 'open\n";
    struct py_scan p = {source, strlen(source), 0};
    struct py_token t;
    size_t at = 0, strings = 0;
    while (py_next(&p, &t)) {
        assert_int_equal(t.start, at);
        assert_true(t.len > 0);
        at += t.len;
        strings += t.kind == PY_STRING && t.closed;
    }
    assert_int_equal(at, strlen(source));
    assert_int_equal(strings, 2);
}

/* Models in a loop write things like these until they are stopped. */
static void replies_that_only_open(void **state) {
    (void)state;
    static const char *const openings[] = {"x <code>", "~~~md\n", "`a``b ", "x <python> </p "};
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        scoped_buf text = BUF_INIT(8 << 20);
        struct extract x;
        while (text.len < 2 << 20)
            buf_adds(&text, openings[i]);
        struct extract_input input = {.text = text.data};
        assert_int_equal(extract_reply(&input, &x), 0);
        assert_int_equal(x.kind, EXTRACT_FINAL);
        extract_done(&x);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replies_that_only_open),
        cmocka_unit_test(the_corpus_is_extracted),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(shapes_can_be_extracted),
        cmocka_unit_test(lexer_covers_every_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
