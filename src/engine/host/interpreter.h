/* Which interpreter a session has, and what has to be mounted for it.
 *
 * Runs in: the broker, with the caller's rights. Runs no code of the interpreter: it reads links,
 *   pyvenv.cfg and the dynamic linker's list.
 * Hostile: nothing; the paths are the caller's.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/system/test_config.py
 */
#pragma once

#include "base/err.h"
#include "wire/control.h"

/* The interpreter, its prefix, base prefix and the libraries they need. `named`, a Python, is for
 * sessions in Python, and may be NULL: then it is the system's, or else the first on PATH. */
int interpreter_choose(enum language language, const char *named, struct ctl_environment *ret_env,
                       struct retort_error *err);
/* 0 if it is a program. */
int interpreter_check(const char *path, struct retort_error *err);
