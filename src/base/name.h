/* Names of files as results write them: bytes that are not printable UTF-8 as \xNN, a backslash as
 * \\. Back to the bytes that the session knows the file by. 0; -EINVAL: nothing that is written so;
 * -ENAMETOOLONG. */
#pragma once

#include "base/buf.h"

int name_decode(const char *name, struct buf *ret);
