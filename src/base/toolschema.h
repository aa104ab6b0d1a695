/* JSON Schema, the part that describes the arguments of a tool or the answer of an agent: type,
 * enum, const, required, properties, additionalProperties, items, the bounds (minLength, minItems,
 * minimum, exclusiveMinimum and their opposites), allOf, anyOf, oneOf, not. title, description,
 * default, examples, format and $schema change nothing. Every other keyword is refused, never
 * ignored; references are never followed.
 *
 * Runs in: broker.
 * Hostile: the schema comes from a client, the value from guest code or a model. Both were parsed
 *   with a depth limit.
 * Tests: tests/unit/test_toolschema.c, tests/system/test_agent_schema.py
 */
#pragma once

#include <jansson.h>
#include <stddef.h>

/* 0, or -EINVAL with the reason: "/path: what is wrong". */
int toolschema_check(const json_t *schema, const json_t *value, char *why, size_t size);
/* 0 if every keyword is one that toolschema_check knows, with a value that it can have. */
int toolschema_supported(const json_t *schema, char *why, size_t size);
