/* A session as the supervisor sees it: an init, an interpreter, perhaps a dormant checkpoint, a
 * collector; a cgroup, a uid; and the socket of its owner.
 *
 *   state     what it means                                    entered by         left for
 *   STARTING  cloned; its first process builds its root        birth_begin        FORKING, DYING
 *   FORKING   a zygote or init makes the interpreter           session_on_init    READY, LIVE, DYING
 *   READY     complete, waits in its environment's pool        pool_add           LIVE, DYING
 *   LIVE      has an owner                                     session_hand_over  HULL, DYING
 *   HULL      only init is left, because branches live in its  branch_hull        DYING
 *             namespaces
 *   DYING     init has been killed                             session_kill       (freed)
 *
 * Runs in: supervisor.
 * Owns: every process, descriptor, cgroup and uid that it names.
 * Tests: tests/system/test_sessions.py, tests/hostile/test_l_sessions.py */
#pragma once

#include "sandbox/namespaces.h"
#include "supervisor/supervisor.h"

enum session_state {
    SESSION_STARTING,
    SESSION_FORKING,
    SESSION_READY,
    SESSION_LIVE,
    SESSION_HULL,
    SESSION_DYING
};

#define LANGUAGE_BIT(language) (1u << (language))
#define LANGUAGES_ALL (LANGUAGE_BIT(LANG_COUNT) - 1)

/* One that is under way: killing.h. */
struct killing {
    struct session *next;
    struct kill kill;
    uint32_t victims;                            /* LANGUAGE_BIT()s: their interpreters die too */
    void (*done)(struct session *s, int killed); /* NULL: none is */
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
    struct source init_sock;        /* init */
    struct source setup;            /* the interpreter, until it has locked itself in */
    struct source wake;             /* the dormant checkpoint */
    struct source collector;        /* the collector's end of its socket, until there is one */
    struct source checkpoint_new;   /* one being made */
    struct source dormant_end;      /* pidfd of the checkpoint: its wake socket may have others */
    int init_pidfd, interpreter_pidfd;
    struct companion *companions[LANG_COUNT]; /* other interpreters, or NULL */
    int devices; /* its own /dev until the first process has mounted it; -1: the host's nodes */
    pid_t init, interpreter, interpreter_inner, dormant;
    int guest_fds[3];          /* channel, stdout, stderr: the guest's ends, until it is forked */
    int host_fds[CREATED_OWN]; /* what the broker gets, until it is handed over */
    struct cgroup cgroup;
    uint64_t files, copies; /* bytes for which its limit of memory makes way */
    struct proctree tree;
    struct killing killing;
    char *env_block; /* environment variables, each ended by a NUL */
    size_t env_block_len;
    bool exit_told;
    uint32_t generation;
    struct ctl_exited last_exit;
    /* branch.c */
    struct session *parent;     /* of a branch: whose namespaces hold its own */
    unsigned branches;          /* how many live in ours */
    struct gate *gate;          /* where guests ask what only a branch may do, or NULL */
    struct source forker;       /* pidfd: what joined the branch's namespaces to fork */
    pid_t forker_pid, adopted;  /* adopted: interpreter, as the parent's init sees it */
    int quota[NAMESPACE_KINDS]; /* of our user namespace, for as long as it has branches */
};

/* session.c: takes both descriptors. Failure is told on the session's socket. */
void session_create(const struct ctl_create *create, int sock, int env_fd,
                    const struct retort_error *start_error);
struct session *session_new(struct environment *env, const struct ctl_create *create);
int session_watch(struct session *s, struct source *source, int fd, source_fn ready);
void session_tell(struct session *s, const void *msg, size_t len, const int *fds, size_t nfds);
void session_hand_over(struct session *s);

/* Ends, from the mildest: the owner is done with it, and the channel is kept until it is gone (or
 * -1); it cannot be made; it is killed. */
void session_dismiss(struct session *s, int channel);
void session_fail(struct session *s, const struct retort_error *err);
void session_kill(struct session *s);
void session_release(struct session *s, int killed); /* frees it if it is dead: a killing_fn */
void session_fail_socket(int sock, const struct retort_error *err); /* takes it */

/* Events: from init, and from an interpreter until it is locked in. */
void session_on_init(struct source *source);
void session_on_setup(struct source *source);
/* A zygote is ready, or has reported the end of a child. */
void session_zygote_ready(struct zygote *zygote);
void session_interpreter_ended(pid_t pid, int status);
void session_child_ended(pid_t pid, int status); /* whoever it was: pid 1 reaps orphans too */

/* A set-up socket for an interpreter that somebody else will make: its end, or -errno. */
int session_setup_socket(struct session *s);
/* Holds a process that a guest may have ended: a pidfd if it lives in the session's pid namespace.
 */
int session_hold(const struct session *s, pid_t pid);
