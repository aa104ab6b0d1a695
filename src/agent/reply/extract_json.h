/* Code and answers that arrive as JSON, or as what a model takes for JSON.
 *
 * Runs in: the broker's process.
 * Hostile: the text.
 * Owns: the strings it returns.
 * Tests: tests/unit/test_agent_extract.c
 */
#pragma once

#include "agent/reply/extract.h"

/* Reads {"code": …}, {"name": …, "arguments": …} and similar forms. Returns 1 when it has filled x,
 * 0 when the JSON holds no action, -EINVAL when it cannot be read, -ENOMEM. `name` is that of a
 * native call or NULL. */
int extract_json(const char *text, size_t len, const char *name, struct extract *x);
/* The same for text that may be JSON: it must be in braces or brackets. */
int extract_json_text(const char *text, size_t len, struct extract *x);
/* The language that a call's name means: "python", "bash", "sql", "javascript", "final" or NULL. */
const char *extract_call_language(const char *name);
