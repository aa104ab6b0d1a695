/* Tests that a candidate has to pass, and how they are run.
 *
 * The tests are files of the user: test_*.py and what lies with them, and perhaps a first
 * solution.py. What is to be written they import from `solution`.
 * - Plain tests, functions test_…() without arguments: they run in one session and the candidate in
 *   another; in the tests' session `solution` is a proxy whose calls go through the host to the
 *   candidate. So a candidate can neither read nor change the tests, nor answer for them. Arguments
 *   and results are Python literals.
 * - Everything else is for pytest, which runs in a fresh session with the tests and solution.py.
 *   It imports the solution as it always does, so a candidate that means to deceive it could.
 * - A command is run in a fresh session with a copy of the workspace and the tests over it.
 * What is wrong with the tests themselves is found before the run. Every second test is held out:
 * its failures are counted, not described, so that special-casing what was shown does not pass. The
 * best attempt so far is kept.
 *
 * Runs in: the broker's process.
 * Hostile: the candidate; what its session returns is data.
 * Owns: the tests (read once; the host's files are never written).
 * Tests: tests/system/test_agent.py, tests/system/test_agent_tests.py
 */
#pragma once

#include "base/buf.h"
#include "retort.h"

struct testbed;

struct testbed_options {
    const char *const *paths; /* of files and directories, NULL-terminated, or NULL */
    const char *command;      /* or NULL */
    const struct retort_session_options *session; /* of the agent: its interpreter, its time */
};

/* `agent` is the session in which the model writes. If the tests are wrong (-EINVAL and others),
 * `problem` says how. */
int testbed_new(struct retort_engine *engine, const struct testbed_options *options,
                struct retort_session *agent, struct testbed **ret, char *problem, size_t size);
/* The same tests for another session; must not outlive `t`. */
int testbed_branch(const struct testbed *t, struct retort_session *agent, struct testbed **ret);
/* Restores the best attempt if a later one is worse, and frees the testbed. */
void testbed_free(struct testbed *t);
/* Appends what the model is told at the start: the tests that are shown. */
int testbed_describe(struct testbed *t, struct buf *out);
const char *testbed_prompt(const struct testbed *t);  /* name of the prompt about the tests */
const char *testbed_success(const struct testbed *t); /* the answer when all tests pass */
/* See run_tests. Runs the tests again only if the candidate changed. */
int testbed_run(void *user, struct buf *advice);
