#include "sandbox/quota.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/scope.h"

/* The attributes of the mounted one: the kernel refuses a mount that would show more. */
#define ATTRIBUTES (MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC)

int quota_open(void) {
    scoped_fd fs = (int)syscall(SYS_fsopen, "proc", FSOPEN_CLOEXEC);
    if (fs < 0 || syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0)
        return -errno;
    scoped_fd root = (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, ATTRIBUTES);
    if (root < 0)
        return -errno;
    int dir = openat(root, "sys/user", O_PATH | O_DIRECTORY | O_CLOEXEC);
    return dir < 0 ? -errno : dir;
}
