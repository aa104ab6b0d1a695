/* Which layers hold a session, and why some do not.
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: nothing; the supervisor says it.
 * Life cycle: zero; isolation_take for each process of the session; isolation_done.
 * Owns: the reports.
 * Invariants: no layer is in force and missing; the report tells of the present process.
 * Tests: tests/system/test_doctor.py, tests/unit/test_session.c
 */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "wire/control.h"

struct isolation {
    _Atomic uint32_t layers, missing;   /* retort_session_info() reads them without a lock */
    char cgroup_why[160], uid_why[160]; /* why those layers are missing */
    json_t *json;                       /* shared by all results; NULL: not asked for yet */
    const char *text;                   /* the same as text, a key of `texts`; or NULL */
    json_t *texts; /* every report there was: a caller may hold one as long as the session lives */
};

void isolation_take(struct isolation *iso, const struct ctl_created *created);
void isolation_done(struct isolation *iso);
/* {"tier", "layers", "missing"} */
json_t *isolation_json(const struct isolation *iso);
json_t *isolation_shared(struct isolation *iso); /* the same, made once */
const char *isolation_text(struct isolation *iso);
