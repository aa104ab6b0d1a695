#include "base/jsonwhole.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static json_malloc_t take;
static _Thread_local unsigned refused;

static void *take_noted(size_t size) {
    void *taken = take(size);
    refused += !taken;
    return taken;
}

/* Whoever uses the library may have functions of its own for jansson: they are called as before. */
static void watch_install(void) {
    json_free_t give;
    json_get_alloc_funcs(&take, &give);
    json_set_alloc_funcs(take_noted, give);
}

static void watch_begin(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_install);
    refused = 0;
}

static json_t *watch_end(json_t *value, json_error_t *error) {
    if (!refused)
        return value;
    json_decref(value);
    snprintf(error->text, sizeof error->text, "out of memory");
    error->text[sizeof error->text - 1] = json_error_out_of_memory;
    return NULL;
}

json_t *json_in(const char *text, size_t len, size_t flags, json_error_t *ret_error) {
    watch_begin();
    return watch_end(json_loadb(text, len, flags, ret_error), ret_error);
}

json_t *json_in_file(FILE *file, size_t flags, json_error_t *ret_error) {
    watch_begin();
    return watch_end(json_loadf(file, flags, ret_error), ret_error);
}

bool json_in_short(const json_error_t *error) {
    return json_error_code(error) == json_error_out_of_memory;
}

char *json_whole(const json_t *value, size_t flags) {
    watch_begin();
    char *text = json_dumps(value, flags);
    if (refused && text) {
        free(text);
        return NULL;
    }
    return text;
}
