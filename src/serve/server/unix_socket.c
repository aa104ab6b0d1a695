#include "serve/server/unix_socket.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/io.h"
#include "base/list.h"
#include "base/scope.h"
#include "base/thread.h"
#include "serve/rpc/lines.h"

#define MAX_CLIENTS 256
#define SEND_SECONDS 30 /* a client that does not read for this long is gone */

struct unix_client {
    struct unix_client *next;
    struct unix_socket *listening;
    int fd;
};

struct unix_socket {
    struct serve *serve;
    struct sockaddr_un address;
    int fd, stop_fd;
    bool given;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t change;
    struct unix_client *clients;
    unsigned count;
    uint64_t used_ns; /* when the last served client went */
};

/* unix_socket_close waits for the count, so the socket may be gone as soon as its lock is
 * released. */
static void forget(struct unix_client *client, bool served) {
    struct unix_socket *listening = client->listening;

    atomic_fetch_sub(&listening->serve->metrics.connections, 1);
    pthread_mutex_lock(&listening->lock);
    LIST_DROP(listening->clients, client, next);
    listening->count--;
    if (served)
        listening->used_ns = now_ns();
    close(client->fd);
    pthread_cond_signal(&listening->change);
    pthread_mutex_unlock(&listening->lock);
    free(client);
}

static bool begins_with_zero(int fd) {
    char first = 1;

    return recv(fd, &first, 1, MSG_PEEK) == 1 && first == 0;
}

static bool serve_own(struct serve *serve, int fd) {
    bool served;

    if (!serve_admit(serve, false))
        return false;
    served = serve->own->serve(serve->engine, serve->own->user, fd);
    serve_leave(serve);
    return served;
}

static void *serve_client(void *arg) {
    struct unix_client *client = arg;
    struct serve *serve = client->listening->serve;
    bool served = true;
    struct ucred peer = {.uid = (uid_t)-1};
    socklen_t size = sizeof peer;
    char owner[OWNER_SIZE];

    getsockopt(client->fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
    snprintf(owner, sizeof owner, "uid-%u", peer.uid);
    if (serve->own && peer.uid == geteuid() && begins_with_zero(client->fd))
        served = serve_own(serve, client->fd);
    else
        lines_run(serve, owner, client->fd, client->fd,
                  peer.uid == geteuid() || peer.uid == 0 ? LINES_ADMIN : LINES_GUEST);
    forget(client, served);
    return NULL;
}

static void start_client(struct unix_socket *listening, int fd) {
    struct unix_client *client = calloc(1, sizeof *client);
    struct timeval patience = {.tv_sec = SEND_SECONDS};
    pthread_t thread;

    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (!client || listening->count >= MAX_CLIENTS) {
        free(client);
        close(fd);
        return;
    }
    *client = (struct unix_client){.listening = listening, .fd = fd};
    pthread_mutex_lock(&listening->lock);
    client->next = listening->clients;
    listening->clients = client;
    listening->count++;
    pthread_mutex_unlock(&listening->lock);
    atomic_fetch_add(&listening->serve->metrics.connections, 1);
    if (thread_start(&thread, serve_client, client) == 0)
        pthread_detach(thread);
    else
        forget(client, false);
}

static void *take_clients(void *arg) {
    struct unix_socket *listening = arg;

    for (;;) {
        struct pollfd fds[2] = {{.fd = listening->fd, .events = POLLIN},
                                {.fd = listening->stop_fd, .events = POLLIN}};
        int fd;

        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            break;
        if (fds[1].revents)
            break;
        fd = accept4(listening->fd, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0)
            start_client(listening, fd);
        else if (errno != EINTR && errno != ECONNABORTED && errno != EAGAIN)
            usleep(10000); /* out of descriptors: others must end first */
    }
    return NULL;
}

/* A socket file that nobody serves is left over from a server that was killed. */
static bool is_left_over(const struct sockaddr_un *address) {
    scoped_fd fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct stat st;

    return fd >= 0 && lstat(address->sun_path, &st) == 0 && S_ISSOCK(st.st_mode) &&
           connect(fd, (const struct sockaddr *)address, sizeof *address) < 0 &&
           errno == ECONNREFUSED;
}

/* We set the mode through the descriptor, because the umask belongs to all threads. Nobody can
 * connect before listen. */
static int bind_socket(const struct sockaddr_un *address) {
    scoped_fd fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0)
        return -errno;
    if (is_left_over(address))
        unlink(address->sun_path);
    if (fchmod(fd, 0600) < 0 || bind(fd, (const struct sockaddr *)address, sizeof *address) < 0 ||
        listen(fd, 128) < 0)
        return -errno;
    return take_fd(&fd);
}

static void unix_socket_free(struct unix_socket *listening) {
    if (listening->fd >= 0 && !listening->given)
        unlink(listening->address.sun_path);
    fd_done(&listening->fd);
    fd_done(&listening->stop_fd);
    pthread_cond_destroy(&listening->change);
    pthread_mutex_destroy(&listening->lock);
    free(listening);
}

static struct unix_socket *unix_socket_alloc(struct serve *serve) {
    struct unix_socket *listening = calloc(1, sizeof *listening);

    if (!listening)
        return NULL;
    *listening = (struct unix_socket){.serve = serve,
                                      .address.sun_family = AF_UNIX,
                                      .fd = -1,
                                      .stop_fd = -1,
                                      .used_ns = now_ns()};
    pthread_mutex_init(&listening->lock, NULL);
    pthread_cond_init(&listening->change, NULL);
    return listening;
}

static int unix_socket_start(struct unix_socket *listening, const char *path, int fd,
                             struct retort_error *err) {
    if (strlen(path) >= sizeof listening->address.sun_path)
        return err_set(err, ERR_CALLER, ENAMETOOLONG, "the path of the socket is too long");
    snprintf(listening->address.sun_path, sizeof listening->address.sun_path, "%s", path);
    listening->given = fd > 0;
    listening->fd = listening->given ? fd : bind_socket(&listening->address);
    if (listening->fd < 0)
        return err_errno(err, ERR_CALLER, -listening->fd, "cannot listen on %s as user %u", path,
                         geteuid());
    listening->stop_fd = eventfd(0, EFD_CLOEXEC);
    if (listening->stop_fd < 0)
        return err_errno(err, ERR_HOST, errno, "cannot make an eventfd");
    if (thread_start(&listening->thread, take_clients, listening) < 0)
        return err_errno(err, ERR_HOST, EAGAIN, "cannot start a thread");
    return 0;
}

double unix_socket_idle(struct unix_socket *listening) {
    double seconds;

    pthread_mutex_lock(&listening->lock);
    seconds = listening->count ? 0 : (double)(now_ns() - listening->used_ns) / 1e9;
    pthread_mutex_unlock(&listening->lock);
    return seconds;
}

int unix_socket_open(struct serve *serve, const char *path, int fd, struct unix_socket **ret_socket,
                     struct retort_error *err) {
    struct unix_socket *listening = unix_socket_alloc(serve);
    int r = listening ? unix_socket_start(listening, path, fd, err) : err_memory(err);

    if (r < 0 && listening)
        unix_socket_free(listening);
    else if (r >= 0)
        *ret_socket = listening;
    return r;
}

void unix_socket_close(struct unix_socket *listening) {
    if (!listening)
        return;
    eventfd_write(listening->stop_fd, 1);
    pthread_join(listening->thread, NULL);
    pthread_mutex_lock(&listening->lock);
    for (struct unix_client *client = listening->clients; client; client = client->next)
        shutdown(client->fd, SHUT_RD);
    while (listening->count > 0)
        pthread_cond_wait(&listening->change, &listening->lock);
    pthread_mutex_unlock(&listening->lock);
    unix_socket_free(listening);
}
