#include "sandbox/devices.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/scope.h"

#define MEMORY_MAJOR 1

static const struct {
    const char *name;
    unsigned minor;
} nodes[] = {{"null", 3}, {"zero", 5}, {"full", 7}, {"random", 8}, {"urandom", 9}};

static const char *const links[][2] = {
    {"/proc/self/fd", "fd"},
    {"fd/0", "stdin"},
    {"fd/1", "stdout"},
    {"fd/2", "stderr"},
    {"pts/ptmx", "ptmx"}}; /* dangling until there are terminals */

int devices_links(int dir) {
    if (mkdirat(dir, "shm", 0755) < 0 || mkdirat(dir, "pts", 0755) < 0)
        return -errno;
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (symlinkat(links[i][0], dir, links[i][1]) < 0)
            return -errno;
    return 0;
}

static int read_only(int dir, const char *path, unsigned flags) {
    struct mount_attr attr = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID};
    return (int)syscall(SYS_mount_setattr, dir, path, flags, &attr, sizeof attr);
}

int devices_bind(void) {
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        char host[32], local[32];
        snprintf(host, sizeof host, "/dev/%s", nodes[i].name);
        snprintf(local, sizeof local, "dev/%s", nodes[i].name);
        scoped_fd place = open(local, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (place < 0 || mount(host, local, NULL, MS_BIND, NULL) < 0 ||
            read_only(AT_FDCWD, local, 0) < 0)
            return -errno;
    }
    return 0;
}

/* --- nodes of the session's own --- */

static int option(int fs, unsigned command, const char *key, const char *value) {
    return (int)syscall(SYS_fsconfig, fs, command, key, value, 0);
}

static int new_tmpfs(void) {
    scoped_fd fs = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC);
    if (fs < 0 || option(fs, FSCONFIG_SET_STRING, "source", "dev") < 0 ||
        option(fs, FSCONFIG_SET_STRING, "mode", "755") < 0 ||
        option(fs, FSCONFIG_SET_STRING, "size", "4k") < 0 ||
        option(fs, FSCONFIG_SET_STRING, "nr_inodes", "16") < 0 ||
        option(fs, FSCONFIG_CMD_CREATE, NULL, NULL) < 0)
        return -1;
    return (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, 0);
}

/* A device controller around us may allow to make nodes but not to open them. */
static int make_node(int dir, const char *name, unsigned minor) {
    if (mknodat(dir, name, S_IFCHR | 0666, makedev(MEMORY_MAJOR, minor)) < 0)
        return -1;
    scoped_fd tried = openat(dir, name, O_RDWR | O_CLOEXEC);
    return tried < 0 ? -1 : 0;
}

static int fill(int dir) {
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        if (make_node(dir, nodes[i].name, nodes[i].minor) < 0)
            return -errno;
    int r = devices_links(dir);
    if (r == 0 && read_only(dir, "", AT_EMPTY_PATH) < 0)
        r = -errno;
    return r;
}

int devices_make(void) {
    int dir = new_tmpfs();
    int r = dir < 0 ? -errno : fill(dir);
    if (r < 0 && dir >= 0)
        close(dir);
    return r < 0 ? r : dir;
}

/* --- terminals --- */

/* A host has a limited number of terminals for all its namespaces; one session gets this many. */
#define TERMINALS "16"

bool devices_have_terminals(void) {
    struct statfs there;
    return statfs("/dev/pts", &there) == 0 && there.f_type == DEVPTS_SUPER_MAGIC;
}

int devices_terminals(void) {
    return mount("pts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
                 "ptmxmode=0666,mode=0600,max=" TERMINALS) < 0
               ? -errno
               : 0;
}
