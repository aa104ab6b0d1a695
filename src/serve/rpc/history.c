#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "serve/hosted/event.h"
#include "serve/hosted/fault.h"
#include "serve/hosted/json.h"
#include "serve/rpc/handlers.h"
#include "serve/rpc/ledger_handlers.h"

/* session.undo, session.branch, session.compare, session.keep and ledger.*: a session's past, and
 * its alternatives. */

static int history_give_text(struct buf *result, char *text, struct retort_error *error) {
    int r = buf_adds(result, text);

    retort_free(text);
    return r < 0 ? err_memory(error) : 0;
}

static json_int_t history_param_int(const struct request *request, const char *name,
                                    json_int_t otherwise) {
    const json_t *value = json_object_get(request->params, name);

    return value ? json_integer_value(value) : otherwise;
}

int handle_session_undo(struct request *request, struct buf *result, struct retort_error *error) {
    char *text = NULL;
    int r = session_undo(request->hosted, history_param_int(request, "cells", 1), &text, error);

    return r < 0 ? r : history_give_text(result, text, error);
}

int handle_session_branch(struct request *request, struct buf *result, struct retort_error *error) {
    scoped_json *ids = json_array();
    int r = session_branch(request->serve, request->peer, request->hosted,
                           history_param_int(request, "count", 1), ids, error);

    if (r < 0)
        return r;
    scoped_json *answer = json_pack("{s:O}", "sessions", ids);
    return buf_json(result, answer) < 0 ? err_memory(error) : 0;
}

/* --- side by side --- */

/* Takes references to the sessions of the list. */
static int find_all(const struct request *request, const json_t *list, struct hosted **ret,
                    struct retort_error *error) {
    const json_t *one;
    size_t i;

    if (json_array_size(list) < 2 || json_array_size(list) > MAX_BRANCHES)
        return err_set(error, ERR_CALLER, EINVAL, "sessions must be from 2 to %d ids",
                       MAX_BRANCHES);
    json_array_foreach(list, i, one) {
        const char *id = json_string_value(one);

        if (!id)
            return err_set(error, ERR_CALLER, EINVAL, "sessions[%zu] must be a string", i);
        ret[i] = registry_get(request->serve->registry, request->peer->owner, id);
        if (!ret[i])
            return err_set(error, ERR_CALLER, ENOENT, "no such session");
    }
    return 0;
}

int handle_session_compare(struct request *request, struct buf *result,
                           struct retort_error *error) {
    const json_t *list = json_object_get(request->params, "sessions");
    struct hosted *all[MAX_BRANCHES] = {0};
    struct retort_session *sessions[MAX_BRANCHES];
    char *text;
    int r = find_all(request, list, all, error);

    for (size_t i = 0; i < MAX_BRANCHES && all[i]; i++)
        sessions[i] = all[i]->session;
    if (r >= 0)
        r = retort_compare(sessions, (unsigned)json_array_size(list), &text, error);
    for (size_t i = 0; i < MAX_BRANCHES && all[i]; i++)
        registry_unref(request->serve->registry, all[i]);
    return r < 0 ? r : history_give_text(result, text, error);
}

/* Puts first those of the owner's sessions that were branched off with this one. */
static unsigned siblings_first(const struct hosted *kept, struct hosted **list, size_t n) {
    unsigned count = 0;

    for (size_t i = 0; i < n; i++)
        if (retort_siblings(kept->session, list[i]->session)) {
            struct hosted *one = list[i];

            list[i] = list[count];
            list[count++] = one;
        }
    return count;
}

static int end_siblings(struct serve *serve, const struct hosted *kept, struct hosted **list,
                        unsigned count, json_t *ids, struct retort_error *error) {
    scoped_free struct retort_session **others = calloc(count + 1, sizeof(void *));
    int r;

    if (!others)
        return err_memory(error);
    for (unsigned i = 0; i < count; i++) {
        session_stop(serve, list[i]);
        others[i] = list[i]->session;
    }
    r = retort_keep(kept->session, others, count, error);
    for (unsigned i = 0; r >= 0 && i < count; i++) {
        json_array_append_new(ids, json_string(list[i]->id));
        session_end(serve, list[i]);
    }
    return r;
}

int handle_session_keep(struct request *request, struct buf *result, struct retort_error *error) {
    scoped_free struct hosted **list = NULL;
    scoped_json *answer = json_pack("{s:s, s:[]}", "kept", request->hosted->id, "closed");
    size_t n = registry_list(request->serve->registry, request->peer->owner, &list);
    unsigned count = siblings_first(request->hosted, list, n);
    int r = end_siblings(request->serve, request->hosted, list, count,
                         json_object_get(answer, "closed"), error);

    for (size_t i = 0; i < n; i++)
        registry_unref(request->serve->registry, list[i]);
    if (r < 0)
        return r;
    return buf_json(result, answer) < 0 ? err_memory(error) : 0;
}

/* --- the ledger --- */

static const char *session_param(const struct request *request) {
    return json_string_value(json_object_get(request->params, "session"));
}

/* The ledger knows a session's owner, even if the session was made before this server started. */
static int history_check_owner(const struct request *request, const char *id,
                               struct retort_error *error) {
    scoped_free char *owner = NULL;

    if (request->peer->sees_all || (retort_owner(request->serve->engine, id, &owner, error) >= 0 &&
                                    strcmp(owner, request->peer->owner) == 0))
        return 0;
    return err_set(error, ERR_CALLER, ENOENT, "no such session");
}

static int list_entries(struct request *request, const char *id, struct buf *result,
                        struct retort_error *error) {
    json_int_t after = history_param_int(request, "after", 0);
    json_int_t before = history_param_int(request, "before", 0);
    json_int_t limit = history_param_int(request, "limit", 0);
    const struct retort_part part = {(uint64_t)after, (uint64_t)before, (uint64_t)limit};
    char *text;
    int r = history_check_owner(request, id, error);

    if (r >= 0 && (after < 0 || before < 0 || limit < 0))
        r = err_set(error, ERR_CALLER, EINVAL, "after, before and limit must not be negative");
    if (r >= 0)
        r = retort_entries(request->serve->engine, id, &part, &text, error);
    return r < 0 ? r : history_give_text(result, text, error);
}

static bool history_is_own(const struct request *request, const json_t *session) {
    const char *owner = json_string_value(json_object_get(session, "owner"));

    return request->peer->sees_all || (owner && strcmp(owner, request->peer->owner) == 0);
}

/* Searches everything that ran in the session. */
static bool is_found(const struct request *request, const json_t *session) {
    const char *search = json_string_value(json_object_get(request->params, "search"));
    const char *id = json_string_value(json_object_get(session, "session"));

    return !search || retort_mentions(request->serve->engine, id, search);
}

/* The recorded sessions that the caller may see and that match the search. */
static json_t *own_sessions(struct request *request, const char *text) {
    scoped_json *all = json_in_text(text, 0, NULL);
    json_t *own = json_array(), *one;
    size_t i;

    json_array_foreach(all, i, one) {
        if (history_is_own(request, one) && is_found(request, one))
            json_array_append(own, one);
    }
    return json_pack("{s:o}", "sessions", own);
}

int handle_ledger_list(struct request *request, struct buf *result, struct retort_error *error) {
    const char *id = session_param(request);
    scoped_json *own = NULL;
    char *text;
    int r;

    if (id)
        return list_entries(request, id, result, error);
    r = retort_log(request->serve->engine, NULL, &text, error);
    if (r < 0)
        return r;
    own = own_sessions(request, text);
    retort_free(text);
    return buf_json(result, own) < 0 ? err_memory(error) : 0;
}

int handle_ledger_result(struct request *request, struct buf *result, struct retort_error *error) {
    char *text;
    int r = history_check_owner(request, session_param(request), error);

    if (r >= 0)
        r = retort_recorded(request->serve->engine, session_param(request),
                            (uint64_t)history_param_int(request, "entry", 0), &text, error);
    return r < 0 ? r : history_give_text(result, text, error);
}

int handle_ledger_export(struct request *request, struct buf *result, struct retort_error *error) {
    const char *format = json_string_value(json_object_get(request->params, "format"));
    char *text;
    int r = history_check_owner(request, session_param(request), error);

    if (r >= 0)
        r = retort_export(request->serve->engine, session_param(request), format, &text, error);
    if (r < 0)
        return r;
    r = buf_adds(result, "{\"text\":") < 0 || buf_json_string(result, text, strlen(text)) < 0 ||
        buf_adds(result, "}") < 0;
    retort_free(text);
    return r ? err_set(error, ERR_LIMIT, EFBIG, "the document is too large for a reply") : 0;
}

static int give_report(struct buf *result, const char *name, bool verdict, char *text,
                       struct retort_error *error) {
    int r = buf_printf(result, "{\"%s\":%s,\"report\":%s}", name, verdict ? "true" : "false", text);

    retort_free(text);
    return r < 0 ? err_memory(error) : 0;
}

int handle_session_check(struct request *request, struct buf *result, struct retort_error *error) {
    const char *answer = json_string_value(json_object_get(request->params, "answer"));
    const char *question = json_string_value(json_object_get(request->params, "question"));
    const char *id = session_param(request);
    struct hosted *hosted = registry_get(request->serve->registry, request->peer->owner, id);
    char *text = NULL;
    int r = hosted ? 0 : history_check_owner(request, id, error);

    if (r >= 0)
        r = retort_check(request->serve->engine, id, question, answer, &text, error);
    if (hosted)
        registry_unref(request->serve->registry, hosted);
    return r < 0 ? r : history_give_text(result, text, error);
}

int handle_ledger_verify(struct request *request, struct buf *result, struct retort_error *error) {
    const char *head = json_string_value(json_object_get(request->params, "head"));
    bool sound;
    char *text;
    int r = history_check_owner(request, session_param(request), error);

    if (r >= 0)
        r = retort_verify(request->serve->engine, session_param(request), head, &sound, &text,
                          error);
    return r < 0 ? r : give_report(result, "sound", sound, text, error);
}

/* An event of a session that need not be live: only its id and its owner are used. */
static void tell_replaying(void *user, unsigned done, unsigned total, const char *verdict) {
    struct request *request = user;
    struct hosted about = {.next = NULL};
    struct serve_event event = SERVE_EVENT(EVENT_REPLAY, &about);
    scoped_buf text = BUF_INIT(MAX_EVENT);

    if (buf_printf(&text, "\"done\":%u,\"total\":%u,\"verdict\":%s", done, total, verdict) < 0)
        return;
    snprintf(about.id, sizeof about.id, "%s", session_param(request));
    snprintf(about.owner, sizeof about.owner, "%s", request->peer->owner);
    event.text = text.data;
    event.len = text.len;
    serve_notify(request->serve, request->peer, &event);
}

int handle_ledger_replay(struct request *request, struct buf *result, struct retort_error *error) {
    bool equal;
    char *text;
    int r = history_check_owner(request, session_param(request), error);

    if (r >= 0)
        r = retort_replay(request->serve->engine, session_param(request), tell_replaying, request,
                          &equal, &text, error);
    return r < 0 ? r : give_report(result, "equal", equal, text, error);
}

int handle_session_resume(struct request *request, struct buf *result, struct retort_error *error) {
    const char *id = session_param(request);
    struct hosted *hosted = registry_get(request->serve->registry, request->peer->owner, id);
    char *info;
    int r = hosted ? 0 : history_check_owner(request, id, error);

    if (r >= 0 && !hosted)
        r = session_resume(request->serve, request->peer, id, &hosted, error);
    if (r < 0)
        return r;
    info = retort_session_info(hosted->session);
    registry_unref(request->serve->registry, hosted);
    return info ? history_give_text(result, info, error) : err_memory(error);
}
