/* Code and answers that arrive as JSON, or as what a model takes for JSON.
 *
 * Runs in: the broker's process.
 * Hostile: the text.
 * Owns: the strings it returns.
 * Tests: tests/unit/test_agent_extract.c
 */
#pragma once

#include "agent/reply/extract.h"

/* Reads {"code": …}, {"name": …, "arguments": …} and their kin. Returns 1 when x was filled, 0 when
 * the JSON holds no action, -EINVAL when it cannot be read, -ENOMEM. `name` is that of a native
 * call or NULL. */
int extract_json(const char *text, size_t len, const char *name, struct extract *x);
/* Like it, for text that only may be JSON: braces or brackets around all of it. */
int extract_json_text(const char *text, size_t len, struct extract *x);
/* "python", "bash", "sql", "javascript", "final" or NULL for the name of a call. */
const char *extract_call_language(const char *name);
