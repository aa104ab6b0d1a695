#include "supervisor/sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/scope.h"
#include "sandbox/ablation/failpoint.h"

void close_all(int *fds, size_t n) {
    for (size_t i = 0; i < n; i++)
        fd_done(&fds[i]);
}

bool descriptor_is_low(int fd) {
    return fd >= 0 && fd < LOW_DESCRIPTORS;
}

void descriptor_raise(int *fd) {
    int high = descriptor_is_low(*fd) ? fcntl(*fd, F_DUPFD_CLOEXEC, LOW_DESCRIPTORS) : -1;
    if (high < 0) /* the old number works as well */
        return;
    close(*fd);
    *fd = high;
}

int pair_open(int ret_pair[2], int type) {
    return failpoint(FP_socket_pair) || socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ret_pair) < 0
               ? -errno
               : 0;
}

int pipe_open(int ret_pipe[2]) {
    return failpoint(FP_pipe) || pipe2(ret_pipe, O_CLOEXEC) < 0 ? -errno : 0;
}

int witness_open(int ret_pair[2]) {
    int on = 1, r = pair_open(ret_pair, SOCK_SEQPACKET);
    if (r < 0)
        return r;
    if (!failpoint(FP_witness) &&
        setsockopt(ret_pair[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0)
        return 0;
    r = -errno;
    close_all(ret_pair, 2);
    return r;
}

/* The sender may be a guest, and if there is room for one descriptor, there is for two. */
static void take_first(const int *fds, size_t count, int *ret_fd) {
    for (size_t i = 0; i < count; i++)
        if (i == 0)
            *ret_fd = fds[i];
        else
            close(fds[i]);
}

ssize_t witness_recv(int fd, void *data, size_t len, pid_t *ret_pid, int *ret_fd) {
    union {
        char bytes[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec iov = {data, len};
    struct msghdr msg = {.msg_iov = &iov,
                         .msg_iovlen = 1,
                         .msg_control = &control,
                         .msg_controllen =
                             ret_fd ? sizeof control : CMSG_SPACE(sizeof(struct ucred))};
    ssize_t n;
    do
        n = recvmsg(fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS) {
            struct ucred cred;
            memcpy(&cred, CMSG_DATA(c), sizeof cred);
            *ret_pid = cred.pid;
        } else if (ret_fd && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
            take_first((const int *)CMSG_DATA(c), (c->cmsg_len - CMSG_LEN(0)) / sizeof(int),
                       ret_fd);
    return n;
}

static int generation_fill(int guest[3], int host[3]) {
    int pair[2], r = pair_open(pair, SOCK_STREAM);
    if (r < 0)
        return r;
    host[0] = pair[0];
    guest[0] = pair[1];
    for (int i = 1; i < 3; i++) {
        if ((r = pipe_open(pair)) < 0)
            return r;
        host[i] = pair[0];
        guest[i] = pair[1];
        fcntl(host[i], F_SETFL, O_NONBLOCK);
    }
    return 0;
}

int generation_open(int guest[3], int host[3]) {
    int r = generation_fill(guest, host);
    if (r < 0) {
        close_all(guest, 3);
        close_all(host, 3);
    }
    return r;
}

bool nothing_yet(ssize_t received) {
    return received == -EAGAIN || received == -ENOMEM || received == -ENOBUFS;
}
