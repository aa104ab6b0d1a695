/* The keeper: stands in the host's mount namespace and hands out copies of the mounts that a
 * session's root is made of. It is the supervisor's parent, keeps the rights of the caller, and
 * does nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "supervisor/supervisor.h"

#ifndef OPEN_TREE_CLONE
#define OPEN_TREE_CLONE 1
#endif
#define TREE_RECURSIVE 0x8000 /* AT_RECURSIVE */

void keeper_serve(int sock) {
    char path[MAX_PATH];
    for (;;) {
        ssize_t n = packet_recv(sock, path, sizeof path - 1, NULL, NULL, 0);
        if (n <= 0)
            return;
        path[n] = 0;
        int tree = path[0] != '/' ? -1
                                  : (int)syscall(SYS_open_tree, AT_FDCWD, path,
                                                 OPEN_TREE_CLONE | O_CLOEXEC | TREE_RECURSIVE);
        int32_t status = tree < 0 ? -errno : 0;
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
    int r = packet_send(s->keeper_sock, path, strlen(path), NULL, 0);
    if (r < 0)
        return r;
    ssize_t n = packet_recv(s->keeper_sock, &status, sizeof status, &tree, &nfds, 0);
    if (n != sizeof status || (status == 0 && nfds != 1))
        return n < 0 ? (int)n : -EPIPE;
    return status < 0 ? status : tree;
}
