/* What is left of an ended session, kept for the next one: its first process, namespaces, mounts,
 * uid and cgroup, without its interpreter. Making and destroying these costs more than the
 * interpreter does.
 *
 *   spare_note    its first process is up, no guest has run: what its directories look like
 *   spare_begin   its owner is done with it: the interpreter is killed     LIVE      EMPTYING
 *   spare_look    somebody of it has ended: is it empty, and as new?       EMPTYING  SPARE, DYING
 *   spare_take    the next session is this one                             SPARE     STARTING
 *
 * A session is used again only if it is as new. ARCHITECTURE.md ("Sessions that are used again")
 * lists what a guest can have changed, and how we detect each change. If anything is uncertain, we
 * kill init, and the kernel destroys everything.
 *
 * Runs in: supervisor.
 * Hostile: the session that was there before.
 * Owns: two descriptors of a session, until it rests. Spare ones are in `sup.sessions` like all
 *   others.
 * Invariants: a session is listed exactly while it is SPARE or EMPTYING; when it is SPARE it has no
 *   owner, no interpreter and no checkpoint.
 * Tests: tests/hostile/test_h_remains.py
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct session;
struct session_terms;
struct environment;

#define SPARE_DIRECTORIES 3

/* Of a session. */
struct remains {
    struct session *next; /* the next that is spare, or is being emptied */
    uint64_t until;       /* when emptying is given up */
    int work, net;        /* descriptors that its owner got, for the next one; -1: to be opened
                             again */
    unsigned uses;        /* how often it was used before */
    bool known, dormant;  /* its state when new is known; a checkpoint has been killed, too */
    uint64_t changed[SPARE_DIRECTORIES]; /* ctimes of its directories, ns */
    uint64_t inode;                      /* the inode number of its first file */
};

void spare_init(struct remains *r); /* nothing is known of it: it is not used again */
void spare_rest(struct remains *r); /* closes its descriptors */
void spare_note(struct session *s);
/* One of its processes may pass the gate into a branch: what is not known any more is not used again. */
void spare_never(struct session *s);
/* It has been handed over: what its owner got is closed, but for what the next one will need. */
void spare_keep(struct session *s);
bool spare_begin(struct session *s); /* false: it cannot be used again */
void spare_look(struct session *s);  /* may free it */
struct session *spare_take(struct environment *env,
                           const struct session_terms *terms); /* or NULL */
void spare_drop(struct session *s);                            /* it ends */
/* When to call spare_expire() next: a process would not die. */
uint64_t spare_next(void);
void spare_expire(void);
const char *spare_broken(const struct session *s);
