/* Making a session: from its uid to the moment at which its first process may begin. And what it has
 * only until it is handed over.
 *
 * Runs in: supervisor.
 * Life cycle: birth_init; birth_begin; what a process was given is closed when that has it;
 *   birth_done.
 * Owns: both ends of channel and pipes, the caller's variables, the session's /dev.
 * Invariants: when the session is ready, nothing of the guest's ends is left; when it has an owner,
 *   nothing of the broker's; its /dev is here only while it is being made.
 * Tests: tests/hostile/test_L10_failpoints.py
 */
#pragma once

#include "supervisor/supervisor.h"

struct session;

struct birth {
    int devices;  /* its own /dev until the first process has mounted it; -1: the host's nodes */
    int guest[3]; /* channel, stdout, stderr: the guest's ends, until it is forked */
    int host[CREATED_OWN]; /* what the broker gets */
    char *env_block;       /* environment variables, each ended by a NUL */
    size_t env_block_len;
    uint64_t over; /* when it was handed to its owner, or 0 */
};

void birth_init(struct birth *b);
void birth_done(struct birth *b);
const char *birth_broken(const struct session *s);

void birth_setup(struct retort_error *err);      /* once: what needs the base root */
void birth_begin(struct session *s, int env_fd); /* failure is told on the session's socket */
int birth_devices(struct session *s, struct retort_error *err);
