/* Where the programs are that users do not call themselves.
 *
 * Runs in: the broker and the command line.
 * Hostile: nothing.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/system/test_library.py
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

int libexec_find(char *ret, size_t size, struct retort_error *err);
/* Starts one of them with these variables, `sock` as descriptor 3 and no other. 0 or -errno. */
int libexec_spawn(const char *libexec, const char *name, int sock, char *const *vars,
                  pid_t *ret_pid);
/* Waits for one of them, by its pid alone: other children are the host program's. Returns its status;
 * where SIGCHLD is ignored the kernel reaps it, and this returns 0 at once. */
int libexec_await(pid_t *pid);
