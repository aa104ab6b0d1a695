/* AssemblyScript's compiler. Debian has no package of it: if npm has installed it on this machine,
 * we put its files into the session that compiles a skill. It runs only there.
 *
 * Runs in: broker; the command line.
 * Hostile: nothing; the files are of the machine.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/clients/test_assemblyscript.py
 */
#pragma once

#include "retort.h"

/* Copies it below asc/ of the session. 0 also if there is no compiler: the session reports that. */
int asc_put(struct retort_session *session, struct retort_error *err);
