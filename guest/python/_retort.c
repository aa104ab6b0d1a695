/* What Python cannot do: fork a child into the namespaces of a session and lock it in there; and
 * later fork a branch out of a session.
 *
 * Runs in: a zygote, and its children between fork and lock-down; branch() in interpreters. Built
 *   with the limited API: one module works in every CPython from 3.9 on.
 * Hostile: nothing in the zygote. The supervisor sends fixed messages, and no guest code has run in
 *   that process. An interpreter is hostile throughout: guest code could do itself what branch()
 *   does there (supervisor/branch/gate.c).
 */
#include <Python.h>

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "pages.h"
#include "sandbox/cgroup/cgroup.h"
#include "sandbox/lockdown.h"
#include "sandbox/namespaces.h"
#include "sandbox/seccomp.h"
#include "sandbox/syscalls.h"
#include "wire/zygote.h"

#define ENTROPY 64
#define UNSORTED 100000 /* more than most chunks have, less than what is mapped on its own */

static struct sock_filter filter[SECCOMP_MAX_INSTRUCTIONS], gated[SECCOMP_MAX_INSTRUCTIONS];
static int filter_len, gated_len, own_pidns = -1, child_fd = -1;
/* What libraries have mapped here; a session's limit is for its own code. */
static uint64_t own_data;

/* Runs in the child. The order matters: first the cgroup, while we still have the uid that opened
 *   its files; then the descriptors, while /dev/null is there and closing is allowed; seccomp
 *   last. */
static void enter(const struct zygote_request *q, const int *fds, size_t nfds) {
    struct retort_error err = ERR_INIT;
    int setup = fds[ZYGOTE_SETUP];
    int r = cgroup_join_fds(fds + ZYGOTE_FDS, nfds - ZYGOTE_FDS);
    if (r < 0) {
        err_layer(&err, "cgroup", -r, "cannot enter the session's cgroup");
        lockdown_give_up(setup, &err);
    }
    if (setns(fds[ZYGOTE_INIT], (int)q->namespaces) < 0 || chdir("/work") < 0) {
        err_layer(&err, "user", errno, "cannot enter the session's namespaces");
        lockdown_give_up(setup, &err);
    }
    if (lockdown_descriptors(fds[ZYGOTE_STDOUT], fds[ZYGOTE_STDERR], fds[ZYGOTE_CHANNEL], setup,
                             &err) < 0)
        lockdown_give_up(setup, &err);
    struct lockdown lock = {.role = LOCK_GUEST,
                            .skip = q->skip,
                            .pids = q->pids,
                            .open_files = q->open_files,
                            .data = q->data ? q->data + own_data : 0,
                            .filter = filter,
                            .filter_len = (size_t)filter_len,
                            .gated = gated,
                            .gated_len = (size_t)gated_len};
    int gate = lockdown_apply(&lock, &err);
    if (gate < 0)
        lockdown_give_up(4, &err);
    /* We keep no copy of the gate here: its holder decides about calls. */
    if (packet_send(4, "l", 1, &gate, gate > 0) < 0)
        _exit(1);
    close_range(4, ~0U, 0);
}

/* Serves one request. Returns 1 in the child, 0 in the zygote, -1 there if there is no child.
 * setns(CLONE_NEWPID) before the fork puts the child into the session's pid namespace from its
 * first instruction on. We use libc's fork, because libraries have handlers for it; Python's
 * handlers were called once for all forks, in prepare(). */
static int fork_one(const struct zygote_request *q, int *fds, size_t nfds) {
    struct retort_error err = ERR_INIT;
    if (setns(fds[ZYGOTE_INIT], CLONE_NEWPID) < 0) {
        err_layer(&err, "pid", errno, "cannot fork into the session's pid namespace");
        packet_send(fds[ZYGOTE_SETUP], &err, sizeof err, NULL, 0);
        return -1;
    }
    pid_t pid = fork();
    if (pid == 0) {
        enter(q, fds, nfds);
        PyOS_AfterFork_Child();
        return 1;
    }
    int failed = pid < 0 ? errno : 0;
    if (setns(own_pidns, CLONE_NEWPID) < 0)
        _exit(1);
    if (failed) {
        err_errno(&err, ERR_HOST, failed, "cannot fork the warm interpreter");
        packet_send(fds[ZYGOTE_SETUP], &err, sizeof err, NULL, 0);
    }
    return failed ? -1 : 0;
}

static void report_child(int sock, pid_t pid, int status) {
    struct zygote_report report = {.pid = pid, .status = status};
    packet_send(sock, &report, sizeof report, NULL, 0);
}

/* First waits for the child that a signal names, which is quick however many children there are;
 * then for any others that ended meanwhile. */
static void report_children(int sock) {
    struct signalfd_siginfo info;
    int status;
    while (read(child_fd, &info, sizeof info) == sizeof info)
        if (info.ssi_pid && waitpid((pid_t)info.ssi_pid, &status, WNOHANG) > 0)
            report_child(sock, (pid_t)info.ssi_pid, status);
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
        report_child(sock, pid, status);
}

static int take_request(int sock, struct zygote_request *q) {
    int fds[PACKET_MAX_FDS];
    size_t nfds = PACKET_MAX_FDS;
    ssize_t n = packet_recv(sock, q, sizeof *q, fds, &nfds, 0);
    if (n != sizeof *q || nfds < ZYGOTE_FDS)
        _exit(0); /* the supervisor is gone */
    int child = fork_one(q, fds, nfds);
    struct zygote_report none = {.pid = -1}; /* otherwise the supervisor would wait for its end */
    if (child < 0)
        packet_send(sock, &none, sizeof none, NULL, 0);
    for (size_t i = 0; child <= 0 && i < nfds; i++)
        close(fds[i]);
    return child > 0;
}

/* Memory that was freed while loading waits in one list until the next allocation sorts it. We sort
 * it once here: in every child it would copy every page that has such a chunk. */
static void settle_memory(void) {
    malloc_trim(0);
    free(malloc(UNSORTED));
    pages_fill();
    pages_collapse();
    pages_join();
    pages_take_code();
}

/* From here on the zygote runs no Python and stays in the state before a fork, ready for the next
 * one: every page that it wrote itself would be copied each time. Before that it forks itself once
 * and is the child for a moment, so that pages which children write first are written already. */
static void stand_before_fork(void) {
    PyOS_BeforeFork();
    PyOS_AfterFork_Child();
    PyOS_BeforeFork();
}

static int prepare(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    child_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    own_pidns = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
    stand_before_fork();
    settle_memory();
    own_data = data_mapped();
    filter_len = seccomp_build(SECCOMP_GUEST_IN_ZYGOTE, filter, SECCOMP_MAX_INSTRUCTIONS);
    gated_len = seccomp_build(SECCOMP_GUEST_GATED, gated, SECCOMP_MAX_INSTRUCTIONS);
    return child_fd < 0 || own_pidns < 0 || filter_len < 0 || gated_len < 0 ? -1 : 0;
}

static PyObject *serve(PyObject *self, PyObject *argument) {
    (void)self;
    int sock = (int)PyLong_AsLong(argument);
    struct zygote_report ready = {0};
    if (sock < 0 || prepare() < 0 || packet_send(sock, &ready, sizeof ready, NULL, 0) < 0)
        return PyErr_SetFromErrno(PyExc_OSError);
    for (;;) {
        struct pollfd p[] = {{sock, POLLIN, 0}, {child_fd, POLLIN, 0}};
        if (poll(p, 2, -1) < 0)
            continue;
        if (p[1].revents)
            report_children(sock);
        struct zygote_request q;
        if (p[0].revents && take_request(sock, &q)) {
            char entropy[ENTROPY];
            unsigned libc[3];
            if (getrandom(entropy, sizeof entropy, 0) != sizeof entropy ||
                getrandom(libc, sizeof libc, 0) != sizeof libc)
                _exit(1);
            srand(libc[0]);
            srandom(libc[1]);
            srand48((long)libc[2]);
            return Py_BuildValue("(Ni)", PyBytes_FromStringAndSize(entropy, sizeof entropy),
                                 (int)q.waited);
        }
    }
}

static PyObject *gather(PyObject *self, PyObject *nothing) {
    (void)self;
    (void)nothing;
    pages_gather();
    return Py_BuildValue("");
}

/* A copy of the interpreter whose parent is pid 1, so that the user's os.wait() never sees it: by a
 * forker, a process which also joins the namespaces of a branch, because the pid namespace is that of
 * children only. It shares our memory, which spares one of two copies of the page tables; we stand
 * still meanwhile. What it finds goes into `trouble`. Returns 0 in the copy, else what to wait for.
 *
 * fork() in the child of vfork() is outside of what POSIX promises, so here is why it holds. The
 * forker has our memory and runs while our one thread that may hold anything, this one, is
 * suspended: PyOS_BeforeFork has taken the interpreter's locks, the GIL among them, and other threads
 * of the session, which do go on, take malloc's locks but for moments. libc's fork() takes those
 * locks and the list of its handlers itself, waits for whoever has them, and gives them back in the
 * forker and in the copy; the forker's release is ours, because the memory is one. The id
 * of the thread is written by the kernel, into the memory of the copy. _exit() runs no handler and
 * flushes nothing. The copy may return from this frame and the forker may not: the copy's stack
 * is its own, as after any fork(), while the forker's is ours. The forker therefore ends in this
 * function, and changes nothing of ours but `trouble`, which is volatile because two processes use it.
 */
static pid_t split(const int *fds, size_t nfds, volatile int *trouble) {
    pid_t forker = vfork();
    if (forker < 0)
        *trouble = errno;
    if (forker != 0)
        return forker;
    for (size_t i = 0; i < nfds; i++)
        if (setns(fds[i], namespace_kinds[i].flag) < 0) {
            *trouble = errno;
            _exit(1);
        }
    pid_t pid = fork();
    if (pid == 0)
        return 0;
    *trouble = pid < 0 ? errno : 0;
    _exit(pid < 0);
}

static PyObject *copy(PyObject *self, PyObject *nothing) {
    (void)self;
    (void)nothing;
    volatile int trouble = 0;
    PyOS_BeforeFork();
    pid_t pid = split(NULL, 0, &trouble);
    if (pid == 0)
        PyOS_AfterFork_Child();
    else
        PyOS_AfterFork_Parent();
    return Py_BuildValue("(ii)", (int)pid, trouble);
}

/* branch(fd): the supervisor's socket gives the namespaces. Returns 0 in the branch, which has no
 * capability and belongs to the parent session's init; else the pid to wait for. */
static PyObject *branch(PyObject *self, PyObject *argument) {
    (void)self;
    volatile int trouble = 0;
    int fds[NAMESPACE_KINDS];
    size_t nfds = NAMESPACE_KINDS;
    char byte;
    if (packet_recv((int)PyLong_AsLong(argument), &byte, 1, fds, &nfds, 0) != 1 ||
        nfds != NAMESPACE_KINDS) {
        errno = EPIPE;
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    PyOS_BeforeFork();
    pid_t pid = split(fds, NAMESPACE_KINDS, &trouble);
    if (pid == 0) {
        if (lockdown_branch() < 0)
            _exit(1);
        setsid();
        PyOS_AfterFork_Child();
    } else {
        /* The forker gained capabilities, so the kernel made its memory, which is ours, too,
         * undumpable. */
        prctl(PR_SET_DUMPABLE, 1, SYSCALLS_MARK, 0, 0);
        PyOS_AfterFork_Parent();
    }
    for (size_t i = 0; i < NAMESPACE_KINDS; i++)
        close(fds[i]);
    return Py_BuildValue("(ii)", (int)pid, trouble);
}

static PyMethodDef methods[] = {
    {"gather", gather, METH_NOARGS,
     "To be called before modules are loaded: serve() puts huge pages under them."},
    {"copy", copy, METH_NOARGS, "Forks a copy that belongs to pid 1."},
    {"branch", branch, METH_O, "Forks into the namespaces that come over a socket."},
    {"serve", serve, METH_O,
     "Forks sessions on request. Returns, in each child, random bytes and whether it is waited "
     "for."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    "_retort",
    "Forks and locks in sessions.",
    0,
    methods,
    NULL,
    NULL,
    NULL,
    NULL,
};

PyMODINIT_FUNC PyInit__retort(void);
PyMODINIT_FUNC PyInit__retort(void) {
    return PyModule_Create(&module);
}
