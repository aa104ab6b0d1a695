/* The loop's runner on a real session, with live output, host tools and cancelling.
 *
 * Runs in: the broker's process; one more thread watches the cancel flag, because the thread that
 *   executes a cell waits for it.
 * Owns: neither engine nor session.
 * Tests: tests/system/test_agent.py
 */
#pragma once

#include "agent/run/agent_run.h"
#include "agent/run/session_port.h"
#include "retort.h"

#include <pthread.h>

/* Answers calls of host tools. */
struct host_tool {
    void *user;
    bool hearsay; /* its results are not data: they prove no number */
    agent_tool *call;
    void (*begun)(void *user, double timeout); /* as in struct agent_tools */
    void (*settled)(void *user, struct retort_session *session);
};

struct queries;

struct engine_runner {
    struct runner runner;
    struct retort_session *session;
    struct run *run;        /* for events and evidence; may be NULL */
    agent_execute *execute; /* NULL: retort_execute */
    void *execute_user;
    struct host_tool tools[2];
    size_t tool_count;
    struct queries *queries; /* or NULL */
    const atomic_bool *cancel;
    atomic_bool running, ended;
    pthread_t watcher;
    bool watching;
};

int engine_runner_init(struct engine_runner *r, struct retort_session *session,
                       const atomic_bool *cancel);
void engine_runner_done(struct engine_runner *r);
/* Writes a file of the session, piece by piece. */
int session_put(struct retort_session *session, const char *name, const char *text, size_t len,
                struct retort_error *err);
