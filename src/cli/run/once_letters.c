/* Messages between `retort run` and a running engine. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "cli/run/once.h"

struct once_head {
    unsigned char zero, type;
    uint16_t unused;
    uint32_t len;
};

/* Whether to go on writing to a full socket. A program that does not read may wait for a pager, so
 * it counts until it hangs up. An engine must have answered by then, or it is of no use. */
static bool is_there(int sock, enum once_message type) {
    bool asks = type <= ONCE_CODE;
    struct pollfd p = {.fd = sock, .events = asks ? POLLIN : POLLRDHUP};
    return (poll(&p, 1, 0) > 0) == asks;
}

/* Not write_all: its SIGPIPE would end a program whose engine has gone. */
static int send_all(int sock, enum once_message type, const char *data, size_t len) {
    while (len > 0) {
        ssize_t n = send(sock, data, len, MSG_NOSIGNAL);
        if (n < 0 && (errno == EINTR || (errno == EAGAIN && is_there(sock, type))))
            continue;
        if (n < 0)
            return -errno;
        data += n;
        len -= (size_t)n;
    }
    return 0;
}

int once_send(int sock, enum once_message type, const void *data, size_t len, int fd) {
    struct once_head head = {.type = (unsigned char)type, .len = (uint32_t)len};
    int r;
    do
        r = packet_send(sock, &head, sizeof head, &fd, fd >= 0);
    while (r == -EAGAIN && is_there(sock, type));
    return r < 0 ? r : send_all(sock, type, data, len);
}

int once_receive(int sock, struct once_letter *letter) {
    struct once_head head;
    size_t fds = 1;
    buf_reset(&letter->data);
    fd_done(&letter->fd);
    ssize_t n = packet_recv(sock, &head, sizeof head, &letter->fd, &fds, MSG_WAITALL);
    if (n != sizeof head)
        return n < 0 ? (int)n : -EPIPE;
    if (head.zero || head.len > letter->data.max)
        return -EPROTO;
    letter->type = head.type;
    int r = buf_reserve(&letter->data, head.len + 1);
    n = r < 0 ? r : read_full(sock, letter->data.data, head.len);
    if (n != (ssize_t)head.len)
        return n < 0 ? (int)n : -EPIPE;
    letter->data.len = head.len;
    letter->data.data[head.len] = 0;
    return 0;
}

void once_letter_done(struct once_letter *letter) {
    buf_done(&letter->data);
    fd_done(&letter->fd);
}
