/* Calls every system call from 0 to 1023, in all three ABIs of the processor, each in a child of
 * its own, with arguments that are all ones, and prints one line for each:
 *
 *   x86_64 101 EPERM          or another errno, or: ok, ended, hung, skipped, SIGSYS
 *
 *   probe_syscalls            inside a session; refuses to run where no filter is loaded
 *   probe_syscalls --filter   loads the guest's filter itself, to be tried without a session
 *   probe_syscalls --expect   what the table says of the same calls: allowed, an errno, SIGSYS,
 *                             or unfiltered, where the kernel answers whatever the filter says
 *
 * All ones is a bad pointer, descriptor, size, option and flag at once, so what the filter lets
 * through fails in the kernel without effect. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/seccomp.h"

#include "../policy.h"

#define LAST_NR 1023
#define HUNG_MS 300      /* of a call that is let through, and may wait for ever */
#define REFUSED_MS 60000 /* of one that is not: however busy the machine is */

enum abi { X86_64, I386, X32 };
static const char *const abi_names[] = {"x86_64", "i386", "x32"};

struct call {
    enum abi abi;
    unsigned nr;
    uint64_t args[6];
};

/* Where all ones would do something, or the kernel itself would answer ENOSYS. */
static const struct {
    unsigned nr;
    uint64_t args[3];
} gentler[] = {
    {__NR_futex, {~0ULL, 1 /* FUTEX_WAKE */, 1}},
    {__NR_msgget, {0x7fffffff, 0, 0}},
    {__NR_clone, {SIGCHLD, 0, 0}},
};

static struct call make_call(enum abi abi, unsigned nr) {
    struct call c = {.abi = abi, .nr = nr};
    memset(c.args, 0xff, sizeof c.args);
    for (size_t i = 0; i < sizeof gentler / sizeof gentler[0]; i++)
        if (abi == X86_64 && gentler[i].nr == nr) {
            memset(c.args, 0, sizeof c.args);
            memcpy(c.args, gentler[i].args, sizeof gentler[i].args);
        }
    return c;
}

/* Returns to whatever lies on the stack. */
static bool is_skipped(const struct call *c) {
    return c->abi == X86_64 && c->nr == __NR_rt_sigreturn;
}

/* Not libc's syscall(): after vfork the child would overwrite the parent's return address. */
static inline __attribute__((always_inline)) long native(uint64_t nr, const uint64_t *a) {
    register uint64_t r10 __asm__("r10") = a[3];
    register uint64_t r8 __asm__("r8") = a[4];
    register uint64_t r9 __asm__("r9") = a[5];
    long r;
    __asm__ volatile("syscall"
                     : "=a"(r)
                     : "a"(nr), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return r;
}

static inline __attribute__((always_inline)) long legacy(uint64_t nr, const uint64_t *a) {
    long r;
    __asm__ volatile("int $0x80"
                     : "=a"(r)
                     : "a"(nr), "b"(a[0]), "c"(a[1]), "d"(a[2]), "S"(a[3]), "D"(a[4])
                     : "r8", "r9", "r10", "r11", "memory");
    return r;
}

static void run_call(const struct call *c, int report) {
    static const uint64_t nothing[6];
    long r;
    if (c->abi == I386)
        r = legacy(c->nr, c->args);
    else
        r = native(c->nr | (c->abi == X32 ? SYSCALLS_FOREIGN_BIT : 0), c->args);
    bool forks = c->nr == __NR_fork || c->nr == __NR_vfork || c->nr == __NR_clone;
    if (r == 0 && forks)
        native(__NR_exit_group, nothing);
    _exit(write(report, &r, sizeof r) != sizeof r);
}

static const char *death(int status) {
    if (!WIFSIGNALED(status))
        return "ended";
    return WTERMSIG(status) == SIGSYS ? "SIGSYS" : "signal";
}

static const char *outcome(pid_t pid, int report, int patience_ms) {
    struct pollfd p = {.fd = report, .events = POLLIN};
    bool hung = poll(&p, 1, patience_ms) == 0;
    if (hung)
        kill(pid, SIGKILL);
    long r;
    bool said = read(report, &r, sizeof r) == sizeof r;
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (said)
        return r < 0 && r > -4096 ? strerrorname_np((int)-r) : "ok";
    return hung ? "hung" : death(status);
}

static const char *expectation(const struct call *c) {
    struct seccomp_data d = {
        .nr = (int)(c->nr | (c->abi == X32 ? SYSCALLS_FOREIGN_BIT : 0)),
        .arch = c->abi == I386 ? AUDIT_ARCH_I386 : AUDIT_ARCH_X86_64,
    };
    memcpy(d.args, c->args, sizeof d.args);
    if (c->abi == X86_64 && SYSCALLS_UNFILTERED(c->nr))
        return "unfiltered";
    int policy = policy_of(false, &d);
    return policy == POLICY_KILLED ? "SIGSYS" : policy ? strerrorname_np(policy) : "allowed";
}

static int patience_ms(const struct call *c) {
    const char *what = expectation(c);
    return strcmp(what, "allowed") == 0 || strcmp(what, "unfiltered") == 0 ? HUNG_MS : REFUSED_MS;
}

static const char *probe(const struct call *c) {
    int ends[2];
    if (is_skipped(c))
        return "skipped";
    if (pipe(ends) < 0)
        return "no pipe";
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        run_call(c, ends[1]);
    close(ends[1]);
    const char *what = pid < 0 ? "no process" : outcome(pid, ends[0], patience_ms(c));
    close(ends[0]);
    return what;
}

static void each_call(const char *(*tell)(const struct call *)) {
    for (enum abi abi = X86_64; abi <= X32; abi++)
        for (unsigned nr = 0; nr <= LAST_NR; nr++) {
            struct call c = make_call(abi, nr);
            const char *what = tell(&c);
            printf("%s %u %s\n", abi_names[abi], nr, what ? what : "?");
        }
}

static int load_filter(void) {
    struct sock_filter prog[SECCOMP_MAX_INSTRUCTIONS];
    int n = seccomp_build(SECCOMP_GUEST, prog, SECCOMP_MAX_INSTRUCTIONS);
    if (n < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return -1;
    return seccomp_load(prog, (size_t)n, NULL);
}

static int probe_all(void) {
    if (prctl(PR_GET_SECCOMP) != SECCOMP_MODE_FILTER) {
        fprintf(stderr, "probe_syscalls: no filter is loaded, and without one this is not safe\n");
        return 2;
    }
    struct rlimit no_core = {0, 0};
    struct sigaction usual = {.sa_handler = SIG_DFL};
    setrlimit(RLIMIT_CORE, &no_core);
    sigaction(SIGCHLD, &usual, NULL);
    each_call(probe);
    return 0;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    if (strcmp(mode, "--expect") == 0) {
        each_call(expectation);
        return 0;
    }
    if (strcmp(mode, "--filter") == 0 && load_filter() < 0)
        return 2;
    return probe_all();
}
