#include "engine/host/environment.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "engine/host/descriptors.h"
#include "engine/host/interpreter.h"
#include "engine/host/limits.h"
#include "engine/host/packages.h"
#include "gate/rules/rules.h"

/* --- limits --- */

/* --- one file --- */

/* The file that is being read, for its errors. */
struct config_source {
    char path[MAX_PATH];
    bool general; /* config.json, which also tells of what is no session's */
    struct retort_error *err;
};

static int config_path(const char *dir, const char *name, char *ret, size_t size) {
    const char *config = secure_getenv("XDG_CONFIG_HOME"), *home = secure_getenv("HOME");
    bool xdg = config && config[0] == '/';
    if (!xdg && (!home || home[0] != '/'))
        return -ENOENT;
    int n = snprintf(ret, size, "%s%s/retort/%s%s", xdg ? config : home, xdg ? "" : "/.config", dir,
                     name);
    return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

int environment_directory(char *ret, size_t size) {
    return config_path("", "", ret, size);
}

static int bad(const struct config_source *from, const char *member, const char *why) {
    return err_set(from->err, ERR_CALLER, 0, "%.200s: %.60s: %s", from->path, member, why);
}

/* The same for what another part has found wrong with it. */
static int bad_because(const struct config_source *from, const char *member) {
    err_wrap(from->err, "%.200s: %.60s", from->path, member);
    return -EINVAL; /* -ENOENT would say that there is no such file */
}

static bool member_is_text(const json_t *value) {
    const char *text = json_string_value(value);
    return text && text[0] && strlen(text) == json_string_length(value);
}

static int check_python(const struct config_source *from, const json_t *value) {
    if (!member_is_text(value))
        return bad(from, "python", "must be the path of an interpreter");
    return interpreter_check(json_string_value(value), from->err) < 0 ? bad_because(from, "python")
                                                                      : 0;
}

static int check_preload(const struct config_source *from, const json_t *value) {
    static const char marks[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    const json_t *name;
    size_t i;
    if (!json_is_array(value))
        return bad(from, "preload", "must be a list of module names");
    json_array_foreach(value, i, name) {
        const char *text = json_string_value(name);
        if (!member_is_text(name) || text[strspn(text, marks)])
            return bad(from, "preload", "must be a list of module names");
    }
    return 0;
}

static int check_env(const struct config_source *from, const json_t *value) {
    const char *name;
    json_t *text;
    if (!json_is_object(value))
        return bad(from, "env", "must map names to strings");
    json_object_foreach(unconst(value), name, text) {
        if (!name[0] || strchr(name, '=') || !json_is_string(text) ||
            strlen(json_string_value(text)) != json_string_length(text))
            return bad(from, "env", "must map names to strings without NUL");
    }
    return 0;
}

static int check_amounts(const struct config_source *from, const char *group, const json_t *value) {
    const char *name;
    json_t *number;
    if (!json_is_object(value))
        return bad(from, group, "must be an object");
    json_object_foreach(unconst(value), name, number) {
        const struct limit *limit = limit_named(name);
        char member[80];
        snprintf(member, sizeof member, "%s.%.60s", group, name);
        if (!limit)
            return bad(from, member, "there is no such limit");
        bool is_right =
            limit->kind == LIMIT_SECONDS ? json_is_number(number) : json_is_integer(number);
        if (!is_right || json_number_value(number) <= 0)
            return bad(from, member, "must be a number greater than 0");
    }
    struct retort_limits given;
    struct limits filled;
    limits_from_json(value, &given);
    return limits_fill(&given, &limits_default, &filled, from->err) < 0 ? bad_because(from, group)
                                                                        : 0;
}

static int check_limits(const struct config_source *from, const json_t *value) {
    return check_amounts(from, "limits", value);
}

static int check_caps(const struct config_source *from, const json_t *value) {
    return check_amounts(from, "caps", value);
}

static int check_ledger(const struct config_source *from, const json_t *value) {
    const char *name;
    json_t *number;
    if (!from->general)
        return bad(from, "ledger", "belongs into config.json: there is one for all environments");
    if (!json_is_object(value))
        return bad(from, "ledger", "must be an object");
    json_object_foreach(unconst(value), name, number) {
        if (strcmp(name, "quota") != 0 && strcmp(name, "age") != 0)
            return bad(from, "ledger", "has the members quota (MiB) and age (days)");
        if (!json_is_number(number) || json_number_value(number) < 0 ||
            json_number_value(number) > 1e6)
            return bad(from, name, "must be a number from 0 (no limit) to 1,000,000");
    }
    return 0;
}

static int check_packages(const struct config_source *from, const json_t *value) {
    const char *text = json_string_value(value);
    return !text || !packages_is_hash(text)
               ? bad(from, "packages", "must be the hash of what `retort env` made")
               : 0;
}

/* What `retort env` noted down for itself. */
static int check_made(const struct config_source *from, const json_t *value) {
    return json_is_object(value) ? 0 : bad(from, "made", "must be an object");
}

/* What `retort env import` found in it. */
static int check_image_member(const struct config_source *from, const json_t *value) {
    return json_is_boolean(json_object_get(value, "warm"))
               ? 0
               : bad(from, "image", "must be what `retort env import` found");
}

static int check_network(const struct config_source *from, const json_t *value) {
    struct rules *rules = NULL;
    struct retort_error why = ERR_INIT;
    int r = rules_new(value, &rules, &why);
    rules_free(rules);
    return r < 0 ? bad(from, "network", why.message) : 0;
}

static const struct {
    const char *name;
    int (*check)(const struct config_source *from, const json_t *value);
} members[] = {{"python", check_python},     {"preload", check_preload}, {"limits", check_limits},
               {"caps", check_caps},         {"env", check_env},         {"ledger", check_ledger},
               {"packages", check_packages}, {"made", check_made},       {"network", check_network},
               {"image", check_image_member}};

static int check_file(const struct config_source *from, const json_t *file) {
    const char *name;
    json_t *value;
    int r = 0;
    if (!json_is_object(file))
        return err_set(from->err, ERR_CALLER, 0, "%.200s: must be a JSON object", from->path);
    json_object_foreach(unconst(file), name, value) {
        size_t i = 0, count = sizeof members / sizeof *members;
        while (i < count && strcmp(members[i].name, name) != 0)
            i++;
        r = i < count ? members[i].check(from, value)
                      : bad(from, name,
                            "there is no such member; there are python, preload, limits, "
                            "caps, env and network");
        if (r < 0)
            break;
    }
    return r;
}

int environment_check(const char *what, const json_t *file, struct retort_error *err) {
    struct config_source from = {.err = err};
    snprintf(from.path, sizeof from.path, "%.100s", what);
    return check_file(&from, file);
}

static int read_file(const struct config_source *from, json_t **ret) {
    json_error_t where;
    scoped_fd fd = open(from->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? -ENOENT
                   : err_errno(from->err, ERR_CALLER, errno, "cannot read %.200s", from->path);
    json_t *file = json_in_fd(fd, JSON_REJECT_DUPLICATES, &where);
    if (!file && json_in_short(&where))
        return err_errno(from->err, ERR_HOST, ENOMEM, "cannot read %.200s", from->path);
    if (!file)
        return err_set(from->err, ERR_CALLER, 0, "%.200s: line %d: %s", from->path, where.line,
                       where.text);
    int r = check_file(from, file);
    if (r < 0)
        json_decref(file);
    else
        *ret = file;
    return r;
}

static int read_config(json_t **ret, struct retort_error *err) {
    struct config_source from = {.err = err, .general = true};
    if (config_path("", "config.json", from.path, sizeof from.path) < 0)
        return 0;
    int r = read_file(&from, ret);
    return r == -ENOENT ? 0 : r;
}

int environment_check_name(const char *name, struct retort_error *err) {
    return name[0] == '.' || !name[0] || strchr(name, '/') || strlen(name) > 100
               ? err_set(err, ERR_CALLER, 0, "'%.60s' is no name of an environment", name)
               : 0;
}

/* -ENOENT, without a word, where there is no such file. */
static int read_configured(const char *name, json_t **ret, struct retort_error *err) {
    struct config_source from = {.err = err};
    char file[128];
    snprintf(file, sizeof file, "%s.json", name);
    int r = config_path("environments/", file, from.path, sizeof from.path);
    return r < 0 ? -ENOENT : read_file(&from, ret);
}

static int read_made(const char *name, const char *state, json_t **ret, struct retort_error *err) {
    struct config_source from = {.err = err};
    char file[128];
    snprintf(file, sizeof file, "%s.json", name);
    return packages_path(state, file, from.path, sizeof from.path, NULL) < 0
               ? -ENOENT
               : read_file(&from, ret);
}

bool environment_is_configured(const char *name) {
    json_t *file = NULL;
    int r = read_configured(name, &file, NULL);
    json_decref(file);
    return r != -ENOENT;
}

int environment_read(const char *name, const char *state, json_t **ret, struct retort_error *err) {
    int r = environment_check_name(name, err);
    if (r < 0)
        return r;
    r = read_configured(name, ret, err);
    if (r == -ENOENT)
        r = read_made(name, state, ret, err);
    /* The client that asked may have no right to know where the files are. */
    return r == -ENOENT ? err_set(err, ERR_CALLER, 0,
                                  "there is no environment %.60s: no file environments/%.60s.json "
                                  "in the configuration, and none made by `retort env`",
                                  name, name)
                        : r;
}

int environment_ledger(struct ledger_options *ret, struct retort_error *err) {
    json_t *config = NULL;
    int r = read_config(&config, err);
    const json_t *ledger = json_object_get(config, "ledger");
    const json_t *quota = json_object_get(ledger, "quota"), *age = json_object_get(ledger, "age");
    if (quota)
        ret->max_bytes = (uint64_t)(json_number_value(quota) * 1048576);
    if (age)
        ret->max_age_s = (unsigned)fmin(json_number_value(age) * 86400, UINT_MAX);
    json_decref(config);
    return r;
}

/* --- merging --- */

/* Of the file that wins; config.json comes first in the list. */
static json_t *text_member(const struct configured *e, const char *name) {
    for (size_t i = ENVIRONMENT_FILES; i-- > 0;) {
        json_t *value = json_object_get(e->files[i], name);
        if (value)
            return value;
    }
    return NULL;
}

static int join_preload(const json_t *names, char **ret) {
    scoped_buf text = BUF_INIT(MAX_ENV_BYTES);
    const json_t *name;
    size_t i;
    int r = buf_adds(&text, "");
    json_array_foreach(names, i, name) {
        if (r == 0)
            r = buf_printf(&text, "%s%s", i ? "," : "", json_string_value(name));
    }
    if (r == 0)
        *ret = TAKE(text.data);
    return r;
}

static void merge_limits(struct retort_limits *to, const json_t *limits) {
    struct retort_limits from;
    limits_from_json(limits, &from);
    limits_merge(to, &from);
}

static bool asked_for(const char *const *env, const char *name) {
    size_t len = strlen(name);
    for (; env && *env; env++)
        if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
            return true;
    return false;
}

/* Variables from the files, unless the caller overrides them, and then those of the caller. */
static int merge_env(struct configured *e, const char *const *asked) {
    json_t *all = json_object(), *value;
    const char *name;
    size_t n = 0, given = 0;
    int r = 0;
    for (size_t i = 0; i < ENVIRONMENT_FILES; i++)
        json_object_update(all, json_object_get(e->files[i], "env"));
    while (asked && asked[given])
        given++;
    e->env = calloc(json_object_size(all) + given + 1, sizeof *e->env);
    json_object_foreach(all, name, value) {
        if (!e->env || r < 0 || asked_for(asked, name))
            continue;
        r = asprintf(&e->env[n], "%s=%s", name, json_string_value(value));
        n += r >= 0;
    }
    for (size_t i = 0; e->env && r >= 0 && i < given; i++)
        if (!(e->env[n++] = strdup(asked[i])))
            r = -1;
    json_decref(all);
    return e->env && r >= 0 ? 0 : -ENOMEM;
}

static int merge(struct configured *e, const struct retort_session_options *asked) {
    struct retort_session_options *o = &e->options;
    bool python = !o->language || strcmp(o->language, "python") == 0;
    int r = 0;
    if (python && !o->python)
        o->python = json_string_value(text_member(e, "python"));
    if (python && !o->preload && text_member(e, "preload")) {
        r = join_preload(text_member(e, "preload"), &e->preload);
        o->preload = e->preload;
    }
    if (!o->network && text_member(e, "network"))
        o->network = e->network = json_whole(text_member(e, "network"), JSON_COMPACT);
    for (size_t i = ENVIRONMENT_FILES; i-- > 0;)
        merge_limits(&o->limits, json_object_get(e->files[i], "limits"));
    if (r == 0)
        r = merge_env(e, asked->env);
    o->env = (const char *const *)e->env;
    return r;
}

/* Of the environment before those of config.json. */
int environment_limits(const char *name, struct retort_limits *ret_usual,
                       struct retort_limits *ret_caps, struct retort_error *err) {
    struct configured e = {0};
    struct retort_limits usual = {0}, caps = {0};
    int r = read_config(&e.files[0], err);
    if (r == 0 && name)
        r = environment_read(name, NULL, &e.files[1], err);
    for (size_t i = ENVIRONMENT_FILES; r == 0 && i-- > 0;) {
        merge_limits(&usual, json_object_get(e.files[i], "limits"));
        merge_limits(&caps, json_object_get(e.files[i], "caps"));
        merge_limits(&caps, json_object_get(e.files[i], "limits"));
    }
    environment_done(&e);
    if (r < 0)
        return descriptors_named(r, err);
    *ret_usual = usual;
    *ret_caps = caps;
    return 0;
}

int environment_narrow(const char *name, const char *given, const json_t *hosts, char **ret_network,
                       struct retort_error *err) {
    struct configured e = {0};
    json_t *network = given ? json_in_text(given, 0, NULL) : NULL, *fewer = NULL;
    int r = given ? 0 : read_config(&e.files[0], err);
    if (!given && r == 0 && name)
        r = environment_read(name, NULL, &e.files[1], err);
    if (r == 0 && !network)
        network = json_incref(text_member(&e, "network"));
    if (r == 0 && !network)
        r = err_set(err, ERR_CALLER, EPERM, "network: this server allows no host");
    if (r == 0)
        r = rules_narrow(network, hosts, &fewer, err);
    if (r == 0 && !(*ret_network = json_whole(fewer, JSON_COMPACT)))
        r = err_errno(err, ERR_HOST, ENOMEM, "cannot hold the rules");
    json_decref(network);
    json_decref(fewer);
    environment_done(&e);
    return descriptors_named(r, err);
}

/* The interpreter of config.json is a path on the host, not in an image. Whether an image's
 * interpreter can be warmed was found out when it was imported. */
static void apply_image(struct configured *e, const struct retort_session_options *asked) {
    const json_t *image = json_object_get(e->files[1], "image");
    e->options.python = asked->python;
    if (json_is_false(json_object_get(image, "warm")))
        e->options.fresh = true;
}

/* The environment's file says where packages are, unless the caller asked for others. Code of
 * packages runs in the warm interpreter only if that file asks for it. */
static int find_packages(struct configured *e, const char *state,
                         const struct retort_session_options *asked, struct retort_error *err) {
    const char *hash = json_string_value(json_object_get(e->files[1], "packages"));
    char path[MAX_PATH];
    if (e->options.packages || !hash)
        return 0;
    int r = packages_path(state, hash, path, sizeof path, err);
    if (r == 0 && !(e->packages = strdup(path)))
        r = err_errno(err, ERR_HOST, ENOMEM, "cannot hold the configuration");
    e->options.packages = e->packages;
    if (!asked->preload && !json_object_get(e->files[1], "preload"))
        e->options.preload = "";
    if (json_object_get(e->files[1], "image"))
        apply_image(e, asked);
    return r;
}

int environment_apply(const struct retort_session_options *asked, const char *state,
                      struct configured *ret, struct retort_error *err) {
    *ret = (struct configured){.options = *asked};
    int r = read_config(&ret->files[0], err);
    if (r == 0 && asked->environment)
        r = environment_read(asked->environment, state, &ret->files[1], err);
    if (r == 0 && (ret->files[0] || ret->files[1]) && (r = merge(ret, asked)) < 0)
        r = err_errno(err, ERR_HOST, -r, "cannot hold the configuration");
    if (r == 0)
        r = find_packages(ret, state, asked, err);
    if (r < 0)
        environment_done(ret);
    return r;
}

void environment_done(struct configured *e) {
    for (size_t i = 0; i < ENVIRONMENT_FILES; i++)
        json_decref(e->files[i]);
    for (char **v = e->env; v && *v; v++)
        free(*v);
    free(e->env);
    free(e->preload);
    free(e->packages);
    free(e->network);
    *e = (struct configured){0};
}

/* --- listing --- */

static int is_environment(const struct dirent *entry) {
    size_t len = strlen(entry->d_name);
    return entry->d_name[0] != '.' && len > 5 && strcmp(entry->d_name + len - 5, ".json") == 0;
}

static void add_names(json_t *list, const char *path) {
    struct dirent **names = NULL;
    int n = scandir(path, &names, is_environment, alphasort);
    for (int i = 0; i < n; i++) {
        json_array_append_new(list, json_stringn(names[i]->d_name, strlen(names[i]->d_name) - 5));
        free(names[i]);
    }
    free(names);
}

json_t *environment_names(const char *state) {
    json_t *list = json_array();
    char path[MAX_PATH];
    if (config_path("environments", "", path, sizeof path) == 0)
        add_names(list, path);
    if (packages_path(state, "", path, sizeof path, NULL) == 0)
        add_names(list, path);
    return list;
}
