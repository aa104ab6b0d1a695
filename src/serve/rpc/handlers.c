#include "serve/rpc/handlers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/name.h"
#include "base/scope.h"
#include "engine/host/environment.h"
#include "serve/hosted/clustered.h"
#include "serve/hosted/fault.h"
#include "serve/hosted/json.h"
#include "serve/hosted/tools.h"
#include "serve/rpc/metrics_report.h"

static int handlers_out_of_memory(struct retort_error *error) {
    return err_memory(error);
}

/* Appends a value that was made for it, and releases it. */
static int give(struct buf *result, json_t *value, struct retort_error *error) {
    int r = value ? buf_json(result, value) : -ENOMEM;

    json_decref(value);
    return r < 0 ? handlers_out_of_memory(error) : 0;
}

static const char *param(const struct request *request, const char *name) {
    return json_string_value(json_object_get(request->params, name));
}

static uint64_t handlers_param_int(const struct request *request, const char *name,
                                   uint64_t otherwise) {
    const json_t *value = json_object_get(request->params, name);

    return value ? (uint64_t)json_integer_value(value) : otherwise;
}

/* For methods that do not wait for their turn. */
static struct hosted *handlers_find_session(const struct request *request,
                                            struct retort_error *error) {
    struct hosted *hosted =
        registry_get(request->serve->registry, request->peer->owner, param(request, "session"));

    if (!hosted)
        err_set(error, ERR_CALLER, ENOENT, "no such session");
    return hosted;
}

int handlers_check_admin(const struct request *request, struct retort_error *error) {
    return request->peer->admin
               ? 0
               : err_set(error, ERR_CALLER, EPERM,
                         "only administrators may do this: tokens with the word admin");
}

int handle_session_create(struct request *request, struct buf *result, struct retort_error *error) {
    struct hosted *hosted;
    int r = session_make(request->serve, request->peer, request->params, &hosted, error);

    if (r < 0)
        return r;
    const char *isolation = retort_session_isolation(hosted->session);
    r = isolation
            ? buf_printf(result, "{\"session\":\"%s\",\"isolation\":%s}", hosted->id, isolation)
            : -ENOMEM;
    registry_unref(request->serve->registry, hosted);
    return r < 0 ? handlers_out_of_memory(error) : 0;
}

static bool is_request_id(const char *text) {
    size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-");

    return len > 0 && len <= 64 && !text[len];
}

int handle_session_execute(struct request *request, struct buf *result,
                           struct retort_error *error) {
    const json_t *code = json_object_get(request->params, "code");
    struct cell_request run = {.serve = request->serve,
                               .peer = request->peer,
                               .hosted = request->hosted,
                               .code = json_string_value(code),
                               .len = json_string_length(code),
                               .language =
                                   json_string_value(json_object_get(request->params, "language")),
                               .request = param(request, "request")};
    struct retort_result *cell;
    const char *text;
    size_t len;
    int r;

    if (run.len > MAX_CODE)
        return err_set(error, ERR_CALLER, EMSGSIZE, "code is larger than %u bytes", MAX_CODE);
    if (run.request && !is_request_id(run.request))
        return err_set(error, ERR_CALLER, EINVAL,
                       "request must be 1 to 64 letters, digits and any of _.:-");
    limits_from_json(json_object_get(request->params, "limits"), &run.limits);
    r = session_run(&run, &cell, error);
    if (r < 0)
        return r;
    text = retort_result_json(cell, &len);
    r = buf_add(result, text, len);
    retort_result_free(cell);
    return r < 0 ? handlers_out_of_memory(error) : 0;
}

int handle_session_interrupt(struct request *request, struct buf *result,
                             struct retort_error *error) {
    struct hosted *hosted = handlers_find_session(request, error);
    bool running;

    if (!hosted)
        return -ENOENT;
    running = session_stop(request->serve, hosted);
    registry_unref(request->serve->registry, hosted);
    return give(result, json_pack("{s:b}", "interrupted", running), error);
}

int handle_session_info(struct request *request, struct buf *result, struct retort_error *error) {
    struct hosted *hosted = handlers_find_session(request, error);
    json_t *info = NULL;
    char *text;

    if (!hosted)
        return -ENOENT;
    text = retort_session_info(hosted->session);
    if (text)
        info = json_in_text(text, 0, NULL);
    retort_free(text);
    if (info) {
        pthread_mutex_lock(&hosted->lock);
        json_object_set_new(info, "running", json_boolean(hosted->running));
        pthread_mutex_unlock(&hosted->lock);
    }
    registry_unref(request->serve->registry, hosted);
    return give(result, info, error);
}

static json_t *handlers_list_entry(const struct serve *serve, struct hosted *hosted) {
    const char *node = serve->clustered ? serve->clustered->node : NULL;
    json_t *entry;

    pthread_mutex_lock(&hosted->lock);
    entry = json_pack("{s:s, s:b, s:I, s:s*}", "session", hosted->id, "running", hosted->running,
                      "cells", (json_int_t)hosted->cell, "node", node);
    pthread_mutex_unlock(&hosted->lock);
    return entry;
}

int handle_session_list(struct request *request, struct buf *result, struct retort_error *error) {
    scoped_free struct hosted **list = NULL;
    size_t n = registry_list(request->serve->registry, request->peer->owner, &list);
    json_t *sessions = json_array();

    for (size_t i = 0; i < n; i++) {
        json_array_append_new(sessions, handlers_list_entry(request->serve, list[i]));
        registry_unref(request->serve->registry, list[i]);
    }
    clustered_others(request->serve, request->peer, sessions);
    return give(result, json_pack("{s:o}", "sessions", sessions), error);
}

int handle_session_sleep(struct request *request, struct buf *result, struct retort_error *error) {
    int r = retort_session_sleep(request->hosted->session, error);

    return r < 0 ? r : give(result, json_pack("{s:b}", "asleep", 1), error);
}

int handle_session_rename(struct request *request, struct buf *result, struct retort_error *error) {
    const char *name = json_string_value(json_object_get(request->params, "name"));
    struct hosted *hosted = handlers_find_session(request, error);
    int r = hosted ? retort_rename(request->serve->engine, hosted->id, name, error) : -ENOENT;

    if (hosted)
        registry_unref(request->serve->registry, hosted);
    return r < 0 ? r : give(result, json_pack("{s:s}", "name", name), error);
}

int handle_session_close(struct request *request, struct buf *result, struct retort_error *error) {
    session_end(request->serve, request->hosted);
    return give(result, json_pack("{s:b}", "closed", 1), error);
}

int handle_files_list(struct request *request, struct buf *result, struct retort_error *error) {
    char *list;
    int r = retort_file_list(request->hosted->session, &list, error);

    if (r < 0)
        return r;
    r = buf_printf(result, r > 0 ? "{\"files\":%s,\"incomplete\":true}" : "{\"files\":%s}", list);
    retort_free(list);
    return r < 0 ? handlers_out_of_memory(error) : 0;
}

static size_t piece_length(const struct request *request) {
    uint64_t length = handlers_param_int(request, "length", MAX_FILE_CHUNK);

    return length < MAX_FILE_CHUNK ? (size_t)length : MAX_FILE_CHUNK;
}

/* The client names a file as lists do, where a backslash is escaped; if there is no such file, it
 * may mean the bytes themselves. */
static const char *listed_path(const struct request *request, struct buf *room) {
    const char *path = param(request, "path");

    return name_decode(path, room) == 0 && room->data && strlen(room->data) == room->len
               ? room->data
               : path;
}

static bool means_other(const struct request *request, const char *path, int r) {
    return r == -ENOENT && strcmp(path, param(request, "path")) != 0;
}

static int read_piece(struct request *request, const char *path, char **ret_data, size_t *ret_len,
                      uint64_t *ret_size, struct retort_error *error) {
    return retort_file_read(request->hosted->session, path,
                            handlers_param_int(request, "offset", 0), piece_length(request),
                            ret_data, ret_len, ret_size, error);
}

/* Ends a result that holds bytes; `r` is the outcome of its beginning. Frees the bytes. */
static int give_bytes(struct buf *result, int r, char *data, size_t len, uint64_t size,
                      struct retort_error *error) {
    if (r >= 0)
        r = buf_adds(result, "\"base64\":\"");
    if (r >= 0)
        r = base64_encode(result, data, len);
    if (r >= 0)
        r = buf_printf(result, "\",\"size\":%llu}", (unsigned long long)size);
    retort_free(data);
    return r < 0 ? handlers_out_of_memory(error) : 0;
}

int handle_files_read(struct request *request, struct buf *result, struct retort_error *error) {
    char *data;
    size_t len;
    uint64_t size;
    scoped_buf room = BUF_INIT(MAX_WORK_PATH);
    const char *path = listed_path(request, &room);
    int r = read_piece(request, path, &data, &len, &size, error);

    if (means_other(request, path, r))
        r = read_piece(request, param(request, "path"), &data, &len, &size, error);
    if (r < 0)
        return r;
    return give_bytes(result, buf_adds(result, "{"), data, len, size, error);
}

int handle_files_write(struct request *request, struct buf *result, struct retort_error *error) {
    const json_t *base64 = json_object_get(request->params, "base64");
    bool replace = !json_object_get(request->params, "offset");
    scoped_buf data = BUF_INIT(MAX_REQUEST);
    int r;

    if (base64_decode(&data, json_string_value(base64), json_string_length(base64)) < 0)
        return err_set(error, ERR_CALLER, EINVAL, "base64 is not valid base64");
    r = retort_file_write(request->hosted->session, param(request, "path"),
                          handlers_param_int(request, "offset", 0), data.data ? data.data : "",
                          data.len, replace, error);
    if (r < 0)
        return r;
    return give(result, json_pack("{s:I}", "written", (json_int_t)data.len), error);
}

int handle_files_delete(struct request *request, struct buf *result, struct retort_error *error) {
    scoped_buf room = BUF_INIT(MAX_WORK_PATH);
    const char *path = listed_path(request, &room);
    int r = retort_file_delete(request->hosted->session, path, error);

    if (means_other(request, path, r))
        r = retort_file_delete(request->hosted->session, param(request, "path"), error);
    return r < 0 ? r : give(result, json_pack("{s:b}", "deleted", 1), error);
}

int handle_output_read(struct request *request, struct buf *result, struct retort_error *error) {
    bool is_stdout = strcmp(param(request, "stream"), "stdout") == 0;
    uint64_t cell = handlers_param_int(request, "cell", 0), total;
    char *data;
    size_t len;
    int r;

    if (cell > UINT32_MAX)
        return err_set(error, ERR_CALLER, ENOENT, "no such cell");
    r = retort_output_read(request->hosted->session, (unsigned)cell,
                           is_stdout ? RETORT_STDOUT : RETORT_STDERR,
                           handlers_param_int(request, "offset", 0), piece_length(request), &data,
                           &len, &total, error);
    if (r < 0)
        return r;
    r = buf_adds(result, "{\"text\":");
    if (r >= 0)
        r = buf_json_string(result, data, len);
    if (r >= 0)
        r = buf_adds(result, ",");
    return give_bytes(result, r, data, len, total, error);
}

int handle_tools_register(struct request *request, struct buf *result, struct retort_error *error) {
    const json_t *list = json_object_get(request->params, "tools");
    int r = tools_register(request->hosted, request->params, error);

    if (r < 0)
        return r;
    return give(result, json_pack("{s:I}", "tools", (json_int_t)json_array_size(list)), error);
}

int handle_tools_result(struct request *request, struct buf *result, struct retort_error *error) {
    const json_t *value = json_object_get(request->params, "result");
    const char *failure = param(request, "error");
    int r;

    if (!value == !failure)
        return err_set(error, ERR_CALLER, EINVAL, "give either result or error");
    r = tools_answer(request->serve->tools, request->peer->owner, param(request, "call"), value,
                     failure, error);
    return r < 0 ? r : give(result, json_pack("{s:b}", "accepted", 1), error);
}

int handle_tools_approve(struct request *request, struct buf *result, struct retort_error *error) {
    struct tools_decision d = {.allow = json_is_true(json_object_get(request->params, "allow")),
                               .by = param(request, "by") ? param(request, "by")
                                                          : request->peer->name,
                               .reason = param(request, "reason"),
                               .door = request->peer->door};
    int r = tools_approve(request->serve->tools, request->peer->owner, param(request, "call"), &d,
                          error);

    return r < 0 ? r : give(result, json_pack("{s:b}", "accepted", 1), error);
}

int handle_server_info(struct request *request, struct buf *result, struct retort_error *error) {
    scoped_free struct hosted **list = NULL;
    size_t n = registry_list(request->serve->registry, request->peer->owner, &list);
    json_t *names = json_array();

    for (size_t i = 0; i < n; i++)
        registry_unref(request->serve->registry, list[i]);
    for (size_t i = 0; i < methods_count(); i++)
        json_array_append_new(names, json_string(methods[i].name));
    return give(result,
                json_pack("{s:s, s:s, s:o, s:I, s:o, s:b}", "name", "retort", "version",
                          RETORT_VERSION, "methods", names, "sessions", (json_int_t)n, "account",
                          metrics_accounts(request->serve, request->peer->owner), "administrator",
                          peer_oversees(request->peer)),
                error);
}

int handle_metrics(struct request *request, struct buf *result, struct retort_error *error) {
    return peer_oversees(request->peer) ? give(result, metrics_json(request->serve), error)
                                        : handlers_check_admin(request, error);
}
