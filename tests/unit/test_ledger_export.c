/* The exports: what they must hold, and what hostile text must not become. RETORT_EXPORT_DIR=D
 * keeps the files in D, for a look at them. */
#include "ledger_dir.h"

#include "export/export_table.h"

#include <errno.h>
#include <sys/mman.h>

#include "base/io.h"
#include "base/scope.h"
#include "export/export.h"
#include "ledger/store.h"
#include "ledger/upkeep.h"

/* A red square of 2 × 2. */
static const char png[] =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9"
    "i18U1AAAAABJRU5ErkJggg==";
static const char attack[] = "</pre><script>alert(1)</script><img src=x onerror=\"alert(2)\">'&";

static void finish(struct ledger *l, int n, json_t *more) {
    struct retort_error err = ERR_INIT;
    json_t *result =
        json_pack("{s:s, s:s, s:i, s:s, s:s, s:{s:f}}", "schema", "retort.result/1", "session",
                  "s_1", "cell", n, "status", "ok", "state", "kept", "resources", "wall_ms", 1.25);
    json_object_update(result, more);
    if (ledger_outcome(l, "s_1", result, NULL, NULL, &err) < 0)
        fail_msg("ledger_outcome: %s", err.message);
    json_decref(result);
    json_decref(more);
}

/* Text, a plot, a value; an upload; hostile everything; an exception; a cell that is undone. */
static void make_session(struct ledger *l) {
    struct hash h;
    begin(l, "s_1");
    cell(l, "s_1", 1, "print('hi')\nplot()\n6 * 7", NULL);
    finish(l, 1,
           json_pack("{s:s, s:s, s:{s:s}, s:[{s:{s:s, s:s, s:s}, s:n}], s:[{s:s, s:i, s:s, s:s}]}",
                     "stdout", "hi\n", "stderr", "careful\n", "value", "text/plain", "42",
                     "displays", "mime", "image/png", png, "text/plain", "<Figure>", "text/html",
                     "<b>x</b>", "id", "files", "path", "chart.png", "size", 82, "sha256", "00ff",
                     "change", "created"));
    assert_int_equal(store_put(l, "a,b\n", 4, &h, NULL), 0);
    char blob[HASH_TEXT_SIZE];
    hash_text(&h, blob);
    append(l, "s_1", LEDGER_FILE_WRITE,
           json_pack("{s:s, s:s}", "path", "in``put\n.csv", "blob", blob));
    cell(l, "s_1", 2, attack, NULL);
    finish(l, 2,
           json_pack(
               "{s:s%, s:{s:s}, s:[{s:{s:s}, s:n}, {s:{s:s, s:s}, s:n}], s:[{s:s, s:i, s:s, s:s}]}",
               "stdout", "nul\0esc\x1b[31mred\x1b[0m \xe2\x80\xaetfel\n", 27, "value", "text/plain",
               attack, "displays", "mime", "image/png", "AAAA\" onload=\"alert(3)", "id", "mime",
               "image/svg+xml", "<svg onload='alert(4)'/>", "text/plain", attack, "id", "files",
               "path", attack, "size", 1, "sha256", attack, "change", attack));
    cell(l, "s_1", 3, "1/0", NULL);
    finish(l, 3,
           json_pack("{s:s, s:{s:s, s:s, s:s}}", "status", "error", "error", "name",
                     "ZeroDivisionError", "message", "division by zero", "traceback",
                     "Traceback:\n  line 1\nZeroDivisionError: division by zero"));
    cell(l, "s_1", 4, "regretted()", NULL);
    finish(l, 4, json_pack("{s:s}", "stdout", "oops\n"));
    append(l, "s_1", LEDGER_UNDO, json_pack("{s:i}", "cells", 1));
}

static char *export_text(struct ledger *l, const char *session, bool html) {
    struct retort_error err = ERR_INIT;
    scoped_fd fd = memfd_create("export", MFD_CLOEXEC);
    int r =
        html ? ledger_export_html(l, session, fd, &err) : ledger_export_ipynb(l, session, fd, &err);
    if (r < 0)
        fail_msg("export: %s", err.message);
    off_t size = lseek(fd, 0, SEEK_END);
    char *text = calloc(1, (size_t)size + 1);
    assert_int_equal(pread(fd, text, (size_t)size, 0), size);
    const char *keep = getenv("RETORT_EXPORT_DIR");
    if (keep) {
        static int serial;
        char path[4200];
        snprintf(path, sizeof path, "%s/%d-%s.%s", keep, ++serial, session,
                 html ? "html" : "ipynb");
        scoped_fd out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        assert_int_equal(write_all(out, text, (size_t)size), 0);
    }
    return text;
}

static const char *text_at(const json_t *json, const char *key) {
    const char *text = json_string_value(json_object_get(json, key));
    return text ? text : "";
}

static json_t *notebook_of(struct ledger *l, const char *session) {
    scoped_free char *text = export_text(l, session, false);
    json_t *nb = json_loads(text, JSON_ALLOW_NUL, NULL);
    assert_non_null(nb);
    assert_int_equal(json_integer_value(json_object_get(nb, "nbformat")), 4);
    assert_int_equal(json_integer_value(json_object_get(nb, "nbformat_minor")), 5);
    return nb;
}

static void the_notebook_has_the_cells_of_the_present_state(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    make_session(l);
    json_t *nb = notebook_of(l, "s_1"), *cells = json_object_get(nb, "cells");
    static const char *const types[] = {"code", "markdown", "code", "code"};
    assert_int_equal(json_array_size(cells), 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(text_at(json_array_get(cells, i), "cell_type"), types[i]);
    assert_string_equal(text_at(json_array_get(cells, 0), "source"), "print('hi')\nplot()\n6 * 7");
    assert_string_equal(text_at(json_array_get(cells, 1), "source"),
                        "``` in``put .csv ``` was written from outside.");
    json_t *out = json_object_get(json_array_get(cells, 0), "outputs");
    static const char *const kinds[] = {"stream", "stream", "display_data", "execute_result"};
    assert_int_equal(json_array_size(out), 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(text_at(json_array_get(out, i), "output_type"), kinds[i]);
    json_t *data = json_object_get(json_array_get(out, 2), "data");
    assert_string_equal(text_at(data, "image/png"), png);
    assert_null(json_object_get(data, "text/html"));
    out = json_object_get(json_array_get(cells, 3), "outputs");
    assert_string_equal(text_at(json_array_get(out, 0), "ename"), "ZeroDivisionError");
    json_decref(nb);
    ledger_close(l);
}

static void the_notebook_carries_nothing_that_runs(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    make_session(l);
    json_t *nb = notebook_of(l, "s_1"), *output, *cell;
    size_t i, j;
    json_array_foreach(json_object_get(nb, "cells"), i, cell) {
        json_array_foreach(json_object_get(cell, "outputs"), j, output) {
            const char *mime;
            json_t *value;
            json_object_foreach(json_object_get(output, "data"), mime, value) {
                assert_true(!strcmp(mime, "text/plain") || !strcmp(mime, "image/png"));
                if (!strcmp(mime, "image/png"))
                    assert_true(export_is_base64(value));
            }
        }
    }
    json_decref(nb);
    ledger_close(l);
}

static void has_text(const char *page, const char *text) {
    if (!strstr(page, text))
        fail_msg("the page lacks %s", text);
}

static void lacks_text(const char *page, const char *text) {
    if (strstr(page, text))
        fail_msg("the page has %s", text);
}

static void the_page_shows_everything_with_its_marks(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    struct ledger_session s;
    make_session(l);
    scoped_free char *page = export_text(l, "s_1", true);
    assert_int_equal(ledger_session_get(l, "s_1", &s, NULL), 0);
    has_text(page, s.head);
    has_text(page, "<td class=\"ok\">ok; 11 entries");
    has_text(page, png);
    has_text(page, "print(&#39;hi&#39;)");
    has_text(page, "ZeroDivisionError: division by zero");
    has_text(page, "regretted()");
    has_text(page, "undone");
    has_text(page, "chart.png");
    ledger_close(l);
}

static void hostile_text_stays_text(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    make_session(l);
    scoped_free char *page = export_text(l, "s_1", true);
    has_text(page,
             "&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&quot;alert(2)&quot;");
    lacks_text(page, "<script");
    lacks_text(page, "<svg");
    lacks_text(page, "onload=");
    lacks_text(page, "onerror=\"");
    lacks_text(page, "\x1b");
    lacks_text(page, "\xe2\x80\xae");
    has_text(page, "nul\xef\xbf\xbd"
                   "escred \xef\xbf\xbdtfel");
    static const char *const outside[] = {"http:", "https:", "src=\"/", "href=", "url("};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
        lacks_text(page, outside[i]);
    ledger_close(l);
}

static void note(struct ledger *l, json_t *event) {
    struct retort_error err = ERR_INIT;
    assert_non_null(event);
    if (ledger_note(l, "s_1", "agent", event, NULL, &err) < 0)
        fail_msg("ledger_note: %s", err.message);
    json_decref(event);
}

static json_t *claim(const char *answer, const char *text, const char *verdict, int cell) {
    int start = (int)(strstr(answer, text) - answer);
    return json_pack("{s:s, s:s, s:i, s:i, s:i}", "text", text, "verdict", verdict, "start", start,
                     "end", start + (int)strlen(text), "cell", cell);
}

/* Each kind of number; claims that overlap or lie outside; a hostile word wherever one can be. */
static void make_run(struct ledger *l) {
    static const char answer[] = "6 × 7 is 42, twice is 84, says <b>1060</b> & 13.";
    json_t *claims = json_array(), *c;
    json_array_append_new(claims, claim(answer, "7", "question", 0));
    json_array_append_new(claims, claim(answer, "42", "grounded", 1));
    json_array_append_new(claims, claim(answer, "2, twice", "grounded", 1));
    json_array_append_new(claims, c = claim(answer, "84", "derived", 0));
    json_object_set_new(c, "formula", json_string(attack));
    json_array_append_new(claims, c = claim(answer, "1060", "asserted", 0));
    json_object_set_new(c, "reason", json_string(attack));
    json_array_append_new(claims, c = claim(answer, "13", attack, 0));
    json_object_set_new(c, "nearest",
                        json_pack("{s:i, s:s, s:s, s:f}", "cell", 2, "stream", attack, "name",
                                  attack, "evidence", 12.5));
    json_array_append_new(claims, json_pack("{s:s, s:s, s:i, s:I}", "text", attack, "verdict",
                                            "grounded", "start", 1000, "end", (json_int_t)1 << 62));
    note(l, json_pack("{s:s, s:s, s:s, s:i}", "event", "plan", "task", attack, "model", attack,
                      "step", 0));
    note(l,
         json_pack("{s:s, s:i, s:s, s:s, s:{s:i, s:i}}", "event", "model", "step", 1, "text",
                   attack, "thought", attack, "usage", "prompt_tokens", 7, "completion_tokens", 8));
    note(l, json_pack("{s:s, s:i, s:s, s:s, s:s, s:s}", "event", "check", "step", 1, "stage",
                      "after", "name", attack, "verdict", "fail", "message", attack));
    note(l, json_pack("{s:s, s:i, s:s, s:b, s:o, s:[{s:s}]}", "event", "final", "step", 1, "answer",
                      answer, "verified", 0, "provenance", claims, "artifacts", "path", attack));
    note(l, json_pack("{s:s, s:s, s:s}", "event", "stop", "reason", attack, "message", attack));
}

static void numbers_of_an_answer_are_marked(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    make_session(l);
    make_run(l);
    scoped_free char *page = export_text(l, "s_1", true);
    has_text(page,
             "6 × <span class=\"number given\">7</span> is "
             "<span class=\"number ok\">42<sup><a href=\"#s_1-3\">1</a></sup></span>, twice is "
             "<span class=\"number ok\">84<sup title=\"&lt;/pre&gt;&lt;script&gt;");
    has_text(page, "\">=</sup></span>, says &lt;b&gt;"
                   "<span class=\"number bad\">1060<sup title=\"&lt;/pre&gt;&lt;script&gt;");
    has_text(page, "\">asserted</sup></span>&lt;/b&gt; &amp; "
                   "<span class=\"number bad\">13<sup title=\"\">");
    has_text(page, "<section id=\"s_1-3\"><h2>Cell 1");
    has_text(page, "nowhere; nearest: <a href=\"#s_1-6\">cell 2</a>");
    has_text(page, "a literal in the code, not computed");
    has_text(page, "<h2>Answer <span class=\"mark bad\">unverified");
    ledger_close(l);
}

static void hostile_words_of_a_model_stay_text(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    make_session(l);
    make_run(l);
    scoped_free char *page = export_text(l, "s_1", true);
    lacks_text(page, "<script");
    lacks_text(page, "<b>");
    lacks_text(page, "onerror=\"");
    for (const char *at = page; (at = strstr(at, "href=")); at++)
        assert_memory_equal(at, "href=\"#s_1-", 11);
    json_t *nb = notebook_of(l, "s_1"), *cells = json_object_get(nb, "cells");
    assert_string_equal(text_at(json_array_get(cells, json_array_size(cells) - 1), "source"),
                        "**Answer** (unverified)\n\n```text\n"
                        "6 × 7 is 42, twice is 84, says <b>1060</b> & 13.\n```");
    json_decref(nb);
    ledger_close(l);
}

static void branches_expiry_and_damage_are_shown(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    json_t *body = json_object();
    make_session(l);
    assert_int_equal(ledger_begin(l, "s_2", "s_1", body, NULL, &err), 0);
    json_decref(body);
    cell(l, "s_2", 4, "other_way()", NULL);
    append(l, "s_2", LEDGER_CELL_OUTCOME,
           json_pack("{s:i, s:s, s:s}", "cell", 4, "status", "timeout", "state", "rolled_back"));
    scoped_free char *branch = export_text(l, "s_2", true);
    has_text(branch, "branch of<td>s_1");
    has_text(branch, "other_way()");
    has_text(branch, "rolled back");
    has_text(branch, "print(&#39;hi&#39;)");
    append(l, "s_1", LEDGER_CLOSE, json_object());
    append(l, "s_2", LEDGER_CLOSE, json_object());
    assert_int_equal(ledger_expire(l, 1, 0, NULL, &err), 0);
    scoped_free char *expired = export_text(l, "s_1", true);
    has_text(expired, "The code of this cell has expired.");
    has_text(expired, "<td class=\"warn\">expired");
    json_decref(notebook_of(l, "s_1"));
    sql("UPDATE entry SET time = time + 1 WHERE seq = 3");
    scoped_free char *damaged = export_text(l, "s_1", true);
    has_text(damaged, "<td class=\"bad\">corrupt (s_1, entry 3");
    ledger_close(l);
}

static void a_forgotten_session_still_has_a_page(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    make_session(l);
    append(l, "s_1", LEDGER_CLOSE, json_object());
    assert_int_equal(ledger_forget(l, "s_1", NULL, &err), 0);
    scoped_free char *page = export_text(l, "s_1", true);
    has_text(page, "<td class=\"warn\">forgotten");
    lacks_text(page, "regretted");
    scoped_fd fd = memfd_create("export", MFD_CLOEXEC);
    assert_int_equal(ledger_export_ipynb(l, "s_1", fd, &err), -ENODATA);
    ledger_close(l);
}

static void a_device_that_refuses_is_an_error(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    make_session(l);
    scoped_fd full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    assert_int_equal(ledger_export_ipynb(l, "s_1", full, &err), -ENOSPC);
    assert_true(ledger_export_html(l, "s_1", full, &err) < 0);
    assert_int_equal(err.fault, ERR_HOST);
    ledger_close(l);
}

static void only_the_cells_of_a_table_are_taken_over(void **state) {
    (void)state;
    static const struct {
        const char *html, *want; /* NULL: refused */
    } cases[] = {
        {"<div><style scoped>x</style><table border=\"1\" class=\"dataframe\"><tr "
         "style=\"a\"><th></th><td>1 &lt; 2</td></tr></table><p>2 rows</p></div>",
         "<table><tr><th></th><td>1 &lt; 2</td></tr></table>"},
        {"<table><tr><th colspan=\"2\" rowspan=\"3\" halign=\"left\">x</th></tr></table>",
         "<table><tr><th colspan=\"2\" rowspan=\"3\">x</th></tr></table>"},
        {"<table><tr><th colspan=\"2 onclick\">x</th></tr></table>",
         "<table><tr><th colspan=\"2\">x</th></tr></table>"},
        {"<table><tr><td onclick=\"a\">x</td></tr></table>", "<table><tr><td>x</td></tr></table>"},
        {"<table><tr><td><script>a</script></td></tr></table>", NULL},
        {"<table><tr><td><img src=x></td></tr></table>", NULL},
        {"<table><tr><td title=\"<b>\">x</td></tr></table>", NULL},
        {"<table><tr><td><table></table></td></tr></table>", NULL},
        {"<table><!-- x --></table>", NULL},
        {"<TABLE></TABLE>", NULL},
        {"<tablet></tablet>", NULL},
        {"<table><tr><td>x", NULL},
        {"no table", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scoped_buf got = BUF_INIT(1 << 20);
        int r = export_table(cases[i].html, &got);
        assert_int_equal(r, cases[i].want ? 0 : -EINVAL);
        if (cases[i].want)
            assert_string_equal(got.data, cases[i].want);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        LEDGER_TEST(the_notebook_has_the_cells_of_the_present_state),
        LEDGER_TEST(the_notebook_carries_nothing_that_runs),
        LEDGER_TEST(the_page_shows_everything_with_its_marks),
        LEDGER_TEST(hostile_text_stays_text),
        LEDGER_TEST(numbers_of_an_answer_are_marked),
        LEDGER_TEST(hostile_words_of_a_model_stay_text),
        cmocka_unit_test(only_the_cells_of_a_table_are_taken_over),
        LEDGER_TEST(branches_expiry_and_damage_are_shown),
        LEDGER_TEST(a_forgotten_session_still_has_a_page),
        LEDGER_TEST(a_device_that_refuses_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
