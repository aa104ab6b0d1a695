/* Bytes as text that JSON can hold.
 *
 * Runs in: broker, command.
 * Hostile: the text may be anybody's.
 * Owns: nothing.
 * Tests: tests/unit/test_base64.c
 */
#pragma once

#include <stddef.h>

#include "base/buf.h"

char *base64_text(const void *data, size_t len); /* malloc'ed; NULL: too long, or out of memory */

/* Decodes only what base64_text() could have written: the standard alphabet with padding, at least
 * one byte, no other character. Returns 0 and malloc'ed bytes, -EINVAL or -ENOMEM. */
int base64_bytes(const char *text, size_t len, char **ret, size_t *ret_len);

/* The same, appended to a buffer; no bytes give an empty text, and the other way round. -EINVAL
 * leaves the buffer as it was; also -ENOSPC, -ENOMEM. */
int base64_encode(struct buf *b, const void *data, size_t len);
int base64_decode(struct buf *b, const char *text, size_t len);
