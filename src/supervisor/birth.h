/* Making a session: from its uid to the moment at which its first process may begin. And what a
 * session has only until it is handed over.
 *
 * A child gets a copy of all descriptors and has to close them, which takes longer than all the
 * rest if there are a thousand resting sessions. So the first process of a warm session begins with
 * our table of descriptors, and first copies the low numbers. Resting sessions have high ones
 * (sessions_rest).
 *
 * Runs in: supervisor.
 * Life cycle: birth_init; birth_begin; we close what we gave a process once it has it; birth_done.
 * Owns: both ends of channel and pipes, the caller's variables, the session's /dev.
 * Invariants: when the session is ready, the guest's ends are closed; when it has an owner, the
 *   broker's are closed; its /dev is open only while it is being made. A descriptor in the shared
 *   table that its first process needs keeps its number until that process has spoken, or ended.
 * Tests: tests/hostile/test_L10_failpoints.py
 */
#pragma once

#include "supervisor/supervisor.h"

struct session;

struct birth {
    int devices;  /* its own /dev until the first process has mounted it; -1: the host's nodes */
    int quota;    /* of the limits that the first process sets (quota.h), or -1 */
    int nest;     /* the first process's end of init's socket, while it may share our table of
                     descriptors; or -1 */
    int guest[3]; /* channel, stdout, stderr: the guest's ends, until it is forked */
    int host[CREATED_OWN]; /* what the broker gets */
    char *env_block;       /* environment variables, each ended by a NUL */
    size_t env_block_len;
    uint64_t over; /* when it was handed to its owner, or 0 */
};

void birth_init(struct birth *b);
void birth_done(struct birth *b);
const char *birth_broken(const struct session *s);

void birth_setup(struct retort_error *err);      /* called once; does what needs the base root */
void birth_begin(struct session *s, int env_fd); /* failure is told on the session's socket */
/* Called before each clone that makes a user namespace: gives it the directory of its limits. */
void birth_quota(struct session *s);
void birth_settled(struct session *s); /* the first process has what it needs, or has ended */
int birth_devices(struct session *s, struct retort_error *err);
