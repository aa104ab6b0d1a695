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

#include "base/scope.h"
#include "serve/rpc/lines.h"

#define MAX_CLIENTS 256
#define SEND_SECONDS 30 /* a client that does not read for so long is gone */

struct unix_client {
    struct unix_client *next;
    struct unix_door *door;
    int fd;
};

struct unix_door {
    struct serve *serve;
    struct sockaddr_un address;
    int fd, stop_fd;
    bool given;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t change;
    struct unix_client *clients;
    unsigned count;
};

/* The door may be gone as soon as its lock is given back: unix_close waits for the count. */
static void forget(struct unix_client *client) {
    struct unix_door *door = client->door;
    struct unix_client **at;

    atomic_fetch_sub(&door->serve->metrics.connections, 1);
    pthread_mutex_lock(&door->lock);
    for (at = &door->clients; *at != client; at = &(*at)->next)
        ;
    *at = client->next;
    door->count--;
    close(client->fd);
    pthread_cond_signal(&door->change);
    pthread_mutex_unlock(&door->lock);
    free(client);
}

static void *serve_client(void *arg) {
    struct unix_client *client = arg;
    struct ucred peer = {.uid = (uid_t)-1};
    socklen_t size = sizeof peer;
    char owner[OWNER_SIZE];

    getsockopt(client->fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
    snprintf(owner, sizeof owner, "uid-%u", peer.uid);
    lines_run(client->door->serve, owner, client->fd, client->fd, false);
    forget(client);
    return NULL;
}

static void start_client(struct unix_door *door, int fd) {
    struct unix_client *client = calloc(1, sizeof *client);
    struct timeval patience = {.tv_sec = SEND_SECONDS};
    pthread_t thread;

    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (!client || door->count >= MAX_CLIENTS) {
        free(client);
        close(fd);
        return;
    }
    *client = (struct unix_client){.door = door, .fd = fd};
    pthread_mutex_lock(&door->lock);
    client->next = door->clients;
    door->clients = client;
    door->count++;
    pthread_mutex_unlock(&door->lock);
    atomic_fetch_add(&door->serve->metrics.connections, 1);
    if (pthread_create(&thread, NULL, serve_client, client) == 0)
        pthread_detach(thread);
    else
        forget(client);
}

static void *take_clients(void *arg) {
    struct unix_door *door = arg;

    for (;;) {
        struct pollfd fds[2] = {{.fd = door->fd, .events = POLLIN},
                                {.fd = door->stop_fd, .events = POLLIN}};
        int fd;

        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            break;
        if (fds[1].revents)
            break;
        fd = accept4(door->fd, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0)
            start_client(door, fd);
        else if (errno != EINTR && errno != ECONNABORTED && errno != EAGAIN)
            usleep(10000); /* out of descriptors: others must end first */
    }
    return NULL;
}

/* A socket that nobody serves any more is left over from a server that was killed. */
static bool is_left_over(const struct sockaddr_un *address) {
    scoped_fd fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct stat st;

    return fd >= 0 && lstat(address->sun_path, &st) == 0 && S_ISSOCK(st.st_mode) &&
           connect(fd, (const struct sockaddr *)address, sizeof *address) < 0 &&
           errno == ECONNREFUSED;
}

/* The mode comes from the descriptor: the umask belongs to all threads. Nobody gets in before
 * listen. */
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

static void door_free(struct unix_door *door) {
    if (door->fd >= 0 && !door->given)
        unlink(door->address.sun_path);
    fd_done(&door->fd);
    fd_done(&door->stop_fd);
    pthread_cond_destroy(&door->change);
    pthread_mutex_destroy(&door->lock);
    free(door);
}

static struct unix_door *door_alloc(struct serve *serve) {
    struct unix_door *door = calloc(1, sizeof *door);

    if (!door)
        return NULL;
    *door =
        (struct unix_door){.serve = serve, .address.sun_family = AF_UNIX, .fd = -1, .stop_fd = -1};
    pthread_mutex_init(&door->lock, NULL);
    pthread_cond_init(&door->change, NULL);
    return door;
}

static int unix_start(struct unix_door *door, const char *path, int fd, struct err *err) {
    if (strlen(path) >= sizeof door->address.sun_path)
        return err_set(err, ERR_CALLER, ENAMETOOLONG, "the path of the socket is too long");
    snprintf(door->address.sun_path, sizeof door->address.sun_path, "%s", path);
    door->given = fd > 0;
    door->fd = door->given ? fd : bind_socket(&door->address);
    if (door->fd < 0)
        return err_set(err, ERR_CALLER, -door->fd, "cannot listen on %s as user %u", path,
                       geteuid());
    door->stop_fd = eventfd(0, EFD_CLOEXEC);
    if (door->stop_fd < 0)
        return err_set(err, ERR_HOST, errno, "cannot make an eventfd");
    if (pthread_create(&door->thread, NULL, take_clients, door) != 0)
        return err_set(err, ERR_HOST, EAGAIN, "cannot start a thread");
    return 0;
}

int unix_open(struct serve *serve, const char *path, int fd, struct unix_door **ret_door,
              struct err *err) {
    struct unix_door *door = door_alloc(serve);
    int r =
        door ? unix_start(door, path, fd, err) : err_set(err, ERR_HOST, ENOMEM, "out of memory");

    if (r < 0 && door)
        door_free(door);
    else if (r >= 0)
        *ret_door = door;
    return r;
}

void unix_close(struct unix_door *door) {
    if (!door)
        return;
    eventfd_write(door->stop_fd, 1);
    pthread_join(door->thread, NULL);
    pthread_mutex_lock(&door->lock);
    for (struct unix_client *client = door->clients; client; client = client->next)
        shutdown(client->fd, SHUT_RD);
    while (door->count > 0)
        pthread_cond_wait(&door->change, &door->lock);
    pthread_mutex_unlock(&door->lock);
    door_free(door);
}
