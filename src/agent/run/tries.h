/* Best of N: several tries at one task, side by side, from one prepared session.
 *
 *   agent_run ── prepares the session ── tries_run
 *                                          ├─ N branches of it, live, with all that was loaded
 *                                          ├─ in each, in a thread of its own: a whole run
 *                                          ├─ a judge looks at every try that ends; when the
 *                                          │  others cannot win any more, they are stopped
 *                                          └─ the best one is kept, the others end
 *
 * All tries share the budgets of tokens, time and CPU time; each has its own budget of steps and
 * errors. Events of a try have its number as "try". Each ends with {"event": "verdict", "try",
 * "session", "judge", "verdict": "judged"|"failed"|"stopped"|"none", "score", …}; then comes
 * {"event": "tries", "judge", "kept", "tries": […]}, and once more `final` and `stop` of the try
 * that was kept, without a number, with what the judge said and what all have spent.
 *
 * Runs in: the broker's process; the caller's thread waits for those of the tries.
 * Owns: the branches, until it hands one on.
 * Tests: tests/system/test_agent_tries.py
 */
#pragma once

#include "agent/run/agent_work.h"

/* Replaces run_loop. Afterwards w->session is the branch that was kept, if one was. */
void tries_run(struct agent_work *w);
