/* Messages that could not be sent to a session's owner, because the kernel was short of memory.
 * That is no reason to end a healthy session: the message waits.
 *
 * Runs in: supervisor.
 * Hostile: nothing. The owner is the broker; if it does not read, we still wait nowhere here.
 * Life cycle: all zero at first; letters_keep; letters_look sends from the loop, in order;
 *   letters_done.
 * Owns: copies of the messages and of their descriptors.
 * Invariants: a session with waiting messages has an owner, or is about to end.
 * Tests: tests/hostile/test_L10_failpoints.py
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

struct letters {
    struct letter *first; /* NULL: nothing waits */
    uint64_t look_at, until;
};

/* Whether an error of sending is temporary. */
bool letters_may_wait(int sent);
/* 0, or -errno: the message cannot be kept either. */
int letters_keep(struct session *s, const void *msg, size_t len, const int *fds, size_t nfds);
void letters_done(struct letters *box);
const char *letters_broken(const struct session *s);

/* For the loop: when there is something to send (UINT64_MAX: nothing), and sending it. */
uint64_t letters_next(void);
void letters_look(void);
