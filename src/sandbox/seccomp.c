/* How a filter is made.
 *
 * Every number gets an outcome: a verdict, or a chain of argument tests. Neighbours with the same
 * verdict become one span, and a binary search over the spans finds the outcome in about eight
 * comparisons. (Since Linux 5.11 the kernel works out once which numbers are always allowed and
 * then skips the filter for them; it can follow this search, because it looks at nothing but
 * architecture and number.)
 *
 * Classic BPF jumps forwards only, so we write the program from its end to its beginning: every
 * jump target exists already. A place is named by its distance from the end. */
#include "sandbox/seccomp.h"

#include "base/err.h"
#include "base/unconst.h"
#include "sandbox/syscalls.h"

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

struct test {
    uint8_t arg;
    uint32_t mask; /* 0: no test */
    uint32_t value;
};

enum row_kind { ROW_ALLOW, ROW_COUNTED, ROW_DENY, ROW_SETUP, ROW_GATED, ROW_CHECK };

struct row {
    uint16_t nr;
    uint8_t kind;
    uint8_t eno;
};

enum when_kind { WHEN_PLAIN, WHEN_ZYGOTE, WHEN_NOTED };

struct when {
    uint16_t nr;
    uint8_t kind;
    uint8_t eno;
    struct test tests[SYSCALLS_MAX_TESTS];
};

static const struct row rows[] = {
#define ALLOW(name, why) {__NR_##name, ROW_ALLOW, 0},
#define COUNTED(name, why) {__NR_##name, ROW_COUNTED, 0},
#define DENY(name, eno, why) {__NR_##name, ROW_DENY, eno},
#define SETUP(name, eno, why) {__NR_##name, ROW_SETUP, eno},
#define GATED(name, eno, why) {__NR_##name, ROW_GATED, eno},
#define CHECK(name, eno, why) {__NR_##name, ROW_CHECK, eno},
#include "sandbox/syscalls.def"
};

static const struct when whens[] = {
#define ARG(n, mask, value) \
    { n, mask, value }
#define WHEN(name, eno, what, ...) {__NR_##name, WHEN_PLAIN, eno, {__VA_ARGS__}},
#define WHEN_SETUP(name, what, ...) {__NR_##name, WHEN_ZYGOTE, 0, {__VA_ARGS__}},
#define WHEN_TOLD(name, what, ...) {__NR_##name, WHEN_NOTED, 0, {__VA_ARGS__}},
#include "sandbox/syscalls.def"
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Places of the verdicts that were written last, shared by all jumps that can reach them. */
struct verdict {
    uint32_t action;
    unsigned place;
};

struct writer {
    struct sock_filter *prog;
    size_t room;
    unsigned n; /* instructions so far; also the place of the last one */
    bool full;
    enum seccomp_profile profile;
    struct verdict verdicts[12];
    size_t n_verdicts;
};

struct span {
    uint16_t first;
    const struct row *row; /* NULL: the default */
    uint32_t action;       /* unless the row is a CHECK */
};

static unsigned emit(struct writer *w, uint16_t code, uint32_t k, uint8_t jt, uint8_t jf) {
    if (w->n == w->room) {
        w->full = true;
        return w->n;
    }
    w->n++;
    w->prog[w->room - w->n] = (struct sock_filter){.code = code, .jt = jt, .jf = jf, .k = k};
    return w->n;
}

/* A place that a conditional jump can reach, whose offsets are bytes: `place`, or a hop to it. The
 * margin is for the hop of the other branch. */
static unsigned within_reach(struct writer *w, unsigned place) {
    if (w->n - place < UINT8_MAX)
        return place;
    return emit(w, BPF_JMP | BPF_JA, w->n - place, 0, 0);
}

static unsigned emit_jump(struct writer *w, uint16_t op, uint32_t k, unsigned yes, unsigned no) {
    yes = within_reach(w, yes);
    no = within_reach(w, no);
    return emit(w, BPF_JMP | op | BPF_K, k, (uint8_t)(w->n - yes), (uint8_t)(w->n - no));
}

static unsigned emit_load(struct writer *w, size_t offset) {
    return emit(w, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static struct verdict *find_verdict(struct writer *w, uint32_t action) {
    for (size_t i = 0; i < w->n_verdicts; i++)
        if (w->verdicts[i].action == action)
            return &w->verdicts[i];
    if (w->n_verdicts == COUNT(w->verdicts)) {
        w->full = true;
        return &w->verdicts[0];
    }
    w->verdicts[w->n_verdicts] = (struct verdict){.action = action};
    return &w->verdicts[w->n_verdicts++];
}

static unsigned emit_verdict(struct writer *w, uint32_t action) {
    struct verdict *v = find_verdict(w, action);
    if (!v->place || w->n - v->place >= UINT8_MAX)
        v->place = emit(w, BPF_RET | BPF_K, action, 0, 0);
    return v->place;
}

static uint32_t action_of(uint8_t eno) {
    return eno ? SECCOMP_RET_ERRNO | eno : SECCOMP_RET_ALLOW;
}

/* The argument must be in the accumulator already. */
static unsigned emit_test(struct writer *w, const struct test *t, unsigned yes, unsigned no) {
    unsigned place = emit_jump(w, BPF_JEQ, t->value, yes, no);
    if (t->mask != UINT32_MAX)
        place = emit(w, BPF_ALU | BPF_AND | BPF_K, t->mask, 0, 0);
    return place;
}

static unsigned emit_load_arg(struct writer *w, uint8_t arg) {
    return emit_load(w, offsetof(struct seccomp_data, args) + arg * sizeof(uint64_t));
}

static unsigned emit_when(struct writer *w, const struct when *when, unsigned yes, unsigned no) {
    unsigned place = yes;
    for (size_t i = SYSCALLS_MAX_TESTS; i-- > 0;) {
        if (!when->tests[i].mask)
            continue;
        emit_test(w, &when->tests[i], place, no);
        place = emit_load_arg(w, when->tests[i].arg);
    }
    return place;
}

/* Whether the profile only takes away what ZYGOTE allows beyond GUEST. */
static bool takes_away(enum seccomp_profile profile) {
    return profile == SECCOMP_GUEST_IN_ZYGOTE || profile == SECCOMP_GUEST_GATED;
}

/* The action of a line in this profile: false if the line does not apply to it. */
static bool when_action(const struct writer *w, const struct when *when, uint8_t otherwise,
                        uint32_t *ret_action) {
    if (when->kind == WHEN_NOTED) { /* allowed by the row itself */
        *ret_action = SECCOMP_RET_USER_NOTIF;
        return w->profile == SECCOMP_GUEST_GATED;
    }
    if (takes_away(w->profile))
        *ret_action = action_of(otherwise);
    else
        *ret_action = action_of(when->eno);
    return when->kind == WHEN_ZYGOTE ? w->profile != SECCOMP_GUEST : !takes_away(w->profile);
}

static unsigned emit_check(struct writer *w, const struct row *row) {
    unsigned place =
        emit_verdict(w, takes_away(w->profile) ? SECCOMP_RET_ALLOW : action_of(row->eno));
    for (size_t i = COUNT(whens); i-- > 0;) {
        uint32_t action;
        if (whens[i].nr == row->nr && when_action(w, &whens[i], row->eno, &action))
            place = emit_when(w, &whens[i], emit_verdict(w, action), place);
    }
    return place;
}

static bool is_setup(const struct row *row) {
    return row && (row->kind == ROW_SETUP || row->kind == ROW_GATED);
}

/* The calls of init.c, of the exec that starts it, and of the report if that fails. */
static bool init_needs(const struct row *row) {
    static const uint16_t calls[] = {
        __NR_execve, __NR_sendmsg, __NR_exit_group,   __NR_prctl, __NR_rt_sigprocmask, __NR_read,
        __NR_write,  __NR_ppoll,   __NR_rt_sigaction, __NR_wait4, __NR_rt_sigreturn};
    for (size_t i = 0; row && i < COUNT(calls); i++)
        if (row->nr == calls[i])
            return true;
    return false;
}

/* Whether the supervisor hears of this call, whatever its arguments. */
static bool is_told(uint16_t nr) {
    for (size_t i = 0; i < COUNT(whens); i++)
        if (whens[i].nr == nr && whens[i].kind == WHEN_NOTED && !whens[i].tests[0].mask)
            return true;
    return false;
}

static uint32_t row_action(enum seccomp_profile profile, const struct row *row) {
    if (profile == SECCOMP_UNCOUNTED)
        return action_of(row && row->kind == ROW_COUNTED ? ENOSYS : 0);
    if (profile == SECCOMP_INIT)
        return action_of(init_needs(row) ? 0 : ENOSYS);
    if (profile == SECCOMP_GUEST_GATED && row && (row->kind == ROW_GATED || is_told(row->nr)))
        return SECCOMP_RET_USER_NOTIF;
    if (takes_away(profile))
        return action_of(is_setup(row) ? row->eno : 0);
    if (!row)
        return action_of(ENOSYS);
    return action_of(profile == SECCOMP_ZYGOTE && is_setup(row) ? 0 : row->eno);
}

static bool is_check(const struct row *row) {
    return row && row->kind == ROW_CHECK;
}

static size_t find_spans(enum seccomp_profile profile, struct span spans[SYSCALLS_COUNT]) {
    const struct row *by_nr[SYSCALLS_COUNT] = {0};
    for (size_t i = 0; i < COUNT(rows); i++)
        by_nr[rows[i].nr] = &rows[i];
    size_t n = 0;
    for (unsigned nr = 0; nr < SYSCALLS_COUNT; nr++) {
        const struct row *row = by_nr[nr];
        struct span s = {.first = (uint16_t)nr, .row = row, .action = row_action(profile, row)};
        if (profile == SECCOMP_UNCOUNTED || profile == SECCOMP_INIT)
            s.row = row = NULL; /* looks at no argument */
        if (n && !is_check(row) && !is_check(spans[n - 1].row) && spans[n - 1].action == s.action)
            continue;
        spans[n++] = s;
    }
    return n;
}

static unsigned emit_search(struct writer *w, const struct span *spans, size_t n) {
    if (n == 1)
        return is_check(spans->row) ? emit_check(w, spans->row) : emit_verdict(w, spans->action);
    size_t half = n / 2;
    unsigned high = emit_search(w, spans + half, n - half);
    unsigned low = emit_search(w, spans, half);
    return emit_jump(w, BPF_JGE, spans[half].first, high, low);
}

int seccomp_build(enum seccomp_profile profile, struct sock_filter *prog, size_t room) {
    struct writer w = {.prog = prog, .room = room, .profile = profile};
    struct span spans[SYSCALLS_COUNT];
    size_t n = find_spans(profile, spans);
    unsigned search = emit_search(&w, spans, n);
    unsigned kill = emit_verdict(&w, SECCOMP_RET_KILL_PROCESS);
    emit_jump(&w, BPF_JSET, SYSCALLS_FOREIGN_BIT, kill, search);
    unsigned native = emit_load(&w, offsetof(struct seccomp_data, nr));
    kill = emit_verdict(&w, SECCOMP_RET_KILL_PROCESS);
    emit_jump(&w, BPF_JEQ, SYSCALLS_AUDIT_ARCH, native, kill);
    emit_load(&w, offsetof(struct seccomp_data, arch));
    if (w.full)
        return -ENOSPC;
    memmove(prog, prog + room - w.n, w.n * sizeof *prog);
    return (int)w.n;
}

int seccomp_load(const struct sock_filter *prog, size_t n, struct retort_error *err) {
    struct sock_fprog fprog = {.len = (unsigned short)n, .filter = unconst(prog)};
    if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &fprog) < 0)
        return err_layer(err, "seccomp", errno, "cannot load the filter");
    return 0;
}

int seccomp_load_gated(const struct sock_filter *prog, size_t n) {
    struct sock_fprog fprog = {.len = (unsigned short)n, .filter = unconst(prog)};
    long fd =
        syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &fprog);
    return fd < 0 ? -errno : (int)fd;
}
