#include "sandbox/proctree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "sandbox/process.h"

struct stat_line {
    char state;
    uint64_t
        cpu_ticks; /* own user and system time, and those of waited-for children: fields 14 to 17 */
    uint64_t threads; /* field 20 */
};

/* The guest chooses the name in field 2, so we count from its last bracket. */
static bool read_stat(int proc, const char *pid, struct stat_line *ret) {
    char path[32], text[1024];
    snprintf(path, sizeof path, "%s/stat", pid);
    if (read_file_at(proc, path, text, sizeof text) <= 0)
        return false;
    char *p = strrchr(text, ')');
    if (!p || p[1] != ' ' || !p[2])
        return false;
    *ret = (struct stat_line){.state = p[2]};
    p += 3;
    for (int field = 4; field <= 20 && *p; field++) {
        uint64_t v = strtoull(p, &p, 10);
        if (field >= 14 && field <= 17)
            ret->cpu_ticks += v;
        if (field == 20)
            ret->threads = v;
    }
    return true;
}

/* If the first thread has ended it is a zombie, but the process lives as long as another thread
 * does. */
static bool is_dead(const struct stat_line *st) {
    return st->state == 'X' || (st->state == 'Z' && st->threads <= 1);
}

static bool is_member(const struct proctree *tree, int proc, const char *pid) {
    char path[32];
    struct stat st;
    struct stat_line line;
    snprintf(path, sizeof path, "%s/ns/pid", pid);
    return fstatat(proc, path, &st, 0) == 0 && st.st_ino == tree->ino && st.st_dev == tree->dev &&
           read_stat(proc, pid, &line) && !is_dead(&line);
}

int proctree_open(pid_t init, struct proctree *ret_tree) {
    char path[32];
    struct stat st;
    snprintf(path, sizeof path, "/proc/%d/ns/pid", (int)init);
    if (stat(path, &st) < 0)
        return -errno;
    *ret_tree = (struct proctree){.dev = st.st_dev, .ino = st.st_ino};
    return 0;
}

bool proctree_has(const struct proctree *tree, pid_t pid) {
    char path[32];
    struct stat st;
    snprintf(path, sizeof path, "/proc/%d/ns/pid", (int)pid);
    return stat(path, &st) == 0 && st.st_ino == tree->ino && st.st_dev == tree->dev;
}

/* Called for each member. The entry's name is the pid. */
typedef int member_fn(void *data, int proc, const char *pid);

struct pids {
    const pid_t *pids;
    size_t count;
};

static bool has_pid(const struct pids *list, const char *name) {
    pid_t pid = (pid_t)strtol(name, NULL, 10);
    for (size_t i = 0; i < list->count; i++)
        if (list->pids[i] == pid)
            return true;
    return false;
}

static int for_members(const struct proctree *tree, const struct pids *but, member_fn *fn,
                       void *data) {
    scoped_dir d = opendir("/proc");
    if (!d)
        return -errno;
    struct dirent *e;
    while ((e = readdir(d)))
        if (e->d_name[0] >= '1' && e->d_name[0] <= '9' && !has_pid(but, e->d_name) &&
            is_member(tree, dirfd(d), e->d_name)) {
            int r = fn(data, dirfd(d), e->d_name);
            if (r < 0)
                return r;
        }
    return 0;
}

/* Measuring. Leaves out a process that ends meanwhile. */

static uint64_t cpu_of(int proc, const char *pid) {
    struct stat_line line;
    if (!read_stat(proc, pid, &line))
        return 0;
    return line.cpu_ticks * 1000000 / (uint64_t)sysconf(_SC_CLK_TCK);
}

static uint64_t kilobytes(const char *text, const char *key) {
    const char *p = strstr(text, key);
    return p ? strtoull(p + strlen(key), NULL, 10) : 0;
}

/* Reads a file of a living thread, which shows the values of the whole process: files in /proc/PID
 * are those of the first thread, which may have ended. False: there is none. */
static bool read_living(int proc, const char *pid, const char *file, const char *key, char *text,
                        size_t size) {
    char path[64];
    snprintf(path, sizeof path, "%s/%s", pid, file);
    if (read_file_at(proc, path, text, size) > 0 && strstr(text, key))
        return true;
    snprintf(path, sizeof path, "%s/task", pid);
    scoped_dir tasks = opendir_at(proc, path);
    struct dirent *e;
    while (tasks && (e = readdir(tasks))) {
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/task/%.16s/%s", pid, e->d_name, file);
        if (read_file_at(proc, path, text, size) > 0 && strstr(text, key))
            return true;
    }
    return false;
}

/* Counts page tables, too: a page of its own for each page that is touched far from others. */
static uint64_t resident_of(int proc, const char *pid) {
    char text[4096];
    if (!read_living(proc, pid, "status", "\nRssAnon:", text, sizeof text))
        return 0;
    return (kilobytes(text, "\nRssAnon:") + kilobytes(text, "\nRssShmem:") +
            kilobytes(text, "\nVmPTE:"))
           << 10;
}

static uint64_t proportional_of(int proc, const char *pid) {
    char status[4096], path[32], text[4096];
    snprintf(path, sizeof path, "%s/smaps_rollup", pid);
    /* Single threads have no such file: if the first thread has ended, the simple sum must do. */
    if (read_file_at(proc, path, text, sizeof text) <= 0 || !strstr(text, "\nPss_Anon:"))
        return resident_of(proc, pid);
    bool read = read_living(proc, pid, "status", "\nVmPTE:", status, sizeof status);
    return (kilobytes(text, "\nPss_Anon:") + kilobytes(text, "\nPss_Shmem:") +
            (read ? kilobytes(status, "\nVmPTE:") : 0))
           << 10;
}

static int add_resident(void *data, int proc, const char *pid) {
    struct proctree_usage *u = data;
    u->cpu_us += cpu_of(proc, pid);
    u->memory += resident_of(proc, pid);
    u->processes++;
    return 0;
}

static int add_proportional(void *data, int proc, const char *pid) {
    *(uint64_t *)data += proportional_of(proc, pid);
    return 0;
}

int proctree_measure(const struct proctree *tree, uint64_t exact_above,
                     struct proctree_usage *ret) {
    struct proctree_usage u = {0};
    const struct pids none = {NULL, 0};
    int r = for_members(tree, &none, add_resident, &u);
    if (r == 0 && u.memory > exact_above) {
        u.memory = 0;
        r = for_members(tree, &none, add_proportional, &u.memory);
    }
    if (r == 0)
        *ret = u;
    return r;
}

/* Killing */

struct round {
    const struct proctree *tree;
    struct pids keep;
    int sig;
    int count;   /* signalled */
    int running; /* of these, how many were not stopped yet */
};

static bool is_stopped(int proc, const char *pid) {
    struct stat_line line;
    return !read_stat(proc, pid, &line) || line.state == 'T' || line.state == 'Z';
}

static int signal_member(void *data, int proc, const char *name) {
    struct round *round = data;
    /* The pid may have been given to another process since: we hold it, look again, then signal the
     * held process. */
    scoped_fd held = process_hold((pid_t)strtol(name, NULL, 10));
    if (held < 0 || !is_member(round->tree, proc, name))
        return held == -EMFILE ? -EMFILE : 0;
    round->running += !is_stopped(proc, name);
    if (process_signal(held, round->sig) != -ESRCH)
        round->count++;
    return 0;
}

static int do_round(struct round *round, int sig) {
    round->sig = sig;
    round->count = round->running = 0;
    return for_members(round->tree, &round->keep, signal_member, round);
}

/* Two quiet rounds, because readdir may miss a child of a process that it has not reached yet. */
static int stop_members(struct round *round, struct kill *k) {
    int r = do_round(round, SIGSTOP);
    if (r < 0)
        return r;
    k->quiet = round->running || failpoint(FP_stop_patience) ? 0 : k->quiet + 1;
    if (k->quiet == 1)
        return stop_members(round, k);
    if (k->quiet == 0 && !kill_stops_no_more(k))
        return kill_later(k);
    kill_enter(k, KILL_DYING, KILL_NS);
    return 0;
}

static int kill_members(struct round *round, struct kill *k) {
    int r = do_round(round, SIGKILL);
    if (r < 0)
        return r;
    if (k->killed == 0)
        k->killed = round->count;
    if (round->count == 0)
        return k->killed;
    return kill_gives_up(k) ? -EBUSY : kill_later(k);
}

int proctree_kill_step(const struct proctree *tree, const pid_t *keep, size_t nkeep,
                       struct kill *k) {
    struct round round = {.tree = tree, .keep = {keep, nkeep}};
    if (k->phase == KILL_BEGIN) {
        k->give_up_at = now_ns() + KILL_NS;
        kill_enter(k, KILL_STOPPING, KILL_STOP_NS);
    }
    if (k->phase == KILL_STOPPING) {
        int r = stop_members(&round, k);
        if (r < 0 || round.count == 0) /* stopped ones would still be there */
            return r;
    }
    return kill_members(&round, k);
}
