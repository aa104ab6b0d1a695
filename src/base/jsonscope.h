/* A JSON value that is released when its variable leaves the scope; see scope.h. */
#pragma once

#include <jansson.h>

static inline void scope_json(json_t **value) {
    json_decref(*value);
}
#define scoped_json __attribute__((cleanup(scope_json))) json_t
