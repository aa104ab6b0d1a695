/* Does an answer fit a JSON schema? The part of JSON Schema that answers need: type, enum, const,
 * properties, required, additionalProperties, items, minItems, maxItems, minimum, maximum,
 * minLength, maxLength. No references are followed.
 *
 * Runs in: the broker's process. Hostile: the answer. Owns: nothing.
 * Tests: tests/unit/test_agent_loop.c */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

bool schema_check(const json_t *schema, const json_t *value, char *problem, size_t size);
bool schema_check_text(const char *schema, const char *value, char *problem, size_t size);
