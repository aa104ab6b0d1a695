#include "engine/account.h"

#include "base/maxima.h"
#include "engine/engine.h"

static const char *const names[ACCOUNT_KINDS] = {
    [ACCOUNT_PAST] = "past",
    [ACCOUNT_CALLS] = "tool_calls",
    [ACCOUNT_LISTS] = "file_lists",
    [ACCOUNT_OUTPUT] = "output",
    [ACCOUNT_FRAMES] = "frames",
    [ACCOUNT_RESULT] = "result",
    [ACCOUNT_STORED_OUTPUT] = "stored_output",
    [ACCOUNT_KEPT_FILES] = "kept_files",
    [ACCOUNT_DESCRIPTORS] = "descriptors",
};

#define OWN_DESCRIPTORS 24 /* sockets, pipes, the cgroup's files, the spool, files under way */

/* Limits that the caller sets may be as large as he likes: what follows from them is capped. */
static uint64_t times(uint64_t n, uint64_t factor) {
    return n > (1ull << 50) / factor ? 1ull << 50 : n * factor;
}

void account_limits(struct account *a, const struct limits *l) {
    a->limit[ACCOUNT_PAST] = MAX_PAST;
    a->limit[ACCOUNT_CALLS] = 2 * MAX_KEPT_CALLS; /* kept ones, and those read back for one cell */
    a->limit[ACCOUNT_LISTS] = MAX_FILE_LISTS;
    a->limit[ACCOUNT_OUTPUT] = MAX_OUTPUTS;
    a->limit[ACCOUNT_FRAMES] = MAX_FRAME + (1u << 16);
    a->limit[ACCOUNT_RESULT] = MAX_RESULT + (1u << 16);
    a->limit[ACCOUNT_STORED_OUTPUT] = times(l->output_stored, 4); /* past cells, the running one */
    a->limit[ACCOUNT_KEPT_FILES] = times(l->disk, SPOOL_FACTOR + 1);
    a->limit[ACCOUNT_DESCRIPTORS] = OWN_DESCRIPTORS + KEPT_STREAMS + MAX_UPLOADS;
}

bool account_fits(const struct account *a, enum account_kind kind, uint64_t more) {
    uint64_t used = account_used(a, kind);
    return used <= a->limit[kind] && more <= a->limit[kind] - used;
}

void account_add(struct account *a, enum account_kind kind, uint64_t n) {
    atomic_fetch_add_explicit(&a->used[kind], n, memory_order_relaxed);
}

void account_sub(struct account *a, enum account_kind kind, uint64_t n) {
    atomic_fetch_sub_explicit(&a->used[kind], n, memory_order_relaxed);
}

uint64_t account_used(const struct account *a, enum account_kind kind) {
    return atomic_load_explicit(&a->used[kind], memory_order_relaxed);
}

bool account_heavy(const struct account *a) {
    uint64_t held = 0;
    for (int kind = ACCOUNT_PAST; kind <= ACCOUNT_OUTPUT; kind++)
        held += account_used(a, (enum account_kind)kind);
    return held > HEAVY;
}

void account_sum(struct account *to, const struct account *from) {
    for (int i = 0; i < ACCOUNT_KINDS; i++) {
        account_add(to, (enum account_kind)i, account_used(from, (enum account_kind)i));
        to->limit[i] += from->limit[i];
    }
}

json_t *account_json(const struct account *a) {
    json_t *o = json_object();
    for (int i = 0; i < ACCOUNT_KINDS; i++)
        json_object_set_new(o, names[i],
                            json_pack("{s:I s:I}", "used",
                                      (json_int_t)account_used(a, (enum account_kind)i), "limit",
                                      (json_int_t)a->limit[i]));
    return o;
}

/* --- of sessions --------------------------------------------------------------------------------
 */

static uint64_t descriptors(const struct retort_session *s) {
    const int own[] = {s->ctl,       s->channel, s->out, s->err,  s->wake,
                       s->collector, s->work,    s->net, s->spool};
    uint64_t n = 0;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        n += own[i] >= 0;
    for (size_t i = 0; i < CREATED_MEASURES; i++)
        n += s->measure[i] >= 0;
    for (size_t i = 0; i < OUTPUTS; i++)
        n += s->outputs[i].fd >= 0;
    return n + s->nuploads;
}

/* What others count is asked for here, so that cells need not count it again. */
void session_account(const struct retort_session *s, struct account *ret) {
    *ret = (struct account){0};
    account_sum(ret, &s->account);
    account_add(ret, ACCOUNT_FRAMES, s->frames.cap);
    account_add(ret, ACCOUNT_KEPT_FILES, s->spool_len);
    account_add(ret, ACCOUNT_DESCRIPTORS, descriptors(s));
}

char *retort_accounts(struct retort_engine *e, const char *owner) {
    struct account sum = {0}, one;
    json_int_t sessions = 0;
    pthread_mutex_lock(&e->lock);
    for (const struct retort_session *s = e->sessions; s; s = s->next)
        if (!owner || strcmp(s->owner, owner) == 0) {
            session_account(s, &one);
            account_sum(&sum, &one);
            sessions++;
        }
    pthread_mutex_unlock(&e->lock);
    json_t *o = account_json(&sum);
    json_object_set_new(o, "sessions", json_integer(sessions));
    char *text = json_dumps(o, JSON_COMPACT);
    json_decref(o);
    return text;
}
