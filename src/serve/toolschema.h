/* JSON Schema, the part that describes the arguments of a tool. References are never followed.
 *
 * Runs in: broker.
 * Hostile: the schema comes from a client, the value from guest code. Both were parsed with a depth
 * limit. Tests: tests/unit/test_schema.c.
 */
#pragma once

#include <jansson.h>
#include <stddef.h>

/* 0, or -EINVAL with the reason: "/path: what is wrong". */
int toolschema_check(const json_t *schema, const json_t *value, char *why, size_t size);
/* 0 if every keyword that changes what is valid is one that toolschema_check knows. */
int toolschema_supported(const json_t *schema, char *why, size_t size);
