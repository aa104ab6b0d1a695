/* A tree of files as a stream: heads and paths, as tree_unpack reads them one after the other.
 * Whatever is let through stays beneath the directory, and comes in order. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "environments/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool fact) {
    if (!fact)
        abort();
}

static void check_path(const char *path, const char *last) {
    must(path[0] && path[0] != '/' && path[strlen(path) - 1] != '/' && !strstr(path, "//"));
    must(strncmp(path, "../", 3) != 0 && !strstr(path, "/../") && strcmp(path, "..") != 0);
    must(strcmp(path, last) > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[TREE_PATH] = "", last[TREE_PATH] = "";
    struct tree_head h;
    size_t at = 0;
    while (size - at >= TREE_HEAD && tree_head_read(data + at, &h) == 0) {
        at += TREE_HEAD;
        must(h.path_len > 0 && h.path_len < TREE_PATH);
        if (size - at < h.path_len)
            break;
        memcpy(path, data + at, h.path_len);
        path[h.path_len] = 0;
        if (!tree_path_ok(path, h.path_len, last))
            break;
        check_path(path, last);
        memcpy(last, path, h.path_len + 1);
        at += h.path_len;
        if (size - at < h.size)
            break;
        at += (size_t)h.size;
    }
    return 0;
}
