/* A run with its session and what was prepared in it. Internal to src/agent/run.
 *
 * Runs in: the broker's process; with several tries each has a thread.
 * Owns: what agent_run makes for the run.
 * Tests: tests/system/test_agent.py, tests/system/test_agent_tries.py
 */
#pragma once

#include "agent/review/reviewer.h"
#include "agent/run/agent_run.h"
#include "agent/run/queries.h"
#include "agent/run/session_port_engine.h"
#include "agent/tools/testbed.h"

#include <sys/types.h>

/* A file of the user, kept for the evidence of each try. */
struct kept_input {
    char *name;
    struct buf data;
};

struct agent_work {
    struct retort_engine *engine;
    const struct agent_options *options;
    struct run run;
    struct engine_runner runner;
    struct retort_session *session;
    struct testbed *testbed;
    struct run_tests tests;
    struct reviewer *reviewer;
    struct run_review review;
    struct spending spent;
    struct queries queries;
    struct kept_input *inputs;
    size_t input_count;
    struct buf system, task;
};

/* Opens a regular file of the user. Returns a descriptor, or -errno; -EINVAL: it is no regular
 * file. */
int agent_open_input(const char *path, off_t *ret_size);
