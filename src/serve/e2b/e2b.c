#include "serve/e2b/e2b.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "serve/e2b/elsewhere.h"
#include "serve/e2b/routes.h"
#include "serve/e2b/snapshots.h"
#include "serve/hosted/fault.h"
#include "serve/hosted/json.h"

/* --- who sends a request --- */

struct e2b *e2b_of(const struct http_request *request) {
    return http_user(request);
}

static bool secret_fits(const char *a, const char *b) {
    size_t len = strlen(b);

    return a && strlen(a) == len && CRYPTO_memcmp(a, b, len) == 0;
}

/* What a client shows to open one sandbox. */
struct proof_shown {
    const char *secret;                    /* or NULL */
    const char *signature, *path, *expiry; /* of a signed address, or NULL */
    const char *user, *operation;
};

/* Computes the signature as clients do, with the sandbox's secret as the last word but one. */
static bool signature_fits(const struct sandbox *s, const struct proof_shown *shown) {
    scoped_buf text = BUF_INIT(16384), want = BUF_INIT(256);
    unsigned char digest[SHA256_DIGEST_LENGTH];

    if (buf_printf(&text, "%s:%s:%s:%s%s%s", shown->path, shown->operation, shown->user, s->secret,
                   shown->expiry ? ":" : "", shown->expiry ? shown->expiry : "") < 0)
        return false;
    SHA256((const unsigned char *)text.data, text.len, digest);
    if (buf_adds(&want, "v1_") < 0 || base64_encode(&want, digest, sizeof digest) < 0)
        return false;
    want.data[strcspn(want.data, "=")] = 0;
    return secret_fits(shown->signature, want.data);
}

static bool shown_fits(const struct sandbox *s, void *user) {
    const struct proof_shown *shown = user;

    return shown->secret ? secret_fits(shown->secret, s->secret)
                         : shown->signature && signature_fits(s, shown);
}

static const char *or_empty(const char *text) {
    return text ? text : "";
}

static bool expired(const char *expiry) {
    return expiry && strtoll(expiry, NULL, 10) < (long long)time(NULL);
}

struct sandbox *e2b_open_shown(const struct http_request *request) {
    char id[64];
    struct proof_shown shown = {.secret = http_header(request, "X-Access-Token"),
                                .signature = http_query(request, "signature"),
                                .path = or_empty(http_query(request, "path")),
                                .expiry = http_query(request, "signature_expiration"),
                                .user = or_empty(http_query(request, "username")),
                                .operation =
                                    strcmp(request->method, "POST") == 0 ? "write" : "read"};
    bool probe = request->peer.forwarded && strcmp(request->path, E2B_PROBE) == 0;

    if (!shown.secret)
        shown.secret = http_header(request, "E2B-Traffic-Access-Token");
    if (!shown.secret &&
        ((strcmp(request->path, "/files") != 0 && !probe) || expired(shown.expiry)))
        return NULL;
    if (probe)
        shown.operation = or_empty(http_query(request, "operation"));
    return sandboxes_open_by(e2b_of(request)->sandboxes,
                             sandbox_id(http_header(request, "E2b-Sandbox-Id"), id), shown_fits,
                             &shown);
}

/* The token of an account's key; or, if the request opens one sandbox with its secret or a
 * signature, the token of that sandbox's owner. */
static const struct guard_token *e2b_token(const struct http_request *request) {
    struct e2b *e2b = e2b_of(request);
    const char *key = http_header(request, "X-API-KEY");
    char bearer[300];
    struct sandbox *sandbox;
    const struct guard_token *token;

    snprintf(bearer, sizeof bearer, "Bearer %s", or_empty(key));
    token = guard_token(e2b->guard, key ? bearer : http_header(request, "Authorization"));
    if (token)
        return token;
    sandbox = e2b_open_shown(request);
    if (!sandbox)
        return NULL;
    token = guard_owner(e2b->guard, sandbox->peer.owner);
    sandbox_unref(e2b->sandboxes, sandbox);
    return token;
}

static bool anyone_of(const struct sandbox *s, void *owner) {
    return !s->snapshot_of[0] && strcmp(s->peer.owner, owner) == 0;
}

/* An owner's key alone does not say which sandbox a request means, so the request names its id. A
 * secret or a signature means the sandbox that it opens. */
struct sandbox *e2b_sandbox(struct http_request *request) {
    struct e2b *e2b = e2b_of(request);
    char meant[64];
    const char *id = sandbox_id(http_header(request, "E2b-Sandbox-Id"), meant);
    struct sandbox *sandbox = e2b_open_shown(request);

    if (!sandbox && id)
        sandbox = sandboxes_open_by(e2b->sandboxes, id, anyone_of, request->peer.owner);
    if (!sandbox)
        e2b_error(request, 502, "The sandbox was not found");
    else
        snprintf(request->session, sizeof request->session, "%s", sandbox->id);
    return sandbox;
}

/* --- answers --- */

enum http_result e2b_error(struct http_request *request, int status, const char *message) {
    return e2b_reply(
        request, status,
        json_pack("{s:i, s:o}", "code", status, "message", serve_json_string(message)));
}

enum http_result e2b_fault(struct http_request *request, const struct retort_error *error) {
    return e2b_error(request, fault_row(error)->http_status, error->message);
}

enum http_result e2b_reply(struct http_request *request, int status, json_t *value) {
    scoped_json *held = value;
    scoped_buf text = BUF_INIT(MAX_REPLY);

    return held && buf_json(&text, held) >= 0
               ? http_reply(request, status, "application/json", text.data, text.len)
               : http_reply_error(request, 503, "out of memory");
}

json_t *e2b_body(struct http_request *request) {
    struct retort_error error = {0};
    json_t *body = request->body.len
                       ? serve_json_parse(request->body.data, request->body.len, &error)
                       : json_object();

    if (json_is_object(body))
        return body;
    json_decref(body);
    e2b_error(request, 400, error.message[0] ? error.message : "the body must be an object");
    return NULL;
}

const char *e2b_work_path(const char *path) {
    static const char *const homes[] = {"/home/user", "/work", "~", NULL};

    for (const char *const *home = homes; *home; home++) {
        size_t len = strlen(*home);

        if (strncmp(path, *home, len) == 0 && (path[len] == '/' || !path[len]))
            return path + len + strspn(path + len, "/");
    }
    return path[0] == '/' ? NULL : path;
}

static enum http_result e2b_health(struct http_request *request) {
    struct sandbox *sandbox = e2b_sandbox(request);
    bool runs;

    if (!sandbox)
        return HTTP_DONE;
    pthread_mutex_lock(&sandbox->lock);
    runs = sandbox->hosted != NULL;
    pthread_mutex_unlock(&sandbox->lock);
    sandbox_unref(e2b_of(request)->sandboxes, sandbox);
    return runs ? http_reply(request, 204, NULL, "", 0)
                : e2b_error(request, 502, "The sandbox is not running");
}

/* --- the door --- */

#define MAX_UPLOAD (64ull << 30) /* the session's disk limit ends it before that */
#define MAX_CONTROL (1u << 20)

/* Routes with .open look for their sandbox themselves: a client that can open none gets "not
 * found". */
static const struct http_route e2b_routes[] = {
    {.method = "GET", .path = "/v2/sandboxes", .finish = e2b_control_get},
    {.method = "POST",
     .path = "/v2/sandboxes",
     .prefix = true,
     .max_body = MAX_CONTROL,
     .finish = e2b_control_post},
    {.method = "GET", .path = "/sandboxes", .prefix = true, .finish = e2b_control_get},
    {.method = "POST",
     .path = "/sandboxes",
     .prefix = true,
     .max_body = MAX_CONTROL,
     .finish = e2b_control_post},
    {.method = "DELETE", .path = "/sandboxes", .prefix = true, .finish = e2b_control_delete},
    {.method = "PUT",
     .path = "/sandboxes",
     .prefix = true,
     .max_body = MAX_CONTROL,
     .finish = e2b_unsupported},
    {.method = "GET", .path = "/snapshots", .finish = e2b_snapshots_get},
    {.method = "DELETE", .path = "/templates", .prefix = true, .finish = e2b_templates_delete},
    {.method = "POST",
     .path = "/execute",
     .open = true,
     .max_body = MAX_REQUEST,
     .finish = e2b_execute},
    {.method = "GET", .path = "/contexts", .open = true, .finish = e2b_contexts_get},
    {.method = "POST",
     .path = "/contexts",
     .open = true,
     .prefix = true,
     .max_body = MAX_CONTROL,
     .finish = e2b_contexts_post},
    {.method = "DELETE",
     .path = "/contexts",
     .open = true,
     .prefix = true,
     .finish = e2b_contexts_delete},
    {.method = "GET", .path = E2B_PROBE, .open = true, .finish = e2b_health},
    {.method = "GET", .path = "/files", .open = true, .finish = e2b_download},
    {.method = "POST",
     .path = "/files",
     .open = true,
     .max_body = MAX_UPLOAD,
     .begin = e2b_upload_begin,
     .data = e2b_upload_data,
     .finish = e2b_upload,
     .done = e2b_upload_done},
    {.method = "POST",
     .path = "/process.Process",
     .open = true,
     .prefix = true,
     .max_body = MAX_REQUEST,
     .finish = e2b_connect},
    {.method = "POST",
     .path = "/filesystem.Filesystem",
     .open = true,
     .prefix = true,
     .max_body = MAX_CONTROL,
     .finish = e2b_connect},
    {.method = NULL},
};

int e2b_open(struct serve *serve, const struct http_config *config, struct e2b **ret_e2b,
             struct retort_error *err) {
    struct e2b *e2b = calloc(1, sizeof *e2b);
    struct http_config own = *config;
    int r;

    if (!e2b)
        return err_errno(err, ERR_HOST, ENOMEM, "cannot open the door for E2B");
    e2b->serve = serve;
    e2b->guard = config->guard;
    e2b->sandboxes = sandboxes_new(serve);
    own.routes = e2b_routes;
    own.user = e2b;
    own.token_of = e2b_token;
    own.relay = e2b_relay;
    r = e2b->sandboxes ? http_start(&own, &e2b->http, err)
                       : err_errno(err, ERR_HOST, ENOMEM, "cannot open the door for E2B");
    if (r >= 0 && serve->clustered)
        r = http_relayed(&own, serve->clustered, "e2b", &e2b->relayed, err);
    if (r < 0)
        e2b_close(e2b);
    else
        *ret_e2b = e2b;
    return r;
}

uint16_t e2b_port(const struct e2b *e2b) {
    return http_port(e2b->http);
}

bool e2b_drain(struct e2b *e2b, double seconds) {
    bool idle = http_drain(e2b->http, seconds);

    return (!e2b->relayed || http_drain(e2b->relayed, 0)) && idle;
}

void e2b_close(struct e2b *e2b) {
    if (!e2b)
        return;
    if (e2b->relayed)
        http_stop(e2b->relayed);
    if (e2b->http)
        http_stop(e2b->http);
    sandboxes_free(e2b->sandboxes);
    free(e2b);
}
