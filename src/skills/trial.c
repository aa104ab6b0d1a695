#include "skills/trial.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "agent/review/reviewer.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "base/toolschema.h"
#include "base/unconst.h"
#include "base/utf8.h"
#include "skills/asc.h"
#include "skills/library.h"
#include "skills/runner.h"

#define MAX_ABOUT (4u << 20)
#define MAX_SKILL_TESTS 200
#define BUILD_SECONDS 60 /* for the compilers of a WebAssembly module */
#define MAX_DESCRIPTION 1024
/* Short, because a tool's name has the skill, the version and the function. */
#define MAX_FUNCTION_NAME 40

/* --- reading the folder --- */

static int run_inspection(struct retort_session *session, struct retort_error *err) {
    static const char code[] = "from retort_guest import skill; skill.inspect()";
    struct retort_execute_options o = {.quiet = true};
    struct retort_result *result;
    TRY(retort_execute(session, code, sizeof code - 1, &o, &result, err));
    int r = runner_verdict(result, err);
    retort_result_free(result);
    return r < 0 ? err_wrap(err, "the folder cannot be read") : 0;
}

static int read_about(struct retort_session *session, json_t **ret, struct retort_error *err) {
    char *text;
    size_t len;
    uint64_t size;
    TRY(retort_file_read(session, "about.json", 0, MAX_ABOUT, &text, &len, &size, err));
    scoped_json *about = json_in(text, len, JSON_REJECT_DUPLICATES, NULL);
    retort_free(text);
    const char *mistake = json_string_value(json_object_get(about, "error"));
    if (!json_is_object(about) || mistake)
        return err_set(err, ERR_CALLER, EINVAL, "%.300s", mistake ? mistake : "it cannot be read");
    *ret = TAKE(about);
    return 0;
}

/* Takes the program that was built from a module. */
static int take_built(struct retort_session *session, struct skill_files *files, json_t *about,
                      struct retort_error *err) {
    char *data, hash[HASH_TEXT_SIZE];
    size_t len;
    uint64_t size;
    if (!json_object_get(about, "built"))
        return 0;
    TRY(retort_file_read(session, "built.so", 0, SKILL_BYTES, &data, &len, &size, err));
    char *own = size == len ? malloc(len + 1) : NULL;
    if (own)
        memcpy(own, data, len);
    retort_free(data);
    if (!own)
        return err_set(err, ERR_LIMIT, EFBIG, "what was built of the module is too large");
    TRY(skillfiles_put(files, SKILL_BUILT, own, len, err));
    if (skillfiles_hash(skillfiles_find(files, SKILL_BUILT), hash) < 0)
        return err_memory(err);
    return json_object_set_new(about, "built", json_string(hash));
}

static int ask_inspector(struct retort_engine *engine, struct skill_files *files, json_t **ret,
                         struct retort_error *err) {
    struct retort_session_options o = {.preload = "",
                                       .door = "skill",
                                       .no_record = true,
                                       .network = "[]",
                                       .checkpoint = RETORT_CHECKPOINT_OFF,
                                       .limits = {.timeout = BUILD_SECONDS, .cpu = BUILD_SECONDS}};
    struct retort_session *session;
    TRY(retort_session_new(engine, &o, &session, err));
    int r = runner_put_files(session, files, err);
    if (r == 0 && skillfiles_find(files, "skill.ts"))
        r = asc_put(session, err);
    if (r == 0)
        r = run_inspection(session, err);
    if (r == 0)
        r = read_about(session, ret, err);
    if (r == 0)
        r = take_built(session, files, *ret, err);
    retort_session_close(session);
    return r;
}

/* --- checking what the session said of the folder --- */

static int check_texts(const json_t *about, struct retort_error *err) {
    const char *name = json_string_value(json_object_get(about, "name")),
               *description = json_string_value(json_object_get(about, "description"));
    if (!name || !library_is_name(name))
        return err_set(err, ERR_CALLER, EINVAL,
                       "name: 1 to 64 of a-z, 0-9 and single '-' between them");
    if (!description || !description[0] ||
        utf8_count(description, strlen(description)) > MAX_DESCRIPTION)
        return err_set(err, ERR_CALLER, EINVAL, "description: 1 to %d characters", MAX_DESCRIPTION);
    return 0;
}

static bool only_members(const json_t *object, const char *const *known) {
    const char *key;
    json_t *value;
    json_object_foreach(unconst(object), key, value) {
        const char *const *k = known;
        while (*k && strcmp(*k, key) != 0)
            k++;
        if (!*k)
            return false;
    }
    return true;
}

/* Names must be valid for tools; two names are ours. */
static int check_tools(const json_t *tools, struct retort_error *err) {
    static const char fine[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const json_t *one;
    size_t i;
    bool right = !tools || json_is_array(tools);
    json_array_foreach(tools, i, one) {
        const char *name = json_string_value(one);
        right = right && name && name[0] && strlen(name) <= 64 &&
                strspn(name, fine) == strlen(name) && !strchr("0123456789_", name[0]) &&
                strcmp(name, "take") != 0 && strcmp(name, "give") != 0;
    }
    return right && json_array_size(tools) <= 32
               ? 0
               : err_set(err, ERR_CALLER, EINVAL,
                         "capabilities: tools is a list of at most 32 names of tools");
}

static int check_capabilities(const json_t *about, struct retort_error *err) {
    static const char *const known[] = {"network", "clock", "random", "tools", "files", NULL};
    static const char *const limits[] = {"timeout", "memory", "pages", NULL};
    const json_t *given = json_object_get(about, "capabilities"),
                 *bounds = json_object_get(about, "limits"), *host;
    size_t i;
    if ((given && !json_is_object(given)) || !only_members(given, known))
        return err_set(err, ERR_CALLER, EINVAL,
                       "capabilities: an object with network, clock, random, tools and files only");
    json_array_foreach(json_object_get(given, "network"), i, host) {
        if (!json_is_string(host))
            return err_set(err, ERR_CALLER, EINVAL, "capabilities: network is a list of hosts");
    }
    TRY(check_tools(json_object_get(given, "tools"), err));
    if ((bounds && !json_is_object(bounds)) || !only_members(bounds, limits) ||
        json_number_value(json_object_get(bounds, "timeout")) > 600 ||
        json_number_value(json_object_get(bounds, "memory")) > 4096)
        return err_set(err, ERR_CALLER, EINVAL,
                       "limits: an object with timeout (at most 600 s), memory (at most 4096 MB) "
                       "and pages only");
    return 0;
}

static int check_function(const char *name, const json_t *about, struct retort_error *err) {
    static const char *const schemas[] = {"input", "output"};
    char why[160];
    for (size_t i = 0; i < 2; i++) {
        const json_t *schema = json_object_get(about, schemas[i]);
        if (schema && toolschema_supported(schema, why, sizeof why) < 0)
            return err_set(err, ERR_CALLER, EINVAL, "%s of %.60s: %s", schemas[i], name, why);
    }
    const json_t *description = json_object_get(about, "description");
    if (description && !json_is_null(description) && !json_is_string(description))
        return err_set(err, ERR_CALLER, EINVAL, "description of %.60s must be text", name);
    return json_is_object(json_object_get(about, "input"))
               ? 0
               : err_set(err, ERR_CALLER, EINVAL, "%.60s: input must be a schema", name);
}

static int check_functions(const json_t *about, struct retort_error *err) {
    const char *name;
    json_t *one;
    json_object_foreach(json_object_get(about, "functions"), name, one) {
        if (strlen(name) > MAX_FUNCTION_NAME)
            return err_set(err, ERR_CALLER, EINVAL, "the name of a function is too long");
        TRY(check_function(name, one, err));
    }
    return 0;
}

/* skill.json of an exported folder has hashes: the files must still match them. */
static int check_exported(const json_t *about, const struct skill_files *files,
                          struct retort_error *err) {
    const json_t *had = json_object_get(about, "files");
    scoped_json *has = skillfiles_hashes(files);
    return had && !json_equal(had, has)
               ? err_set(err, ERR_CALLER, EBADMSG,
                         "the files are not those that skill.json has the hashes of")
               : 0;
}

int trial_inspect(struct retort_engine *engine, struct skill_files *files, json_t **ret,
                  struct retort_error *err) {
    scoped_json *about = NULL;
    if (!skillfiles_find(files, "SKILL.md"))
        return err_set(err, ERR_CALLER, ENOENT, "the folder has no SKILL.md");
    TRY(ask_inspector(engine, files, &about, err));
    TRY(check_texts(about, err));
    TRY(check_capabilities(about, err));
    TRY(check_functions(about, err));
    TRY(check_exported(about, files, err));
    *ret = TAKE(about);
    return 0;
}

/* --- review --- */

static const char *skill_language(const char *path) {
    const char *dot = strrchr(path, '.');
    return !dot                       ? NULL
           : strcmp(dot, ".py") == 0  ? "python"
           : strcmp(dot, ".sh") == 0  ? "bash"
           : strcmp(dot, ".sql") == 0 ? "sql"
                                      : NULL;
}

/* Gives the review this verdict, if it is worse than its own. */
static void worsen(json_t *review, const char *verdict) {
    static const char *const order[] = {"clean", "note", "repair", "block"};
    size_t had = 0, has = 0;
    for (size_t i = 0; i < 4; i++) {
        if (strcmp(order[i], json_string_value(json_object_get(review, "verdict"))) == 0)
            had = i;
        if (strcmp(order[i], verdict) == 0)
            has = i;
    }
    if (has > had)
        json_object_set_new(review, "verdict", json_string(order[has]));
}

static int blocked(const char *path, const json_t *findings, struct retort_error *err) {
    json_t *one;
    size_t i;
    json_array_foreach(findings, i, one) {
        const char *severity = json_string_value(json_object_get(one, "severity"));
        if (severity && strcmp(severity, "block") == 0)
            return err_set(err, ERR_CALLER, EPERM, "review: %.100s:%d: %.150s", path,
                           (int)json_integer_value(json_object_get(one, "line")),
                           json_string_value(json_object_get(one, "message")));
    }
    return err_set(err, ERR_CALLER, EPERM, "review: %.100s is refused", path);
}

static int review_file(struct reviewer *reviewer, const struct skill_file *f, json_t *review,
                       struct retort_error *err) {
    const char *language = skill_language(f->path);
    if (!language)
        return 0;
    scoped_json *verdict = reviewer_judge(reviewer, language, f->data, err);
    if (!verdict)
        return err_wrap(err, "%.100s", f->path);
    const char *word = json_string_value(json_object_get(verdict, "verdict"));
    json_t *findings = json_object_get(verdict, "findings"), *one;
    size_t i;
    worsen(review, word ? word : "block");
    json_array_foreach(findings, i, one) {
        json_object_set_new(one, "file", json_string(f->path));
        json_array_append(json_object_get(review, "findings"), one);
    }
    return !word || strcmp(word, "block") == 0 ? blocked(f->path, findings, err) : 0;
}

int trial_review(struct retort_engine *engine, const struct skill_files *files, json_t **ret,
                 struct retort_error *err) {
    scoped_json *review = json_pack("{s:s,s:[]}", "verdict", "clean", "findings");
    struct reviewer_options none = {0};
    struct reviewer *reviewer;
    TRY(reviewer_new(engine, &none, &reviewer, err));
    int r = 0;
    for (size_t i = 0; r == 0 && i < files->n; i++)
        r = review_file(reviewer, &files->at[i], review, err);
    reviewer_free(reviewer);
    if (r == 0)
        *ret = TAKE(review);
    return r;
}

/* --- tests --- */

#define CLOSE 1e-9

/* Numbers that differ only by rounding count as equal. */
static bool same_answer(const json_t *a, const json_t *b) {
    const char *key;
    json_t *one;
    size_t i;
    if (json_is_number(a) && json_is_number(b)) {
        double x = json_number_value(a), y = json_number_value(b);
        return json_equal(a, b) || fabs(x - y) <= CLOSE * fmax(fabs(x), fabs(y));
    }
    if (json_is_array(a) && json_is_array(b) && json_array_size(a) == json_array_size(b)) {
        json_array_foreach(a, i, one) {
            if (!same_answer(one, json_array_get(b, i)))
                return false;
        }
        return true;
    }
    if (json_is_object(a) && json_is_object(b) && json_object_size(a) == json_object_size(b)) {
        json_object_foreach(unconst(a), key, one) {
            if (!same_answer(one, json_object_get(b, key)))
                return false;
        }
        return true;
    }
    return json_equal(a, b);
}

static const char *test_function(const json_t *manifest, const json_t *test) {
    const char *named = json_string_value(json_object_get(test, "function"));
    json_t *functions = json_object_get(manifest, "functions");
    if (named || json_object_size(functions) != 1)
        return named;
    return json_object_iter_key(json_object_iter(functions));
}

static void short_text(const json_t *value, char ret[], size_t size) {
    scoped_free char *text = json_whole(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    snprintf(ret, size, "%.*s%s", (int)size - 8, text ? text : "?",
             text && strlen(text) > size - 8 ? "..." : "");
}

/* A test defines what tools answer: {"tools": {NAME: answer}}. */
static char *told_by_test(void *user, const char *name, const char *arguments, char **ret_failure) {
    const json_t *answer = json_object_get(json_object_get(user, "tools"), name);
    (void)arguments;
    if (answer)
        return json_whole(answer, JSON_COMPACT | JSON_ENCODE_ANY);
    if (asprintf(ret_failure, "the test does not say what %s answers", name) < 0)
        *ret_failure = NULL;
    return NULL;
}

static int run_one_test(struct skill_runner *runner, const json_t *manifest, size_t i,
                        struct retort_error *err) {
    const json_t *test = json_array_get(json_object_get(manifest, "tests"), i),
                 *expected = json_object_get(test, "out");
    const char *function = test_function(manifest, test);
    scoped_json *answer = NULL;
    char got[100], wanted[100];
    struct runner_request call = {.function = function,
                                  .arguments = json_object_get(test, "in"),
                                  .patience = {.tool = told_by_test, .user = unconst(test)}};
    if (runner_call(runner, &call, &answer, err) < 0)
        return err_wrap(err, "test %zu of %.64s", i + 1, function);
    if (same_answer(answer, expected))
        return 0;
    short_text(answer, got, sizeof got);
    short_text(expected, wanted, sizeof wanted);
    return err_set(err, ERR_CALLER, EBADMSG, "test %zu of %.64s: expected %s, got %s", i + 1,
                   function, wanted, got);
}

static int run_tests(struct retort_engine *engine, const struct skill_files *files,
                     const json_t *manifest, const char *rules, bool backwards,
                     struct retort_error *err) {
    size_t n = json_array_size(json_object_get(manifest, "tests"));
    struct skill_runner *runner;
    TRY(runner_new(engine, files, manifest, rules, &runner, err));
    int r = 0;
    for (size_t i = 0; r == 0 && i < n; i++)
        r = run_one_test(runner, manifest, backwards ? n - 1 - i : i, err);
    runner_free(runner);
    return r < 0 && backwards
               ? err_wrap(err, "answers depend on what was called before: in another order")
               : r;
}

/* --- the critic: tests must be able to fail --- */

static int check_test(const json_t *manifest, const json_t *test, struct retort_error *err) {
    const char *function = test_function(manifest, test);
    return !function || !json_object_get(json_object_get(manifest, "functions"), function) ||
                   !json_is_object(json_object_get(test, "in")) || !json_object_get(test, "out")
               ? err_set(err, ERR_CALLER, EINVAL,
                         "a test is {\"function\", \"in\": {argument: value}, \"out\": value}")
               : 0;
}

/* A function that always returns the same value would pass one test, or many with the same
 * answer. */
static int check_covered(const json_t *manifest, const char *function, const json_t *about,
                         struct retort_error *err) {
    const json_t *first = NULL,
                 *properties = json_object_get(json_object_get(about, "input"), "properties");
    json_t *test;
    size_t i;
    bool differs = json_object_size(properties) == 0;
    json_array_foreach(json_object_get(manifest, "tests"), i, test) {
        if (strcmp(test_function(manifest, test), function) != 0)
            continue;
        if (first && !json_equal(json_object_get(first, "in"), json_object_get(test, "in")) &&
            !same_answer(json_object_get(first, "out"), json_object_get(test, "out")))
            differs = true;
        first = first ? first : test;
    }
    if (!first)
        return err_set(err, ERR_CALLER, EINVAL, "the function %.64s has no test", function);
    return differs ? 0
                   : err_set(err, ERR_CALLER, EINVAL,
                             "the tests of %.64s do not tell it from a constant: two with "
                             "different answers are needed",
                             function);
}

static int criticise(const json_t *manifest, struct retort_error *err) {
    const json_t *tests = json_object_get(manifest, "tests");
    const char *function;
    json_t *one;
    size_t i;
    if (json_array_size(tests) > MAX_SKILL_TESTS)
        return err_set(err, ERR_LIMIT, E2BIG, "more than %d tests", MAX_SKILL_TESTS);
    json_array_foreach(tests, i, one) {
        TRY(check_test(manifest, one, err));
    }
    json_object_foreach(json_object_get(manifest, "functions"), function, one) {
        TRY(check_covered(manifest, function, one, err));
    }
    return 0;
}

int trial_test(struct retort_engine *engine, const struct skill_files *files,
               const json_t *manifest, const char *rules, unsigned *ret_count,
               struct retort_error *err) {
    *ret_count = (unsigned)json_array_size(json_object_get(manifest, "tests"));
    if (!json_object_get(manifest, "functions"))
        return 0;
    TRY(criticise(manifest, err));
    TRY(run_tests(engine, files, manifest, rules, false, err));
    return run_tests(engine, files, manifest, rules, true, err);
}
