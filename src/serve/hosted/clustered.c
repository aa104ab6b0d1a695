#include "serve/hosted/clustered.h"

#include <errno.h>
#include <string.h>

#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "serve/hosted/json.h"
#include "serve/hosted/sessions.h"

const char *clustered_node_of(const struct serve *serve, const char *tool_call) {
    const char *at = tool_call && serve->clustered ? strchr(tool_call, '@') : NULL;

    return at && strcmp(at + 1, serve->clustered->node) != 0 ? at + 1 : NULL;
}

bool clustered_elsewhere(struct serve *serve, const struct peer *peer, const char *session) {
    struct hosted *hosted;
    bool here;

    if (!serve->clustered)
        return false;
    hosted = session ? registry_get(serve->registry, peer->owner, session) : NULL;
    here = hosted && serve->clustered->here(serve->clustered, session);
    registry_unref(serve->registry, hosted);
    return !here;
}

int clustered_settle(struct serve *serve, struct hosted *hosted, int r,
                     struct retort_error *error) {
    return serve->clustered && hosted ? serve->clustered->settle(serve->clustered, hosted, r, error)
                                      : r;
}

static bool is_on_record(const struct retort_result *result) {
    static const char *const names[] = {"ledger"};
    struct json_span span;
    size_t len;
    const char *text = retort_result_json(result, &len);

    serve_json_members(text, len, names, 1, &span);
    scoped_json *ledger = span.len ? json_in(span.text, span.len, 0, NULL) : NULL;
    return !json_object_get(ledger, "error");
}

int clustered_settle_cell(struct serve *serve, struct hosted *hosted, int r,
                          struct retort_result **result, struct retort_error *error) {
    if (!serve->clustered)
        return r;
    bool ran = r >= 0;
    if (ran && !is_on_record(*result))
        r = err_set(error, ERR_HOST, EIO, "the cell is not on record: it does not count");
    r = clustered_settle(serve, hosted, r, error);
    if (ran && r < 0)
        retort_result_free(*result);
    return r;
}

struct hosted *clustered_get(struct serve *serve, struct peer *peer, const char *session) {
    struct retort_error ignored;

    if (clustered_elsewhere(serve, peer, session) &&
        serve->clustered->bring(serve->clustered, peer, session, &ignored) < 0)
        return NULL;
    return registry_get(serve->registry, peer->owner, session);
}

int clustered_resume(struct serve *serve, struct peer *peer, const char *session,
                     struct hosted **ret, struct retort_error *error) {
    struct clustered *c = serve->clustered;
    struct clustered_call call = {.peer = peer, .method = "session.resume", .session = session};
    scoped_buf reply = BUF_INIT(64u << 10);
    int r = 0, status;

    if (clustered_elsewhere(serve, peer, session)) {
        scoped_json *message = json_pack("{s:s s:i s:s s:{s:s}}", "jsonrpc", "2.0", "id", 1,
                                         "method", call.method, "params", "session", session);
        call.message = message;
        r = c->route(c, &call, &reply, &status, error);
    }
    if (r < 0)
        return r;
    if (r > 0)
        return err_set(error, ERR_HOST, EAGAIN, "another node has the session: ask again");
    *ret = registry_get(serve->registry, peer->owner, session);
    return *ret ? 0 : session_resume(serve, peer, session, ret, error);
}

void clustered_others(struct serve *serve, struct peer *peer, json_t *list) {
    if (serve->clustered && !peer->forwarded)
        serve->clustered->others(serve->clustered, peer, list);
}
