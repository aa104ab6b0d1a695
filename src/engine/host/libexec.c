#include "engine/host/libexec.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
