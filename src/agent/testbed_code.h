/* Python that runs in the two sessions of a testbed.
 *
 * Runs in: sessions. Tests: tests/system/test_agent.py */
#pragma once

extern const char testbed_discover[], testbed_harness[];
extern const char testbed_call[]; /* a format: arguments and name, both as JSON strings */
