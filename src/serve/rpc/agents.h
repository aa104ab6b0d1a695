/* agent.run, see agents.c.
 *
 * Runs in: broker, the thread of the request.
 * Hostile: what a model says; the agent checks it.
 * Tests: tests/system/test_agent.py, tests/system/test_agent_tries.py
 */
#pragma once

#include "serve/rpc/methods.h"

method_handler handle_agent_run;
