#include "serve/rpc/call.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/maxima.h"
#include "serve/hosted/clustered.h"
#include "serve/hosted/json.h"
#include "serve/rpc/handlers.h"

struct call {
    struct serve *serve;
    struct peer *peer;
    struct rpc_message msg;
    const struct method *method;
    struct hosted *hosted;
    unsigned cell; /* the last cell that the session had begun when the call was done */
    uint64_t ticket;
    bool admitted;
    bool routed;     /* the session may be on another node */
    bool refused;    /* nothing was done: another node may take the call */
    bool moved;      /* the session left this node while the call waited for its turn */
    unsigned missed; /* how often a session that was just found here had gone */
    int code;        /* an RPC_ code: refused before it ran, with `reason` */
    char reason[256];
    struct retort_error error; /* or refused with this, if code is 0 and error.fault is set */
};

static bool is_quick(const struct method *method) {
    static const char *const quick[] = {"session.interrupt", "tools.result", "tools.approve",
                                        "session.list", "server.info"};

    for (size_t i = 0; i < sizeof quick / sizeof *quick; i++)
        if (strcmp(method->name, quick[i]) == 0)
            return true;
    return false;
}

static const char *call_session(const struct call *call) {
    return json_string_value(json_object_get(call->msg.params, "session"));
}

static const char *call_node(const struct call *call) {
    return clustered_node_of(call->serve,
                             json_string_value(json_object_get(call->msg.params, "call")));
}

/* Whether the call is about one session, or makes one: then a cluster routes it. */
static bool concerns_one(const struct call *call) {
    return call_session(call) || strcmp(call->method->name, "session.create") == 0;
}

#define MOST_MISSED 3

/* In a cluster, the session may leave this node between being found and being used, because the log
 * refused an entry of it: then we look for it again. */
static void take_ticket(struct call *call) {
    struct registry *registry = call->serve->registry;

    if (call->method->order != METHOD_ORDERED)
        return;
    call->hosted = registry_get(registry, call->peer->owner, call_session(call));
    if (call->hosted)
        call->ticket = registry_ticket(registry, call->hosted);
    else
        err_set(&call->error, ERR_CALLER, ENOENT, "no such session");
    call->moved = !call->hosted && call->serve->clustered && call->missed++ < MOST_MISSED;
}

static void check_request(struct call *call) {
    struct serve *serve = call->serve;

    call->method = methods_find(call->msg.method);
    if (!call->method) {
        call->code = RPC_NO_METHOD;
        snprintf(call->reason, sizeof call->reason, "no such method: %.80s", call->msg.method);
        return;
    }
    call->admitted = serve_admit(serve, is_quick(call->method));
    if (!call->admitted) {
        call->refused = true;
        err_set(&call->error, ERR_HOST, ESHUTDOWN, "the server is stopping");
        return;
    }
    if (methods_check(call->method, call->msg.params, &call->error) < 0)
        return;
    call->routed = call_node(call) || (concerns_one(call) &&
                                       clustered_elsewhere(serve, call->peer, call_session(call)));
    if (!call->routed)
        take_ticket(call);
}

struct call *call_begin(struct serve *serve, struct peer *peer, const char *text, size_t len) {
    struct call *call = calloc(1, sizeof *call);

    if (!call)
        return NULL;
    call->serve = serve;
    call->peer = peer;
    call->code = rpc_parse(text, len, &call->msg, call->reason, sizeof call->reason);
    if (call->code == 0 && call->msg.kind == RPC_RESPONSE)
        call_refuse(call, RPC_INVALID, "unexpected response: no request is open");
    if (call->code == 0)
        check_request(call);
    return call;
}

const char *call_id(const struct call *call) {
    return call->code == 0 && call->msg.kind == RPC_REQUEST ? call->msg.id : NULL;
}

void call_refuse(struct call *call, int code, const char *message) {
    call->code = code;
    snprintf(call->reason, sizeof call->reason, "%s", message);
    if (call->hosted) {
        registry_give_up(call->serve->registry, call->hosted, call->ticket);
        registry_unref(call->serve->registry, call->hosted);
        call->hosted = NULL;
    }
}

/* Whether we have to ask every node of a cluster. */
static bool asks_others(const struct call *call) {
    return call->serve->clustered && strcmp(call->method->name, "session.list") == 0;
}

bool call_is_quick(const struct call *call) {
    return call->code || (call->error.fault && !call->moved) ||
           (is_quick(call->method) && !call->routed && !asks_others(call));
}

/* The request before this one may have closed the session while this one waited. */
static bool is_gone(const struct call *call) {
    return call->hosted && call->hosted->removed;
}

static unsigned call_cells(struct hosted *hosted) {
    pthread_mutex_lock(&hosted->lock);
    unsigned cells = hosted->cell;
    pthread_mutex_unlock(&hosted->lock);
    return cells;
}

static int call_stop(struct call *call) {
    call->refused = true;
    return err_set(&call->error, ERR_HOST, ESHUTDOWN, "the server is stopping");
}

static int run_handler(struct call *call, struct buf *result) {
    struct request request = {.serve = call->serve,
                              .peer = call->peer,
                              .params = call->msg.params,
                              .hosted = call->hosted};
    int r;

    if (call->hosted)
        registry_enter(call->serve->registry, call->hosted, call->ticket);
    if (is_gone(call)) {
        call->moved = call->serve->clustered != NULL;
        r = err_set(&call->error, ERR_CALLER, ENOENT, "no such session");
    } else if (atomic_load(&call->serve->stopping)) /* the server began to stop while the call
                                                       waited for its turn */
        r = call_stop(call);
    else
        r = call->method->handler(&request, result, &call->error);
    r = clustered_settle(call->serve, call->hosted, r, &call->error);
    if (call->hosted) {
        call->cell = call_cells(call->hosted); /* read during the turn: no other cell has begun */
        registry_leave(call->serve->registry, call->hosted);
    }
    return r;
}

static int call_reply_refused(struct call *call, struct buf *reply) {
    const char *id = call->msg.id ? call->msg.id : "null";
    scoped_json *data = json_pack("{s:s}", "fault", "caller");

    if (call->msg.kind != RPC_NOTIFICATION || call->code != RPC_NO_METHOD)
        rpc_error_reply(reply, id, call->code, call->reason, data);
    return call->code == RPC_NO_METHOD ? 404 : call->code == RPC_BUSY ? 429 : 400;
}

static void call_tally(struct call *call, bool failed) {
    size_t i = (size_t)(call->method - methods);

    atomic_fetch_add(&call->serve->metrics.methods[i].count, 1);
    if (failed)
        atomic_fetch_add(&call->serve->metrics.methods[i].failed, 1);
}

/* Gives the cell a name, by which we can ask for it again if nobody knows what became of it. */
static void name_request(struct call *call) {
    struct clustered *c = call->serve->clustered;
    char name[CLUSTERED_REQUEST];

    if (strcmp(call->method->name, "session.execute") != 0 ||
        json_object_get(call->msg.params, "request"))
        return;
    c->name(c, name);
    json_object_set_new(call->msg.params, "request", json_string(name));
}

/* 1: another node has answered. */
static int call_route(struct call *call, struct buf *reply, int *ret_status) {
    struct clustered *c = call->serve->clustered;
    struct clustered_call there = {.peer = call->peer,
                                   .method = call->method->name,
                                   .session = call_session(call),
                                   .node = call_node(call),
                                   .message = call->msg.root};
    int r;

    if (!call->routed || call->error.fault)
        return 0;
    name_request(call);
    r = c->route(c, &there, reply, ret_status, &call->error);
    if (r == 0)
        take_ticket(call);
    call->refused = r == -EAGAIN;
    return r;
}

/* If the session went to another node while the call waited, looks for it there. 1: answered. */
static int call_follow(struct call *call, struct buf *reply, int *ret_status) {
    if (!call->moved)
        return 0;
    registry_unref(call->serve->registry, call->hosted);
    call->hosted = NULL;
    call->moved = false;
    call->routed = true;
    call->error = ERR_INIT;
    return call_route(call, reply, ret_status);
}

int call_run(struct call *call, struct buf *reply) {
    struct buf result = BUF_INIT(MAX_REPLY);
    bool wanted = call->msg.kind == RPC_REQUEST;
    int r, status;

    if (call->code)
        return call_reply_refused(call, reply);
    if (call_route(call, reply, &status) > 0) {
        call_tally(call, status != 200);
        return status;
    }
    r = call->error.fault ? -EINVAL : run_handler(call, &result);
    while (call->moved) {
        if (call_follow(call, reply, &status) > 0) {
            call_tally(call, status != 200);
            return status;
        }
        r = call->error.fault ? -EINVAL : run_handler(call, &result);
    }
    call_tally(call, r < 0);
    if (r >= 0 && wanted && rpc_reply(reply, call->msg.id, result.data, result.len) < 0)
        r = err_memory(&call->error);
    buf_done(&result);
    if (r >= 0)
        return 200;
    if (wanted) {
        buf_reset(reply);
        rpc_fault_reply(reply, call->msg.id, &call->error);
    }
    return fault_row(&call->error)->http_status;
}

void call_describe(const struct call *call, char *method, size_t method_size, char *session,
                   size_t session_size, unsigned *ret_cell) {
    const char *id = json_string_value(json_object_get(call->msg.params, "session"));

    snprintf(method, method_size, "%s", call->method ? call->method->name : "");
    snprintf(session, session_size, "%s", id ? id : "");
    *ret_cell = strcmp(method, "session.execute") == 0 ? call->cell : 0;
}

bool call_was_not_taken(const struct call *call) {
    return call->refused;
}

void call_free(struct call *call) {
    if (!call)
        return;
    registry_unref(call->serve->registry, call->hosted);
    if (call->admitted)
        serve_leave(call->serve);
    rpc_message_done(&call->msg);
    free(call);
}
