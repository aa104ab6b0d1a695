/* Replies, and what the errors of model servers mean. */
#include "agent/model/model.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void model_reply_init(struct model_reply *reply) {
    *reply = (struct model_reply){.text = BUF_INIT(MAX_MODEL_REPLY),
                                  .thought = BUF_INIT(MAX_MODEL_REPLY)};
}

void model_reply_done(struct model_reply *reply) {
    buf_done(&reply->text);
    buf_done(&reply->thought);
    for (size_t i = 0; i < reply->call_count; i++) {
        free(reply->calls[i].id);
        free(reply->calls[i].name);
        buf_done(&reply->calls[i].arguments);
    }
    json_decref(reply->blocks);
    reply->blocks = NULL;
    reply->call_count = 0;
}

void model_stream_done(struct model_stream *s) {
    json_decref(s->block);
    s->block = NULL;
    buf_done(&s->block_text);
}

int model_add_text(struct model_stream *s, const char *text, size_t len) {
    int r = buf_add(&s->reply->text, text, len);
    if (r == 0 && len && s->listener && s->listener->delta)
        s->listener->delta(s->listener->user, text, len);
    return r;
}

struct model_call *model_add_call(struct model_reply *reply, const char *id, const char *name) {
    if (reply->call_count == MAX_CALLS)
        return NULL;
    struct model_call *c = &reply->calls[reply->call_count];
    *c = (struct model_call){.arguments = BUF_INIT(MAX_MODEL_REPLY), .index = -1};
    char made[32];
    snprintf(made, sizeof made, "call_%zu", reply->call_count + 1);
    c->id =
        strdup(id && *id ? id : made); /* old Ollama sends no ids, and we must tell calls apart */
    c->name = strdup(name ? name : "");
    if (!c->id || !c->name) {
        free(c->id);
        free(c->name);
        return NULL;
    }
    reply->call_count++;
    return c;
}

const char *model_fault_name(enum model_fault fault) {
    static const char *const names[] = {
        "ok",        "bad_key",    "unknown_model",  "context_overflow",
        "quota",     "overloaded", "bad_request",    "network",
        "bad_reply", "cancelled",  "not_in_cassette"};
    return names[fault];
}

static bool reply_mentions(const char *text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcasestr(text, words[i]))
            return true;
    return false;
}

static enum model_fault fault_of(long status, const char *text) {
    static const char *const overflow[] = {"context_length",     "context length",
                                           "context window",     "exceed_context",
                                           "prompt is too long", "too many tokens"};
    static const char *const quota[] = {"insufficient_quota", "credit balance", "spend limit",
                                        "billing"};
    if (status == 401 || status == 403 || strcasestr(text, "authentication_error"))
        return MODEL_BAD_KEY;
    if ((status == 400 || status == 413 || status == 200) && reply_mentions(text, overflow, 6))
        return MODEL_CONTEXT_OVERFLOW;
    if (status == 413)
        return MODEL_CONTEXT_OVERFLOW;
    if (reply_mentions(text, quota, 4))
        return MODEL_QUOTA;
    if (status == 404)
        return MODEL_UNKNOWN;
    if (status == 408 || status == 409 || status == 429 || status >= 500 || status == 200)
        return MODEL_OVERLOADED;
    return MODEL_BAD_REQUEST;
}

static int errno_of(enum model_fault fault) {
    switch (fault) {
    case MODEL_BAD_KEY: return -EACCES;
    case MODEL_UNKNOWN: return -ENOENT;
    case MODEL_CONTEXT_OVERFLOW: return -E2BIG;
    case MODEL_QUOTA: return -EDQUOT;
    case MODEL_OVERLOADED: return -EAGAIN;
    default: return -EINVAL;
    }
}

int model_server_error(struct model_error *error, long status, const json_t *body) {
    const json_t *e = json_object_get(body, "error");
    if (!json_is_object(e))
        e = body; /* llama-server sends the error object itself in the middle of a stream */
    const char *message = json_string_value(json_object_get(e, "message"));
    const char *type = json_string_value(json_object_get(e, "type"));
    const json_t *code = json_object_get(e, "code");
    char all[600];
    if (json_is_string(json_object_get(body, "error")))
        message = json_string_value(json_object_get(body, "error"));
    if (json_is_integer(code) && status == 200)
        status = (long)json_integer_value(code);
    snprintf(all, sizeof all, "%s %s %s", message ? message : "", type ? type : "",
             json_is_string(code) ? json_string_value(code) : "");
    error->status = status;
    error->fault = fault_of(status, all);
    error->retryable = error->fault == MODEL_OVERLOADED;
    snprintf(error->message, sizeof error->message, "%s", message ? message : "no message");
    return errno_of(error->fault);
}

static const char *reason_of(long status) {
    static const struct {
        long status;
        const char *reason;
    } reasons[] = {{301, "Moved Permanently"},  {302, "Found"},
                   {307, "Temporary Redirect"}, {308, "Permanent Redirect"},
                   {400, "Bad Request"},        {401, "Unauthorized"},
                   {403, "Forbidden"},          {404, "Not Found"},
                   {405, "Method Not Allowed"}, {413, "Content Too Large"},
                   {429, "Too Many Requests"},  {500, "Internal Server Error"},
                   {502, "Bad Gateway"},        {503, "Service Unavailable"},
                   {504, "Gateway Timeout"}};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return "an unexpected answer";
}

int model_page_error(struct model_error *error, long status, const char *url) {
    error->status = status;
    error->fault = status >= 500 ? MODEL_NETWORK : fault_of(status, "");
    error->retryable = status >= 500 || error->fault == MODEL_OVERLOADED;
    snprintf(error->message, sizeof error->message, "%ld %s from %.200s", status, reason_of(status),
             url);
    return errno_of(error->fault);
}
