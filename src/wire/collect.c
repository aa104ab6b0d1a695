#include "wire/collect.h"

#include <errno.h>
#include <string.h>

int collect_request_read(const char *bytes, size_t len, struct collect_request *ret,
                         const char **ret_path, const char **ret_target) {
    struct collect_request q;
    if (len < sizeof q)
        return -EPROTO;
    memcpy(&q, bytes, sizeof q);
    if (q.path_len > MAX_WORK_PATH || q.target_len > MAX_WORK_PATH ||
        len != sizeof q + q.path_len + q.target_len || memchr(bytes + sizeof q, 0, len - sizeof q))
        return -EPROTO;
    *ret = q;
    *ret_path = bytes + sizeof q;
    *ret_target = *ret_path + q.path_len;
    return 0;
}

int collect_entry_read(const char *bytes, size_t len, size_t *pos, struct collect_entry *ret,
                       const char **ret_path, const char **ret_target) {
    struct collect_entry e;
    size_t left = len - *pos;
    if (left == 0)
        return 0;
    if (left < sizeof e)
        return -EPROTO;
    memcpy(&e, bytes + *pos, sizeof e);
    left -= sizeof e;
    if (e.path_len == 0 || e.path_len > MAX_WORK_PATH || e.target_len > MAX_PATH ||
        e.path_len > left || e.target_len > left - e.path_len)
        return -EPROTO;
    const char *path = bytes + *pos + sizeof e;
    if (memchr(path, 0, e.path_len + e.target_len))
        return -EPROTO;
    *pos += sizeof e + e.path_len + e.target_len;
    *ret = e;
    *ret_path = path;
    *ret_target = path + e.path_len;
    return 1;
}
