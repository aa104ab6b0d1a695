#include "engine/host/fingerprint.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/host/environment.h"
#include "engine/host/image.h"
#include "engine/host/interpreter.h"
#include "engine/host/languages.h"
#include "engine/host/limits.h"
#include "engine/host/packages.h"

/* "…/numpy-1.24.2.dist-info" → "numpy" : "1.24.2" */
static void add_package(json_t *packages, const char *path) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dash = strchr(base, '-'), *end = strrchr(base, '.');
    if (!dash || !end || dash > end)
        return;
    const char *version_end = strstr(dash, "-py");
    if (!version_end || version_end > end)
        version_end = end;
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)(dash - base), base);
    json_object_set_new(packages, name, json_stringn(dash + 1, (size_t)(version_end - dash - 1)));
}

static void add_matches(json_t *packages, const char *prefix, const char *place) {
    char pattern[1024];
    glob_t found;
    if (snprintf(pattern, sizeof pattern, "%s%s", prefix, place) >= (int)sizeof pattern ||
        glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
        return;
    for (size_t k = 0; k < found.gl_pathc; k++)
        add_package(packages, found.gl_pathv[k]);
    globfree(&found);
}

static void add_packages(json_t *packages, const char *prefix) {
    static const char *const places[] = {"/lib/python3*/site-packages/*.*-info",
                                         "/lib/python3*/dist-packages/*.*-info",
                                         "/local/lib/python3*/dist-packages/*.*-info"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        add_matches(packages, prefix, places[i]);
}

/* A changed program has another size or time. Hashing 7 MB for each session would cost more than
 * the session. */
static json_t *program_json(const struct ctl_environment *env, const char *path) {
    struct stat st;
    scoped_fd fd =
        env->image ? image_open(env->packages, path, O_PATH) : open(path, O_PATH | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0)
        return json_null();
    return json_pack("{s:s s:I s:I}", "path", path, "size", (json_int_t)st.st_size, "mtime",
                     (json_int_t)st.st_mtim.tv_sec);
}

/* The entries of an image's directory whose names match. Links lead into the image and nowhere
 * else. */
static void each_inside(const struct ctl_environment *env, const char *path, const char *pattern,
                        void (*visit)(void *user, const char *name), void *user) {
    scoped_fd fd = image_open(env->packages, path, O_RDONLY | O_DIRECTORY);
    scoped_dir entries = fd < 0 ? NULL : opendir_at(fd, ".");
    for (struct dirent *e; entries && (e = readdir(entries));)
        if (fnmatch(pattern, e->d_name, 0) == 0)
            visit(user, e->d_name);
}

struct library {
    json_t *packages;
    const struct ctl_environment *env;
    const char *path;
};

static void visit_package(void *user, const char *name) {
    const struct library *l = user;
    add_package(l->packages, name);
}

static void visit_python(void *user, const char *name) {
    static const char *const places[] = {"site-packages", "dist-packages"};
    struct library *l = user;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char path[MAX_PATH];
        snprintf(path, sizeof path, "%s/%s/%s", l->path, name, places[i]);
        each_inside(l->env, path, "*.*-info", visit_package, l);
    }
}

static void add_image_packages(json_t *packages, const struct ctl_environment *env) {
    struct library usual = {packages, env, "/usr/lib"}, local = {packages, env, "/usr/local/lib"};
    each_inside(env, usual.path, "python3*", visit_python, &usual);
    each_inside(env, local.path, "python3*", visit_python, &local);
}

json_t *fingerprint_packages(const struct ctl_environment *env) {
    json_t *packages = json_object();
    if (env->image) {
        add_image_packages(packages, env);
        return packages;
    }
    if (!env->interpreter[0] || strncmp(env->interpreter, "/usr/", 5) == 0)
        add_packages(packages, "/usr");
    for (int i = 0; i < ENV_PREFIXES && env->prefix[i][0]; i++)
        add_packages(packages, env->prefix[i]);
    if (env->packages[0]) /* they come before those of the system */
        add_matches(packages, env->packages, "/python/*.dist-info");
    return packages;
}

json_t *fingerprint(const struct ctl_environment *env, enum language language, json_t *packages) {
    struct utsname name;
    uname(&name);
    json_t *made = env->packages[0] ? json_string(packages_hash(env->packages)) : NULL;
    return json_pack("{s:s s:o s:o s:s s:s s:s s:o*}", "retort", RETORT_VERSION, "interpreter",
                     program_json(env, env->interpreter[0] ? env->interpreter
                                                           : interpreter_rows[language].program),
                     "packages", packages, "preload", env->preload, "kernel", name.release,
                     "machine", name.machine, "content", made);
}

static json_t *expected(const struct ctl_environment *env, const struct cell_language *cells,
                        const struct limits *l) {
    enum language language = cells->interpreter;
    char program[PATH_MAX];
    if (env->interpreter[0] || !realpath(interpreter_rows[language].program, program))
        snprintf(program, sizeof program, "%s", env->interpreter);
    return json_pack("{s:s s:s s:o s:{s:f s:I s:I}}", "language", cells->name, "interpreter",
                     program, "packages",
                     language == LANG_PYTHON ? fingerprint_packages(env) : json_object(), "limits",
                     "timeout", (double)l->timeout_ms / 1000, "memory_mb",
                     (json_int_t)(l->memory >> 20), "disk_mb", (json_int_t)(l->disk >> 20));
}

int fingerprint_expected(const struct retort_session_options *asked, json_t **ret,
                         struct retort_error *err) {
    struct configured e;
    struct ctl_environment env = {0};
    struct limits limits;
    const struct cell_language *cells;
    int r = environment_apply(asked, NULL, &e, err);
    if (r < 0)
        return r;
    r = language_parse(e.options.language, &cells, err);
    if (r == 0)
        r = limits_fill(&e.options.limits, &limits_default, &limits, err);
    if (r == 0 && e.options.packages) {
        snprintf(env.packages, sizeof env.packages, "%s", e.options.packages);
        env.image = image_is(env.packages);
    }
    if (r == 0)
        r = env.image
                ? image_interpreter(cells->interpreter, e.options.python, e.options.env, &env, err)
                : interpreter_choose(cells->interpreter, e.options.python, &env, err);
    if (r == 0)
        *ret = expected(&env, cells, &limits);
    if (r == 0 && e.options.network)
        json_object_set_new(*ret, "network", json_in_text(e.options.network, 0, NULL));
    environment_done(&e);
    return r;
}
