#include "skills/runner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "base/toolschema.h"

#define RUNNER_SECONDS 10
#define RUNNER_MEMORY (256ull << 20)
#define RUNNER_DISK (64ull << 20)
#define RUNNER_SEED 1

struct skill_runner {
    struct retort_session *session;
    const char *code; /* of the manifest */
    json_t *manifest;
    json_t *call;   /* what the session may take */
    json_t *answer; /* what it gave, or NULL */
    const struct runner_patience *patience;
};

/* --- the session --- */

static double declared_number(const json_t *manifest, const char *name, double usual) {
    const json_t *value = json_object_get(json_object_get(manifest, "limits"), name);
    return json_is_number(value) && json_number_value(value) > 0 ? json_number_value(value) : usual;
}

static bool is_declared(const json_t *manifest, const char *name) {
    return json_is_true(json_object_get(json_object_get(manifest, "capabilities"), name));
}

static int runner_open(struct skill_runner *runner, struct retort_engine *engine,
                       struct retort_error *err) {
    const json_t *m = runner->manifest;
    const json_t *hosts = json_object_get(json_object_get(m, "capabilities"), "network");
    scoped_free char *network = json_is_array(hosts) ? json_whole(hosts, JSON_COMPACT) : NULL;
    double seconds = declared_number(m, "timeout", RUNNER_SECONDS);
    struct retort_session_options o = {
        .network = network ? network : "[]",
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

int runner_new(struct retort_engine *engine, const struct skill_files *files,
               const json_t *manifest, struct skill_runner **ret, struct retort_error *err) {
    static const char offered[] = "[{\"name\":\"take\",\"description\":\"\",\"parameters\":{}},"
                                  "{\"name\":\"give\",\"description\":\"\",\"parameters\":{}}]";
    struct skill_runner *runner = calloc(1, sizeof *runner);
    if (!runner || !(runner->manifest = json_deep_copy(manifest))) {
        free(runner);
        return err_set(err, ERR_HOST, ENOMEM, "out of memory");
    }
    runner->code = json_string_value(json_object_get(runner->manifest, "code"));
    int r = runner_open(runner, engine, err);
    if (r == 0)
        r = put_files_but("skill.json", runner->session, files, err);
    if (r == 0)
        r = retort_tools(runner->session, offered, err);
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

static char *take_or_give(void *user, const char *name, const char *arguments, char **ret_failure) {
    struct skill_runner *runner = user;
    (void)ret_failure;
    if (strcmp(name, "take") == 0)
        return json_whole(runner->call, JSON_COMPACT);
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

static int runner_run(struct skill_runner *runner, struct retort_error *err) {
    static const char code[] = "from retort_guest import skill; skill.serve()";
    double own = declared_number(runner->manifest, "timeout", RUNNER_SECONDS);
    double seconds = runner->patience->seconds;
    bool hurried = seconds > 0 && seconds < own;
    struct retort_callbacks callbacks = {
        .user = runner, .tool = take_or_give, .cancelled = runner_cancelled};
    struct retort_execute_options o = {
        .callbacks = &callbacks, .quiet = true, .limits = {.timeout = hurried ? seconds : own}};
    struct retort_result *result;
    TRY(retort_execute(runner->session, code, sizeof code - 1, &o, &result, err));
    int r = runner_verdict(result, err);
    if (hurried && strcmp(retort_result_status(result), "timeout") == 0)
        err->fault = ERR_CALLER;
    retort_result_free(result);
    return r;
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

int runner_call(struct skill_runner *runner, const struct runner_request *request, json_t **ret,
                struct retort_error *err) {
    const json_t *about =
        json_object_get(json_object_get(runner->manifest, "functions"), request->function);
    if (!about)
        return err_set(err, ERR_CALLER, ENOENT, "the skill has no function %.64s",
                       request->function);
    TRY(check_shape(json_object_get(about, "input"), request->arguments, "argument", err));
    json_decref(runner->call);
    runner->call =
        json_pack("{s:s,s:s,s:O,s:O*}", "code", runner->code, "function", request->function,
                  "arguments", request->arguments, "wasm", json_object_get(about, "wasm"));
    json_decref(runner->answer);
    runner->answer = NULL;
    runner->patience = &request->patience;
    int r =
        runner->call ? runner_run(runner, err) : err_set(err, ERR_HOST, ENOMEM, "out of memory");
    if (r == 0 && !runner->answer)
        r = err_set(err, ERR_GUEST, EBADMSG, "the skill gave no answer");
    if (r == 0)
        r = check_shape(json_object_get(about, "output"), runner->answer, "answer", err);
    if (r == 0)
        *ret = TAKE(runner->answer);
    return r;
}
