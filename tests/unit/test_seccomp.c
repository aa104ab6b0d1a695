/* The filters against the table. Three independent readings meet here: the generator's (seccomp.c),
 * an interpreter of classic BPF that runs what it made, and a plain reading of syscalls.def as C. A
 * list of examples then pins the table itself to the policy, and the kernel has the last word. */
#include "unit.h"

#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "sandbox/seccomp.h"
#include "sandbox/syscalls.h"

#include "../policy.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define LAST_NR 1023
#define MAX_VALUES 512

struct program {
    struct sock_filter code[SECCOMP_MAX_INSTRUCTIONS];
    size_t n;
};

static struct program filters[SECCOMP_INIT + 1];

/* --- classic BPF, as far as a seccomp filter may use it --- */

static uint32_t load(const struct seccomp_data *d, uint32_t offset) {
    uint32_t word;
    assert_true(offset % 4 == 0 && offset <= sizeof *d - sizeof word);
    memcpy(&word, (const char *)d + offset, sizeof word);
    return word;
}

static bool jumps(const struct sock_filter *f, uint32_t acc) {
    switch (BPF_OP(f->code)) {
    case BPF_JEQ: return acc == f->k;
    case BPF_JGE: return acc >= f->k;
    case BPF_JSET: return acc & f->k;
    default: fail_msg("unknown jump %#x", f->code); return false;
    }
}

static uint32_t evaluate(const struct program *p, const struct seccomp_data *d) {
    uint32_t acc = 0;
    for (size_t pc = 0; pc < p->n; pc++) {
        const struct sock_filter *f = &p->code[pc];
        switch (f->code) {
        case BPF_LD | BPF_W | BPF_ABS: acc = load(d, f->k); break;
        case BPF_ALU | BPF_AND | BPF_K: acc &= f->k; break;
        case BPF_JMP | BPF_JA: pc += f->k; break;
        case BPF_RET | BPF_K: return f->k;
        default: pc += jumps(f, acc) ? f->jt : f->jf;
        }
    }
    fail_msg("the filter ran past its end");
    return 0;
}

/* Two filters as the kernel combines them: the newer runs first, the older wins only by being
 * stricter. */
static uint32_t evaluate_both(const struct program *newer, const struct program *older,
                              const struct seccomp_data *d) {
    uint32_t a = evaluate(newer, d), b = evaluate(older, d);
    return (int32_t)(b & SECCOMP_RET_ACTION_FULL) < (int32_t)(a & SECCOMP_RET_ACTION_FULL) ? b : a;
}

static int verdict(uint32_t action) {
    switch (action & SECCOMP_RET_ACTION_FULL) {
    case SECCOMP_RET_ALLOW: return 0;
    case SECCOMP_RET_ERRNO: return (int)(action & SECCOMP_RET_DATA);
    case SECCOMP_RET_KILL_PROCESS: return POLICY_KILLED;
    default: fail_msg("unknown action %#x", action); return POLICY_KILLED;
    }
}

static void compare(const struct seccomp_data *d) {
    int guest = policy_of(false, d);
    int zygote = policy_of(true, d);
    int got[] = {
        verdict(evaluate(&filters[SECCOMP_GUEST], d)),
        verdict(evaluate(&filters[SECCOMP_ZYGOTE], d)),
        verdict(evaluate_both(&filters[SECCOMP_GUEST_IN_ZYGOTE], &filters[SECCOMP_ZYGOTE], d))};
    uint32_t gated = evaluate_both(&filters[SECCOMP_GUEST_GATED], &filters[SECCOMP_ZYGOTE], d);
    bool told = policy_told(d);
    if (gated == SECCOMP_RET_USER_NOTIF && told) /* it is allowed, once somebody knows */
        assert_int_equal(guest, 0);
    else if (gated ==
             SECCOMP_RET_USER_NOTIF) /* what the supervisor refuses, but for the one moment */
        assert_true((d->nr == __NR_setns || d->nr == __NR_capset) && guest == EPERM);
    else if (told && d->arch == AUDIT_ARCH_X86_64)
        fail_msg("nobody is told of %#x with %#llx, %#llx", d->nr, d->args[1], d->args[2]);
    else
        assert_int_equal(verdict(gated), guest);
    if (got[0] != guest || got[1] != zygote || got[2] != guest)
        fail_msg("nr %#x arch %#x args %#llx %#llx %#llx: guest %d zygote %d both %d, not %d %d %d",
                 d->nr, d->arch, d->args[0], d->args[1], d->args[2], got[0], got[1], got[2], guest,
                 zygote, guest);
}

/* --- every number, with arguments on both sides of every boundary in the table --- */

struct values {
    uint64_t v[MAX_VALUES];
    size_t n;
};

static void add_value(struct values *s, uint64_t v) {
    for (size_t i = 0; i < s->n; i++)
        if (s->v[i] == v)
            return;
    assert_true(s->n < MAX_VALUES);
    s->v[s->n++] = v;
}

static void add_around(struct values *s, const struct policy_test *t) {
    const uint64_t v[] = {
        t->value,      t->value | 1ULL << 32, t->value | ~0ULL << 32, t->value + 1u,
        t->value - 1u, t->value | ~t->mask,   t->value ^ 1u << 31,    t->mask};
    for (size_t i = 0; i < COUNT(v); i++)
        add_value(s, v[i]);
    for (int bit = 0; bit < 32 && t->mask != UINT32_MAX; bit++)
        add_value(s, t->value ^ 1u << bit);
}

static void add_tests(struct values s[3], unsigned nr, unsigned of, const struct policy_test *t,
                      size_t n) {
    for (size_t i = 0; nr == of && i < n; i++)
        add_around(&s[t[i].arg], &t[i]);
}

static void find_values(struct values s[3], unsigned nr) {
    for (int i = 0; i < 3; i++) {
        s[i].n = 0;
        add_value(&s[i], 0);
        add_value(&s[i], ~0ULL);
    }
#define ARG(n, mask, value) \
    { n, mask, value }
#define ADD(name, ...)                                                       \
    add_tests(s, nr, __NR_##name, (const struct policy_test[]){__VA_ARGS__}, \
              sizeof((const struct policy_test[]){__VA_ARGS__}) / sizeof(struct policy_test));
#define WHEN(name, eno, what, ...) ADD(name, __VA_ARGS__)
#define WHEN_SETUP(name, what, ...) ADD(name, __VA_ARGS__)
#define WHEN_TOLD(name, what, ...) ADD(name, __VA_ARGS__)
#include "sandbox/syscalls.def"
}

static void compare_number(uint32_t arch, unsigned nr, const struct values s[3]) {
    struct seccomp_data d = {.nr = (int)nr, .arch = arch, .args = {0, 0, 0, 7, ~0ULL, 1}};
    for (size_t i = 0; i < s[0].n; i++)
        for (size_t j = 0; j < s[1].n; j++)
            for (size_t k = 0; k < s[2].n; k++) {
                d.args[0] = s[0].v[i];
                d.args[1] = s[1].v[j];
                d.args[2] = s[2].v[k];
                compare(&d);
            }
}

static void every_number_abi_and_boundary_is_as_the_table_says(void **state) {
    (void)state;
    static struct values s[3];
    for (unsigned nr = 0; nr <= LAST_NR; nr++) {
        find_values(s, nr);
        compare_number(AUDIT_ARCH_X86_64, nr, s);
        for (int i = 0; i < 3; i++)
            s[i].n = 2;
        compare_number(AUDIT_ARCH_I386, nr, s);
        compare_number(AUDIT_ARCH_X86_64, nr | 0x40000000, s);
        compare_number(AUDIT_ARCH_AARCH64, nr, s);
    }
}

static void numbers_far_outside_are_unknown_or_foreign(void **state) {
    (void)state;
    const unsigned far[] = {4096,       0x3fffffff, 0x40000000, 0x7fffffff,
                            0x80000000, 0xbfffffff, 0xffffffff};
    for (size_t i = 0; i < COUNT(far); i++) {
        struct seccomp_data d = {.nr = (int)far[i], .arch = AUDIT_ARCH_X86_64};
        compare(&d);
        assert_int_equal(policy_of(false, &d), far[i] & 0x40000000 ? POLICY_KILLED : ENOSYS);
    }
}

/* --- the table itself, by example --- */

static const struct {
    unsigned nr;
    uint64_t args[3];
    int want;
} examples[] = {
    {__NR_read, {0}, 0},
    {__NR_openat2, {0}, 0},
    {__NR_statx, {0}, 0},
    {__NR_pkey_alloc, {0}, 0},
    {__NR_epoll_pwait2, {0}, 0},
    {__NR_capget, {0}, 0},
    {__NR_sched_setaffinity, {0}, 0},
    {__NR_restart_syscall, {0}, 0},
    {__NR_clone3, {0}, ENOSYS},
    {__NR_io_uring_setup, {0}, ENOSYS},
    {__NR_io_setup, {0}, ENOSYS},
    {__NR_seccomp, {0}, ENOSYS},
    {__NR_landlock_restrict_self, {0}, ENOSYS},
    {451 /* cachestat */, {0}, ENOSYS},
    {__NR_kcmp, {0}, EPERM},
    {__NR_memfd_secret, {0}, EPERM},
    {__NR_ptrace, {0}, EPERM},
    {__NR_mount, {0}, EPERM},
    {__NR_bpf, {0}, EPERM},
    {__NR_splice, {0}, EPERM},
    {__NR_keyctl, {0}, EPERM},
    {__NR_userfaultfd, {0}, EPERM},
    {__NR_unshare, {0}, EPERM},
    {__NR_setns, {0}, EPERM},
    {__NR_setuid, {0}, EPERM},
    {__NR_setresuid, {0}, EPERM},
    {__NR_capset, {0}, EPERM},
    {__NR_sched_setscheduler, {0}, EPERM},
    {__NR_clone, {SIGCHLD}, 0},
    {__NR_clone, {CLONE_VM | CLONE_THREAD | CLONE_SIGHAND}, 0},
    {__NR_clone, {0x80}, 0},
    {__NR_clone, {CLONE_NEWUSER | SIGCHLD}, EPERM},
    {__NR_clone, {CLONE_NEWNS}, EPERM},
    {__NR_clone, {CLONE_NEWCGROUP | 1ULL << 40}, EPERM},
    {__NR_socket, {AF_UNIX, SOCK_SEQPACKET, 0}, 0},
    {__NR_socket, {AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0}, 0},
    {__NR_socket, {AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK, IPPROTO_UDP}, 0},
    {__NR_socket, {AF_INET, SOCK_RAW, IPPROTO_TCP}, EAFNOSUPPORT},
    {__NR_socket, {AF_INET, SOCK_DGRAM, IPPROTO_ICMP}, EAFNOSUPPORT},
    {__NR_socket, {AF_INET, SOCK_STREAM, 256 /* SMC */}, EAFNOSUPPORT},
    {__NR_socket, {AF_NETLINK, SOCK_RAW, NETLINK_ROUTE}, 0},
    {__NR_socket, {AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER}, EAFNOSUPPORT},
    {__NR_socket, {AF_PACKET, SOCK_RAW, 0}, EAFNOSUPPORT},
    {__NR_socket, {AF_ALG, SOCK_SEQPACKET, 0}, EAFNOSUPPORT},
    {__NR_socket, {AF_VSOCK, SOCK_STREAM, 0}, EAFNOSUPPORT},
    {__NR_socket, {AF_ALG | 1ULL << 32, SOCK_SEQPACKET, 0}, EAFNOSUPPORT},
    {__NR_socketpair, {AF_UNIX, SOCK_STREAM, 0}, 0},
    {__NR_socketpair, {40 /* AF_VSOCK */, SOCK_STREAM, 0}, EAFNOSUPPORT},
    {__NR_setsockopt, {3, SOL_SOCKET, SO_REUSEADDR}, 0},
    {__NR_setsockopt, {3, SOL_SOCKET, SO_ATTACH_BPF}, EPERM},
    {__NR_setsockopt, {3, IPPROTO_IP, 64}, EPERM},
    {__NR_setsockopt, {3, IPPROTO_IPV6, IPV6_TCLASS}, 0},
    {__NR_ioctl, {0, TCGETS}, 0},
    {__NR_ioctl, {0, FIONREAD}, 0},
    {__NR_ioctl, {0, TIOCSTI}, EPERM},
    {__NR_ioctl, {0, TIOCSTI | 1ULL << 32}, EPERM},
    {__NR_ioctl, {0, TIOCLINUX}, EPERM},
    {__NR_ioctl, {0, TIOCSCTTY}, EPERM},
    {__NR_ioctl, {0, 0x8912 /* SIOCGIFCONF */}, EPERM},
    {__NR_ioctl, {0, FICLONE}, EPERM},
    {__NR_ioctl, {0, FS_IOC_SETFLAGS}, EPERM},
    {__NR_ioctl, {0, 0xb701 /* NS_GET_USERNS */}, EPERM},
    {__NR_ioctl, {0, 0xae01 /* KVM_CREATE_VM */}, ENOTTY},
    {__NR_prctl, {PR_SET_NAME}, 0},
    {__NR_prctl, {PR_SET_VMA}, 0},
    {__NR_prctl, {PR_SET_MM}, EINVAL},
    {__NR_prctl, {PR_SET_SECCOMP}, EINVAL},
    {__NR_prctl, {PR_SET_DUMPABLE}, EINVAL},
    {__NR_prctl, {PR_SET_PTRACER}, EINVAL},
    {__NR_prctl, {PR_SET_SPECULATION_CTRL}, EINVAL},
    {__NR_prctl, {PR_SET_SYSCALL_USER_DISPATCH}, EINVAL},
    {__NR_prctl, {PR_SCHED_CORE}, EINVAL},
    {__NR_personality, {0}, 0},
    {__NR_personality, {0xffffffff}, 0},
    {__NR_personality, {0x0040000 /* ADDR_NO_RANDOMIZE */}, EPERM},
    {__NR_fcntl, {0, F_SETFL}, 0},
    {__NR_fcntl, {0, F_SETPIPE_SZ}, 0},
    {__NR_fcntl, {0, F_SETLEASE}, EPERM},
    {__NR_fcntl, {0, F_NOTIFY}, EPERM},
    {__NR_fcntl, {0, F_SETSIG}, EPERM},
    {__NR_fcntl, {0, F_SETOWN}, EPERM},
    {__NR_fcntl, {0, F_SETOWN_EX | 1ULL << 63}, EPERM},
    {__NR_mknod, {0, S_IFIFO | 0600}, 0},
    {__NR_mknod, {0, S_IFCHR | 0600}, EPERM},
    {__NR_mknodat, {0, 0, S_IFSOCK | 0600}, 0},
    {__NR_mknodat, {0, 0, S_IFBLK | 0600}, EPERM},
    {__NR_prlimit64, {0}, 0},
    {__NR_prlimit64, {1}, EPERM},
};

static void the_table_says_what_the_policy_says(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(examples); i++) {
        struct seccomp_data d = {.nr = (int)examples[i].nr, .arch = AUDIT_ARCH_X86_64};
        memcpy(d.args, examples[i].args, sizeof examples[i].args);
        int got = policy_of(false, &d);
        if (got != examples[i].want)
            fail_msg("example %zu, nr %u: %d, not %d", i, examples[i].nr, got, examples[i].want);
    }
}

static void a_zygote_may_prepare_but_not_mount(void **state) {
    (void)state;
    const unsigned may[] = {__NR_setns,
                            __NR_setresuid,
                            __NR_setresgid,
                            __NR_setgroups,
                            __NR_capset,
                            __NR_seccomp,
                            __NR_landlock_restrict_self};
    const unsigned may_not[] = {__NR_mount, __NR_unshare, __NR_sethostname, __NR_ptrace,
                                __NR_pivot_root};
    struct seccomp_data d = {.arch = AUDIT_ARCH_X86_64};
    for (size_t i = 0; i < COUNT(may); i++) {
        d.nr = (int)may[i];
        assert_int_equal(policy_of(true, &d), 0);
    }
    for (size_t i = 0; i < COUNT(may_not); i++) {
        d.nr = (int)may_not[i];
        assert_int_equal(policy_of(true, &d), EPERM);
    }
}

/* --- the generator's edges --- */

static void the_difference_is_small(void **state) {
    (void)state;
    assert_true(filters[SECCOMP_GUEST_IN_ZYGOTE].n < 80);
    assert_true(filters[SECCOMP_GUEST_GATED].n < 90);
    assert_true(filters[SECCOMP_ZYGOTE].n < SECCOMP_MAX_INSTRUCTIONS);
}

/* What pid 1 of a warm session is made of, read off its source, and nothing else. */
static void init_may_do_a_dozen_things(void **state) {
    (void)state;
    static const int calls[] = {__NR_execve, __NR_sendmsg,      __NR_exit_group,     __NR_prctl,
                                __NR_read,   __NR_write,        __NR_rt_sigprocmask, __NR_ppoll,
                                __NR_wait4,  __NR_rt_sigaction, __NR_rt_sigreturn};
    for (int nr = 0; nr <= LAST_NR; nr++) {
        struct seccomp_data d = {.nr = nr, .arch = SYSCALLS_AUDIT_ARCH};
        int expected = ENOSYS;
        for (size_t i = 0; i < COUNT(calls); i++)
            if (calls[i] == nr)
                expected = 0;
        assert_int_equal(verdict(evaluate(&filters[SECCOMP_INIT], &d)), expected);
    }
    struct seccomp_data foreign = {.nr = __NR_read, .arch = 3};
    assert_int_equal(verdict(evaluate(&filters[SECCOMP_INIT], &foreign)), POLICY_KILLED);
    assert_true(filters[SECCOMP_INIT].n < 80);
}

static void too_little_room_is_refused_and_respected(void **state) {
    (void)state;
    for (size_t room = 0; room < filters[SECCOMP_GUEST].n; room++) {
        struct sock_filter prog[SECCOMP_MAX_INSTRUCTIONS + 1];
        memset(prog, 0xa5, sizeof prog);
        assert_int_equal(seccomp_build(SECCOMP_GUEST, prog, room), -ENOSPC);
        assert_int_equal(prog[room].k, 0xa5a5a5a5);
    }
    struct sock_filter exact[SECCOMP_MAX_INSTRUCTIONS];
    size_t n = filters[SECCOMP_GUEST].n;
    assert_int_equal(seccomp_build(SECCOMP_GUEST, exact, n), (int)n);
    assert_memory_equal(exact, filters[SECCOMP_GUEST].code, n * sizeof exact[0]);
}

/* --- the kernel --- */

static int errno_of(long r) {
    return r < 0 ? errno : 0;
}

/* Calls that the filter decides alone; 0 if all went as they should, else the line. */
static int live_guest(void) {
    if (errno_of(syscall(__NR_socket, AF_ALG, SOCK_SEQPACKET, 0)) != EAFNOSUPPORT)
        return __LINE__;
    if (errno_of(syscall(__NR_clone3, NULL, 0)) != ENOSYS)
        return __LINE__;
    if (errno_of(syscall(__NR_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, NULL)) != ENOSYS)
        return __LINE__;
    if (errno_of(syscall(__NR_unshare, 0)) != EPERM ||
        errno_of(syscall(__NR_setns, -1, 0)) != EPERM)
        return __LINE__;
    if (errno_of(syscall(__NR_ioctl, -1, TIOCSTI | 1UL << 32, NULL)) != EPERM)
        return __LINE__;
    if (errno_of(syscall(__NR_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0)) != EINVAL)
        return __LINE__;
    if (errno_of(syscall(__NR_close, -1)) != EBADF)
        return __LINE__;
    return 0;
}

static int load_filter(enum seccomp_profile profile) {
    return seccomp_load(filters[profile].code, filters[profile].n, NULL);
}

static void live_child(bool in_two_steps) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        _exit(1);
    if (!in_two_steps)
        _exit(load_filter(SECCOMP_GUEST) < 0 ? 2 : live_guest() ? 3 : 0);
    if (load_filter(SECCOMP_ZYGOTE) < 0 || syscall(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
        _exit(4);
    _exit(load_filter(SECCOMP_GUEST_IN_ZYGOTE) < 0 ? 5 : live_guest() ? 6 : 0);
}

static int wait_for(pid_t pid) {
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void the_kernel_decides_the_same_in_one_step_and_in_two(void **state) {
    (void)state;
    for (int in_two_steps = 0; in_two_steps < 2; in_two_steps++) {
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0)
            live_child(in_two_steps);
        assert_int_equal(wait_for(pid), 0);
    }
}

static void foreign_calls_kill(void **state) {
    (void)state;
    for (int x32 = 0; x32 < 2; x32++) {
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || load_filter(SECCOMP_GUEST) < 0)
                _exit(1);
            long r = 20; /* getpid of i386 */
            if (x32)
                syscall(__NR_getpid | 0x40000000);
            else
                __asm__ volatile("int $0x80" : "+a"(r) : : "memory");
            _exit(0);
        }
        int status = wait_for(pid);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGSYS);
    }
}

static void a_filter_that_the_kernel_refuses_names_the_layer(void **state) {
    (void)state;
    struct sock_filter nothing = {0};
    struct retort_error err = ERR_INIT;
    assert_true(seccomp_load(&nothing, 1, &err) < 0);
    assert_string_equal(err.layer, "seccomp");
}

static int build_all(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(filters); i++) {
        int n = seccomp_build((enum seccomp_profile)i, filters[i].code, SECCOMP_MAX_INSTRUCTIONS);
        if (n <= 0)
            return -1;
        filters[i].n = (size_t)n;
    }
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_abi_and_boundary_is_as_the_table_says),
        cmocka_unit_test(numbers_far_outside_are_unknown_or_foreign),
        cmocka_unit_test(the_table_says_what_the_policy_says),
        cmocka_unit_test(a_zygote_may_prepare_but_not_mount),
        cmocka_unit_test(the_difference_is_small),
        cmocka_unit_test(init_may_do_a_dozen_things),
        cmocka_unit_test(too_little_room_is_refused_and_respected),
        cmocka_unit_test(the_kernel_decides_the_same_in_one_step_and_in_two),
        cmocka_unit_test(foreign_calls_kill),
        cmocka_unit_test(a_filter_that_the_kernel_refuses_names_the_layer),
    };
    return cmocka_run_group_tests(tests, build_all, NULL);
}
