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

bool reach_is_url(const char *text); /* of http or https */

/* Rules for these two, of which either may be NULL or a directory, as text of a session's `network`.
 * `addresses`: a list of HOST=ADDRESS, for hosts that no name server knows or that are in a private
 * network; or NULL. */
int reach_rules(const char *index, const char *registry, const json_t *addresses, char **ret,
                struct retort_error *err);
