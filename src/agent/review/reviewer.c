#include "agent/review/reviewer.h"

#include "base/err.h"
#include "base/jsonwhole.h"
#include "base/scope.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VERDICT (16u << 20)
#define REVIEW_SECONDS 10 /* even if a client's rules are slow */

struct reviewer {
    struct retort_engine *engine;
    struct retort_session *session; /* NULL: the next verdict starts a new one */
    char *python, *environment, *packages, *rules;
    pthread_mutex_t lock;
};

static int reviewer_put(struct reviewer *r, const char *name, const char *text,
                        struct retort_error *error) {
    return retort_file_write(r->session, name, 0, text, strlen(text), true, error);
}

static int reviewer_open(struct reviewer *r, struct retort_error *error) {
    struct retort_session_options options = {
        .preload = "",
        .door = "review",
        .no_record = true,
        .network = "[]",
        .limits = {.timeout = REVIEW_SECONDS, .cpu = REVIEW_SECONDS},
        .python = r->python,
        .packages = r->packages,
        .environment = r->environment};
    if (r->session)
        return 0;
    int e = retort_session_new(r->engine, &options, &r->session, error);
    return e >= 0 && r->rules ? reviewer_put(r, "rules.json", r->rules, error) : e;
}

/* After a failure the interpreter may be in any state; the next verdict gets a new one. */
static void reviewer_drop(struct reviewer *r) {
    if (r->session)
        retort_session_close(r->session);
    r->session = NULL;
}

static int reviewer_run(struct reviewer *r, const char *code, struct retort_error *error) {
    struct retort_execute_options options = {.quiet = true};
    struct retort_result *result;
    int e = retort_execute(r->session, code, strlen(code), &options, &result, error);
    if (e < 0)
        return e;
    if (strcmp(retort_result_status(result), "ok") != 0)
        e = err_set(error, ERR_HOST, EIO, "the review ended as %s", retort_result_status(result));
    retort_result_free(result);
    return e;
}

static json_t *reviewer_answer(struct reviewer *r, const char *list, struct retort_error *error) {
    char *text;
    size_t len;
    uint64_t size;
    if (retort_file_read(r->session, "verdict.json", 0, MAX_VERDICT, &text, &len, &size, error) < 0)
        return NULL;
    json_t *answer = json_in(text, len, JSON_REJECT_DUPLICATES, NULL);
    retort_free(text);
    const char *mistake = json_string_value(json_object_get(answer, "error"));
    if (json_is_string(json_object_get(answer, "verdict")) &&
        json_is_array(json_object_get(answer, list)) && !mistake)
        return answer;
    err_set(error, ERR_CALLER, EINVAL, "%s", mistake ? mistake : "the review gave no verdict");
    json_decref(answer);
    return NULL;
}

/* What a judge reads, and the member of its answer that holds the findings. */
struct verdict_question {
    const char *code, *list;
    struct {
        const char *name, *text;
    } files[2];
};

static json_t *reviewer_try(struct reviewer *r, const struct verdict_question *q,
                            struct retort_error *error) {
    int e = reviewer_open(r, error);
    for (size_t i = 0; e >= 0 && i < 2; i++)
        e = reviewer_put(r, q->files[i].name, q->files[i].text, error);
    if (e >= 0)
        e = reviewer_run(r, q->code, error);
    json_t *answer = e < 0 ? NULL : reviewer_answer(r, q->list, error);
    if (!answer)
        reviewer_drop(r);
    return answer;
}

static json_t *reviewer_ask(struct reviewer *r, const struct verdict_question *q,
                            struct retort_error *error) {
    pthread_mutex_lock(&r->lock);
    json_t *answer = reviewer_try(r, q, error);
    pthread_mutex_unlock(&r->lock);
    return answer;
}

json_t *reviewer_judge(struct reviewer *r, const char *language, const char *code,
                       struct retort_error *error) {
    json_t *o = json_pack("{s:s,s:b}", "language", language, "cell", true);
    scoped_free char *options = o ? json_whole(o, JSON_COMPACT) : NULL;
    json_decref(o);
    if (!options) {
        err_memory(error);
        return NULL;
    }
    struct verdict_question q = {.code = "from retort_guest import verdicts; verdicts.review()",
                                 .list = "findings",
                                 .files = {{"options.json", options}, {"program", code}}};
    return reviewer_ask(r, &q, error);
}

json_t *reviewer_follow(struct reviewer *r, const char *tools, const char *cells,
                        struct retort_error *error) {
    struct verdict_question q = {.code = "from retort_guest import verdicts; verdicts.follow()",
                                 .list = "refusals",
                                 .files = {{"tools.json", tools}, {"cells.json", cells}}};
    return reviewer_ask(r, &q, error);
}

static char *reviewer_copy(const char *text, bool *fine) {
    char *copy = text ? strdup(text) : NULL;
    *fine = *fine && (copy || !text);
    return copy;
}

int reviewer_new(struct retort_engine *engine, const struct reviewer_options *options,
                 struct reviewer **ret, struct retort_error *error) {
    struct reviewer *r = calloc(1, sizeof *r);
    bool fine = r;
    if (!r)
        return err_memory(error);
    r->engine = engine;
    pthread_mutex_init(&r->lock, NULL);
    r->python = reviewer_copy(options->python, &fine);
    r->environment = reviewer_copy(options->environment, &fine);
    r->packages = reviewer_copy(options->packages, &fine);
    r->rules = reviewer_copy(options->rules, &fine);
    json_t *first = fine ? reviewer_judge(r, "python", "pass\n", error) : NULL;
    if (!first) {
        reviewer_free(r);
        return fine ? -EINVAL : err_memory(error);
    }
    json_decref(first);
    *ret = r;
    return 0;
}

void reviewer_free(struct reviewer *r) {
    if (!r)
        return;
    reviewer_drop(r);
    pthread_mutex_destroy(&r->lock);
    free(r->python);
    free(r->environment);
    free(r->packages);
    free(r->rules);
    free(r);
}
