/* Python that runs in the sessions of a testbed.
 *
 * Runs in: sessions.
 * Tests: tests/system/test_agent.py, tests/system/test_agent_tests.py
 */
#pragma once

extern const char testbed_discover[], testbed_harness[];
extern const char testbed_pytest[];  /* a format: a token */
extern const char testbed_command[]; /* a format: the command as a JSON string */
extern const char testbed_call[];    /* a format: arguments and name, both as JSON strings */
