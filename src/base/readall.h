/* Reads a descriptor to its end and appends the bytes to a buffer.
 *
 * 0; -ENOSPC when it is more than the buffer may hold; or -errno.
 */
#pragma once

#include "base/buf.h"

int read_all(int fd, struct buf *ret);
