/* AssemblyScript's compiler, which is no package of Debian's: if npm has installed it on this machine, its
 * files are put into the session that compiles a skill. It runs there, and nowhere else.
 *
 * Runs in: broker; the command line.
 * Hostile: nothing; the files are of the machine.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/clients/test_assemblyscript.py
 */
#pragma once

#include "retort.h"

/* Below asc/ of the session. 0 also where there is no compiler: the session tells that. */
int asc_put(struct retort_session *session, struct retort_error *err);
