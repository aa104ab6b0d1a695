#include <errno.h>
#include <stdint.h>

#include "serve/hosted/fault.h"
#include "serve/hosted/sessions.h"

int session_undo(struct hosted *hosted, json_int_t cells, char **ret_json,
                 struct retort_error *error) {
    if (cells < 1 || cells > UINT32_MAX)
        return err_set(error, ERR_CALLER, EINVAL, "cells must be at least 1");
    return retort_undo(hosted->session, (unsigned)cells, ret_json, error);
}

/* Gives a branch to the owner of the session, or closes it if there is no place for it. */
static int hosted_adopt(struct serve *serve, const struct peer *peer, const struct hosted *from,
                        struct retort_session *session, json_t *ids, struct retort_error *error) {
    struct hosted *hosted;
    int r = registry_add(serve->registry, from->owner, peer->max_sessions, session, &hosted, error);

    if (r < 0) {
        retort_session_close(session);
        return r;
    }
    hosted->cell = from->cell;
    hosted->caps = from->caps;
    json_array_append_new(ids, json_string(hosted->id));
    registry_unref(serve->registry, hosted);
    return 0;
}

int session_branch(struct serve *serve, struct peer *peer, struct hosted *hosted, json_int_t count,
                   json_t *ids, struct retort_error *error) {
    struct retort_session *sessions[MAX_BRANCHES];
    int r;

    if (count < 1 || count > MAX_BRANCHES)
        return err_set(error, ERR_CALLER, EINVAL, "count must be between 1 and %d", MAX_BRANCHES);
    r = retort_branch(hosted->session, (unsigned)count, sessions, error);
    if (r < 0)
        return r;
    for (json_int_t i = 0; i < count; i++)
        if (r >= 0)
            r = hosted_adopt(serve, peer, hosted, sessions[i], ids, error);
        else
            retort_session_close(sessions[i]);
    return r;
}
