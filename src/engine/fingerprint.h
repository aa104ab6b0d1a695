/* What a session's code ran on: interpreter, packages, preload; kernel and machine. */
#pragma once

#include <jansson.h>

#include "base/err.h"

struct retort_session;
struct retort_session_options;

/* A new object. Packages are read from the names of their metadata directories; nothing is
 * executed. */
json_t *fingerprint(const struct retort_session *s);

/* What a session with these options would run on: {"language", "interpreter", "packages": {name:
 * version}, "limits": {"timeout", "memory_mb", "disk_mb"}}. The options are checked on the way. */
int fingerprint_expected(const struct retort_session_options *asked, json_t **ret, struct err *err);
