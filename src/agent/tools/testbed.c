#include "agent/tools/testbed.h"

#include "agent/tools/testbed_code.h"
#include "agent/tools/testbed_files.h"
#include "base/hash.h"
#include "base/jsonwhole.h"
#include "base/scope.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define MAX_SOLUTION (4u << 20)
#define MAX_TESTBED (80u << 20)
#define CALL_SECONDS 5
#define RUN_SECONDS 60

enum kind { PLAIN, PYTEST, COMMAND };

struct testbed {
    struct retort_engine *engine;
    struct retort_session_options session; /* of the sessions that run tests */
    enum kind kind;
    const char *command;
    double seconds; /* for one run of all tests */
    struct retort_session *agent, *candidate;
    struct test_files files;
    json_t *tests; /* [[file, name, source, case], …]; empty if they show only with a solution */
    struct buf best;
    size_t best_passed, passed;
    struct hash last; /* hash of the candidate that ran last */
    bool ran;
    int verdict;
    struct buf advice;
    bool borrowed; /* another testbed owns the files */
};

/* --- files --- */

static int read_tests(struct testbed *t, const char *const *paths, char *problem, size_t size) {
    int r = 0;
    for (; r == 0 && paths && *paths; paths++)
        r = test_files_read(&t->files, *paths, problem, size);
    test_files_sort(&t->files);
    return r;
}

static int testbed_put(struct retort_session *s, const char *name, const struct buf *text,
                       struct retort_error *error) {
    return retort_file_write(s, name, 0, text->data ? text->data : "", text->len, true, error);
}

/* If the tests include a first solution.py, the model starts from it. */
static int put_first_solution(struct testbed *t) {
    struct test_file *f = test_files_find(&t->files, "solution.py");
    struct retort_error error;
    if (!f)
        return 0;
    int r = testbed_put(t->agent, f->name, &f->text, &error);
    free(f->name);
    buf_done(&f->text);
    *f = t->files.at[--t->files.count];
    test_files_sort(&t->files);
    return r < 0 ? -EIO : 0;
}

/* --- sessions --- */

static json_t *testbed_run_code(struct retort_session *s, const char *code, double timeout,
                                const struct retort_callbacks *callbacks) {
    struct retort_execute_options options = {.limits = {.timeout = timeout, .cpu = timeout},
                                             .callbacks = callbacks};
    struct retort_result *result;
    struct retort_error error;
    size_t len;
    if (retort_execute(s, code, strlen(code), &options, &result, &error) < 0)
        return NULL;
    const char *json = retort_result_json(result, &len);
    json_t *o = json_in(json, len, JSON_ALLOW_NUL, NULL);
    retort_result_free(result);
    return o;
}

static struct retort_session *tests_session(struct testbed *t, struct retort_error *error) {
    static const char tool[] =
        "[{\"name\": \"candidate\", \"parameters\": {\"type\": \"object\", \"properties\": "
        "{\"name\": "
        "{\"type\": \"string\"}, \"arguments\": {\"type\": \"string\"}}, \"required\": [\"name\", "
        "\"arguments\"]}}]";
    struct retort_session *s;
    if (retort_session_new(t->engine, &t->session, &s, error) < 0)
        return NULL;
    int r = t->kind == PLAIN ? retort_tools(s, tool, error) : 0;
    if (r >= 0)
        r = test_files_put(&t->files, s, error);
    if (r >= 0)
        return s;
    retort_session_close(s);
    return NULL;
}

/* --- before the run --- */

static int discover(struct testbed *t, char *problem, size_t size) {
    struct retort_error error = {0};
    struct retort_session *s = tests_session(t, &error);
    json_t *result = s ? testbed_run_code(s, testbed_discover, t->seconds, NULL) : NULL;
    const json_t *found = json_object_get(result, "final");
    const char *kind = json_string_value(json_object_get(found, "kind"));
    const char *wrong = json_string_value(json_object_get(found, "problem"));
    const char *status = json_string_value(json_object_get(result, "status"));
    t->tests = json_incref(json_object_get(found, "tests"));
    t->kind = kind && strcmp(kind, "plain") == 0 ? PLAIN : PYTEST;
    if (s)
        retort_session_close(s);
    if (!json_is_array(t->tests))
        snprintf(problem, size, "the tests cannot be collected: %s",
                 wrong              ? wrong
                 : error.message[0] ? error.message
                 : status           ? status
                                    : "no session");
    json_decref(result);
    return json_is_array(t->tests) ? 0 : -EINVAL;
}

static json_t *testbed_run_command(struct testbed *t, const struct test_files *work);

/* If the shell cannot find or start the command now, it cannot later either. */
static int try_command(struct testbed *t, char *problem, size_t size) {
    struct test_files work = {0};
    json_t *result = test_files_fetch(&work, t->agent) == 0 ? testbed_run_command(t, &work) : NULL;
    const json_t *final = json_object_get(result, "final");
    json_int_t status = json_integer_value(json_array_get(final, 0));
    const char *said = json_string_value(json_array_get(final, 1));
    bool wrong = json_array_size(final) == 2 && (status == 126 || status == 127);
    if (wrong)
        snprintf(problem, size, "--test-command: exit status %d: %.200s", (int)status,
                 said ? said : "");
    json_decref(result);
    test_files_done(&work);
    return wrong ? -EINVAL : 0;
}

static int testbed_prepare(struct testbed *t, const struct testbed_options *o, char *problem,
                           size_t size) {
    int r = read_tests(t, o->paths, problem, size);
    if (r == 0)
        r = put_first_solution(t);
    if (r == 0)
        r = t->command ? try_command(t, problem, size) : discover(t, problem, size);
    return r;
}

int testbed_new(struct retort_engine *engine, const struct testbed_options *o,
                struct retort_session *agent, struct testbed **ret, char *problem, size_t size) {
    struct testbed *t = calloc(1, sizeof *t);
    if (!t)
        return -ENOMEM;
    t->engine = engine;
    t->agent = agent;
    t->command = o->command;
    t->kind = o->command ? COMMAND : PLAIN;
    t->session = (struct retort_session_options){
        .no_record = true, .python = o->session->python, .environment = o->session->environment};
    t->seconds =
        o->session->limits.timeout > RUN_SECONDS ? o->session->limits.timeout : RUN_SECONDS;
    t->best = BUF_INIT(MAX_SOLUTION);
    t->advice = BUF_INIT(64u << 10);
    snprintf(problem, size, "the tests cannot be prepared");
    int r = testbed_prepare(t, o, problem, size);
    if (r < 0)
        testbed_free(t);
    else
        *ret = t;
    return r;
}

int testbed_branch(const struct testbed *t, struct retort_session *agent, struct testbed **ret) {
    struct testbed *copy = calloc(1, sizeof *copy);
    if (!copy)
        return -ENOMEM;
    *copy = *t;
    copy->borrowed = true;
    copy->agent = agent;
    copy->tests = json_incref(t->tests);
    copy->best = BUF_INIT(MAX_SOLUTION);
    copy->advice = BUF_INIT(64u << 10);
    *ret = copy;
    return buf_add(&copy->best, t->best.data ? t->best.data : "", t->best.len);
}

void testbed_free(struct testbed *t) {
    struct retort_error error;
    if (!t)
        return;
    if (t->best.len && t->best_passed > t->passed)
        testbed_put(t->agent, "solution.py", &t->best, &error);
    if (!t->borrowed)
        test_files_done(&t->files);
    json_decref(t->tests);
    buf_done(&t->best);
    buf_done(&t->advice);
    free(t);
}

/* Every second test is held out, unless there is only one. */
static bool held_out(size_t index) {
    return index % 2 == 1;
}

/* Adds the text of a function once, then those of its cases that are shown. */
static int describe_test(const json_t *test, const json_t *before, struct buf *out) {
    const char *source = json_string_value(json_array_get(test, 2));
    const char *shown = json_string_value(json_array_get(test, 3));
    int r = 0;
    if (!json_equal(json_array_get(test, 2), json_array_get(before, 2)))
        r = buf_printf(out, "%.3000s\n\n", source ? source : "");
    if (r == 0 && shown && *shown)
        r = buf_printf(out, "# case: %.500s\n", shown);
    return r;
}

int testbed_describe(struct testbed *t, struct buf *out) {
    const json_t *test, *before = NULL;
    size_t i;
    if (t->kind == COMMAND)
        return buf_printf(out, "\n\nThe command: %.2000s\n", t->command);
    int r = buf_printf(out, "\n\nThere are %zu tests; these are shown:\n```python\n",
                       json_array_size(t->tests));
    json_array_foreach(t->tests, i, test) {
        if (r < 0 || held_out(i))
            continue;
        r = describe_test(test, before, out);
        before = test;
    }
    return r < 0 ? r : buf_adds(out, "```\n");
}

const char *testbed_prompt(const struct testbed *t) {
    return t->kind == COMMAND ? "command" : "tests";
}

const char *testbed_success(const struct testbed *t) {
    return t->kind == COMMAND ? "The test command succeeds."
                              : "All tests pass; the solution is in solution.py.";
}

/* --- running --- */

static char *testbed_quoted(const char *text) {
    json_t *s = json_string(text ? text : "");
    char *out = s ? json_whole(s, JSON_ENCODE_ANY) : NULL;
    json_decref(s);
    return out;
}

/* The result of a candidate that was stopped from outside. */
static json_t *stopped(const json_t *result) {
    const char *status = json_string_value(json_object_get(result, "status"));
    const json_t *e = json_object_get(result, "error");
    const char *name = json_string_value(json_object_get(e, "name"));
    const char *message = json_string_value(json_object_get(e, "message"));
    if (status && strcmp(status, "error") == 0 && name)
        return json_pack("{s:s,s:s}", "error", name, "message", message ? message : "");
    return json_pack("{s:s,s:s}", "error",
                     status && strcmp(status, "timeout") == 0 ? "TimeoutError" : "RuntimeError",
                     "message", status ? status : "the session was lost");
}

/* A test calls the candidate, which runs in its own session, with its own time. */
static char *call_candidate(void *user, const char *name, const char *arguments,
                            char **ret_failure) {
    struct testbed *t = user;
    json_t *o = json_in_text(arguments, 0, NULL);
    scoped_free char *function = testbed_quoted(json_string_value(json_object_get(o, "name")));
    scoped_free char *args = testbed_quoted(json_string_value(json_object_get(o, "arguments")));
    char *code = NULL;
    json_decref(o);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int n = function && args && strcmp(name, "candidate") == 0
                ? asprintf(&code, testbed_call, args, function)
                : -1;
#pragma GCC diagnostic pop
    if (n < 0) {
        *ret_failure = strdup("there is no such tool");
        return NULL;
    }
    json_t *result = testbed_run_code(t->candidate, code, CALL_SECONDS, NULL);
    free(code);
    json_t *final = json_object_get(result, "final");
    json_t *answer = json_is_object(final) ? json_incref(final) : stopped(result);
    json_decref(result);
    char *text = json_whole(answer, 0);
    json_decref(answer);
    return text;
}

static json_t *run_plain(struct testbed *t, const struct buf *solution) {
    struct retort_callbacks callbacks = {.user = t, .tool = call_candidate};
    struct retort_error error;
    json_t *result = NULL;
    if (retort_session_new(t->engine, &t->session, &t->candidate, &error) < 0)
        return NULL;
    struct retort_session *tests = tests_session(t, &error);
    if (tests && testbed_put(t->candidate, "solution.py", solution, &error) >= 0)
        result = testbed_run_code(tests, testbed_harness, t->seconds, &callbacks);
    if (tests)
        retort_session_close(tests);
    retort_session_close(t->candidate);
    t->candidate = NULL;
    return result;
}

/* Fills one text into a template of a program. */
static char *fill_in(const char *format, const char *text) {
    char *code = NULL;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int n = asprintf(&code, format, text);
#pragma GCC diagnostic pop
    return n < 0 ? NULL : code;
}

/* A candidate in pytest's own process could end the cell with an answer of its own: we ignore
 * answers without the token. */
static void testbed_check_token(json_t *result, const char *token) {
    const json_t *final = json_object_get(result, "final");
    const char *said = json_string_value(json_object_get(final, "token"));
    if (!said || strcmp(said, token) != 0)
        json_object_del(result, "final");
}

static json_t *run_pytest(struct testbed *t, const struct buf *solution) {
    struct retort_error error;
    unsigned long long words[2];
    char token[40];
    json_t *result = NULL;
    if (getrandom(words, sizeof words, 0) != sizeof words)
        return NULL;
    snprintf(token, sizeof token, "%016llx%016llx", words[0], words[1]);
    struct retort_session *s = tests_session(t, &error);
    scoped_free char *code = fill_in(testbed_pytest, token);
    if (s && code && testbed_put(s, "solution.py", solution, &error) >= 0)
        result = testbed_run_code(s, code, t->seconds, NULL);
    testbed_check_token(result, token);
    if (s)
        retort_session_close(s);
    return result;
}

/* Runs the command in a copy of what the model wrote, with the tests written over it. */
static json_t *testbed_run_command(struct testbed *t, const struct test_files *work) {
    struct retort_error error;
    struct retort_session *s;
    json_t *result = NULL;
    scoped_free char *command = testbed_quoted(t->command);
    scoped_free char *code = command ? fill_in(testbed_command, command) : NULL;
    if (!code || retort_session_new(t->engine, &t->session, &s, &error) < 0)
        return NULL;
    if (test_files_put(work, s, &error) >= 0 && test_files_put(&t->files, s, &error) >= 0)
        result = testbed_run_code(s, code, t->seconds, NULL);
    retort_session_close(s);
    return result;
}

/* Counts the results, and describes the first failure of a test that is shown. */
static void testbed_judge(struct testbed *t, const json_t *results) {
    const json_t *r, *first = NULL;
    size_t i, hidden = 0, known = json_array_size(t->tests);
    size_t total = known ? known : json_array_size(results);
    t->passed = 0;
    json_array_foreach(results, i, r) {
        bool ok = json_is_true(json_array_get(r, 2));
        t->passed += ok;
        hidden += !ok && held_out(i);
        if (!ok && !held_out(i) && !first)
            first = r;
    }
    t->verdict = total && t->passed == total && json_array_size(results) == total;
    buf_printf(&t->advice, "Tests: %zu of %zu pass.\n", t->passed, total);
    if (first)
        buf_printf(&t->advice, "First failure: %s: %.1500s\n",
                   json_string_value(json_array_get(first, 1)),
                   json_string_value(json_array_get(first, 3)));
    else if (hidden)
        buf_printf(
            &t->advice,
            "All tests that were shown pass, but %zu that were not shown fail: the solution is "
            "not general.\n",
            hidden);
}

static void judge_failure(struct testbed *t, const json_t *result) {
    const json_t *e = json_object_get(result, "error");
    const char *name = json_string_value(json_object_get(e, "name"));
    const char *message = json_string_value(json_object_get(e, "message"));
    const char *status = json_string_value(json_object_get(result, "status"));
    t->passed = 0;
    t->verdict = 0;
    buf_printf(&t->advice, "The tests could not be run: %s %s\n",
               name     ? name
               : status ? status
                        : "no session",
               message ? message : "");
}

static void judge_command(struct testbed *t, const json_t *final) {
    json_int_t status = json_integer_value(json_array_get(final, 0));
    const char *said = json_string_value(json_array_get(final, 1));
    t->verdict = status == 0;
    buf_printf(&t->advice, "The test command ended with status %d%s\n%s\n", (int)status,
               status ? ". The end of what it printed:" : ".", status && said ? said : "");
}

static void judge_pytest(struct testbed *t, const json_t *final) {
    const char *broken = json_string_value(json_array_get(json_object_get(final, "broken"), 0));
    testbed_judge(t, json_object_get(final, "results"));
    if (!broken)
        return;
    t->verdict = 0;
    buf_printf(&t->advice, "The tests cannot be collected with this solution: %.1500s\n", broken);
}

static void judge_result(struct testbed *t, const json_t *result) {
    const json_t *final = json_object_get(result, "final");
    buf_reset(&t->advice);
    t->passed = 0;
    t->verdict = 0;
    if (t->kind == PLAIN && json_is_array(final))
        testbed_judge(t, final);
    else if (t->kind == PYTEST && json_is_object(final))
        judge_pytest(t, final);
    else if (t->kind == COMMAND && json_array_size(final) == 2)
        judge_command(t, final);
    else
        judge_failure(t, result);
}

static int read_solution(struct testbed *t, struct buf *out) {
    struct retort_error error;
    char *data;
    size_t len;
    uint64_t size;
    if (retort_file_read(t->agent, "solution.py", 0, MAX_SOLUTION, &data, &len, &size, &error) < 0)
        return -ENOENT;
    int r = buf_add(out, data, len);
    retort_free(data);
    return r;
}

/* True: nothing changed since the last run. */
static bool ran_before(struct testbed *t, const struct hash *hash) {
    bool same = t->ran && hash_equal(hash, &t->last);
    t->last = *hash;
    t->ran = true;
    return same;
}

static int test_solution(struct testbed *t) {
    scoped_buf solution = BUF_INIT(MAX_SOLUTION);
    struct hash hash;
    if (read_solution(t, &solution) < 0) {
        buf_reset(&t->advice);
        t->verdict = 0;
        return buf_adds(&t->advice, "There is no solution.py yet.\n");
    }
    int r = hash_bytes(solution.data, solution.len, &hash);
    if (r < 0 || ran_before(t, &hash))
        return r;
    json_t *result = t->kind == PLAIN ? run_plain(t, &solution) : run_pytest(t, &solution);
    judge_result(t, result);
    json_decref(result);
    if (t->passed < t->best_passed)
        return 0;
    t->best_passed = t->passed;
    buf_reset(&t->best);
    return buf_add(&t->best, solution.data, solution.len);
}

static int hash_files(const struct test_files *files, struct hash *ret) {
    scoped_buf all = BUF_INIT(MAX_TESTBED);
    int r = 0;
    for (size_t i = 0; r == 0 && i < files->count; i++) {
        const struct test_file *f = &files->at[i];
        r = buf_printf(&all, "%s %zu ", f->name, f->text.len);
        if (r == 0)
            r = buf_add(&all, f->text.data ? f->text.data : "", f->text.len);
    }
    return r < 0 ? r : hash_bytes(all.data ? all.data : "", all.len, ret);
}

static int test_workspace(struct testbed *t) {
    struct test_files work = {0};
    struct hash hash;
    int r = test_files_fetch(&work, t->agent);
    if (r == 0)
        r = hash_files(&work, &hash);
    if (r == 0 && !ran_before(t, &hash)) {
        json_t *result = testbed_run_command(t, &work);
        judge_result(t, result);
        json_decref(result);
    }
    test_files_done(&work);
    return r;
}

int testbed_run(void *user, struct buf *advice) {
    struct testbed *t = user;
    int r = t->kind == COMMAND ? test_workspace(t) : test_solution(t);
    if (r == 0)
        r = buf_add(advice, t->advice.data ? t->advice.data : "", t->advice.len);
    return r < 0 ? r : t->verdict;
}
