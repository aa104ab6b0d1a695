/* A model: a conversation in, a reply out, whatever server is behind it.
 *
 * A conversation is a JSON list of messages in Retort's own neutral form:
 *   {"role": "system"|"user"|"assistant"|"tool", "content": text,
 *    "calls": [{"id", "name", "arguments"}],     of an assistant; arguments is text
 *    "call": id, "failed": bool,                 of a tool
 *    "images": [base64 of a PNG, …],             of a user or a tool
 *    "blocks": […]}                              what an Anthropic server wants back as it came
 * Tools are a list of {"name", "description", "parameters"}.
 *
 * Runs in: the broker's process, in the caller's thread.
 * Hostile: the replies.
 * Owns: the key, which is wiped when the model is freed, and written only into a request header.
 * Tests: tests/unit/test_agent_model.c, tests/system/test_agent_models.py
 */
#pragma once

#include "base/buf.h"
#include "base/maxima.h"

#include <jansson.h>
#include <stdatomic.h>

enum model_api { MODEL_OPENAI, MODEL_ANTHROPIC };

enum model_fault {
    MODEL_OK,
    MODEL_BAD_KEY,
    MODEL_UNKNOWN,          /* no such model, or no such address */
    MODEL_CONTEXT_OVERFLOW, /* the conversation is too long for the model */
    MODEL_QUOTA,            /* the account's credit is used up */
    MODEL_OVERLOADED,       /* 429, 5xx, 529, after all retries */
    MODEL_BAD_REQUEST,
    MODEL_NETWORK,   /* no connection, cut stream, time-out */
    MODEL_BAD_REPLY, /* what arrived cannot be read */
    MODEL_CANCELLED,
    MODEL_NO_CASSETTE_ENTRY,
};

struct model_error {
    enum model_fault fault;
    long status; /* of HTTP, or 0 */
    bool retryable;
    double retry_after; /* seconds, negative if unknown */
    char message[300];
};

struct model_call {
    char *id, *name;
    struct buf arguments;
    long long index; /* as the server numbered it; -1 if it did not */
};

#define MAX_CALLS 16

struct model_reply {
    struct buf text, thought;
    struct model_call calls[MAX_CALLS];
    size_t call_count;
    json_t *blocks; /* or NULL */
    unsigned long long prompt_tokens, completion_tokens;
    char finish[32]; /* as the server called it */
    bool complete;   /* the server said that it had finished */
};

struct model_request {
    const json_t *messages;
    const json_t *tools; /* NULL: none are offered */
    const char *model;
    unsigned max_tokens; /* 0: the server's default */
    const char *stop;    /* a stop sequence, or NULL */
    unsigned number;     /* of several tries at one task; 0: there is one */
    unsigned depth;      /* of a question that code asks; 0: it is the run itself */
};

struct model_options {
    enum model_api api;
    const char *model;
    const char *base_url;    /* NULL: OPENAI_BASE_URL or ANTHROPIC_BASE_URL, or the API's maker */
    const char *key;         /* or NULL: from the file or the environment */
    const char *key_file;    /* NULL: OPENAI_API_KEY or ANTHROPIC_API_KEY, which may be unset */
    const char *version;     /* of the Anthropic API; NULL: 2023-06-01 */
    const char *cassette;    /* file; NULL: none */
    bool records;            /* another model of the same run records it */
    struct journal *journal; /* looks up and keeps the replies; or NULL */
    const json_t
        *replies; /* a list of replies, in the form of cassettes, that replaces a model; or NULL */
    double timeout;
    unsigned retries; /* 0: two; use MODEL_NO_RETRY for none */
    unsigned max_tokens;
    bool images; /* the model takes images */
    const atomic_bool *cancel;
};
#define MODEL_NO_RETRY 1000u

struct model_listener {
    void *user;
    void (*delta)(void *user, const char *text, size_t len);
    void (*retry)(void *user, const struct model_error *why, double wait);
};

struct model;

/* Model, address and protocol of RETORT_MODEL, RETORT_MODEL_URL and RETORT_MODEL_API. */
int model_from_environment(struct model_options *ret, struct model_error *error);
int model_new(const struct model_options *options, struct model **ret, struct model_error *error);
void model_free(struct model *model);
const char *model_name(const struct model *model);
bool model_takes_images(const struct model *model);
bool model_replays(const struct model *model); /* it answers from a cassette, without any network */

/* 0, or negative with `error` filled. */
int model_ask(struct model *model, const struct model_request *request,
              const struct model_listener *listener, struct model_reply *ret,
              struct model_error *error);

void model_reply_init(struct model_reply *reply);
void model_reply_done(struct model_reply *reply);
const char *model_fault_name(enum model_fault fault);

/* --- a pair of functions for each API; pure, also for the fuzzers --- */

struct model_stream {
    struct model_reply *reply;
    struct model_error *error;
    const struct model_listener *listener;
    json_t *block;         /* Anthropic: the block being read, … */
    struct buf block_text; /* … and its text, thought or arguments so far */
};

void model_stream_done(struct model_stream *s);
json_t *openai_request(const struct model_request *request, bool official);
int openai_event(struct model_stream *s, const char *data, size_t len);
int openai_whole(struct model_stream *s, const char *data, size_t len);
json_t *anthropic_request(const struct model_request *request);
int anthropic_event(struct model_stream *s, const char *event, const char *data, size_t len);
int anthropic_whole(struct model_stream *s, const char *data, size_t len);

/* Shared by both APIs. */
int model_add_text(struct model_stream *s, const char *text, size_t len);
struct model_call *model_add_call(struct model_reply *reply, const char *id, const char *name);
/* Fills the error from a status and the body of an error; returns a negative errno. */
int model_server_error(struct model_error *error, long status, const json_t *body);
/* The same for an answer that does not come from a model server, such as a proxy's page. */
int model_page_error(struct model_error *error, long status, const char *url);
