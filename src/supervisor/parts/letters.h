/* What a session's owner is to be told and could not be, because the kernel was short of memory for
 * the message. It is no reason to end a session that is whole: the message waits.
 *
 * Runs in: supervisor.
 * Hostile: nothing. The owner is the broker; one that reads nothing makes us wait nowhere here.
 * Life cycle: all zero at first; letters_keep; letters_look sends from the loop, in order; letters_done.
 * Owns: copies of the messages and of their descriptors.
 * Invariants: who has messages waiting has an owner, or is about to end.
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

/* Whether an error of sending will pass. */
bool letters_may_wait(int sent);
/* 0, or -errno: it cannot even be kept. */
int letters_keep(struct session *s, const void *msg, size_t len, const int *fds, size_t nfds);
void letters_done(struct letters *box);
const char *letters_broken(const struct session *s);

/* For the loop: when there is something to be sent (UINT64_MAX: nothing); and to do it. */
uint64_t letters_next(void);
void letters_look(void);
