/* Names of files as results write them: bytes that are not printable UTF-8 as \xNN, a backslash as
 * \\. This turns such a name back into the bytes by which the session knows the file. 0; -EINVAL:
 * not such a name; -ENAMETOOLONG. */
#pragma once

#include "base/buf.h"

int name_decode(const char *name, struct buf *ret);
