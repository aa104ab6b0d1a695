#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "serve/hosted/clustered.h"
#include "serve/hosted/fault.h"
#include "serve/hosted/json.h"
#include "serve/mcp/mcp_consent.h"
#include "serve/mcp/mcp_retort.h"
#include "serve/mcp/mcp_tool.h"

#define MAX_GIVEN 20 /* files that a note names */
#define WAIT_S 1     /* how often we look whether the client should hear that its call waits */

struct serve *visit_serve(const struct mcp_call *call) {
    return ((const struct mcp_place *)mcp_user(call))->serve;
}

const char *mcp_argument(const json_t *arguments, const char *name) {
    const char *text = json_string_value(json_object_get(arguments, name));

    return text ? text : "";
}

json_t *mcp_text_block(const char *text) {
    return json_pack("{s:s, s:o}", "type", "text", "text", serve_json_string(text));
}

void mcp_failure_text(const struct retort_error *error, char text[FAILURE_TEXT]) {
    snprintf(text, FAILURE_TEXT, "%s%s%s",
             error->message[0] ? error->message : "no reason was given",
             error->hint[0] ? "\n[hint] " : "", error->hint);
}

json_t *mcp_failure(const struct retort_error *error) {
    char text[FAILURE_TEXT];

    mcp_failure_text(error, text);
    return mcp_text_result(text, true);
}

/* --- the client's own session --- */

#define OWN_KIND "mcpown" /* the kind of value kept in a cluster: a client's own session */

static void own_keep(struct mcp_call *call, const struct hosted *hosted) {
    struct clustered *c = visit_serve(call)->clustered;
    scoped_json *value = c ? json_pack("{s:s}", "session", hosted->id) : NULL;
    uint64_t version = CLUSTERED_ANY;
    char key[MCP_KEY];

    if (!value)
        return;
    mcp_session_key(call, key);
    c->keep(c, OWN_KIND, key, value, &version);
}

/* In a cluster, another node may have served this client before, or has its session. */
static void own_find(struct mcp_call *call, struct peer *peer, void **data) {
    struct serve *serve = visit_serve(call);
    struct clustered *c = serve->clustered;
    char key[MCP_KEY], id[64] = "";
    json_t *found = NULL;
    uint64_t version;

    if (!c)
        return;
    mcp_lock(call);
    if (*data)
        snprintf(id, sizeof id, "%s", ((struct hosted *)*data)->id);
    mcp_unlock(call);
    mcp_session_key(call, key);
    if (!id[0] && c->kept(c, OWN_KIND, key, &found, &version) == 0) {
        snprintf(id, sizeof id, "%s", mcp_argument(found, "session"));
        json_decref(found);
    }
    struct hosted *hosted = id[0] ? clustered_get(serve, peer, id) : NULL, *before = NULL;
    if (!hosted)
        return;
    mcp_lock(call);
    before = *data;
    *data = hosted;
    mcp_unlock(call);
    registry_unref(serve->registry, before);
}

/* With a reference; NULL if the client has none. *ret_lost: it had one, which was closed without
 * its doing. */
static struct hosted *own_session(struct mcp_call *call, struct peer *peer, bool *ret_lost) {
    struct registry *registry = visit_serve(call)->registry;
    void **data = mcp_session_data(call);
    struct hosted *hosted = NULL, *gone = NULL;

    if (!data)
        return NULL;
    own_find(call, peer, data);
    mcp_lock(call);
    if (*data) {
        hosted = registry_get(registry, mcp_owner(call), ((struct hosted *)*data)->id);
        if (!hosted) {
            gone = *data;
            *data = NULL;
        }
    }
    mcp_unlock(call);
    *ret_lost = gone != NULL;
    registry_unref(registry, gone);
    return hosted;
}

/* Makes the session the client's own. If another call has made one meanwhile, returns that one,
 * unless `replace`. */
static struct hosted *keep_session(struct mcp_call *call, struct hosted *hosted, bool replace) {
    struct registry *registry = visit_serve(call)->registry;
    void **data = mcp_session_data(call);
    struct hosted *unwanted;

    if (!data)
        return hosted;
    mcp_lock(call);
    unwanted = replace || !*data ? *data : hosted;
    if (unwanted != hosted)
        *data = registry_get(registry, mcp_owner(call), hosted->id);
    else
        hosted = registry_get(registry, mcp_owner(call), ((struct hosted *)*data)->id);
    mcp_unlock(call);
    own_keep(call, hosted);
    if (unwanted) {
        session_end(visit_serve(call), unwanted);
        registry_unref(registry, unwanted);
    }
    return hosted;
}

static struct hosted *new_session(struct visit *visit, bool replace, struct retort_error *error) {
    struct hosted *hosted;

    if (session_make(visit_serve(visit->call), &visit->peer, NULL, &hosted, error) < 0)
        return NULL;
    visit->fresh = true;
    return keep_session(visit->call, hosted, replace);
}

void visit_ended(void *user, void *data) {
    struct serve *serve = ((const struct mcp_place *)user)->serve;

    if (!data)
        return;
    session_stop(serve, data);
    session_end(serve, data);
    registry_unref(serve->registry, data);
}

/* --- messages while a call runs --- */

/* Output becomes log messages and progress; MCP has no messages for the rest. */
void visit_tell(struct mcp_call *call, struct progress *progress, const struct serve_event *event) {
    if (event->kind != EVENT_OUTPUT)
        return;
    if (mcp_wants_log(call, "info"))
        mcp_log(call, "info", serve_event_stream(event),
                serve_json_stringn(event->text, event->len));
    progress_output(progress, event->text, event->len);
}

static void visit_send(struct peer *peer, struct serve_event *event) {
    struct visit *visit = (struct visit *)peer;

    visit_tell(visit->call, &visit->progress, event);
}

static void visit_tick(struct peer *peer) {
    progress_tick(&((struct visit *)peer)->progress, "running");
}

static void visit_init(struct visit *visit, struct mcp_call *call) {
    *visit = (struct visit){.peer = *mcp_peer(call), .call = call, .note = BUF_INIT(MAX_REPLY)};
    visit->peer.send = NULL;
    visit->peer.forwarded = false; /* this node asks for the client's sessions itself */
    visit->peer.door = "mcp";
    visit->peer.mute = true;
    visit->peer.consult = consent_ask;
    visit->peer.consulted = consent_asked;
    visit->peer.tick = mcp_wants_progress(call) ? visit_tick : NULL;
    if (mcp_wants_progress(call) || mcp_wants_log(call, "info"))
        visit->peer.send = visit_send;
}

/* --- visiting --- */

static bool visit_find_session(struct visit *visit, const json_t *arguments) {
    const char *id = mcp_argument(arguments, "session");

    visit->hosted = id[0] ? clustered_get(visit_serve(visit->call), &visit->peer, id)
                          : own_session(visit->call, &visit->peer, &visit->lost);
    return visit->hosted != NULL;
}

static void choose_session(struct visit *visit, const json_t *arguments, enum visit_wish wish,
                           struct retort_error *error) {
    bool named = mcp_argument(arguments, "session")[0];
    bool found = visit_find_session(visit, arguments);

    if (!found && named)
        err_set(error, ERR_CALLER, ENOENT,
                "There is no such session (any more). Leave `session` out to go on in your own.");
    else if (!found && wish == VISIT_OLD)
        err_set(error, ERR_CALLER, ENOENT, "There is no session yet: run_code makes one.");
    else if (!found)
        visit->hosted = new_session(visit, false, error);
}

int visit_join(struct visit *visit, struct mcp_call *call, const json_t *arguments,
               enum visit_wish wish, json_t **ret_result) {
    struct retort_error error = {0};

    visit_init(visit, call);
    mcp_await_turn(call);
    choose_session(visit, arguments, wish, &error);
    if (visit->hosted)
        visit->ticket = registry_ticket(visit_serve(call)->registry, visit->hosted);
    mcp_pass_turn(call);
    if (!visit->hosted)
        *ret_result = mcp_failure(&error);
    return visit->hosted ? 0 : -1;
}

/* Names the files that the server puts into every new session. */
static void add_given_files(struct visit *visit) {
    struct retort_error error;
    char *text;
    size_t i;
    json_t *file;

    if (!visit_serve(visit->call)->defaults ||
        retort_file_list(visit->hosted->session, &text, &error) < 0)
        return;
    scoped_json *list = json_in_text(text, 0, NULL);
    retort_free(text);
    json_array_foreach(list, i, file) {
        if (i >= MAX_GIVEN) {
            buf_adds(&visit->note, " …");
            break;
        }
        buf_printf(&visit->note, "%s%s", i ? ", " : "; files: ", mcp_argument(file, "path"));
    }
}

/* The handle is worth its tokens only if the session is new, or if there is more than one. */
static void make_note(struct visit *visit) {
    if (visit->fresh) {
        buf_printf(&visit->note, "[new session %s: %s", visit->hosted->id,
                   visit->lost ? "the one before was closed, its variables and files are gone"
                               : "nothing of earlier calls is in it");
        add_given_files(visit);
        buf_adds(&visit->note, "]");
    } else if (registry_owned(visit_serve(visit->call)->registry, visit->peer.owner) > 1) {
        buf_printf(&visit->note, "[session %s]", visit->hosted->id);
    }
}

void visit_enter(struct visit *visit) {
    struct registry *registry = visit_serve(visit->call)->registry;

    progress_begin(&visit->progress, visit->call, "running");
    while (!registry_enter_within(registry, visit->hosted, visit->ticket, WAIT_S))
        progress_tick(&visit->progress, "waiting for the call before");
    make_note(visit);
}

void visit_leave(struct visit *visit) {
    registry_leave(visit_serve(visit->call)->registry, visit->hosted);
    registry_unref(visit_serve(visit->call)->registry, visit->hosted);
    buf_done(&visit->note);
}

json_t *visit_result(const struct visit *visit, json_t *content, bool is_error) {
    if (visit->note.len)
        json_array_append_new(content, mcp_text_block(visit->note.data));
    mcp_result_head(content);
    return json_pack("{s:o, s:b}", "content", content, "isError", is_error);
}

/* --- starting afresh --- */

/* Whether the session is the client's own, or NULL. */
static bool is_own(struct mcp_call *call, const struct hosted *hosted) {
    void **data = mcp_session_data(call);
    bool own;

    mcp_lock(call);
    own = data && (!hosted || *data == hosted);
    mcp_unlock(call);
    return own;
}

static struct hosted *fresh_session(struct visit *visit, bool own, struct retort_error *error) {
    struct hosted *hosted;

    if (own)
        return new_session(visit, true, error);
    return session_make(visit_serve(visit->call), &visit->peer, NULL, &hosted, error) < 0 ? NULL
                                                                                          : hosted;
}

static void end_session(struct mcp_call *call, struct hosted *hosted) {
    session_stop(visit_serve(call), hosted);
    session_end(visit_serve(call), hosted);
}

int visit_reset(struct mcp_call *call, const json_t *arguments, json_t **ret_result) {
    struct retort_error error = {0};
    struct visit visit;
    struct hosted *old, *fresh;
    char text[120];
    bool own;

    visit_init(&visit, call);
    mcp_await_turn(call);
    if (!visit_find_session(&visit, arguments) && mcp_argument(arguments, "session")[0]) {
        *ret_result = mcp_text_result("There is no such session (any more).", true);
        return 0;
    }
    old = visit.hosted;
    own = is_own(call, old);
    fresh = fresh_session(&visit, own, &error);
    if (old && !fresh && error.fault == ERR_LIMIT) { /* its old session takes the last place */
        end_session(call, old);
        fresh = fresh_session(&visit, own, &error);
    } else if (old && fresh) {
        end_session(call, old);
    }
    registry_unref(visit_serve(call)->registry, old);
    if (!fresh) {
        *ret_result = mcp_failure(&error);
        return 0;
    }
    snprintf(text, sizeof text, "New, empty session: %s", fresh->id);
    *ret_result = mcp_text_result(text, false);
    registry_unref(visit_serve(call)->registry, fresh);
    return 0;
}
