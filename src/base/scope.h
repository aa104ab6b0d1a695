/* Scoped ownership: a variable marked scoped_… is released when it leaves its scope, unless TAKE()
 * handed it over. Not for use between fork and exec. */
#pragma once

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static inline void scope_close(const int *fd) {
    if (*fd >= 0)
        close(*fd); /* never retried: the descriptor is gone even after EINTR */
}

static inline void scope_free(void *pp) {
    free(*(void **)pp);
}

static inline void scope_closedir(DIR **d) {
    if (*d)
        closedir(*d);
}

#define scoped_fd __attribute__((cleanup(scope_close))) int
#define scoped_free __attribute__((cleanup(scope_free)))
#define scoped_dir __attribute__((cleanup(scope_closedir))) DIR *

/* Hands a scoped descriptor or pointer over to somebody else. */
static inline int take_fd(int *fd) {
    int r = *fd;
    *fd = -1;
    return r;
}
#define TAKE(p)                     \
    __extension__({                 \
        __typeof__(p) taken_ = (p); \
        (p) = NULL;                 \
        taken_;                     \
    })

/* Closes a descriptor field and marks it as gone. */
static inline void fd_done(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}
