#include "skills/skillset.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "skills/library.h"
#include "skills/runner.h"

#define PREFIX "skills."
#define BODY_BYTES (64 << 10)
#define MAX_RUNNERS 4 /* sessions of skills that are kept for one session */

struct pinned {
    struct skill_ref ref;
    struct skill_files files;
    json_t *manifest;
    struct skill_runner *runner; /* NULL until the first call */
    uint64_t called;             /* when it was called last, by the count of all calls */
    unsigned uses;               /* calls that the index does not know of yet */
    bool failed;                 /* the last call failed */
};

struct skillset {
    atomic_uint refs;
    struct retort_engine *engine;
    char *state;
    json_t *names; /* NAME@VERSION */
    json_t *tools;
    struct pinned *at[MAX_SKILLS];
    size_t n;
    pthread_mutex_t turn; /* one call at a time */
    pthread_mutex_t lock; /* guards `running` */
    struct skill_runner *running;
    uint64_t calls;
};

/* --- making it --- */

static void pinned_free(struct pinned *p) {
    if (!p)
        return;
    runner_free(p->runner);
    skillfiles_done(&p->files);
    json_decref(p->manifest);
    free(p);
}

static const char *pinned_text(const struct pinned *p, const char *member) {
    const char *text = json_string_value(json_object_get(p->manifest, member));
    return text ? text : "";
}

static int pin(struct skillset *set, const struct skill_library *lib, const char *name,
               struct retort_error *err) {
    struct pinned *p = calloc(1, sizeof *p);
    int r = p ? library_resolve(lib, name, &p->ref, err) : err_memory(err);
    if (r == 0)
        r = library_load(lib, &p->ref, &p->files, &p->manifest, err);
    for (size_t i = 0; r == 0 && i < set->n; i++)
        if (strcmp(set->at[i]->ref.name, p->ref.name) == 0)
            r = err_set(err, ERR_CALLER, EINVAL, "the skill %s is named twice", p->ref.name);
    if (r < 0) {
        pinned_free(p);
        return r;
    }
    set->at[set->n++] = p;
    json_array_append_new(set->names, json_sprintf("%s@%u", p->ref.name, p->ref.version));
    return 0;
}

/* The source, which code imports. */
static json_t *inline_source(const struct pinned *p) {
    const struct skill_file *f = skillfiles_find(&p->files, pinned_text(p, "code"));
    return f && json_is_true(json_object_get(p->manifest, "inline")) ? json_stringn(f->data, f->len)
                                                                     : NULL;
}

/* How code calls it: skills.NAME if the function has the name of the skill, else
 * skills.NAME.FUNCTION. */
static json_t *call_text(const struct pinned *p, const char *function) {
    char name[SKILL_NAME];
    snprintf(name, sizeof name, "%s", p->ref.name);
    for (char *c = name; *c; c++)
        *c = *c == '-' ? '_' : *c;
    return strcmp(name, function) == 0 ? json_sprintf(PREFIX "%s", name)
                                       : json_sprintf(PREFIX "%s.%s", name, function);
}

/* Its SKILL.md, for code that asks for it. */
static json_t *skill_body(const struct pinned *p) {
    const struct skill_file *f = skillfiles_find(&p->files, "SKILL.md");
    return f && f->len <= BODY_BYTES ? json_stringn(f->data, f->len) : NULL;
}

static bool reaches_out(const struct pinned *p) {
    const json_t *capabilities = json_object_get(p->manifest, "capabilities");
    return json_array_size(json_object_get(capabilities, "network")) > 0;
}

static void add_tool(struct skillset *set, const struct pinned *p, const char *function,
                     const json_t *about) {
    json_t *skill =
        json_pack("{s:s,s:i,s:s,s:s,s:o,s:s,s:b,s:O*,s:o*,s:o*}", "name", p->ref.name, "version",
                  (int)p->ref.version, "hash", pinned_text(p, "hash"), "function", function, "call",
                  call_text(p, function), "description", pinned_text(p, "description"), "network",
                  reaches_out(p), "provenance", json_object_get(p->manifest, "provenance"), "text",
                  skill_body(p), "source", inline_source(p));
    json_array_append_new(
        set->tools,
        json_pack("{s:o,s:O?,s:O?,s:o}", "name",
                  json_sprintf(PREFIX "%s@%u.%s", p->ref.name, p->ref.version, function),
                  "description", json_object_get(about, "description"), "parameters",
                  json_object_get(about, "input"), "skill", skill));
}

/* Tools by which large values are copied in and out; see runner_put. */
static void add_transfer(struct skillset *set, const struct pinned *p, const char *function) {
    json_array_append_new(
        set->tools,
        json_pack("{s:o,s:s,s:{},s:{s:s,s:i,s:s,s:s}}", "name",
                  json_sprintf(PREFIX "%s@%u.%s", p->ref.name, p->ref.version, function),
                  "description", "", "parameters", "skill", "name", p->ref.name, "version",
                  (int)p->ref.version, "hash", pinned_text(p, "hash"), "function", function));
}

static int pin_all(struct skillset *set, const json_t *names, struct retort_error *err) {
    struct skill_library lib;
    const json_t *name;
    size_t i;
    int r = 0;
    TRY(library_open(set->state, &lib, err));
    json_array_foreach(names, i, name) {
        if (r == 0)
            r = json_is_string(name) ? pin(set, &lib, json_string_value(name), err)
                                     : err_set(err, ERR_CALLER, EINVAL, "skills are names");
    }
    library_close(&lib);
    return r;
}

static int offer_all(struct skillset *set, struct retort_error *err) {
    for (size_t i = 0; i < set->n; i++) {
        const char *function;
        json_t *about;
        json_object_foreach(json_object_get(set->at[i]->manifest, "functions"), function, about) {
            add_tool(set, set->at[i], function, about);
        }
        if (!json_is_true(json_object_get(set->at[i]->manifest, "inline")) &&
            json_object_get(set->at[i]->manifest, "functions")) {
            add_transfer(set, set->at[i], "$put");
            add_transfer(set, set->at[i], "$get");
        }
    }
    return json_array_size(set->tools) > MAX_TOOLS
               ? err_set(err, ERR_LIMIT, E2BIG, "the skills have more than %d functions", MAX_TOOLS)
               : 0;
}

static struct skillset *skillset_empty(struct retort_engine *engine, const char *state) {
    struct skillset *set = calloc(1, sizeof *set);
    if (!set)
        return NULL;
    atomic_init(&set->refs, 1);
    pthread_mutex_init(&set->turn, NULL);
    pthread_mutex_init(&set->lock, NULL);
    set->engine = engine;
    set->state = state ? strdup(state) : NULL;
    set->names = json_array();
    set->tools = json_array();
    return set;
}

int skillset_new(struct retort_engine *engine, const char *state, const json_t *names,
                 struct skillset **ret, struct retort_error *err) {
    struct skillset *set = skillset_empty(engine, state);
    if (!set)
        return err_memory(err);
    int r = json_array_size(names) > MAX_SKILLS
                ? err_set(err, ERR_LIMIT, E2BIG, "more than %d skills", MAX_SKILLS)
                : pin_all(set, names, err);
    if (r == 0)
        r = offer_all(set, err);
    if (r < 0)
        skillset_unref(set);
    else
        *ret = set;
    return r;
}

static struct pinned *pinned_copy(const struct pinned *p) {
    struct pinned *copy = calloc(1, sizeof *copy);
    if (!copy)
        return NULL;
    copy->ref = p->ref;
    copy->manifest = json_incref(p->manifest);
    if (skillfiles_copy(&copy->files, &p->files) < 0) {
        pinned_free(copy);
        return NULL;
    }
    return copy;
}

/* From memory: the session keeps a version even if it was removed from the library meanwhile. */
struct skillset *skillset_copy(const struct skillset *set) {
    struct skillset *copy = skillset_empty(set->engine, set->state);
    if (!copy)
        return NULL;
    json_array_extend(copy->names, set->names);
    json_array_extend(copy->tools, set->tools);
    for (; copy->n < set->n; copy->n++)
        if (!(copy->at[copy->n] = pinned_copy(set->at[copy->n]))) {
            skillset_unref(copy);
            return NULL;
        }
    return copy;
}

struct skillset *skillset_ref(struct skillset *set) {
    if (set)
        atomic_fetch_add(&set->refs, 1);
    return set;
}

/* --- counting --- */

/* Tells the index of the calls that it does not know of; the last one may have failed. */
static void tell_index(const struct skillset *set, struct pinned *p, bool failure) {
    struct skill_library lib;
    if ((!p->uses && !failure) || library_open(set->state, &lib, NULL) < 0)
        return;
    if (library_count(&lib, &p->ref, p->uses, failure, NULL) == 0)
        p->uses = 0;
    library_close(&lib);
}

/* Writes the index when something changes for others: a call failed, or succeeded after one that
 * failed. Other calls are counted there at the end. */
static void count_call(const struct skillset *set, struct pinned *p, bool failure) {
    bool turned = failure || p->failed;
    p->uses += !failure;
    p->failed = failure;
    if (turned)
        tell_index(set, p, failure);
}

void skillset_unref(struct skillset *set) {
    if (!set || atomic_fetch_sub(&set->refs, 1) > 1)
        return;
    for (size_t i = 0; i < set->n; i++) {
        tell_index(set, set->at[i], false);
        pinned_free(set->at[i]);
    }
    json_decref(set->names);
    json_decref(set->tools);
    pthread_mutex_destroy(&set->turn);
    pthread_mutex_destroy(&set->lock);
    free(set->state);
    free(set);
}

/* --- calls --- */

const json_t *skillset_tools(const struct skillset *set) {
    return set ? set->tools : NULL;
}

json_t *skillset_pins(const struct skillset *set) {
    json_t *list = json_array();
    for (size_t i = 0; set && i < set->n; i++)
        json_array_append_new(list, json_pack("{s:s,s:i,s:s}", "name", set->at[i]->ref.name,
                                              "version", (int)set->at[i]->ref.version, "hash",
                                              pinned_text(set->at[i], "hash")));
    return list;
}

bool skillset_names(const char *tool) {
    return strncmp(tool, PREFIX, strlen(PREFIX)) == 0;
}

/* The skill that a tool belongs to; *ret is the name of its function. */
static struct pinned *find_pinned(struct skillset *set, const char *tool, const char **ret) {
    for (size_t i = 0; set && i < set->n; i++) {
        char head[SKILL_NAME + 32];
        int len = snprintf(head, sizeof head, PREFIX "%s@%u.", set->at[i]->ref.name,
                           set->at[i]->ref.version);
        if (strncmp(tool, head, (size_t)len) == 0) {
            *ret = tool + len;
            return set->at[i];
        }
    }
    return NULL;
}

static void set_running(struct skillset *set, struct skill_runner *runner) {
    pthread_mutex_lock(&set->lock);
    set->running = runner;
    pthread_mutex_unlock(&set->lock);
}

void skillset_interrupt(struct skillset *set) {
    if (!set)
        return;
    pthread_mutex_lock(&set->lock);
    if (set->running)
        runner_interrupt(set->running);
    pthread_mutex_unlock(&set->lock);
}

static int transfer(struct pinned *p, const struct runner_request *call, json_t **ret,
                    struct retort_error *err) {
    if (strcmp(call->function, "$get") == 0)
        return runner_get(p->runner, call->arguments, ret, err);
    *ret = json_true();
    return runner_put(p->runner, call->arguments, err);
}

/* Makes room for one more: ends the session that has not been called for the longest time. */
static void end_oldest(struct skillset *set) {
    struct pinned *oldest = NULL;
    unsigned kept = 0;
    for (size_t i = 0; i < set->n; i++)
        if (set->at[i]->runner) {
            kept++;
            if (!oldest || set->at[i]->called < oldest->called)
                oldest = set->at[i];
        }
    if (kept < MAX_RUNNERS)
        return;
    runner_free(oldest->runner);
    oldest->runner = NULL;
}

static int call_pinned(struct skillset *set, struct pinned *p, const struct runner_request *call,
                       json_t **ret, struct retort_error *err) {
    if (!p->runner)
        end_oldest(set);
    p->called = ++set->calls;
    const char *rules =
        call->patience.caller ? retort_session_network(call->patience.caller) : NULL;
    if (!p->runner)
        TRY(runner_new(set->engine, &p->files, p->manifest, rules, &p->runner, err));
    if (call->function[0] == '$')
        return transfer(p, call, ret, err);
    set_running(set, p->runner);
    int r = runner_call(p->runner, call, ret, err);
    set_running(set, NULL);
    bool failure = r < 0 && (err->fault == ERR_GUEST || err->fault == ERR_LIMIT);
    bool given_up = call->patience.cancelled && call->patience.cancelled(call->patience.user);
    if (!given_up && (r == 0 || failure)) /* an error of the caller says nothing about the skill */
        count_call(set, p, failure);
    if (r < 0) { /* its session may be in any state: the next call gets a new one */
        runner_free(p->runner);
        p->runner = NULL;
    }
    return r;
}

static char *call_failed(const char *tool, const struct retort_error *err, char **ret_failure) {
    if (asprintf(ret_failure, "%s: %s", tool, err->message) < 0)
        *ret_failure = NULL;
    return NULL;
}

char *skillset_call(struct skillset *set, const char *tool, const char *arguments,
                    const struct runner_patience *patience, char **ret_failure) {
    struct retort_error err = ERR_INIT;
    scoped_json *given = json_in_text(arguments, JSON_ALLOW_NUL, NULL), *value = NULL;
    struct runner_request call = {.arguments = given, .patience = *patience};
    struct pinned *p = find_pinned(set, tool, &call.function);
    int r = -ENOENT;
    if (p) {
        pthread_mutex_lock(&set->turn);
        r = call_pinned(set, p, &call, &value, &err);
        pthread_mutex_unlock(&set->turn);
    } else
        err_set(&err, ERR_CALLER, ENOENT, "the session has no such skill any more");
    char *text = r == 0 ? json_whole(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    return text ? text : call_failed(tool, &err, ret_failure);
}
