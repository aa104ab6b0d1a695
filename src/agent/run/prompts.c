#include "agent/run/prompts.h"

#include "base/io.h"
#include "base/scope.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PROMPT (256u << 10)

static int prompts_add_file(const char *dir, const char *name, struct buf *out) {
    char path[512];
    scoped_free char *text = malloc(MAX_PROMPT);
    if (!text)
        return -ENOMEM;
    snprintf(path, sizeof path, "%s/%s.md", dir, name);
    ssize_t n = read_file_at(AT_FDCWD, path, text, MAX_PROMPT);
    return n < 0 ? (int)n : buf_add(out, text, (size_t)n);
}

int prompts_add(const char *dir, const char *name, struct buf *out) {
    if (dir) {
        int r = prompts_add_file(dir, name, out);
        if (r != -ENOENT)
            return r;
    }
    for (const struct prompt *p = prompts_built_in; p->name; p++)
        if (strcmp(p->name, name) == 0)
            return buf_adds(out, p->text);
    return -ENOENT;
}
