#include "agent/schema_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct where {
    char *problem;
    size_t size;
    char path[200];
};

static bool wrong(const struct where *w, const char *what) {
    snprintf(w->problem, w->size, "The answer does not fit its schema: %s %s.",
             w->path[0] ? w->path : "it", what);
    return false;
}

static bool has_type(const json_t *v, const char *type) {
    if (strcmp(type, "integer") == 0)
        return json_is_integer(v) ||
               (json_is_real(v) && floor(json_real_value(v)) == json_real_value(v));
    return (strcmp(type, "object") == 0 && json_is_object(v)) ||
           (strcmp(type, "array") == 0 && json_is_array(v)) ||
           (strcmp(type, "string") == 0 && json_is_string(v)) ||
           (strcmp(type, "number") == 0 && json_is_number(v)) ||
           (strcmp(type, "boolean") == 0 && json_is_boolean(v)) ||
           (strcmp(type, "null") == 0 && json_is_null(v));
}

static bool type_fits(const json_t *type, const json_t *v) {
    if (!type)
        return true;
    if (json_is_string(type))
        return has_type(v, json_string_value(type));
    for (size_t i = 0; i < json_array_size(type); i++)
        if (has_type(v, json_string_value(json_array_get(type, i))))
            return true;
    return false;
}

static bool one_of(const json_t *list, const json_t *v) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_array_get(list, i), v))
            return true;
    return false;
}

static bool in_range(const json_t *schema, const char *low, const char *high, double x) {
    const json_t *a = json_object_get(schema, low), *b = json_object_get(schema, high);
    return !(json_is_number(a) && x < json_number_value(a)) &&
           !(json_is_number(b) && x > json_number_value(b));
}

static bool check(const json_t *schema, const json_t *v, struct where *w, int depth);

static bool check_inner(const json_t *schema, const json_t *v, struct where *w, const char *key,
                        int depth) {
    size_t n = strlen(w->path);
    snprintf(w->path + n, sizeof w->path - n, "%s%s", n ? "." : "", key);
    bool ok = check(schema, v, w, depth + 1);
    if (ok)
        w->path[n] = 0;
    return ok;
}

static bool check_object(const json_t *schema, const json_t *v, struct where *w, int depth) {
    const json_t *properties = json_object_get(schema, "properties"), *name, *inner;
    const json_t *extra = json_object_get(schema, "additionalProperties");
    const char *key;
    size_t i;
    json_array_foreach(json_object_get(schema, "required"), i, name) {
        char what[120];
        snprintf(what, sizeof what, "has no \"%.80s\"", json_string_value(name));
        if (!json_object_get(v, json_string_value(name)))
            return wrong(w, what);
    }
    json_object_foreach((json_t *)v, key, inner) {
        const json_t *s = json_object_get(properties, key);
        if (!s && json_is_false(extra))
            return wrong(w, "has a field that is not allowed");
        if (s && !check_inner(s, inner, w, key, depth))
            return false;
    }
    return true;
}

static bool check_array(const json_t *schema, const json_t *v, struct where *w, int depth) {
    const json_t *items = json_object_get(schema, "items"), *inner;
    size_t i;
    if (!in_range(schema, "minItems", "maxItems", (double)json_array_size(v)))
        return wrong(w, "has the wrong number of items");
    json_array_foreach(v, i, inner) {
        if (items && !check_inner(items, inner, w, "item", depth))
            return false;
    }
    return true;
}

static bool check(const json_t *schema, const json_t *v, struct where *w, int depth) {
    const json_t *list = json_object_get(schema, "enum"), *only = json_object_get(schema, "const");
    if (depth > 32)
        return wrong(w, "is nested too deeply");
    if (!type_fits(json_object_get(schema, "type"), v))
        return wrong(w, "has the wrong type");
    if ((list && !one_of(list, v)) || (only && !json_equal(only, v)))
        return wrong(w, "is not one of the allowed values");
    if (json_is_number(v) && !in_range(schema, "minimum", "maximum", json_number_value(v)))
        return wrong(w, "is out of range");
    if (json_is_string(v) &&
        !in_range(schema, "minLength", "maxLength", (double)json_string_length(v)))
        return wrong(w, "has the wrong length");
    if (json_is_object(v))
        return check_object(schema, v, w, depth);
    return !json_is_array(v) || check_array(schema, v, w, depth);
}

bool schema_check(const json_t *schema, const json_t *value, char *problem, size_t size) {
    struct where w = {.problem = problem, .size = size};
    return check(schema, value, &w, 0);
}

bool schema_check_text(const char *schema, const char *value, char *problem, size_t size) {
    json_t *s = json_loads(schema, 0, NULL), *v = json_loads(value, JSON_DECODE_ANY, NULL);
    bool ok = s && v && schema_check(s, v, problem, size);
    if (!s || !v)
        snprintf(problem, size, "%s",
                 s ? "The answer has to be JSON that fits the schema, and nothing else."
                   : "The schema is not valid JSON.");
    json_decref(s);
    json_decref(v);
    return ok;
}
