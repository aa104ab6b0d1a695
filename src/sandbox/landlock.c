/* We handle every right that the running kernel knows, so whatever is not beneath the root is out
 * of reach: files behind leaked descriptors, /proc/self/exe, the files of inherited mappings.
 * Sessions share these files, and a lock or a lease on them would be a channel. Landlock decides at
 * open: a leaked descriptor can still do what it was opened for.
 *
 * There is one rule, on the root, and it grants writing too, deliberately. Read-only files are
 * read-only by their mount; and a rule on the directory of work files would bind to that inode,
 * while a branch mounts its own work directory over it. Landlock walks from a file up through mount
 * points, so a rule on the root holds for whatever is mounted beneath, then and later.
 *
 * Network rights are not handled: servers on the session's own loopback must work. */
#include "sandbox/landlock.h"

#include "base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Constants newer than the oldest supported headers. */
#define ACCESS_TRUNCATE (1ULL << 14)
#define ACCESS_IOCTL_DEV (1ULL << 15)
#define SCOPE_ABSTRACT_UNIX (1ULL << 0)
#define SCOPE_SIGNAL (1ULL << 1)
#define RESTRICT_LOG_SAME_EXEC_OFF (1U << 0)

#define ACCESS_FIRST_VERSION ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1)
#define ACCESS_DEVICES (LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK)

/* The kernel accepts a longer structure than it knows if the rest is zero. */
struct ruleset {
    uint64_t handled_fs;
    uint64_t handled_net;
    uint64_t scoped;
};

static struct ruleset ruleset_for(int abi) {
    struct ruleset r = {.handled_fs = ACCESS_FIRST_VERSION};
    if (abi >= 2)
        r.handled_fs |= LANDLOCK_ACCESS_FS_REFER;
    if (abi >= 3)
        r.handled_fs |= ACCESS_TRUNCATE;
    if (abi >= 5)
        r.handled_fs |= ACCESS_IOCTL_DEV;
    if (abi >= 6)
        r.scoped = SCOPE_ABSTRACT_UNIX | SCOPE_SIGNAL;
    return r;
}

static int add_root(int ruleset, int rootfd, uint64_t handled) {
    struct landlock_path_beneath_attr rule = {
        .allowed_access = handled & ~ACCESS_DEVICES,
        .parent_fd = rootfd,
    };
    return (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

/* We do not log denials: a guest could flood the host's audit log with them. */
static int enforce(int ruleset, int abi) {
    return (int)syscall(SYS_landlock_restrict_self, ruleset,
                        abi >= 7 ? RESTRICT_LOG_SAME_EXEC_OFF : 0);
}

int landlock_version(void) {
    int abi = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 0 && (errno == ENOSYS || errno == EOPNOTSUPP))
        return 0;
    return abi < 0 ? -errno : abi;
}

int landlock_restrict_beneath(int rootfd, struct retort_error *err) {
    int abi = landlock_version();
    if (abi == 0)
        return 0;
    if (abi < 0)
        return err_layer(err, "landlock", -abi, "cannot ask for Landlock's version");
    struct ruleset r = ruleset_for(abi);
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &r, sizeof r, 0);
    if (ruleset < 0)
        return err_layer(err, "landlock", errno, "cannot make the ruleset");
    int failed = add_root(ruleset, rootfd, r.handled_fs) < 0 ? errno : 0;
    if (!failed && enforce(ruleset, abi) < 0)
        failed = errno;
    close(ruleset);
    return failed ? err_layer(err, "landlock", failed, "cannot restrict to the root") : abi;
}

int landlock_restrict(struct retort_error *err) {
    int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root < 0)
        return err_layer(err, "landlock", errno, "cannot open the root");
    int r = landlock_restrict_beneath(root, err);
    close(root);
    return r;
}
