#include "serve/server/unprivileged.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scope.h"

/* An empty directory of root's is replaced. */
static bool unprivileged_make_dir(const char *path) {
    struct stat st;

    if (mkdir(path, 0700) == 0)
        return true;
    return errno == EEXIST && lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == 0 &&
           rmdir(path) == 0 && mkdir(path, 0700) == 0;
}

/* 1: the user owns it, because we made it or found it so; 0: it is root's, and not empty. We give
 * away only what we made. */
static int claim(const char *path, const struct unprivileged *user, struct retort_error *err) {
    bool made = unprivileged_make_dir(path);
    scoped_fd fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (made ? O_NOFOLLOW : 0));
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot make %.200s", path);
    if (made && fchown(fd, user->uid, user->gid) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot give %.200s to user %u", path, user->uid);
    if (made || st.st_uid == user->uid)
        return 1;
    if (st.st_uid != 0)
        return err_set(err, ERR_CALLER, EPERM,
                       "%.200s belongs to user %u: name another (RETORT_STATE)", path,
                       (unsigned)st.st_uid);
    return 0;
}

/* If root keeps its own records there, the service gets a directory among them. */
static int claim_state(struct unprivileged *user, struct retort_error *err) {
    size_t len = strlen(user->state);
    int r = claim(user->state, user, err);

    if (r != 0)
        return r;
    if (snprintf(user->state + len, sizeof user->state - len, "/service") >=
        (int)(sizeof user->state - len))
        return err_set(err, ERR_CALLER, ENAMETOOLONG, "the state directory's name is too long");
    r = claim(user->state, user, err);
    return r == 0 ? err_set(err, ERR_CALLER, EPERM, "%.200s belongs to root", user->state) : r;
}

int unprivileged_prepare(const char *name, struct unprivileged *ret, struct retort_error *err) {
    const char *state = getenv("RETORT_STATE");
    const struct passwd *entry = getpwnam(name ? name : "retort");
    int n;

    if (!entry && !name)
        entry = getpwnam("nobody");
    if (!entry || entry->pw_uid == 0)
        return err_set(err, ERR_CALLER, EINVAL, "--user %s: no such user, or root",
                       name ? name : "");
    *ret = (struct unprivileged){.uid = entry->pw_uid, .gid = entry->pw_gid};
    n = snprintf(ret->state, sizeof ret->state, "%s",
                 state && state[0] ? state : "/var/lib/retort");
    if (n < 0 || (size_t)n >= sizeof ret->state)
        return err_set(err, ERR_CALLER, ENAMETOOLONG, "the state directory's name is too long");
    /* The user cannot read root's own configuration: a service has its in /etc/retort. */
    setenv("XDG_CONFIG_HOME", "/etc", 0);
    int r = claim_state(ret, err);
    if (r >= 0) /* environments are also looked for there */
        setenv("RETORT_STATE", ret->state, 1);
    return r;
}

int unprivileged_become(const struct unprivileged *user, struct retort_error *err) {
    if (setgroups(0, NULL) < 0 || setresgid(user->gid, user->gid, user->gid) < 0 ||
        setresuid(user->uid, user->uid, user->uid) < 0 || setuid(0) == 0)
        return err_errno(err, ERR_HOST, errno, "cannot become the server's user");
    return 0;
}
