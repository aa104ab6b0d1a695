/* An engine made of strings, so that the doors can be tested without interpreters.
 *
 * Code is a list of commands, one a line:  print TEXT · show JSON · tool NAME ARGS (its answer
 * becomes the value) · wait (until interrupted) · fail (the call has no result). */
#pragma once

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "engine/api/services.h"
#include "engine/host/result.h"
#include "retort.h"
#include "serve/hosted/json.h"

struct retort_engine {
    int sessions;
};

struct retort_session {
    char id[32];
    unsigned cells;
    int branching;
    pthread_mutex_t lock;
    pthread_cond_t change;
    bool waiting, interrupted;
    char path[64], data[256];
    size_t len;
};

static struct retort_engine fake_engine;
static int fake_open_sessions;

#define FAKE_RECORDS 8 /* sessions of which the ledger knows: s_1 … */
static char fake_owners[FAKE_RECORDS][32];

static inline void fake_forget(void) {
    fake_engine.sessions = 0;
    memset(fake_owners, 0, sizeof fake_owners);
}

/* Called by the thread of a cell before it asks whether the cell was cancelled, and before it calls
 * a tool: the moments between which nothing may be lost. */
static void (*fake_before_start)(void *arg), (*fake_before_tool)(void *arg);
static void *fake_moment_arg;

int retort_session_new(struct retort_engine *engine, const struct retort_session_options *options,
                       struct retort_session **ret_session, struct retort_error *error) {
    struct retort_session *s = calloc(1, sizeof *s);

    if (options->env && options->env[0] && strcmp(options->env[0], "BROKEN=1") == 0) {
        free(s);
        *error = (struct retort_error){.code = EPERM,
                                       .fault = RETORT_FAULT_HOST,
                                       .layer = "seccomp",
                                       .message = "no seccomp",
                                       .hint = "allow it"};
        return -EPERM;
    }
    snprintf(s->id, sizeof s->id, "s_%d", ++engine->sessions);
    if (options->owner && engine->sessions < FAKE_RECORDS)
        snprintf(fake_owners[engine->sessions], sizeof fake_owners[0], "%s", options->owner);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->change, NULL);
    __atomic_add_fetch(&fake_open_sessions, 1, __ATOMIC_SEQ_CST);
    *ret_session = s;
    return 0;
}

const char *retort_session_network(const struct retort_session *session) {
    (void)session;
    return NULL;
}

int retort_reached(struct retort_session *session, const char *event, struct retort_error *error) {
    (void)session, (void)event, (void)error;
    return 0;
}

const char *retort_session_id(const struct retort_session *session) {
    return session->id;
}

const char *retort_session_isolation(struct retort_session *session) {
    (void)session;
    return "{\"tier\":\"process\",\"layers\":[],\"missing\":[]}";
}

char *retort_session_info(struct retort_session *session) {
    char *text = NULL;

    if (asprintf(&text,
                 "{\"session\":\"%s\",\"language\":\"python\",\"cells\":%u,"
                 "\"limits\":{\"timeout\":30.0}}",
                 session->id, session->cells) < 0)
        return NULL;
    return text;
}

void retort_session_close(struct retort_session *session) {
    if (!session)
        return;
    pthread_mutex_destroy(&session->lock);
    pthread_cond_destroy(&session->change);
    free(session);
    __atomic_sub_fetch(&fake_open_sessions, 1, __ATOMIC_SEQ_CST);
}

static bool fake_wait(struct retort_session *s) {
    pthread_mutex_lock(&s->lock);
    s->waiting = true;
    pthread_cond_broadcast(&s->change);
    while (!s->interrupted)
        pthread_cond_wait(&s->change, &s->lock);
    s->waiting = s->interrupted = false;
    pthread_mutex_unlock(&s->lock);
    return true;
}

static void fake_tool(const struct retort_callbacks *calls, const char *line, struct buf *value) {
    char name[32] = "";
    int at = 0;
    scoped_free char *failure = NULL, *answer = NULL;

    if (sscanf(line, "%31s %n", name, &at) < 1)
        return;
    if (fake_before_tool)
        fake_before_tool(fake_moment_arg);
    answer = calls->tool(calls->user, name, line + at, &failure);
    buf_reset(value);
    buf_adds(value, answer ? answer : failure);
}

static void fake_line(struct retort_session *s, const struct retort_callbacks *calls, char *line,
                      struct buf *out, struct buf *value, const char **status) {
    if (strncmp(line, "print ", 6) == 0) {
        calls->output(calls->user, RETORT_STDOUT, line + 6, strlen(line + 6), 0);
        buf_adds(out, line + 6);
    } else if (strncmp(line, "show ", 5) == 0) {
        calls->display(calls->user, line + 5);
    } else if (strncmp(line, "tool ", 5) == 0) {
        fake_tool(calls, line + 5, value);
    } else if (strcmp(line, "wait") == 0 && fake_wait(s)) {
        *status = "interrupted";
    }
}

int retort_execute(struct retort_session *session, const char *code, size_t len,
                   const struct retort_execute_options *options, struct retort_result **ret_result,
                   struct retort_error *error) {
    scoped_free char *copy = strndup(code, len);
    scoped_buf out = BUF_INIT(1 << 20), value = BUF_INIT(1 << 20), json = BUF_INIT(4 << 20);
    const char *status = "ok";
    char *at = NULL;

    if (strcmp(copy, "fail") == 0) {
        *error = (struct retort_error){.code = EIO, .fault = RETORT_FAULT_BUG, .message = "failed"};
        return -EIO;
    }
    buf_adds(&value, "none");
    if (fake_before_start)
        fake_before_start(fake_moment_arg);
    if (options->callbacks->cancelled(options->callbacks->user)) {
        status = "interrupted";
        copy[0] = 0;
    }
    for (char *line = strtok_r(copy, "\n", &at); line; line = strtok_r(NULL, "\n", &at))
        fake_line(session, options->callbacks, line, &out, &value, &status);
    buf_printf(&json,
               "{\"schema\":\"retort.result/1\",\"session\":\"%s\",\"cell\":%u,\"status\":\"%s\","
               "\"stdout\":",
               session->id, ++session->cells, status);
    buf_json_string(&json, out.data ? out.data : "", out.len);
    buf_adds(
        &json,
        ",\"stderr\":\"\",\"displays\":[],\"files\":[],\"plots\":[],\"value\":{\"text/plain\":");
    buf_json_string(&json, value.data, value.len);
    buf_adds(&json, "}}");
    *ret_result = result_new(json_loadb(json.data, json.len, JSON_ALLOW_NUL, NULL));
    return 0;
}

int retort_answered(struct retort_session *s, const char *request,
                    struct retort_result **ret_result, struct retort_error *error) {
    (void)s;
    (void)request;
    (void)ret_result;
    (void)error;
    return 0;
}

int retort_interrupt(struct retort_session *session) {
    pthread_mutex_lock(&session->lock);
    session->interrupted = session->waiting;
    pthread_cond_broadcast(&session->change);
    pthread_mutex_unlock(&session->lock);
    return 0;
}

static int fake_missing(struct retort_error *error) {
    *error = (struct retort_error){
        .code = ENOENT, .fault = RETORT_FAULT_CALLER, .message = "no such file"};
    return -ENOENT;
}

int retort_file_read(struct retort_session *session, const char *path, uint64_t offset,
                     size_t length, char **ret_data, size_t *ret_len, uint64_t *ret_size,
                     struct retort_error *error) {
    if (strcmp(path, session->path) != 0)
        return fake_missing(error);
    *ret_size = session->len;
    *ret_len = offset >= session->len           ? 0
               : length < session->len - offset ? length
                                                : session->len - offset;
    *ret_data = malloc(*ret_len + 1);
    memcpy(*ret_data, session->data + (*ret_len ? offset : 0), *ret_len);
    return 0;
}

int retort_file_write(struct retort_session *session, const char *path, uint64_t offset,
                      const void *data, size_t len, bool truncate, struct retort_error *error) {
    if (offset + len > sizeof session->data) {
        *error = (struct retort_error){
            .code = ENOSPC, .fault = RETORT_FAULT_LIMIT, .message = "disk full"};
        return -ENOSPC;
    }
    snprintf(session->path, sizeof session->path, "%s", path);
    if (truncate)
        session->len = 0;
    memcpy(session->data + offset, data, len);
    if (offset + len > session->len)
        session->len = offset + len;
    return 0;
}

int retort_file_open(struct retort_session *session, const char *path, int *ret_fd,
                     uint64_t *ret_size, struct retort_error *error) {
    (void)session, (void)path, (void)ret_fd, (void)ret_size;
    return fake_missing(error);
}

int retort_upload_begin(struct retort_session *session, const char *path, uint64_t size,
                        struct retort_upload **ret_upload, struct retort_error *error) {
    (void)session, (void)path, (void)size, (void)ret_upload;
    return fake_missing(error);
}

int retort_upload_write(struct retort_upload *upload, const void *data, size_t len,
                        struct retort_error *error) {
    (void)upload, (void)data, (void)len;
    return fake_missing(error);
}

int retort_upload_finish(struct retort_upload *upload, struct retort_error *error) {
    (void)upload;
    return fake_missing(error);
}

void retort_upload_cancel(struct retort_upload *upload) {
    (void)upload;
}

int retort_file_delete(struct retort_session *session, const char *path,
                       struct retort_error *error) {
    if (strcmp(path, session->path) != 0)
        return fake_missing(error);
    session->path[0] = 0;
    return 0;
}

int retort_file_list(struct retort_session *session, char **ret_json, struct retort_error *error) {
    (void)error;
    if (asprintf(ret_json, session->path[0] ? "[{\"path\":\"%s\",\"size\":%zu}]" : "[]",
                 session->path, session->len) < 0)
        return -ENOMEM;
    return 0;
}

int retort_output_read(struct retort_session *session, unsigned cell, enum retort_stream stream,
                       uint64_t offset, size_t length, char **ret_data, size_t *ret_len,
                       uint64_t *ret_total, struct retort_error *error) {
    (void)stream, (void)offset, (void)length;
    if (cell > session->cells)
        return fake_missing(error);
    *ret_data = strdup("");
    *ret_len = 0;
    *ret_total = 0;
    return 0;
}

int retort_tools(struct retort_session *session, const char *tools_json,
                 struct retort_error *error) {
    (void)session, (void)tools_json, (void)error;
    return 0;
}

int retort_note(struct retort_session *session, const char *source, const char *json,
                struct retort_error *error) {
    (void)session, (void)source, (void)json, (void)error;
    return 0;
}

int retort_note_ended(struct retort_engine *engine, const char *id, const char *source,
                      const char *json, struct retort_error *error) {
    (void)engine, (void)id, (void)source, (void)json, (void)error;
    return 0;
}

int retort_complete_in(struct retort_session *session, const char *language, const char *code,
                       size_t cursor, char **ret_json, struct retort_error *error) {
    (void)session, (void)language, (void)code, (void)error;
    return asprintf(ret_json, "{\"start\":%zu,\"names\":[]}", cursor) < 0 ? -ENOMEM : 0;
}

int retort_variables(struct retort_session *session, const char *language, char **ret_json,
                     struct retort_error *error) {
    (void)session, (void)language, (void)error;
    return (*ret_json = strdup("{\"variables\":[]}")) ? 0 : -ENOMEM;
}

int retort_undo(struct retort_session *session, unsigned cells, char **ret_json,
                struct retort_error *error) {
    (void)session, (void)error;
    return asprintf(ret_json, "{\"cells\":%u}", cells) < 0 ? -ENOMEM : 0;
}

int retort_branch(struct retort_session *session, unsigned count,
                  struct retort_session **ret_sessions, struct retort_error *error) {
    struct retort_session_options options = {0};
    int branching = fake_engine.sessions + 1;

    for (unsigned i = 0; i < count; i++) {
        retort_session_new(&fake_engine, &options, &ret_sessions[i], error);
        ret_sessions[i]->branching = branching;
        ret_sessions[i]->cells = session->cells;
    }
    return 0;
}

int retort_compare(struct retort_session *const *sessions, unsigned count, char **ret_json,
                   struct retort_error *error) {
    (void)error;
    return asprintf(ret_json, "{\"sessions\":[\"%s\"],\"count\":%u}", sessions[0]->id, count) < 0
               ? -ENOMEM
               : 0;
}

bool retort_siblings(const struct retort_session *a, const struct retort_session *b) {
    return a != b && a->branching && a->branching == b->branching;
}

int retort_keep(struct retort_session *kept, struct retort_session *const *others, unsigned count,
                struct retort_error *error) {
    (void)kept, (void)error;
    for (unsigned i = 0; i < count; i++)
        retort_interrupt(others[i]);
    return 0;
}

int retort_session_sleep(struct retort_session *session, struct retort_error *error) {
    (void)session, (void)error;
    return 0;
}

bool retort_mentions(struct retort_engine *engine, const char *id, const char *text) {
    (void)engine;
    return strstr(id, text) != NULL;
}

/* These sessions have no processes. */
int session_services(struct retort_session *session, int *ret_channel, struct retort_error *error) {
    (void)session, (void)ret_channel;
    return fake_missing(error);
}

int retort_rename(struct retort_engine *engine, const char *id, const char *name,
                  struct retort_error *error) {
    (void)engine, (void)id, (void)name, (void)error;
    return 0;
}

int retort_owner(struct retort_engine *engine, const char *id, char **ret_owner,
                 struct retort_error *error) {
    unsigned long n = strncmp(id, "s_", 2) == 0 ? strtoul(id + 2, NULL, 10) : 0;

    (void)engine;
    if (n == 0 || n >= FAKE_RECORDS)
        return fake_missing(error);
    *ret_owner = strdup(fake_owners[n]);
    return *ret_owner ? 0 : -ENOMEM;
}

int retort_session_resume(struct retort_engine *engine, const char *id,
                          struct retort_session **ret_session, struct retort_error *error) {
    struct retort_session_options options = {0};
    int r = retort_session_new(engine, &options, ret_session, error);

    if (r >= 0)
        snprintf((*ret_session)->id, sizeof(*ret_session)->id, "%s", id);
    return r;
}

/* The ledger of two sessions, s_1 and s_2. */
int retort_log(struct retort_engine *engine, const char *id, char **ret_json,
               struct retort_error *error) {
    (void)engine, (void)error;
    (void)id;
    if (asprintf(ret_json,
                 "[{\"session\":\"s_1\",\"owner\":\"%s\"},"
                 "{\"session\":\"s_2\",\"owner\":\"%s\"},{\"session\":\"s_3\"}]",
                 fake_owners[1], fake_owners[2]) < 0)
        *ret_json = NULL;
    return *ret_json ? 0 : -ENOMEM;
}

int retort_entries(struct retort_engine *engine, const char *id, const struct retort_part *part,
                   char **ret_json, struct retort_error *error) {
    (void)engine, (void)part, (void)error;
    if (asprintf(ret_json, "{\"session\":\"%s\",\"total\":1,\"entries\":[{\"entry\":1}]}", id) < 0)
        *ret_json = NULL;
    return *ret_json ? 0 : -ENOMEM;
}

int retort_recorded(struct retort_engine *engine, const char *id, uint64_t entry, char **ret_json,
                    struct retort_error *error) {
    (void)engine, (void)id, (void)entry, (void)error;
    *ret_json = strdup("{\"schema\":\"retort.result/1\"}");
    return *ret_json ? 0 : -ENOMEM;
}

int retort_export(struct retort_engine *engine, const char *id, const char *format, char **ret_text,
                  struct retort_error *error) {
    (void)engine, (void)id, (void)error;
    *ret_text = strdup(format);
    return *ret_text ? 0 : -ENOMEM;
}

int retort_check(struct retort_engine *engine, const char *id, const char *question,
                 const char *answer, char **ret_json, struct retort_error *error) {
    (void)engine, (void)id, (void)question, (void)answer, (void)error;
    *ret_json = strdup("{\"accepted\":true,\"flags\":0,\"numbers\":[]}");
    return *ret_json ? 0 : -ENOMEM;
}

int retort_verify(struct retort_engine *engine, const char *id, const char *head, bool *ret_sound,
                  char **ret_json, struct retort_error *error) {
    (void)engine, (void)id, (void)error;
    *ret_sound = !head;
    *ret_json = strdup("{\"verdict\":\"sound\"}");
    return *ret_json ? 0 : -ENOMEM;
}

int retort_replay(struct retort_engine *engine, const char *id,
                  void (*progress)(void *user, unsigned done, unsigned total, const char *verdict),
                  void *user, bool *ret_equal, char **ret_json, struct retort_error *error) {
    (void)engine, (void)id, (void)progress, (void)user, (void)error;
    *ret_equal = true;
    *ret_json = strdup("{\"cells\":1}");
    return *ret_json ? 0 : -ENOMEM;
}

int retort_calls(struct retort_engine *engine, const char *id, char **ret_json,
                 struct retort_error *error) {
    (void)engine, (void)id, (void)error;
    *ret_json = strdup("{\"functions\":[]}");
    return *ret_json ? 0 : -ENOMEM;
}

void retort_free(void *pointer) {
    free(pointer);
}
