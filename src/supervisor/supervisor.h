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
    uint32_t unavailable; /* layers that this kernel, or a filter around us, does not offer */
    struct filter guest, zygote, delta, init;
    struct environment *environments;
    struct session *sessions; /* all, in any state */
    struct zygote *zygotes;
    unsigned next_id;
    uint8_t *uid_used;
    bool own_devices; /* for each session: the keeper can make them */
    int devices;      /* the first session's, or -1 */
    int quota;        /* for the present births (quota.h); -1: the mounted one is used */
    unsigned pool;    /* ready sessions wanted per environment, if pool.c makes them */
    unsigned count;   /* number of the engine's supervisors, which share what the caller may have */
};

extern struct supervisor sup;

/* loop.c */
/* Takes the descriptor: if it cannot be watched, it is closed and becomes -1. */
int source_add(struct source *source);
void source_done(struct source *source); /* removes and closes */
int source_take(struct source *source);  /* removes the source, and returns the descriptor */
/* What comes meanwhile waits; `ready` may still be called once for the end of the other side. */
void source_pause(const struct source *source);
void source_resume(const struct source *source);
/* Moves it to a number that is not low (sockets.h). It must not be paused. */
void source_raise(struct source *source);
int source_move(struct source *from, struct source *to, source_fn ready); /* and raises it */
void loop_run(void);

/* pool.c */
struct environment *environment_get(const struct ctl_create *create, struct retort_error *err);

/* When to call environment_rest() next; UINT64_MAX: not before something happens. */
uint64_t environment_next(void);
/* Ends warm interpreters that nobody has used for a while, and the longest unused of too many. The
 * system's own environment keeps its interpreter. */
void environment_rest(void);

/* keeper.c: keeper_prepare is called before the supervisor is cloned; keeper_forget in both
 * processes, when the base is made or the other process will make it. */
void keeper_prepare(const char *guest_dir);
void keeper_forget(void);
/* In place of a path: asks for what devices_make() makes. */
#define KEEPER_DEVICES "devices"
int keeper_open(void *context, const char *path); /* a rootfs_source */
/* Answers the supervisor on `sock` until that ends; the broker names paths on the other socket. */
void keeper_serve(int sock, int broker, const char *guest_dir);
