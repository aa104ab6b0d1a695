/* The keeper: stands in the host's mount namespace and hands out copies of the mounts that a
 * session's root is made of, and, where the caller is root, new device nodes. It is the
 * supervisor's parent, keeps the rights of the caller, and does nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "sandbox/devices.h"
#include "sandbox/rootfs.h"
#include "supervisor/supervisor.h"

#ifndef OPEN_TREE_CLONE
#define OPEN_TREE_CLONE 1
#endif
#define TREE_RECURSIVE 0x8000 /* AT_RECURSIVE */

/* Copies of the mounts that the base is made of, and the first session's devices, inherited by the
 * supervisor: asking for each costs two wake-ups. */
static struct prepared {
    const char *path;
    int tree; /* or -errno */
} prepared[ROOTFS_BASE_PATHS + 1];

static int copy_mount(const char *path) {
    if (strcmp(path, KEEPER_DEVICES) == 0)
        return sup.uids.mode == UIDS_ROOT ? devices_make() : -EPERM;
    if (path[0] != '/')
        return -EINVAL;
    int tree =
        (int)syscall(SYS_open_tree, AT_FDCWD, path, OPEN_TREE_CLONE | O_CLOEXEC | TREE_RECURSIVE);
    return tree < 0 ? -errno : tree;
}

void keeper_prepare(const char *guest_dir) {
    const char *paths[ROOTFS_BASE_PATHS];
    rootfs_base_paths(guest_dir, paths);
    for (size_t i = 0; i < ROOTFS_BASE_PATHS; i++)
        prepared[i] = (struct prepared){paths[i], copy_mount(paths[i])};
    prepared[ROOTFS_BASE_PATHS] = (struct prepared){KEEPER_DEVICES, copy_mount(KEEPER_DEVICES)};
}

void keeper_forget(void) {
    for (size_t i = 0; i <= ROOTFS_BASE_PATHS; i++) {
        if (prepared[i].path)
            fd_done(&prepared[i].tree);
        prepared[i].path = NULL;
    }
}

static struct prepared *find_prepared(const char *path) {
    for (size_t i = 0; i <= ROOTFS_BASE_PATHS; i++)
        if (prepared[i].path && strcmp(prepared[i].path, path) == 0)
            return &prepared[i];
    return NULL;
}

void keeper_serve(int sock) {
    char path[MAX_PATH];
    for (;;) {
        ssize_t n = packet_recv(sock, path, sizeof path - 1, NULL, NULL, 0);
        if (n <= 0)
            return;
        path[n] = 0;
        int tree = copy_mount(path);
        int32_t status = tree < 0 ? tree : 0;
        if (packet_send(sock, &status, sizeof status, &tree, tree >= 0) < 0)
            return;
        if (tree >= 0)
            close(tree);
    }
}

int keeper_open(void *context, const char *path) {
    const struct supervisor *s = context;
    int32_t status = -EIO;
    int tree = -1;
    size_t nfds = 1;
    struct prepared *known = find_prepared(path);
    if (known) {
        known->path = NULL;
        return known->tree;
    }
    int r = packet_send(s->keeper_sock, path, strlen(path), NULL, 0);
    if (r < 0)
        return r;
    ssize_t n = packet_recv(s->keeper_sock, &status, sizeof status, &tree, &nfds, 0);
    if (n != sizeof status || (status == 0 && nfds != 1))
        return n < 0 ? (int)n : -EPIPE;
    return status < 0 ? status : tree;
}
