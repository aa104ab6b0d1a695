/* Interpreters beside the first one of a session: each for another language, in the same
 * namespaces, cgroup and locks, with a channel and pipes of its own.
 *
 * Runs in: supervisor.
 * Hostile: the process, from its exec on. It is our own child, so the kernel tells us of its end.
 * Life cycle: companion_start; companion_ended when it is gone; companion_done with the session.
 * Owns: its pidfd and its set-up socket.
 * Invariants: a session has at most one for each language, and none for its own. An ended one holds
 *   nothing.
 * Tests: tests/system/test_languages.py, tests/hostile/test_x_languages.py
 */
#pragma once

#include "supervisor/supervisor.h"

struct session;

struct companion {
    pid_t pid; /* 0: it has ended */
    int pidfd;
    uint32_t generation;
    struct source setup; /* until it is locked in */
};

#define LANGUAGE_BIT(language) (1u << (language))
#define LANGUAGES_ALL (LANGUAGE_BIT(LANG_COUNT) - 1)

/* CTL_STARTED follows, or CTL_FAILED. */
void companion_start(struct session *s, const struct ctl_start *start);
/* The pidfd of the interpreter for this language, the session's own or another; -1: there is none. */
int companion_pidfd(const struct session *s, uint32_t language);
/* Adds those that live and are not among the victims. */
size_t companion_spare(const struct session *s, uint32_t victims, pid_t *keep);
/* Whether it was one of the session's; tells the owner. */
bool companion_ended(struct session *s, pid_t pid, int status);
void companion_done(struct session *s);
const char *companion_broken(const struct session *s);
