/* Where `retort run` looks for an engine, and how it knows that the engine is its own user's. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/maxima.h"
#include "base/scope.h"
#include "cli/run/once.h"
#include "engine/host/environment.h"
#include "engine/host/libexec.h"
#include "engine/host/statedir.h"

int once_place(char *ret_path, size_t size) {
    const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
    int n;
    if (runtime && runtime[0] == '/')
        n = snprintf(ret_path, size, "%s/retort", runtime);
    else if (geteuid() == 0)
        n = snprintf(ret_path, size, "/run/retort");
    else
        n = snprintf(ret_path, size, "/tmp/retort-%u", (unsigned)geteuid());
    return n >= (int)size ? -ENAMETOOLONG : 0;
}

/* Opens the directory, if it is ours and nobody else can use it; -errno. */
static int open_place(const char *path) {
    struct stat st;
    scoped_fd fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0)
        return -errno;
    return st.st_uid != geteuid() || st.st_mode & 077 ? -EPERM : take_fd(&fd);
}

int once_place_make(char *ret_path, size_t size) {
    int r = once_place(ret_path, size);
    if (r == 0 && mkdir(ret_path, 0700) < 0 && errno != EEXIST)
        r = -errno;
    scoped_fd fd = r < 0 ? r : open_place(ret_path);
    return fd < 0 ? fd : 0;
}

static bool is_ours(int sock) {
    struct ucred peer = {.uid = (uid_t)-1};
    socklen_t len = sizeof peer;
    return getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 && peer.uid == geteuid();
}

/* Uses the descriptor, so that what we checked is what we use; and the name may be longer than a
 * socket's. */
int once_connect(void) {
    char path[MAX_PATH];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct timeval patience = {.tv_sec = 1}; /* in case the engine is stopped */
    int r = once_place(path, sizeof path);
    scoped_fd dir = r < 0 ? r : open_place(path);
    scoped_fd sock = dir < 0 ? dir : socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (sock < 0)
        return -ENOENT;
    setsockopt(sock, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/" ONCE_SOCKET, dir);
    if (connect(sock, (const struct sockaddr *)&address, sizeof address) < 0)
        return -errno;
    return is_ours(sock) ? take_fd(&sock) : -EPERM;
}

/* --- likeness --- */

static int likeness_file(struct buf *ret, const char *path) {
    struct stat st;
    if (stat(path, &st) < 0)
        return -errno;
    return buf_printf(ret, "%llu %llu %lld %ld\n", (unsigned long long)st.st_dev,
                      (unsigned long long)st.st_ino, (long long)st.st_mtim.tv_sec,
                      st.st_mtim.tv_nsec);
}

static int likeness_link(struct buf *ret, const char *path) {
    char text[64];
    ssize_t n = readlink(path, text, sizeof text - 1);
    if (n < 0)
        return -errno;
    text[n] = 0;
    return buf_printf(ret, "%s\n", text);
}

static int likeness_places(struct buf *ret, struct retort_error *err) {
    char state[MAX_PATH], config[MAX_PATH] = "";
    const char *path = secure_getenv("PATH");
    int r = statedir_find(NULL, state, sizeof state, err);
    environment_directory(config, sizeof config);
    if (r == 0)
        r = buf_printf(ret, "%s\n%s\n", state, config);
    if (r == 0 && access("/usr/bin/python3", X_OK) < 0) /* then it uses the first on PATH */
        r = buf_printf(ret, "%s\n", path ? path : "");
    return r;
}

int once_likeness(struct buf *ret) {
    static const char *const namespaces[] = {"/proc/self/ns/mnt", "/proc/self/ns/user",
                                             "/proc/self/root"};
    struct retort_error err = ERR_INIT;
    char libexec[512], path[600];
    int r = libexec_find(libexec, sizeof libexec, &err);
    if (r == 0)
        r = buf_adds(ret, RETORT_VERSION "\n");
    if (r == 0)
        r = likeness_places(ret, &err);
    if (r < 0)
        return r;
    snprintf(path, sizeof path, "%s/retort-supervisor", libexec);
    r = likeness_file(ret, path);
    for (size_t i = 0; r == 0 && i < sizeof namespaces / sizeof *namespaces; i++)
        r = likeness_link(ret, namespaces[i]);
    return r;
}
