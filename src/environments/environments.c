#include "environments/environments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/maxima.h"
#include "base/unconst.h"
#include "engine/host/environment.h"
#include "engine/host/packages.h"
#include "environments/envstore.h"
#include "environments/install.h"
#include "environments/probe.h"
#include "environments/reach.h"

#define INSTALL_SECONDS 600

/* --- recipes --- */

bool environments_is_path(const char *spec) {
    return spec[0] == '/' || strncmp(spec, "./", 2) == 0 || strncmp(spec, "../", 3) == 0 ||
           strcmp(spec, ".") == 0;
}

/* pip or npm would read a spec that begins with a dash as an option. */
static int check_specs(const json_t *recipe, const char *member, struct retort_error *err) {
    const json_t *list = json_object_get(recipe, member), *spec;
    size_t i;
    if (list && !json_is_array(list))
        return err_set(err, ERR_CALLER, EINVAL, "%s must be a list", member);
    json_array_foreach(list, i, spec) {
        const char *text = json_string_value(spec);
        if (!text || !text[0] || text[0] == '-' || strlen(text) != json_string_length(spec))
            return err_set(err, ERR_CALLER, EINVAL, "%s: '%.60s' is no package", member,
                           text ? text : "");
    }
    return 0;
}

/* Members that are copied into the environment's file. */
static const char *const settings[] = {"python", "preload", "limits", "network"};

static int check_own(const json_t *recipe, const char *name, struct retort_error *err) {
    json_t *file = json_object();
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (json_object_get(recipe, settings[i]))
            json_object_set(file, settings[i], json_object_get(recipe, settings[i]));
    int r = environment_check(name, file, err);
    json_decref(file);
    return r;
}

static bool has_names(const json_t *specs) {
    const json_t *spec;
    size_t i;
    json_array_foreach(specs, i, spec) {
        if (!environments_is_path(json_string_value(spec)))
            return true;
    }
    return false;
}

static const char *const places[] = {[PACKAGES_PIP] = "index", [PACKAGES_NPM] = "registry"};

static void default_place(json_t *recipe, enum packages_kind kind) {
    if (!json_object_get(recipe, places[kind]))
        json_object_set_new(recipe, places[kind], json_string(packages_index(kind)));
}

static json_t *public_string(const json_t *value) {
    char *text = packages_public(json_string_value(value));
    json_t *out = text ? json_string(text) : NULL;
    free(text);
    return out ? out : json_string("");
}

/* A spec may name a package by address, also in a requirements file, which may name another
 * index. */
static void hide_in_specs(json_t *recipe) {
    static const char *const lists[] = {"pip", "npm"};
    const json_t *requirements = json_object_get(recipe, "requirements"), *one;
    for (size_t l = 0, i; l < sizeof lists / sizeof *lists; l++) {
        json_t *list = json_object_get(recipe, lists[l]), *shown = list ? json_array() : NULL;
        json_array_foreach(list, i, one) {
            json_array_append_new(shown, public_string(one));
        }
        if (shown)
            json_object_set_new(recipe, lists[l], shown);
    }
    if (json_is_string(requirements))
        json_object_set_new(recipe, "requirements", public_string(requirements));
}

/* Removes passwords: we keep them nowhere. */
static void hide_passwords(json_t *recipe) {
    hide_in_specs(recipe);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *url = json_string_value(json_object_get(recipe, places[i]));
        char *text = url && reach_is_url(url) ? packages_public(url) : NULL;
        if (text)
            json_object_set_new(recipe, places[i], json_string(text));
        else if (url && reach_is_url(url))
            json_object_del(recipe, places[i]);
        free(text);
    }
}

/* For an update: takes the passwords from what is asked for now, because none were kept. */
static void find_passwords(json_t *recipe, const json_t *asked) {
    for (enum packages_kind kind = PACKAGES_PIP; kind <= PACKAGES_NPM; kind++) {
        const char *url = json_string_value(json_object_get(recipe, places[kind]));
        char *usual = packages_public(packages_index(kind));
        if (url && usual && strcmp(url, usual) == 0 && !json_object_get(asked, places[kind]))
            json_object_set_new(recipe, places[kind], json_string(packages_index(kind)));
        free(usual);
    }
}

static int check_place(const json_t *recipe, const char *member, struct retort_error *err) {
    const json_t *value = json_object_get(recipe, member);
    const char *text = json_string_value(value);
    bool path = strcmp(member, "index") == 0 && text && text[0] == '/';
    return value && !(text && (path || reach_is_url(text)))
               ? err_set(err, ERR_CALLER, EINVAL, "%s: '%.60s' is no address of http or https%s",
                         member, text ? text : "",
                         strcmp(member, "index") == 0 ? ", and no directory" : "")
               : 0;
}

/* An image is all that its sessions have, so packages cannot be added. */
static int check_image_alone(const json_t *recipe, struct retort_error *err) {
    static const char *const others[] = {"pip", "npm", "requirements", "python"};
    const json_t *image = json_object_get(recipe, "image");
    const char *path = json_string_value(image);
    for (size_t i = 0; image && i < sizeof others / sizeof *others; i++)
        if (json_object_get(recipe, others[i]))
            return err_set(err, ERR_CALLER, EINVAL, "%s does not go with an image: it has its own",
                           others[i]);
    return image && (!path || path[0] != '/')
               ? err_set(err, ERR_CALLER, EINVAL, "image must be a path from / on")
               : 0;
}

static int check_recipe(json_t *recipe, struct retort_error *err) {
    TRY(check_specs(recipe, "pip", err));
    TRY(check_specs(recipe, "npm", err));
    TRY(check_image_alone(recipe, err));
    TRY(check_specs(recipe, "addresses", err));
    if (has_names(json_object_get(recipe, "pip")) || json_object_get(recipe, "requirements"))
        default_place(recipe, PACKAGES_PIP);
    if (has_names(json_object_get(recipe, "npm")))
        default_place(recipe, PACKAGES_NPM);
    TRY(check_place(recipe, "index", err));
    return check_place(recipe, "registry", err);
}

/* Names each package with its exact version, as pip (==) or npm (@) writes it. */
static json_t *locked_specs(const json_t *lock, const char *member, const char *equals) {
    json_t *specs = json_array(), *one;
    size_t i;
    json_array_foreach(json_object_get(lock, member), i, one) {
        const char *name = json_string_value(json_object_get(one, "name")),
                   *version = json_string_value(json_object_get(one, "version"));
        if (name && version)
            json_array_append_new(specs, json_sprintf("%s%s%s", name, equals, version));
    }
    return specs;
}

/* Whoever wrote a lock file, it may only name packages and versions, nothing that pip, npm or we
 * could read as a path, an address or an option. */
static bool is_lock_word(const json_t *value) {
    static const char marks[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+!-~";
    const char *text = json_string_value(value);
    size_t scope = text && text[0] == '@' ? strcspn(text, "/") + 1 : 0; /* "@scope/name" */
    if (!text || strlen(text) != json_string_length(value) || scope > strlen(text) ||
        (scope && (strspn(text + 1, marks) + 2 != scope || text[1] == '.')))
        return false;
    text += scope;
    return text[0] && text[0] != '-' && text[0] != '.' && !text[strspn(text, marks)];
}

static int check_lock_words(const json_t *lock, struct retort_error *err) {
    static const char *const members[] = {"pip", "npm"};
    for (size_t m = 0; lock && m < sizeof members / sizeof *members; m++) {
        const json_t *one;
        size_t i;
        json_array_foreach(json_object_get(lock, members[m]), i, one) {
            const json_t *name = json_object_get(one, "name");
            if (!is_lock_word(name) || !is_lock_word(json_object_get(one, "version")))
                return err_set(err, ERR_CALLER, EINVAL,
                               "this is not a lock file: '%.60s' is not a package with one version",
                               json_string_length(name) ? json_string_value(name) : "");
        }
    }
    return 0;
}

/* A recipe for exactly what the lock file names, from the sources of the recipe. */
static json_t *locked_recipe(const json_t *recipe, const json_t *lock) {
    json_t *wanted = json_deep_copy(recipe);
    json_object_set_new(wanted, "pip", locked_specs(lock, "pip", "=="));
    json_object_del(wanted, "requirements");
    if (!json_object_get(recipe, "npm"))
        json_object_set_new(wanted, "npm", locked_specs(lock, "npm", "@"));
    return wanted;
}

/* --- making --- */

/* An environment that is being made, as far as it is known. */
struct making {
    const struct environments_job *job;
    struct envstore store;
    struct envstore_new tree;
    json_t *recipe, *before; /* `before`: the environment's file before an update */
    json_t *locked;
    json_t *image; /* what was found in the image (probe.h), if it is one */
    char hash[HASH_TEXT_SIZE];
};

static void making_done(struct making *m) {
    if (m->tree.name[0] || m->tree.dir >= 0)
        envstore_abandon(&m->store, &m->tree);
    envstore_close(&m->store);
    json_decref(m->recipe);
    json_decref(m->before);
    json_decref(m->locked);
    json_decref(m->image);
}

static int run_installer(struct making *m, struct retort_engine *engine, struct retort_error *err) {
    const struct environments_job *job = m->job;
    struct install install = {.engine = engine,
                              .recipe = m->recipe,
                              .timeout = job->timeout > 0 ? job->timeout : INSTALL_SECONDS,
                              .progress = job->progress,
                              .user = job->user};
    struct hash hash;
    char text[HASH_TEXT_SIZE];
    int r = json_object_get(m->recipe, "image")
                ? install_image(&install, m->tree.dir, &hash, &m->locked, err)
                : install_into(&install, m->tree.dir, &hash, &m->locked, err);
    if (r == 0) {
        hash_text(&hash, text);
        snprintf(m->hash, sizeof m->hash, "%s", strchr(text, ':') + 1);
    }
    return r;
}

typedef int (*making_step)(struct making *m, struct retort_engine *engine,
                           struct retort_error *err);

/* Runs the step with the caller's engine, or with one that it starts. */
static int with_engine(struct making *m, making_step work, unsigned pool,
                       struct retort_error *err) {
    struct retort_engine_options none = {.no_state = true, .pool = pool};
    struct retort_engine *own = NULL;
    struct retort_error error = {0};
    if (!m->job->engine && retort_open(&none, &own, &error) < 0)
        return err_errno(err, (enum retort_fault)error.fault, error.code, "%s", error.message);
    int r = work(m, own ? own : m->job->engine, err);
    retort_close(own);
    return r;
}

static int make_tree(struct making *m, struct retort_error *err) {
    TRY(envstore_begin(&m->store, &m->tree, err));
    return with_engine(m, run_installer, 0, err);
}

/* The result must equal the lock file bit for bit. */
static int check_lock(const struct making *m, struct retort_error *err) {
    const json_t *lock = m->job->lock;
    const char *content = json_string_value(json_object_get(lock, "content"));
    const json_t *had = json_object_get(lock, "pip"), *has = json_object_get(m->locked, "pip"),
                 *one;
    size_t i;
    if (!lock)
        return 0;
    json_array_foreach(has, i, one) {
        if (!json_equal(one, json_array_get(had, i)))
            return err_set(err, ERR_CALLER, EBADMSG,
                           "%.80s is not the one of the lock file: its hash or version differs",
                           json_string_value(json_object_get(one, "file")));
    }
    if (!content || strcmp(content, m->hash) != 0)
        return err_set(err, ERR_CALLER, EBADMSG,
                       "what was installed (%.16s…) is not what the lock file names (%.16s…)",
                       m->hash, content ? content : "");
    return 0;
}

static int write_lock(struct making *m, struct retort_error *err) {
    json_object_set_new(m->locked, "lock", json_string("retort.lock/1"));
    json_object_set_new(m->locked, "content", json_string(m->hash));
    return envstore_write(m->tree.dir, "lock.json", m->locked, err);
}

/* Only versions that are still there: the file may have been edited by hand, and old versions are
 * removed. */
static bool is_another(const struct making *m, const json_t *hash) {
    const char *text = json_string_value(hash);
    return text && strcmp(text, m->hash) != 0 && envstore_has(&m->store, text);
}

/* The packages of earlier versions, without the present ones. */
static json_t *versions_of(const struct making *m) {
    json_t *made = json_object_get(m->before, "made"), *one;
    json_t *list = json_array(), *now = json_object_get(m->before, "packages");
    size_t i;
    json_array_foreach(json_object_get(made, "versions"), i, one) {
        if (is_another(m, one))
            json_array_append(list, one);
    }
    if (is_another(m, now))
        json_array_append(list, now);
    return list;
}

static json_t *environment_file(const struct making *m) {
    json_t *file = m->before ? json_copy(m->before) : json_object(), *made = json_copy(m->recipe);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (json_object_get(m->recipe, settings[i]))
            json_object_set(file, settings[i], json_object_get(m->recipe, settings[i]));
        json_object_del(made, settings[i]);
    }
    hide_passwords(made);
    json_object_set_new(made, "versions", versions_of(m));
    json_object_set_new(file, "made", made);
    json_object_set_new(file, "packages", json_string(m->hash));
    if (m->image) {
        json_object_set(file, "image", m->image);
        json_object_set(file, "env", json_object_get(m->locked, "env"));
    }
    return file;
}

static int commit(struct making *m, struct retort_error *err) {
    json_t *file = environment_file(m);
    int r = envstore_commit(&m->store, &m->tree, m->hash, m->job->name, file, err);
    json_decref(file);
    return r;
}

/* We run an image before it becomes an environment. It already has its name then, because sessions
 * hold the trees they use. If it turns out to be no environment, it is removed like what a killed
 * process left. */
static int probe(struct making *m, struct retort_engine *engine, struct retort_error *err) {
    char path[MAX_PATH];
    TRY(packages_path(m->job->state, m->hash, path, sizeof path, err));
    TRY(probe_image(engine, path, json_object_get(m->locked, "env"), &m->image, err));
    return commit(m, err);
}

static int probe_and_commit(struct making *m, struct retort_error *err) {
    if (!json_object_get(m->recipe, "image"))
        return commit(m, err);
    int r = envstore_name(&m->store, &m->tree, m->hash, err);
    if (r == 0)
        r = with_engine(m, probe, 1, err);
    if (r < 0) {
        envstore_abandon(&m->store, &m->tree); /* first, because we hold the tree ourselves */
        envstore_tidy(&m->store);
    }
    return r;
}

static int make(struct making *m, json_t **ret, struct retort_error *err) {
    TRY(check_lock_words(m->job->lock, err));
    TRY(check_recipe(m->recipe, err));
    TRY(check_own(m->recipe, m->job->name, err));
    TRY(make_tree(m, err));
    TRY(check_lock(m, err));
    TRY(write_lock(m, err));
    TRY(probe_and_commit(m, err));
    *ret = json_pack("{s:s s:s s:O s:O s:O*}", "name", m->job->name, "packages", m->hash, "pip",
                     json_object_get(m->locked, "pip"), "npm", json_object_get(m->locked, "npm"),
                     "image", m->image);
    return 0;
}

static int making_begin(struct making *m, const struct environments_job *job,
                        struct retort_error *err) {
    *m = (struct making){.job = job, .store = {.dir = -1}, .tree = {.dir = -1}};
    int r = environment_check_name(job->name, err);
    if (r == 0 && environment_is_configured(job->name))
        r = err_set(err, ERR_CALLER, EEXIST,
                    "%.60s is an environment of the configuration: it is not made here", job->name);
    return r < 0 ? r : envstore_open(job->state, &m->store, err);
}

int environments_create(const struct environments_job *job, json_t **ret,
                        struct retort_error *err) {
    struct making m;
    int r = making_begin(&m, job, err);
    if (r == 0 && environment_read(job->name, job->state, &m.before, NULL) == 0)
        r = err_set(err, ERR_CALLER, EEXIST, "there is an environment %.60s: update or remove it",
                    job->name);
    m.recipe = job->lock ? locked_recipe(job->recipe, job->lock) : json_deep_copy(job->recipe);
    if (r == 0)
        r = make(&m, ret, err);
    making_done(&m);
    return r;
}

int environments_update(const struct environments_job *job, json_t **ret,
                        struct retort_error *err) {
    struct making m;
    int r = making_begin(&m, job, err);
    if (r == 0)
        r = environment_read(job->name, job->state, &m.before, err);
    if (r == 0) {
        json_t *now = json_deep_copy(json_object_get(m.before, "made"));
        json_object_del(now, "versions");
        json_object_update(now, unconst(job->recipe));
        m.recipe = job->lock ? locked_recipe(now, job->lock) : json_incref(now);
        json_decref(now);
        find_passwords(m.recipe, job->recipe);
        if (json_object_get(m.before, "python") && !json_object_get(m.recipe, "python"))
            json_object_set(m.recipe, "python", json_object_get(m.before, "python"));
        r = make(&m, ret, err);
    }
    making_done(&m);
    return r;
}

/* --- removing, listing, showing --- */

int environments_remove(const char *state, const char *name, struct retort_error *err) {
    struct envstore store;
    json_t *file = NULL;
    int r = environment_check_name(name, err);
    if (r == 0 && environment_is_configured(name))
        r = err_set(err, ERR_CALLER, EINVAL,
                    "%.60s is an environment of the configuration: remove its file", name);
    if (r == 0)
        r = environment_read(name, state, &file, err);
    json_decref(file);
    if (r == 0)
        r = envstore_open(state, &store, err);
    if (r == 0) {
        r = envstore_remove(&store, name, err);
        envstore_close(&store);
    }
    return r;
}

static json_t *lock_of(const struct envstore *store, const json_t *file) {
    const char *hash = json_string_value(json_object_get(file, "packages"));
    return hash ? envstore_load(store, hash, "lock.json") : NULL;
}

static json_t *listed(const struct envstore *store, const char *name) {
    json_t *file = NULL, *lock, *entry;
    struct retort_error why = ERR_INIT;
    if (environment_read(name, store->state, &file, &why) < 0)
        return json_pack("{s:s s:b s:s}", "name", name, "made", 0, "error", why.message);
    lock = lock_of(store, file);
    entry = json_pack("{s:s s:b s:O* s:O* s:i s:i}", "name", name, "made",
                      json_object_get(file, "made") != NULL, "packages",
                      json_object_get(file, "packages"), "image", json_object_get(file, "image"),
                      "pip", (int)json_array_size(json_object_get(lock, "pip")), "npm",
                      (int)json_array_size(json_object_get(lock, "npm")));
    json_decref(lock);
    json_decref(file);
    return entry;
}

int environments_list(const char *state, json_t **ret, struct retort_error *err) {
    struct envstore store;
    int r = envstore_open(state, &store, err);
    if (r < 0)
        return r;
    json_t *names = environment_names(state), *list = json_array(), *name;
    size_t i;
    json_array_foreach(names, i, name) {
        json_array_append_new(list, listed(&store, json_string_value(name)));
    }
    json_decref(names);
    envstore_close(&store);
    *ret = list;
    return 0;
}

int environments_show(const char *state, const char *name, json_t **ret, struct retort_error *err) {
    struct envstore store;
    json_t *file = NULL;
    int r = environment_read(name, state, &file, err);
    if (r == 0)
        r = envstore_open(state, &store, err);
    if (r == 0) {
        *ret = json_pack("{s:s s:b s:O s:o?}", "name", name, "made",
                         json_object_get(file, "made") != NULL, "file", file, "lock",
                         lock_of(&store, file));
        envstore_close(&store);
    }
    json_decref(file);
    return r;
}
