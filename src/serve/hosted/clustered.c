#include "serve/hosted/clustered.h"

#include <errno.h>
#include <string.h>

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

int clustered_settle(struct serve *serve, struct hosted *hosted, struct retort_error *error) {
    if (!serve->clustered || !hosted || !serve->clustered->lost(serve->clustered, hosted))
        return 0;
    return err_set(error, ERR_HOST, EIO,
                   "the cluster's log has not acknowledged this: it may or may not have been done. "
                   "Ask again with the same request id, any node answers");
}

struct hosted *clustered_get(struct serve *serve, struct peer *peer, const char *session) {
    struct retort_error ignored;

    if (clustered_elsewhere(serve, peer, session) &&
        serve->clustered->bring(serve->clustered, peer, session, &ignored) < 0)
        return NULL;
    return registry_get(serve->registry, peer->owner, session);
}
