/* Runs a test's body the way a supervisor runs: the cgroups are prepared with all rights, then a
 * child enters a user namespace of the engine's uids and has rights nowhere else; its parent, the
 * keeper, clears up. */
#pragma once

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/cgroup/cgroup.h"
#include "sandbox/uidrange.h"

/* NULL: all went well. */
typedef const char *supervisor_body(struct cgroup_root *root);

#define EXPECT(condition)      \
    do {                       \
        if (!(condition))      \
            return #condition; \
    } while (0)

static const char *supervisor_inside(struct cgroup_root *root, supervisor_body *body, int ready,
                                     int go) {
    char byte = 0;
    EXPECT(unshare(CLONE_NEWUSER) == 0);
    EXPECT(write(ready, "r", 1) == 1);
    EXPECT(read(go, &byte, 1) == 1);
    EXPECT(setresgid(0, 0, 0) == 0 && setresuid(0, 0, 0) == 0);
    /* Changing ids made this process unreadable in /proc, and so would be what it forks without
     * exec. */
    EXPECT(prctl(PR_SET_DUMPABLE, 1) == 0);
    return body(root);
}

static bool ended_well(pid_t pid) {
    int status;
    return waitpid(pid, &status, 0) == pid && status == 0;
}

static void supervisor_say(int said, const char *failed) {
    if (failed && write(said, failed, strlen(failed)) < 0)
        _exit(2);
}

/* `root` may have version 0. */
static const char *supervisor_keep(supervisor_body *body, int said) {
    struct uidrange range;
    struct cgroup_root root;
    struct retort_error err = ERR_INIT;
    EXPECT(uidrange_acquire(&range, &err) == 0);
    EXPECT(cgroup_root_open(&root, uidrange_owner(&range), 1, &err) == 0);
    int ready[2], go[2];
    EXPECT(pipe(ready) == 0 && pipe(go) == 0);
    pid_t pid = fork();
    EXPECT(pid >= 0);
    if (pid == 0) {
        const char *failed = supervisor_inside(&root, body, ready[1], go[0]);
        supervisor_say(said, failed);
        _exit(failed != NULL);
    }
    close(ready[1]);
    char byte;
    EXPECT(read(ready[0], &byte, 1) == 1);
    EXPECT(uidrange_map(&range, pid, &err) == 0);
    EXPECT(write(go[1], "g", 1) == 1);
    bool fine = ended_well(pid);
    int parent = root.ndirs ? dup(root.parent[0]) : -1;
    char name[sizeof root.name];
    memcpy(name, root.name, sizeof name);
    EXPECT(cgroup_root_remove(&root) == 0);
    EXPECT(parent < 0 || (faccessat(parent, name, F_OK, 0) < 0 && errno == ENOENT));
    EXPECT(fine);
    return NULL;
}

static void as_supervisor(supervisor_body *body) {
    int said[2];
    assert_int_equal(pipe(said), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        const char *failed = supervisor_keep(body, said[1]);
        supervisor_say(said[1], failed);
        _exit(failed != NULL);
    }
    close(said[1]);
    char failed[400] = "";
    size_t len = 0;
    ssize_t n;
    while ((n = read(said[0], failed + len, sizeof failed - 1 - len)) > 0)
        len += (size_t)n;
    close(said[0]);
    bool fine = ended_well(pid);
    if (len || !fine)
        fail_msg("inside: %s", failed);
}
