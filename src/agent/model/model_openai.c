/* OpenAI chat completions, and servers that speak them more or less (protocols of 2026). */
#include "agent/model/model.h"

#include "base/jsonwhole.h"
#include "base/scope.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- request --- */

static json_t *image_part(const char *base64) {
    scoped_buf url = BUF_INIT(64u << 20);
    if (buf_printf(&url, "data:image/png;base64,%s", base64) < 0)
        return NULL;
    return json_pack("{s:s,s:{s:s}}", "type", "image_url", "image_url", "url", url.data);
}

/* Content as text, or as parts when there are images. */
static json_t *openai_content_of(const json_t *message) {
    const json_t *images = json_object_get(message, "images");
    json_t *text = json_object_get(message, "content");
    if (json_array_size(images) == 0)
        return text ? json_incref(text) : json_null();
    json_t *parts = json_array();
    json_array_append_new(parts, json_pack("{s:s,s:O}", "type", "text", "text", text));
    for (size_t i = 0; i < json_array_size(images); i++)
        json_array_append_new(parts, image_part(json_string_value(json_array_get(images, i))));
    return parts;
}

/* Arguments that are not JSON break the templates of some servers, so they get "{}"; the code is in
 * the text. */
static const char *valid_arguments(const char *arguments) {
    json_t *o = arguments ? json_in_text(arguments, 0, NULL) : NULL;
    bool ok = json_is_object(o);
    json_decref(o);
    return ok ? arguments : "{}";
}

static json_t *calls_of(const json_t *message) {
    json_t *calls = json_array();
    const json_t *c;
    size_t i;
    json_array_foreach(json_object_get(message, "calls"), i, c) {
        json_array_append_new(
            calls,
            json_pack("{s:s,s:O,s:{s:O,s:s}}", "type", "function", "id", json_object_get(c, "id"),
                      "function", "name", json_object_get(c, "name"), "arguments",
                      valid_arguments(json_string_value(json_object_get(c, "arguments")))));
    }
    return calls;
}

/* A tool message cannot have images, so a user message follows with them. */
static void add_tool_message(json_t *out, const json_t *m) {
    json_array_append_new(out, json_pack("{s:s,s:O,s:O}", "role", "tool", "tool_call_id",
                                         json_object_get(m, "call"), "content",
                                         json_object_get(m, "content")));
    if (json_array_size(json_object_get(m, "images")) == 0)
        return;
    json_t *shown = json_pack("{s:s,s:O}", "content", "The plots of this step:", "images",
                              json_object_get(m, "images"));
    json_array_append_new(
        out, json_pack("{s:s,s:o}", "role", "user", "content", openai_content_of(shown)));
    json_decref(shown);
}

static json_t *messages_of(const json_t *messages) {
    json_t *out = json_array();
    const json_t *m;
    size_t i;
    json_array_foreach(messages, i, m) {
        const char *role = json_string_value(json_object_get(m, "role"));
        if (strcmp(role, "tool") == 0) {
            add_tool_message(out, m);
            continue;
        }
        json_t *one = json_pack("{s:s,s:o}", "role", role, "content", openai_content_of(m));
        if (json_array_size(json_object_get(m, "calls")) > 0)
            json_object_set_new(one, "tool_calls", calls_of(m));
        json_array_append_new(out, one);
    }
    return out;
}

json_t *openai_request(const struct model_request *r, bool official) {
    json_t *o =
        json_pack("{s:s,s:o,s:b,s:{s:b}}", "model", r->model, "messages", messages_of(r->messages),
                  "stream", 1, "stream_options", "include_usage", 1);
    const json_t *t;
    size_t i;
    if (json_array_size(r->tools) > 0) {
        json_t *tools = json_array();
        json_array_foreach(r->tools, i, t) {
            json_array_append_new(tools, json_pack("{s:s,s:O}", "type", "function", "function", t));
        }
        json_object_set_new(o, "tools", tools);
    }
    if (r->max_tokens)
        json_object_set_new(o, official ? "max_completion_tokens" : "max_tokens",
                            json_integer(r->max_tokens));
    if (r->stop)
        json_object_set_new(o, "stop", json_pack("[s]", r->stop));
    return o;
}

/* --- reply --- */

static int add_content(struct model_stream *s, const json_t *content) {
    if (json_is_string(content))
        return model_add_text(s, json_string_value(content), json_string_length(content));
    const json_t *part;
    size_t i;
    json_array_foreach(content, i, part) {
        const json_t *text = json_object_get(part, "text");
        int r = json_is_string(text)
                    ? model_add_text(s, json_string_value(text), json_string_length(text))
                    : 0;
        if (r < 0)
            return r;
    }
    return 0;
}

static int add_thought(struct model_stream *s, const json_t *delta) {
    const json_t *t = json_object_get(delta, "reasoning_content");
    if (!json_is_string(t))
        t = json_object_get(delta, "reasoning");
    if (!json_is_string(t))
        return 0;
    return buf_add(&s->reply->thought, json_string_value(t), json_string_length(t));
}

/* The call that a fragment belongs to. Ollama numbers all calls 0: a new id is a new call. */
static struct model_call *call_for(struct model_reply *r, const json_t *fragment) {
    const json_t *index = json_object_get(fragment, "index");
    const char *id = json_string_value(json_object_get(fragment, "id"));
    const json_t *f = json_object_get(fragment, "function");
    const char *name = json_string_value(json_object_get(f, "name"));
    long long number = json_is_integer(index) ? json_integer_value(index) : -1;
    for (size_t i = r->call_count; i > 0; i--) {
        struct model_call *c = &r->calls[i - 1];
        bool same_id = !id || !*id || strcmp(c->id, id) == 0;
        if (c->index == number && same_id && !(number < 0 && name && *name))
            return c;
    }
    struct model_call *c = model_add_call(r, id, name);
    if (c)
        c->index = number;
    return c;
}

static int add_fragment(struct model_stream *s, const json_t *fragment) {
    struct model_call *c = call_for(s->reply, fragment);
    if (!c)
        return s->reply->call_count == MAX_CALLS ? 0 : -ENOMEM;
    const json_t *f = json_object_get(fragment, "function"), *a = json_object_get(f, "arguments");
    const char *name = json_string_value(json_object_get(f, "name"));
    if (name && *name && !*c->name) {
        free(c->name);
        if (!(c->name = strdup(name)))
            return -ENOMEM;
    }
    if (json_is_string(a))
        return buf_add(&c->arguments, json_string_value(a), json_string_length(a));
    if (!json_is_object(a))
        return 0;
    scoped_free char *text = json_whole(a, JSON_COMPACT);
    return text ? buf_adds(&c->arguments, text) : -ENOMEM;
}

static int openai_add_message(struct model_stream *s, const json_t *m) {
    int r = add_content(s, json_object_get(m, "content"));
    if (r == 0)
        r = add_content(s, json_object_get(m, "refusal"));
    if (r == 0)
        r = add_thought(s, m);
    const json_t *c;
    size_t i;
    json_array_foreach(json_object_get(m, "tool_calls"), i, c) {
        if (r == 0)
            r = add_fragment(s, c);
    }
    return r;
}

static void openai_add_usage(struct model_reply *r, const json_t *o) {
    const json_t *u = json_object_get(o, "usage");
    if (!json_is_object(u))
        return;
    r->prompt_tokens = (unsigned long long)json_integer_value(json_object_get(u, "prompt_tokens"));
    r->completion_tokens =
        (unsigned long long)json_integer_value(json_object_get(u, "completion_tokens"));
}

static int add_chunk(struct model_stream *s, const json_t *o) {
    if (json_object_get(o, "error"))
        return model_server_error(s->error, 200, o);
    openai_add_usage(s->reply, o);
    const json_t *choice = json_array_get(json_object_get(o, "choices"), 0);
    const json_t *m = json_object_get(choice, "delta");
    const char *finish = json_string_value(json_object_get(choice, "finish_reason"));
    if (finish) {
        snprintf(s->reply->finish, sizeof s->reply->finish, "%s", finish);
        s->reply->complete = true;
    }
    return openai_add_message(s, m ? m : json_object_get(choice, "message"));
}

static int openai_bad_reply(struct model_stream *s, const char *what) {
    s->error->fault = MODEL_BAD_REPLY;
    s->error->retryable = true;
    snprintf(s->error->message, sizeof s->error->message, "%s", what);
    return -EPROTO;
}

int openai_event(struct model_stream *s, const char *data, size_t len) {
    if (len == 6 && memcmp(data, "[DONE]", 6) == 0) {
        s->reply->complete = true;
        return 0;
    }
    json_t *o = json_in(data, len, 0, NULL);
    int r = json_is_object(o) ? add_chunk(s, o) : openai_bad_reply(s, "an event is not valid JSON");
    json_decref(o);
    return r;
}

int openai_whole(struct model_stream *s, const char *data, size_t len) {
    json_t *o = json_in(data, len, 0, NULL);
    bool usable =
        json_is_object(o) && (json_object_get(o, "choices") || json_object_get(o, "error"));
    int r =
        usable
            ? add_chunk(s, o)
            : openai_bad_reply(
                  s, "the reply is not a chat completion: is that the address of a model server?");
    s->reply->complete = s->reply->complete || r == 0;
    json_decref(o);
    return r;
}
