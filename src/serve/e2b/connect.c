/* Processes and the file tree, by the Connect protocol in JSON: we pass requests to the services of
 * the sandbox, and their answers back. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/maxima.h"
#include "base/scope.h"
#include "serve/e2b/routes.h"
#include "serve/hosted/json.h"

#define ENVELOPE 5
#define PROCESS_ALIVE "\0\0\0\0\x1a{\"event\":{\"keepalive\":{}}}"
#define TREE_ALIVE "\0\0\0\0\x10{\"keepalive\":{}}"

static const struct {
    const char *code;
    int status;
} codes[] = {{"not_found", 404},           {"already_exists", 409},    {"invalid_argument", 400},
             {"unauthenticated", 401},     {"permission_denied", 403}, {"resource_exhausted", 429},
             {"failed_precondition", 400}, {"unimplemented", 501},     {"unavailable", 503}};

static bool is_stream(const struct http_request *request) {
    const char *type = http_header(request, "Content-Type");

    return type && strncasecmp(type, "application/connect+json", 24) == 0;
}

/* A stream's request is one message, in an envelope. */
static json_t *connect_message(struct http_request *request, bool stream,
                               struct retort_error *err) {
    const char *data = request->body.data ? request->body.data : "";
    size_t len = request->body.len;
    uint32_t size;
    json_t *message;

    if (stream) {
        if (len < ENVELOPE || data[0] != 0)
            return err_set(err, ERR_CALLER, EINVAL, "the message has no envelope"), NULL;
        memcpy(&size, data + 1, sizeof size);
        data += ENVELOPE;
        len -= ENVELOPE;
        if (ntohl(size) != len)
            return err_set(err, ERR_CALLER, EINVAL, "one message is expected"), NULL;
    }
    message = serve_json_parse(data, len, err);
    if (json_is_object(message))
        return message;
    json_decref(message);
    if (!err->message[0])
        err_set(err, ERR_CALLER, EINVAL, "the message must be an object");
    return NULL;
}

static enum http_result connect_refuse(struct http_request *request, const char *code,
                                       const char *message, int status) {
    return e2b_reply(request, status,
                     json_pack("{s:s, s:o}", "code", code, "message", serve_json_string(message)));
}

/* Translates an error of ours into a code of the Connect protocol. */
static enum http_result refuse_fault(struct http_request *request,
                                     const struct retort_error *error) {
    bool callers = error->fault == RETORT_FAULT_CALLER;

    return connect_refuse(request, callers ? "invalid_argument" : "unavailable", error->message,
                          callers ? 400 : 503);
}

/* --- calls with one answer --- */

static enum http_result reply_failure(struct http_request *request, const struct buf *text) {
    struct retort_error err = {0};
    scoped_json *failure = serve_json_parse(text->data, text->len, &err);
    const char *code = json_string_value(json_object_get(failure, "code")),
               *message = json_string_value(json_object_get(failure, "message"));

    for (size_t i = 0; code && i < sizeof codes / sizeof *codes; i++)
        if (strcmp(codes[i].code, code) == 0)
            return connect_refuse(request, code, message ? message : "", codes[i].status);
    return connect_refuse(request, "internal", message ? message : "the sandbox answered nonsense",
                          500);
}

static enum http_result reply_unary(struct http_request *request, struct ask *ask) {
    scoped_buf text = BUF_INIT(8u << 20);
    int r = ask_wait(ask, &text);

    ask_leave(ask);
    if (r == -ENOENT)
        return reply_failure(request, &text);
    if (r < 0)
        return connect_refuse(request, "unavailable", "the sandbox has ended", 503);
    return http_reply(request, 200, "application/json", text.data, text.len);
}

/* --- streams --- */

static int stream_take(void *cls, struct buf *out) {
    return ask_take(cls, out);
}

static void stream_gone(void *cls) {
    ask_leave(cls);
}

static enum http_result reply_stream(struct http_request *request, struct ask *ask) {
    bool tree = strncmp(request->path, "/filesystem", 11) == 0;
    struct http_events events = {.fd = ask_fd(ask),
                                 .take = stream_take,
                                 .free = stream_gone,
                                 .cls = ask,
                                 .listens = tree,
                                 .type = "application/connect+json",
                                 .alive = tree ? TREE_ALIVE : PROCESS_ALIVE,
                                 .alive_len =
                                     tree ? sizeof TREE_ALIVE - 1 : sizeof PROCESS_ALIVE - 1};

    return http_stream(request, &events);
}

/* --- for calls and streams --- */

/* Adds the sandbox's variables, which those of the command override, and how long the command may
 * run. */
static void furnish(struct http_request *request, struct sandbox *s, json_t *question) {
    const char *patience = http_header(request, "Connect-Timeout-Ms");
    json_t *process = json_object_get(question, "process"), *all;

    if (strcmp(request->path, "/process.Process/Start") != 0 || !json_is_object(process))
        return;
    all = json_deep_copy(s->env);
    json_object_update(all, json_object_get(process, "envs"));
    json_object_set_new(process, "envs", all);
    if (patience)
        json_object_set_new(question, "timeout_ms", json_integer(strtoll(patience, NULL, 10)));
}

enum http_result e2b_connect(struct http_request *request) {
    struct e2b *e2b = e2b_of(request);
    struct sandbox *s = e2b_sandbox(request);
    struct retort_error error = {0};
    bool stream = is_stream(request);
    scoped_json *question = s ? connect_message(request, stream, &error) : NULL;
    struct ask *ask = NULL;
    int r = 0;

    if (!s)
        return HTTP_DONE;
    if (question) {
        json_object_set_new(question, "op", json_string(request->path + 1));
        furnish(request, s, question);
        r = sandbox_ask(e2b->sandboxes, s, question, stream, &ask, &error);
    }
    sandbox_unref(e2b->sandboxes, s);
    if (!question || r < 0)
        return refuse_fault(request, &error);
    return stream ? reply_stream(request, ask) : reply_unary(request, ask);
}
