#include "base/toolschema.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/unconst.h"
#include "base/utf8.h"

struct check {
    char path[200];
    char *why;
    size_t size;
};

typedef bool keyword_check(struct check *c, const json_t *schema, const json_t *arg,
                           const json_t *value);

static bool fits(struct check *c, const json_t *schema, const json_t *value);

static bool fail(struct check *c, const char *what, const char *name) {
    snprintf(c->why, c->size, "%s: %s%s%s", c->path[0] ? c->path : "/", what, name ? " " : "",
             name ? name : "");
    return false;
}

static bool fits_below(struct check *c, const char *name, const json_t *schema,
                       const json_t *value) {
    size_t len = strlen(c->path);
    bool ok;

    snprintf(c->path + len, sizeof c->path - len, "/%s", name);
    ok = fits(c, schema, value);
    c->path[len] = 0;
    return ok;
}

/* 2.0 is one, and so is every number too large to have a fraction. */
static bool is_integer(const json_t *value) {
    double x = json_real_value(value);

    if (!json_is_real(value))
        return json_is_integer(value);
    return x <= -9007199254740992.0 || x >= 9007199254740992.0 || x == (double)(long long)x;
}

static bool is_of_type(const json_t *value, const char *type) {
    if (strcmp(type, "integer") == 0)
        return is_integer(value);
    return (strcmp(type, "object") == 0 && json_is_object(value)) ||
           (strcmp(type, "array") == 0 && json_is_array(value)) ||
           (strcmp(type, "string") == 0 && json_is_string(value)) ||
           (strcmp(type, "number") == 0 && json_is_number(value)) ||
           (strcmp(type, "boolean") == 0 && json_is_boolean(value)) ||
           (strcmp(type, "null") == 0 && json_is_null(value));
}

static bool check_type(struct check *c, const json_t *schema, const json_t *arg,
                       const json_t *value) {
    size_t i;
    json_t *one;

    (void)schema;
    if (json_is_string(arg))
        return is_of_type(value, json_string_value(arg)) ||
               fail(c, "must be of type", json_string_value(arg));
    json_array_foreach(arg, i, one) {
        if (json_is_string(one) && is_of_type(value, json_string_value(one)))
            return true;
    }
    return fail(c, "is of no type that is allowed", NULL);
}

static bool check_enum(struct check *c, const json_t *schema, const json_t *arg,
                       const json_t *value) {
    size_t i;
    json_t *one;

    (void)schema;
    json_array_foreach(arg, i, one) {
        if (json_equal(one, value))
            return true;
    }
    return fail(c, "is not one of the allowed values", NULL);
}

static bool check_const(struct check *c, const json_t *schema, const json_t *arg,
                        const json_t *value) {
    (void)schema;
    return json_equal(arg, value) || fail(c, "is not the allowed value", NULL);
}

static bool check_required(struct check *c, const json_t *schema, const json_t *arg,
                           const json_t *value) {
    size_t i;
    json_t *name;

    (void)schema;
    if (!json_is_object(value))
        return true;
    json_array_foreach(arg, i, name) {
        if (json_is_string(name) && !json_object_get(value, json_string_value(name)))
            return fail(c, "lacks", json_string_value(name));
    }
    return true;
}

static bool check_properties(struct check *c, const json_t *schema, const json_t *arg,
                             const json_t *value) {
    const char *name;
    json_t *sub;

    (void)schema;
    json_object_foreach(unconst(arg), name, sub) {
        const json_t *member = json_object_get(value, name);

        if (member && !fits_below(c, name, sub, member))
            return false;
    }
    return true;
}

static bool check_additional(struct check *c, const json_t *schema, const json_t *arg,
                             const json_t *value) {
    const json_t *known = json_object_get(schema, "properties");
    const char *name;
    json_t *member;

    json_object_foreach(unconst(value), name, member) {
        if (json_object_get(known, name))
            continue;
        if (json_is_false(arg))
            return fail(c, "has an unknown member", name);
        if (!fits_below(c, name, arg, member))
            return false;
    }
    return true;
}

static bool check_items(struct check *c, const json_t *schema, const json_t *arg,
                        const json_t *value) {
    size_t i;
    json_t *item;
    char name[24];

    (void)schema;
    json_array_foreach(value, i, item) {
        snprintf(name, sizeof name, "%zu", i);
        if (!fits_below(c, name, arg, item))
            return false;
    }
    return true;
}

static size_t characters(const json_t *string) {
    return utf8_count(json_string_value(string), json_string_length(string));
}

static bool check_min_length(struct check *c, const json_t *schema, const json_t *arg,
                             const json_t *value) {
    (void)schema;
    return !json_is_string(value) || (json_int_t)characters(value) >= json_integer_value(arg) ||
           fail(c, "is too short", NULL);
}

static bool check_max_length(struct check *c, const json_t *schema, const json_t *arg,
                             const json_t *value) {
    (void)schema;
    return !json_is_string(value) || (json_int_t)characters(value) <= json_integer_value(arg) ||
           fail(c, "is too long", NULL);
}

static bool check_min_items(struct check *c, const json_t *schema, const json_t *arg,
                            const json_t *value) {
    (void)schema;
    return !json_is_array(value) || (json_int_t)json_array_size(value) >= json_integer_value(arg) ||
           fail(c, "has too few items", NULL);
}

static bool check_max_items(struct check *c, const json_t *schema, const json_t *arg,
                            const json_t *value) {
    (void)schema;
    return !json_is_array(value) || (json_int_t)json_array_size(value) <= json_integer_value(arg) ||
           fail(c, "has too many items", NULL);
}

static bool check_minimum(struct check *c, const json_t *schema, const json_t *arg,
                          const json_t *value) {
    (void)schema;
    return !json_is_number(value) || json_number_value(value) >= json_number_value(arg) ||
           fail(c, "is too small", NULL);
}

static bool check_maximum(struct check *c, const json_t *schema, const json_t *arg,
                          const json_t *value) {
    (void)schema;
    return !json_is_number(value) || json_number_value(value) <= json_number_value(arg) ||
           fail(c, "is too large", NULL);
}

static bool check_ex_minimum(struct check *c, const json_t *schema, const json_t *arg,
                             const json_t *value) {
    (void)schema;
    return !json_is_number(value) || json_number_value(value) > json_number_value(arg) ||
           fail(c, "is too small", NULL);
}

static bool check_ex_maximum(struct check *c, const json_t *schema, const json_t *arg,
                             const json_t *value) {
    (void)schema;
    return !json_is_number(value) || json_number_value(value) < json_number_value(arg) ||
           fail(c, "is too large", NULL);
}

static size_t count_fitting(struct check *c, const json_t *arg, const json_t *value) {
    size_t i, n = 0;
    json_t *one;

    json_array_foreach(arg, i, one) {
        n += fits(c, one, value);
    }
    return n;
}

static bool check_all_of(struct check *c, const json_t *schema, const json_t *arg,
                         const json_t *value) {
    size_t i;
    json_t *one;

    (void)schema;
    json_array_foreach(arg, i, one) {
        if (!fits(c, one, value))
            return false;
    }
    return true;
}

static bool check_any_of(struct check *c, const json_t *schema, const json_t *arg,
                         const json_t *value) {
    (void)schema;
    return count_fitting(c, arg, value) > 0 || fail(c, "fits none of the alternatives", NULL);
}

static bool check_one_of(struct check *c, const json_t *schema, const json_t *arg,
                         const json_t *value) {
    (void)schema;
    return count_fitting(c, arg, value) == 1 || fail(c, "must fit exactly one alternative", NULL);
}

static bool check_not(struct check *c, const json_t *schema, const json_t *arg,
                      const json_t *value) {
    (void)schema;
    return !fits(c, arg, value) || fail(c, "fits what it must not fit", NULL);
}

/* What the argument of a keyword has to be. */
enum shape { ANYTHING, TYPES, LIST, NAMES, SCHEMA, SCHEMAS, SCHEMA_LIST, COUNT, NUMBER };

static const struct {
    const char *name;
    keyword_check *check; /* NULL: says nothing about what is valid */
    enum shape shape;
} keywords[] = {
    {"type", check_type, TYPES},
    {"enum", check_enum, LIST},
    {"const", check_const, ANYTHING},
    {"required", check_required, NAMES},
    {"properties", check_properties, SCHEMAS},
    {"additionalProperties", check_additional, SCHEMA},
    {"items", check_items, SCHEMA},
    {"minLength", check_min_length, COUNT},
    {"maxLength", check_max_length, COUNT},
    {"minItems", check_min_items, COUNT},
    {"maxItems", check_max_items, COUNT},
    {"minimum", check_minimum, NUMBER},
    {"maximum", check_maximum, NUMBER},
    {"exclusiveMinimum", check_ex_minimum, NUMBER},
    {"exclusiveMaximum", check_ex_maximum, NUMBER},
    {"allOf", check_all_of, SCHEMA_LIST},
    {"anyOf", check_any_of, SCHEMA_LIST},
    {"oneOf", check_one_of, SCHEMA_LIST},
    {"not", check_not, SCHEMA},
    {"title", NULL, ANYTHING},
    {"description", NULL, ANYTHING},
    {"default", NULL, ANYTHING},
    {"examples", NULL, ANYTHING},
    {"format", NULL, ANYTHING},
    {"$schema", NULL, ANYTHING},
};

#define KEYWORDS (sizeof keywords / sizeof *keywords)

static bool fits(struct check *c, const json_t *schema, const json_t *value) {
    if (json_is_boolean(schema))
        return json_is_true(schema) || fail(c, "is not allowed", NULL);
    for (size_t i = 0; i < KEYWORDS; i++) {
        const json_t *arg = json_object_get(schema, keywords[i].name);

        if (arg && keywords[i].check && !keywords[i].check(c, schema, arg, value))
            return false;
    }
    return true;
}

int toolschema_check(const json_t *schema, const json_t *value, char *why, size_t size) {
    struct check c = {.why = why, .size = size};

    return fits(&c, schema, value) ? 0 : -EINVAL;
}

/* --- is it a schema that can be checked? --- */

static bool is_type_name(const json_t *name) {
    static const char *const names[] = {"object", "array",   "string", "number",
                                        "null",   "boolean", "integer"};

    for (size_t i = 0; json_is_string(name) && i < sizeof names / sizeof *names; i++)
        if (strcmp(json_string_value(name), names[i]) == 0)
            return true;
    return false;
}

static bool all_are(const json_t *list, bool (*is)(const json_t *)) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!is(json_array_get(list, i)))
            return false;
    return json_array_size(list) > 0;
}

static bool is_text(const json_t *value) {
    return json_is_string(value);
}

static bool has_shape(const json_t *arg, enum shape shape) {
    switch (shape) {
    case TYPES: return is_type_name(arg) || all_are(arg, is_type_name);
    case LIST: return json_is_array(arg);
    case NAMES: return json_is_array(arg) && (!json_array_size(arg) || all_are(arg, is_text));
    case SCHEMAS: return json_is_object(arg);
    case SCHEMA_LIST: return json_array_size(arg) > 0;
    case COUNT: return json_is_integer(arg) && json_integer_value(arg) >= 0;
    case NUMBER: return json_is_number(arg);
    default: return true; /* a schema is looked at by itself */
    }
}

static int schema_refuse(char *why, size_t size, const char *name, const char *what) {
    snprintf(why, size, "the schema keyword %.60s %s", name, what);
    return -EINVAL;
}

static int supported_all(const json_t *schemas, char *why, size_t size) {
    const char *name;
    json_t *one;
    size_t i;

    json_object_foreach(unconst(schemas), name, one) {
        if (toolschema_supported(one, why, size) < 0)
            return -EINVAL;
    }
    json_array_foreach(schemas, i, one) {
        if (toolschema_supported(one, why, size) < 0)
            return -EINVAL;
    }
    return 0;
}

static int supported_keyword(const char *name, const json_t *arg, char *why, size_t size) {
    size_t i = 0;

    while (i < KEYWORDS && strcmp(keywords[i].name, name) != 0)
        i++;
    if (i == KEYWORDS)
        return schema_refuse(why, size, name, "is not supported");
    if (!has_shape(arg, keywords[i].shape))
        return schema_refuse(why, size, name, "has a value that it cannot have");
    if (keywords[i].shape == SCHEMA)
        return toolschema_supported(arg, why, size);
    if (keywords[i].shape == SCHEMAS || keywords[i].shape == SCHEMA_LIST)
        return supported_all(arg, why, size);
    return 0;
}

int toolschema_supported(const json_t *schema, char *why, size_t size) {
    const char *name;
    json_t *arg;

    if (!json_is_object(schema) && !json_is_boolean(schema)) {
        snprintf(why, size, "a schema must be an object");
        return -EINVAL;
    }
    json_object_foreach(unconst(schema), name, arg) {
        if (supported_keyword(name, arg, why, size) < 0)
            return -EINVAL;
    }
    return 0;
}
