/* The gate of an engine: started for the first session that may use the network, and again when it
 * has ended or does not answer.
 *
 * Runs in: the broker, in any thread.
 * Hostile: nothing; the gate is ours, though what it read is not.
 * Life cycle: gateway_init; gateway_open as often as one likes; gateway_done.
 * Owns: the process and its main socket.
 * Invariants: `lock` is held for moments only, and a session's may be held meanwhile.
 * Tests: tests/system/test_network.py
 */
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include "base/err.h"
#include "engine/gateway/authority.h"

struct gateway {
    pthread_mutex_t lock;
    pid_t pid; /* 0: there is none */
    int sock;
    pthread_mutex_t making;     /* the authority; taken before `lock`, which is held for moments */
    struct authority authority; /* of the engine, however often the gate is replaced */
};

void gateway_init(struct gateway *g);
void gateway_done(struct gateway *g);
/* Opens a session's way out: the socket on which the gate accepts, and the rules. Returns the
 * session's socket to the gate, and says which gate that is. */
int gateway_open(struct gateway *g, const char *libexec, int listener, const char *network,
                 pid_t *ret_gate, struct retort_error *err);
/* For sessions whose requests are read: what they trust. malloc'ed, NULL where it cannot be made. */
char *gateway_bundle(struct gateway *g, const char *libexec, struct retort_error *err);
/* The gate does not answer: the next session gets another one. */
void gateway_give_up(struct gateway *g, pid_t gate);
