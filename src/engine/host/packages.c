#include "engine/host/packages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/host/statedir.h"

int packages_path(const char *state, const char *name, char *ret, size_t size,
                  struct retort_error *err) {
    char dir[MAX_PATH];
    int r = statedir_find(state, dir, sizeof dir, err);
    if (r < 0)
        return r;
    int n = snprintf(ret, size, "%s/environments%s%s", dir, name[0] ? "/" : "", name);
    return n < 0 || (size_t)n >= size
               ? err_set(err, ERR_CALLER, ENAMETOOLONG, "the state directory's path is too long")
               : 0;
}

const char *packages_index(enum packages_kind kind) {
    static const struct {
        const char *variable, *usual;
    } indexes[] = {{"PIP_INDEX_URL", "https://pypi.org/simple"},
                   {"npm_config_registry", "https://registry.npmjs.org"}};
    const char *set = secure_getenv(indexes[kind].variable);
    return set && set[0] ? set : indexes[kind].usual;
}

/* How many bytes at `host`, behind "://", are a name and password. For ssh the name alone is no
 * secret, and without it the address would lead nowhere. */
static size_t secret_length(const char *text, const char *host) {
    bool ssh = host - text >= 6 && strncmp(host - 6, "ssh", 3) == 0;
    const char *at = memrchr(host, '@', strcspn(host, "/?# \t\r\n'\""));
    size_t len = at ? (size_t)(at + 1 - host) : 0;
    return ssh && !memchr(host, ':', len) ? 0 : len;
}

char *packages_public(const char *text) {
    char *out = malloc(strlen(text) + 1), *to = out;
    const char *from = text, *scheme;
    while (out && (scheme = strstr(from, "://"))) {
        const char *host = scheme + 3;
        to = mempcpy(to, from, (size_t)(host - from));
        from = host + secret_length(text, host);
    }
    if (out)
        memcpy(to, from, strlen(from) + 1);
    return out;
}

bool packages_is_hash(const char *text) {
    return strspn(text, "0123456789abcdef") == 2 * HASH_SIZE && !text[2 * HASH_SIZE];
}

const char *packages_hash(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Who removes it locks it first, and then it has another name. */
static int lock_named(int fd, const char *path) {
    struct stat have, named;
    int r;
    while ((r = flock(fd, LOCK_SH)) < 0 && errno == EINTR)
        ;
    if (r < 0 || fstat(fd, &have) < 0 || stat(path, &named) < 0)
        return -1;
    errno = ENOENT;
    return have.st_dev == named.st_dev && have.st_ino == named.st_ino ? 0 : -1;
}

int packages_hold(const char *path, struct retort_error *err) {
    scoped_fd fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || lock_named(fd, path) < 0)
        return err_errno(err, ERR_CALLER, errno,
                         "the packages %.16s… of the environment are not there any more",
                         packages_hash(path));
    return take_fd(&fd);
}
