#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "serve/hosted/fault.h"
#include "serve/hosted/sessions.h"
#include "skills/skillset.h"

int session_undo(struct hosted *hosted, json_int_t cells, char **ret_json,
                 struct retort_error *error) {
    if (cells < 1 || cells > UINT32_MAX)
        return err_set(error, ERR_CALLER, EINVAL, "cells must be at least 1");
    return retort_undo(hosted->session, (unsigned)cells, ret_json, error);
}

/* A branch may call the tools and skills that its session could call. */
static int hosted_copy_tools(struct hosted *from, char **ret_tools, struct skillset **ret_skills,
                             struct retort_error *error) {
    pthread_mutex_lock(&from->lock);
    struct skillset *skills = skillset_ref(from->skills);
    bool some = from->tools;
    *ret_tools = some ? strdup(from->tools) : NULL;
    pthread_mutex_unlock(&from->lock);
    *ret_skills = skills ? skillset_copy(skills) : NULL;
    bool whole = !some == !*ret_tools && !skills == !*ret_skills;
    skillset_unref(skills);
    return whole ? 0 : err_memory(error);
}

/* Gives a branch to the owner of the session, or closes it if there is no place for it. */
static int hosted_adopt(struct serve *serve, const struct peer *peer, struct hosted *from,
                        struct retort_session *session, json_t *ids, struct retort_error *error) {
    struct hosted *hosted;
    scoped_free char *tools = NULL;
    struct skillset *skills;
    int r = hosted_copy_tools(from, &tools, &skills, error);

    if (r >= 0)
        r = registry_add(serve->registry, from->owner, peer->max_sessions, session, &hosted, error);
    if (r < 0) {
        skillset_unref(skills);
        retort_session_close(session);
        return r;
    }
    hosted->cell = from->cell;
    hosted->caps = from->caps;
    pthread_mutex_lock(&hosted->lock); /* the owner may have found the branch already */
    free(hosted->tools);
    hosted->tools = TAKE(tools);
    hosted->skills = skills;
    pthread_mutex_unlock(&hosted->lock);
    json_array_append_new(ids, json_string(hosted->id));
    registry_unref(serve->registry, hosted);
    return 0;
}

int session_branch(struct serve *serve, struct peer *peer, struct hosted *hosted, json_int_t count,
                   json_t *ids, struct retort_error *error) {
    struct retort_session *sessions[MAX_BRANCHES];
    struct lane_pass pass;
    int r;

    if (count < 1 || count > MAX_BRANCHES)
        return err_set(error, ERR_CALLER, EINVAL, "count must be between 1 and %d", MAX_BRANCHES);
    r = await_birth(serve, peer, &pass, error);
    if (r >= 0)
        r = retort_branch(hosted->session, (unsigned)count, sessions, error);
    lane_leave(&pass);
    if (r < 0)
        return r;
    for (json_int_t i = 0; i < count; i++)
        if (r >= 0)
            r = hosted_adopt(serve, peer, hosted, sessions[i], ids, error);
        else
            retort_session_close(sessions[i]);
    return r;
}
