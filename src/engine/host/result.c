#include "engine/host/result.h"

#include <stdlib.h>
#include <string.h>

#include "base/jsonout.h"

struct retort_result {
    json_t *json;
    char *text;
    size_t len;
};

struct retort_result *result_new(json_t *json) {
    struct retort_result *r = calloc(1, sizeof *r);
    if (!r || !(r->text = json_out(json, JSON_COMPACT))) {
        free(r);
        json_decref(json);
        return NULL;
    }
    r->json = json;
    r->len = strlen(r->text);
    return r;
}

void retort_result_free(struct retort_result *r) {
    if (!r)
        return;
    json_decref(r->json);
    free(r->text);
    free(r);
}

const char *retort_result_json(const struct retort_result *r, size_t *ret_len) {
    if (ret_len)
        *ret_len = r->len;
    return r->text;
}

const char *retort_result_status(const struct retort_result *r) {
    return json_string_value(json_object_get(r->json, "status"));
}

int retort_result_exit_code(const struct retort_result *r) {
    const char *status = retort_result_status(r);
    if (strcmp(status, "ok") == 0)
        return 0;
    if (strcmp(status, "exit") == 0)
        return (int)json_integer_value(json_object_get(r->json, "exit_code"));
    if (strcmp(status, "error") == 0)
        return 1;
    if (strcmp(status, "signal") == 0)
        return 128 + (int)json_integer_value(json_object_get(r->json, "signal"));
    if (strcmp(status, "timeout") == 0 || strcmp(status, "cpu_limit") == 0)
        return 124;
    if (strcmp(status, "oom") == 0)
        return 137;
    if (strcmp(status, "interrupted") == 0)
        return 130;
    return 125;
}

json_t *result_object(const struct retort_result *r) {
    return r->json;
}
