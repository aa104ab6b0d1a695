/* On which node a call is served. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/io.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/api/clusterapi.h"
#include "serve/cluster/passing.h"
#include "serve/hosted/sessions.h"

#define AGAIN_US 50000

static struct cluster_door *door_of(struct clustered *c) {
    return (struct cluster_door *)(void *)c;
}

bool route_here(struct clustered *c, const char *session) {
    return cluster_may_answer(door_of(c)->cluster, session);
}

/* The session leaves this node; what runs in it is stopped. Nothing of that is recorded. */
static void evict(struct serve *serve, struct hosted *hosted) {
    session_stop(serve, hosted);
    registry_remove(serve->registry, hosted);
}

static bool evict_lost(struct cluster_door *door, struct hosted *hosted, int *ret_why) {
    if (!cluster_lost(door->cluster, hosted->id, ret_why))
        return false;
    evict(door->serve, hosted);
    return true;
}

/* If this host failed (a full disk, dead processes), the session may not be as the log says. */
static bool host_failed(struct hosted *hosted, int r, const struct retort_error *error) {
    return r < 0 && ((error->fault == ERR_HOST && error->code != ESHUTDOWN) ||
                     session_has_ended(hosted->session));
}

int route_settle(struct clustered *c, struct hosted *hosted, int r, struct retort_error *error) {
    struct cluster_door *door = door_of(c);
    int why;

    if (evict_lost(door, hosted, &why))
        return why == -ENOSPC
                   ? err_set(error, ERR_HOST, ENOSPC,
                             "the cluster's log is full: this does not count, and nothing new is "
                             "taken until there is room")
                   : err_set(error, ERR_HOST, EIO,
                             "the cluster's log has not acknowledged this: it may or may not have "
                             "been done. "
                             "Ask again with the same request id, any node answers");
    if (!host_failed(hosted, r, error) || !cluster_has(door->cluster, hosted->id))
        return r;
    cluster_release(door->cluster, hosted->id);
    evict(door->serve, hosted);
    if (error->fault != ERR_HOST)
        r = err_set(error, ERR_HOST, EIO,
                    "the session ended on this node: ask again, any node brings it back");
    return r;
}

/* Stops at the first session whose place nobody can tell, and tries again in the next second. */
static void *sweep_main(void *user) {
    struct cluster_door *door = user;
    scoped_free struct hosted **list = NULL;
    uint64_t term = cluster_term(door->cluster);
    size_t n = registry_list(door->serve->registry, NULL, &list);
    int r = 0;

    for (size_t i = 0; i < n; i++) {
        enum cluster_place place;
        char node[NODE_SIZE];
        struct retort_error ignored;

        if (r == 0)
            r = cluster_find(door->cluster, list[i]->id, &place, node, &ignored);
        if (r == 0)
            evict_lost(door, list[i], &(int){0});
        registry_unref(door->serve->registry, list[i]);
    }
    pthread_mutex_lock(&door->lock);
    if (r == 0)
        door->swept = term;
    door->count--;
    door->sweeping = false;
    pthread_cond_broadcast(&door->change);
    pthread_mutex_unlock(&door->lock);
    return NULL;
}

void route_sweep(struct cluster_door *door) {
    uint64_t term = cluster_term(door->cluster);
    bool holds = cluster_holds(door->cluster);
    pthread_t thread;

    pthread_mutex_lock(&door->lock);
    if (holds && term != door->swept && !door->sweeping &&
        thread_start(&thread, sweep_main, door) == 0) {
        pthread_detach(thread);
        door->sweeping = true;
        door->count++;
    }
    pthread_mutex_unlock(&door->lock);
}

void route_release(struct clustered *c, const char *session) {
    cluster_release(door_of(c)->cluster, session);
}

bool route_alive(struct clustered *c, const char *node) {
    struct retort_error ignored;

    return cluster_alive(door_of(c)->cluster, node, &ignored) > 0;
}

json_t *route_nodes(struct clustered *c) {
    return cluster_nodes(door_of(c)->cluster);
}

int route_where(struct clustered *c, const char *session, char ret_node[CLUSTERED_NODE]) {
    struct cluster_door *door = door_of(c);
    struct retort_error ignored;
    enum cluster_place place;
    int r = cluster_holds(door->cluster)
                ? cluster_find(door->cluster, session, &place, ret_node, &ignored)
                : -ENOTCONN;

    return r < 0 ? r : place == CLUSTER_ELSEWHERE;
}

void route_name(struct clustered *c, char ret[CLUSTERED_REQUEST]) {
    struct cluster_door *door = door_of(c);

    pthread_mutex_lock(&door->lock);
    uint64_t number = ++door->next_call;
    pthread_mutex_unlock(&door->lock);
    snprintf(ret, CLUSTERED_REQUEST, "%s:%llu", cluster_node(door->cluster),
             (unsigned long long)number);
}

/* --- taking a session over --- */

/* At most one thread at a time takes over a session. */
struct taking {
    struct taking *next;
    const char *session;
};

static void taking_begin(struct cluster_door *door, struct taking *mine) {
    pthread_mutex_lock(&door->lock);
    for (;;) {
        const struct taking *t = door->taking;

        while (t && strcmp(t->session, mine->session) != 0)
            t = t->next;
        if (!t)
            break;
        pthread_cond_wait(&door->change, &door->lock);
    }
    mine->next = door->taking;
    door->taking = mine;
    pthread_mutex_unlock(&door->lock);
}

static void taking_end(struct cluster_door *door, struct taking *mine) {
    struct taking **at = &door->taking;

    pthread_mutex_lock(&door->lock);
    while (*at != mine)
        at = &(*at)->next;
    *at = mine->next;
    pthread_cond_broadcast(&door->change);
    pthread_mutex_unlock(&door->lock);
}

static int owner_check(struct serve *serve, const struct clustered_call *call,
                       struct retort_error *error) {
    scoped_free char *owner = NULL;

    if (call->peer->sees_all || (retort_owner(serve->engine, call->session, &owner, error) >= 0 &&
                                 strcmp(owner, call->peer->owner) == 0))
        return 0;
    return err_set(error, ERR_CALLER, ENOENT, "no such session");
}

static bool is_reading(const char *method) {
    return strncmp(method, "ledger.", 7) == 0;
}

static void evict_stale(struct serve *serve, const struct clustered_call *call) {
    struct hosted *hosted = registry_get(serve->registry, call->peer->owner, call->session);

    if (hosted)
        evict(serve, hosted);
    registry_unref(serve->registry, hosted);
}

/* The log decides between nodes that try at the same time: the node whose entry comes second gives
 * up. */
static int take_over(struct cluster_door *door, const struct clustered_call *call,
                     struct retort_error *error) {
    struct serve *serve = door->serve;
    struct hosted *hosted;
    int r;

    if (cluster_has(door->cluster, call->session))
        return 0; /* another thread has taken it for this node meanwhile */
    evict_stale(serve, call);
    if (engine_has_session(serve->engine, call->session))
        return -EBUSY; /* it is being closed here, and must have stopped writing before we begin */
    if (is_reading(call->method))
        return cluster_read(door->cluster, call->session, error);
    r = cluster_take(door->cluster, call->session, error);
    if (r >= 0)
        r = owner_check(serve, call, error);
    if (r < 0) {
        cluster_release(door->cluster, call->session);
        return r;
    }
    if (strcmp(call->method, "session.resume") == 0)
        return 0; /* the method itself resumes it */
    r = session_resume(serve, call->peer, call->session, &hosted, error);
    if (r < 0)
        cluster_release(door->cluster, call->session);
    else
        registry_unref(serve->registry, hosted);
    return r;
}

static int take_over_alone(struct cluster_door *door, const struct clustered_call *call,
                           struct retort_error *error) {
    struct taking mine = {.session = call->session};

    taking_begin(door, &mine);
    int r = take_over(door, call, error);
    taking_end(door, &mine);
    return r;
}

/* --- the way --- */

static int no_quorum(struct retort_error *error) {
    return err_set(error, ERR_HOST, ENOTCONN,
                   "this node cannot reach the cluster's log: ask another one, or later");
}

static struct hint *hint_of(struct cluster_door *door, const char *session) {
    uint32_t h = 2166136261u;

    for (const char *p = session; *p; p++)
        h = (h ^ (unsigned char)*p) * 16777619u;
    return &door->hints[h % HINTS];
}

/* `node` "": it is not known. */
static void hint_set(struct cluster_door *door, const char *session, const char *node) {
    struct hint *hint = hint_of(door, session);

    pthread_mutex_lock(&door->lock);
    snprintf(hint->session, sizeof hint->session, "%s", session);
    snprintf(hint->node, sizeof hint->node, "%s", node);
    pthread_mutex_unlock(&door->lock);
}

static bool hint_get(struct cluster_door *door, const char *session, char ret_node[NODE_SIZE]) {
    const struct hint *hint = hint_of(door, session);

    pthread_mutex_lock(&door->lock);
    bool found = hint->node[0] && strcmp(hint->session, session) == 0;
    memcpy(ret_node, hint->node, NODE_SIZE);
    pthread_mutex_unlock(&door->lock);
    return found && !cluster_has(door->cluster, session) && cluster_heard(door->cluster, ret_node);
}

/* As route_once. It is safe to ask again for a cell: it has a name, by which the log knows whether
 * it was begun. */
static int route_to(struct cluster_door *door, const char *node, const struct clustered_call *call,
                    struct buf *reply, int *ret_status, struct retort_error *error) {
    int r = pass_on(door, node, call, reply, ret_status, error);

    hint_set(door, call->session, r == PASSED_ANSWERED ? node : "");
    if (r == PASSED_LOST && strcmp(call->method, "session.execute") == 0)
        return -EAGAIN;
    return r == PASSED_ANSWERED ? 1 : r == PASSED_NOT_RUN ? -EAGAIN : -EIO;
}

static bool is_registered(struct serve *serve, const char *owner,
                          const struct clustered_call *call) {
    struct hosted *hosted = registry_get(serve->registry, owner, call->session);

    registry_unref(serve->registry, hosted);
    return hosted != NULL;
}

/* This node has the session. While another request brings it back, this one waits. */
static int route_own(struct cluster_door *door, const struct clustered_call *call) {
    struct taking mine = {.session = call->session};
    const char *owner = call->peer->owner;

    if (is_registered(door->serve, owner, call))
        return 0;
    taking_begin(door, &mine);
    /* If the engine has the session but this client does not, it is another client's, or it is
     * being closed and can be resumed in a moment. */
    bool there = is_registered(door->serve, owner, call) ||
                 engine_has_session(door->serve->engine, call->session);
    if (there && strcmp(call->method, "session.resume") == 0)
        there = is_registered(door->serve, NULL, call);
    taking_end(door, &mine);
    return there ? 0 : -EAGAIN;
}

/* 0: served here. 1: answered. -EAGAIN: look again. */
static int route_once(struct cluster_door *door, const struct clustered_call *call,
                      struct buf *reply, int *ret_status, struct retort_error *error) {
    char node[NODE_SIZE];
    enum cluster_place place;
    int r;

    if (!cluster_holds(door->cluster))
        return no_quorum(error);
    if (!call->peer->forwarded && hint_get(door, call->session, node))
        return route_to(door, node, call, reply, ret_status, error);
    r = cluster_find(door->cluster, call->session, &place, node, error);
    if (r < 0)
        return r;
    bool revives = strcmp(call->method, "session.resume") == 0 || is_reading(call->method);
    switch (place) {
    case CLUSTER_UNKNOWN: return 0;
    case CLUSTER_HERE: return route_own(door, call);
    case CLUSTER_CLOSED:
        if (!revives) {
            evict_stale(door->serve, call);
            return 0;
        }
        return take_over_alone(door, call, error);
    case CLUSTER_NOWHERE: return take_over_alone(door, call, error);
    case CLUSTER_ELSEWHERE: break;
    }
    evict_stale(door->serve, call);
    if (call->peer->forwarded)
        return err_set(error, ERR_HOST, EAGAIN, "the session has moved");
    return route_to(door, node, call, reply, ret_status, error);
}

/* Asks one node after the other; leaves out those that do not answer. */
void route_others(struct clustered *c, struct peer *peer, json_t *list) {
    struct cluster_door *door = door_of(c);
    scoped_json *nodes = cluster_nodes(door->cluster);
    scoped_json *message = json_pack("{s:s s:i s:s s:{}}", "jsonrpc", "2.0", "id", 1, "method",
                                     "session.list", "params");
    struct clustered_call call = {.peer = peer, .method = "session.list", .message = message};
    json_t *node;
    size_t i;

    json_array_foreach(nodes, i, node) {
        const char *id = json_string_value(json_object_get(node, "node"));
        scoped_buf reply = BUF_INIT(MAX_REPLY);
        struct retort_error ignored = ERR_INIT;
        int status;

        if (!id || strcmp(id, c->node) == 0 ||
            pass_on(door, id, &call, &reply, &status, &ignored) != PASSED_ANSWERED)
            continue;
        scoped_json *answer = json_in(reply.data ? reply.data : "", reply.len, 0, NULL);
        json_array_extend(list, json_object_get(json_object_get(answer, "result"), "sessions"));
    }
}

/* A token's sessions count on whatever node they are. */
static int count_elsewhere(struct cluster_door *door, struct peer *peer,
                           struct retort_error *error) {
    scoped_json *list = json_array();

    peer->elsewhere = 0;
    if (!peer->max_sessions)
        return 0;
    route_others(&door->clustered, peer, list);
    peer->elsewhere = (unsigned)json_array_size(list);
    return peer->elsewhere + registry_owned(door->serve->registry, peer->owner) < peer->max_sessions
               ? 0
               : err_set(error, ERR_LIMIT, EBUSY, "this token may have at most %u sessions",
                         peer->max_sessions);
}

/* A new session goes to another node if that has far fewer, or if this node is full. */
static int route_create(struct cluster_door *door, const struct clustered_call *call,
                        struct buf *reply, int *ret_status, struct retort_error *error) {
    struct cluster_load own = {.sessions = registry_count(door->serve->registry),
                               .most = engine_most_sessions(door->serve->engine)};
    char node[NODE_SIZE];
    int r = PASSED_NOT_RUN;

    if (!cluster_holds(door->cluster))
        return no_quorum(error);
    if (!call->peer->forwarded && cluster_roomier(door->cluster, &own, node))
        r = pass_on(door, node, call, reply, ret_status, error);
    if (r == PASSED_ANSWERED && *ret_status != 429)
        return 1;
    if (r == PASSED_LOST || r < 0)
        return -EIO;
    buf_reset(reply);
    return count_elsewhere(door, call->peer, error);
}

/* An answer to a tool goes to the node whose cell waits for it. If that node is gone, nobody waits.
 * A node that is merely silent looks like one that has just died. The client need not tell them
 * apart: the cell's result says what became of the answer. */
static int route_answer(struct cluster_door *door, const struct clustered_call *call,
                        struct buf *reply, int *ret_status, struct retort_error *error) {
    int r = call->peer->forwarded || !cluster_word_is_valid(call->node)
                ? PASSED_NOT_RUN
                : pass_on(door, call->node, call, reply, ret_status, error);

    if (r == PASSED_NOT_RUN)
        return err_set(error, ERR_CALLER, ENOENT,
                       "no such call is open: the node whose cell waited for it is gone");
    if (r == PASSED_LOST)
        return err_set(error, ERR_HOST, EIO,
                       "the node whose cell waited for it is gone, or does not answer: the cell's "
                       "own result tells what became of it");
    return r == PASSED_ANSWERED ? 1 : -EIO;
}

int route_call(struct clustered *c, const struct clustered_call *call, struct buf *reply,
               int *ret_status, struct retort_error *error) {
    struct cluster_door *door = door_of(c);
    uint64_t until = now_ns() + (uint64_t)((2 * cluster_lease(door->cluster) + 5) * 1e9);
    int r;

    if (call->node)
        return route_answer(door, call, reply, ret_status, error);
    if (!call->session)
        return route_create(door, call, reply, ret_status, error);
    for (;;) {
        r = route_once(door, call, reply, ret_status, error);
        /* Another node took the session over at the same moment, or it is still being closed here:
         * we look for it again. */
        bool again = r == -EAGAIN || r == -ESTALE || r == -EBUSY;
        if (!again || call->peer->forwarded || now_ns() > until)
            break;
        *error = ERR_INIT;
        usleep(AGAIN_US);
    }
    if (r == -ESTALE || r == -EBUSY)
        r = -EAGAIN; /* nothing was done */
    if (r < 0 && !error->fault)
        err_set(error, ERR_HOST, EAGAIN,
                "the node that has the session does not take it, and its lease has not lapsed yet: "
                "ask again");
    return r;
}

/* Puts the session to sleep on the node that has it, in its turn. Then it belongs to no node, and
 * this one takes it. */
int route_bring(struct clustered *c, struct peer *peer, const char *session,
                struct retort_error *error) {
    scoped_json *message = json_pack("{s:s s:i s:s s:{s:s}}", "jsonrpc", "2.0", "id", 1, "method",
                                     "session.sleep", "params", "session", session);
    struct clustered_call call = {
        .peer = peer, .method = "session.sleep", .session = session, .message = message};
    scoped_buf reply = BUF_INIT(64u << 10);
    int r = 1, status = 200;

    for (int tries = 0; r == 1 && status == 200 && tries < 3; tries++) {
        buf_reset(&reply);
        *error = ERR_INIT;
        hint_set(door_of(c), session, ""); /* we ask the log, which knows when the session sleeps */
        r = route_call(c, &call, &reply, &status, error);
    }
    return r == 0 ? 0 : -ENOENT;
}
