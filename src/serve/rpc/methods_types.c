/* clients/typescript/methods.d.ts: the table of methods as types of TypeScript. */
#include <ctype.h>
#include <string.h>

#include "serve/rpc/methods.h"

static int add_fields_of(struct buf *out, const struct method_field *fields, int depth);

/* "session.create" is SessionCreate. */
static int add_type_name(struct buf *out, const char *method) {
    bool begin = true;
    int r = 0;

    for (const char *c = method; *c && r >= 0; c++) {
        char letter = begin ? (char)toupper((unsigned char)*c) : *c;

        begin = *c == '.';
        if (!begin)
            r = buf_add(out, &letter, 1);
    }
    return r;
}

static int types_add_values(struct buf *out, const char *values) {
    int r = buf_adds(out, "\"");

    for (const char *c = values; *c && r >= 0; c++)
        r = *c == '|' ? buf_adds(out, "\" | \"") : buf_add(out, c, 1);
    return r < 0 ? r : buf_adds(out, "\"");
}

static int add_field_type(struct buf *out, const struct method_field *field, int depth) {
    static const char *const names[] = {
        [FIELD_ANY] = "unknown",     [FIELD_STRING] = "string",
        [FIELD_INTEGER] = "number",  [FIELD_NUMBER] = "number",
        [FIELD_BOOLEAN] = "boolean", [FIELD_OBJECT] = "Record<string, unknown>",
        [FIELD_ARRAY] = "unknown[]",
    };
    int r;

    if (field->values)
        return types_add_values(out, field->values);
    if (!field->fields)
        return buf_adds(out, names[field->type]);
    r = buf_adds(out, field->type == FIELD_ARRAY ? "Array<{\n" : "{\n");
    if (r >= 0)
        r = add_fields_of(out, field->fields, depth + 1);
    return r < 0 ? r
                 : buf_printf(out, "%*s%s", 4 * depth, "", field->type == FIELD_ARRAY ? "}>" : "}");
}

static int add_fields_of(struct buf *out, const struct method_field *fields, int depth) {
    int r = 0;

    for (; fields->name && r >= 0; fields++) {
        r = buf_printf(out, "%*s/** %s */\n%*s", 4 * depth, "", fields->summary, 4 * depth, "");
        if (r >= 0 && strcmp(fields->name, "…") == 0)
            r = buf_adds(out, "[more: string]: ");
        else if (r >= 0)
            r = buf_printf(out, "%s%s: ", fields->name, fields->required ? "" : "?");
        if (r >= 0)
            r = add_field_type(out, fields, depth);
        if (r >= 0)
            r = buf_adds(out, ";\n");
    }
    return r;
}

static int add_interface(struct buf *out, const struct method *m, const char *part,
                         const struct method_field *fields) {
    int r = buf_printf(out, "/** `%s`: %s */\nexport interface ", m->name, m->summary);

    if (r >= 0)
        r = add_type_name(out, m->name);
    if (r >= 0)
        r = buf_printf(out, "%s {\n", part);
    if (r >= 0)
        r = add_fields_of(out, fields, 1);
    return r < 0 ? r : buf_adds(out, "}\n\n");
}

static int types_add_row(struct buf *out, const struct method *m) {
    int r = buf_printf(out, "    \"%s\": { params: ", m->name);

    if (r >= 0)
        r = add_type_name(out, m->name);
    if (r >= 0)
        r = buf_adds(out, "Params; result: ");
    if (r >= 0)
        r = add_type_name(out, m->name);
    return r < 0 ? r : buf_adds(out, "Result };\n");
}

int methods_types(struct buf *out) {
    int r = buf_adds(out, "// Made from the table in src/serve/rpc/methods.c; the tests fail when "
                          "the two differ.\n\n");

    for (size_t i = 0; i < methods_count() && r >= 0; i++) {
        r = add_interface(out, &methods[i], "Params", methods[i].params);
        if (r >= 0)
            r = add_interface(out, &methods[i], "Result", methods[i].result);
    }
    if (r >= 0)
        r = buf_adds(out, "/** Every method, with what it takes and gives. */\n"
                          "export interface Methods {\n");
    for (size_t i = 0; i < methods_count() && r >= 0; i++)
        r = types_add_row(out, &methods[i]);
    return r < 0 ? r : buf_adds(out, "}\n");
}
