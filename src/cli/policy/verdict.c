#include "cli/policy/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "cli/cli.h"
#include "cli/upload.h"
#include "retort.h"

#define MAX_VERDICT (64u << 20)

static int verdict_take(struct retort_session *s, const struct verdict_file *about, json_t **ret) {
    struct retort_error error = {0};
    json_error_t where;
    char *text;
    size_t len;
    uint64_t size;
    if (retort_file_read(s, "verdict.json", 0, MAX_VERDICT, &text, &len, &size, &error) < 0)
        return cli_fail_error(&error);
    json_t *answer = json_in(text, len, JSON_REJECT_DUPLICATES, &where);
    retort_free(text);
    const char *mistake = json_string_value(json_object_get(answer, "error"));
    int r = 0;
    if (!json_is_object(answer))
        r = cli_fail("no verdict: %s", answer ? "the answer is no object" : where.text);
    else if (mistake)
        r = cli_fail("%s: %s", about->path, mistake);
    if (r)
        json_decref(answer);
    else
        *ret = answer;
    return r;
}

static int verdict_put(struct retort_session *s, const struct verdict_file *f) {
    struct retort_error error = {0};
    char spec[MAX_PATH];
    if (!f->path)
        return retort_file_write(s, f->name, 0, f->text, strlen(f->text), true, &error) < 0
                   ? cli_fail_error(&error)
                   : 0;
    if ((size_t)snprintf(spec, sizeof spec, "%s:%s", f->path, f->name) >= sizeof spec)
        return cli_fail("%s: the name is too long", f->what);
    return cli_upload_file(s, f->what, spec);
}

static int ask_in(struct retort_session *s, const char *judge, const struct verdict_file *files,
                  json_t **ret) {
    struct retort_execute_options options = {.script = true, .quiet = true};
    struct retort_error error = {0};
    struct retort_result *result;
    char code[120];
    const struct verdict_file *last = files;
    for (const struct verdict_file *f = files; f->what; last = f++) {
        int r = verdict_put(s, f);
        if (r)
            return r;
    }
    int len =
        snprintf(code, sizeof code, "from retort_guest import verdicts; verdicts.%s()", judge);
    if (retort_execute(s, code, (size_t)len, &options, &result, &error) < 0)
        return cli_fail_error(&error);
    scoped_free char *status = strdup(retort_result_status(result));
    retort_result_free(result);
    if (!status || strcmp(status, "ok") != 0)
        return cli_fail("no verdict: the analysis ended as %s", status ? status : "unknown");
    return verdict_take(s, last, ret);
}

int verdict_ask(const char *judge, const struct verdict_file *files, json_t **ret) {
    struct retort_engine_options engine_options = {.no_state = true};
    struct retort_session_options options = {.preload = "", .door = "verdict", .no_record = true};
    struct retort_error error = {0};
    struct retort_engine *engine;
    struct retort_session *session;
    if (retort_open(&engine_options, &engine, &error) < 0)
        return cli_fail_error(&error);
    int r = retort_session_new(engine, &options, &session, &error) < 0
                ? cli_fail_error(&error)
                : ask_in(session, judge, files, ret);
    retort_close(engine);
    return r;
}

const char *verdict_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

int verdict_print_json(const json_t *verdict) {
    char *text = json_whole(verdict, JSON_COMPACT);
    int r = text && puts(text) >= 0 && fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
    free(text);
    return r;
}
