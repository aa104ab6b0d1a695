#include <string.h>

#include "base/jsonwhole.h"
#include "serve/hosted/fault.h"
#include "serve/rpc/methods.h"
#include "serve/server/server.h"

/* The OpenAPI document: the routes from a file, the methods of POST /rpc from their table. */

static json_t *parsed(const char *text) {
    return json_in_text(text, 0, NULL);
}

static json_t *method_schema(const struct method *m) {
    json_t *params = methods_schema(m->params);
    json_t *schema = json_pack("{s:s, s:s, s:{s:{s:s}, s:{s:[s,s]}, s:{s:s}, s:o}, s:[s,s,s]}",
                               "type", "object", "description", m->summary, "properties", "jsonrpc",
                               "const", "2.0", "id", "type", "string", "number", "method", "const",
                               m->name, "params", params, "required", "jsonrpc", "id", "method");

    if (json_array_size(json_object_get(params, "required")) > 0)
        json_array_append_new(json_object_get(schema, "required"), json_string("params"));
    return schema;
}

static void openapi_add_methods(json_t *document) {
    json_t *schemas = json_object_get(json_object_get(document, "components"), "schemas");
    json_t *any = json_array(), *examples = json_object();
    json_t *body;

    for (size_t i = 0; i < methods_count(); i++) {
        json_t *reference = json_sprintf("#/components/schemas/%s", methods[i].name);

        json_object_set_new(schemas, methods[i].name, method_schema(&methods[i]));
        json_array_append_new(any, json_pack("{s:o}", "$ref", reference));
        json_object_set_new(examples, methods[i].name,
                            json_pack("{s:{s:s, s:i, s:s, s:o}}", "value", "jsonrpc", "2.0", "id",
                                      1, "method", methods[i].name, "params",
                                      parsed(methods[i].example)));
    }
    json_object_set_new(schemas, "request", json_pack("{s:o}", "oneOf", any));
    body = json_object_get(json_object_get(json_object_get(document, "paths"), "/rpc"), "post");
    body = json_object_get(json_object_get(body, "requestBody"), "content");
    body = json_object_get(body, "application/json");
    json_object_set_new(body, "examples", examples);
}

/* The routes, from openapi.json beside this file. */
__asm__(".section .rodata\n"
        ".global openapi_text\n"
        "openapi_text: .incbin \"src/serve/server/openapi.json\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char openapi_text[];

json_t *openapi_document(void) {
    json_t *document = json_in_text(openapi_text, 0, NULL);
    json_t *version = json_string(RETORT_VERSION);

    if (document) {
        json_object_set(json_object_get(document, "info"), "version", version);
        openapi_add_methods(document);
    }
    json_decref(version);
    return document;
}
