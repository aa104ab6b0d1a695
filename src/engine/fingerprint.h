/* What a session's code ran on: interpreter, packages, preload; kernel and machine. */
#pragma once

#include <jansson.h>

struct retort_session;

/* A new object. Packages are read from the names of their metadata directories; nothing is
 * executed. */
json_t *fingerprint(const struct retort_session *s);
