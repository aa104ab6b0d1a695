#include "serve/mcp_retort.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/maxima.h"
#include "base/scope.h"
#include "serve/handlers.h"
#include "serve/json.h"
#include "serve/rpc.h"

#define MAX_INLINE (4u << 20) /* bytes of a file that go into a reply */

static const char instructions[] = "run_code runs Python in a sealed session: no network, its own "
                                   "/work directory, limits on time and memory. "
                                   "Variables, imports and files stay between calls on the same "
                                   "session, so work in small steps: load data once, look at "
                                   "it, then go on. The value of the last expression is returned; "
                                   "print what you need to see. Figures come back as "
                                   "images. When a cell fails, read the error and its hint, and "
                                   "correct only what failed: earlier variables are still "
                                   "there, also after a time-out or a crash, which take the "
                                   "session back to the moment before that cell. If a result "
                                   "names a session, give that handle to the next call.";

/* ---- which session is meant ---- */

struct client {
    struct peer peer; /* first: peer->send finds the call by it */
    struct mcp_call *call;
    double told; /* progress so far */
};

static struct serve *serve_of(const struct mcp_call *call) {
    return mcp_user(call);
}

static int no_session(struct mcp_call *call, const char *why, json_t **ret) {
    (void)call;
    *ret = mcp_text_result(why, true);
    return 0;
}

/* The legacy session's own, with a reference; NULL if it has none, or it was closed behind its
 * back. */
static struct live *own_session(struct mcp_call *call) {
    void **data = mcp_session_data(call);
    struct live *live = NULL, *gone = NULL;

    if (!data)
        return NULL;
    mcp_lock(call);
    if (*data) {
        live = registry_get(serve_of(call)->registry, mcp_owner(call), ((struct live *)*data)->id);
        if (!live) {
            gone = *data;
            *data = NULL;
        }
    }
    mcp_unlock(call);
    registry_unref(serve_of(call)->registry, gone);
    return live;
}

/* In the legacy era the MCP session keeps it. Another call may have made one meanwhile: then,
 * unless it is to be replaced, that one is used. */
static struct live *keep_session(struct mcp_call *call, struct live *live, bool replace) {
    struct registry *registry = serve_of(call)->registry;
    void **data = mcp_session_data(call);
    struct live *unwanted;

    if (!data)
        return live;
    mcp_lock(call);
    unwanted = replace || !*data ? *data : live;
    if (unwanted != live)
        *data = registry_get(registry, mcp_owner(call), live->id);
    else
        live = registry_get(registry, mcp_owner(call), ((struct live *)*data)->id);
    mcp_unlock(call);
    if (unwanted) {
        session_end(serve_of(call), unwanted);
        registry_unref(registry, unwanted);
    }
    return live;
}

static struct live *new_session(struct mcp_call *call, struct client *client, bool replace,
                                struct retort_error *error) {
    struct live *live;

    if (session_make(serve_of(call), &client->peer, NULL, &live, error) < 0)
        return NULL;
    return keep_session(call, live, replace);
}

static struct live *named_session(struct mcp_call *call, const json_t *arguments) {
    const char *id = json_string_value(json_object_get(arguments, "session"));

    return id ? registry_get(serve_of(call)->registry, mcp_owner(call), id) : own_session(call);
}

/* The session that a call is about, made if need be, and a place in its queue: in the order in
 * which the calls came. */
static struct live *join_session(struct mcp_call *call, struct client *client,
                                 const json_t *arguments, uint64_t *ret_ticket,
                                 struct retort_error *error) {
    struct live *live;

    mcp_await_turn(call);
    live = named_session(call, arguments);
    if (!live && json_object_get(arguments, "session"))
        fault_set(error, RETORT_FAULT_CALLER, ENOENT,
                  "There is no such session. Leave `session` out to get a new one.");
    else if (!live)
        live = new_session(call, client, false, error);
    if (live)
        *ret_ticket = registry_ticket(serve_of(call)->registry, live);
    mcp_pass_turn(call);
    return live;
}

static void session_ended(void *user, void *data) {
    struct serve *serve = user;

    if (!data)
        return;
    session_stop(serve, data);
    session_end(serve, data);
    registry_unref(serve->registry, data);
}

/* ---- run_code ---- */

/* Notifications of the engine's doors become MCP's: output as log messages and as progress. */
static void tell_output(struct client *client, const json_t *params) {
    const char *stream = json_string_value(json_object_get(params, "stream"));
    json_t *text = json_object_get(params, "text");
    char line[160];

    snprintf(line, sizeof line, "%.150s", json_string_value(text));
    mcp_log(client->call, "info", stream, json_incref(text));
    if (!mcp_wants_progress(client->call))
        return;
    line[strcspn(line, "\r\n")] = 0;
    scoped_json *valid = json_string(line); /* the cut may have split a character */
    mcp_progress(client->call, ++client->told, -1, valid ? line : "output");
}

static void client_send(struct peer *peer, const char *text, size_t len) {
    struct client *client = (struct client *)peer;
    scoped_json *note = json_loadb(text, len, JSON_ALLOW_NUL, NULL);
    const char *method = json_string_value(json_object_get(note, "method"));

    if (method && strcmp(method, "session.output") == 0)
        tell_output(client, json_object_get(note, "params"));
}

static void client_init(struct client *client, struct mcp_call *call) {
    *client = (struct client){.peer = *mcp_peer(call), .call = call};
    client->peer.send = NULL;
    if (mcp_wants_progress(call) || mcp_wants_log(call, "info"))
        client->peer.send = client_send;
}

struct running {
    struct serve *serve;
    struct live *live;
    atomic_bool cancelled;
};

static void cancel_run(void *arg) {
    struct running *running = arg;

    atomic_store(&running->cancelled, true);
    session_stop(running->serve, running->live);
}

static json_t *tool_result(struct mcp_call *call, const struct retort_result *cell) {
    bool rich = mcp_at_least(call, "2025-06-18");
    const char *status = retort_result_status(cell);
    size_t len;
    const char *text = retort_result_json(cell, &len);
    scoped_json *result = json_loadb(text, len, JSON_ALLOW_NUL, NULL);
    json_t *out;

    if (!result)
        return mcp_text_result("the result could not be read", true);
    out = json_pack("{s:o, s:b}", "content", mcp_result_content(result, rich), "isError",
                    strcmp(status, "ok") != 0 && retort_result_exit_code(cell) != 0);
    if (rich)
        json_object_set_new(out, "structuredContent", mcp_result_structured(result));
    return out;
}

static int run_in(struct mcp_call *call, struct client *client, struct live *live, uint64_t ticket,
                  const json_t *arguments, json_t **ret) {
    struct running running = {.serve = serve_of(call), .live = live};
    const json_t *code = json_object_get(arguments, "code");
    struct retort_limits limits = {.timeout =
                                       json_number_value(json_object_get(arguments, "timeout"))};
    struct retort_error error = {0};
    struct retort_result *cell = NULL;
    struct registry *registry = running.serve->registry;
    int r;

    registry_enter(registry, live, ticket);
    mcp_on_cancel(call, cancel_run, &running);
    mcp_progress(call, 0, -1, "running");
    r = atomic_load(&running.cancelled)
            ? fault_set(&error, RETORT_FAULT_CALLER, ECANCELED, "cancelled")
        : live->removed /* by a reset while this call waited */
            ? fault_set(&error, RETORT_FAULT_CALLER, ENOENT, "The session was closed.")
            : session_run(running.serve, &client->peer, live, json_string_value(code),
                          json_string_length(code), &limits, &running.cancelled, &cell, &error);
    mcp_no_cancel(call);
    registry_leave(registry, live);
    *ret = r < 0 ? mcp_text_result(error.message, true) : tool_result(call, cell);
    retort_result_free(cell);
    return 0;
}

static int run_code(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    struct retort_error error = {0};
    struct client client;
    uint64_t ticket;
    struct live *live;

    if (json_string_length(json_object_get(arguments, "code")) > MAX_CODE)
        return mcp_fail(call, RPC_PARAMS, NULL, "code must have at most %u bytes", MAX_CODE);
    client_init(&client, call);
    live = join_session(call, &client, arguments, &ticket, &error);
    if (!live)
        return no_session(call, error.message, ret);
    run_in(call, &client, live, ticket, arguments, ret);
    registry_unref(serve_of(call)->registry, live);
    return 0;
}

/* ---- reset ---- */

/* Whether a legacy session would be left without its own. */
static bool is_own(struct mcp_call *call, const struct live *live) {
    void **data = mcp_session_data(call);
    bool own;

    mcp_lock(call);
    own = data && (!live || *data == live);
    mcp_unlock(call);
    return own;
}

static struct live *fresh_session(struct mcp_call *call, bool own, struct retort_error *error) {
    struct client client;
    struct live *live;

    client_init(&client, call);
    if (own)
        return new_session(call, &client, true, error);
    return session_make(serve_of(call), &client.peer, NULL, &live, error) < 0 ? NULL : live;
}

static void end_session(struct mcp_call *call, struct live *live) {
    session_stop(serve_of(call), live);
    session_end(serve_of(call), live);
}

static int reset(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    struct retort_error error = {0};
    struct live *live, *fresh;
    char text[120];
    bool own;

    mcp_await_turn(call);
    live = named_session(call, arguments);
    if (!live && json_object_get(arguments, "session"))
        return no_session(call, "There is no such session.", ret);
    own = is_own(call, live);
    fresh = fresh_session(call, own, &error);
    if (live && !fresh && error.fault == RETORT_FAULT_LIMIT) { /* its own place is the last one */
        end_session(call, live);
        fresh = fresh_session(call, own, &error);
    } else if (live && fresh) {
        end_session(call, live);
    }
    registry_unref(serve_of(call)->registry, live);
    if (!fresh)
        return no_session(call, error.message, ret);
    snprintf(text, sizeof text, "A fresh session: %s", fresh->id);
    *ret = mcp_text_result(text, false);
    if (mcp_at_least(call, "2025-06-18"))
        json_object_set_new(*ret, "structuredContent", json_pack("{s:s}", "session", fresh->id));
    registry_unref(serve_of(call)->registry, fresh);
    return 0;
}

/* ---- undo and branch ---- */

/* The session that a call is about, once it is its turn; otherwise *ret says why not. */
static struct live *enter_session(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    struct registry *registry = serve_of(call)->registry;
    struct live *live;
    uint64_t ticket = 0;

    mcp_await_turn(call);
    live = named_session(call, arguments);
    if (live)
        ticket = registry_ticket(registry, live);
    mcp_pass_turn(call);
    if (live)
        registry_enter(registry, live, ticket);
    else
        no_session(call, "There is no such session.", ret);
    return live;
}

static void leave_session(struct mcp_call *call, struct live *live) {
    registry_leave(serve_of(call)->registry, live);
    registry_unref(serve_of(call)->registry, live);
}

static json_int_t number_at(const json_t *arguments, const char *name) {
    const json_t *value = json_object_get(arguments, name);

    return value ? json_integer_value(value) : 1;
}

/* Takes `structured`; its text form is what the model reads. */
static json_t *plain_result(struct mcp_call *call, json_t *structured) {
    scoped_free char *text = structured ? serve_json_text(structured) : NULL;
    json_t *result = mcp_text_result(text ? text : "", false);

    if (mcp_at_least(call, "2025-06-18"))
        json_object_set(result, "structuredContent", structured);
    json_decref(structured);
    return result;
}

static int undo(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    struct live *live = enter_session(call, arguments, ret);
    struct retort_error error = {0};
    json_t *left = NULL;
    char *text;

    if (!live)
        return 0;
    if (session_undo(live, number_at(arguments, "cells"), &text, &error) >= 0) {
        left = json_loads(text, 0, NULL);
        json_object_set_new(left, "session", json_string(live->id));
        retort_free(text);
    }
    leave_session(call, live);
    *ret = left ? plain_result(call, left) : mcp_text_result(error.message, true);
    return 0;
}

static int branch(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    struct live *live = enter_session(call, arguments, ret);
    struct retort_error error = {0};
    struct client client;
    json_t *ids = json_array();
    int r;

    if (!live) {
        json_decref(ids);
        return 0;
    }
    client_init(&client, call);
    r = session_branch(serve_of(call), &client.peer, live, number_at(arguments, "count"), ids,
                       &error);
    leave_session(call, live);
    if (r >= 0)
        *ret = plain_result(call, json_pack("{s:O}", "sessions", ids));
    else
        *ret = mcp_text_result(error.message, true);
    json_decref(ids);
    return 0;
}

/* ---- files ---- */

static const char *text_at(const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

static json_t *files_result(struct mcp_call *call, json_t *content, json_t *structured) {
    json_t *out = json_pack("{s:o, s:b}", "content", content, "isError", 0);

    if (mcp_at_least(call, "2025-06-18"))
        json_object_set_new(out, "structuredContent", structured);
    else
        json_decref(structured);
    return out;
}

static int files_list(struct mcp_call *call, struct live *live, const json_t *arguments,
                      json_t **ret, struct retort_error *error) {
    char *text;
    int r = retort_file_list(live->session, &text, error);

    (void)arguments;
    if (r < 0)
        return r;
    *ret = files_result(
        call, json_pack("[{s:s, s:s}]", "type", "text", "text", text),
        json_pack("{s:s, s:o}", "session", live->id, "files", json_loads(text, 0, NULL)));
    retort_free(text);
    return 0;
}

static const char *picture_type(const char *data, size_t len) {
    if (len > 8 && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0)
        return "image/png";
    return len > 3 && memcmp(data, "\xff\xd8\xff", 3) == 0 ? "image/jpeg" : NULL;
}

/* Text up to where it may have been cut inside of a character; NULL if it is none. */
static json_t *file_text(const char *data, size_t len, bool cut) {
    json_t *text = json_stringn(data, len);

    for (size_t back = 1; !text && cut && back < 4 && back < len; back++)
        text = json_stringn(data, len - back);
    return text;
}

static json_t *note_block(const char *text) {
    return json_pack("{s:s, s:s}", "type", "text", "text", text);
}

/* Text if it is text, an image, or a note that it is neither; and that there is more. */
static json_t *file_content(const char *data, size_t len, uint64_t size) {
    scoped_buf base64 = BUF_INIT(2 * MAX_INLINE);
    const char *picture = picture_type(data, len);
    json_t *text = picture ? NULL : file_text(data, len, len < size), *content = json_array();
    char note[100];

    if (text)
        json_array_append_new(content, json_pack("{s:s, s:o}", "type", "text", "text", text));
    else if (picture && len == size && buf_base64(&base64, data, len) >= 0)
        json_array_append_new(content, json_pack("{s:s, s:s, s:s}", "type", "image", "data",
                                                 base64.data, "mimeType", picture));
    else
        json_array_append_new(content, note_block("[a binary file: read it in code]"));
    snprintf(note, sizeof note, "[the first %zu of %llu bytes: read the rest in code]", len,
             (unsigned long long)size);
    if (text && len < size)
        json_array_append_new(content, note_block(note));
    return content;
}

static int files_read(struct mcp_call *call, struct live *live, const json_t *arguments,
                      json_t **ret, struct retort_error *error) {
    const char *path = text_at(arguments, "path");
    uint64_t size;
    size_t len;
    char *data;
    int r = retort_file_read(live->session, path, 0, MAX_INLINE, &data, &len, &size, error);

    if (r < 0)
        return r;
    *ret = files_result(
        call, file_content(data, len, size),
        json_pack("{s:s, s:s, s:I}", "session", live->id, "path", path, "size", (json_int_t)size));
    retort_free(data);
    return 0;
}

static int files_write(struct mcp_call *call, struct live *live, const json_t *arguments,
                       json_t **ret, struct retort_error *error) {
    const json_t *text = json_object_get(arguments, "text");
    const json_t *base64 = json_object_get(arguments, "base64");
    const char *path = text_at(arguments, "path");
    scoped_buf data = BUF_INIT(MAX_REQUEST);
    int r = -EINVAL;

    if (json_is_string(text))
        r = buf_add(&data, json_string_value(text), json_string_length(text));
    else if (json_is_string(base64))
        r = base64_decode(json_string_value(base64), json_string_length(base64), &data);
    if (r < 0)
        return fault_set(error, RETORT_FAULT_CALLER, EINVAL, "write needs text, or valid base64");
    r = retort_file_write(live->session, path, 0, data.data ? data.data : "", data.len, true,
                          error);
    if (r < 0)
        return r;
    *ret = files_result(call, json_pack("[{s:s, s:s}]", "type", "text", "text", "written"),
                        json_pack("{s:s, s:s, s:I}", "session", live->id, "path", path, "size",
                                  (json_int_t)data.len));
    return 0;
}

static int files_delete(struct mcp_call *call, struct live *live, const json_t *arguments,
                        json_t **ret, struct retort_error *error) {
    const char *path = text_at(arguments, "path");
    int r = retort_file_delete(live->session, path, error);

    if (r < 0)
        return r;
    *ret = files_result(call, json_pack("[{s:s, s:s}]", "type", "text", "text", "deleted"),
                        json_pack("{s:s, s:s}", "session", live->id, "path", path));
    return 0;
}

static const struct {
    const char *name;
    bool needs_path;
    int (*run)(struct mcp_call *call, struct live *live, const json_t *arguments, json_t **ret,
               struct retort_error *error);
} actions[] = {{"list", false, files_list},
               {"read", true, files_read},
               {"write", true, files_write},
               {"delete", true, files_delete}};

static int files(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    const char *name = text_at(arguments, "action");
    struct retort_error error = {0};
    struct client client;
    struct live *live;
    uint64_t ticket;
    size_t i = 0;

    while (i < sizeof actions / sizeof *actions && strcmp(actions[i].name, name) != 0)
        i++;
    if (i == sizeof actions / sizeof *actions)
        return mcp_fail(call, RPC_PARAMS, NULL, "action must be list, read, write or delete");
    if (actions[i].needs_path && !text_at(arguments, "path")[0])
        return mcp_fail(call, RPC_PARAMS, NULL, "%s needs a path", name);
    client_init(&client, call);
    live = join_session(call, &client, arguments, &ticket, &error);
    if (!live)
        return no_session(call, error.message, ret);
    registry_enter(serve_of(call)->registry, live, ticket);
    if (actions[i].run(call, live, arguments, ret, &error) < 0)
        *ret = mcp_text_result(error.message, true);
    leave_session(call, live);
    return 0;
}

/* ---- files as resources: retort://SESSION/PATH ---- */

static void list_files_of(struct live *live, json_t *resources) {
    struct retort_error error;
    char *text;
    scoped_json *list = NULL;

    if (retort_file_list(live->session, &text, &error) < 0)
        return;
    list = json_loads(text, 0, NULL);
    retort_free(text);
    scoped_json *as_result = json_pack("{s:s, s:O}", "session", live->id, "files", list);
    scoped_json *content = mcp_result_content(as_result, true);
    for (size_t i = 1; i < json_array_size(content); i++) {
        json_t *link = json_array_get(content, i);

        json_object_del(link, "type");
        json_array_append(resources, link);
    }
}

static int list_resources(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    scoped_free struct live **list = NULL;
    struct registry *registry = serve_of(call)->registry;
    size_t n = registry_list(registry, mcp_owner(call), &list);
    json_t *resources = json_array();

    (void)arguments;
    for (size_t i = 0; i < n; i++) {
        list_files_of(list[i], resources);
        registry_unref(registry, list[i]);
    }
    *ret =
        json_pack("{s:o, s:i, s:s}", "resources", resources, "ttlMs", 0, "cacheScope", "private");
    return 0;
}

static int list_templates(struct mcp_call *call, const json_t *arguments, json_t **ret) {
    (void)call, (void)arguments;
    *ret = json_pack("{s:[{s:s, s:s, s:s}]}", "resourceTemplates", "uriTemplate",
                     "retort://{session}/{+path}", "name", "file", "description",
                     "A file under /work of a session");
    return 0;
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Splits retort://SESSION/PATH and undoes the escapes of the path. */
static bool split_uri(const char *uri, char session[64], char path[MAX_PATH]) {
    size_t len, n = 0;

    if (strncmp(uri, "retort://", 9) != 0)
        return false;
    uri += 9;
    len = strcspn(uri, "/");
    if (len == 0 || len >= 64 || uri[len] != '/')
        return false;
    snprintf(session, 64, "%.*s", (int)len, uri);
    for (uri += len + 1; *uri && n + 1 < MAX_PATH; n++) {
        int high = *uri == '%' ? hex_digit(uri[1]) : -1;
        int low = high >= 0 ? hex_digit(uri[2]) : -1;

        path[n] = low >= 0 ? (char)(high << 4 | low) : *uri;
        uri += low >= 0 ? 3 : 1;
    }
    path[n] = 0;
    return n > 0 && !*uri && strlen(path) == n;
}

static json_t *resource_contents(const json_t *uri, const char *data, size_t len) {
    scoped_buf base64 = BUF_INIT(2 * MAX_FILE_CHUNK);
    json_t *text = json_stringn(data, len);

    if (text)
        return json_pack("{s:O, s:o}", "uri", uri, "text", text);
    if (buf_base64(&base64, data, len) < 0)
        return NULL;
    return json_pack("{s:O, s:s}", "uri", uri, "blob", base64.data ? base64.data : "");
}

static int read_resource(struct mcp_call *call, const json_t *uri, json_t **ret) {
    char session[64], path[MAX_PATH], *data;
    struct live *live = NULL;
    struct retort_error error;
    uint64_t size;
    size_t len;
    int r = -ENOENT;

    if (split_uri(json_string_value(uri), session, path))
        live = registry_get(serve_of(call)->registry, mcp_owner(call), session);
    if (live)
        r = retort_file_read(live->session, path, 0, MAX_FILE_CHUNK, &data, &len, &size, &error);
    registry_unref(serve_of(call)->registry, live);
    if (r < 0)
        return mcp_fail(call, RPC_PARAMS, json_pack("{s:O}", "uri", uri), "Resource not found");
    if (len < size)
        r = mcp_fail(call, RPC_LIMIT, json_pack("{s:O}", "uri", uri),
                     "the file has more than %u bytes: read it in code", MAX_FILE_CHUNK);
    else
        *ret = json_pack("{s:[o], s:i, s:s}", "contents", resource_contents(uri, data, len),
                         "ttlMs", 0, "cacheScope", "private");
    retort_free(data);
    return r < 0 ? r : 0;
}

/* ---- the table ---- */

#define SESSION_ARGUMENT                                                                      \
    "\"session\":{\"type\":\"string\",\"description\":\"Handle of a session from an earlier " \
    "result. Without it: your own session, or a new one whose handle is returned.\"}"
#define NULLABLE(type) "{\"type\":[\"" type "\",\"null\"]}"

static const char run_input[] =
    "{\"type\":\"object\",\"properties\":{\"code\":{\"type\":\"string\",\"description\":\"Python "
    "code. The value of its last expression is returned.\"}," SESSION_ARGUMENT
    ",\"timeout\":{\"type\":\"number\",\"exclusiveMinimum\":0,\"description\":\"Seconds; 30 if not "
    "given.\"}},\"required\":[\"code\"],\"additionalProperties\":false}";
static const char run_output[] =
    "{\"type\":\"object\",\"properties\":{\"session\":{\"type\":\"string\"},\"cell\":{\"type\":"
    "\"integer\"},\"status\":{\"type\":\"string\",\"description\":\"ok, error, exit, signal, "
    "timeout, "
    "cpu_limit, oom, interrupted, lost, "
    "setup_failed\"},\"stdout\":{\"type\":\"string\"},\"stderr\":{\"type\":"
    "\"string\"},\"value\":" NULLABLE("string") ",\"error\":" NULLABLE(
        "object") ",\"files\":{\"type\":\"array\"},"
                  "\"plots\":{\"type\":\"array\"},\"dataframes\":{\"type\":\"array\"},\"displays\":"
                  "{\"type\":\"array\"},"
                  "\"state\":{\"type\":\"string\",\"description\":\"kept, rolled_back, lost\"}},"
                  "\"required\":[\"session\",\"cell\",\"status\",\"stdout\",\"stderr\"]}";
static const char session_input[] =
    "{\"type\":\"object\",\"properties\":{" SESSION_ARGUMENT "},\"additionalProperties\":false}";
static const char session_output[] = "{\"type\":\"object\",\"properties\":{\"session\":{\"type\":"
                                     "\"string\"}},\"required\":[\"session\"]}";
static const char files_input[] =
    "{\"type\":\"object\",\"properties\":{\"action\":{\"type\":\"string\",\"enum\":[\"list\","
    "\"read\","
    "\"write\",\"delete\"]},\"path\":{\"type\":\"string\",\"description\":\"Path under /work.\"},"
    "\"text\":{\"type\":\"string\",\"description\":\"What to "
    "write.\"},\"base64\":{\"type\":\"string\","
    "\"description\":\"What to write, if it is not text.\"}," SESSION_ARGUMENT
    "},\"required\":[\"action\"],\"additionalProperties\":false}";
static const char files_output[] =
    "{\"type\":\"object\",\"properties\":{\"session\":{\"type\":\"string\"},\"files\":{\"type\":"
    "\"array\"},"
    "\"path\":{\"type\":\"string\"},\"size\":{\"type\":\"integer\"}},\"required\":[\"session\"]}";

static const char undo_input[] =
    "{\"type\":\"object\",\"properties\":{\"cells\":{\"type\":\"integer\",\"minimum\":1,"
    "\"description\":"
    "\"How many cells; 1 if not given.\"}," SESSION_ARGUMENT "},\"additionalProperties\":false}";
static const char undo_output[] = "{\"type\":\"object\",\"properties\":{\"session\":{\"type\":"
                                  "\"string\"},\"cells\":{\"type\":\"integer\"}},"
                                  "\"required\":[\"session\",\"cells\"]}";
static const char branch_input[] =
    "{\"type\":\"object\",\"properties\":{\"count\":{\"type\":\"integer\",\"minimum\":1,"
    "\"maximum\":64,"
    "\"description\":\"How many; 1 if not given.\"}," SESSION_ARGUMENT
    "},\"additionalProperties\":false}";
static const char branch_output[] = "{\"type\":\"object\",\"properties\":{\"sessions\":{\"type\":"
                                    "\"array\",\"items\":{\"type\":\"string\"}}},"
                                    "\"required\":[\"sessions\"]}";

static const struct mcp_tool retort_tools_table[] = {
    {"run_code", "Run code",
     "Runs Python in a sealed session whose variables and files stay until the next call. Returns "
     "output, the value of the last expression, figures, and a precise error to correct from.",
     run_input, run_output,
     "{\"readOnlyHint\":false,\"destructiveHint\":false,\"openWorldHint\":false}", NULL, run_code,
     true},
    {"reset", "Start afresh", "Ends the session and starts an empty one.", session_input,
     session_output, "{\"readOnlyHint\":false,\"destructiveHint\":true,\"openWorldHint\":false}",
     NULL, reset, true},
    {"undo", "Undo", "Takes the session's variables and files back to before its last cells.",
     undo_input, undo_output,
     "{\"readOnlyHint\":false,\"destructiveHint\":true,\"openWorldHint\":false}", NULL, undo, true},
    {"branch", "Branch",
     "Makes new sessions with the present state of this one, to try several ideas from the same "
     "point. Give their handles to run_code.",
     branch_input, branch_output,
     "{\"readOnlyHint\":false,\"destructiveHint\":false,\"openWorldHint\":false}", NULL, branch,
     true},
    {"files", "Files", "Lists, reads, writes or deletes files of the session's /work directory.",
     files_input, files_output,
     "{\"readOnlyHint\":false,\"destructiveHint\":true,\"openWorldHint\":false}", NULL, files,
     true},
    {.name = NULL},
};

void mcp_retort_table(struct serve *serve, struct mcp_table *ret_table) {
    *ret_table = (struct mcp_table){.name = "retort",
                                    .title = "Retort",
                                    .version = RETORT_VERSION,
                                    .instructions = instructions,
                                    .tools = retort_tools_table,
                                    .list_resources = list_resources,
                                    .list_templates = list_templates,
                                    .read_resource = read_resource,
                                    .session_ended = session_ended,
                                    .user = serve};
}
