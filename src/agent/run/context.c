#include "agent/run/context.h"

#include "agent/run/prompts.h"
#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/scope.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE (1u << 20)
#define QUERY_SECONDS 600 /* for a cell that waits for answers, unless the user sets more */

/* The default limits of a session, of which USUAL_disk is one. */
#define KIB (1ull << 10)
#define MIB (1ull << 20)
#define LIMIT_TIME(...)
#define LIMIT_COUNT(...)
#define LIMIT_SIZE(name, per, unit, usual, ...) USUAL_##name = (usual),
enum {
#include "base/limits.def"
};

static int context_open(const char *path, off_t *ret_size, char *problem, size_t size) {
    int fd = agent_open_input(path, ret_size);
    if (fd < 0)
        snprintf(problem, size, "%.200s: %s", path,
                 fd == -EINVAL ? "no regular file" : strerror(-fd));
    return fd;
}

int context_room(const struct agent_options *o, struct retort_session_options *ret, char *problem,
                 size_t size) {
    uint64_t total = 0;
    *ret = o->session;
    if (!o->queries.on)
        return 0;
    for (const char *const *f = o->queries.files; f && *f; f++) {
        off_t n;
        scoped_fd fd = context_open(*f, &n, problem, size);
        if (fd < 0)
            return fd;
        total += (uint64_t)n;
    }
    if (total)
        ret->limits.disk = (ret->limits.disk ? ret->limits.disk : USUAL_disk) + total;
    if (!(ret->limits.timeout > 0))
        ret->limits.timeout = QUERY_SECONDS;
    return 0;
}

static int context_copy(struct retort_upload *u, int fd, struct retort_error *error) {
    scoped_free char *piece = malloc(PIECE);
    for (;;) {
        ssize_t n = piece ? read_full(fd, piece, PIECE) : -ENOMEM;
        if (n <= 0)
            return (int)n;
        int r = retort_upload_write(u, piece, (size_t)n, error);
        if (r < 0)
            return r;
    }
}

static int context_upload(struct agent_work *w, const char *path, const char *name, char *problem,
                          size_t size) {
    struct retort_upload *u;
    struct retort_error error = {.message = "the file cannot be read"};
    off_t n;
    scoped_fd fd = context_open(path, &n, problem, size);
    if (fd < 0)
        return fd;
    int r = retort_upload_begin(w->session, name, (uint64_t)n, &u, &error);
    if (r >= 0) {
        r = context_copy(u, fd, &error);
        if (r < 0)
            retort_upload_cancel(u);
        else
            r = retort_upload_finish(u, &error);
    }
    if (r < 0)
        snprintf(problem, size, "%.100s: %.180s", path, error.message);
    return r;
}

static int context_put_text(struct agent_work *w, const char *text, char *problem, size_t size) {
    struct retort_error error = {0};
    int r = retort_file_write(w->session, ".context/0", 0, text, strlen(text), true, &error);
    if (r < 0)
        snprintf(problem, size, "%.250s", error.message);
    return r;
}

/* Files by their names; the first argument of context_of. */
static int context_put(struct agent_work *w, json_t *names, char *problem, size_t size) {
    const struct agent_queries *q = &w->options->queries;
    char place[40];
    int r = 0;
    if (q->text && *q->text) {
        json_array_append_new(names, json_string("context"));
        return context_put_text(w, q->text, problem, size);
    }
    for (const char *const *f = q->files; r == 0 && f && *f; f++) {
        const char *slash = strrchr(*f, '/');
        snprintf(place, sizeof place, ".context/%zu", json_array_size(names));
        json_array_append_new(names,
                              run_text(slash ? slash + 1 : *f, strlen(slash ? slash + 1 : *f)));
        r = context_upload(w, *f, place, problem, size);
    }
    return r;
}

/* Runs a cell that defines the names which the prompt mentions. */
static int define_names(struct agent_work *w, const json_t *names, char *problem, size_t size) {
    scoped_free char *list = json_whole(names, JSON_COMPACT | JSON_ENSURE_ASCII);
    scoped_buf code = BUF_INIT(64u << 10);
    struct retort_error err = ERR_INIT;
    json_t *result = NULL;
    int r = buf_adds(&code, "from retort_guest.queries import llm_query, llm_query_batched, "
                            "rlm_query, ask, partial_answer\n");
    if (r == 0 && json_array_size(names))
        r = buf_printf(&code,
                       "from retort_guest.queries import context_of\ncontext = context_of(%s)\n"
                       "del context_of\nprint(context)",
                       list ? list : "[]");
    if (r == 0)
        r = w->runner.runner.execute(&w->runner, code.data, 0, 0, &result, &err);
    w->run.outcome->cells++;
    const char *status = json_string_value(json_object_get(result, "status"));
    const char *shown = json_string_value(json_object_get(result, "stdout"));
    if (r == 0 && (!status || strcmp(status, "ok") != 0))
        r = -EIO;
    if (r < 0)
        snprintf(problem, size, "the context cannot be prepared: %.200s",
                 err.message[0] ? err.message : "the session failed");
    else if (shown && *shown)
        r = buf_printf(&w->task, "\n\nThe input, as `context`: %s", shown);
    json_decref(result);
    return r;
}

int context_add(struct agent_work *w, char *problem, size_t size) {
    const char *prompts = w->options->prompts;
    json_t *names = json_array();
    int r = context_put(w, names, problem, size);
    if (r == 0)
        r = prompts_add(prompts, "queries", &w->system);
    if (r == 0 && json_array_size(names))
        r = prompts_add(prompts, "context", &w->system);
    if (r == 0)
        r = define_names(w, names, problem, size);
    json_decref(names);
    return r;
}
