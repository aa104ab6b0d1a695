/* retort env: makes environments with packages of their own, which sealed sessions install. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/readall.h"
#include "base/scope.h"
#include "cli/cli.h"
#include "cli/term.h"
#include "environments/environments.h"

struct env_args {
    struct cli_options o; /* the limits, the interpreter; `script` is the name */
    struct opt_list pip, npm, resolve;
    const char *requirements, *index, *registry, *preload, *lock, *image;
    double seconds;
};

#define ENV_AT(field) offsetof(struct env_args, field)

static const struct opt make_rows[] = {
    {"--pip", 0, OPT_LIST, "SPEC", ENV_AT(pip),
     "a Python package: NAME, NAME==VERSION, or the path of a wheel or project; may be repeated",
     0},
    {"--requirements", 'r', OPT_TEXT, "FILE", ENV_AT(requirements), "a requirements file for pip",
     0},
    {"--npm", 0, OPT_LIST, "SPEC", ENV_AT(npm),
     "a package for JavaScript: NAME, NAME@VERSION, or the path of an archive; may be repeated", 0},
    {"--index", 0, OPT_TEXT, "WHERE", ENV_AT(index),
     "where to find Python packages by name: an index, or a directory with wheels (pypi.org)", 0},
    {"--registry", 0, OPT_TEXT, "URL", ENV_AT(registry),
     "where to find packages for JavaScript by name (registry.npmjs.org)", 0},
    {"--resolve", 0, OPT_LIST, "HOST=ADDRESS", ENV_AT(resolve),
     "the address of a host in --index or --registry; may be repeated", 0},
    CLI_NETWORK(CLI_AT(network)),
    {"--lock", 0, OPT_TEXT, "FILE", ENV_AT(lock),
     "install exactly what this lock file names, bit for bit, or fail", 0},
    {"--python", 0, OPT_TEXT, "PATH", CLI_AT(session.python),
     "interpreter or virtual environment to use", 0},
    {"--preload", 0, OPT_TEXT, "MODULE[,MODULE]", ENV_AT(preload),
     "modules that its warm interpreter imports before sessions begin", 0},
    {"--install-timeout", 0, OPT_SECONDS, "SECONDS", ENV_AT(seconds),
     "time limit of the installation (600)", 0},
    {"--json", 0, OPT_FLAG, NULL, CLI_AT(json), "print what was made as an object", 0},
    OPT_END,
};

/* What `retort env --help` prints. */
static const struct opt_table make_table = {
    .usage = "env create|update [options] NAME",
    .about = "Installs packages in sealed sessions and makes an environment with them.",
    .rows = {make_rows, cli_limits},
    .operand = CLI_AT(script),
    .more = "The limits are for the environment's sessions. The other commands:\n"
            "  env import NAME IMAGE     make one from a container image (docker save, OCI)\n"
            "  env list                  list the environments\n"
            "  env show NAME             show one, with what is in it\n"
            "  env lock NAME             print its lock file: names, versions, hashes\n"
            "  env remove NAME           remove it; running sessions keep their packages\n",
};
static const struct opt import_rows[] = {
    CLI_NETWORK(CLI_AT(network)),
    {"--preload", 0, OPT_TEXT, "MODULE[,MODULE]", ENV_AT(preload),
     "modules that its warm interpreter imports before sessions begin", 0},
    {"--install-timeout", 0, OPT_SECONDS, "SECONDS", ENV_AT(seconds),
     "the most that unpacking may take (600)", 0},
    {"--json", 0, OPT_FLAG, NULL, CLI_AT(json), "print what was made as an object", 0},
    OPT_END,
};
static const struct opt_table import_table = {
    .usage = "env import [options] NAME IMAGE",
    .about =
        "Makes an environment from a container image: an archive of `docker save` or of the OCI\n"
        "form, or a directory that is an OCI layout. Its sessions have the image's files in\n"
        "place of the host's.",
    .rows = {import_rows, cli_limits},
    .operand = CLI_AT(script),
    .second = ENV_AT(image),
};
static const struct opt plain_rows[] = {
    {"--json", 0, OPT_FLAG, NULL, CLI_AT(json), "print it as an object", 0},
    OPT_END,
};
static const struct opt_table list_table = {
    .usage = "env list [--json]",
    .about = "Lists the environments there are.",
    .rows = {plain_rows},
    .operand = OPT_NO_OPERAND,
};
static const struct opt none_rows[] = {OPT_END};
static const struct opt_table name_table = {
    .usage = "env show|lock|remove NAME",
    .about = "Shows an environment, prints its lock file, removes it.",
    .rows = {none_rows},
    .operand = CLI_AT(script),
};

/* --- the recipe --- */

/* Makes paths absolute, because an update looks for them again. */
static json_t *absolute(const char *spec) {
    char path[PATH_MAX];
    return json_string(environments_is_path(spec) && realpath(spec, path) ? path : spec);
}

static void add_specs(json_t *recipe, const char *member, const struct opt_list *specs) {
    json_t *list = json_array();
    for (size_t i = 0; i < specs->n; i++)
        json_array_append_new(list, absolute(specs->at[i]));
    if (specs->n)
        json_object_set_new(recipe, member, list);
    else
        json_decref(list);
}

static json_t *preload_list(const char *names) {
    json_t *list = json_array();
    while (*names) {
        size_t len = strcspn(names, ",");
        if (len)
            json_array_append_new(list, json_stringn(names, len));
        names += len + (names[len] == ',');
    }
    return list;
}

static void env_number(json_t *to, const char *name, double value) {
    if (value > 0)
        json_object_set_new(to, name,
                            value == (double)(json_int_t)value ? json_integer((json_int_t)value)
                                                               : json_real(value));
}

/* Adds limits in the units of the configuration. */
static void add_limits(json_t *recipe, const struct retort_limits *l) {
    json_t *limits = json_object();
    env_number(limits, "timeout", l->timeout);
    env_number(limits, "cpu", l->cpu);
    env_number(limits, "memory", (double)(l->memory >> 20));
    env_number(limits, "disk", (double)(l->disk >> 20));
    env_number(limits, "output", (double)(l->output >> 10));
    env_number(limits, "pids", l->pids);
    if (json_object_size(limits))
        json_object_set_new(recipe, "limits", limits);
    else
        json_decref(limits);
}

static int env_load(const char *path, struct buf *ret) {
    scoped_fd fd = open(path, O_RDONLY | O_CLOEXEC);
    int r = fd < 0 ? -errno : read_all(fd, ret);
    return r < 0 ? cli_fail("cannot read %s: %s", path, strerror(r == -ENOSPC ? EFBIG : -r)) : 0;
}

static int add_requirements(json_t *recipe, const char *path) {
    scoped_buf text = BUF_INIT(MAX_CODE / 16);
    int r = path ? env_load(path, &text) : 0;
    if (r == 0 && path)
        r = json_object_set_new(recipe, "requirements",
                                json_stringn(text.data ? text.data : "", text.len)) < 0
                ? cli_fail("%s is not UTF-8", path)
                : 0;
    return r;
}

static int read_lock(const char *path, json_t **ret) {
    scoped_buf text = BUF_INIT(MAX_CODE);
    int r = env_load(path, &text);
    if (r == 0 && !(*ret = json_in(text.data ? text.data : "", text.len, 0, NULL)))
        r = cli_fail("%s is no lock file", path);
    return r;
}

static int make_recipe(const struct env_args *args, json_t *recipe) {
    add_specs(recipe, "pip", &args->pip);
    add_specs(recipe, "npm", &args->npm);
    if (args->index) {
        char path[PATH_MAX];
        const char *dir = strncmp(args->index, "file://", 7) == 0 ? args->index + 7 : args->index;
        json_object_set_new(recipe, "index",
                            json_string(!strstr(dir, "://") && realpath(dir, path) ? path : dir));
    }
    if (args->image) {
        char path[PATH_MAX];
        if (!realpath(args->image, path))
            return cli_fail("cannot read %s: %s", args->image, strerror(errno));
        json_object_set_new(recipe, "image", json_string(path));
    }
    if (args->o.session.python)
        json_object_set_new(recipe, "python", absolute(args->o.session.python));
    if (args->registry)
        json_object_set_new(recipe, "registry", json_string(args->registry));
    add_specs(recipe, "addresses", &args->resolve);
    if (args->preload)
        json_object_set_new(recipe, "preload", preload_list(args->preload));
    add_limits(recipe, &args->o.session.limits);
    const char *rules = NULL;
    int r = cli_network(&args->o.network, &rules);
    if (r)
        return r;
    if (rules)
        json_object_set_new(recipe, "network", json_in_text(rules, 0, NULL));
    return add_requirements(recipe, args->requirements);
}

/* --- the commands --- */

/* A build may print anything; we keep what a terminal would obey from it. */
static void show_progress(void *user, const char *text, size_t len) {
    term_text(user, text, len);
}

static int print_json(const json_t *value) {
    scoped_free char *text = json_whole(value, JSON_INDENT(2));
    return text && puts(text) >= 0 && fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
}

static const char *image_kind(const json_t *image) {
    return json_is_true(json_object_get(image, "warm")) ? "warm" : "cold";
}

static void print_image(const char *name, const json_t *image) {
    const char *python = json_string_value(json_object_get(image, "python"));
    const json_t *program;
    size_t i;
    printf("%s: an image", name);
    json_array_foreach(json_object_get(image, "programs"), i, program) {
        printf("%s%s", i ? ", " : " with ", json_string_value(program));
    }
    if (python)
        printf("; Python %s, %s", python, image_kind(image));
    puts("");
}

static int print_made(const json_t *made, bool json) {
    const json_t *image = json_object_get(made, "image");
    if (json)
        return print_json(made);
    if (image)
        print_image(json_string_value(json_object_get(made, "name")), image);
    else
        printf("%s: %zu of Python, %zu of npm, content %s\n",
               json_string_value(json_object_get(made, "name")),
               json_array_size(json_object_get(made, "pip")),
               json_array_size(json_object_get(made, "npm")),
               json_string_value(json_object_get(made, "packages")));
    return fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
}

typedef int (*maker)(const struct environments_job *job, json_t **ret, struct retort_error *err);

static int env_make(maker make, const struct env_args *args) {
    json_t *recipe = json_object(), *lock = NULL, *made = NULL;
    struct retort_error err = ERR_INIT;
    struct term term;
    term_init(&term, 2);
    int r = make_recipe(args, recipe);
    if (r == 0 && args->lock)
        r = read_lock(args->lock, &lock);
    struct environments_job job = {.name = args->o.script,
                                   .recipe = recipe,
                                   .lock = lock,
                                   .timeout = args->seconds,
                                   .progress = show_progress,
                                   .user = &term};
    if (r == 0)
        r = make(&job, &made, &err) < 0 ? cli_fail("%s", err.message)
                                        : print_made(made, args->o.json);
    term_done(&term);
    json_decref(recipe);
    json_decref(lock);
    json_decref(made);
    return r;
}

static int env_create(const struct env_args *args) {
    return env_make(environments_create, args);
}

static int env_import(const struct env_args *args) {
    return args->image ? env_create(args) : cli_fail("which image?");
}

static int env_update(const struct env_args *args) {
    return env_make(environments_update, args);
}

static void print_listed(const json_t *one) {
    const char *packages = json_string_value(json_object_get(one, "packages")),
               *error = json_string_value(json_object_get(one, "error"));
    const json_t *image = json_object_get(one, "image");
    const char *python = json_string_value(json_object_get(image, "python"));
    printf("%-16s ", json_string_value(json_object_get(one, "name")));
    if (error)
        printf("unreadable: %s\n", error);
    else if (image)
        printf("image, Python %s (%s)  %.16s\n", python ? python : "none", image_kind(image),
               packages);
    else if (packages)
        printf("%3d of Python, %3d of npm  %.16s\n",
               (int)json_integer_value(json_object_get(one, "pip")),
               (int)json_integer_value(json_object_get(one, "npm")), packages);
    else
        puts("configured, no packages of its own");
}

static int env_list(const struct env_args *args) {
    struct retort_error err = ERR_INIT;
    json_t *list, *one;
    size_t i;
    if (environments_list(NULL, &list, &err) < 0)
        return cli_fail("%s", err.message);
    int r = args->o.json ? print_json(list) : 0;
    if (!args->o.json)
        json_array_foreach(list, i, one) {
            print_listed(one);
        }
    if (!args->o.json && json_array_size(list) == 0)
        puts("there is none; `retort env create NAME --pip PACKAGE` makes one");
    json_decref(list);
    return fflush(stdout) == 0 ? r : EXIT_OWN_FAILURE;
}

static int print_shown(const char *name, const char *member) {
    struct retort_error err = ERR_INIT;
    json_t *shown;
    if (environments_show(NULL, name, &shown, &err) < 0)
        return cli_fail("%s", err.message);
    const json_t *part = member ? json_object_get(shown, member) : shown;
    int r =
        json_is_object(part) ? print_json(part) : cli_fail("%s has no packages of its own", name);
    json_decref(shown);
    return r;
}

static int env_show(const struct env_args *args) {
    return print_shown(args->o.script, NULL);
}

static int env_lock(const struct env_args *args) {
    return print_shown(args->o.script, "lock");
}

static int env_remove(const struct env_args *args) {
    struct retort_error err = ERR_INIT;
    return environments_remove(NULL, args->o.script, &err) < 0 ? cli_fail("%s", err.message) : 0;
}

static const struct {
    const char *name;
    const struct opt_table *table;
    int (*run)(const struct env_args *args);
} env_commands[] = {
    {"create", &make_table, env_create},   {"update", &make_table, env_update},
    {"import", &import_table, env_import}, {"list", &list_table, env_list},
    {"show", &name_table, env_show},       {"lock", &name_table, env_lock},
    {"remove", &name_table, env_remove},
};

static int env_run(size_t i, int argc, char **argv) {
    struct env_args args = {0};
    int r;
    if (!cli_take(env_commands[i].table, argc, argv, &args, &r))
        return r;
    if (!args.o.script && env_commands[i].table != &list_table)
        return cli_fail("which name?");
    return env_commands[i].run(&args);
}

int cmd_env(int argc, char **argv) {
    if (argc < 2)
        return cli_fail("which command? `retort env --help` lists them");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        opt_help(&make_table);
        return fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
    }
    for (size_t i = 0; i < sizeof env_commands / sizeof *env_commands; i++)
        if (strcmp(argv[1], env_commands[i].name) == 0)
            return env_run(i, argc - 1, argv + 1);
    return cli_fail("unknown command 'env %.60s'; `retort env --help` lists them", argv[1]);
}
