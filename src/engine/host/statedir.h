/* Where Retort keeps what outlives a process: $RETORT_STATE, $XDG_STATE_HOME/retort,
 * ~/.local/state/retort; for root without a home /var/lib/retort.
 *
 * Runs in: broker.
 * Hostile: nothing.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/system/test_log.py
 */
#pragma once

#include <stddef.h>

#include "base/err.h"

/* The path of the state directory, which ledger_open makes. `given` wins unless it is NULL. */
int statedir_find(const char *given, char *ret_path, size_t size, struct retort_error *err);
