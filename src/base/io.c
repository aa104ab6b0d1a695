#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/unconst.h"

int write_all(int fd, const void *data, size_t len) {
    const char *p = data;
    while (len) {
        ssize_t n = write(fd, p, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        p += n;
        len -= (size_t)n;
    }
    return 0;
}

ssize_t read_full(int fd, void *data, size_t len) {
    size_t got = 0;
    while (got < len) {
        ssize_t n = read(fd, (char *)data + got, len - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        if (n == 0)
            break;
        got += (size_t)n;
    }
    return (ssize_t)got;
}

int write_file_at(int dirfd, const char *path, const char *text) {
    int fd = openat(dirfd, path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return -errno;
    size_t len = strlen(text);
    ssize_t n = write(fd, text, len);
    int r = n < 0 ? -errno : (size_t)n == len ? 0 : -EIO;
    close(fd);
    return r;
}

ssize_t read_file_at(int dirfd, const char *path, char *text, size_t size) {
    int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    ssize_t n = read_full(fd, text, size - 1);
    close(fd);
    if (n >= 0)
        text[n] = 0;
    return n;
}

/* The directory may exist although we could not make it, for instance below a read-only mount. */
static int make_dir(const char *path, mode_t mode) {
    if (mkdir(path, mode) < 0)
        return errno == EEXIST || access(path, F_OK) == 0 ? 0 : -1;
    return chmod(path, mode);
}

int make_path(const char *path, mode_t mode) {
    char part[PATH_MAX];
    size_t len = strlen(path);
    if (len >= sizeof part) {
        errno = ENAMETOOLONG;
        return -ENAMETOOLONG;
    }
    for (size_t i = 1; i <= len; i++)
        if (i == len || path[i] == '/') {
            memcpy(part, path, i);
            part[i] = 0;
            if (make_dir(part, mode) < 0)
                return -errno;
        }
    return 0;
}

DIR *opendir_at(int dirfd, const char *path) {
    int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir && fd >= 0)
        close(fd);
    return dir;
}

/* tmpfs counts 20 bytes per entry of a directory, "." and ".." included. */
bool tmpfs_dir_is_empty(int fd) {
    struct stat st;
    return fstat(fd, &st) == 0 && st.st_size == 2 * 20;
}

int packet_send(int sock, const void *data, size_t len, const int *fds, size_t nfds) {
    struct iovec iov = {unconst(data), len};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int) * PACKET_MAX_FDS)];
        struct cmsghdr align;
    } control = {0};
    if (nfds > PACKET_MAX_FDS)
        return -E2BIG;
    if (nfds) {
        msg.msg_control = &control;
        msg.msg_controllen = CMSG_SPACE(sizeof(int) * nfds);
        struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(int) * nfds);
        memcpy(CMSG_DATA(c), fds, sizeof(int) * nfds);
    }
    ssize_t n;
    do
        n = sendmsg(sock, &msg, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : 0;
}

int packet_send_pair(int sock, const void *data, size_t len) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    int r = packet_send(sock, data, len, &pair[1], 1);
    close(pair[1]);
    if (r < 0)
        close(pair[0]);
    return r < 0 ? r : pair[0];
}

static void fds_keep(struct msghdr *msg, int *fds, size_t *nfds) {
    size_t room = fds ? *nfds : 0, count = 0;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < n; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof fd);
            if (count < room)
                fds[count++] = fd;
            else
                close(fd);
        }
    }
    if (nfds)
        *nfds = count;
}

ssize_t packet_recv(int sock, void *data, size_t len, int *fds, size_t *nfds, int flags) {
    struct iovec iov = {data, len};
    union {
        char bytes[CMSG_SPACE(sizeof(int) * PACKET_MAX_FDS)];
        struct cmsghdr align;
    } control;
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
    if (fds) {
        msg.msg_control = &control;
        msg.msg_controllen = sizeof control;
    }
    ssize_t n;
    /* If a peer ends before it has read everything, the kernel reports that first, once
     * (ECONNRESET); only then does it hand out what the peer had said. */
    do
        n = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC | flags);
    while (n < 0 && (errno == EINTR || errno == ECONNRESET));
    if (n < 0)
        return -errno;
    fds_keep(&msg, fds, nfds);
    if (!(msg.msg_flags & (MSG_CTRUNC | MSG_TRUNC)))
        return n;
    for (size_t i = 0; fds && i < *nfds; i++) /* of half a message nothing is kept */
        close(fds[i]);
    if (fds)
        *nfds = 0;
    return msg.msg_flags & MSG_TRUNC ? -EMSGSIZE : -EMFILE;
}

bool readable_within(int fd, int ms) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    uint64_t until = now_ns() + (uint64_t)ms * 1000000;
    int n = poll(&p, 1, ms);
    while (n < 0 && errno == EINTR && now_ns() < until)
        n = poll(&p, 1, (int)((until - now_ns()) / 1000000) + 1);
    return n > 0;
}

bool hung_up(int fd) {
    struct pollfd p = {.fd = fd};
    return poll(&p, 1, 0) > 0 && p.revents & (POLLHUP | POLLERR);
}

void descriptors_raise(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

void random_bytes(void *data, size_t len) {
    while (getrandom(data, len, 0) != (ssize_t)len)
        ; /* up to 256 bytes are never short, except after a signal */
}

uint64_t data_mapped(void) {
    char text[4096];
    const char *at = read_file_at(AT_FDCWD, "/proc/self/status", text, sizeof text) > 0
                         ? strstr(text, "\nVmData:")
                         : NULL;
    return at ? strtoull(at + sizeof "\nVmData:" - 1, NULL, 10) << 10 : 0;
}

uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
