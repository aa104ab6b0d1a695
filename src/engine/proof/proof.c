#include "engine/proof/proof.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent/ground/ground.h"
#include "base/jsonout.h"
#include "base/list.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "engine/parts/stream.h"
#include "ledger/store.h"

#define MAX_SHOWN (16u << 20) /* bytes that are held of what a session has shown */

void proof_init(struct proof *p, struct account *account) {
    *p = (struct proof){.account = account};
    pthread_mutex_init(&p->lock, NULL);
    evidence_init(&p->evidence);
}

static void proof_count(const struct proof *p) {
    size_t items = p->evidence.count * (sizeof *p->evidence.items + sizeof(struct size_key));
    if (p->account)
        account_put(p->account, ACCOUNT_PROOF, p->bytes + items);
}

static void forget_evidence(struct proof *p) {
    evidence_done(&p->evidence);
    evidence_init(&p->evidence);
    p->read_count = 0;
}

void proof_rest(struct proof *p) {
    pthread_mutex_lock(&p->lock);
    forget_evidence(p);
    proof_count(p);
    pthread_mutex_unlock(&p->lock);
}

void proof_done(struct proof *p) {
    json_decref(p->shown);
    evidence_done(&p->evidence);
    free(p->read);
    pthread_mutex_destroy(&p->lock);
}

/* --- what cells have shown --- */

/* Of a result what is evidence: no pictures, no files. */
static json_t *proof_excerpt(const json_t *result, size_t *ret_bytes) {
    static const char *const members[] = {"cell",  "status",     "stdout", "stderr",
                                          "final", "dataframes", "value"};
    json_t *out = json_object(), *plots = json_array(), *plot;
    size_t i;
    for (i = 0; i < sizeof members / sizeof *members; i++) {
        json_t *member = json_object_get(result, members[i]);
        if (member)
            json_object_set(out, members[i], member);
        *ret_bytes += json_string_length(member);
    }
    json_t *value = json_object_get(json_object_get(result, "value"), "text/plain");
    if (value)
        json_object_set(out, "value", value);
    json_array_foreach(json_object_get(result, "plots"), i, plot) {
        json_array_append_new(plots, json_pack("{s:O?}", "chart", json_object_get(plot, "chart")));
    }
    json_object_set_new(out, "plots", plots);
    *ret_bytes +=
        json_string_length(value) + 1000 +
        4000 * (json_array_size(plots) + json_array_size(json_object_get(out, "dataframes")));
    return out;
}

static unsigned cell_of(const json_t *step) {
    const json_t *result = json_object_get(step, "result");
    return (unsigned)json_integer_value(json_object_get(result, "cell"));
}

static void drop_step(struct proof *p, size_t i) {
    const json_t *step = json_array_get(p->shown, i);
    p->bytes -= (size_t)json_integer_value(json_object_get(step, "bytes"));
    json_array_remove(p->shown, i);
}

void proof_note(struct proof *p, const char *code, size_t len, const json_t *result) {
    size_t bytes = len;
    json_t *excerpt = proof_excerpt(result, &bytes);
    pthread_mutex_lock(&p->lock);
    if (!p->shown)
        p->shown = json_array();
    json_t *step = json_pack("{s:I,s:o,s:o,s:I}", "n", (json_int_t)++p->last, "code",
                             json_text(code, len), "result", excerpt, "bytes", (json_int_t)bytes);
    if (step && json_array_append_new(p->shown, step) == 0)
        p->bytes += bytes;
    while (p->bytes > MAX_SHOWN && json_array_size(p->shown)) {
        p->gone = cell_of(json_array_get(p->shown, 0));
        drop_step(p, 0);
    }
    proof_count(p);
    pthread_mutex_unlock(&p->lock);
}

void proof_undo(struct proof *p, unsigned cells) {
    pthread_mutex_lock(&p->lock);
    for (size_t n = json_array_size(p->shown); cells-- > 0 && n > 0;)
        drop_step(p, --n);
    proof_count(p);
    pthread_mutex_unlock(&p->lock);
}

void proof_copy(struct proof *to, struct proof *from) {
    pthread_mutex_lock(&from->lock);
    to->shown = json_copy(from->shown);
    to->bytes = from->bytes;
    to->last = from->last;
    to->gone = from->gone;
    pthread_mutex_unlock(&from->lock);
    proof_count(to);
}

/* --- evidence --- */

/* Is this what was read as the n-th? Notes that it is read now, if none was. */
static int proof_step_read(struct proof *p, size_t n, const char *session, uint64_t seq) {
    if (n < p->read_count)
        return p->read[n].seq == seq && strcmp(p->read[n].session, session) == 0;
    struct proof_step *list = list_grow(p->read, p->read_count, &p->read_room, sizeof *list);
    if (!list)
        return -ENOMEM;
    p->read = list;
    struct proof_step *step = &list[p->read_count++];
    *step = (struct proof_step){.seq = seq};
    memccpy(step->session, session, 0, sizeof step->session - 1);
    return 0;
}

static int proof_read_file(struct ledger *l, struct evidence *e, const json_t *body) {
    const char *path = json_string_value(json_object_get(body, "path"));
    size_t len = 0;
    scoped_free char *data = store_blob(l, body, &len);
    return path && data && !memchr(data, 0, len) ? evidence_input(e, path, data, len) : 0;
}

static int read_step(struct ledger *l, struct evidence *e, const struct ledger_step *step) {
    json_t *result = NULL;
    size_t len = 0;
    if (step->kind == LEDGER_FILE_WRITE)
        return proof_read_file(l, e, step->body);
    if (step->kind != LEDGER_CELL_INTENT)
        return 0;
    scoped_free char *code = store_blob(l, step->body, &len);
    if (ledger_result(l, step->session, step->outcome_seq, &result, NULL) < 0)
        return 0; /* expired: it proves nothing any more */
    int r = evidence_result(e, code ? code : "", result);
    json_decref(result);
    return r;
}

/* 1: something that was read is not there any more. */
static int read_record(struct proof *p, struct ledger *l, const struct ledger_history *h) {
    if (p->read_count > h->count)
        return 1;
    for (size_t i = 0; i < h->count; i++) {
        bool known = i < p->read_count;
        int r = proof_step_read(p, i, h->steps[i].session, h->steps[i].seq);
        if (known && !r)
            return 1;
        if (!known && r == 0)
            r = read_step(l, &p->evidence, &h->steps[i]);
        if (r < 0)
            return r;
    }
    return 0;
}

static int read_shown(struct proof *p) {
    const json_t *step;
    size_t i;
    if (p->read_count > json_array_size(p->shown))
        return 1;
    json_array_foreach(p->shown, i, step) {
        bool known = i < p->read_count;
        const char *code = json_string_value(json_object_get(step, "code"));
        int r = proof_step_read(p, i, "", (uint64_t)json_integer_value(json_object_get(step, "n")));
        if (known && !r)
            return 1;
        if (!known && r == 0)
            r = evidence_result(&p->evidence, code ? code : "", json_object_get(step, "result"));
        if (r < 0)
            return r;
    }
    return 0;
}

static int proof_read(struct proof *p, struct ledger *l, const char *id, struct retort_error *err) {
    struct ledger_history history = {0};
    int r = l ? ledger_history(l, id, &history, err) : 0;
    if (r < 0)
        return r;
    for (int times = 0; times < 2; times++) { /* anew if cells were undone */
        r = l ? read_record(p, l, &history) : read_shown(p);
        if (r == 0)
            break;
        forget_evidence(p);
    }
    if (l)
        ledger_history_done(&history);
    return r;
}

struct task_search {
    struct ledger *ledger;
    struct evidence *evidence;
};

static int add_task(void *user, const struct ledger_entry *entry) {
    struct task_search *to = user;
    if (entry->kind != LEDGER_NOTE || !entry->body)
        return 0;
    json_t *event = ledger_note_event(to->ledger, entry->body);
    const char *task = json_string_value(json_object_get(event, "task"));
    int r = task ? evidence_question(to->evidence, task) : 0;
    json_decref(event);
    return r;
}

/* --- checking --- */

static int proof_judge(struct evidence *e, const struct proof_answer *a, json_t **ret) {
    struct ground_filled filled = {.spans = a->spans};
    struct ground_report report;
    int r = ground_answer(e, a->text, &filled, &report);
    if (r < 0)
        return r;
    *ret = json_pack("{s:b,s:I,s:o}", "accepted", report.unproved == 0, "flags",
                     (json_int_t)report.unproved, "numbers", ground_json(&report, e, a->text));
    if (a->spans)
        json_object_set_new(*ret, "answer", json_text(a->text, strlen(a->text)));
    scoped_buf advice = BUF_INIT(256u << 10);
    if (report.unproved && ground_advice(&report, e, a->text, &advice) == 0)
        json_object_set_new(*ret, "advice", json_text(advice.data, advice.len));
    ground_done(&report);
    return *ret ? 0 : -ENOMEM;
}

/* What belongs to this answer alone is taken back afterwards. */
static int proof_weigh(struct proof *p, struct ledger *l, const char *id,
                       const struct proof_answer *a, json_t **ret) {
    struct evidence *e = &p->evidence;
    struct task_search tasks = {l, e};
    struct evidence_mark mark = evidence_mark(e);
    int r = a->question ? evidence_question(e, a->question)
            : l         ? ledger_entries(l, id, 1, 0, add_task, &tasks, NULL)
                        : 0;
    if (r == 0 && a->result)
        r = evidence_result(e, a->code, a->result);
    if (r == 0)
        r = proof_judge(e, a, ret);
    if (evidence_take_back(e, &mark) < 0)
        forget_evidence(p);
    return r;
}

static void tell_gone(const struct proof *p, json_t *report) {
    if (p->gone)
        json_object_set_new(
            report, "notes",
            json_pack("[o]", json_sprintf("The session is not recorded, and what cells up to %u "
                                          "showed had to make room: it proves nothing here.",
                                          p->gone)));
}

int proof_check(struct proof *p, struct ledger *l, const char *id,
                const struct proof_answer *answer, json_t **ret, struct retort_error *err) {
    pthread_mutex_lock(&p->lock);
    int r = proof_read(p, l, id, err);
    if (r == 0)
        r = proof_weigh(p, l, id, answer, ret);
    if (r == 0)
        tell_gone(p, *ret);
    proof_count(p);
    pthread_mutex_unlock(&p->lock);
    return r == -ENOMEM ? err_set(err, ERR_HOST, ENOMEM, "cannot hold the evidence") : r;
}
