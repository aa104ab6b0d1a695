/* One description per JSON-RPC method. Dispatch, validation, the reference page docs/rpc.md, the
 * types of the TypeScript client, the OpenAPI document and a test per example are made from it.
 *
 * Runs in: broker.
 * Hostile: the parameters that methods_check is given.
 * Tests: tests/unit/test_methods.c (a stale docs/rpc.md or methods.d.ts fails),
 *   tests/system/test_rpc.py (every example)
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "base/buf.h"
#include "retort.h"

enum field_type {
    FIELD_ANY,
    FIELD_STRING,
    FIELD_INTEGER, /* not negative */
    FIELD_NUMBER,  /* not negative */
    FIELD_BOOLEAN,
    FIELD_OBJECT, /* with `fields`: has exactly those; without: anything */
    FIELD_ARRAY,  /* with `fields`: of objects that have those */
};

struct method_field {
    const char *name; /* NULL ends a list */
    enum field_type type;
    bool required;
    const char *summary;
    const struct method_field *fields;
    const char *values; /* the values that a string may have: "one|two|three" */
};

enum method_order {
    METHOD_FREE,    /* about no session, or does not wait for its turn */
    METHOD_ORDERED, /* waits for its turn in params.session */
};

struct request;
/* Appends the result, JSON text. Returns 0 or a negative errno with the error filled. */
typedef int method_handler(struct request *request, struct buf *result, struct retort_error *error);

struct method {
    const char *name;
    const char *summary;
    enum method_order order;
    method_handler *handler;
    const struct method_field *params;
    const struct method_field *result;
    const char *errors; /* errors beyond those that every method has */
    const char
        *example; /* params, JSON text; in it the session s_example stands for one that exists */
    const char *answer; /* the result of the example: a real one must have its members, of the same
                           types */
};

extern const struct method methods[];
size_t methods_count(void);
const struct method *methods_find(const char *name); /* or NULL */

/* Checks that every field is known, required fields are there, and types are right. `params` may be
 * NULL. CALLER/EINVAL otherwise. */
int methods_check(const struct method *method, const json_t *params, struct retort_error *error);

/* docs/rpc.md. */
int methods_reference(struct buf *out);
/* clients/typescript/methods.d.ts. */
int methods_types(struct buf *out);
/* A JSON schema of an object with these fields. */
json_t *methods_schema(const struct method_field *fields);
