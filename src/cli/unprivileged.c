#include "cli/unprivileged.h"

#include <errno.h>
#include <ftw.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static uid_t giving_uid; /* nftw takes no argument for its function */
static gid_t giving_gid;

static int give(const char *path, const struct stat *st, int kind, struct FTW *where) {
    (void)kind, (void)where;
    return st->st_uid == giving_uid ? 0 : lchown(path, giving_uid, giving_gid);
}

static int give_state(const char *path, uid_t uid, gid_t gid, struct err *err) {
    giving_uid = uid;
    giving_gid = gid;
    if (nftw(path, give, 16, FTW_PHYS) != 0)
        return err_set(err, ERR_HOST, errno, "cannot give %s to user %u", path, uid);
    return 0;
}

int unprivileged_prepare(const char *name, struct unprivileged *ret, struct err *err) {
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
    /* Root's own configuration will be out of reach: a service has its in /etc/retort. */
    setenv("XDG_CONFIG_HOME", "/etc", 0);
    if (mkdir(ret->state, 0700) < 0 && errno != EEXIST)
        return err_set(err, ERR_HOST, errno, "cannot make %s", ret->state);
    /* The engine opens it as root, and takes only what belongs to who it is. */
    return give_state(ret->state, 0, 0, err);
}

int unprivileged_become(const struct unprivileged *user, struct err *err) {
    int r = give_state(user->state, user->uid, user->gid, err);

    if (r < 0)
        return r;
    if (setgroups(0, NULL) < 0 || setresgid(user->gid, user->gid, user->gid) < 0 ||
        setresuid(user->uid, user->uid, user->uid) < 0 || setuid(0) == 0)
        return err_set(err, ERR_HOST, errno, "cannot become the server's user");
    return 0;
}
