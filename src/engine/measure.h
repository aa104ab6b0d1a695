/* What a session has used, read from descriptors of its cgroup's files.
 *
 * Runs in: broker. It reads the kernel's text; it needs no right to the files beyond the
 *   descriptors.
 * Hostile: nothing; no byte of these files is a guest's.
 * Owns: nothing; the descriptors stay the caller's.
 * Invariants: cgroups are used again by other sessions, and some counters cannot be set back. So
 *   read once before a cell and once after it, and take measure_since().
 * Tests: tests/unit/test_measure.c
 */
#pragma once

#include <stdint.h>

#include "wire/control.h"

struct measure {
    uint64_t cpu_us;
    uint64_t peak_bytes;
    uint64_t oom_kills;
    uint64_t pids_denied; /* forks refused because of the limit */
    uint64_t tasks;       /* processes and threads that there are now */
};

/* `fds` in the order CREATED_CPU … CREATED_PIDS; `version` as in struct ctl_created. Reads at
 * offset 0, never moves a file position. 0 or -errno (-EPROTO: not the expected text). */
int measure_read(int version, const int fds[CREATED_MEASURES], struct measure *ret);

/* Processor time alone. */
int measure_cpu(int version, const int fds[CREATED_MEASURES], uint64_t *ret_us);

/* All of it before a cell: the peak counts from now, where the kernel can do that. `last`, if it is
 * given, is what was read at a time since when nobody can have been killed or refused: of it all is
 * taken but the processor time. */
int measure_begin(int version, const int fds[CREATED_MEASURES], const struct measure *last,
                  struct measure *ret);

/* Counters as differences, peak and tasks as they are in `after`. */
struct measure measure_since(const struct measure *before, const struct measure *after);

/* Parsers of the files' text; -EPROTO. */
int measure_number(const char *text, uint64_t *ret_value);                 /* one number */
int measure_keyed(const char *text, const char *key, uint64_t *ret_value); /* lines "key number" */
