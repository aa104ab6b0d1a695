#include <errno.h>
#include <string.h>

#include "base/unconst.h"
#include "serve/hosted/fault.h"
#include "serve/rpc/methods.h"

static int check_fields(const struct method_field *fields, const json_t *object, const char *where,
                        struct retort_error *error);

static const char *type_name(enum field_type type) {
    static const char *const names[] = {"anything",
                                        "a string",
                                        "a whole number that is not negative",
                                        "a number that is not negative",
                                        "a boolean",
                                        "an object",
                                        "an array"};

    return names[type];
}

static bool has_type(const struct method_field *field, const json_t *value) {
    switch (field->type) {
    case FIELD_STRING: return json_is_string(value);
    case FIELD_INTEGER: return json_is_integer(value) && json_integer_value(value) >= 0;
    case FIELD_NUMBER: return json_is_number(value) && json_number_value(value) >= 0;
    case FIELD_BOOLEAN: return json_is_boolean(value);
    case FIELD_OBJECT: return json_is_object(value);
    case FIELD_ARRAY: return json_is_array(value);
    case FIELD_ANY: break;
    }
    return true;
}

static bool methods_is_listed(const char *values, const char *value) {
    size_t len = strlen(value);

    for (const char *at = values; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
        if (strncmp(at, value, len) == 0 && (at[len] == '|' || at[len] == 0))
            return true;
    return false;
}

/* Only code may hold NUL bytes: every other string becomes a C string. */
static bool has_hidden_nul(const struct method_field *field, const json_t *value) {
    return field->type == FIELD_STRING && strcmp(field->name, "code") != 0 &&
           strlen(json_string_value(value)) != json_string_length(value);
}

static int check_elements(const struct method_field *field, const json_t *array, const char *where,
                          struct retort_error *error) {
    size_t i;
    json_t *element;

    json_array_foreach(array, i, element) {
        if (!json_is_object(element))
            return err_set(error, ERR_CALLER, EINVAL, "%s%s[%zu] must be an object", where,
                           field->name, i);
        int r = check_fields(field->fields, element, field->name, error);
        if (r < 0)
            return r;
    }
    return 0;
}

static int check_value(const struct method_field *field, const json_t *value, const char *where,
                       struct retort_error *error) {
    if (!has_type(field, value))
        return err_set(error, ERR_CALLER, EINVAL, "%s%s must be %s", where, field->name,
                       type_name(field->type));
    if (has_hidden_nul(field, value))
        return err_set(error, ERR_CALLER, EINVAL, "%s%s holds a NUL character", where, field->name);
    if (field->values && !methods_is_listed(field->values, json_string_value(value)))
        return err_set(error, ERR_CALLER, EINVAL, "%s%s must be one of %s", where, field->name,
                       field->values);
    if (!field->fields)
        return 0;
    if (field->type == FIELD_ARRAY)
        return check_elements(field, value, where, error);
    return check_fields(field->fields, value, field->name, error);
}

static const struct method_field *find_field(const struct method_field *fields, const char *name) {
    for (; fields->name; fields++)
        if (strcmp(fields->name, name) == 0)
            return fields;
    return NULL;
}

static int check_fields(const struct method_field *fields, const json_t *object, const char *where,
                        struct retort_error *error) {
    const char *name;
    json_t *value;
    char prefix[80] = "";

    if (where[0])
        snprintf(prefix, sizeof prefix, "%s.", where);
    json_object_foreach(unconst(object), name, value) {
        const struct method_field *field = find_field(fields, name);

        if (!field)
            return err_set(error, ERR_CALLER, EINVAL, "unknown field %s%.60s", prefix, name);
        int r = check_value(field, value, prefix, error);
        if (r < 0)
            return r;
    }
    for (const struct method_field *field = fields; field->name; field++)
        if (field->required && !json_object_get(object, field->name))
            return err_set(error, ERR_CALLER, EINVAL, "the field %s%s is missing", prefix,
                           field->name);
    return 0;
}

int methods_check(const struct method *method, const json_t *params, struct retort_error *error) {
    return check_fields(method->params, params, "", error);
}
