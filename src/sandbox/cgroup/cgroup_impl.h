/* What the files of this folder share. Not for others.
 *
 * Runs in: supervisor.
 * Owns: nothing.
 * Tests: tests/unit/test_cgroup.c
 */
#pragma once

#include "sandbox/cgroup/cgroup.h"

/* Texts of /proc that both versions need. */
struct cgroup_proc {
    char cgroup[8192];
    char mountinfo[65536];
};

/* 0 when the root is ready, 1 when this version cannot be used (root->why says why), or -errno. */
int cgroup1_open(struct cgroup_root *root, const struct cgroup_proc *proc, uid_t delegate_to);
int cgroup2_open(struct cgroup_root *root, const struct cgroup_proc *proc, uid_t delegate_to);

/* Whether the version 2 hierarchy holds the memory controller here; decides on hybrid hosts. */
bool cgroup2_has_memory(const struct cgroup_proc *proc);

/* Sweeps `parent`, then makes and locks the engine's directory in it as hierarchy number `n`. Takes
 * `parent`. */
int cgroup_root_add(struct cgroup_root *root, unsigned n, int parent);

/* Gives a directory and the named files in it to `uid`. */
int cgroup_delegate(int dir, const char *const *files, uid_t uid);

int cgroup_why(struct cgroup_root *root, const char *fmt, ...)
    __attribute__((format(printf, 2, 3))); /* returns 1 */

/* A file of a session's cgroup in the hierarchy of that controller. */
int cgroup_open_file(const struct cgroup *cg, enum cgroup_controller c, const char *file,
                     int flags);
