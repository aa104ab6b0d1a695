#include "serve/server/activation.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define FIRST_FD 3
#define MAX_FDS 16

static long activation_number(const char *name) {
    const char *text = getenv(name);
    char *end;
    long n = text ? strtol(text, &end, 10) : 0;

    return text && *text && !*end ? n : 0;
}

/* How many sockets this very process was given. Unsets the variables, so that children do not take
 * the sockets for theirs. */
static int count_given(void) {
    long count =
        activation_number("LISTEN_PID") == (long)getpid() ? activation_number("LISTEN_FDS") : 0;

    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_FDNAMES");
    return count < 0 || count > MAX_FDS ? -EINVAL : (int)count;
}

static int seal(int fd) {
    int flags = fcntl(fd, F_GETFL);

    if (flags < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK))
        return -errno;
    return 0;
}

static bool listens(int fd) {
    int type = 0, accepts = 0;
    socklen_t len = sizeof type;

    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) == 0 && type == SOCK_STREAM &&
           getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &len) == 0 && accepts;
}

static int take_inet(struct activation *at, struct server_options *options, int fd,
                     const struct sockaddr_storage *address, struct retort_error *err) {
    const struct sockaddr_in *v4 = (const void *)address;
    const struct sockaddr_in6 *v6 = (const void *)address;
    bool six = address->ss_family == AF_INET6;
    char text[INET6_ADDRSTRLEN];

    if (options->listen)
        return err_set(err, ERR_CALLER, EINVAL,
                       "one address for HTTP, please: a socket was handed over, and there is %s",
                       options->listen);
    if (!inet_ntop(address->ss_family,
                   six ? (const void *)&v6->sin6_addr : (const void *)&v4->sin_addr, text,
                   sizeof text))
        return err_errno(err, ERR_HOST, errno, "cannot read the address of a socket");
    snprintf(at->listen, sizeof at->listen, six ? "[%s]:%u" : "%s:%u", text,
             ntohs(six ? v6->sin6_port : v4->sin_port));
    options->listen = at->listen;
    options->listen_fd = fd;
    return 0;
}

static int take_unix(struct activation *at, struct server_options *options, int fd,
                     const struct sockaddr_storage *address, struct retort_error *err) {
    const struct sockaddr_un *name = (const void *)address;

    if (options->socket)
        return err_set(err, ERR_CALLER, EINVAL,
                       "one Unix socket, please: one was handed over, and there is %s",
                       options->socket);
    snprintf(at->socket, sizeof at->socket, "%.*s", (int)sizeof name->sun_path, name->sun_path);
    options->socket = at->socket;
    options->socket_fd = fd;
    return 0;
}

static int take_one(struct activation *at, struct server_options *options, int fd,
                    struct retort_error *err) {
    struct sockaddr_storage address = {0};
    socklen_t len = sizeof address;
    int r = seal(fd);

    if (r == 0 && getsockname(fd, (struct sockaddr *)&address, &len) < 0)
        r = -errno;
    if (r < 0)
        return err_errno(err, ERR_CALLER, -r, "descriptor %d, handed over to listen on", fd);
    if (!listens(fd))
        return err_set(err, ERR_CALLER, EINVAL, "descriptor %d is no listening stream socket", fd);
    if (address.ss_family == AF_UNIX)
        return take_unix(at, options, fd, &address, err);
    if (address.ss_family == AF_INET || address.ss_family == AF_INET6)
        return take_inet(at, options, fd, &address, err);
    return err_set(err, ERR_CALLER, EINVAL, "descriptor %d is a socket of another kind", fd);
}

int activation_take(struct activation *at, struct server_options *options,
                    struct retort_error *err) {
    int count = count_given(), r = 0;

    if (count < 0)
        return err_set(err, ERR_CALLER, EINVAL, "LISTEN_FDS says more than %d", MAX_FDS);
    for (int i = 0; r == 0 && i < count; i++)
        r = take_one(at, options, FIRST_FD + i, err);
    return r;
}
