/* The texts of src/agent/prompts, which are built in; files of a directory replace them by name.
 *
 * Runs in: the broker's process.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_loop.c
 */
#pragma once

#include "base/buf.h"

/* Appends the prompt NAME (system, calls, tags, fences, data, sql, tests, command, tools, skills, last):
 * DIR/NAME.md if there is one, else the built-in text. 0 or -errno. */
int prompts_add(const char *dir, const char *name, struct buf *out);

struct prompt {
    const char *name, *text;
};
extern const struct prompt
    prompts_built_in[]; /* ends with a NULL name; made by scripts/embed-prompts */
