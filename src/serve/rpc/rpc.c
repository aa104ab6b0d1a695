#include "serve/rpc/rpc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "serve/hosted/json.h"

static int invalid(char *reason, size_t size, const char *why) {
    snprintf(reason, size, "%s", why);
    return RPC_INVALID;
}

static int parse_short(char *reason, size_t size) {
    snprintf(reason, size, "out of memory");
    return RPC_BUG;
}

static int read_id(struct rpc_message *msg, const json_t *id) {
    char *text;

    if (!json_is_string(id) && !json_is_number(id))
        return -EINVAL;
    text = serve_json_text(id);
    if (!text)
        return -ENOMEM;
    free(msg->id);
    msg->id = text;
    return 0;
}

static int read_response(struct rpc_message *msg, char *reason, size_t size) {
    json_t *result = json_object_get(msg->root, "result");
    json_t *error = json_object_get(msg->root, "error");

    if (!result == !error)
        return invalid(reason, size, "a message needs a method, a result or an error");
    msg->kind = RPC_RESPONSE;
    msg->result = result ? result : error;
    msg->is_error = error != NULL;
    return 0;
}

static int read_message(struct rpc_message *msg, char *reason, size_t size) {
    json_t *id = json_object_get(msg->root, "id");
    json_t *method = json_object_get(msg->root, "method");
    const char *version = json_string_value(json_object_get(msg->root, "jsonrpc"));

    int r = id ? read_id(msg, id) : 0;
    if (r == -ENOMEM)
        return parse_short(reason, size);
    if (r < 0)
        return invalid(reason, size, "id must be a string or a number");
    if (!version || strcmp(version, "2.0") != 0)
        return invalid(reason, size, "jsonrpc must be \"2.0\"");
    if (!method)
        return read_response(msg, reason, size);
    if (!json_is_string(method) || strlen(json_string_value(method)) != json_string_length(method))
        return invalid(reason, size, "method must be a string");
    msg->kind = id ? RPC_REQUEST : RPC_NOTIFICATION;
    msg->method = json_string_value(method);
    msg->params = json_object_get(msg->root, "params");
    if (msg->params && !json_is_object(msg->params))
        return invalid(reason, size, "params must be an object");
    return 0;
}

/* --- what is too long --- */

static const char *after_blanks(const char *at) {
    return at + strspn(at, " \t\r");
}

/* The value of the member at `at`, which is "id" with its quotes, if the value is a whole string or
 * number; *ret_after is what follows it. */
static json_t *id_value(const char *at, const char **ret_after) {
    const char *value = after_blanks(at + 4);
    if (*value != ':')
        return NULL;
    value = after_blanks(value + 1);
    const char *end = value + strspn(value, "-+.0123456789eE");
    if (*value == '"')
        for (end = value + 1; *end && *end != '"'; end++)
            end += *end == '\\' && end[1];
    end += *end == '"' && *value == '"';
    *ret_after = after_blanks(end);
    return **ret_after == ',' || **ret_after == '}'
               ? json_in(value, (size_t)(end - value), JSON_DECODE_ANY, NULL)
               : NULL;
}

/* The id, if it is a member of the message itself and near its beginning. */
static json_t *id_in_head(const char *head) {
    const char *after;
    unsigned depth = 0;
    json_t *id = NULL;
    for (const char *at = head; !id && *at && *at != '\n'; at++) {
        if (*at == '{' || *at == '[')
            depth++;
        else if (*at == '}' || *at == ']')
            depth--;
        else if (*at == '"') {
            id = depth == 1 && strncmp(at, "\"id\"", 4) == 0 ? id_value(at, &after) : NULL;
            for (at++; *at && *at != '"' && *at != '\n'; at++)
                at += *at == '\\' && at[1];
            if (*at != '"')
                return id;
        }
    }
    return id;
}

/* The id, if it is the last member of the message. */
static json_t *id_in_tail(const char *tail) {
    const char *after;
    for (const char *at = tail; at && (at = strstr(at, "\"id\"")); at++) {
        json_t *id = at > tail && at[-1] == '\\' ? NULL : id_value(at, &after);
        if (id && *after == '}' && !*after_blanks(after + 1))
            return id;
        json_decref(id);
    }
    return NULL;
}

static int too_long(const char *ends, struct rpc_message *msg, char *reason, size_t size) {
    const char *tail = ends ? strchr(ends, '\n') : NULL;
    json_t *id = ends ? id_in_head(ends) : NULL;
    if (!id && tail)
        id = id_in_tail(tail + 1);
    if (id)
        read_id(msg, id);
    json_decref(id);
    snprintf(reason, size, "a message may have %u bytes", MAX_REQUEST);
    return RPC_PARSE;
}

int rpc_parse(const char *text, size_t len, struct rpc_message *msg, char *reason, size_t size) {
    struct retort_error err = ERR_INIT;

    *msg = (struct rpc_message){.id = strdup("null")};
    if (!msg->id)
        return parse_short(reason, size);
    if (len > MAX_REQUEST)
        return too_long(text, msg, reason, size);
    msg->root = serve_json_parse(text, len, &err);
    if (!msg->root) {
        snprintf(reason, size, "%s", err.message);
        return err.fault == ERR_HOST ? RPC_BUG : RPC_PARSE;
    }
    if (json_is_array(msg->root))
        return invalid(reason, size, "batches are not supported: send one object at a time");
    if (!json_is_object(msg->root))
        return invalid(reason, size, "a message must be an object");
    return read_message(msg, reason, size);
}

void rpc_message_done(struct rpc_message *msg) {
    json_decref(msg->root);
    free(msg->id);
    *msg = (struct rpc_message){0};
}

static int open_reply(struct buf *out, const char *id) {
    int r = buf_adds(out, "{\"jsonrpc\":\"2.0\",\"id\":");

    return r < 0 ? r : buf_adds(out, id);
}

int rpc_reply(struct buf *out, const char *id, const char *result, size_t len) {
    int r = open_reply(out, id);

    if (r >= 0)
        r = buf_adds(out, ",\"result\":");
    if (r >= 0)
        r = buf_add(out, result, len);
    return r < 0 ? r : buf_adds(out, "}");
}

static int put_error_reply(struct buf *out, const char *id, int code, const char *message,
                           const json_t *data) {
    int r = open_reply(out, id);

    if (r >= 0)
        r = buf_printf(out, ",\"error\":{\"code\":%d,\"message\":", code);
    if (r >= 0)
        r = buf_json_string(out, message, strlen(message));
    if (r >= 0 && data) {
        r = buf_adds(out, ",\"data\":");
        if (r >= 0)
            r = buf_json(out, data);
    }
    return r < 0 ? r : buf_adds(out, "}}");
}

/* Half an answer is useless: if there is no room for all of it, we send a short one, for which the
 * buffer most often has room already. */
int rpc_error_reply(struct buf *out, const char *id, int code, const char *message,
                    const json_t *data) {
    int r = put_error_reply(out, id, code, message, data);

    if (r < 0) {
        buf_reset(out);
        r = put_error_reply(out, id, RPC_BUG, "out of memory", NULL);
    }
    if (r < 0)
        buf_reset(out);
    return r;
}

int rpc_fault_reply(struct buf *out, const char *id, const struct retort_error *error) {
    scoped_json *data = json_pack("{s:s}", "fault", fault_name(error->fault));

    if (data && error->layer[0])
        json_object_set_new(data, "layer", json_string(error->layer));
    if (data && error->hint[0])
        json_object_set_new(data, "hint", json_string(error->hint));
    return rpc_error_reply(out, id, fault_row(error)->rpc_code,
                           error->message[0] ? error->message : "no reason was given", data);
}
