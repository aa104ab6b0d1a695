/* What all doors share: the engine, the sessions, the listeners, the numbers.
 *
 * A door turns bytes into calls (serve/rpc/call.h) on behalf of a peer. A peer has an owner, which
 * decides what sessions it sees, and perhaps a way to push notifications to it. Without one (plain
 * HTTP), notifications go only to the owner's readers of /events.
 *
 * Runs in: broker, any thread.
 * Life cycle: serve_init; doors run; serve_drain refuses new work and waits; serve_stop makes
 *   running cells end; serve_done.
 * Tests: tests/unit/test_call.c, tests/system/test_rpc.py
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/host/strictness.h"
#include "retort.h"
#include "serve/hosted/event.h"
#include "serve/hosted/hub.h"
#include "serve/hosted/lane.h"
#include "serve/hosted/metrics.h"
#include "serve/hosted/registry.h"

struct tools;
struct clustered;
struct tools_question;

struct peer {
    char owner[OWNER_SIZE];
    char name[48];             /* of its token; "": it has none */
    unsigned max_sessions;     /* 0: what the engine allows */
    unsigned elsewhere;        /* of these, how many are on other nodes of the cluster */
    struct retort_limits caps; /* of its token; 0: none */
    enum strictness review;    /* of its token: the least strict review that its code gets */
    const char *door;          /* by which door it came, for the log */
    bool sees_all;             /* the whole ledger belongs to it: there is no other client */
    bool admin;                /* may make and remove environments and skills */
    bool forwarded;            /* another node of the cluster speaks for it */
    void (*send)(struct peer *peer, struct serve_event *event); /* or NULL */
    void (*tick)(struct peer *peer); /* every second while a cell of its own runs; or NULL */
    bool mute;                       /* it is sent events only to show them, and answers no tool
                                        calls */
    /* Asks the person at the client whether a call may be made; consulted takes the question back.
     * Or NULL. False: there is nobody to ask. tools_approve or tools_withdraw answers, from any
     * thread. */
    bool (*consult)(struct peer *peer, const struct tools_question *question);
    void (*consulted)(struct peer *peer);
};

/* Whether it may see what every client does here: it is an administrator, or the only client. */
static inline bool peer_oversees(const struct peer *peer) {
    return peer->admin || peer->sees_all;
}

/* What sessions get when their client asks for nothing else. */
struct serve_defaults {
    struct retort_session_options options;
    /* Puts files into a new session; or NULL. */
    int (*furnish)(void *user, struct retort_session *session, struct retort_error *error);
    void *user;
    const char *state;    /* the engine's state directory, or NULL */
    const json_t *skills; /* see struct serve */
    const json_t *tools;  /* {"tools", "files", "policy"}, each tool with its command; or NULL */
};

/* Serves programs of this process's own user that send a byte 0 to the Unix socket instead of a
 * line of JSON. Returns whether it did; the descriptor stays the caller's. */
struct own_door {
    bool (*serve)(struct retort_engine *engine, void *user, int fd);
    void *user;
};

struct serve {
    struct retort_engine *engine;
    const struct own_door *own;            /* or NULL */
    const struct serve_defaults *defaults; /* or NULL */
    const char *state;                     /* the engine's state directory, or NULL */
    const char *network;  /* the network rules of sessions whose client does not ask for less; or
                             NULL */
    const char *review;   /* the review of sessions whose client does not ask for more; or NULL */
    const char *rules;    /* review rules for all sessions; or NULL */
    const json_t *skills; /* names of the skills that sessions have; "*": all there are; or NULL */
    struct registry *registry;
    struct hub *hub;
    struct tools *tools;
    struct clustered *clustered; /* or NULL */
    struct metrics metrics;
    struct lane cells, births; /* turns to run a cell, and to make or bring back a session */
    atomic_bool stopping;
    atomic_bool unable; /* the server ends because it cannot run sessions any more */
    uint64_t started_ns;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t idle;
    bool draining;
    unsigned active; /* calls that were admitted and have not ended */
};

int serve_init(struct serve *serve, struct retort_engine *engine);
/* Called before any door is open: how many cells run at once, and how many seconds a request waits
 * for its turn; 0: the default. Without this call, no request waits. */
void serve_limit(struct serve *serve, unsigned cells, double patience);
/* Seconds after which a refused client may come back. */
unsigned serve_retry_after(struct serve *serve);
/* serve_init for one client on standard input and output. Blocks SIGPIPE, for threads too: a reader
 * that goes away shows as EPIPE. */
int serve_init_stdio(struct serve *serve, struct retort_engine *engine,
                     const struct serve_defaults *defaults);
/* A call begins, and must end with serve_leave. False: the server is stopping, and takes only calls
 * that help running ones to end (`quick`). */
bool serve_admit(struct serve *serve, bool quick);
void serve_leave(struct serve *serve);
/* Refuses new work, and gives calls of every door that have begun up to `seconds` to end by
 * themselves. True if none is left. */
bool serve_drain(struct serve *serve, double seconds);
/* Refuses new requests, interrupts running cells, and answers their tool calls as failed. */
void serve_stop(struct serve *serve);
/* Closes every session. The doors must have ended. */
void serve_done(struct serve *serve);
