/* Pid 1 of a session: reaps, reports, and ends when its supervisor is gone.
 *
 * Freestanding: no libc, no heap, no environment, a few hundred bytes, so that a thousand of them
 * cost nothing and there is nothing in it to read or to attack. It makes itself undumpable before
 * it reports that it is ready, and no guest code runs before that: so the guest can read nothing in
 * /proc/1.
 *
 * fd 3 is a SEQPACKET socket to the supervisor. Up: struct init_report for every child that ended.
 * End of file there means that the supervisor is gone: pid 1 exits and the kernel kills everything
 * in the namespace.
 */
#include "sandbox/init.h"

#include <asm/unistd.h>

#if !defined(__x86_64__)
#error "init is written for x86-64"
#endif

typedef long word;

static inline word sys5(word n, word a, word b, word c, word d, word e) {
    word r;
    register word r10 __asm__("r10") = d;
    register word r8 __asm__("r8") = e;
    __asm__ volatile("syscall"
                     : "=a"(r)
                     : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                     : "rcx", "r11", "memory");
    return r;
}

#define SIGCHLD_NR 17
#define EINTR_NR 4
#define SOCKET 3

struct kernel_sigaction {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    unsigned long mask;
};

static void on_child(int signal) {
    (void)signal; /* its only purpose is to end ppoll with EINTR */
}

__attribute__((naked)) static void restorer(void) {
    __asm__ volatile("mov %0, %%eax\n\tsyscall" ::"i"(__NR_rt_sigreturn));
}

static void reap(void) {
    struct {
        struct init_timeval user, system;
        long maxrss, rest[13];
    } usage;
    for (;;) {
        int status = 0;
        word pid = sys5(__NR_wait4, -1, (word)&status, 1 /* WNOHANG */, (word)&usage, 0);
        if (pid <= 0)
            return;
        struct init_report report = {
            .pid = (int)pid, .status = status, .maxrss_kb = (uint64_t)usage.maxrss};
        report.cpu_us = (uint64_t)(usage.user.seconds + usage.system.seconds) * 1000000u +
                        (uint64_t)(usage.user.micros + usage.system.micros);
        sys5(__NR_write, SOCKET, (word)&report, sizeof report, 0, 0);
    }
}

/* Named by the assembly below, and by the linker. */
void init_main(void);
void _start(void);

__attribute__((used, noreturn)) void init_main(void) {
    unsigned long blocked = 1UL << (SIGCHLD_NR - 1), none = 0;
    struct kernel_sigaction action = {on_child, 0x04000000 /* SA_RESTORER */, restorer, 0};
    sys5(__NR_rt_sigprocmask, 0 /* SIG_BLOCK */, (word)&blocked, 0, 8, 0);
    sys5(__NR_rt_sigaction, SIGCHLD_NR, (word)&action, 0, 8, 0);
    sys5(__NR_prctl, 4 /* PR_SET_DUMPABLE */, 0, 0, 0, 0);
    struct init_report ready = {.pid = 0};
    sys5(__NR_write, SOCKET, (word)&ready, sizeof ready, 0, 0);
    for (;;) {
        struct {
            int fd;
            short events, revents;
        } p = {SOCKET, 1 /* POLLIN */, 0};
        reap();
        word r = sys5(__NR_ppoll, (word)&p, 1, 0, (word)&none, 8);
        if (r == -EINTR_NR)
            continue;
        char byte;
        if (sys5(__NR_read, SOCKET, (word)&byte, 1, 0, 0) <= 0)
            sys5(__NR_exit_group, 0, 0, 0, 0, 0);
    }
}

__attribute__((naked, noreturn)) void _start(void) {
    __asm__ volatile("xor %ebp, %ebp\n\tand $-16, %rsp\n\tcall init_main");
}
