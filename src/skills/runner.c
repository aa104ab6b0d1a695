#include "skills/runner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/buf.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "base/toolschema.h"
#include "base/unconst.h"
#include "gate/rules/rules.h"

#define RUNNER_SECONDS 10
#define RUNNER_MEMORY (256ull << 20)
#define RUNNER_DISK (64ull << 20)
#define RUNNER_SEED 1

struct skill_runner {
    struct retort_session *session;
    const char *code; /* of the manifest */
    json_t *manifest;
    json_t *call;   /* what the session may take */
    json_t *answer; /* the skill's answer, or NULL */
    const struct runner_patience *patience;
    bool ruled; /* the caller's rules hold for the hosts that the skill declares, … */
    bool shut;  /* … and allow none of them, … */
    bool kept;  /* … or have refused one to the running call */
};

/* --- the session --- */

static double declared_number(const json_t *manifest, const char *name, double usual) {
    const json_t *value = json_object_get(json_object_get(manifest, "limits"), name);
    return json_is_number(value) && json_number_value(value) > 0 ? json_number_value(value) : usual;
}

static bool is_declared(const json_t *manifest, const char *name) {
    return json_is_true(json_object_get(json_object_get(manifest, "capabilities"), name));
}

/* The hosts that the skill declares, as far as `rules` allow them; as JSON text. */
static int runner_network(struct skill_runner *runner, const char *rules, char **ret,
                          struct retort_error *err) {
    const json_t *hosts =
        json_object_get(json_object_get(runner->manifest, "capabilities"), "network");
    scoped_json *given = rules ? json_in_text(rules, 0, NULL) : NULL, *both = NULL;
    runner->ruled = rules && json_array_size(hosts);
    if (!json_array_size(hosts))
        *ret = strdup("[]");
    else if (rules) {
        TRY(rules_within(given, hosts, &both, err));
        runner->shut = json_array_size(json_object_get(both, "rules")) == 0;
        *ret = json_whole(both, JSON_COMPACT);
    } else
        *ret = json_whole(hosts, JSON_COMPACT);
    return *ret ? 0 : err_memory(err);
}

static int runner_open(struct skill_runner *runner, struct retort_engine *engine, const char *rules,
                       struct retort_error *err) {
    const json_t *m = runner->manifest;
    scoped_free char *network = NULL;
    TRY(runner_network(runner, rules, &network, err));
    double seconds = declared_number(m, "timeout", RUNNER_SECONDS);
    struct retort_session_options o = {
        .network = network,
        .door = "skill",
        .no_record = true,
        .checkpoint = RETORT_CHECKPOINT_OFF,
        .deterministic = !is_declared(m, "clock") && !is_declared(m, "random"),
        .has_seed = !is_declared(m, "random"),
        .seed = RUNNER_SEED,
        .limits = {.timeout = seconds, .cpu = seconds, .disk = RUNNER_DISK}};
    double mb = declared_number(m, "memory", (double)(RUNNER_MEMORY >> 20));
    o.limits.memory = (uint64_t)mb << 20;
    return retort_session_new(engine, &o, &runner->session, err);
}

static int put_files_but(const char *skip, struct retort_session *session,
                         const struct skill_files *files, struct retort_error *err) {
    for (size_t i = 0; i < files->n; i++) {
        const struct skill_file *f = &files->at[i];
        char path[600];
        if (skip && strcmp(f->path, skip) == 0)
            continue;
        snprintf(path, sizeof path, "skill/%s", f->path);
        TRY(retort_file_write(session, path, 0, f->data, f->len, true, err));
    }
    return 0;
}

int runner_put_files(struct retort_session *session, const struct skill_files *files,
                     struct retort_error *err) {
    return put_files_but(NULL, session, files, err);
}

static const json_t *declared_tools(const json_t *manifest) {
    return json_object_get(json_object_get(manifest, "capabilities"), "tools");
}

static bool is_lent(const json_t *manifest, const char *name) {
    const json_t *one;
    size_t i;
    json_array_foreach(declared_tools(manifest), i, one) {
        if (strcmp(json_string_value(one), name) == 0)
            return true;
    }
    return false;
}

/* Offers our two tools, and those that the skill declares. */
static int runner_offer(struct skill_runner *runner, struct retort_error *err) {
    scoped_json *list =
        json_pack("[{s:s,s:s,s:{}},{s:s,s:s,s:{}}]", "name", "take", "description", "",
                  "parameters", "name", "give", "description", "", "parameters");
    const json_t *one;
    size_t i;
    json_array_foreach(declared_tools(runner->manifest), i, one) {
        json_array_append_new(
            list, json_pack("{s:O,s:s,s:{}}", "name", one, "description", "", "parameters"));
    }
    scoped_free char *text = json_whole(list, JSON_COMPACT);
    return text ? retort_tools(runner->session, text, err) : err_memory(err);
}

int runner_new(struct retort_engine *engine, const struct skill_files *files,
               const json_t *manifest, const char *rules, struct skill_runner **ret,
               struct retort_error *err) {
    struct skill_runner *runner = calloc(1, sizeof *runner);
    if (!runner || !(runner->manifest = json_deep_copy(manifest))) {
        free(runner);
        return err_memory(err);
    }
    runner->code = json_string_value(json_object_get(runner->manifest, "code"));
    int r = runner_open(runner, engine, rules, err);
    if (r == 0)
        r = put_files_but("skill.json", runner->session, files, err);
    if (r == 0)
        r = runner_offer(runner, err);
    if (r < 0)
        runner_free(runner);
    else
        *ret = runner;
    return r;
}

void runner_free(struct skill_runner *runner) {
    if (!runner)
        return;
    if (runner->session)
        retort_session_close(runner->session);
    json_decref(runner->manifest);
    json_decref(runner->call);
    json_decref(runner->answer);
    free(runner);
}

/* --- a call --- */

static char *lend_tool(const struct skill_runner *runner, const char *name, const char *arguments,
                       char **ret_failure) {
    const struct runner_patience *p = runner->patience;
    if (p->tool && is_lent(runner->manifest, name))
        return p->tool(p->user, name, arguments, ret_failure);
    *ret_failure = strdup("the caller of the skill has no such tool");
    return NULL;
}

static char *take_or_give(void *user, const char *name, const char *arguments, char **ret_failure) {
    struct skill_runner *runner = user;
    if (strcmp(name, "take") == 0)
        return json_whole(runner->call, JSON_COMPACT);
    if (strcmp(name, "give") != 0)
        return lend_tool(runner, name, arguments, ret_failure);
    scoped_json *given = json_in_text(arguments, JSON_ALLOW_NUL, NULL);
    json_t *value = json_object_get(given, "value");
    if (value) {
        json_decref(runner->answer);
        runner->answer = json_incref(value);
    }
    return strdup("null");
}

int runner_verdict(const struct retort_result *result, struct retort_error *err) {
    size_t len;
    const char *text = retort_result_json(result, &len), *status = retort_result_status(result);
    if (strcmp(status, "ok") == 0)
        return 0;
    scoped_json *whole = json_in(text, len, JSON_ALLOW_NUL, NULL);
    const json_t *error = json_object_get(whole, "error");
    const json_t *told = json_object_get(error, "message");
    const char *name = json_string_value(json_object_get(error, "name"));
    char line[240] = "";
    if (json_string_length(told) > 0)
        err_last_words(json_string_value(told), json_string_length(told), line, sizeof line);
    bool limit = strcmp(status, "timeout") == 0 || strcmp(status, "cpu_limit") == 0 ||
                 strcmp(status, "oom") == 0;
    return err_set(err, limit ? ERR_LIMIT : ERR_GUEST, 0, "%s%s%s",
                   limit  ? status
                   : name ? name
                          : status,
                   line[0] ? ": " : "", line);
}

static bool runner_cancelled(void *user) {
    const struct runner_patience *p = ((const struct skill_runner *)user)->patience;
    return p->cancelled && p->cancelled(p->user);
}

/* Records the network use of a skill in its caller's session. */
static void runner_reached(void *user, const char *text) {
    struct skill_runner *runner = user;
    scoped_json *event = json_in_text(text, JSON_ALLOW_NUL, NULL);
    const char *verdict = json_string_value(json_object_get(event, "verdict"));
    runner->kept = runner->kept || (verdict && strcmp(verdict, "refused") == 0);
    json_object_set_new(
        event, "skill",
        json_sprintf("%s@%d", json_string_value(json_object_get(runner->manifest, "name")),
                     (int)json_integer_value(json_object_get(runner->manifest, "version"))));
    scoped_free char *told = json_whole(event, JSON_COMPACT);
    if (told && runner->patience->caller)
        retort_reached(runner->patience->caller, told, NULL);
}

/* The caller's rules refused it, which says nothing about the skill. */
static int blame_rules(struct retort_error *err) {
    err->fault = ERR_CALLER;
    return err_wrap(err, "the network rules here forbid a host that the skill wanted");
}

static int runner_run(struct skill_runner *runner, struct retort_error *err) {
    static const char code[] = "from retort_guest import skill; skill.serve()";
    double own = declared_number(runner->manifest, "timeout", RUNNER_SECONDS);
    double seconds = runner->patience->seconds;
    bool hurried = seconds > 0 && seconds < own;
    struct retort_callbacks callbacks = {.user = runner,
                                         .tool = take_or_give,
                                         .cancelled = runner_cancelled,
                                         .network = runner_reached};
    struct retort_execute_options o = {
        .callbacks = &callbacks, .quiet = true, .limits = {.timeout = hurried ? seconds : own}};
    struct retort_result *result;
    runner->kept = runner->shut;
    TRY(retort_execute(runner->session, code, sizeof code - 1, &o, &result, err));
    int r = runner_verdict(result, err);
    if (hurried && strcmp(retort_result_status(result), "timeout") == 0)
        err->fault = ERR_CALLER;
    retort_result_free(result);
    return r < 0 && runner->ruled && runner->kept ? blame_rules(err) : r;
}

void runner_interrupt(struct skill_runner *runner) {
    retort_interrupt(runner->session);
}

static int check_shape(const json_t *schema, const json_t *value, const char *what,
                       struct retort_error *err) {
    char why[200];
    if (!schema || toolschema_check(schema, value, why, sizeof why) == 0)
        return 0;
    return err_set(err, strcmp(what, "answer") == 0 ? ERR_GUEST : ERR_CALLER, EINVAL,
                   "the %s does not fit: %s", what, why);
}

/* --- large values --- */

#define PIECE_BYTES (512u << 10)
#define PLACES 1000

static int piece_at(const json_t *piece, const char *folder, char path[32], uint64_t *ret_offset,
                    struct retort_error *err) {
    json_int_t place = json_integer_value(json_object_get(piece, "place")),
               offset = json_integer_value(json_object_get(piece, "offset"));
    if (place < 0 || place >= PLACES || offset < 0 || offset > (json_int_t)RUNNER_DISK)
        return err_set(err, ERR_CALLER, EINVAL, "a value is too large for a skill");
    snprintf(path, 32, "%s/%d", folder, (int)place);
    *ret_offset = (uint64_t)offset;
    return 0;
}

int runner_put(struct skill_runner *runner, const json_t *piece, struct retort_error *err) {
    const json_t *base64 = json_object_get(piece, "base64");
    scoped_buf data = BUF_INIT(PIECE_BYTES + 1);
    char path[32];
    uint64_t offset;
    TRY(piece_at(piece, "in", path, &offset, err));
    if (!base64 || base64_decode(&data, json_string_value(base64), json_string_length(base64)) < 0)
        return err_set(err, ERR_CALLER, EINVAL, "a piece is no base64, or too large");
    return retort_file_write(runner->session, path, offset, data.data ? data.data : "", data.len,
                             offset == 0, err);
}

int runner_get(struct skill_runner *runner, const json_t *piece, json_t **ret,
               struct retort_error *err) {
    scoped_buf text = BUF_INIT(2 * PIECE_BYTES);
    char path[32], *data;
    uint64_t offset, size;
    size_t len;
    TRY(piece_at(piece, "out", path, &offset, err));
    TRY(retort_file_read(runner->session, path, offset, PIECE_BYTES, &data, &len, &size, err));
    int r = base64_encode(&text, data, len);
    retort_free(data);
    *ret = r < 0 ? NULL
                 : json_pack("{s:s,s:I}", "base64", text.data ? text.data : "", "size",
                             (json_int_t)size);
    return *ret ? 0 : err_memory(err);
}

/* Whether the value has a file in it, which a skill has to declare. */
static bool has_file(const json_t *value) {
    const char *key;
    json_t *one;
    size_t i;
    json_array_foreach(value, i, one) {
        if (has_file(one))
            return true;
    }
    json_object_foreach(unconst(value), key, one) {
        if (strcmp(key, "$file") == 0 || has_file(one))
            return true;
    }
    return false;
}

int runner_call(struct skill_runner *runner, const struct runner_request *request, json_t **ret,
                struct retort_error *err) {
    const json_t *about =
        json_object_get(json_object_get(runner->manifest, "functions"), request->function);
    if (!about)
        return err_set(err, ERR_CALLER, ENOENT, "the skill has no function %.64s",
                       request->function);
    bool files = is_declared(runner->manifest, "files");
    TRY(check_shape(json_object_get(about, "input"), request->arguments, "argument", err));
    if (!files && has_file(request->arguments))
        return err_set(err, ERR_CALLER, EPERM, "the skill does not declare the capability files");
    json_decref(runner->call);
    runner->call =
        json_pack("{s:s,s:s,s:O,s:O*,s:O*,s:O*,s:b}", "code", runner->code, "function",
                  request->function, "arguments", request->arguments, "wasm",
                  json_object_get(about, "wasm"), "tools", declared_tools(runner->manifest),
                  "directories", json_object_get(runner->manifest, "directories"), "files", files);
    json_decref(runner->answer);
    runner->answer = NULL;
    runner->patience = &request->patience;
    int r = runner->call ? runner_run(runner, err) : err_memory(err);
    if (r == 0 && !runner->answer)
        r = err_set(err, ERR_GUEST, EBADMSG, "the skill gave no answer");
    if (r == 0 && !files && has_file(runner->answer))
        r = err_set(err, ERR_GUEST, EPERM,
                    "the answer has a file, and the skill does not declare the capability files");
    if (r == 0)
        r = check_shape(json_object_get(about, "output"), runner->answer, "answer", err);
    if (r == 0)
        *ret = TAKE(runner->answer);
    return r;
}
