/* Finding the hierarchies in the kernel's text, for hosts of every kind; and, on this host as far
 * as its user may, real cgroups with real members. */
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>

#include "as_supervisor.h"
#include "base/io.h"
#include "base/scope.h"
#include "engine/parts/measure.h"
#include "sandbox/cgroup/cgroup_find.h"

/* Finding */

static void finds(const char *cgroup, const char *mounts, const char *controller,
                  const char *expected, size_t expected_top) {
    char path[256] = "";
    size_t top = 0;
    assert_int_equal(cgroup_find(cgroup, mounts, controller, path, sizeof path, &top), 0);
    assert_string_equal(path, expected);
    assert_int_equal(top, expected_top);
}

static int find_fails(const char *cgroup, const char *mounts, const char *controller) {
    char path[256];
    return cgroup_find(cgroup, mounts, controller, path, sizeof path, NULL);
}

#define PROC "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
#define V2 PROC "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"

static void pure_version_2(void **state) {
    (void)state;
    finds("0::/\n", V2, NULL, "/sys/fs/cgroup", 14);
    finds("0::/system.slice/retort.service\n", V2, NULL,
          "/sys/fs/cgroup/system.slice/retort.service", 14);
    assert_int_equal(find_fails("0::/\n", V2, "memory"), -ENOENT);
}

static void systemd_user_slice(void **state) {
    (void)state;
    finds("0::/user.slice/user-1000.slice/user@1000.service/app.slice/term:1.scope\n", V2, NULL,
          "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/term:1.scope", 14);
}

#define HYBRID                                                                                  \
    PROC "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"                           \
         "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:4 - cgroup cgroup rw,cpu,cpuacct\n" \
         "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"                    \
         "40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd\n"       \
         "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
#define HYBRID_OWN "9:name=systemd:/init\n4:memory:/a/b\n2:cpu,cpuacct:/\n0::/init\n"

static void hybrid(void **state) {
    (void)state;
    finds(HYBRID_OWN, HYBRID, "memory", "/sys/fs/cgroup/memory/a/b", 21);
    finds(HYBRID_OWN, HYBRID, "cpuacct", "/sys/fs/cgroup/cpu,cpuacct", 26);
    finds(HYBRID_OWN, HYBRID, NULL, "/sys/fs/cgroup/unified/init", 22);
    assert_int_equal(find_fails(HYBRID_OWN, HYBRID, "pids"), -ENOENT);
    assert_int_equal(find_fails(HYBRID_OWN, HYBRID, "systemd"), -ENOENT);
}

static void container_with_a_namespace(void **state) {
    (void)state;
    finds("0::/\n", V2, NULL, "/sys/fs/cgroup", 14);
    /* The host's mount, seen from a cgroup namespace; and a process moved out of its namespace. */
    const char *host = PROC "30 23 0:26 /../.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
    assert_int_equal(find_fails("0::/\n", host, NULL), -EXDEV);
    assert_int_equal(find_fails("0::/../sibling\n", V2, NULL), -EXDEV);
}

static void container_without_a_namespace(void **state) {
    (void)state;
    const char *mounts =
        PROC "40 31 0:32 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
    finds("4:memory:/docker/abc\n", mounts, "memory", "/sys/fs/cgroup/memory", 21);
    finds("4:memory:/docker/abc/x\n", mounts, "memory", "/sys/fs/cgroup/memory/x", 21);
    assert_int_equal(find_fails("4:memory:/docker/abcd\n", mounts, "memory"), -EXDEV);
    assert_int_equal(find_fails("4:memory:/\n", mounts, "memory"), -EXDEV);
}

static void odd_texts(void **state) {
    (void)state;
    finds("0::/x\n", "1 2 0:3 / /mnt/a\\040b rw - cgroup2 none rw\n", NULL, "/mnt/a b/x", 8);
    finds("0::/x", "1 2 0:3 / /c rw - cgroup2 none rw", NULL, "/c/x", 2);
    assert_int_equal(find_fails("", V2, NULL), -ENOENT);
    assert_int_equal(find_fails("0::\n", V2, NULL), -ENOENT);
    assert_int_equal(find_fails("0::/\n", "", NULL), -ENOENT);
    assert_int_equal(find_fails("0::/\n", "1 2 0:3 / /c", NULL), -ENOENT);
    char small[8];
    assert_int_equal(cgroup_find("0::/x\n", V2, NULL, small, sizeof small, NULL), -ENAMETOOLONG);
}

static void lists(void **state) {
    (void)state;
    assert_true(cgroup_listed("cpuset cpu io memory pids\n", "memory"));
    assert_true(cgroup_listed("rw,memory", "memory"));
    assert_false(cgroup_listed("memory_recursiveprot hugetlb\n", "memory"));
    assert_false(cgroup_listed("", "memory"));
}

/* Real ones */

static bool watched; /* somebody looks at every directory of ours as soon as it is there */

/* In place of libc's. */
int flock(int fd, int operation) {
    static unsigned calls;
    char link[64], path[PATH_MAX] = "", ours[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    snprintf(ours, sizeof ours, "/retort-%d-", (int)getpid());
    if (watched && readlink(link, path, sizeof path - 1) > 0 && strstr(path, ours) &&
        calls++ % 2 == 0) {
        errno = EWOULDBLOCK;
        return -1;
    }
    return (int)syscall(SYS_flock, fd, operation);
}

#define MIB (1ull << 20)
static const struct limits small_limits = {.memory = 16 * MIB, .disk = MIB, .pids = 12};

static void pause_ms(long ms) {
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* The steps, one after the other. */
static int kill_except(const struct cgroup *cg, const pid_t *keep, size_t nkeep) {
    struct kill k = KILL_INIT;
    int r;
    while ((r = cgroup_kill_step(cg, keep, nkeep, &k)) == -EAGAIN)
        pause_ms(1);
    return r;
}

static bool freeze(const struct cgroup *cg) {
    int r = cgroup_freeze(cg, true);
    for (int i = 0; r == 0 && i < 5000 && !cgroup_is_frozen(cg); i++)
        pause_ms(1);
    return r == 0 && cgroup_is_frozen(cg);
}

static int remove_cgroup(struct cgroup *cg) {
    int r;
    for (int i = 0; (r = cgroup_remove(cg)) == -EBUSY && i < 5000; i++)
        pause_ms(1);
    return r;
}

static pid_t member(const struct cgroup *cg, void (*work)(void)) {
    pid_t pid = fork();
    if (pid == 0) {
        if (cgroup_join_self(cg) < 0)
            _exit(99);
        close_range(3, ~0u, 0); /* as every session does; the engine's locks are among them */
        work();
        _exit(0);
    }
    return pid;
}

static int status_of(pid_t pid) {
    int status;
    return waitpid(pid, &status, 0) == pid ? status : -1;
}

static void touch(size_t bytes) {
    char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        _exit(98);
    for (size_t i = 0; i < bytes; i += 4096)
        *(volatile char *)(p + i) = 1;
}

static int64_t cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* 12 MiB, and 50 ms from now on: what the process took before it joined is not the cgroup's. */
static void use_some(void) {
    int64_t from = cpu_ns();
    touch(12 * MIB);
    while (cpu_ns() - from < 50000000)
        continue;
}

static void use_too_much(void) {
    touch(400 * MIB);
}

static void wait_for_ever(void) {
    for (;;)
        pause();
}

static void fork_until_refused(void) {
    for (int i = 0; i < 100; i++) {
        pid_t pid = fork();
        if (pid == 0)
            wait_for_ever();
        if (pid < 0)
            _exit(errno == EAGAIN ? 0 : 97);
    }
    _exit(96);
}

/* Ignores what can be ignored, leaves its session, and forks on and on. */
static void hydra(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    setsid();
    for (;;) {
        if (fork() == 0)
            setsid();
        pause_ms(1);
    }
}

static volatile unsigned *counter;

static void count_on(void) {
    for (;;) {
        ++*counter;
        pause_ms(1);
    }
}

static const char *measure(struct cgroup *cg, struct measure *ret) {
    int fds[CREATED_MEASURES];
    EXPECT(cgroup_measures(cg, fds) == 0);
    EXPECT(measure_read(cg->root->version, fds, ret) == 0);
    EXPECT(cgroup_processes(cg) == (int)ret->tasks);
    return NULL;
}

static const char *measuring(struct cgroup_root *root) {
    struct cgroup cg;
    struct measure before, m;
    EXPECT(cgroup_make(root, 1, &small_limits, &cg, NULL) == 0);
    const char *failed = measure(&cg, &before);
    EXPECT(!failed);
    EXPECT(status_of(member(&cg, use_some)) == 0);
    failed = measure(&cg, &m);
    EXPECT(!failed);
    m = measure_since(&before, &m);
    EXPECT(m.cpu_us >= 50000);
    EXPECT(m.oom_kills == 0 && m.pids_denied == 0);
    EXPECT(cg.peak < 0 || (m.peak_bytes >= 12 * MIB && m.peak_bytes < 49 * MIB));
    EXPECT(remove_cgroup(&cg) == 0);
    return NULL;
}

static const char *memory_limit(struct cgroup_root *root) {
    struct cgroup cg;
    struct measure m;
    EXPECT(cgroup_make(root, 1, &small_limits, &cg, NULL) == 0);
    int status = status_of(member(&cg, use_too_much));
    EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    const char *failed = measure(&cg, &m);
    EXPECT(!failed);
    EXPECT(m.oom_kills == 1);
    /* More is allowed, then less again. */
    struct limits large = {.memory = 480 * MIB, .disk = MIB, .pids = 12};
    EXPECT(cgroup_relimit(&cg, &large) == 0);
    EXPECT(status_of(member(&cg, use_too_much)) == 0);
    EXPECT(cgroup_relimit(&cg, &small_limits) == 0);
    EXPECT(WIFSIGNALED(status_of(member(&cg, use_too_much))));
    EXPECT(cgroup_relimit(&cg, &(struct limits){.pids = 1, .disk = 1}) == -EINVAL);
    struct limits huge = {.memory = UINT64_MAX, .disk = UINT64_MAX, .pids = UINT32_MAX};
    EXPECT(cgroup_relimit(&cg, &huge) == 0);
    EXPECT(remove_cgroup(&cg) == 0);
    return NULL;
}

static const char *pids_limit(struct cgroup_root *root) {
    struct cgroup cg;
    struct measure m;
    EXPECT(cgroup_make(root, 1, &small_limits, &cg, NULL) == 0);
    EXPECT(status_of(member(&cg, fork_until_refused)) == 0);
    const char *failed = measure(&cg, &m);
    EXPECT(!failed);
    EXPECT(m.pids_denied == 1);
    EXPECT(cgroup_processes(&cg) == 12 + CGROUP_OWN_TASKS - 1);
    EXPECT(kill_except(&cg, NULL, 0) == 12 + CGROUP_OWN_TASKS - 1);
    EXPECT(cgroup_processes(&cg) == 0);
    EXPECT(remove_cgroup(&cg) == 0);
    return NULL;
}

static const char *freezing(struct cgroup_root *root) {
    struct cgroup cg;
    counter = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT(cgroup_make(root, 1, &small_limits, &cg, NULL) == 0);
    pid_t pid = member(&cg, count_on);
    while (*counter == 0)
        pause_ms(1);
    EXPECT(freeze(&cg));
    unsigned seen = *counter;
    pause_ms(30);
    EXPECT(*counter == seen);
    EXPECT(cgroup_freeze(&cg, false) == 0);
    for (int i = 0; i < 5000 && *counter == seen; i++)
        pause_ms(1);
    EXPECT(*counter > seen);
    EXPECT(kill_except(&cg, NULL, 0) == 1);
    EXPECT(WIFSIGNALED(status_of(pid)));
    EXPECT(remove_cgroup(&cg) == 0);
    return NULL;
}

static const char *killing(struct cgroup_root *root) {
    struct cgroup cg;
    EXPECT(cgroup_make(root, 1, &small_limits, &cg, NULL) == 0);
    pid_t keep[] = {member(&cg, wait_for_ever), member(&cg, wait_for_ever)};
    pid_t wild = member(&cg, hydra);
    for (int i = 0; i < 5000 && cgroup_processes(&cg) < 8; i++)
        pause_ms(1);
    EXPECT(kill_except(&cg, keep, 2) >= 6);
    EXPECT(cgroup_processes(&cg) == 2);
    /* The kernel counts a task until it is wholly gone, which is a moment after its death. */
    for (int i = 0; i < 5000 && cgroup_tasks(&cg) > 2; i++)
        pause_ms(1);
    EXPECT(cgroup_tasks(&cg) == 2);
    EXPECT(WIFSIGNALED(status_of(wild)));
    EXPECT(waitpid(keep[0], NULL, WNOHANG) == 0 && waitpid(keep[1], NULL, WNOHANG) == 0);
    EXPECT(kill_except(&cg, keep, 2) == 0);
    EXPECT(kill_except(&cg, keep, 1) == 1);
    EXPECT(status_of(keep[1]) == SIGKILL);
    EXPECT(kill_except(&cg, NULL, 0) == 1);
    EXPECT(status_of(keep[0]) == SIGKILL);
    EXPECT(remove_cgroup(&cg) == 0);
    return NULL;
}

static bool rests(const struct cgroup *cg) {
    bool closed = cg->clone_fd < 0;
    for (int i = 0; i < CGROUP_CONTROLLERS; i++)
        closed = closed && cg->join[i] < 0;
    for (int i = 0; i < CREATED_MEASURES; i++)
        closed = closed && cg->measure[i] < 0;
    return closed;
}

static const char *resting(struct cgroup_root *root) {
    struct cgroup cg;
    struct measure used;
    int fds[CGROUP_CONTROLLERS];
    EXPECT(cgroup_make(root, 1, &small_limits, &cg, NULL) == 0);
    const char *failed = measure(&cg, &used);
    EXPECT(!failed && !rests(&cg));
    cgroup_rest(&cg);
    EXPECT(rests(&cg));
    EXPECT(status_of(member(&cg, use_some)) == 0 && rests(&cg));
    failed = measure(&cg, &used);
    EXPECT(!failed && used.cpu_us > 0);
    cgroup_rest(&cg);
    int r = cgroup_recycle(&cg, NULL); /* the next session finds all that it needs */
    EXPECT(r == 0 || r == -EOPNOTSUPP);
    for (size_t i = 0, n = cgroup_joinable(&cg, fds); i < n; i++)
        EXPECT(fds[i] >= 0);
    EXPECT(root->version == 1 || cgroup_clone_fd(&cg) >= 0);
    EXPECT(remove_cgroup(&cg) == 0);
    return NULL;
}

static const char *using_again(struct cgroup_root *root) {
    struct cgroup cg, other;
    struct measure first, second;
    EXPECT(cgroup_make(root, 1, &small_limits, &cg, NULL) == 0);
    EXPECT(cgroup_make(root, 1, &small_limits, &other, NULL) == -EEXIST);
    EXPECT(status_of(member(&cg, use_some)) == 0);
    const char *failed = measure(&cg, &first);
    EXPECT(!failed);
    pid_t pid = member(&cg, wait_for_ever);
    for (int i = 0; i < 5000 && cgroup_processes(&cg) == 0; i++)
        pause_ms(1);
    EXPECT(cgroup_recycle(&cg, &small_limits) == -EBUSY);
    EXPECT(kill_except(&cg, NULL, 0) == 1 && status_of(pid) == SIGKILL);
    int r = cgroup_recycle(&cg, &small_limits);
    EXPECT(r == 0 || (r == -EOPNOTSUPP && cgroup_reset_peak(&cg) == -EOPNOTSUPP));
    failed = measure(&cg, &second);
    EXPECT(!failed);
    EXPECT(cgroup_reset_peak(&cg) == -EOPNOTSUPP || second.peak_bytes < first.peak_bytes);
    EXPECT(remove_cgroup(&cg) == 0 && remove_cgroup(&cg) == 0);
    EXPECT(cgroup_make(root, 1, &small_limits, &cg, NULL) == 0);
    EXPECT(remove_cgroup(&cg) == 0);
    return NULL;
}

/* Leaves without clearing up: the keeper must do it, a frozen member included. */
static const char *leaving_a_mess(struct cgroup_root *root) {
    struct cgroup cg;
    counter = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT(cgroup_make(root, 7, &small_limits, &cg, NULL) == 0);
    member(&cg, count_on);
    for (int i = 0; i < 5000 && *counter == 0; i++)
        pause_ms(1);
    EXPECT(freeze(&cg));
    return NULL;
}

static const char *closing(struct cgroup_root *root) {
    struct cgroup cg;
    EXPECT(cgroup_make(root, 1, &small_limits, &cg, NULL) == 0);
    int dir = dup(root->dir[0]);
    EXPECT(faccessat(dir, "1", F_OK, 0) == 0);
    cgroup_root_close(root);
    EXPECT(root->version == 0 && root->ndirs == 0);
    /* Its own directory may have to wait for somebody with more rights. */
    EXPECT(faccessat(dir, "1", F_OK, 0) < 0);
    return NULL;
}

static int version;

static int probe(void **state) {
    (void)state;
    /* A child asks, because opening moves the caller. */
    pid_t pid = fork();
    if (pid == 0) {
        struct cgroup_root root;
        if (cgroup_root_open(&root, geteuid(), 1, NULL) < 0)
            _exit(9);
        int v = root.version;
        if (!v && !root.why[0])
            _exit(8);
        if (!v)
            print_message("no cgroups here: %s\n", root.why);
        cgroup_root_close(&root);
        _exit(v);
    }
    int status = status_of(pid);
    version = WEXITSTATUS(status);
    return !WIFEXITED(status) || version > 2;
}

static void live(void **state) {
    if (!version)
        skip();
    as_supervisor((supervisor_body *)*state);
}

/* Without any, everything is allowed and nothing is done. */
static void none_is_no_error(void **state) {
    (void)state;
    struct cgroup_root root = {.version = 0};
    struct cgroup cg;
    assert_int_equal(cgroup_make(&root, 1, &small_limits, &cg, NULL), 0);
    assert_int_equal(cgroup_join_self(&cg), 0);
    assert_int_equal(cgroup_clone_fd(&cg), -1);
    assert_int_equal(cgroup_freeze(&cg, true), -EOPNOTSUPP);
    assert_int_equal(kill_except(&cg, NULL, 0), -EOPNOTSUPP);
    assert_int_equal(cgroup_remove(&cg), 0);
}

/* An engine that was killed together with its keeper: the next one clears up. */
static void the_dead_are_swept(void **state) {
    (void)state;
    if (!version)
        skip();
    int names[2];
    assert_int_equal(pipe(names), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct cgroup_root root;
        if (cgroup_root_open(&root, geteuid(), 1, NULL) < 0 || leaving_a_mess(&root) ||
            write(names[1], root.name, sizeof root.name) < 0)
            _exit(1);
        raise(SIGKILL);
    }
    assert_int_equal(status_of(pid), SIGKILL);
    struct cgroup_root next;
    char name[sizeof next.name];
    assert_int_equal(read(names[0], name, sizeof name), sizeof name);
    assert_int_equal(cgroup_root_open(&next, geteuid(), 1, NULL), 0);
    for (unsigned n = 0; n < next.ndirs; n++)
        assert_int_equal(faccessat(next.parent[n], name, F_OK, 0), -1);
    /* One that lives is left alone. */
    pid = fork();
    if (pid == 0) {
        struct cgroup_root third;
        int r = cgroup_root_open(&third, geteuid(), 1, NULL);
        cgroup_root_close(&third);
        _exit(r != 0);
    }
    assert_int_equal(status_of(pid), 0);
    assert_int_equal(faccessat(next.parent[0], next.name, F_OK, 0), 0);
    assert_int_equal(cgroup_root_remove(&next), 0);
}

static unsigned directories_of(int parent, const char *begin) {
    scoped_dir d = opendir_at(parent, ".");
    unsigned count = 0;
    for (struct dirent *e; d && (e = readdir(d));)
        count += strncmp(e->d_name, begin, strlen(begin)) == 0;
    return count;
}

/* Who holds the lock of a new directory for a moment, to see whether its engine lives, neither takes
 * cgroups from that engine nor makes it leave directories behind. */
static const char *begin_watched(void) {
    struct cgroup_root root;
    char ours[32];
    snprintf(ours, sizeof ours, "retort-%d-", (int)getpid());
    watched = true;
    EXPECT(cgroup_root_open(&root, geteuid(), 1, NULL) == 0 && root.version == version);
    watched = false;
    for (unsigned n = 0; n < root.ndirs; n++)
        EXPECT(directories_of(root.parent[n], ours) == 1);
    EXPECT(cgroup_root_remove(&root) == 0);
    return NULL;
}

static void who_looks_does_no_harm(void **state) {
    (void)state;
    if (!version)
        skip();
    pid_t pid = fork();
    if (pid == 0) {
        const char *failed = begin_watched();
        if (failed)
            print_error("%s\n", failed);
        _exit(failed != NULL);
    }
    assert_int_equal(status_of(pid), 0);
}

/* Whether an engine that begins here gets its directory in the service. */
static bool begins_in(int dir) {
    struct cgroup_root inner;
    struct stat ours, parent;
    bool fine = cgroup_root_open(&inner, geteuid(), 1, NULL) == 0 && inner.version == 2 &&
                fstat(dir, &ours) == 0 && fstat(inner.parent[0], &parent) == 0 &&
                ours.st_ino == parent.st_ino;
    return cgroup_root_remove(&inner) == 0 && fine;
}

#define AT_ONCE 8

/* Engines of one process that begin at the same moment. */
static const char *engines_begin_together(int dir) {
    pid_t pids[AT_ONCE];
    int begin[2];
    char byte;
    EXPECT(pipe(begin) == 0);
    for (int i = 0; i < AT_ONCE; i++)
        if ((pids[i] = fork()) == 0) {
            close(begin[1]);
            (void)!read(begin[0], &byte, 1);
            _exit(!begins_in(dir));
        }
    close(begin[1]);
    close(begin[0]);
    int failed = 0;
    for (int i = 0; i < AT_ONCE; i++)
        failed += status_of(pids[i]) != 0;
    EXPECT(failed == 0);
    return NULL;
}

/* Another engine has moved this one, and not yet the process that started both. */
static const char *one_begins_in_the_leaf(int dir) {
    EXPECT(mkdirat(dir, "retort.callers", 0755) == 0);
    pid_t pid = fork();
    if (pid == 0)
        _exit(write_file_at(dir, "retort.callers/cgroup.procs", "0") < 0 || !begins_in(dir));
    EXPECT(status_of(pid) == 0);
    return NULL;
}

typedef const char *service_body(int dir);

/* A delegated cgroup with nobody in it but engines and their caller, as of a service of systemd's.
 */
static const char *in_a_service(struct cgroup_root *root, const char *service, service_body *body) {
    EXPECT(mkdirat(root->parent[0], service, 0755) == 0);
    scoped_fd dir = openat(root->parent[0], service, O_RDONLY | O_DIRECTORY);
    EXPECT(dir >= 0 && fsetxattr(dir, "user.delegate", "1", 1, 0) == 0);
    EXPECT(write_file_at(dir, "cgroup.procs", "0") == 0);
    const char *failed = body(dir);
    if (failed)
        return failed;
    char text[256];
    EXPECT(read_file_at(AT_FDCWD, "/proc/self/cgroup", text, sizeof text) > 0);
    EXPECT(strstr(text, "/retort.callers\n"));
    return NULL;
}

static void a_service_keeps_its_sessions(void **state) {
    struct cgroup_root root;
    assert_int_equal(cgroup_root_open(&root, geteuid(), 1, NULL), 0);
    char service[32], leaf[64];
    snprintf(service, sizeof service, "test-%d.service", (int)getpid());
    snprintf(leaf, sizeof leaf, "%s/retort.callers", service);
    pid_t pid = fork();
    if (pid == 0) {
        const char *failed = in_a_service(&root, service, (service_body *)*state);
        if (failed)
            print_error("%s\n", failed);
        _exit(failed != NULL);
    }
    int status = status_of(pid);
    assert_int_equal(unlinkat(root.parent[0], leaf, AT_REMOVEDIR), 0);
    assert_int_equal(unlinkat(root.parent[0], service, AT_REMOVEDIR), 0);
    assert_int_equal(cgroup_root_remove(&root), 0);
    assert_int_equal(status, 0);
}

#define LIVE(body) \
    { #body, live, NULL, NULL, (void *)(body) }
#define SERVICE(body) \
    { #body, a_service_keeps_its_sessions, NULL, NULL, (void *)(body) }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pure_version_2),
        cmocka_unit_test(systemd_user_slice),
        cmocka_unit_test(hybrid),
        cmocka_unit_test(container_with_a_namespace),
        cmocka_unit_test(container_without_a_namespace),
        cmocka_unit_test(odd_texts),
        cmocka_unit_test(lists),
        cmocka_unit_test(none_is_no_error),
    };
    const struct CMUnitTest of_real_ones[] = {
        LIVE(measuring),
        LIVE(memory_limit),
        LIVE(pids_limit),
        LIVE(freezing),
        LIVE(killing),
        LIVE(resting),
        LIVE(using_again),
        LIVE(leaving_a_mess),
        LIVE(closing),
        cmocka_unit_test(the_dead_are_swept),
        cmocka_unit_test(who_looks_does_no_harm),
    };
    const struct CMUnitTest only_version_2[] = {SERVICE(engines_begin_together),
                                                SERVICE(one_begins_in_the_leaf)};
    int failed = cmocka_run_group_tests(tests, probe, NULL);
    /* An ordinary user who was given no cgroup has none to test. */
    if (geteuid() == 0 || version)
        failed += cmocka_run_group_tests(of_real_ones, NULL, NULL);
    if (version == 2)
        failed += cmocka_run_group_tests(only_version_2, NULL, NULL);
    return failed;
}
