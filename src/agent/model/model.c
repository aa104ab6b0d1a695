/* Asks a model: builds the request, sends it, retries where that makes sense, and reads the
 * stream. */
#include "agent/model/model.h"

#include "agent/model/cassette.h"
#include "agent/model/journal.h"
#include "agent/model/post.h"
#include "agent/model/secret.h"
#include "agent/model/sse.h"
#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/scope.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_KEY 4096

struct model {
    enum model_api api;
    char *name, *url, *version;
    char *shown_url; /* without a password or a query */
    char *key;       /* "" when there is none: local servers need none */
    bool official, images;
    double timeout;
    unsigned retries, max_tokens;
    const atomic_bool *cancel;
    struct cassette *cassette;
    struct journal *journal; /* the run's, or NULL */
};

static int model_fail(struct model_error *e, enum model_fault fault, int eno, const char *message) {
    e->fault = fault;
    snprintf(e->message, sizeof e->message, "%s", message);
    return -eno;
}

/* --- making --- */

int model_from_environment(struct model_options *ret, struct model_error *error) {
    const char *api = getenv("RETORT_MODEL_API"), *url = getenv("RETORT_MODEL_URL");
    bool anthropic = api && strcmp(api, "anthropic") == 0;
    *error = (struct model_error){.retry_after = -1};
    ret->model = getenv("RETORT_MODEL");
    ret->base_url = url && *url ? url : NULL;
    ret->api = anthropic ? MODEL_ANTHROPIC : MODEL_OPENAI;
    if (api && *api && !anthropic && strcmp(api, "openai") != 0)
        return model_fail(error, MODEL_UNKNOWN, EINVAL,
                          "RETORT_MODEL_API has to be openai or anthropic");
    return 0;
}

/* The server that the user named; NULL: none. */
static const char *base_of(const struct model_options *o) {
    static const char *const names[] = {"OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"};
    const char *base = o->base_url && *o->base_url ? o->base_url : getenv(names[o->api]);
    return base && *base ? base : NULL;
}

static char *make_url(const struct model_options *o) {
    static const char *const bases[] = {"https://api.openai.com/v1", "https://api.anthropic.com"};
    static const char *const paths[] = {"/chat/completions", "/v1/messages"};
    const char *base = base_of(o) ? base_of(o) : bases[o->api];
    /* A query, which some gateways need for a version, stays at the end. */
    size_t n = strcspn(base, "?#");
    const char *query = base + n;
    while (n && base[n - 1] == '/')
        n--;
    const char *path = paths[o->api];
    if (o->api == MODEL_ANTHROPIC && n > 3 && memcmp(base + n - 3, "/v1", 3) == 0)
        path += 3;
    char *url = NULL;
    return asprintf(&url, "%.*s%s%s", (int)n, base, path, query) < 0 ? NULL : url;
}

static char *make_shown_url(const char *url) {
    const char *host = strstr(url, "://");
    char *shown = NULL;
    host = host ? host + 3 : url;
    size_t scheme = (size_t)(host - url), len = strcspn(host, "/?#");
    const char *at = memrchr(host, '@', len);
    host = at ? at + 1 : host;
    int n = asprintf(&shown, "%.*s%.*s", (int)scheme, url, (int)strcspn(host, "?#"), host);
    return n < 0 ? NULL : shown;
}

static int read_key_file(const char *path, char **ret, struct model_error *error) {
    char text[MAX_KEY];
    ssize_t n = read_file_at(AT_FDCWD, path, text, sizeof text);
    if (n < 0)
        return model_fail(error, MODEL_BAD_KEY, (int)-n, "the key file cannot be read");
    *ret = strndup(text, strcspn(text, "\r\n"));
    explicit_bzero(text, sizeof text);
    return *ret ? 0 : -ENOMEM;
}

static int read_key(const struct model_options *o, char **ret, struct model_error *error) {
    static const char *const names[] = {"OPENAI_API_KEY", "ANTHROPIC_API_KEY"};
    if (o->key) {
        *ret = strdup(o->key);
        return *ret ? 0 : -ENOMEM;
    }
    if (o->key_file)
        return read_key_file(o->key_file, ret, error);
    const char *key = getenv(names[o->api]);
    *ret = strdup(key ? key : "");
    return *ret ? 0 : -ENOMEM;
}

/* Reports now what every request would fail for. */
static int check_named(const struct model *m, const struct model_options *o,
                       struct model_error *error) {
    static const char *const remedies[] = {
        "there is no key: set OPENAI_API_KEY, or name a file that holds it with --key-file (a "
        "server of your own, --base-url, may need none)",
        "there is no key: set ANTHROPIC_API_KEY, or name a file that holds it with --key-file (a "
        "server of your own, --base-url, may need none)"};
    if (!*m->name)
        return model_fail(error, MODEL_UNKNOWN, EINVAL,
                          "no model was named: give --model NAME, or set RETORT_MODEL");
    if (!*m->key && !base_of(o))
        return model_fail(error, MODEL_BAD_KEY, EINVAL, remedies[o->api]);
    return 0;
}

int model_new(const struct model_options *o, struct model **ret, struct model_error *error) {
    *error = (struct model_error){.retry_after = -1};
    struct model *m = calloc(1, sizeof *m);
    if (!m)
        return model_fail(error, MODEL_BAD_REQUEST, ENOMEM, "out of memory");
    m->api = o->api;
    m->timeout = o->timeout;
    m->retries = o->retries == MODEL_NO_RETRY ? 0 : o->retries ? o->retries : 2;
    m->max_tokens = o->max_tokens;
    m->images = o->images;
    m->cancel = o->cancel;
    m->journal = o->journal;
    m->name = strdup(o->model ? o->model : "");
    m->version = strdup(o->version ? o->version : "2023-06-01");
    m->url = make_url(o);
    m->shown_url = m->url ? make_shown_url(m->url) : NULL;
    m->official = m->url && strstr(m->url, "//api.openai.com/");
    int r = m->name && m->version && m->shown_url ? 0 : -ENOMEM;
    if (r == 0 && o->replies)
        r = cassette_of(o->replies, &m->cassette);
    else if (r == 0 && o->cassette)
        r = cassette_open(o->cassette, o->records, &m->cassette, error);
    if (r == 0 && !(m->cassette && cassette_replays(m->cassette)))
        r = read_key(o, &m->key, error);
    if (r == 0 && m->key)
        r = check_named(m, o, error);
    if (r < 0)
        model_free(m);
    else
        *ret = m;
    return r;
}

void model_free(struct model *m) {
    if (!m)
        return;
    if (m->key)
        explicit_bzero(m->key, strlen(m->key));
    cassette_free(m->cassette);
    free(m->key);
    free(m->name);
    free(m->url);
    free(m->shown_url);
    free(m->version);
    free(m);
}

const char *model_name(const struct model *m) {
    return m->name;
}

bool model_takes_images(const struct model *m) {
    return m->images;
}

bool model_replays(const struct model *m) {
    return m->cassette && cassette_replays(m->cassette);
}

/* --- one attempt --- */

struct attempt {
    struct model *model;
    struct model_stream stream;
    struct post_answer answer;
    struct sse sse;
    struct buf body; /* of an answer that is not streamed */
    size_t received;
};

static int model_on_event(void *user, const char *event, const char *data, size_t len) {
    struct attempt *a = user;
    return a->model->api == MODEL_OPENAI ? openai_event(&a->stream, data, len)
                                         : anthropic_event(&a->stream, event, data, len);
}

static int model_on_data(void *user, const char *bytes, size_t len) {
    struct attempt *a = user;
    a->received += len; /* nothing else bounds the blocks of a stream */
    if (a->received > MAX_MODEL_STREAM)
        return -EFBIG;
    if (a->answer.status == 200 && a->answer.stream)
        return sse_feed(&a->sse, bytes, len, model_on_event, a);
    return buf_add(&a->body, bytes, len);
}

static void hide_key(const struct model *m, struct model_error *e) {
    char *at = e->message;
    secret_hide_message(m->key, e->message);
    /* Some servers quote only the ends of the key, with stars between them. */
    while (m->key && strlen(m->key) > 8 && (at = strstr(at, "sk-"))) {
        size_t n = strcspn(at, " .,\"'");
        if (at == e->message || !isalnum((unsigned char)at[-1]))
            memset(at, '*', n);
        at += n;
    }
}

/* The caller's listener, and a filter before it that holds back text that may become the key. */
struct hidden {
    const struct model_listener *to;
    struct secret_stream stream;
};

static void model_pass_on(void *user, const char *text, size_t len) {
    const struct model_listener *to = ((struct hidden *)user)->to;
    if (to && to->delta)
        to->delta(to->user, text, len);
}

static void model_on_delta(void *user, const char *text, size_t len) {
    struct hidden *h = user;
    secret_stream_feed(&h->stream, text, len, model_pass_on, h);
}

static int transfer_error(struct attempt *a, int r) {
    struct model_error *e = a->stream.error;
    if (r == -ECANCELED)
        return model_fail(e, MODEL_CANCELLED, ECANCELED, "cancelled");
    if (e->fault != MODEL_OK)
        return r;
    e->retryable = r != -EINVAL && r != -ENOMEM;
    snprintf(e->message, sizeof e->message, "%.130s: %s", a->model->shown_url,
             a->answer.problem[0] ? a->answer.problem : "the transfer failed");
    e->fault = r == -EINVAL ? MODEL_BAD_REQUEST : MODEL_NETWORK;
    return r;
}

static int status_error(struct attempt *a) {
    json_t *body = a->body.len ? json_in(a->body.data, a->body.len, 0, NULL) : NULL;
    int r = json_is_object(body)
                ? model_server_error(a->stream.error, a->answer.status, body)
                : model_page_error(a->stream.error, a->answer.status, a->model->shown_url);
    json_decref(body);
    if (a->answer.should_retry >= 0)
        a->stream.error->retryable = a->answer.should_retry;
    return r;
}

/* Ends the reading: parses an answer that was not streamed; a stream that was cut is an error. */
static int model_finish(struct attempt *a) {
    if (a->answer.status != 200)
        return status_error(a);
    int r = 0;
    const char *body = a->body.data ? a->body.data : "";
    if (a->answer.stream)
        r = sse_finish(&a->sse, model_on_event, a);
    else if (a->model->api == MODEL_OPENAI)
        r = openai_whole(&a->stream, body, a->body.len);
    else
        r = anthropic_whole(&a->stream, body, a->body.len);
    if (r < 0 || a->stream.reply->complete)
        return r;
    a->stream.error->retryable = true;
    snprintf(a->stream.error->message, sizeof a->stream.error->message,
             "%.200s: the reply was cut off", a->model->shown_url);
    a->stream.error->fault = MODEL_NETWORK;
    return -EPIPE;
}

static int send_request(struct attempt *a, const char *body) {
    const struct model *m = a->model;
    scoped_free char *key = NULL, *version = NULL;
    const char *form = m->api == MODEL_OPENAI ? "Authorization: Bearer %s" : "x-api-key: %s";
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (asprintf(&key, form, m->key) < 0 ||
        asprintf(&version, "anthropic-version: %s", m->version) < 0)
        return -ENOMEM;
#pragma GCC diagnostic pop
    const char *headers[6] = {"Content-Type: application/json", "Accept: text/event-stream",
                              "Expect:"};
    size_t n = 3;
    if (*m->key)
        headers[n++] = key;
    if (m->api == MODEL_ANTHROPIC)
        headers[n++] = version;
    struct post_request r = {.url = m->url,
                             .headers = headers,
                             .body = body,
                             .body_len = strlen(body),
                             .timeout = m->timeout,
                             .cancel = m->cancel,
                             .data = model_on_data,
                             .user = a};
    int e = post_send(&r, &a->answer);
    explicit_bzero(key, strlen(key));
    return e;
}

static int attempt_once(struct model *m, const char *body, const struct model_listener *listener,
                        struct model_reply *ret, struct model_error *error) {
    struct attempt a = {.model = m, .body = BUF_INIT(MAX_MODEL_REPLY)};
    struct hidden hidden = {.to = listener};
    struct model_listener hider = {.user = &hidden, .delta = model_on_delta};
    secret_stream_init(&hidden.stream, m->key);
    a.stream = (struct model_stream){.reply = ret, .error = error, .listener = &hider};
    *error = (struct model_error){.retry_after = -1};
    sse_init(&a.sse);
    int r = send_request(&a, body);
    r = r < 0 ? transfer_error(&a, r) : model_finish(&a);
    error->retry_after = a.answer.retry_after;
    hide_key(m, error);
    secret_stream_feed(&hidden.stream, NULL, 0, model_pass_on, &hidden);
    secret_stream_done(&hidden.stream);
    secret_hide_reply(m->key, ret);
    sse_done(&a.sse);
    buf_done(&a.body);
    model_stream_done(&a.stream);
    return r;
}

/* --- retries --- */

/* Half a second, doubled each time up to eight, less a random quarter, unless the server says. */
static double wait_before(unsigned attempt, double retry_after) {
    if (retry_after >= 0 && retry_after <= 60)
        return retry_after;
    double wait = 0.5 * (double)(1u << (attempt < 4 ? attempt : 4));
    return (wait < 8 ? wait : 8) * (1 - 0.25 * (double)(now_ns() % 1000) / 1000);
}

static bool pause_for(double seconds, const atomic_bool *cancel) {
    uint64_t end = now_ns() + (uint64_t)(seconds * 1e9);
    while (now_ns() < end) {
        if (cancel && atomic_load(cancel))
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
    }
    return true;
}

static int ask_server(struct model *m, const struct model_request *request,
                      const struct model_listener *listener, struct model_reply *ret,
                      struct model_error *error) {
    json_t *o =
        m->api == MODEL_OPENAI ? openai_request(request, m->official) : anthropic_request(request);
    scoped_free char *body = o ? json_whole(o, JSON_COMPACT) : NULL;
    json_decref(o);
    if (!body)
        return model_fail(error, MODEL_BAD_REQUEST, ENOMEM, "out of memory");
    for (unsigned n = 0;; n++) {
        int r = attempt_once(m, body, listener, ret, error);
        if (r >= 0 || !error->retryable || n == m->retries)
            return r;
        double wait = wait_before(n, error->retry_after);
        if (listener && listener->retry)
            listener->retry(listener->user, error, wait);
        model_reply_done(ret);
        model_reply_init(ret);
        if (!pause_for(wait, m->cancel))
            return model_fail(error, MODEL_CANCELLED, ECANCELED, "cancelled");
    }
}

/* Asks the server or the cassette, and keeps its reply. */
static int ask_and_keep(struct model *m, const struct model_request *request,
                        const struct model_listener *listener, struct model_reply *ret,
                        struct model_error *error) {
    int known = m->journal ? journal_recall(m->journal, request, listener, ret, error) : 0;
    if (known)
        return known < 0 ? known : error->fault == MODEL_OK ? 0 : -E2BIG;
    int e = ask_server(m, request, listener, ret, error);
    bool overflow = e < 0 && error->fault == MODEL_CONTEXT_OVERFLOW;
    if (m->journal && (e == 0 || overflow)) /* the run depends on both */
        journal_keep(m->journal, request, overflow ? NULL : ret);
    if (m->cassette && overflow)
        cassette_record(m->cassette, request, NULL);
    return e == 0 && m->cassette ? cassette_record(m->cassette, request, ret) : e;
}

int model_ask(struct model *m, const struct model_request *request,
              const struct model_listener *listener, struct model_reply *ret,
              struct model_error *error) {
    struct model_request r = *request;
    r.model = m->name;
    if (!r.max_tokens)
        r.max_tokens = m->max_tokens;
    *error = (struct model_error){.retry_after = -1};
    model_reply_init(ret);
    int e = model_replays(m) ? cassette_replay(m->cassette, &r, listener, ret, error)
                             : ask_and_keep(m, &r, listener, ret, error);
    if (e < 0) {
        if (error->fault == MODEL_OK)
            model_fail(error, MODEL_BAD_REPLY, -e, strerror(-e));
        model_reply_done(ret);
    }
    return e;
}
