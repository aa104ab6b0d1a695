/* JSON text in which every number has the fewest digits that give the same number again: 0.1, not
 * 0.10000000000000001, and not 0.333333333333333 for a third.
 *
 * Runs in: broker, command line.
 * Invariants: the text does not depend on the locale.
 * Tests: tests/unit/test_jsonout.c
 */
#pragma once

#include <jansson.h>

#include "base/buf.h"

/* `flags` as for json_dumps. malloc'ed; NULL: out of memory, or the value cannot be written. */
char *json_out(const json_t *value, size_t flags);
/* Appends it. 0, or -ENOSPC. */
int json_out_buf(struct buf *b, const json_t *value, size_t flags);
