#include "engine/answer/answer.h"

#include <errno.h>
#include <string.h>

#include "agent/claims/template.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "engine/timeline/branch.h"
#include "engine/timeline/timeline.h"

#define EXPRESSIONS_S 5 /* seconds that all expressions of an answer may take */

static struct retort_session *find_live(struct retort_engine *e, const char *id) {
    pthread_mutex_lock(&e->lock);
    struct retort_session *s = e->sessions;
    while (s && strcmp(s->id, id) != 0)
        s = s->next;
    pthread_mutex_unlock(&e->lock);
    return s;
}

/* --- expressions --- */

/* Runs code in a branch that nobody sees. */
static int run_aside(struct retort_session *s, const struct buf *code, json_t **ret,
                     struct retort_error *err) {
    struct retort_execute_options options = {.language = "python"};
    struct retort_session *aside;
    options.limits.timeout = options.limits.cpu = EXPRESSIONS_S;
    session_enter(s);
    int r = branch_aside(s, &aside, err);
    session_leave(s);
    if (r < 0)
        return r;
    session_enter(aside);
    r = execute(aside, code->data, code->len, &options, ret, err);
    session_leave(aside);
    session_close(aside);
    return r;
}

static int refuse_expression(const json_t *result, struct retort_error *err) {
    const json_t *error = json_object_get(result, "error");
    const char *name = json_string_value(json_object_get(error, "name"));
    const char *message = json_string_value(json_object_get(error, "message"));
    const char *status = json_string_value(json_object_get(result, "status"));
    if (status && strcmp(status, "error") == 0 && name)
        return err_set(err, ERR_CALLER, EINVAL, "{{…}} in the answer: %.60s: %.300s", name,
                       message ? message : "");
    if (status && (strcmp(status, "timeout") == 0 || strcmp(status, "cpu_limit") == 0))
        return err_set(
            err, ERR_CALLER, EINVAL,
            "{{…}} in the answer took more than %d seconds: name a value that a cell has "
            "computed",
            EXPRESSIONS_S);
    return err_set(err, ERR_CALLER, EINVAL, "{{…}} in the answer gave no value (%s)",
                   status ? status : "?");
}

struct filled {
    struct buf code, text;
    json_t *result, *spans;
};

static void filled_done(struct filled *f) {
    buf_done(&f->code);
    buf_done(&f->text);
    json_decref(f->result);
    json_decref(f->spans);
}

/* The number of expressions, all of them filled in. */
static int answer_fill(struct retort_session *s, const char *answer, struct filled *f,
                       struct retort_error *err) {
    int n = template_code(answer, &f->code);
    if (n <= 0)
        return n < 0 ? err_set(err, ERR_CALLER, E2BIG, "the answer is too long") : 0;
    if (!s)
        return err_set(err, ERR_CALLER, ESRCH,
                       "{{…}} is filled in by a live session: resume this one first");
    int r = run_aside(s, &f->code, &f->result, err);
    if (r < 0)
        return r;
    const json_t *values = json_object_get(f->result, "final");
    if (json_array_size(values) != (size_t)n ||
        template_fill(answer, values, &f->text, &f->spans) < 0)
        return refuse_expression(f->result, err);
    json_object_set_new(f->result, "cell", json_integer(0)); /* it is none of the session's */
    return n;
}

/* --- the check --- */

static int check_in(struct retort_engine *e, struct retort_session *s, const char *id,
                    const struct proof_answer *answer, json_t **ret, struct retort_error *err) {
    struct proof none;
    if (s)
        return proof_check(&s->proof, s->recorded ? e->ledger : NULL, id, answer, ret, err);
    if (!e->ledger)
        return err_set(err, ERR_CALLER, ENOENT, "there is no session of this id");
    proof_init(&none, NULL);
    int r = proof_check(&none, e->ledger, id, answer, ret, err);
    proof_done(&none);
    return r;
}

int answer_check(struct retort_engine *e, const char *id, const struct asked_answer *answer,
                 json_t **ret, struct retort_error *err) {
    struct retort_session *s = find_live(e, id);
    struct filled f = {.code = BUF_INIT(MAX_CODE), .text = BUF_INIT(MAX_ANSWER)};
    int n = answer_fill(s, answer->text, &f, err), r = n;
    struct proof_answer a = {.text = answer->text, .question = answer->question};
    if (n > 0)
        a = (struct proof_answer){.text = f.text.data,
                                  .question = answer->question,
                                  .code = f.code.data,
                                  .result = f.result,
                                  .spans = f.spans};
    if (n >= 0)
        r = check_in(e, s, id, &a, ret, err);
    filled_done(&f);
    return r;
}
