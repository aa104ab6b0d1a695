/* The method that lets an agent work, see agents.c.
 *
 * Runs in: broker, the thread of the request.
 * Hostile: what a model says; the agent looks at it.
 * Tests: tests/system/test_agent.py, tests/system/test_agent_tries.py
 */
#pragma once

#include "serve/rpc/methods.h"

method_handler handle_agent_run;
