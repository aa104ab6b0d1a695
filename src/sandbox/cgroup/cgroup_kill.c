/* Lists the members of a cgroup, freezes them, and kills all except a few. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "sandbox/cgroup/cgroup_impl.h"
#include "sandbox/process.h"

/* Reads pids one after the other, without storing them all. Each walk opens the file anew: version
 * 1 may show a second reader of the same description a list that is up to a second old. */
struct member_walk {
    int fd;
    size_t pos, len;
    char text[1024];
};

static int walk_open(const struct cgroup *cg, const char *file, struct member_walk *w) {
    w->pos = w->len = 0;
    w->fd = cgroup_open_file(cg, CGROUP_FREEZER, file, O_RDONLY);
    return w->fd < 0 ? w->fd : 0;
}

static int walk_byte(struct member_walk *w) {
    if (w->pos == w->len) {
        ssize_t n = read(w->fd, w->text, sizeof w->text);
        if (n <= 0)
            return -1;
        w->pos = 0;
        w->len = (size_t)n;
    }
    return (unsigned char)w->text[w->pos++];
}

/* 1 and a pid (0: one this pid namespace cannot see), or 0 at the end. */
static int walk_next(struct member_walk *w, pid_t *ret_pid) {
    long pid = 0;
    int c = walk_byte(w);
    if (c < 0)
        return 0;
    for (; c >= '0' && c <= '9'; c = walk_byte(w))
        pid = pid * 10 + (c - '0');
    *ret_pid = (pid_t)pid;
    return 1;
}

static bool is_kept(pid_t pid, const pid_t *keep, size_t nkeep) {
    for (size_t i = 0; i < nkeep; i++)
        if (keep[i] == pid)
            return true;
    return pid <= 0;
}

static int count_listed(const struct cgroup *cg, const char *file, const pid_t *keep,
                        size_t nkeep) {
    struct member_walk w;
    int r = walk_open(cg, file, &w);
    if (r < 0)
        return r;
    int count = 0;
    for (pid_t pid; walk_next(&w, &pid);)
        count += !is_kept(pid, keep, nkeep);
    close(w.fd);
    return count;
}

static int count_others(const struct cgroup *cg, const pid_t *keep, size_t nkeep) {
    return count_listed(cg, "cgroup.procs", keep, nkeep);
}

int cgroup_processes(const struct cgroup *cg) {
    return cg->root ? count_others(cg, NULL, 0) : -EOPNOTSUPP;
}

int cgroup_tasks(const struct cgroup *cg) {
    if (!cg->root)
        return -EOPNOTSUPP;
    return count_listed(cg, cg->root->version == 1 ? "tasks" : "cgroup.threads", NULL, 0);
}

/* Members that we hold by pidfd, to look at once more before we kill them. */
#define BATCH 512

struct batch {
    size_t count;
    struct {
        pid_t pid;
        int fd; /* or -errno */
        bool there;
    } held[BATCH];
};

static int batch_hold(const struct cgroup *cg, const pid_t *keep, size_t nkeep, size_t skip,
                      struct batch *b) {
    struct member_walk w;
    int r = walk_open(cg, "cgroup.procs", &w);
    b->count = 0;
    if (r < 0)
        return r;
    for (pid_t pid; b->count < BATCH && walk_next(&w, &pid);) {
        if (is_kept(pid, keep, nkeep) || (skip && skip--))
            continue;
        b->held[b->count].pid = pid;
        b->held[b->count].there = false;
        b->held[b->count++].fd = process_hold(pid);
    }
    close(w.fd);
    return 0;
}

/* A pid names the process that has it now. But a process that we hold and that lives has had its
 * pid ever since: if that pid is in the list again, this very process is in the cgroup. */
static int batch_look(const struct cgroup *cg, struct batch *b) {
    struct member_walk w;
    int r = walk_open(cg, "cgroup.procs", &w);
    if (r < 0)
        return r;
    for (pid_t pid; walk_next(&w, &pid);)
        for (size_t i = 0; i < b->count; i++)
            if (b->held[i].pid == pid)
                b->held[i].there = true;
    close(w.fd);
    return 0;
}

/* Returns how many were still there. A process that cannot be held counts, and lives until the next
 * look. */
static int batch_kill(struct batch *b) {
    int count = 0;
    for (size_t i = 0; i < b->count; i++) {
        if (b->held[i].there && b->held[i].fd >= 0)
            process_signal(b->held[i].fd, SIGKILL);
        count += b->held[i].there;
        if (b->held[i].fd >= 0)
            close(b->held[i].fd);
    }
    return count;
}

static int kill_others(const struct cgroup *cg, const pid_t *keep, size_t nkeep) {
    int count = 0;
    for (size_t skip = 0;; skip += BATCH) {
        struct batch b;
        int r = batch_hold(cg, keep, nkeep, skip, &b);
        if (r < 0 || b.count == 0)
            return r < 0 ? r : count;
        r = batch_look(cg, &b);
        count += batch_kill(&b);
        if (r < 0 || b.count < BATCH)
            return r < 0 ? r : count;
    }
}

static int stop_all(const struct cgroup *cg, struct kill *k) {
    kill_enter(k, KILL_STOPPING, KILL_STOP_NS);
    return cgroup_freeze(cg, true);
}

/* If all could be frozen, one round suffices: nobody forks meanwhile, and a thawed task dies before
 * it runs. A task stuck in the kernel gets its signal, too, and the next look meets what it
 * forked. */
static int kill_all(const struct cgroup *cg, const pid_t *keep, size_t nkeep, struct kill *k) {
    int n = kill_others(cg, keep, nkeep);
    cgroup_freeze(cg, false); /* version 1 delivers signals only now */
    kill_enter(k, KILL_DYING, KILL_ROUND_NS);
    if (n > 0 && k->killed == 0)
        k->killed = n;
    return n < 0 ? n : 0;
}

static int await_death(const struct cgroup *cg, const pid_t *keep, size_t nkeep, struct kill *k) {
    int left = kill_others(cg, keep, nkeep);
    if (left <= 0)
        return left < 0 ? left : k->killed;
    if (kill_gives_up(k))
        return -EBUSY;
    int r = now_ns() >= k->phase_until ? stop_all(cg, k) : 0;
    return r < 0 ? r : kill_later(k);
}

int cgroup_kill_step(const struct cgroup *cg, const pid_t *keep, size_t nkeep, struct kill *k) {
    int r = 0;
    if (!cg->root)
        return -EOPNOTSUPP;
    if (k->phase == KILL_BEGIN) {
        /* One reading shows all there are: if only those to keep are left, nobody can fork. */
        if ((r = count_others(cg, keep, nkeep)) <= 0)
            return r;
        k->give_up_at = now_ns() + KILL_NS;
        r = stop_all(cg, k);
    }
    if (r == 0 && k->phase == KILL_STOPPING) {
        if (!cgroup_is_frozen(cg) && !kill_stops_no_more(k))
            return kill_later(k);
        r = kill_all(cg, keep, nkeep, k);
    }
    return r < 0 ? r : await_death(cg, keep, nkeep, k);
}
