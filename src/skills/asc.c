#include "skills/asc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/readall.h"
#include "base/scope.h"

#define ASC_BYTES (32u << 20)
#define ASC_PATH 600

static const char *const parts[] = {"assemblyscript/package.json",
                                    "assemblyscript/dist/asc.js",
                                    "assemblyscript/dist/assemblyscript.js",
                                    "assemblyscript/dist/transform.js",
                                    "binaryen/package.json",
                                    "binaryen/index.js",
                                    "long/package.json",
                                    "long/index.js"};

/* A package that the compiler needs is beside it, or, if it is installed for everybody, in its own
 * folder. */
static int open_part(const char *modules, const char *part) {
    char path[ASC_PATH];
    snprintf(path, sizeof path, "%s/assemblyscript/node_modules/%s", modules, part);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        return fd;
    snprintf(path, sizeof path, "%s/%s", modules, part);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static int asc_put_part(struct retort_session *session, const char *modules, const char *part,
                        struct retort_error *err) {
    char name[ASC_PATH];
    scoped_buf data = BUF_INIT(ASC_BYTES);
    scoped_fd fd = open_part(modules, part);
    int r = fd < 0 ? -errno : read_all(fd, &data);
    if (r < 0)
        return err_errno(err, ERR_HOST, -r, "cannot read %.200s of AssemblyScript in %.200s", part,
                         modules);
    snprintf(name, sizeof name, "asc/node_modules/%s", part);
    return retort_file_write(session, name, 0, data.data ? data.data : "", data.len, true, err);
}

static const char *find_modules(void) {
    const char *named = getenv("RETORT_ASSEMBLYSCRIPT");
    const char *const places[] = {named, "/usr/local/lib/node_modules", "/usr/lib/node_modules"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        scoped_fd fd = places[i] ? open_part(places[i], parts[0]) : -1;
        if (fd >= 0)
            return places[i];
    }
    return NULL;
}

int asc_put(struct retort_session *session, struct retort_error *err) {
    const char *modules = find_modules();
    int r = 0;
    for (size_t i = 0; r == 0 && modules && i < sizeof parts / sizeof *parts; i++)
        r = asc_put_part(session, modules, parts[i], err);
    return r;
}
