/* A session as the supervisor sees it: an init, an interpreter, perhaps a dormant checkpoint, a
 * collector; a cgroup, a uid; and the socket of its owner.
 *
 *   STARTING  cloned, pid 1 builds its root           session_start       → FORKING, DYING
 *   FORKING   a zygote or pid 1 makes the interpreter on_line, on_setup   → READY, LIVE, DYING
 *   READY     complete, waiting in its environment's pool                 → LIVE, DYING
 *   LIVE      has an owner                            session_hand_over   → DYING
 *   DYING     pid 1 has been killed                   session_kill        → freed by
 * session_child_ended
 */
#pragma once

#include "supervisor/supervisor.h"

enum session_state {
    SESSION_STARTING,
    SESSION_FORKING,
    SESSION_READY,
    SESSION_LIVE,
    SESSION_DYING
};

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
    int init_pidfd;
    pid_t init, interpreter, interpreter_inner, dormant;
    int guest_fds[3]; /* channel, stdout, stderr: the guest's ends, until it is forked */
    int host_fds[4];  /* the broker's ends, and the collector's, until they are handed over */
    struct cgroup cgroup;
    struct proctree tree;
    char *extra; /* environment variables, each ended by a NUL */
    size_t extra_len;
    bool exit_told;
    uint32_t generation;
    struct ctl_exited last_exit;
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

/* collector.c: runs in a child of the supervisor, never returns. */
_Noreturn void collector_main(int sock, int init_pidfd, unsigned uid);

/* first.c: runs as pid 1 of the new namespaces, never returns. */
_Noreturn void session_first(const struct session *s, int line);
