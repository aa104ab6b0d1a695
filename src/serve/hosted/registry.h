/* The sessions behind the doors: who owns which, and whose turn it is.
 *
 * A session is found only by its owner (a token, or the one client of a private engine); to anybody
 * else it is unknown. Requests on one session are served in the order they came: the reader of a
 * connection takes a ticket for each request before it reads the next one, and the thread that runs
 * the request waits for its turn.
 *
 * Runs in: broker, any thread.
 * Owns: the retort_session, closed when the last reference to a removed entry goes.
 * Invariants: serving <= next_ticket; an entry in the table holds one reference to itself.
 * Tests: tests/unit/test_call.c
 */
#pragma once

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "retort.h"

#define OWNER_SIZE 72

struct hosted {
    struct retort_session *session;
    char id[64];
    char owner[OWNER_SIZE];
    struct hosted *next; /* in its bucket */
    unsigned refs;       /* under the registry's lock, as are the tickets */
    uint64_t next_ticket, serving;
    struct given_up *given_up; /* tickets that no request will use */
    bool removed;
    struct retort_limits caps; /* set once, before its first cell */

    pthread_mutex_t lock;      /* guards what follows */
    unsigned cell;             /* the running cell, or the one that ran last */
    bool running, interrupted; /* the running cell */
    unsigned agents;           /* how many runs of agents are under way in it */
    atomic_bool agents_stop;   /* these runs shall end soon; set and cleared under the lock */
    unsigned tool_calls;       /* of the running cell */
    double timeout;            /* of the running cell, if it has its own; else 0 */
    uint64_t began_ns;
    char *tools;             /* JSON list as registered, or NULL */
    struct skillset *skills; /* that its code may call, or NULL. Take a reference to use it without
                                the lock and without the session's turn, with which it may be
                                replaced */
    json_t *approvals;       /* decisions about tool calls of the running cell, a list, or NULL */
    uint64_t first_event;    /* number of the running cell's first event */
};

struct registry;

bool hosted_interrupted(struct hosted *hosted);

struct registry *registry_new(void);
/* Closes every session that is left. No other thread may use the registry any more. */
void registry_free(struct registry *registry);

/* Takes the session over. LIMIT/EBUSY when the owner has `max` sessions already (0: no limit); the
 * session stays the caller's then. The entry comes with a reference. */
int registry_add(struct registry *registry, const char *owner, unsigned max,
                 struct retort_session *session, struct hosted **ret_hosted,
                 struct retort_error *error);
/* NULL: there is none. `owner` may be NULL: anybody's. */
struct hosted *registry_get(struct registry *registry, const char *owner, const char *id);
/* From now on nobody finds the session. False if another thread removed it before. */
bool registry_remove(struct registry *registry, struct hosted *hosted);
void registry_unref(struct registry *registry, struct hosted *hosted);

/* References to all sessions of an owner (NULL: of everybody). Returns their number; free the list.
 */
size_t registry_list(struct registry *registry, const char *owner, struct hosted ***ret_list);
size_t registry_count(struct registry *registry);
size_t registry_owned(struct registry *registry, const char *owner);

uint64_t registry_ticket(struct registry *registry, struct hosted *hosted);
void registry_enter(struct registry *registry, struct hosted *hosted, uint64_t ticket);
/* The same, but waits at most this many seconds; false if the turn has not come by then. */
bool registry_enter_within(struct registry *registry, struct hosted *hosted, uint64_t ticket,
                           unsigned seconds);
/* Enters at once if nobody is inside or waits, or else not at all. */
bool registry_try_enter(struct registry *registry, struct hosted *hosted);
void registry_leave(struct registry *registry, struct hosted *hosted);
/* Replaces enter and leave: requests behind this ticket do not wait for it. */
void registry_give_up(struct registry *registry, struct hosted *hosted, uint64_t ticket);
