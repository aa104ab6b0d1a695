/* What a session sees as its file system.
 *
 * The supervisor's own root is the *base*: a tmpfs that holds bind mounts of the host's system
 * directories, a skeleton of the session's root and the host's five device nodes, which only
 * sessions without nodes of their own (devices.h) see. Nothing else of the host is mounted in the
 * supervisor's mount namespace, so neither the supervisor nor a zygote, a collector or a session
 * can name anything else.
 *
 * A session's root is made of overlays without an upper directory: they can never become writable,
 * their inodes belong to one session alone (a shared read-only bind would be a channel between
 * sessions through flock and inotify), and a relative lowerdir keeps host paths out of mountinfo.
 *
 * Where the environment is an image, its files are the lowest layer of the session's root, and
 * nothing of the host's system directories and /etc is mounted.
 *
 * Runs in: supervisor (base, environments) and, between clone and exec, the session's pid 1
 *   (rootfs_enter).
 * Hostile: nothing; no guest code runs before rootfs_enter has returned.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "wire/control.h"

#define GUEST_UID 1000 /* uid and gid inside every session */

/* Where host mounts come from: returns a detached copy of the mount at `path`, or -errno. The
 * keeper answers, which is still in the host's mount namespace with the rights of the caller. */
typedef int (*rootfs_source)(void *context, const char *path);

/* The paths that rootfs_base() asks its source for on every host, and first. */
#define ROOTFS_BASE_PATHS 5
void rootfs_base_paths(const char *guest_dir, const char *ret_paths[ROOTFS_BASE_PATHS]);

/* Whether rootfs_base() asks for this path on some host. */
bool rootfs_base_needs(const char *guest_dir, const char *path);

/* Builds the base and makes it the root of the calling process. `guest_dir` holds the guest files
 * and init. */
int rootfs_base(const char *guest_dir, rootfs_source source, void *context,
                struct retort_error *err);

/* In the base: sessions then also find /work as /home/user, where programs for other sandboxes
 * look. */
int rootfs_home(struct retort_error *err);

/* Prepares an environment: its prefixes below /env/ID and the directories they are mounted on. */
int rootfs_environment(unsigned id, const struct ctl_environment *env, rootfs_source source,
                       void *context, struct retort_error *err);

typedef int (*rootfs_copy)(int from, int to);

/* For an engine that makes many sessions: from now on the guest's files and the directories of /etc
 * are one layer of each root, copied once, instead of an overlay each. If they cannot be copied,
 * they stay overlays. */
void rootfs_gather(rootfs_copy copy);

struct rootfs_plan {
    unsigned environment;
    const struct ctl_environment *env;
    uint64_t disk, inodes;
    int devices; /* from devices_make(), or -1: the base's */
    bool zygote; /* a small private /tmp, no /work of its own to speak of */
};

/* In the new mount namespace: mounts everything, enters it, detaches the base. Async-signal-safe.
 */
int rootfs_enter(const struct rootfs_plan *plan, struct retort_error *err);

enum { ROOTFS_WORK, ROOTFS_TMP, ROOTFS_SHM, ROOTFS_WRITABLE };

/* In a copy of a session's mount namespace that belongs to a nested user namespace: covers what can
 * be written by a new tmpfs, and /proc by that of the new pid namespace. Returns descriptors of the
 * covered and of the covering directories. Async-signal-safe. */
int rootfs_branch(const struct rootfs_plan *plan, int ret_old[ROOTFS_WRITABLE],
                  int ret_new[ROOTFS_WRITABLE], struct retort_error *err);

/* Whether that is possible: not if an interpreter lies in a directory that would be covered. */
bool rootfs_branchable(const struct ctl_environment *env);
