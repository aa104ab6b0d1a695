/* What the loop needs of a session. Tests replace it.
 *
 * Runs in: the broker's process.
 * Owns: whatever `user` is.
 * Tests: tests/unit/test_agent_loop.c
 */
#pragma once

#include "base/err.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

struct runner {
    void *user;
    /* Runs a cell; `timeout` and `cpu` in seconds, 0 for the session's own. */
    int (*execute)(void *user, const char *code, double timeout, double cpu, json_t **ret_result,
                   struct retort_error *err);
    /* The stored standard output of a cell, up to its first NUL; text is malloc'ed. */
    int (*output)(void *user, unsigned cell, uint64_t from, size_t len, char **ret_text,
                  struct retort_error *err);
    json_t *(*files)(void *user); /* list of {path, size, mime}; NULL on failure */
    int (*note)(void *user, const json_t *event, struct retort_error *err); /* records it */
    /* Writes a text to a file of the session. */
    int (*keep)(void *user, const char *name, const char *text, struct retort_error *err);
};
