/* What a session asks of the supervisor, on the session's own socket.
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: nothing; the supervisor is ours. Sizes are checked all the same.
 * Life cycle: session_connect; session_disconnect (session.h).
 * Owns: nothing.
 * Invariants: answers come in the order of the questions; whatever else comes meanwhile is noted
 *   where it belongs.
 * Tests: tests/system/test_sessions.py, tests/system/test_library.py
 */
#pragma once

#include "engine/session/session.h"

/* Gets a process for the session, and its descriptors. */
int session_connect(struct retort_session *s, struct retort_error *err);
int session_await_created(struct retort_session *s, struct retort_error *err);
/* Connects the session to a gate, if it had none yet or the last one is gone. */
int session_uplink(struct retort_session *s, struct retort_error *err);
/* The same, instead of the process that it has. */
int session_reconnect(struct retort_session *s, struct retort_error *err);
/* Whether its process has ended by itself: its supervisor is dead, or has given it up. */
bool session_was_left(const struct retort_session *s);
/* How often something is tried again with another supervisor, when one dies in the middle of it. */
#define SUPERVISOR_TRIES 4
/* Starts the program of a bash session, which waits for it. */
int session_go(struct retort_session *s, const char *code, size_t len, struct retort_error *err);
/* The same for a bash that lives on and takes cells. Does nothing for other languages. */
int session_go_live(struct retort_session *s, struct retort_error *err);
/* Waits for one message on the session's socket. Returns its type or -errno; fills what fits into
 * `msg`. */
int session_expect(struct retort_session *s, void *msg, size_t size, int *fds, size_t *nfds,
                   struct retort_error *err);
/* Takes note of the messages that have come. */
void session_catch_up(struct retort_session *s);
/* Waits for one of two messages about the session; takes note of others. */
int session_await(struct retort_session *s, enum ctl_type a, enum ctl_type b, int *fds,
                  size_t *nfds);
/* Ends what a cell left running, and returns how many processes that were. */
uint32_t session_sweep(struct retort_session *s);
/* Ends this interpreter and whatever cells have left: all but init, the checkpoint and the others. */
void session_cut(struct retort_session *s, const struct interp *i);

/* --- others than the first interpreter (interps.c) --- */

/* The interpreter for this language; NULL: there never was one. */
struct interp *session_interp(struct retort_session *s, enum language language);
/* Whether it has a channel. */
bool session_speaks(struct retort_session *s, enum language language);
/* Starts it, unless it is there. That it cannot run may turn out only when it is first used. */
int session_add_interp(struct retort_session *s, enum language language, struct retort_error *err);
/* Ends it, as session_cut does, and forgets it. */
void session_drop_interp(struct retort_session *s, enum language language);
/* The supervisor says that an interpreter has ended. */
void session_heard_exit(struct retort_session *s, const struct ctl_exited *told);
