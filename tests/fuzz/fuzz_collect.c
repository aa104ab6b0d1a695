/* Requests to the collector as it decodes them, and packets of its lists as the broker does: the
 * first byte says which. What was accepted lies within the bytes, within its bounds, and is all of
 * them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "wire/collect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int fact) {
    if (!fact)
        abort();
}

static void as_request(const char *bytes, size_t len) {
    struct collect_request q;
    const char *path, *target;
    int r = collect_request_read(bytes, len, &q, &path, &target);
    must(r == 0 || r == -EPROTO);
    if (r < 0)
        return;
    must(path == bytes + sizeof q && target + q.target_len == bytes + len);
    must(q.path_len <= MAX_WORK_PATH && q.target_len <= MAX_WORK_PATH);
    must(!memchr(path, 0, q.path_len + (size_t)q.target_len));
}

static void as_list(const char *bytes, size_t len) {
    struct collect_entry e;
    const char *path, *target;
    size_t pos = 0, sum = 0;
    int r;
    while ((r = collect_entry_read(bytes, len, &pos, &e, &path, &target)) > 0) {
        sum += sizeof e + e.path_len + e.target_len;
        must(pos == sum && pos <= len && target + e.target_len == bytes + pos);
        must(e.path_len && e.path_len <= MAX_WORK_PATH && e.target_len <= MAX_PATH);
        must(!memchr(path, 0, e.path_len + (size_t)e.target_len));
    }
    must(r == -EPROTO || pos == len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *bytes = size ? malloc(size) : NULL; /* of its own, so that one byte too far is seen */
    if (!bytes)
        return 0;
    memcpy(bytes, data + 1, size - 1);
    (*data & 1 ? as_list : as_request)(bytes, size - 1);
    free(bytes);
    return 0;
}
