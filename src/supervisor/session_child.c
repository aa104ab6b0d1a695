/* The first process of a session: joins its cgroup, builds its root, forks a cold interpreter if
 * there is no zygote, locks itself in and becomes init.
 *
 * Everything here runs between clone and exec: no allocation, no return. Failures go to the
 * supervisor as a struct retort_error on the socket that was to become init's. No guest code can run before
 * the last line of interpreter().
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/unconst.h"
#include "sandbox/ablation/ablation.h"
#include "sandbox/ablation/failpoint.h"
#include "sandbox/devices.h"
#include "sandbox/lockdown.h"
#include "sandbox/namespaces.h"
#include "sandbox/netns.h"
#include "sandbox/quota.h"
#include "sandbox/rootfs.h"
#include "supervisor/session.h"
#include "supervisor/session_child.h"
#include "supervisor/sockets.h"
#include "supervisor/variables.h"

#define MAX_VARIABLES 512

int child_quota(const struct session *s) {
    int quota = s->birth.quota;
    return quota >= 0 ? quota : open(QUOTA_DIR, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* A session makes no namespaces of its own: the guest's filter forbids it, and so do these limits.
 * A kernel may lack a kind of namespace, but not the user namespace, in which we are. */
static int forbid_namespaces(int quota, struct retort_error *err) {
    for (size_t i = 0; i < NAMESPACE_NAMES; i++) {
        char path[64];
        snprintf(path, sizeof path, "max_%s_namespaces", namespace_kinds[i].name);
        int r = failpoint(FP_forbid_namespaces) ? -errno : write_file_at(quota, path, "0");
        if (r < 0 && (r != -ENOENT || namespace_kinds[i].layer == LAYER_USER))
            return err_layer(err, "user", -r, "cannot forbid further namespaces");
    }
    return 0;
}

/* The kernel also counts these for the owners of user namespaces, up to the host, where all
 * sessions are one user: so a session may have far fewer than that user. With the host's device
 * nodes it may have none, because watches on those would show what others do. */
static int limit_watches(const struct session *s, int quota, struct retort_error *err) {
    const char *instances = s->birth.devices >= 0 ? "8" : "0";
    int r = failpoint(FP_limit_watches) ? -errno
                                        : write_file_at(quota, "max_inotify_instances", instances);
    if (r == 0)
        r = write_file_at(quota, "max_inotify_watches", "1024");
    return r < 0 && r != -ENOENT ? err_layer(err, "user", -r, "cannot limit inotify") : 0;
}

static int raise_loopback(struct retort_error *err) {
    int r = failpoint(FP_loopback) ? -errno : netns_raise_loopback();
    return r < 0 ? err_layer(err, "net", -r, "cannot bring up the loopback device") : 0;
}

int child_enter(const struct session *s, int quota, struct retort_error *err) {
    int r = failpoint(FP_join_cgroup) ? -errno
            : cgroup_clone_fd(&s->cgroup) >= 0 && !s->branching.parent
                ? 0
                : cgroup_join_self(&s->cgroup);
    if (r < 0)
        return err_layer(err, "cgroup", -r, "cannot enter the session's cgroup");
    if (failpoint(FP_cgroup_namespace) || (s->cgroup.root && unshare(CLONE_NEWCGROUP) < 0))
        return err_layer(err, "cgroup", errno, "cannot make a cgroup namespace");
    if (s->layers & LAYER_BIT(LAYER_USER) &&
        (failpoint(FP_become_user) || setresgid(GUEST_UID, GUEST_UID, GUEST_UID) < 0 ||
         setresuid(GUEST_UID, GUEST_UID, GUEST_UID) < 0))
        return err_layer(err, "user", errno, "cannot become the session's user");
    if (s->layers & LAYER_BIT(LAYER_UTS) &&
        (failpoint(FP_host_name) || sethostname("retort", 6) < 0 || setdomainname("", 0) < 0))
        return err_layer(err, "uts", errno, "cannot set the host name");
    if (s->layers & LAYER_BIT(LAYER_NET) && s->network.fd < 0 && (r = raise_loopback(err)) < 0)
        return r;
    if (!(s->layers & LAYER_BIT(LAYER_USER)))
        return 0;
    return (r = forbid_namespaces(quota, err)) < 0 ? r : limit_watches(s, quota, err);
}

static void add_variable(char **vars, size_t *count, char *text) {
    size_t name = strcspn(text, "=") + 1;
    for (size_t i = 0; i < *count; i++)
        if (strncmp(vars[i], text, name) == 0) {
            vars[i] = text;
            return;
        }
    if (*count < MAX_VARIABLES)
        vars[(*count)++] = text;
}

/* The published environment, then the caller's; if a name comes twice, the last one wins. */
static void make_environment(const struct session *s, char **vars) {
    size_t count = variables_published(&s->env->env, s->terms.flags, vars);
    char *p = s->birth.env_block, *end = s->birth.env_block + s->birth.env_block_len;
    for (; s->birth.env_block && p < end; p += strlen(p) + 1)
        add_variable(vars, &count, p);
    vars[count] = NULL;
}

/* Before it begins, V8 (from node 24 on) maps half a gigabyte for code, writable, which RLIMIT_DATA
 * counts. So the limit is that much higher until the guest's entry lowers it to `memory` above what
 * is mapped by then; no code of the user has run before. */
#define NODE_RESERVES (1ull << 30)

static uint64_t data_limit(const struct session *s, uint32_t language) {
    if (s->cgroup.root)
        return 0;
    return s->terms.limits.memory +
           (interpreter_rows[language].kind == LANG_JAVASCRIPT ? NODE_RESERVES : 0);
}

/* Tells node about a memory limit that no cgroup enforces. */
static size_t node_limits(const struct session *s, char **argv) {
    static char memory[24];
    snprintf(memory, sizeof memory, "%llu", (unsigned long long)s->terms.limits.memory);
    argv[0] = "--require";
    argv[1] = "/opt/retort/node/workers.js";
    argv[2] = "/opt/retort/node/run.js";
    argv[3] = memory;
    return 4;
}

static void make_command(const struct session *s, uint32_t language, char *named, char **argv) {
    enum language kind = interpreter_rows[language].kind;
    size_t n = 0;
    argv[n++] = named[0] ? named : unconst(interpreter_rows[language].program);
    /* Without the site module (-S) it starts in half the time; the guest loads that module later. */
    if (kind == LANG_PYTHON && !named[0])
        argv[n++] = "-S";
    /* An interrupt ends JavaScript anywhere; node would then take its stack of asynchronous calls
     * for corrupt. */
    if (kind == LANG_JAVASCRIPT)
        argv[n++] = "--no-force-async-hooks-checks";
    if (kind == LANG_JAVASCRIPT && data_limit(s, language))
        n += node_limits(s, argv + n);
    else
        argv[n++] = unconst(interpreter_rows[language].guest);
    if (language == LANG_JAVASCRIPT && s->pool.making)
        argv[n++] = "ahead"; /* it has time to load what cells will need */
    argv[n] = NULL;
}

/* A program too long for an argument is read from its descriptor, as number 3, in place of the
 * channel, which a program does not get. */
#define MAX_ARGUMENT (120u << 10)

static int take_program(char **argv) {
    static char code[MAX_ARGUMENT + 1];
    char go;
    int fd = -1;
    size_t nfds = 1;
    if (packet_recv(4, &go, 1, &fd, &nfds, 0) != 1 || (nfds != 1 && go != 'l'))
        _exit(1); /* the session ended before the program began */
    if (go == 'l')
        return 0;
    ssize_t n = pread(fd, code, sizeof code, 0);
    if (failpoint(FP_long_script) || n < 0)
        return -1;
    bool fits = (size_t)n < sizeof code;
    code[fits ? n : 0] = 0;
    argv[1] = fits ? "-c" : "/dev/fd/3";
    argv[2] = fits ? code : NULL;
    argv[3] = NULL;
    if (!fits && dup2(fd, 3) < 0)
        return -1;
    close(fd);
    return fits ? close(3) : 0;
}

/* A session with the caller's uid shares with him the count of descriptors in flight in sockets;
 * the kernel lets a sender send no more once that exceeds what he may have open. With half of the
 * usual 1,024 (and the 253 of one message), the caller's programs notice nothing. */
#define SHARED_OPEN_FILES 512

unsigned session_open_files(const struct session *s) {
    unsigned asked = s->terms.limits.open_files;
    return s->uid || asked < SHARED_OPEN_FILES ? asked : SHARED_OPEN_FILES;
}

/* If a cgroup limits processes, it must refuse first, because only its refusals are counted. */
static struct lockdown guest_lock(const struct session *s, uint32_t language) {
    unsigned pids = s->terms.limits.pids + CGROUP_OWN_TASKS;
    return (struct lockdown){.role = LOCK_GUEST,
                             .skip = s->skip,
                             .pids = s->cgroup.root ? 2 * pids : pids,
                             .open_files = session_open_files(s),
                             .data = data_limit(s, language),
                             .filter = sup.guest.code,
                             .filter_len = sup.guest.len};
}

static _Noreturn void run_interpreter(uint32_t language, char **argv, char **vars) {
    struct retort_error err = ERR_INIT;
    if (!failpoint(FP_exec_interpreter))
        execve(argv[0], argv, vars);
    const struct interpreter_row *row = &interpreter_rows[language];
    char package[80] = "";
    int why = errno;
    if (strcmp(argv[0], row->program) == 0)
        snprintf(package, sizeof package, " (package %s)", row->package);
    bool callers = why == ENOENT || why == EACCES || why == ENOEXEC;
    err_errno(&err, callers ? ERR_CALLER : ERR_HOST, why, "cannot run the interpreter %s%s",
              argv[0], package);
    lockdown_give_up(4, &err);
}

static _Noreturn void interpreter(const struct session *s, int setup) {
    static char *vars[MAX_VARIABLES + 1], *argv[8];
    struct retort_error err = ERR_INIT;
    bool bash = s->terms.language == LANG_BASH;
    make_environment(s, vars);
    make_command(s, s->terms.language, unconst(s->env->env.interpreter), argv);
    if (lockdown_descriptors(s->birth.guest[1], s->birth.guest[2], s->birth.guest[0], setup, &err) <
        0)
        lockdown_give_up(setup, &err);
    struct lockdown lock = guest_lock(s, s->terms.language);
    lock.inherited = true;
    lock.filter = sup.delta.code;
    lock.filter_len = sup.delta.len;
    if (lockdown_apply(&lock, &err) < 0)
        lockdown_give_up(4, &err);
    if (send(4, "l", 1, MSG_NOSIGNAL) != 1)
        _exit(1);
    /* The other interpreters wait for their first frame. */
    if (bash && take_program(argv) < 0) {
        err_errno(&err, ERR_HOST, errno, "cannot pass the program");
        lockdown_give_up(4, &err);
    }
    run_interpreter(s->terms.language, argv, vars);
}

_Noreturn void companion_child_main(const struct session *s, const struct ctl_start *start,
                                    const int guest[3], int setup) {
    static char *vars[MAX_VARIABLES + 1], *argv[8];
    struct retort_error err = ERR_INIT;
    int r = cgroup_join_self(&s->cgroup);
    if (r < 0) {
        err_layer(&err, "cgroup", -r, "cannot enter the session's cgroup");
        lockdown_give_up(setup, &err);
    }
    if (setns(s->pid1.pidfd, (int)namespace_flags(s->layers & ~LAYER_BIT(LAYER_PID))) < 0 ||
        chdir("/work") < 0) {
        err_layer(&err, "user", errno, "cannot enter the session's namespaces");
        lockdown_give_up(setup, &err);
    }
    if (start->language == LANG_SERVICES && !devices_have_terminals())
        devices_terminals(); /* if this fails, a program that asks for a terminal is told */
    make_environment(s, vars);
    make_command(s, start->language, unconst(start->interpreter), argv);
    if (lockdown_descriptors(guest[1], guest[2], guest[0], setup, &err) < 0)
        lockdown_give_up(setup, &err);
    struct lockdown lock = guest_lock(s, start->language);
    if (lockdown_apply(&lock, &err) < 0)
        lockdown_give_up(4, &err);
    run_interpreter(start->language, argv, vars);
}

/* The locks that init and a cold interpreter share. Their filter is that of zygotes: init needs
 * PR_SET_DUMPABLE, and the interpreter adds the small rest of the guest's filter. If a zygote forks
 * the interpreter, init has a filter of its own. */
int child_lock(const struct session *s, struct retort_error *err) {
    struct lockdown lock = guest_lock(s, s->terms.language);
    lock.role = LOCK_INIT;
    lock.data = 0;
    lock.filter = s->warm ? sup.init.code : sup.zygote.code;
    lock.filter_len = s->warm ? sup.init.len : sup.zygote.len;
    return lockdown_apply(&lock, err);
}

_Noreturn void child_become_init(const struct session *s, int init_sock) {
    struct retort_error err = ERR_INIT;
    if (lockdown_descriptors(-1, -1, init_sock, -1, &err) < 0)
        lockdown_give_up(init_sock, &err);
    if (s->warm && child_lock(s, &err) < 0)
        lockdown_give_up(3, &err);
    char *argv[] = {"init", NULL}, *vars[] = {NULL};
    if (!failpoint(FP_exec_init))
        execve("/opt/retort/init", argv, vars);
    err_errno(&err, ERR_HOST, errno, "cannot run init");
    lockdown_give_up(3, &err);
}

/* While we share the supervisor's table, this is the only thing we may do. */
static void have_own_descriptors(bool shared, int init_sock) {
    struct retort_error err = ERR_INIT;
    if (!failpoint(FP_own_descriptors) &&
        (!shared || close_range(LOW_DESCRIPTORS, ~0U, CLOSE_RANGE_UNSHARE) == 0))
        return;
    err_errno(&err, ERR_HOST, errno, "cannot have descriptors of its own");
    lockdown_give_up(init_sock, &err);
}

_Noreturn void session_child_main(const struct session *s, int init_sock) {
    struct retort_error err = ERR_INIT;
    char go;
    have_own_descriptors(s->birth.nest >= 0, init_sock);
    if (recv(init_sock, &go, 1, 0) != 1)
        _exit(1);
    /* So that object ids repeat; if it fails, they just do not. */
    if (s->terms.flags & CREATE_DETERMINISTIC)
        personality(ADDR_NO_RANDOMIZE);
    if (child_enter(s, child_quota(s), &err) < 0)
        lockdown_give_up(init_sock, &err);
    struct rootfs_plan plan = {.environment = s->env->id,
                               .env = &s->env->env,
                               .disk = s->terms.limits.disk,
                               .inodes = s->terms.limits.inodes,
                               .devices = s->birth.devices};
    if ((s->layers & LAYER_BIT(LAYER_MOUNT) ? rootfs_enter(&plan, &err) < 0 : chdir("/work") < 0) ||
        (!s->warm && child_lock(s, &err) < 0))
        lockdown_give_up(init_sock, &err);
    if (s->birth.guest[0] >= 0 && !s->warm) {
        pid_t pid = failpoint(FP_fork_interpreter) ? -1 : fork();
        if (pid < 0) {
            err_errno(&err, ERR_HOST, errno, "cannot fork the interpreter");
            lockdown_give_up(init_sock, &err);
        }
        if (pid == 0)
            interpreter(s, s->interp.setup.fd);
    }
    child_become_init(s, init_sock);
}
