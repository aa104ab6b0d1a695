#include "engine/host/libexec.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scope.h"
#include "base/unconst.h"

/* The supervisor is found beside us (a build tree) or in libexec (installed), so that no path is
 * compiled in. */
int libexec_find(char *ret, size_t size, struct retort_error *err) {
    static const char *const places[] = {"", "/../libexec/retort", "/../../libexec/retort"};
    char self[PATH_MAX], path[PATH_MAX + 64];
    const char *override = secure_getenv("RETORT_LIBEXEC");
    Dl_info info;
    if (override) {
        if (!realpath(override, self) || strlen(self) >= size)
            return err_errno(err, ERR_CALLER, errno, "RETORT_LIBEXEC does not name a directory");
        snprintf(ret, size, "%s", self);
        return 0;
    }
    if (!dladdr((void *)libexec_find, &info) || !realpath(info.dli_fname, self)) {
        ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
        self[n > 0 ? n : 0] = 0;
    }
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char dir[PATH_MAX + 32];
        snprintf(dir, sizeof dir, "%s%s", self, places[i]);
        snprintf(path, sizeof path, "%s/retort-supervisor", dir);
        if (access(path, X_OK) == 0 && strlen(dir) < size) {
            snprintf(ret, size, "%s", dir);
            return 0;
        }
    }
    return err_errno(err, ERR_HOST, ENOENT,
                     "cannot find retort-supervisor beside the program or in libexec");
}

/* Helpers do not inherit the host program's signals: all are at their default, none is blocked. */
static void default_signals(posix_spawnattr_t *attr) {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(attr, &all);
    posix_spawnattr_setsigmask(attr, &none);
    posix_spawnattr_setflags(attr,
                             POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
}

int libexec_spawn(const char *libexec, const char *name, int sock, char *const *vars,
                  pid_t *ret_pid) {
    char path[600], *argv[] = {unconst(name), NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    pid_t pid;
    /* dup2 onto itself would keep close-on-exec */
    scoped_fd high = fcntl(sock, F_DUPFD_CLOEXEC, 16);
    if (high < 0)
        return -errno;
    snprintf(path, sizeof path, "%s/%s", libexec, name);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attr);
    default_signals(&attr);
    for (int fd = 0; fd < 3; fd++)
        posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions, high, 3);
    int r = posix_spawn(&pid, path, &actions, &attr, argv, vars);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attr);
    if (r == 0)
        *ret_pid = pid;
    return -r;
}

int libexec_await(pid_t *pid) {
    int status = 0;
    if (*pid > 0)
        while (waitpid(*pid, &status, 0) < 0 && errno == EINTR)
            ;
    *pid = 0;
    return status;
}
