/* Tests that a candidate has to pass without being able to touch them.
 *
 * DIR holds test_*.py with functions test_…() that import the module `solution`, and perhaps a
 * first solution.py. The tests run in one session and the candidate in another; in the tests'
 * session `solution` is a proxy whose calls go through the host to the candidate. So a candidate
 * can neither read nor change the tests, nor answer for them. Arguments and results are Python
 * literals. Every second test is held out: its failures are counted, not described, so that
 * special-casing what was shown does not pass. The best attempt so far is kept.
 *
 * Runs in: the broker's process. Hostile: the candidate; what its session returns is data.
 * Owns: the tests (read once; the host's files are never written). Tests:
 * tests/system/test_agent.py */
#pragma once

#include "base/buf.h"
#include "retort.h"

struct testbed;

/* `agent` is the session in which the model writes solution.py. */
int testbed_new(struct retort_engine *engine, const char *dir, struct retort_session *agent,
                struct testbed **ret, char *problem, size_t size);
/* Puts the best attempt back if a later one is worse, and ends. */
void testbed_free(struct testbed *t);
/* What the model is told at the start: the tests that are shown. */
int testbed_describe(struct testbed *t, struct buf *out);
/* See run_tests. Runs again only if the candidate changed. */
int testbed_run(void *user, struct buf *advice);
