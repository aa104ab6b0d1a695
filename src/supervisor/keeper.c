/* The keeper: it is in the host's mount namespace, and hands out copies of only those mounts that a
 * session's root is made of; and, if the caller is root, new device nodes. It is the supervisor's
 * parent, keeps the rights of the caller, and does nothing else.
 *
 * Hostile: the supervisor, in case a guest has taken it over. The broker says what may be asked
 *   for, on a socket that the supervisor does not have.
 * Tests: tests/unit/test_keeper.c
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "sandbox/devices.h"
#include "sandbox/rootfs.h"
#include "supervisor/sockets.h"
#include "supervisor/supervisor.h"

#ifndef OPEN_TREE_CLONE
#define OPEN_TREE_CLONE 1
#endif
#define RECV_TRIES 1000
#define TREE_RECURSIVE 0x8000 /* AT_RECURSIVE */

/* Copies of the mounts of the base, and the first session's devices. The supervisor inherits them,
 * because asking for each would cost two wake-ups. */
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

/* Paths that the broker has named; its caller gave them. */
static struct named {
    struct named *next;
    char path[MAX_PATH];
} * names;

static bool is_named(const char *path) {
    for (const struct named *n = names; n; n = n->next)
        if (strcmp(n->path, path) == 0)
            return true;
    return false;
}

static ssize_t receive_path(int sock, char path[MAX_PATH], int flags) {
    ssize_t n = packet_recv(sock, path, MAX_PATH - 1, NULL, NULL, flags);
    path[n > 0 ? n : 0] = 0;
    return n;
}

/* Reads all that is there: the broker names a path before it asks the supervisor for a session. */
static void hear_names(int broker) {
    char path[MAX_PATH];
    while (receive_path(broker, path, MSG_DONTWAIT) > 0) {
        struct named *n = is_named(path) ? NULL : malloc(sizeof *n);
        if (!n)
            continue; /* without memory the path is unknown, and the session is refused */
        memcpy(n->path, path, sizeof path);
        n->next = names;
        names = n;
    }
}

/* A fault in the supervisor must not let it see what the caller can see: it may ask only for parts
 * of every root, and for paths that the broker named. */
static int copy_if_allowed(const char *guest_dir, const char *path) {
    bool allowed = strcmp(path, KEEPER_DEVICES) == 0 || rootfs_base_needs(guest_dir, path) ||
                   (path[0] == '/' && is_named(path));
    return allowed ? copy_mount(path) : -EACCES;
}

static int keeper_answer(int sock, const char *guest_dir) {
    char path[MAX_PATH];
    if (receive_path(sock, path, 0) <= 0)
        return -EPIPE;
    scoped_fd tree = copy_if_allowed(guest_dir, path);
    int32_t status = tree < 0 ? tree : 0;
    return packet_send(sock, &status, sizeof status, &tree, tree >= 0);
}

void keeper_serve(int sock, int broker, const char *guest_dir) {
    struct pollfd p[] = {{.fd = sock, .events = POLLIN}, {.fd = broker, .events = POLLIN}};
    while (poll(p, 2, -1) > 0 || errno == EINTR) {
        hear_names(broker);
        if (p[1].revents & (POLLHUP | POLLERR))
            p[1].fd = -1; /* the broker says no more; the supervisor ends by itself */
        if (p[0].revents && keeper_answer(sock, guest_dir) < 0)
            return;
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
    /* An answer that is left in the socket would be taken for the next one. */
    ssize_t n = -EAGAIN;
    for (int i = 0; i < RECV_TRIES; i++)
        if (!nothing_yet(n = packet_recv(s->keeper_sock, &status, sizeof status, &tree, &nfds, 0)))
            break;
    if (nothing_yet(n))
        shutdown(s->keeper_sock, SHUT_RDWR); /* which ends the supervisor */
    if (n != sizeof status || (status == 0 && nfds != 1))
        return n < 0 ? (int)n : -EPIPE;
    return status < 0 ? status : tree;
}
