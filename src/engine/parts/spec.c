#include "engine/parts/spec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "engine/host/environment.h"
#include "engine/host/image.h"
#include "engine/host/interpreter.h"
#include "engine/host/limits.h"
#include "engine/host/packages.h"
#include "gate/rules/rules.h"
#include "wire/gate.h"

static int parse_layers(const char *const *names, uint32_t *ret, struct retort_error *err) {
    *ret = 0;
    for (; names && *names; names++) {
        int layer = layer_by_name(*names);
        if (layer < 0)
            return err_set(err, ERR_CALLER, EINVAL, "unknown layer %.40s", *names);
        if (layer == LAYER_USER || layer == LAYER_MOUNT || layer == LAYER_PID)
            return err_set(err, ERR_CALLER, EINVAL, "there is no session without the layer %s",
                           *names);
        *ret |= LAYER_BIT(layer);
    }
    return 0;
}

static int copy_variables(struct session_spec *s, const char *const *env,
                          struct retort_error *err) {
    size_t count = 0, bytes = 0;
    for (; env && env[count]; count++) {
        size_t name = strcspn(env[count], "=");
        if (!name || env[count][name] != '=')
            return err_set(err, ERR_CALLER, EINVAL,
                           "an environment variable is given as NAME=VALUE");
        bytes += strlen(env[count]) + 1;
    }
    if (bytes > MAX_ENV_BYTES || count > 256)
        return err_set(err, ERR_CALLER, E2BIG, "too many environment variables");
    s->variables = calloc(count + 1, sizeof *s->variables);
    for (size_t i = 0; s->variables && i < count; i++)
        if (!(s->variables[i] = strdup(env[i])))
            return err_errno(err, ERR_HOST, ENOMEM, "cannot hold the environment");
    return s->variables ? 0 : err_errno(err, ERR_HOST, ENOMEM, "cannot hold the environment");
}

static int set_name(char *to, size_t size, const char *what, const char *name,
                    struct retort_error *err) {
    size_t len =
        name ? strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")
             : 0;
    if (name && (name[len] || len == 0 || len >= size))
        return err_set(err, ERR_CALLER, EINVAL, "%s has 1 to %zu letters, digits, '_', '-' or '.'",
                       what, size - 1);
    snprintf(to, size, "%s", name ? name : "");
    return 0;
}

static int set_preload(struct session_spec *s, const char *named, struct retort_error *err) {
    const char *preload = named ? named : "numpy,pandas,matplotlib.pyplot";
    if (strlen(preload) >= sizeof s->env.preload)
        return err_set(err, ERR_CALLER, E2BIG, "the list of modules to preload is too long");
    if (s->language == LANG_PYTHON)
        snprintf(s->env.preload, sizeof s->env.preload, "%s", preload);
    return 0;
}

static int set_language(struct session_spec *s, const char *named, struct retort_error *err) {
    int r = language_parse(named, &s->cells, err);
    if (r == 0 && language_is_further(s->cells))
        return err_set(err, ERR_CALLER, EINVAL,
                       "%s stands beside another interpreter: a session begins with %s", named,
                       s->cells->read_as);
    if (r == 0)
        s->language = s->cells->interpreter;
    return r;
}

static int set_packages(struct session_spec *s, const char *packages, struct retort_error *err) {
    if (packages && (packages[0] != '/' || strlen(packages) >= sizeof s->env.packages))
        return err_set(err, ERR_CALLER, EINVAL,
                       "the directory of packages needs a path from / on, of at most %zu bytes",
                       sizeof s->env.packages - 1);
    if (!packages || !packages[0])
        return 0;
    struct stat st;
    int fd = s->packages = packages_hold(packages, err);
    if (fd < 0 || fstat(fd, &st) < 0)
        return fd < 0 ? fd : err_errno(err, ERR_HOST, errno, "cannot look at the packages");
    snprintf(s->env.packages, sizeof s->env.packages, "%s", packages);
    s->env.directory = (uint32_t)st.st_ino;
    s->env.image = image_is(packages);
    return 0;
}

static int set_interpreter(struct session_spec *s, const struct retort_session_options *o,
                           struct retort_error *err) {
    return s->env.image ? image_interpreter(s->language, o->python, o->env, &s->env, err)
                        : interpreter_choose(s->language, o->python, &s->env, err);
}

/* Without rules nothing is allowed: then there is no gate, which saves its time. */
static int set_network(struct session_spec *s, const char *text, struct retort_error *err) {
    struct rules *rules = NULL;
    if (!text)
        return 0;
    if (strlen(text) > MAX_NETWORK)
        return err_set(err, ERR_CALLER, E2BIG, "the network rules are too long");
    json_t *network = json_in_text(text, JSON_REJECT_DUPLICATES, NULL);
    int r = network ? rules_new(network, &rules, err)
                    : err_set(err, ERR_CALLER, EINVAL, "network: the rules are no JSON");
    s->reads = r == 0 && rules_any_read(rules);
    s->closed = r == 0 && !rules->count;
    if (r == 0 && rules->count && !(s->network = json_whole(network, JSON_COMPACT)))
        r = err_errno(err, ERR_HOST, ENOMEM, "cannot hold the rules");
    rules_free(rules);
    json_decref(network);
    return r;
}

static int set_review(struct session_spec *s, const char *review, const char *rules,
                      struct retort_error *err) {
    int r = strictness_parse(review, &s->review, err);
    if (r < 0 || !rules)
        return r;
    if (s->review == STRICT_OFF)
        return err_set(err, ERR_CALLER, EINVAL, "rules: they are for a review, and there is none");
    if (strlen(rules) > MAX_REVIEW_RULES)
        return err_set(err, ERR_CALLER, E2BIG, "rules: more than %u bytes", MAX_REVIEW_RULES);
    s->rules = strdup(rules);
    return s->rules ? 0 : err_errno(err, ERR_HOST, ENOMEM, "cannot hold the rules");
}

static uint64_t new_seed(void) {
    uint64_t seed;
    random_bytes(&seed, sizeof seed);
    return seed >> 12; /* exact in a JSON number */
}

static int spec_fill(struct session_spec *s, const struct retort_session_options *o,
                     struct retort_error *err) {
    int r = set_name(s->owner, sizeof s->owner, "an owner", o->owner, err);
    if (r == 0)
        r = set_name(s->door, sizeof s->door, "a door", o->door, err);
    if (r == 0)
        r = set_language(s, o->language, err);
    if (r == 0)
        r = limits_fill(&o->limits, &limits_default, &s->limits, err);
    if (r == 0)
        r = parse_layers(o->allow_missing, &s->allow_missing, err);
    if (r == 0)
        r = set_packages(s, o->packages, err);
    if (r == 0)
        r = set_interpreter(s, o, err);
    if (r == 0)
        r = set_preload(s, o->preload, err);
    if (r == 0)
        r = copy_variables(s, o->env, err);
    if (r == 0)
        r = set_network(s, o->network, err);
    if (r == 0)
        r = set_review(s, o->review, o->rules, err);
    return r;
}

int spec_new(const struct retort_session_options *o, bool repeatable,
             const struct session_spec **ret, struct retort_error *err) {
    struct session_spec *s = calloc(1, sizeof *s);
    if (!s)
        return err_errno(err, ERR_HOST, ENOMEM, "cannot hold another session");
    atomic_init(&s->refs, 1);
    s->packages = -1;
    s->flags = (o->strict ? CREATE_STRICT : 0) | (o->fresh ? CREATE_FRESH : 0) |
               (o->deterministic ? CREATE_DETERMINISTIC : 0);
    s->seed = o->has_seed ? o->seed : new_seed();
    s->background = o->background;
    s->checkpoint = repeatable || o->deterministic ? RETORT_CHECKPOINT_OFF : o->checkpoint;
    s->on_error = o->on_error;
    int r = spec_fill(s, o, err);
    if (r < 0)
        spec_unref(s);
    else
        *ret = s;
    return r;
}

const struct session_spec *spec_ref(const struct session_spec *spec) {
    struct session_spec *s = unconst(spec);
    atomic_fetch_add(&s->refs, 1);
    return spec;
}

void spec_unref(const struct session_spec *spec) {
    struct session_spec *s = unconst(spec);
    if (!s || atomic_fetch_sub(&s->refs, 1) != 1)
        return;
    for (char **v = s->variables; v && *v; v++)
        free(*v);
    free(s->variables);
    fd_done(&s->packages);
    free(s->network);
    free(s->rules);
    free(s);
}

#define GATE_HTTP "http://127.0.0.1:3128"
_Static_assert(GATE_PORT == 3128, "the variables name the port");

int spec_variables(const struct session_spec *spec, int (*put)(void *to, const char *variable),
                   void *to) {
    static const char *const gate[] = {"HTTP_PROXY=" GATE_HTTP,
                                       "HTTPS_PROXY=" GATE_HTTP,
                                       "ALL_PROXY=" GATE_HTTP,
                                       "http_proxy=" GATE_HTTP,
                                       "https_proxy=" GATE_HTTP,
                                       "all_proxy=" GATE_HTTP,
                                       "NO_PROXY=localhost,127.0.0.1,::1",
                                       "no_proxy=localhost,127.0.0.1,::1",
                                       "NODE_USE_ENV_PROXY=1",
                                       "NODE_OPTIONS=--require=/opt/retort/node/proxy.js"};
    static const char *const trust[] = {
        "SSL_CERT_FILE=" GATE_TRUST,    "REQUESTS_CA_BUNDLE=" GATE_TRUST,
        "CURL_CA_BUNDLE=" GATE_TRUST,   "NODE_EXTRA_CA_CERTS=" GATE_TRUST,
        "GIT_SSL_CAINFO=" GATE_TRUST,   "PIP_CERT=" GATE_TRUST,
        "npm_config_cafile=" GATE_TRUST};
    int r = 0;
    for (size_t i = 0; spec->network && r == 0 && i < sizeof gate / sizeof *gate; i++)
        r = put(to, gate[i]);
    for (size_t i = 0; spec->reads && r == 0 && i < sizeof trust / sizeof *trust; i++)
        r = put(to, trust[i]);
    for (char **v = spec->variables; r == 0 && v && *v; v++)
        r = put(to, *v);
    return r;
}

void spec_message(const struct session_spec *spec, struct ctl_create *ret) {
    *ret = (struct ctl_create){.head = {CTL_SESSION, sizeof *ret},
                               .language = spec->language,
                               .flags = spec->flags,
                               .allow_missing = spec->allow_missing,
                               .limits = spec->limits,
                               .env = spec->env};
}
