#include "serve/toolschema.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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
    json_object_foreach((json_t *)arg, name, sub) {
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

    json_object_foreach((json_t *)value, name, member) {
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
    const char *s = json_string_value(string);
    size_t n = 0;

    for (size_t i = 0; i < json_string_length(string); i++)
        n += (s[i] & 0xc0) != 0x80;
    return n;
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

static const struct {
    const char *name;
    keyword_check *check; /* NULL: says nothing about what is valid */
} keywords[] = {
    {"type", check_type},
    {"enum", check_enum},
    {"const", check_const},
    {"required", check_required},
    {"properties", check_properties},
    {"additionalProperties", check_additional},
    {"items", check_items},
    {"minLength", check_min_length},
    {"maxLength", check_max_length},
    {"minItems", check_min_items},
    {"maxItems", check_max_items},
    {"minimum", check_minimum},
    {"maximum", check_maximum},
    {"exclusiveMinimum", check_ex_minimum},
    {"exclusiveMaximum", check_ex_maximum},
    {"allOf", check_all_of},
    {"anyOf", check_any_of},
    {"oneOf", check_one_of},
    {"title", NULL},
    {"description", NULL},
    {"default", NULL},
    {"examples", NULL},
    {"format", NULL},
    {"$schema", NULL},
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

static bool is_keyword(const char *name) {
    for (size_t i = 0; i < KEYWORDS; i++)
        if (strcmp(keywords[i].name, name) == 0)
            return true;
    return false;
}

static int supported_all(const json_t *schemas, char *why, size_t size) {
    const char *name;
    json_t *one;
    size_t i;

    json_object_foreach((json_t *)schemas, name, one) {
        if (toolschema_supported(one, why, size) < 0)
            return -EINVAL;
    }
    json_array_foreach(schemas, i, one) {
        if (toolschema_supported(one, why, size) < 0)
            return -EINVAL;
    }
    return 0;
}

int toolschema_supported(const json_t *schema, char *why, size_t size) {
    static const char *const below[] = {"items", "additionalProperties"};
    static const char *const lists[] = {"properties", "allOf", "anyOf", "oneOf"};
    const char *name;
    json_t *arg;

    if (!json_is_object(schema) && !json_is_boolean(schema)) {
        snprintf(why, size, "a schema must be an object");
        return -EINVAL;
    }
    json_object_foreach((json_t *)schema, name, arg) {
        if (!is_keyword(name)) {
            snprintf(why, size, "the schema keyword %.60s is not supported", name);
            return -EINVAL;
        }
    }
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        arg = json_object_get(schema, below[i]);
        if (arg && toolschema_supported(arg, why, size) < 0)
            return -EINVAL;
    }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (supported_all(json_object_get(schema, lists[i]), why, size) < 0)
            return -EINVAL;
    return 0;
}
