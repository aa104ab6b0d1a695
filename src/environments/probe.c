#include "environments/probe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/unconst.h"
#include "engine/host/image.h"

#define PROBE_SECONDS 60

struct probe {
    struct retort_engine *engine;
    const char *packages;
    char **variables;
};

static char **variables_of(const json_t *env) {
    char **list = calloc(json_object_size(env) + 1, sizeof *list);
    const char *name;
    json_t *value;
    size_t n = 0;
    json_object_foreach(unconst(env), name, value) {
        if (list && asprintf(&list[n], "%s=%s", name, json_string_value(value)) >= 0)
            n++;
    }
    return list;
}

static void variables_free(char **list) {
    for (char **v = list; v && *v; v++)
        free(*v);
    free(list);
}

/* The one line that the code prints; NULL if the code fails. */
static json_t *printed(struct retort_session *s, const char *code) {
    struct retort_execute_options o = {.quiet = true};
    struct retort_result *result;
    struct retort_error error = {0};
    size_t len;
    if (retort_execute(s, code, strlen(code), &o, &result, &error) < 0)
        return NULL;
    const char *text = retort_result_json(result, &len);
    json_t *whole = json_in(text, len, JSON_ALLOW_NUL, NULL), *line = NULL;
    const char *out = json_string_value(json_object_get(whole, "stdout"));
    if (out && strcmp(retort_result_status(result), "ok") == 0)
        line = json_stringn(out, strcspn(out, "\n"));
    json_decref(whole);
    retort_result_free(result);
    return line;
}

/* The version of the image's Python, from a session of this kind; NULL if there is none. */
static json_t *version(const struct probe *p, bool fresh) {
    struct retort_session_options o = {.packages = p->packages,
                                       .env = (const char *const *)p->variables,
                                       .preload = "",
                                       .fresh = fresh,
                                       .limits = {.timeout = PROBE_SECONDS},
                                       .no_record = true,
                                       .network = "[]",
                                       .checkpoint = RETORT_CHECKPOINT_OFF,
                                       .door = "env"};
    struct retort_session *s;
    struct retort_error error = {0};
    if (retort_session_new(p->engine, &o, &s, &error) < 0)
        return NULL;
    json_t *told = printed(s, "import platform\nprint(platform.python_version())");
    retort_session_close(s);
    return told;
}

static json_t *programs(const struct probe *p) {
    json_t *list = json_array();
    for (enum language l = 0; l < LANG_CELLS; l++) {
        struct ctl_environment env = {0};
        snprintf(env.packages, sizeof env.packages, "%s", p->packages);
        if (image_interpreter(l, NULL, (const char *const *)p->variables, &env, NULL) == 0)
            json_array_append_new(list, json_string(env.interpreter));
    }
    return list;
}

int probe_image(struct retort_engine *engine, const char *packages, const json_t *env, json_t **ret,
                struct retort_error *err) {
    struct probe p = {engine, packages, variables_of(env)};
    json_t *found = p.variables ? programs(&p) : NULL, *python = NULL, *warm = NULL;
    if (json_array_size(found) > 0 && (python = version(&p, true)))
        warm = version(&p, false);
    int r = json_array_size(found) > 0
                ? 0
                : err_set(err, ERR_CALLER, ENOENT,
                          "the image is refused: it has no python3, no bash and no node");
    if (r == 0)
        *ret =
            json_pack("{s:O s:O? s:b}", "programs", found, "python", python, "warm", warm != NULL);
    json_decref(found);
    json_decref(python);
    json_decref(warm);
    variables_free(p.variables);
    return r;
}
