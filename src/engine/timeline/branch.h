/* Branches: sessions that begin with the present state of another and go their own way.
 *
 * Runs in: the thread that branches, with the parent's lock held; nobody else knows a branch before
 *   it is begun.
 * Hostile: the parent's interpreter and the copy of it. We wait for them, but not for long.
 * Life cycle: branch_live_ask, branch_live_fork; or by replay.
 * Owns: nothing.
 * Invariants: a branch that could not be forked has no process, and its parent is as it was.
 * Tests: tests/system/test_branch.py, tests/hostile/test_branch_moment.py
 */
#pragma once

#include "engine/session/session.h"

int branch(struct retort_session *s, unsigned count, struct retort_session **ret,
           struct retort_error *err);
/* A branch that is not recorded, to try something in. */
int branch_aside(struct retort_session *s, struct retort_session **ret, struct retort_error *err);
/* Whether both come from the same branching. */
bool branch_siblings(const struct retort_session *a, const struct retort_session *b);
/* The session ends because `kept` was kept. */
void branch_give_up(struct retort_session *s, const char *kept);

/* --- live ones (branch_live.c) --- */

/* Asks the supervisor for namespaces inside of those of `from`, and does not wait: several are made
 * at once. */
int branch_live_ask(struct retort_session *to, struct retort_session *from,
                    struct retort_error *err);
/* Has the interpreter fork into them, and waits until the copy answers. What it lost goes to the
 * notes of its first result. On failure `to` is disconnected, and `from` as it was. */
int branch_live_fork(struct retort_session *to, struct retort_session *from,
                     struct retort_error *err);

/* --- side by side (compare.c) --- */

/* Keeps of a result what a comparison shows; NULL forgets it. */
void compare_note(struct retort_session *s, const json_t *result);
/* Takes and leaves the lock of one after the other. */
int compare(struct retort_session *const *sessions, unsigned count, char **ret_json,
            struct retort_error *err);
