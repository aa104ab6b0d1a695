#include "base/readall.h"

#include <errno.h>
#include <unistd.h>

#include "base/tiny.h"

/* Never reads again after the end: at a terminal that would need a second Ctrl-D. A signal that the
 * caller handles ends the reading, so that Ctrl-C works. */
int read_all(int fd, struct buf *ret) {
    char chunk[TINY(65536, 61)];
    ssize_t n;
    while ((n = read(fd, chunk, sizeof chunk)) > 0) {
        int r = buf_add(ret, chunk, (size_t)n);
        if (r < 0)
            return r;
    }
    return n < 0 ? -errno : 0;
}
