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

char *base64_text(const void *data, size_t len); /* malloc'ed; NULL: too long, or memory is out */

/* Takes only what base64_text() writes of some bytes, however few: the standard alphabet, padding, no
 * other character. 0 and malloc'ed bytes, -EINVAL or -ENOMEM. */
int base64_bytes(const char *text, size_t len, char **ret, size_t *ret_len);

/* The same at the end of a buffer; of no bytes, the text is empty. -EINVAL leaves the buffer as it was;
 * -ENOSPC, -ENOMEM. */
int base64_encode(struct buf *b, const void *data, size_t len);
int base64_decode(struct buf *b, const char *text, size_t len);
