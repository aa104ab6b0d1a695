#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "engine/host/environment.h"
#include "engine/host/strictness.h"
#include "serve/hosted/caps.h"
#include "serve/hosted/clustered.h"
#include "serve/hosted/fault.h"
#include "serve/hosted/json.h"
#include "serve/hosted/sessions.h"
#include "serve/hosted/tools.h"
#include "skills/skills.h"
#include "skills/skillset.h"

/* --- making one --- */

static void env_free(char ***env) {
    for (size_t i = 0; *env && (*env)[i]; i++)
        free((*env)[i]);
    free(*env);
}

static int env_add(char **env, size_t *n, const char *name, const char *value) {
    if (asprintf(&env[*n], "%s%s%s", name, value ? "=" : "", value ? value : "") < 0) {
        env[*n] = NULL;
        return -ENOMEM;
    }
    (*n)++;
    return 0;
}

/* Adds the server's variables that the client does not set. */
static int env_inherit(const char *const *from, const json_t *given, char **env, size_t *n) {
    int r = 0;

    for (; from && *from && r >= 0; from++) {
        size_t len = strcspn(*from, "=");
        char name[256];

        snprintf(name, sizeof name, "%.*s", (int)(len < 255 ? len : 255), *from);
        if (!json_object_get(given, name))
            r = env_add(env, n, *from, NULL);
    }
    return r;
}

static int env_read(const json_t *object, const char *const *inherited, char ***ret_env,
                    struct retort_error *error) {
    size_t n = 0, count = 0;
    char **env;
    const char *name;
    json_t *value;
    int r;

    while (inherited && inherited[count])
        count++;
    env = *ret_env = calloc(json_object_size(object) + count + 1, sizeof *env);
    r = env ? env_inherit(inherited, object, env, &n) : -ENOMEM;
    json_object_foreach(unconst(object), name, value) {
        if (!json_is_string(value) || !name[0] || strchr(name, '=') ||
            strlen(json_string_value(value)) != json_string_length(value))
            return err_set(error, ERR_CALLER, EINVAL, "env must map names to strings without NUL");
        if (r >= 0)
            r = env_add(env, &n, name, json_string_value(value));
    }
    return r < 0 ? err_memory(error) : 0;
}

static const char *hosted_text_of(const json_t *params, const char *name) {
    return json_string_value(json_object_get(params, name));
}

static void text_over(const json_t *params, const char *name, const char **text) {
    if (hosted_text_of(params, name))
        *text = hosted_text_of(params, name);
}

static void flag_over(const json_t *params, const char *name, bool *flag) {
    const json_t *value = json_object_get(params, name);

    if (value)
        *flag = json_is_true(value);
}

/* What the client asks for, over what the server gives everybody. */
static void options_read(const json_t *params, const struct serve_defaults *defaults,
                         struct retort_session_options *ret_options) {
    const char *on_error = hosted_text_of(params, "on_error"),
               *checkpoint = hosted_text_of(params, "checkpoint");
    const json_t *seed = json_object_get(params, "seed");
    struct retort_session_options options = {0};

    if (defaults)
        options = defaults->options;
    text_over(params, "language", &options.language);
    text_over(params, "environment", &options.environment);
    flag_over(params, "deterministic", &options.deterministic);
    flag_over(params, "background", &options.background);
    options.no_record |= json_is_false(json_object_get(params, "record"));
    if (seed) {
        options.seed = (uint64_t)json_integer_value(seed);
        options.has_seed = true;
    }
    if (on_error && strcmp(on_error, "rollback") == 0)
        options.on_error = RETORT_ON_ERROR_ROLLBACK;
    if (checkpoint && strcmp(checkpoint, "always") == 0)
        options.checkpoint = RETORT_CHECKPOINT_ALWAYS;
    if (checkpoint && strcmp(checkpoint, "off") == 0)
        options.checkpoint = RETORT_CHECKPOINT_OFF;
    limits_from_json(json_object_get(params, "limits"), &options.limits);
    if (defaults)
        limits_merge(&options.limits, &defaults->options.limits);
    *ret_options = options;
}

/* Whether rules refer to variables or files of this process. */
static bool names_ours(const json_t *network) {
    const json_t *rules = json_is_array(network) ? network : json_object_get(network, "rules");
    const json_t *rule;
    size_t i;

    json_array_foreach(rules, i, rule) {
        if (json_object_get(rule, "secret") || json_object_get(rule, "authority"))
            return true;
    }
    return false;
}

static const char *stricter(const char *a, const char *b) {
    struct retort_error err;
    enum strictness one = STRICT_OFF, other = STRICT_OFF;

    strictness_parse(a, &one, &err); /* both were checked before */
    strictness_parse(b, &other, &err);
    return strictness_name(one > other ? one : other);
}

/* The least strict review that a session of this client may have. */
static const char *review_floor(const struct serve *serve, const struct peer *peer) {
    const char *all = serve->defaults ? serve->defaults->options.review : serve->review;

    return stricter(all, strictness_name(peer->review));
}

static int review_suffices(const struct serve *serve, const struct peer *peer, const char *has,
                           struct retort_error *error) {
    const char *floor = review_floor(serve, peer);
    enum strictness ignored;
    int r = strictness_parse(has, &ignored, error);

    if (r == 0 && strcmp(stricter(has, floor), has ? has : "off") != 0)
        r = err_set(error, ERR_CALLER, EPERM, "review: %s, and this server wants at least %s",
                    has ? has : "off", floor);
    return r;
}

/* A client may ask for a stricter review, not for a laxer one. Its own rules are added to Retort's;
 * they are refused if the server has rules for everybody. */
static int review_read(const struct serve *serve, const struct peer *peer, const json_t *params,
                       struct retort_session_options *options, char **ret_rules,
                       struct retort_error *error) {
    const json_t *rules = json_object_get(params, "rules");
    const char *asked = hosted_text_of(params, "review");
    int r;

    options->review = asked ? asked : review_floor(serve, peer);
    if (serve->rules)
        options->rules = serve->rules;
    r = review_suffices(serve, peer, options->review, error);
    if (r < 0 || !rules)
        return r;
    if (options->rules)
        return err_set(error, ERR_CALLER, EPERM, "rules: this server's own hold for everybody");
    options->rules = *ret_rules = json_whole(rules, JSON_COMPACT);
    return *ret_rules ? 0 : err_memory(error);
}

/* The only client of an engine may reach whom it likes. Other clients get the server's network
 * rules, or those of them that they choose. */
static int network_read(const struct serve *serve, const struct peer *peer, const char *environment,
                        const json_t *asked, char **ret_text, struct retort_error *error) {
    if (!asked)
        return 0;
    if (!peer->sees_all && json_array_size(asked))
        return environment_narrow(environment, serve->network, asked, ret_text, error);
    if (!peer->sees_all && !json_is_array(asked))
        return err_set(
            error, ERR_CALLER, EPERM,
            "network: this server's own rules hold for everybody; a list of hosts chooses "
            "among them");
    if (names_ours(asked))
        return err_set(error, ERR_CALLER, EPERM,
                       "network: a secret or an authority is given by --network or a configuration "
                       "file, not by a client");
    *ret_text = json_whole(asked, JSON_COMPACT);
    return *ret_text ? 0 : err_memory(error);
}

/* Limits on the server's command line are also the most that clients may ask for, whatever the
 * files say. */
static int apply_caps(const struct serve *serve, const struct peer *peer,
                      struct retort_session_options *options, struct retort_limits *ret_caps,
                      struct retort_error *error) {
    struct retort_limits usual;
    int r = environment_limits(options->environment, &usual, ret_caps, error);

    if (r < 0)
        return r;
    if (serve->defaults)
        caps_replace(ret_caps, &serve->defaults->options.limits);
    return caps_session(&peer->caps, &usual, ret_caps, &options->limits, error);
}

static int write_file(struct retort_session *session, const json_t *file,
                      struct retort_error *error) {
    const json_t *base64 = json_object_get(file, "base64"), *text = json_object_get(file, "text");
    scoped_buf data = BUF_INIT(MAX_REQUEST);
    int r = -EINVAL;

    if (!base64 != !text)
        r = base64 ? base64_decode(&data, json_string_value(base64), json_string_length(base64))
                   : buf_add(&data, json_string_value(text), json_string_length(text));
    if (r < 0)
        return err_set(error, ERR_CALLER, EINVAL, "files: %s needs either text or valid base64",
                       hosted_text_of(file, "path"));
    return retort_file_write(session, hosted_text_of(file, "path"), 0, data.data ? data.data : "",
                             data.len, true, error);
}

static int write_files(struct retort_session *session, const json_t *files,
                       struct retort_error *error) {
    size_t i;
    json_t *file;

    json_array_foreach(files, i, file) {
        int r = write_file(session, file, error);
        if (r < 0)
            return r;
    }
    return 0;
}

static int hosted_furnish(const struct serve_defaults *defaults, struct retort_session *session,
                          struct retort_error *error) {
    return defaults && defaults->furnish ? defaults->furnish(defaults->user, session, error) : 0;
}

/* The session was made before: for another client of the same owner, or by another server. */
static int take_back(const struct serve *serve, const struct peer *peer,
                     struct retort_session *session, unsigned *ret_cells,
                     struct retort_error *error) {
    scoped_free char *text = retort_session_info(session);
    scoped_json *info = text ? json_in_text(text, 0, NULL) : NULL;

    *ret_cells = (unsigned)json_integer_value(json_object_get(info, "cells"));
    return review_suffices(serve, peer, hosted_text_of(info, "review"), error);
}

static bool serve_is_stopping(void *user) {
    const struct serve *serve = user;

    return atomic_load(&serve->stopping);
}

int await_birth(struct serve *serve, const struct peer *peer, struct lane_pass *ret_pass,
                struct retort_error *error) {
    struct lane_wait wait = {.given_up = serve_is_stopping, .user = serve};
    int r = lane_enter(&serve->births, peer->owner, &wait, ret_pass, error);

    return r == 0 && !ret_pass->lane ? err_set(error, ERR_HOST, ESHUTDOWN, "the server is stopping")
                                     : r;
}

/* The session did not come back here: other nodes of the cluster may try, and it is not closed. */
static void leave_to_others(struct serve *serve, const char *id) {
    if (serve->clustered)
        serve->clustered->release(serve->clustered, id);
}

int session_resume(struct serve *serve, struct peer *peer, const char *id,
                   struct hosted **ret_hosted, struct retort_error *error) {
    struct retort_session *session;
    struct retort_session_options none = {0}; /* the session has the options it was made with */
    struct retort_limits caps;
    struct lane_pass pass = {0};
    unsigned cells = 0;
    int r = apply_caps(serve, peer, &none, &caps, error);

    if (r >= 0)
        r = await_birth(serve, peer, &pass, error);
    if (r >= 0)
        r = retort_session_resume(serve->engine, id, &session, error);
    lane_leave(&pass);
    if (r < 0 && error->code != EBUSY) /* EBUSY: the session is here */
        leave_to_others(serve, id);
    if (r < 0)
        return r;
    r = take_back(serve, peer, session, &cells, error);
    if (r >= 0)
        r = registry_add(serve->registry, peer->owner, peer->max_sessions, session, ret_hosted,
                         error);
    if (r < 0) {
        leave_to_others(serve, id);
        retort_session_close(session);
    } else {
        (*ret_hosted)->cell = cells;
        (*ret_hosted)->caps = caps;
    }
    return r;
}

int session_use(struct serve *serve, struct hosted *hosted, const json_t *names,
                struct retort_error *error) {
    struct skillset *skills;
    int r = skillset_new(serve->engine, serve->state, names, &skills, error);

    return r < 0 ? r : tools_use(hosted, skills, error);
}

/* Adds the skills with functions that are not in the list yet, as far as the list has room. */
static int add_every_skill(const struct serve *serve, json_t *names, struct retort_error *error) {
    scoped_json *all = NULL;
    json_t *one;
    size_t i;

    TRY(skills_list(serve->state, NULL, 0, &all, error));
    json_array_foreach(all, i, one) {
        const char *kind = hosted_text_of(one, "kind");
        bool usable =
            kind && strcmp(kind, "text") != 0 && !json_is_true(json_object_get(one, "quarantined"));

        for (size_t n = 0; usable && n < json_array_size(names); n++)
            usable = !json_equal(json_array_get(names, n), json_object_get(one, "name"));
        if (usable && json_array_size(names) < MAX_SKILLS)
            json_array_append(names, json_object_get(one, "name"));
    }
    return 0;
}

json_t *session_skills(const struct serve *serve, const json_t *asked, struct retort_error *error) {
    const json_t *name;
    scoped_json *names = json_array();
    bool every = false;
    size_t i;

    json_array_foreach(asked ? asked : serve->skills, i, name) {
        const char *text = json_string_value(name);

        if (text && strcmp(text, "*") == 0)
            every = true;
        else
            json_array_append(names, unconst(name));
    }
    return every && add_every_skill(serve, names, error) < 0 ? NULL : TAKE(names);
}

/* Gives the session the skills that the client asks for, or that the server gives to everybody. */
static int session_equip(struct serve *serve, const json_t *params, struct hosted *hosted,
                         struct retort_error *error) {
    scoped_json *names = session_skills(serve, json_object_get(params, "skills"), error);
    int r = names ? tools_equip(serve, hosted, error) : -ENOMEM;

    if (r >= 0 && json_array_size(names) > 0)
        r = session_use(serve, hosted, names, error);

    if (r < 0) {
        registry_remove(serve->registry, hosted);
        registry_unref(serve->registry, hosted);
    }
    return r;
}

int session_plan(const struct serve *serve, const struct peer *peer, const json_t *params,
                 struct session_plan *ret, struct retort_error *error) {
    struct retort_session_options *options = &ret->options;
    int r;

    *ret = (struct session_plan){0};
    options_read(params, serve->defaults, options);
    r = apply_caps(serve, peer, options, &ret->caps, error);
    if (r >= 0)
        r = env_read(json_object_get(params, "env"), options->env, &ret->env, error);
    if (r >= 0)
        r = network_read(serve, peer, options->environment, json_object_get(params, "network"),
                         &ret->network, error);
    if (r >= 0)
        r = review_read(serve, peer, params, options, &ret->rules, error);
    options->env = (const char *const *)ret->env;
    if (ret->network || serve->network)
        options->network = ret->network ? ret->network : serve->network;
    options->owner = peer->owner;
    options->door = peer->door;
    return r;
}

void session_plan_done(struct session_plan *plan) {
    env_free(&plan->env);
    free(plan->network);
    free(plan->rules);
}

/* 0: as many as the engine allows. Its sessions on other nodes are fewer than its maximum. */
static unsigned max_here(const struct peer *peer) {
    return peer->max_sessions ? peer->max_sessions - peer->elsewhere : 0;
}

int session_make(struct serve *serve, struct peer *peer, const json_t *params,
                 struct hosted **ret_hosted, struct retort_error *error) {
    __attribute__((cleanup(session_plan_done))) struct session_plan plan;
    struct retort_session *session;
    struct lane_pass pass = {0};
    int r = session_plan(serve, peer, params, &plan, error);

    if (r >= 0)
        r = await_birth(serve, peer, &pass, error);
    if (r >= 0)
        r = retort_session_new(serve->engine, &plan.options, &session, error);
    lane_leave(&pass);
    if (r < 0)
        return r;
    r = hosted_furnish(serve->defaults, session, error);
    if (r >= 0)
        r = write_files(session, json_object_get(params, "files"), error);
    if (r >= 0)
        r = registry_add(serve->registry, peer->owner, max_here(peer), session, ret_hosted, error);
    if (r < 0) {
        retort_session_close(session);
        return r;
    }
    (*ret_hosted)->caps = plan.caps;
    return session_equip(serve, params, *ret_hosted, error);
}

/* --- ending --- */

/* Called under the lock, so that the right cell is interrupted: it cannot end, and another begin,
 * in between. */
bool session_stop(struct serve *serve, struct hosted *hosted) {
    bool running;

    pthread_mutex_lock(&hosted->lock);
    running = hosted->interrupted = hosted->running;
    retort_interrupt(hosted->session);
    skillset_interrupt(hosted->skills);
    if (hosted->agents > 0) {
        atomic_store(&hosted->agents_stop, true);
        running = true;
    }
    pthread_mutex_unlock(&hosted->lock);
    lane_nudge(&serve->cells);
    tools_cancel(serve->tools, hosted, NULL, "interrupted");
    return running;
}

void session_end(struct serve *serve, struct hosted *hosted) {
    registry_remove(serve->registry, hosted);
}
