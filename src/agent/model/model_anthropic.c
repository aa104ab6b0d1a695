/* Anthropic messages. */
#include "agent/model/model.h"

#include "base/jsonwhole.h"
#include "base/scope.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_MAX_TOKENS 8192 /* the API demands a number */

/* --- request --- */

static json_t *text_block(const json_t *text) {
    return json_pack("{s:s,s:O}", "type", "text", "text", text);
}

static void anthropic_add_images(json_t *blocks, const json_t *message) {
    const json_t *image;
    size_t i;
    json_array_foreach(json_object_get(message, "images"), i, image) {
        json_array_append_new(blocks,
                              json_pack("{s:s,s:{s:s,s:s,s:O}}", "type", "image", "source", "type",
                                        "base64", "media_type", "image/png", "data", image));
    }
}

static json_t *tool_result(const json_t *m) {
    json_t *content = json_array();
    json_array_append_new(content, text_block(json_object_get(m, "content")));
    anthropic_add_images(content, m);
    return json_pack("{s:s,s:O,s:o,s:b}", "type", "tool_result", "tool_use_id",
                     json_object_get(m, "call"), "content", content, "is_error",
                     json_is_true(json_object_get(m, "failed")));
}

static bool has_text(const json_t *m) {
    return json_string_length(json_object_get(m, "content")) > 0;
}

/* Thinking blocks have signatures and must be sent back unchanged. */
static json_t *assistant_blocks(const json_t *m) {
    json_t *blocks = json_object_get(m, "blocks");
    if (json_array_size(blocks) > 0)
        return json_incref(blocks);
    blocks = json_array();
    if (has_text(m))
        json_array_append_new(blocks, text_block(json_object_get(m, "content")));
    const json_t *c;
    size_t i;
    json_array_foreach(json_object_get(m, "calls"), i, c) {
        const char *arguments = json_string_value(json_object_get(c, "arguments"));
        json_t *input = arguments ? json_in_text(arguments, 0, NULL) : NULL;
        if (!json_is_object(input)) {
            json_decref(input);
            input = json_object();
        }
        json_array_append_new(blocks, json_pack("{s:s,s:O,s:O,s:o}", "type", "tool_use", "id",
                                                json_object_get(c, "id"), "name",
                                                json_object_get(c, "name"), "input", input));
    }
    return blocks;
}

/* Tool results go first in one user message; two messages of one role in a row are one message. */
static void anthropic_add_message(json_t *out, const json_t *m, const char *role) {
    bool assistant = strcmp(role, "assistant") == 0;
    json_t *last = json_array_get(out, json_array_size(out) - 1), *blocks;
    const char *previous = json_string_value(json_object_get(last, "role"));
    if (assistant) {
        blocks = assistant_blocks(m);
    } else {
        blocks = json_array();
        if (strcmp(role, "tool") == 0)
            json_array_append_new(blocks, tool_result(m));
        else if (has_text(m))
            json_array_append_new(blocks, text_block(json_object_get(m, "content")));
        if (strcmp(role, "user") == 0)
            anthropic_add_images(blocks, m);
    }
    const char *as = assistant ? "assistant" : "user";
    if (previous && strcmp(previous, as) == 0) {
        json_array_extend(json_object_get(last, "content"), blocks);
        json_decref(blocks);
    } else {
        json_array_append_new(out, json_pack("{s:s,s:o}", "role", as, "content", blocks));
    }
}

json_t *anthropic_request(const struct model_request *r) {
    json_t *messages = json_array();
    json_t *o = json_pack("{s:s,s:i,s:b,s:o}", "model", r->model, "max_tokens",
                          r->max_tokens ? (int)r->max_tokens : DEFAULT_MAX_TOKENS, "stream", 1,
                          "messages", messages);
    const json_t *m, *t;
    size_t i;
    json_array_foreach(r->messages, i, m) {
        const char *role = json_string_value(json_object_get(m, "role"));
        if (strcmp(role, "system") == 0)
            json_object_set(o, "system", json_object_get(m, "content"));
        else
            anthropic_add_message(messages, m, role);
    }
    if (json_array_size(r->tools) > 0) {
        json_t *tools = json_array();
        json_array_foreach(r->tools, i, t) {
            json_array_append_new(tools,
                                  json_pack("{s:O,s:O,s:O}", "name", json_object_get(t, "name"),
                                            "description", json_object_get(t, "description"),
                                            "input_schema", json_object_get(t, "parameters")));
        }
        json_object_set_new(o, "tools", tools);
    }
    if (r->stop)
        json_object_set_new(o, "stop_sequences", json_pack("[s]", r->stop));
    return o;
}

/* --- reply --- */

static const char *anthropic_type_of(const json_t *o) {
    const char *type = json_string_value(json_object_get(o, "type"));
    return type ? type : "";
}

static void keep_block(struct model_reply *r, json_t *block) {
    if (!r->blocks)
        r->blocks = json_array();
    json_array_append_new(r->blocks, block);
}

/* Takes a complete block: a text, a thought or a call. */
static int take_block(struct model_stream *s, const json_t *block) {
    const char *type = anthropic_type_of(block);
    if (strcmp(type, "thinking") == 0) {
        const json_t *t = json_object_get(block, "thinking");
        return buf_add(&s->reply->thought, json_string_value(t), json_string_length(t));
    }
    if (strcmp(type, "tool_use") != 0)
        return 0;
    struct model_call *c = model_add_call(s->reply, json_string_value(json_object_get(block, "id")),
                                          json_string_value(json_object_get(block, "name")));
    scoped_free char *input = json_whole(json_object_get(block, "input"), JSON_COMPACT);
    return c && input ? buf_adds(&c->arguments, input) : -ENOMEM;
}

static int start_block(struct model_stream *s, const json_t *o) {
    json_decref(s->block);
    s->block = json_deep_copy(json_object_get(o, "content_block"));
    buf_done(&s->block_text);
    s->block_text = BUF_INIT(MAX_MODEL_REPLY);
    const json_t *text = json_object_get(s->block, "text");
    if (strcmp(anthropic_type_of(s->block), "text") == 0 && json_string_length(text)) {
        buf_add(&s->block_text, json_string_value(text), json_string_length(text));
        return model_add_text(s, json_string_value(text), json_string_length(text));
    }
    return s->block ? 0 : -ENOMEM;
}

static int add_delta(struct model_stream *s, const json_t *delta) {
    static const char *const parts[][2] = {{"text_delta", "text"},
                                           {"input_json_delta", "partial_json"},
                                           {"thinking_delta", "thinking"}};
    const char *type = anthropic_type_of(delta);
    json_t *signature = json_object_get(delta, "signature");
    if (strcmp(type, "signature_delta") == 0)
        return signature && json_object_set(s->block, "signature", signature) < 0 ? -ENOMEM : 0;
    for (size_t i = 0; i < 3; i++) {
        if (strcmp(type, parts[i][0]) != 0)
            continue;
        const json_t *t = json_object_get(delta, parts[i][1]);
        int r = buf_add(&s->block_text, json_string_value(t), json_string_length(t));
        return r < 0 || i ? r : model_add_text(s, json_string_value(t), json_string_length(t));
    }
    return 0;
}

/* Keeps arguments that are not JSON as text: extract.c knows what to make of them. */
static int stop_call(struct model_stream *s, const char *text) {
    json_t *input = json_in_text(*text ? text : "{}", 0, NULL);
    bool ok = json_is_object(input);
    if (!ok) {
        json_decref(input);
        input = json_object();
    }
    json_object_set_new(s->block, "input", input);
    int r = take_block(s, s->block);
    if (r == 0 && !ok) {
        struct buf *arguments = &s->reply->calls[s->reply->call_count - 1].arguments;
        buf_reset(arguments);
        r = buf_adds(arguments, text);
    }
    return r;
}

static int stop_block(struct model_stream *s) {
    const char *type = anthropic_type_of(s->block),
               *text = s->block_text.data ? s->block_text.data : "";
    int r = 0;
    if (!s->block)
        return 0;
    if (strcmp(type, "tool_use") == 0)
        r = stop_call(s, text);
    else if (strcmp(type, "text") == 0)
        json_object_set_new(s->block, "text", json_string(text));
    else if (strcmp(type, "thinking") == 0)
        json_object_set_new(s->block, "thinking", json_string(text));
    if (r == 0 && strcmp(type, "thinking") == 0)
        r = take_block(s, s->block);
    if (!(strcmp(type, "text") == 0 && !*text)) /* the API refuses empty texts */
        keep_block(s->reply, json_incref(s->block));
    json_decref(s->block);
    s->block = NULL;
    return r;
}

static void anthropic_add_usage(struct model_reply *r, const json_t *usage) {
    const json_t *in = json_object_get(usage, "input_tokens");
    const json_t *out = json_object_get(usage, "output_tokens");
    if (json_is_integer(in))
        r->prompt_tokens = (unsigned long long)json_integer_value(in);
    if (json_is_integer(out))
        r->completion_tokens = (unsigned long long)json_integer_value(out);
}

static void set_finish(struct model_reply *r, const json_t *o) {
    const char *reason = json_string_value(json_object_get(o, "stop_reason"));
    if (reason)
        snprintf(r->finish, sizeof r->finish, "%s", reason);
}

static int anthropic_bad_reply(struct model_stream *s, const char *what) {
    s->error->fault = MODEL_BAD_REPLY;
    s->error->retryable = true;
    snprintf(s->error->message, sizeof s->error->message, "%s", what);
    return -EPROTO;
}

static int take_event(struct model_stream *s, const char *event, const json_t *o) {
    const char *type = anthropic_type_of(o);
    if (strcmp(event, "error") == 0 || strcmp(type, "error") == 0)
        return model_server_error(s->error, 200, o);
    if (strcmp(type, "message_start") == 0)
        anthropic_add_usage(s->reply, json_object_get(json_object_get(o, "message"), "usage"));
    else if (strcmp(type, "content_block_start") == 0)
        return start_block(s, o);
    else if (strcmp(type, "content_block_delta") == 0 && s->block)
        return add_delta(s, json_object_get(o, "delta"));
    else if (strcmp(type, "content_block_stop") == 0)
        return stop_block(s);
    else if (strcmp(type, "message_delta") == 0) {
        set_finish(s->reply, json_object_get(o, "delta"));
        anthropic_add_usage(s->reply, json_object_get(o, "usage"));
    } else if (strcmp(type, "message_stop") == 0) {
        s->reply->complete = true;
    }
    return 0;
}

int anthropic_event(struct model_stream *s, const char *event, const char *data, size_t len) {
    json_t *o = json_in(data, len, 0, NULL);
    int r = json_is_object(o) ? take_event(s, event, o)
                              : anthropic_bad_reply(s, "an event is not valid JSON");
    json_decref(o);
    return r;
}

int anthropic_whole(struct model_stream *s, const char *data, size_t len) {
    json_t *o = json_in(data, len, 0, NULL);
    const json_t *block, *content = json_object_get(o, "content");
    size_t i;
    int r = 0;
    if (json_object_get(o, "error"))
        r = model_server_error(s->error, 200, o);
    else if (!json_is_array(content))
        r = anthropic_bad_reply(
            s, "the reply is not a message: is that the address of a model server?");
    json_array_foreach(content, i, block) {
        const json_t *text = json_object_get(block, "text");
        if (r == 0 && strcmp(anthropic_type_of(block), "text") == 0)
            r = model_add_text(s, json_string_value(text), json_string_length(text));
        if (r == 0)
            r = take_block(s, block);
        keep_block(s->reply, json_deep_copy(block));
    }
    if (r == 0) {
        anthropic_add_usage(s->reply, json_object_get(o, "usage"));
        set_finish(s->reply, o);
        s->reply->complete = true;
    }
    json_decref(o);
    return r;
}
