/* The supervisor: makes, limits, freezes, kills and measures sessions; parses no JSON, no HTTP,
 * nothing of a guest.
 *
 * Runs in: retort-supervisor, after it has entered its user namespace. One thread, one event loop.
 * Owns: every session, zygote, cgroup and host uid of one engine.
 */
#pragma once

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "sandbox/cgroup/cgroup.h"
#include "sandbox/proctree.h"
#include "sandbox/seccomp.h"
#include "sandbox/uidrange.h"
#include "wire/control.h"

struct source; /* a descriptor in the event loop */
typedef void (*source_fn)(struct source *source);
struct source {
    int fd;
    source_fn ready; /* called on input, end of file or error */
    void *owner;
};

#define SOURCE_NONE ((struct source){.fd = -1})

struct filter {
    struct sock_filter code[SECCOMP_MAX_INSTRUCTIONS];
    size_t len;
};

struct environment {
    struct environment *next;
    unsigned id;
    struct ctl_environment env;
    struct zygote *zygote; /* the generation that sessions are forked from, or NULL */
    struct session *ready; /* prepared sessions, waiting for an owner */
    unsigned nready, npreparing;
    bool pool_failed;
    uint32_t flags;            /* CREATE_DETERMINISTIC */
    uint32_t language;         /* of the interpreter that its sessions begin with */
    uint64_t used;             /* when a session was last asked for, or lived */
    struct ctl_create pattern; /* of the sessions in the pool: that of the last one asked for */
};

struct supervisor {
    int epoll, main_sock, keeper_sock;
    struct uidrange uids;
    struct cgroup_root cgroups;
    uint32_t unavailable; /* locks that this kernel, or a filter around us, does not give */
    struct filter guest, zygote, delta, init;
    struct environment *environments;
    struct session *sessions; /* all, in any state */
    struct zygote *zygotes;
    unsigned next_id;
    uint8_t *uid_used;
    bool own_devices; /* for each session: the keeper can make them */
    int devices;      /* the first session's, or -1 */
    int quota;        /* for the births of now (quota.h); -1: the one that is mounted will do */
    unsigned pool;    /* ready sessions wanted per environment, where pool.c makes them */
    unsigned count;   /* of the engine's supervisors, which share what the caller may have */
};

extern struct supervisor sup;

/* loop.c */
/* Takes the descriptor: it is closed, and -1, if it cannot be watched. */
int source_add(struct source *source);
void source_done(struct source *source); /* removes and closes */
int source_take(struct source *source);  /* removes, and gives the descriptor away */
/* What comes meanwhile is kept for later; of the end of the other side `ready` may hear once. */
void source_pause(const struct source *source);
void source_resume(const struct source *source);
/* To a number that is not low (sockets.h). Of one that is not paused. */
void source_raise(struct source *source);
int source_move(struct source *from, struct source *to, source_fn ready); /* and raises it */
void loop_run(void);

/* pool.c */
struct environment *environment_get(const struct ctl_create *create, struct retort_error *err);

/* When environment_rest() is to be called next; UINT64_MAX: not before something happens. */
uint64_t environment_next(void);
/* Ends the warm interpreters that nobody has used for a while, and the longest unused of too many.
 * That of the system's own environment stays. */
void environment_rest(void);

/* keeper.c: prepare before the supervisor is cloned; forget, in both, when the base is made or will
 * be made by the other. */
void keeper_prepare(const char *guest_dir);
void keeper_forget(void);
#define KEEPER_DEVICES "devices"                  /* instead of a path: what devices_make() makes */
int keeper_open(void *context, const char *path); /* a rootfs_source */
/* Answers the supervisor on `sock` until that ends; the broker names paths on the other. */
void keeper_serve(int sock, int broker, const char *guest_dir);
