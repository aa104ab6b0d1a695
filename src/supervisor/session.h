/* A session as the supervisor sees it: an init, an interpreter, perhaps a dormant checkpoint, a
 * collector; a cgroup, a uid; and the socket of its owner.
 *
 *   STARTING  cloned, pid 1 builds its root           session_start       → FORKING, DYING
 *   FORKING   a zygote or pid 1 makes the interpreter on_line, on_setup   → READY, LIVE, DYING
 *   READY     complete, waiting in its environment's pool                 → LIVE, DYING
 *   LIVE      has an owner                            session_hand_over   → DYING
 *   HULL      closed, but branches live in its namespaces: only pid 1 is left   → DYING
 *   DYING     pid 1 has been killed                   session_kill        → freed
 *                                                     by session_child_ended
 */
#pragma once

#include "supervisor/supervisor.h"

enum session_state {
    SESSION_STARTING,
    SESSION_FORKING,
    SESSION_READY,
    SESSION_LIVE,
    SESSION_HULL,
    SESSION_DYING
};

#define NAMESPACE_KINDS 7

struct session {
    struct session *next, *next_ready;
    enum session_state state;
    unsigned id, uid;
    bool warm;   /* forked from a zygote */
    bool pooled; /* being made for the pool */
    struct environment *env;
    struct ctl_create create;
    uint32_t layers, missing, skip; /* in force; not; not even to be tried */
    struct source ctl;              /* the owner, -1 while pooled */
    struct source line;             /* init */
    struct source setup;            /* the interpreter, until it has locked itself in */
    struct source wake;             /* the dormant checkpoint */
    struct source collector;        /* the collector's end of its socket, until there is one */
    struct source wake_next;        /* one being made */
    struct source dormant_end;      /* pidfd of the checkpoint: its wake socket may have others */
    int init_pidfd, interpreter_pidfd;
    int devices; /* its own /dev until the first process has mounted it; -1: the host's nodes */
    pid_t init, interpreter, interpreter_inner, dormant;
    int guest_fds[3];          /* channel, stdout, stderr: the guest's ends, until it is forked */
    int host_fds[CREATED_OWN]; /* what the broker gets, until it is handed over */
    struct cgroup cgroup;
    uint64_t files, copies; /* bytes for which its limit of memory makes way */
    struct proctree tree;
    char *extra; /* environment variables, each ended by a NUL */
    size_t extra_len;
    bool exit_told;
    uint32_t generation;
    struct ctl_exited last_exit;
    /* branch.c */
    struct session *parent;     /* of a branch: whose namespaces hold its own */
    unsigned branches;          /* how many live in ours */
    struct gate *gate;          /* where guests ask what only a branch may do, or NULL */
    struct source middle;       /* pidfd: what joined the branch's namespaces to fork */
    pid_t middle_pid, adopted;  /* adopted: interpreter, as the parent's init sees it */
    int quota[NAMESPACE_KINDS]; /* of our user namespace, for as long as it has branches */
};

/* Once: what needs the base root. */
void session_setup(struct err *err);

/* Takes both descriptors. Failure is told on the session's socket. */
void session_create(const struct ctl_create *create, int sock, int extra_fd,
                    const struct err *start_error);

/* Whether some pool is short of a session; with `now`, begins to make one. */
bool session_pool_refill(bool now);

/* A zygote is ready, or has reported the end of a child. */
void session_zygote_ready(struct zygote *zygote);
void session_interpreter_ended(pid_t pid, int status);

void session_child_ended(pid_t pid, int status); /* whoever it was: pid 1 reaps orphans too */
void session_fail(struct session *s, const struct err *err);

/* A set-up socket for an interpreter that somebody else will make: its end, or -errno. */
int session_setup_socket(struct session *s);

/* For branch.c, which makes sessions in another way. */
struct session *session_alloc(struct environment *env, const struct ctl_create *create);
int session_watch(struct session *s, struct source *source, int fd, source_fn ready);
void session_tell(struct session *s, const void *msg, size_t len, const int *fds, size_t nfds);
void session_hand_over(struct session *s);
void session_kill(struct session *s);
/* Something else holds the interpreter's pages from here on, as they are now; or no longer. */
void session_shared(struct session *s);
void session_unshared(struct session *s);
int session_kill_others(struct session *s, bool with_interpreter);
void session_fail_socket(int sock, const struct err *err); /* takes it */
void session_on_ctl(struct source *source);
void session_on_line(struct source *source);
/* Holds a process that a guest may have ended: a pidfd if it lives in the session's pid namespace.
 */
int session_hold(const struct session *s, pid_t pid);
int session_devices(struct session *s, struct err *err);
int session_generation_open(int guest[3], int host[3]);
int pair_open(int ret_pair[2], int type);
int pipe_open(int ret_pipe[2]);
int witness_open(int ret_pair[2]);
ssize_t witness_recv(int fd, void *data, size_t len, pid_t *ret_pid, int *ret_fd);
void close_all(int *fds, size_t n);

/* collector.c: makes the socket for questions about the session's files; with the first of them
 * comes the process that answers. */
int collector_offer(struct session *s, struct err *err);

/* first.c: runs as pid 1 of the new namespaces, never returns. */
_Noreturn void session_first(const struct session *s, int line);
/* Its steps, for the first process of a branch. `quota` is /proc/sys/user. */
int first_enter(const struct session *s, int quota, struct err *err);
int first_lock(const struct session *s, struct err *err);
_Noreturn void first_become_init(const struct session *s, int line);
_Noreturn void first_give_up(int sock, const struct err *err);
