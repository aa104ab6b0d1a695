/* retort_doctor: what this host can enforce, found out by using it.
 *
 * Runs in: the broker. Makes an engine and sessions of its own, with the rights of the caller.
 * Hostile: nothing; the programs in the sessions are our own.
 * Life cycle: none.
 * Owns: the report.
 * Tests: tests/system/test_doctor.py
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "wire/control.h"

/* What to do about a layer (or -1) that this host does not provide, given the errno (or 0); "" if
 * no remedy is known. */
const char *doctor_remedy(int layer, int eno);

/* Whether the kernel has Landlock at all; if so, the layer is one of the core. */
bool doctor_has_landlock(void);
int doctor_landlock_version(void);

/* Things of the host that are no layer, but weaken one: [{name, ok, detail, remedy}]. */
json_t *doctor_host(void);
