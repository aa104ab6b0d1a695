/* Whom a session that installs may connect to: the index, and nobody else.
 *
 * Runs in: broker.
 * Hostile: nothing; addresses are the caller's.
 * Owns: nothing; what is returned is the caller's.
 * Tests: tests/unit/test_reach.c, tests/system/test_environments.py
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"

bool reach_is_url(const char *text); /* for http or https */

/* Rules for the index and the registry, as text for a session's `network`; each may be NULL or a
 * directory. `addresses`: a list of HOST=ADDRESS, for hosts that no name server knows or that are
 * in a private network; or NULL. */
int reach_rules(const char *index, const char *registry, const json_t *addresses, char **ret,
                struct retort_error *err);
