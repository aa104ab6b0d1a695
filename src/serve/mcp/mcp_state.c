#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/jsonwhole.h"
#include "base/list.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/thread.h"
#include "serve/hosted/json.h"
#include "serve/mcp/mcp_impl.h"
#include "serve/mcp/mcp_kept.h"

/* NULL if one of the schemas is no JSON, or memory is out. */
static json_t *parse_schemas(const struct mcp_tool *tools) {
    json_t *list = json_array();

    for (; list && tools && tools->name; tools++)
        if (json_array_append_new(list, json_in_text(tools->input_schema, 0, NULL)) < 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

struct mcp *mcp_new(const struct mcp_table *table) {
    struct mcp *mcp = calloc(1, sizeof *mcp);

    if (mcp)
        mcp->schemas = parse_schemas(table->tools);
    if (!mcp || !mcp->schemas) {
        free(mcp);
        return NULL;
    }
    mcp->table = table;
    pthread_mutex_init(&mcp->lock, NULL);
    cond_init_monotonic(&mcp->change);
    return mcp;
}

/* --- sessions --- */

static void mcp_session_free(struct mcp *mcp, struct mcp_session *session) {
    if (mcp->table->session_ended)
        mcp->table->session_ended(mcp->table->user, session->data);
    json_decref(session->capabilities);
    json_decref(session->subscriptions);
    free(session);
}

void mcp_free(struct mcp *mcp) {
    if (!mcp)
        return;
    mcp_stop(mcp);
    pthread_mutex_lock(&mcp->lock);
    while (mcp->calls) /* forked calls may still be open */
        pthread_cond_wait(&mcp->change, &mcp->lock);
    pthread_mutex_unlock(&mcp->lock);
    for (struct mcp_session *session = mcp->sessions, *next; session; session = next) {
        next = session->next;
        mcp_session_free(mcp, session);
    }
    pthread_cond_destroy(&mcp->change);
    pthread_mutex_destroy(&mcp->lock);
    json_decref(mcp->schemas);
    free(mcp);
}

static int random_id(char *id, size_t size) {
    unsigned char bytes[16];

    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return -EIO;
    for (size_t i = 0; i < sizeof bytes && 2 * i + 2 < size; i++)
        snprintf(id + 2 * i, 3, "%02x", bytes[i]);
    return 0;
}

/* Under the lock. */
static bool is_idle(const struct mcp *mcp, const struct mcp_session *session) {
    for (const struct mcp_call *call = mcp->calls; call; call = call->next)
        if (call->session == session)
            return false;
    return !session->link;
}

/* Makes room for one more. */
static bool mcp_make_room(struct mcp *mcp, const char *owner) {
    struct mcp_session *oldest = NULL;
    unsigned count = 0;

    pthread_mutex_lock(&mcp->lock);
    for (struct mcp_session *s = mcp->sessions; s; s = s->next) {
        if (s->home || strcmp(s->owner, owner) != 0)
            continue;
        count++;
        if ((!oldest || s->used < oldest->used) && is_idle(mcp, s))
            oldest = s;
    }
    if (oldest && count >= MAX_MCP_SESSIONS)
        oldest->refs++;
    pthread_mutex_unlock(&mcp->lock);
    if (count < MAX_MCP_SESSIONS)
        return true;
    if (oldest)
        mcp_session_end(mcp, oldest);
    mcp_session_unref(mcp, oldest);
    return oldest != NULL;
}

static struct mcp_session *mcp_session_alloc(const char *owner) {
    struct mcp_session *session = calloc(1, sizeof *session);

    if (!session || random_id(session->id, sizeof session->id) < 0) {
        free(session);
        return NULL;
    }
    session->refs = 2; /* one for the list, one for the caller */
    session->subscriptions = json_object();
    snprintf(session->version, sizeof session->version, "%s", "2025-03-26");
    snprintf(session->owner, sizeof session->owner, "%s", owner);
    return session;
}

/* Under the lock. */
static void list_session(struct mcp *mcp, struct mcp_session *session) {
    session->used = ++mcp->uses;
    session->next = mcp->sessions;
    mcp->sessions = session;
}

struct mcp_session *mcp_session_make(struct mcp *mcp, const char *owner) {
    struct mcp_session *session = mcp_make_room(mcp, owner) ? mcp_session_alloc(owner) : NULL;

    if (!session)
        return NULL;
    pthread_mutex_lock(&mcp->lock);
    list_session(mcp, session);
    pthread_mutex_unlock(&mcp->lock);
    return session;
}

json_t *mcp_session_state(const struct mcp_session *session) {
    json_t *state = json_pack("{s:s s:s s:i}", "owner", session->owner, "version", session->version,
                              "log_level", session->log_level);

    if (state && session->capabilities)
        json_object_set(state, "capabilities", session->capabilities);
    return state;
}

void mcp_session_restore(struct mcp *mcp, const char *id, const json_t *state) {
    const char *owner = json_string_value(json_object_get(state, "owner")),
               *version = json_string_value(json_object_get(state, "version"));
    struct mcp_session *session = mcp_make_room(mcp, owner) ? mcp_session_alloc(owner) : NULL;

    if (!session)
        return;
    snprintf(session->id, sizeof session->id, "%s", id);
    snprintf(session->version, sizeof session->version, "%s", version ? version : "");
    session->log_level = (int)json_integer_value(json_object_get(state, "log_level"));
    session->capabilities = json_deep_copy(json_object_get(state, "capabilities"));
    pthread_mutex_lock(&mcp->lock);
    list_session(mcp, session);
    pthread_mutex_unlock(&mcp->lock);
    mcp_session_unref(mcp, session);
}

void mcp_home_key(const char *owner, char key[MCP_KEY]) {
    snprintf(key, MCP_KEY, "home-%.56s", owner);
}

void mcp_session_key(const struct mcp_call *call, char key[MCP_KEY]) {
    key[0] = 0;
    if (call->home && call->home->home)
        mcp_home_key(call->home->owner, key);
    else if (call->home)
        snprintf(key, MCP_KEY, "%s", call->home->id);
}

bool mcp_version_is_modern(const char *version) {
    return strcmp(version, MCP_MODERN) == 0;
}

struct mcp_session *mcp_home(struct mcp *mcp, const char *owner) {
    struct mcp_session *home;

    pthread_mutex_lock(&mcp->lock);
    for (home = mcp->sessions; home; home = home->next)
        if (home->home && strcmp(home->owner, owner) == 0)
            break;
    if (home) {
        home->refs++;
    } else if ((home = mcp_session_alloc(owner))) {
        home->home = true;
        list_session(mcp, home);
    }
    pthread_mutex_unlock(&mcp->lock);
    return home;
}

struct mcp_session *mcp_session_new(struct mcp *mcp, const char *owner, struct mcp_link *link) {
    struct mcp_session *session = mcp_session_make(mcp, owner);

    if (session)
        session->link = link;
    return session;
}

struct mcp_session *mcp_session_find(struct mcp *mcp, const char *owner, const char *id) {
    struct mcp_session *session;

    pthread_mutex_lock(&mcp->lock);
    for (session = mcp->sessions; session; session = session->next)
        if (strcmp(session->id, id) == 0 && strcmp(session->owner, owner) == 0) {
            session->refs++;
            session->used = ++mcp->uses;
            break;
        }
    pthread_mutex_unlock(&mcp->lock);
    return session;
}

const char *mcp_session_id(const struct mcp_session *session) {
    return session->id;
}

bool mcp_session_attach(struct mcp *mcp, struct mcp_session *session, struct mcp_link *link) {
    bool free_place;

    pthread_mutex_lock(&mcp->lock);
    free_place = !link || (!session->link && !session->ended);
    if (free_place)
        session->link = link;
    pthread_mutex_unlock(&mcp->lock);
    return free_place;
}

bool mcp_session_is_over(struct mcp *mcp, const struct mcp_session *session) {
    bool over;

    pthread_mutex_lock(&mcp->lock);
    over = session->ended || mcp->stopping;
    pthread_mutex_unlock(&mcp->lock);
    return over;
}

void mcp_session_unref(struct mcp *mcp, struct mcp_session *session) {
    if (session && last_reference(&mcp->lock, &session->refs))
        mcp_session_free(mcp, session);
}

/* Under the lock. */
static bool unlist(struct mcp *mcp, struct mcp_session *session) {
    for (struct mcp_session **at = &mcp->sessions; *at; at = &(*at)->next)
        if (*at == session) {
            *at = session->next;
            session->ended = true;
            return true;
        }
    return false;
}

/* --- cancelling --- */

/* Under the layer's lock, which keeps the call from being freed. */
static void cancel(struct mcp_call *call) {
    pthread_mutex_lock(&call->cancel_lock);
    if (!call->cancelled && call->on_cancel)
        call->on_cancel(call->cancel_arg);
    call->cancelled = true;
    pthread_mutex_unlock(&call->cancel_lock);
    pthread_cond_broadcast(&call->mcp->change);
    if (call->behind)
        cancel(call->behind);
}

void mcp_call_lean(struct mcp_call *call, struct mcp_call *on) {
    pthread_mutex_lock(&call->mcp->lock);
    call->behind = on;
    if (on && call->cancelled)
        cancel(on);
    pthread_mutex_unlock(&call->mcp->lock);
}

static void send_nowhere(struct mcp_link *link, const char *text, size_t len) {
    (void)link, (void)text, (void)len;
}

struct mcp_call *mcp_call_fork(const struct mcp_call *call) {
    static struct mcp_link nowhere = {send_nowhere};
    struct mcp_call *fork = calloc(1, sizeof *fork);
    char *id = strdup("-"); /* not JSON, so that no client cancels the call by its id */

    if (!fork || !id) {
        free(fork);
        free(id);
        return NULL;
    }
    *fork = (struct mcp_call){.mcp = call->mcp,
                              .session = call->session,
                              .home = call->home,
                              .peer = call->peer,
                              .link = &nowhere,
                              .msg.id = id,
                              .modern = call->modern,
                              .forked = true,
                              .log_level = -1};
    memcpy(fork->version, call->version, sizeof fork->version);
    pthread_mutex_init(&fork->cancel_lock, NULL);
    pthread_mutex_lock(&call->mcp->lock);
    if (fork->session)
        fork->session->refs++;
    if (fork->home)
        fork->home->refs++;
    pthread_mutex_unlock(&call->mcp->lock);
    mcp_call_open(fork);
    return fork;
}

void mcp_on_cancel(struct mcp_call *call, void (*cancel_it)(void *arg), void *arg) {
    pthread_mutex_lock(&call->cancel_lock);
    call->on_cancel = cancel_it;
    call->cancel_arg = arg;
    if (call->cancelled)
        cancel_it(arg);
    pthread_mutex_unlock(&call->cancel_lock);
}

void mcp_no_cancel(struct mcp_call *call) {
    pthread_mutex_lock(&call->cancel_lock);
    call->on_cancel = NULL;
    pthread_mutex_unlock(&call->cancel_lock);
}

void mcp_call_cancel(struct mcp_call *call) {
    pthread_mutex_lock(&call->mcp->lock);
    cancel(call);
    pthread_mutex_unlock(&call->mcp->lock);
}

static void cancel_all(struct mcp *mcp, const struct mcp_session *session) {
    for (struct mcp_call *call = mcp->calls; call; call = call->next)
        if (!session || call->session == session)
            cancel(call);
}

void mcp_session_end(struct mcp *mcp, struct mcp_session *session) {
    bool listed;

    pthread_mutex_lock(&mcp->lock);
    listed = unlist(mcp, session);
    cancel_all(mcp, session);
    pthread_mutex_unlock(&mcp->lock);
    if (listed)
        mcp_session_unref(mcp, session);
}

void mcp_stop(struct mcp *mcp) {
    pthread_mutex_lock(&mcp->lock);
    mcp->stopping = true;
    cancel_all(mcp, NULL);
    pthread_cond_broadcast(&mcp->change);
    pthread_mutex_unlock(&mcp->lock);
}

/* For a question for which no thread waits; under the lock. */
static void settle_ask(struct mcp_ask *ask, const json_t *result) {
    if (ask->answered && !ask->done) {
        ask->done = true;
        ask->answered(ask->user, result);
    }
}

void mcp_input_ended(struct mcp *mcp) {
    pthread_mutex_lock(&mcp->lock);
    mcp->input_ended = true;
    for (struct mcp_ask *ask = mcp->asks; ask; ask = ask->next)
        settle_ask(ask, NULL);
    pthread_cond_broadcast(&mcp->change);
    pthread_mutex_unlock(&mcp->lock);
}

/* A client may cancel only calls of its own session, or (modern, stdio) of its own connection. */
static bool may_cancel(const struct mcp_call *from, const struct mcp_call *call) {
    if (strcmp(from->peer.owner, call->peer.owner) != 0)
        return false;
    return from->session ? from->session == call->session : from->link == call->link;
}

void mcp_cancel_request(struct mcp_call *from, const json_t *id) {
    struct mcp *mcp = from->mcp;
    scoped_free char *text = id ? serve_json_text(id) : NULL;

    pthread_mutex_lock(&mcp->lock);
    for (struct mcp_call *call = mcp->calls; call && text; call = call->next)
        if (strcmp(call->msg.id, text) == 0 && may_cancel(from, call))
            cancel(call);
    pthread_mutex_unlock(&mcp->lock);
}

void mcp_call_open(struct mcp_call *call) {
    struct mcp *mcp = call->mcp;

    pthread_mutex_lock(&mcp->lock);
    call->next = mcp->calls;
    mcp->calls = call;
    call->open = true;
    pthread_mutex_unlock(&mcp->lock);
}

void mcp_call_shut(struct mcp_call *call) {
    struct mcp *mcp = call->mcp;

    if (!call->open)
        return;
    pthread_mutex_lock(&mcp->lock);
    LIST_DROP(mcp->calls, call, next);
    call->open = false;
    if (call->in_turn || call->forked)
        pthread_cond_broadcast(&mcp->change);
    pthread_mutex_unlock(&mcp->lock);
}

/* Called under the lock. Calls are listed youngest first: those further down the list are older. */
static bool is_turn_of(const struct mcp_call *call) {
    for (const struct mcp_call *older = call->next; older; older = older->next)
        if (older->in_turn && older->home == call->home)
            return false;
    return true;
}

void mcp_await_turn(struct mcp_call *call) {
    pthread_mutex_lock(&call->mcp->lock);
    while (call->in_turn && !is_turn_of(call))
        pthread_cond_wait(&call->mcp->change, &call->mcp->lock);
    pthread_mutex_unlock(&call->mcp->lock);
}

void mcp_pass_turn(struct mcp_call *call) {
    pthread_mutex_lock(&call->mcp->lock);
    if (call->in_turn)
        pthread_cond_broadcast(&call->mcp->change);
    call->in_turn = false;
    pthread_mutex_unlock(&call->mcp->lock);
}

void mcp_wait_for_end(struct mcp_call *call) {
    struct mcp *mcp = call->mcp;

    pthread_mutex_lock(&mcp->lock);
    while (!call->cancelled && !mcp->stopping && !mcp->input_ended)
        pthread_cond_wait(&mcp->change, &mcp->lock);
    pthread_mutex_unlock(&mcp->lock);
}

/* --- talking to the client --- */

void mcp_send_note(struct mcp_link *link, const char *method, json_t *params) {
    scoped_json *note =
        json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", params);
    scoped_buf text = BUF_INIT(MAX_REPLY);

    if (note && buf_json(&text, note) >= 0)
        link->send(link, text.data, text.len);
}

static struct mcp_ask *find_ask(struct mcp_call *from) {
    struct mcp_ask *ask;

    for (ask = from->mcp->asks; ask; ask = ask->next)
        if (strcmp(ask->id, from->msg.id) == 0 && ask->call->session == from->session)
            break;
    return ask;
}

void mcp_settle(struct mcp_call *from) {
    struct mcp *mcp = from->mcp;
    struct mcp_ask *ask;

    pthread_mutex_lock(&mcp->lock);
    ask = find_ask(from);
    if (ask && ask->answered)
        settle_ask(ask, from->msg.is_error ? NULL : from->msg.result);
    else if (ask && !ask->done) {
        ask->done = true;
        ask->result = from->msg.is_error ? NULL : json_incref(from->msg.result);
        pthread_cond_broadcast(&mcp->change);
    }
    pthread_mutex_unlock(&mcp->lock);
}

static void send_ask(struct mcp_ask *ask, const char *method, json_t *params) {
    scoped_json *request = json_pack("{s:s, s:s, s:s, s:o}", "jsonrpc", "2.0", "id", "", "method",
                                     method, "params", params);
    scoped_json *id = json_in_text(ask->id, JSON_DECODE_ANY, NULL);
    scoped_buf text = BUF_INIT(MAX_REPLY);

    json_object_set(request, "id", id);
    if (request && buf_json(&text, request) >= 0)
        ask->call->link->send(ask->call->link, text.data, text.len);
}

static int wait_for_ask(struct mcp *mcp, struct mcp_ask *ask) {
    struct timespec end;

    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += MCP_ASK_SECONDS;
    pthread_mutex_lock(&mcp->lock);
    while (!ask->done && !ask->call->cancelled && !mcp->stopping && !mcp->input_ended)
        if (pthread_cond_timedwait(&mcp->change, &mcp->lock, &end) == ETIMEDOUT)
            break;
    LIST_DROP(mcp->asks, ask, next);
    pthread_mutex_unlock(&mcp->lock);
    return !ask->done ? -ETIMEDOUT : ask->result ? 0 : -ECONNREFUSED;
}

static void open_ask(struct mcp *mcp, struct mcp_ask *ask) {
    pthread_mutex_lock(&mcp->lock);
    snprintf(ask->id, sizeof ask->id, "%llu", ++mcp->last_ask);
    ask->next = mcp->asks;
    mcp->asks = ask;
    if (mcp->input_ended)
        settle_ask(ask, NULL);
    pthread_mutex_unlock(&mcp->lock);
}

struct mcp_ask *mcp_ask_begin(struct mcp_call *call, const char *method, json_t *params,
                              mcp_answered *answered, void *user) {
    struct mcp_ask *ask = calloc(1, sizeof *ask);

    if (!ask) {
        json_decref(params);
        return NULL;
    }
    *ask = (struct mcp_ask){.call = call, .answered = answered, .user = user};
    open_ask(call->mcp, ask);
    send_ask(ask, method, params);
    return ask;
}

void mcp_ask_end(struct mcp_ask *ask) {
    struct mcp *mcp = ask->call->mcp;

    pthread_mutex_lock(&mcp->lock);
    LIST_DROP(mcp->asks, ask, next);
    bool open = !ask->done;
    pthread_mutex_unlock(&mcp->lock);
    if (open)
        mcp_send_note(ask->call->link, "notifications/cancelled",
                      json_pack("{s:I, s:s}", "requestId", (json_int_t)strtoll(ask->id, NULL, 10),
                                "reason", "it was decided otherwise, or not in time"));
    free(ask);
}

int mcp_ask(struct mcp_call *call, const char *method, json_t *params, json_t **ret_result) {
    struct mcp *mcp = call->mcp;
    struct mcp_ask ask = {.call = call};
    int r;

    open_ask(mcp, &ask);
    send_ask(&ask, method, params);
    r = wait_for_ask(mcp, &ask);
    if (r < 0)
        json_decref(ask.result);
    else
        *ret_result = ask.result;
    return r;
}

/* --- changes --- */

static const struct {
    const char *method, *filter;
} changes[] = {
    [MCP_TOOLS] = {"notifications/tools/list_changed", "toolsListChanged"},
    [MCP_PROMPTS] = {"notifications/prompts/list_changed", "promptsListChanged"},
    [MCP_RESOURCES] = {"notifications/resources/list_changed", "resourcesListChanged"},
    [MCP_RESOURCE] = {"notifications/resources/updated", "resourceSubscriptions"},
};

static bool filter_asks(const json_t *filter, enum mcp_change change, const char *uri) {
    const json_t *wanted = json_object_get(filter, changes[change].filter);
    size_t i;
    json_t *one;

    if (change != MCP_RESOURCE)
        return json_is_true(wanted);
    json_array_foreach(wanted, i, one) {
        if (json_is_string(one) && strcmp(json_string_value(one), uri) == 0)
            return true;
    }
    return false;
}

static json_t *change_params(const char *uri) {
    json_t *params = json_object();

    if (uri)
        json_object_set_new(params, "uri", json_string(uri));
    return params;
}

static void tell_listener(struct mcp_call *call, enum mcp_change change, const char *uri) {
    json_t *params = change_params(uri);

    json_object_set_new(
        params, "_meta",
        json_pack("{s:O}", META("subscriptionId"), json_object_get(call->msg.root, "id")));
    mcp_send_note(call->link, changes[change].method, params);
}

void mcp_changed(struct mcp *mcp, enum mcp_change change, const char *uri) {
    pthread_mutex_lock(&mcp->lock);
    for (struct mcp_session *session = mcp->sessions; session; session = session->next)
        if (session->link &&
            (change != MCP_RESOURCE || json_object_get(session->subscriptions, uri)))
            mcp_send_note(session->link, changes[change].method, change_params(uri));
    for (struct mcp_call *call = mcp->calls; call; call = call->next)
        if (call->filter && filter_asks(call->filter, change, uri))
            tell_listener(call, change, uri);
    pthread_mutex_unlock(&mcp->lock);
}
