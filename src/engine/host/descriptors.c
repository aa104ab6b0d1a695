#include "engine/host/descriptors.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>

int descriptors_named(int r, struct retort_error *err) {
    struct retort_error cause = *err;
    struct rlimit most;
    if (r >= 0 || cause.code != EMFILE || getrlimit(RLIMIT_NOFILE, &most) < 0)
        return r;
    r = err_set(err, ERR_LIMIT, EBUSY,
                "no files can be opened for another session: a process of this engine may have "
                "%llu (%s)",
                (unsigned long long)most.rlim_cur, cause.message);
    snprintf(err->hint, sizeof err->hint,
             "close sessions, or try again later; ulimit -Hn before the start gives it more");
    return r;
}
