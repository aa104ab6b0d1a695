#include "engine/parts/account.h"

#include "base/maxima.h"

static const char *const names[ACCOUNT_KINDS] = {
    [ACCOUNT_PAST] = "past",
    [ACCOUNT_SAVED] = "saved_states",
    [ACCOUNT_CALLS] = "tool_calls",
    [ACCOUNT_LISTS] = "file_lists",
    [ACCOUNT_PROOF] = "proof",
    [ACCOUNT_OUTPUT] = "output",
    [ACCOUNT_FRAMES] = "frames",
    [ACCOUNT_RESULT] = "result",
    [ACCOUNT_STORED_OUTPUT] = "stored_output",
    [ACCOUNT_KEPT_FILES] = "kept_files",
    [ACCOUNT_DESCRIPTORS] = "descriptors",
    [ACCOUNT_LOCKS] = "locks",
    [ACCOUNT_CPU] = "cpu_ms",
    [ACCOUNT_IDLE_CPU] = "idle_cpu_ms",
};

#define OWN_DESCRIPTORS 24 /* sockets, pipes, the cgroup's files, the spool, files under way */

/* A caller may set limits as large as he likes; what we derive from them is capped. */
static uint64_t times(uint64_t n, uint64_t factor) {
    return n > (1ull << 50) / factor ? 1ull << 50 : n * factor;
}

void account_limits(struct account *a, const struct limits *l) {
    a->limit[ACCOUNT_PAST] = MAX_PAST;
    a->limit[ACCOUNT_SAVED] = MAX_SAVED_STATES;
    a->limit[ACCOUNT_CALLS] = 2 * MAX_KEPT_CALLS; /* kept ones, and those read back for one cell */
    a->limit[ACCOUNT_LISTS] = MAX_FILE_LISTS;
    a->limit[ACCOUNT_PROOF] = MAX_PROOF;
    a->limit[ACCOUNT_OUTPUT] = MAX_OUTPUTS;
    a->limit[ACCOUNT_FRAMES] = MAX_FRAME + (1u << 16);
    a->limit[ACCOUNT_RESULT] = MAX_RESULT + (1u << 16);
    a->limit[ACCOUNT_STORED_OUTPUT] = times(l->output_stored, 4); /* past cells, the running one */
    a->limit[ACCOUNT_KEPT_FILES] = times(l->disk, SPOOL_FACTOR + 1);
    a->limit[ACCOUNT_DESCRIPTORS] = OWN_DESCRIPTORS + KEPT_STREAMS + MAX_UPLOADS;
    a->limit[ACCOUNT_LOCKS] = LOCKS_MAX;
    a->limit[ACCOUNT_CPU] = l->cpu_ms;
    a->limit[ACCOUNT_IDLE_CPU] = l->cpu_ms + OWN_CPU_MS;
}

bool account_fits(const struct account *a, enum account_kind kind, uint64_t more) {
    uint64_t used = account_used(a, kind);
    return used <= a->limit[kind] && more <= a->limit[kind] - used;
}

void account_add(struct account *a, enum account_kind kind, uint64_t n) {
    atomic_fetch_add_explicit(&a->used[kind], n, memory_order_relaxed);
}

void account_put(struct account *a, enum account_kind kind, uint64_t n) {
    atomic_store_explicit(&a->used[kind], n, memory_order_relaxed);
}

void account_sub(struct account *a, enum account_kind kind, uint64_t n) {
    atomic_fetch_sub_explicit(&a->used[kind], n, memory_order_relaxed);
}

uint64_t account_used(const struct account *a, enum account_kind kind) {
    return atomic_load_explicit(&a->used[kind], memory_order_relaxed);
}

uint64_t account_held(const struct account *a) {
    uint64_t held = 0;
    for (int kind = ACCOUNT_PAST; kind <= ACCOUNT_OUTPUT; kind++)
        held += account_used(a, (enum account_kind)kind);
    return held;
}

bool account_heavy(const struct account *a) {
    return account_held(a) > HEAVY;
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
