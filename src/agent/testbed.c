#include "agent/testbed.h"

#include "agent/testbed_code.h"
#include "base/hash.h"
#include "base/scope.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TEST_FILE (1u << 20)
#define MAX_TEST_FILES 32
#define CALL_SECONDS 5
#define RUN_SECONDS 60

struct test_file {
    char *name;
    struct buf text;
};

struct testbed {
    struct retort_engine *engine;
    struct retort_session *agent, *candidate;
    struct test_file files[MAX_TEST_FILES];
    size_t file_count;
    json_t *tests; /* [[file, name, source], …] */
    struct buf best;
    size_t best_passed, passed;
    struct hash last; /* of the candidate that ran last */
    bool ran;
    int verdict;
    struct buf advice;
};

/* ---- files ---- */

static int read_file(int dir, const char *name, struct buf *out) {
    scoped_fd fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char chunk[16384];
    ssize_t n = fd < 0 ? -1 : 0;
    while (fd >= 0 && (n = read(fd, chunk, sizeof chunk)) > 0) {
        int r = buf_add(out, chunk, (size_t)n);
        if (r < 0)
            return r;
    }
    return n < 0 ? -errno : 0;
}

static bool is_test(const char *name) {
    size_t n = strlen(name);
    return n > 8 && strncmp(name, "test_", 5) == 0 && strcmp(name + n - 3, ".py") == 0;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct test_file *)a)->name, ((const struct test_file *)b)->name);
}

static int read_tests(struct testbed *t, const char *path, char *problem, size_t size) {
    scoped_dir dir = opendir(path);
    struct dirent *e;
    if (!dir) {
        snprintf(problem, size, "%.200s: %s", path, strerror(errno));
        return -errno;
    }
    while ((e = readdir(dir)) && t->file_count < MAX_TEST_FILES) {
        struct test_file *f = &t->files[t->file_count];
        if (!is_test(e->d_name))
            continue;
        f->text = BUF_INIT(MAX_TEST_FILE);
        if (!(f->name = strdup(e->d_name)))
            return -ENOMEM;
        t->file_count++;
        int r = read_file(dirfd(dir), e->d_name, &f->text);
        if (r < 0) {
            snprintf(problem, size, "%.200s: %s", f->name, strerror(-r));
            return r;
        }
    }
    qsort(t->files, t->file_count, sizeof *t->files, by_name);
    if (!t->file_count)
        snprintf(problem, size, "%.200s: there is no test_*.py", path);
    return t->file_count ? 0 : -ENOENT;
}

static int put(struct retort_session *s, const char *name, const struct buf *text,
               struct retort_error *error) {
    return retort_file_write(s, name, 0, text->data ? text->data : "", text->len, true, error);
}

/* A first solution in the directory is what the model starts from. */
static int put_first_solution(struct testbed *t, const char *path) {
    scoped_fd dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    scoped_buf text = BUF_INIT(MAX_TEST_FILE);
    struct retort_error error;
    int r = dir < 0 ? -errno : read_file(dir, "solution.py", &text);
    return r == -ENOENT ? 0 : r < 0 ? r : put(t->agent, "solution.py", &text, &error);
}

/* ---- sessions ---- */

static json_t *run_code(struct retort_session *s, const char *code, double timeout,
                        const struct retort_callbacks *callbacks) {
    struct retort_execute_options options = {.limits = {.timeout = timeout, .cpu = timeout},
                                             .callbacks = callbacks};
    struct retort_result *result;
    struct retort_error error;
    size_t len;
    if (retort_execute(s, code, strlen(code), &options, &result, &error) < 0)
        return NULL;
    const char *json = retort_result_json(result, &len);
    json_t *o = json_loadb(json, len, JSON_ALLOW_NUL, NULL);
    retort_result_free(result);
    return o;
}

static struct retort_session *tests_session(struct testbed *t, struct retort_error *error) {
    static const char tool[] =
        "[{\"name\": \"candidate\", \"parameters\": {\"type\": \"object\", \"properties\": "
        "{\"name\": "
        "{\"type\": \"string\"}, \"arguments\": {\"type\": \"string\"}}, \"required\": [\"name\", "
        "\"arguments\"]}}]";
    struct retort_session_options options = {.no_record = true};
    struct retort_session *s;
    if (retort_session_new(t->engine, &options, &s, error) < 0)
        return NULL;
    int r = retort_tools(s, tool, error);
    for (size_t i = 0; r >= 0 && i < t->file_count; i++)
        r = put(s, t->files[i].name, &t->files[i].text, error);
    if (r >= 0)
        return s;
    retort_session_close(s);
    return NULL;
}

static int discover(struct testbed *t, char *problem, size_t size) {
    struct retort_error error = {0};
    struct retort_session *s = tests_session(t, &error);
    json_t *result = s ? run_code(s, testbed_discover, RUN_SECONDS, NULL) : NULL;
    t->tests = json_incref(json_object_get(result, "final"));
    json_decref(result);
    if (s)
        retort_session_close(s);
    if (json_array_size(t->tests) > 0)
        return 0;
    snprintf(problem, size, "%s", error.message[0] ? error.message : "there are no tests to run");
    return -EINVAL;
}

int testbed_new(struct retort_engine *engine, const char *dir, struct retort_session *agent,
                struct testbed **ret, char *problem, size_t size) {
    struct testbed *t = calloc(1, sizeof *t);
    if (!t)
        return -ENOMEM;
    t->engine = engine;
    t->agent = agent;
    t->best = BUF_INIT(MAX_TEST_FILE);
    t->advice = BUF_INIT(64u << 10);
    snprintf(problem, size, "the tests cannot be prepared");
    int r = read_tests(t, dir, problem, size);
    if (r == 0)
        r = put_first_solution(t, dir);
    if (r == 0)
        r = discover(t, problem, size);
    if (r < 0)
        testbed_free(t);
    else
        *ret = t;
    return r;
}

void testbed_free(struct testbed *t) {
    struct retort_error error;
    if (!t)
        return;
    if (t->best.len && t->best_passed > t->passed)
        put(t->agent, "solution.py", &t->best, &error);
    for (size_t i = 0; i < t->file_count; i++) {
        free(t->files[i].name);
        buf_done(&t->files[i].text);
    }
    json_decref(t->tests);
    buf_done(&t->best);
    buf_done(&t->advice);
    free(t);
}

/* Every second test is held out, unless there is only one. */
static bool held_out(size_t index) {
    return index % 2 == 1;
}

int testbed_describe(struct testbed *t, struct buf *out) {
    const json_t *test;
    size_t i;
    int r = buf_printf(out, "\n\nThere are %zu tests; these are shown:\n```python\n",
                       json_array_size(t->tests));
    json_array_foreach(t->tests, i, test) {
        const char *source = json_string_value(json_array_get(test, 2));
        if (r == 0 && !held_out(i))
            r = buf_printf(out, "%.3000s\n\n", source ? source : "");
    }
    return r < 0 ? r : buf_adds(out, "```\n");
}

/* ---- running ---- */

static char *quoted(const char *text) {
    json_t *s = json_string(text ? text : "");
    char *out = s ? json_dumps(s, JSON_ENCODE_ANY) : NULL;
    json_decref(s);
    return out;
}

/* What a candidate that was stopped from outside has to say for itself. */
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

/* A test calls the candidate: in its own session, with its own time. */
static char *call_candidate(void *user, const char *name, const char *arguments,
                            char **ret_failure) {
    struct testbed *t = user;
    json_t *o = json_loads(arguments, 0, NULL);
    scoped_free char *function = quoted(json_string_value(json_object_get(o, "name")));
    scoped_free char *args = quoted(json_string_value(json_object_get(o, "arguments")));
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
    json_t *result = run_code(t->candidate, code, CALL_SECONDS, NULL);
    free(code);
    json_t *final = json_object_get(result, "final");
    json_t *answer = json_is_object(final) ? json_incref(final) : stopped(result);
    json_decref(result);
    char *text = json_dumps(answer, 0);
    json_decref(answer);
    return text;
}

static json_t *run_tests(struct testbed *t, const struct buf *solution) {
    struct retort_session_options options = {.no_record = true};
    struct retort_callbacks callbacks = {.user = t, .tool = call_candidate};
    struct retort_error error;
    json_t *result = NULL;
    if (retort_session_new(t->engine, &options, &t->candidate, &error) < 0)
        return NULL;
    struct retort_session *tests = tests_session(t, &error);
    if (tests && put(t->candidate, "solution.py", solution, &error) >= 0)
        result = run_code(tests, testbed_harness, RUN_SECONDS, &callbacks);
    if (tests)
        retort_session_close(tests);
    retort_session_close(t->candidate);
    t->candidate = NULL;
    return result;
}

/* Counts, and describes the first failure of a test that is shown. */
static void judge(struct testbed *t, const json_t *results) {
    const json_t *r, *first = NULL;
    size_t i, hidden = 0, total = json_array_size(t->tests);
    t->passed = 0;
    json_array_foreach(results, i, r) {
        bool ok = json_is_true(json_array_get(r, 2));
        t->passed += ok;
        hidden += !ok && held_out(i);
        if (!ok && !held_out(i) && !first)
            first = r;
    }
    t->verdict = t->passed == total && json_array_size(results) == total;
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

static int read_solution(struct testbed *t, struct buf *out) {
    struct retort_error error;
    char *data;
    size_t len;
    uint64_t size;
    if (retort_file_read(t->agent, "solution.py", 0, MAX_TEST_FILE, &data, &len, &size, &error) < 0)
        return -ENOENT;
    int r = buf_add(out, data, len);
    retort_free(data);
    return r;
}

int testbed_run(void *user, struct buf *advice) {
    struct testbed *t = user;
    scoped_buf solution = BUF_INIT(MAX_TEST_FILE);
    struct hash hash;
    if (read_solution(t, &solution) < 0)
        return buf_adds(advice, "There is no solution.py yet.\n") < 0 ? -ENOMEM : 0;
    int r = hash_bytes(solution.data, solution.len, &hash);
    if (r < 0)
        return r;
    if (!t->ran || !hash_equal(&hash, &t->last)) {
        buf_reset(&t->advice);
        json_t *result = run_tests(t, &solution);
        const json_t *results = json_object_get(result, "final");
        if (json_is_array(results))
            judge(t, results);
        else
            judge_failure(t, result);
        json_decref(result);
        t->last = hash;
        t->ran = true;
        if (t->passed >= t->best_passed) {
            t->best_passed = t->passed;
            buf_reset(&t->best);
            r = buf_add(&t->best, solution.data, solution.len);
        }
    }
    if (r == 0)
        r = buf_add(advice, t->advice.data, t->advice.len);
    return r < 0 ? r : t->verdict;
}
