#include "agent/run/session_port_engine.h"

#include "agent/run/memory.h"
#include "agent/run/queries.h"

#include "base/jsonout.h"
#include "base/jsonwhole.h"
#include "base/thread.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void port_on_output(void *user, enum retort_stream stream, const char *text, size_t len,
                           uint64_t time_ns) {
    struct engine_runner *r = user;
    (void)time_ns;
    if (r->run)
        run_emit(r->run, json_pack("{s:s,s:s,s:o}", "event", "output", "stream",
                                   stream == RETORT_STDOUT ? "stdout" : "stderr", "text",
                                   run_text(text, len)));
}

/* The results of tools go to the code, not to the model; for the evidence they are data. */
static char *port_on_tool(void *user, const char *name, const char *arguments, char **ret_failure) {
    struct engine_runner *r = user;
    for (size_t i = 0; i < r->tool_count; i++) {
        *ret_failure = NULL;
        char *answer = r->tools[i].call(r->tools[i].user, r->session, name, arguments, ret_failure);
        if (answer && r->run && !r->tools[i].hearsay)
            evidence_tool(&r->run->evidence, r->run->outcome->cells + 1, name, answer);
        if (answer || *ret_failure)
            return answer;
    }
    *ret_failure = strdup("there is no such tool");
    return NULL;
}

static int execute_cell(struct engine_runner *r, const char *code,
                        const struct retort_execute_options *options,
                        struct retort_result **ret_result, struct retort_error *error) {
    int e;

    atomic_store(&r->running, true);
    if (r->execute)
        e = r->execute(r->execute_user, code, strlen(code), options, ret_result, error);
    else
        e = retort_execute(r->session, code, strlen(code), options, ret_result, error);
    atomic_store(&r->running, false);
    return e;
}

static int port_execute(void *user, const char *code, double timeout, double cpu,
                        json_t **ret_result, struct retort_error *err) {
    struct engine_runner *r = user;
    struct retort_callbacks callbacks = {.user = r, .output = port_on_output, .tool = port_on_tool};
    struct retort_execute_options options = {.limits = {.timeout = timeout, .cpu = cpu},
                                             .callbacks = &callbacks};
    struct retort_result *result = NULL;
    size_t len;
    for (size_t i = 0; i < r->tool_count; i++)
        if (r->tools[i].begun)
            r->tools[i].begun(r->tools[i].user, timeout);
    int failed = execute_cell(r, code, &options, &result, err);
    if (r->queries)
        queries_flush(r->queries);
    for (size_t i = 0; i < r->tool_count; i++)
        if (r->tools[i].settled)
            r->tools[i].settled(r->tools[i].user, r->session);
    if (failed < 0)
        return failed;
    const char *json = retort_result_json(result, &len);
    *ret_result = json_in(json, len, JSON_ALLOW_NUL, NULL);
    retort_result_free(result);
    return *ret_result ? 0 : err_set(err, ERR_BUG, EPROTO, "the result is not valid JSON");
}

static int output(void *user, unsigned cell, uint64_t from, size_t len, char **ret_text,
                  struct retort_error *err) {
    struct engine_runner *r = user;
    uint64_t total;
    char *text;
    size_t n;
    int e = retort_output_read(r->session, cell, RETORT_STDOUT, from, len, &text, &n, &total, err);
    if (e < 0)
        return e;
    *ret_text = strndup(text, n);
    retort_free(text);
    return *ret_text ? 0 : -ENOMEM;
}

static json_t *files(void *user) {
    struct engine_runner *r = user;
    struct retort_error error;
    char *text = NULL;
    if (retort_file_list(r->session, &text, &error) < 0)
        return NULL;
    json_t *list = json_in_text(text, 0, NULL);
    retort_free(text);
    return list;
}

int session_put(struct retort_session *session, const char *name, const char *text, size_t len,
                struct retort_error *err) {
    size_t at = 0;
    int r;
    do {
        size_t n = len - at < (1u << 18) ? len - at : 1u << 18;
        r = retort_file_write(session, name, at, text + at, n, at == 0, err);
        at += n;
    } while (r >= 0 && at < len);
    return r;
}

static int port_note(void *user, const json_t *event, struct retort_error *err) {
    struct engine_runner *r = user;
    char *text = json_out(event, JSON_COMPACT);
    if (!text)
        return err_memory(err);
    int e = retort_note(r->session, MEMORY_SOURCE, text, err);
    free(text);
    return e;
}

static int port_keep(void *user, const char *name, const char *text, struct retort_error *err) {
    struct engine_runner *r = user;
    return session_put(r->session, name, text, strlen(text), err);
}

/* Signal handlers set the flag, so we can only poll it. */
static void *port_watch(void *user) {
    struct engine_runner *r = user;
    while (!atomic_load(&r->ended)) {
        if (atomic_load(r->cancel) && atomic_load(&r->running))
            retort_interrupt(r->session);
        nanosleep(&(struct timespec){.tv_nsec = 30 * 1000 * 1000}, NULL);
    }
    return NULL;
}

int engine_runner_init(struct engine_runner *r, struct retort_session *session,
                       const atomic_bool *cancel) {
    *r = (struct engine_runner){.session = session, .cancel = cancel};
    r->runner = (struct runner){.user = r,
                                .execute = port_execute,
                                .output = output,
                                .files = files,
                                .note = port_note,
                                .keep = port_keep};
    if (cancel) {
        int e = thread_start(&r->watcher, port_watch, r);
        if (e < 0)
            return e;
        r->watching = true;
    }
    return 0;
}

void engine_runner_done(struct engine_runner *r) {
    if (!r->watching)
        return;
    atomic_store(&r->ended, true);
    pthread_join(r->watcher, NULL);
    r->watching = false;
}
