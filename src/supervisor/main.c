/* retort-supervisor: the privileged half of an engine.
 *
 * The library starts it with an empty environment and descriptor 3, the main socket. It becomes a
 * launcher (launcher.h), if it is told so, or:
 *
 *   keeper       Stays in the host's namespaces with the caller's rights. It hands out copies of
 *                mounts, and removes the engine's cgroups at the end.
 *                For an ordinary user there are two: a janitor, which stays outside and removes the
 *                cgroups; and the keeper, in a user namespace, without which he may copy no mount.
 *   supervisor   Pid 1 of a pid namespace in a user namespace: however it ends, the kernel ends
 *                everything it made. It has no right left on the host, only over the ids that are
 *                mapped into its namespace.
 *   the others   Zygotes, collectors, and the first process of each session are children of the
 *                supervisor.
 *
 * The supervisor ends when the main socket does. It logs nothing: errors travel to the broker.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "sandbox/ablation/ablation.h"
#include "sandbox/ablation/failpoint.h"
#include "sandbox/ablation/overlook.h"
#include "sandbox/namespaces.h"
#include "sandbox/process.h"
#include "sandbox/rootfs.h"
#include "supervisor/birth.h"
#include "supervisor/launcher.h"
#include "supervisor/parts/killing.h"
#include "supervisor/session.h"
#include "supervisor/supervisor.h"

#define MAIN_SOCK 3
#define THAW_MS 20

struct supervisor sup = {
    .epoll = -1, .main_sock = MAIN_SOCK, .keeper_sock = -1, .devices = -1, .quota = -1};

static struct retort_error start_error; /* why no session can be made; each request gets it */
static char guest_dir[600];
static int names_sock = -1;  /* the broker's socket to the keeper alone: says which paths may be
                                mounted */
static int refuse_sock = -1; /* a copy of the main socket, to report a clone that fails */

static void refuse(const struct retort_error *err) {
    struct ctl_failed failed = {{CTL_FAILED, sizeof failed}, *err};
    packet_send(refuse_sock, &failed, sizeof failed, NULL, 0);
}

static pid_t clone_into(uint64_t flags) {
    struct clone_args args = {.flags = flags, .exit_signal = SIGCHLD};
    return (pid_t)syscall(SYS_clone3, &args, sizeof args);
}

/* --- in the supervisor proper --- */

static _Noreturn void leave(int status) {
    killing_thaw_all();
    _exit(status);
}

static void on_child_ended(struct source *source) {
    struct signalfd_siginfo info;
    int status;
    /* To find any child, the kernel looks at all of them, and most of thousands are idle. It finds
     * the one that the signal names at once; others may have ended meanwhile without a signal of
     * their own. */
    while (read(source->fd, &info, sizeof info) == sizeof info)
        if (info.ssi_pid && waitpid((pid_t)info.ssi_pid, &status, WNOHANG | __WALL) > 0)
            session_child_ended((pid_t)info.ssi_pid, status);
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0;)
        session_child_ended(pid, status);
}

static void on_keeper(struct source *source) {
    (void)source; /* the keeper speaks only when asked, so this is its end */
    leave(0);
}

static void on_main(struct source *source) {
    union {
        struct ctl_head head;
        struct ctl_create create;
    } msg;
    int fds[2] = {-1, -1};
    size_t nfds = 2;
    ssize_t n = packet_recv(source->fd, &msg, sizeof msg, fds, &nfds, MSG_DONTWAIT);
    if (n == 0)
        leave(0); /* the broker is gone; with pid 1 ends everything that it made */
    if (n <
        0) /* nothing there; or no descriptor was left, and the closed socket refuses the session */
        return;
    if (ctl_create_ok(&msg, (size_t)n) && nfds >= 1) {
        session_create(&msg.create, fds[0], nfds == 2 ? fds[1] : -1, &start_error);
        return;
    }
    for (size_t i = 0; i < nfds; i++)
        close(fds[i]);
}

static int build_filters(void) {
    struct {
        enum seccomp_profile profile;
        struct filter *filter;
    } all[] = {{SECCOMP_GUEST, &sup.guest},
               {SECCOMP_ZYGOTE, &sup.zygote},
               {SECCOMP_GUEST_IN_ZYGOTE, &sup.delta},
               {SECCOMP_INIT, &sup.init}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        int n = failpoint(FP_filters)
                    ? -errno
                    : seccomp_build(all[i].profile, all[i].filter->code, SECCOMP_MAX_INSTRUCTIONS);
        if (n < 0)
            return n;
        all[i].filter->len = (size_t)n;
    }
    return 0;
}

static int watch(struct source *source, int fd, source_fn ready) {
    *source = (struct source){.fd = fd, .ready = ready};
    return source_add(source);
}

static bool with_home; /* sessions have /home/user */

static void supervise(int keeper_sock) {
    static struct source main_source, child_source, keeper_source;
    sup.keeper_sock = keeper_sock;
    /* So that zygotes, which have the same uid, cannot trace us. */
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    /* Sessions must not have the caller's groups. An ordinary user's namespace does not allow to
     * drop them. */
    if (setgroups(0, NULL) < 0 && sup.uids.mode != UIDS_PLAIN)
        err_layer(&start_error, "user", errno, "cannot give up the caller's groups");
    else if (failpoint(FP_supervisor_ids) || setresgid(0, 0, 0) < 0 || setresuid(0, 0, 0) < 0)
        err_layer(&start_error, "user", errno, "cannot become root of the user namespace");
    else if (ablation_mask() & LAYER_BIT(LAYER_MOUNT) ||
             (rootfs_base(guest_dir, keeper_open, &sup, &start_error) == 0 &&
              (!with_home || rootfs_home(&start_error) == 0)))
        birth_setup(&start_error);
    keeper_forget();
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    sup.epoll = epoll_create1(EPOLL_CLOEXEC);
    int child_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (failpoint(FP_supervisor_loop) || sup.epoll < 0 || child_fd < 0 ||
        watch(&main_source, sup.main_sock, on_main) < 0 ||
        watch(&child_source, child_fd, on_child_ended) < 0 ||
        watch(&keeper_source, keeper_sock, on_keeper) < 0) {
        err_errno(&start_error, ERR_HOST, errno, "cannot watch the supervisor's sockets");
        refuse(&start_error);
        _exit(1);
    }
    close(refuse_sock);
    nth_configure();
    process_be_prompt();
    loop_run();
    leave(1);
}

/* --- before the clone, with the caller's rights --- */

/* No network namespace: making one costs most of all, and nothing here opens a socket. Zygotes and
 * collectors leave the host's network before they do anything, and so does the supervisor before it
 * makes a warm session (network.h). */
#define SUPERVISOR_NAMESPACES (CLONE_NEWNS | CLONE_NEWPID)

static pid_t clone_supervisor(uint64_t flags) {
    flags &= ~namespace_flags(ablation_mask());
    return failpoint(FP_supervisor_clone) ? -1 : clone_into(flags);
}

static void wait_for_go(int sock) {
    char go;
    if (recv(sock, &go, 1, 0) != 1)
        _exit(1);
}

/* The supervisor is pid 1, so it ends after everything that it made. Processes that are frozen at
 * that moment end only when they are thawed; and the supervisor may have frozen some a moment after
 * we thawed them, so we repeat it. */
static void await_end(pid_t pid) {
    scoped_fd held = process_hold(pid);
    struct pollfd p = {.fd = held, .events = POLLIN};
    while (held >= 0 && poll(&p, 1, THAW_MS) <= 0)
        cgroup_root_thaw(&sup.cgroups);
    waitpid(pid, NULL, 0);
}

/* Makes two sockets for a parent and its next child. If that fails, the broker is told. */
static int make_pair(enum failpoint step, int ret_pair[2]) {
    if (!failpoint(step) && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ret_pair) == 0)
        return 0;
    struct retort_error err = ERR_INIT;
    int r = err_errno(&err, ERR_HOST, errno, "cannot make a socket");
    refuse(&err);
    return r;
}

/* Clones the supervisor and serves it until it ends. `flags` has CLONE_NEWUSER if we have to map
 * its ids. */
static void keep(uint64_t flags) {
    struct retort_error err = ERR_INIT;
    int pair[2];
    if (make_pair(FP_keeper_socket, pair) < 0)
        return;
    keeper_prepare(guest_dir);
    pid_t pid = clone_supervisor(flags);
    if (pid == 0) {
        close(pair[0]);
        close(names_sock);
        wait_for_go(pair[1]);
        supervise(pair[1]);
    }
    int eno = errno;
    keeper_forget();
    close(pair[1]);
    close(sup.main_sock);
    if (pid < 0)
        err_layer(&err, "user", eno, "cannot make the supervisor's namespaces");
    else if (failpoint(FP_supervisor_map))
        err_layer(&err, "user", errno, "cannot map the supervisor's user");
    else if (!(flags & CLONE_NEWUSER) || ablation_mask() & LAYER_BIT(LAYER_USER) ||
             uidrange_map(&sup.uids, pid, &err) == 0) {
        send(pair[0], "g", 1, MSG_NOSIGNAL);
        keeper_serve(pair[0], names_sock, guest_dir);
        kill(pid, SIGKILL);
    }
    close(pair[0]);
    if (err.fault != ERR_NONE)
        refuse(&err);
    /* A client that asks for a session learns it now, not after everything is cleaned up. */
    close(refuse_sock);
    if (pid > 0)
        await_end(pid);
}

static uint32_t needs; /* layers that the engine's first supervisor has */

static uint32_t soft_layers(void) {
    return (sup.cgroups.version ? LAYER_BIT(LAYER_CGROUP) : 0) |
           (sup.uids.mode != UIDS_PLAIN ? LAYER_BIT(LAYER_UID) : 0);
}

/* A session must not depend on which supervisor makes it: we refuse to start one that would isolate
 * less. */
static int check_layers(struct retort_error *err) {
    uint32_t missing = needs & ~soft_layers();
    if (missing & LAYER_BIT(LAYER_UID))
        return err_layer(err, "uid", EUSERS, "no ids are left for another supervisor");
    if (missing & LAYER_BIT(LAYER_CGROUP))
        return err_layer(err, "cgroup", EUSERS, "no cgroup can be made for another supervisor");
    return 0;
}

/* An ordinary user needs a user namespace to copy a mount: keeper and supervisor share it. */
static void keep_as_user(void) {
    struct retort_error err = ERR_INIT;
    int pair[2];
    if (make_pair(FP_user_socket, pair) < 0)
        return;
    pid_t pid = failpoint(FP_user_clone) ? -1 : clone_into(CLONE_NEWUSER | CLONE_NEWNS);
    if (pid == 0) {
        close(pair[0]);
        /* newuidmap may have refused: then there are no ids for sessions */
        if (recv(pair[1], &sup.uids, sizeof sup.uids, 0) != sizeof sup.uids)
            _exit(1);
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        keep(SUPERVISOR_NAMESPACES);
        _exit(0);
    }
    int eno = errno;
    close(pair[1]);
    close(names_sock);
    close(sup.main_sock);
    if (pid < 0)
        err_layer(&err, "user", eno, "cannot make a user namespace");
    else if (failpoint(FP_user_map))
        err_layer(&err, "user", errno, "cannot map the user");
    else if (uidrange_map(&sup.uids, pid, &err) == 0 && check_layers(&err) == 0)
        send(pair[0], &sup.uids, sizeof sup.uids, MSG_NOSIGNAL);
    close(pair[0]);
    if (err.fault != ERR_NONE)
        refuse(&err);
    close(refuse_sock);
    if (pid > 0)
        waitpid(pid, NULL, 0);
}

/* The owner of the engine's cgroups: the supervisor, which is root if there is no user
 * namespace. */
static uid_t owner(void) {
    return ablation_mask() & LAYER_BIT(LAYER_USER) ? geteuid() : uidrange_owner(&sup.uids);
}

static int receive_hello(struct ctl_hello *hello) {
    size_t nfds = 1;
    ssize_t n = packet_recv(sup.main_sock, hello, sizeof *hello, &names_sock, &nfds, 0);
    uint32_t type = nfds == 1 ? CTL_HELLO : CTL_LAUNCHER;
    if (n != sizeof *hello || hello->head.type != type || hello->version != CTL_VERSION)
        return -EPROTO;
    hello->guest_dir[sizeof hello->guest_dir - 1] = 0;
    return 0;
}

/* The kernel also counts pending signals, and timers, for the owners of user namespaces, up to the
 * user who started us; and a namespace may have as many as its maker has when it is made. We leave
 * half of them to the caller's other programs, and divide the rest among all supervisors. */
static void divide_signals(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_SIGPENDING, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        limit.rlim_cur /= 2 * sup.count;
        setrlimit(RLIMIT_SIGPENDING, &limit);
    }
}

/* Takes ids and cgroups. */
static int take_share(struct retort_error *err) {
    int r = failpoint(FP_uid_range) ? err_layer(err, "uid", errno, "cannot find host ids")
                                    : uidrange_acquire(&sup.uids, err);
    if (r < 0)
        return r;
    r = failpoint(FP_cgroup_root) ? err_layer(err, "cgroup", errno, "cannot use cgroups")
                                  : cgroup_root_open(&sup.cgroups, owner(), sup.count, err);
    return r < 0 ? r : check_layers(err);
}

static void tell_layers(void) {
    struct ctl_stands stands = {{CTL_STANDS, sizeof stands}, soft_layers()};
    packet_send(sup.main_sock, &stands, sizeof stands, NULL, 0);
}

static int be_pair(const struct ctl_hello *hello) {
    struct retort_error err = ERR_INIT;
    sup.count = hello->count;
    divide_signals();
    sup.pool = hello->pool;
    needs = hello->needs;
    with_home = hello->home;
    snprintf(guest_dir, sizeof guest_dir, "%s/guest", hello->guest_dir);
    int r = take_share(&err);
    if (r == 0 && hello->tell)
        tell_layers();
    if (r == 0 && (r = build_filters()) < 0)
        err_layer(&err, "seccomp", -r, "cannot build the system call filter");
    refuse_sock = fcntl(MAIN_SOCK, F_DUPFD_CLOEXEC, 4);
    if (r < 0)
        refuse(&err);
    else if (sup.uids.mode == UIDS_ROOT)
        keep(SUPERVISOR_NAMESPACES | CLONE_NEWUSER);
    else
        keep_as_user();
    if (sup.cgroups.version)
        cgroup_root_remove(&sup.cgroups);
    return r < 0;
}

int main(void) {
    struct ctl_hello hello;
    ablation_configure();
    failpoint_configure();
    overlook_configure();
    prctl(PR_SET_NAME, "retort-supervisor"); /* a launcher runs it under another name */
    umask(0);                                /* so that modes are as written here, whoever called */
    fcntl(MAIN_SOCK, F_SETFD, FD_CLOEXEC);
    close_range(MAIN_SOCK + 1, ~0U, 0);
    descriptors_raise();
    if (receive_hello(&hello) < 0)
        return 1;
    hello.count = hello.count ? hello.count : 1;
    if (hello.head.type == CTL_LAUNCHER) {
        launcher_serve(sup.main_sock, &hello);
        return 0;
    }
    return be_pair(&hello);
}
