/* Live branches, the broker's side: the parent's interpreter forks into a session of its own.
 *
 * Runs in: the thread that branches, with the parent's lock held; nobody else knows the branch yet.
 * Hostile: the parent's interpreter and the copy of it. They are waited for, but not for long.
 * Life cycle: branch_live_ask, branch_live_fork.
 * Owns: nothing.
 * Invariants: a branch that could not be forked has no process, and its parent is as it was.
 * Tests: tests/system/test_branch.py, tests/hostile/test_branch_moment.py
 */
#pragma once

#include "engine/session/session.h"

/* Asks the supervisor for namespaces inside of those of `from`. They are made while others are. */
int branch_live_ask(struct retort_session *to, struct retort_session *from, struct err *err);

/* Has the interpreter fork into them, and waits until the copy answers. What it lost goes to the
 * notes of its first result. On failure `to` is disconnected, and `from` as it was. */
int branch_live_fork(struct retort_session *to, struct retort_session *from, struct err *err);
