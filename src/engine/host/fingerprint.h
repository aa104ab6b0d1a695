/* What a session's code runs on: interpreter, packages, preload; kernel and machine.
 *
 * Runs in: the broker.
 * Hostile: nothing; the files are the host's. Nothing is executed.
 * Life cycle: none.
 * Owns: nothing; objects are the caller's.
 * Tests: tests/system/test_log.py, tests/system/test_config.py
 */
#pragma once

#include <jansson.h>

#include "base/err.h"
#include "wire/control.h"

struct retort_session_options;

/* A new object; takes `packages`. */
json_t *fingerprint(const struct ctl_environment *env, enum language language, json_t *packages);
/* {name: version}, read from the names of their metadata directories: it takes some time. */
json_t *fingerprint_packages(const struct ctl_environment *env);

/* What a session with these options would run on: {"language", "interpreter", "packages": {name:
 * version}, "limits": {"timeout", "memory_mb", "disk_mb"}}. The options are checked on the way. */
int fingerprint_expected(const struct retort_session_options *asked, json_t **ret,
                         struct retort_error *err);
