/* Finds the references to stored bytes in the body of an entry (store.h has the rule). */
#include <errno.h>
#include <stdlib.h>

#include "base/unconst.h"
#include "ledger/internal.h"

/* Makes room for one more. The list doubles: it is full when the count is a power of two. */
int refs_room(struct refs *r) {
    if (r->count & (r->count - 1))
        return 0;
    struct hash *more = reallocarray(r->hashes, r->count ? r->count * 2 : 1, sizeof *more);
    if (!more)
        return -ENOMEM;
    r->hashes = more;
    return 0;
}

static int refs_add_one(struct refs *r, const json_t *value) {
    struct hash h;
    if (!value || json_is_null(value))
        return 0;
    if (!json_is_string(value) || hash_parse(json_string_value(value), &h) < 0)
        return -EINVAL;
    if (refs_room(r) < 0)
        return -ENOMEM;
    r->hashes[r->count++] = h;
    return 0;
}

int refs_add(struct refs *r, const json_t *body) {
    const char *key;
    json_t *value, *item;
    size_t i;
    int rc = refs_add_one(r, json_object_get(body, "blob"));
    json_object_foreach(json_object_get(body, "blobs"), key, value) {
        rc = rc < 0 ? rc : refs_add_one(r, value);
    }
    json_object_foreach(unconst(body), key, value) {
        json_array_foreach(value, i, item) {
            rc = rc < 0 ? rc : refs_add_one(r, json_object_get(item, "blob"));
        }
    }
    return rc;
}

int refs_collect(const json_t *body, struct refs *ret) {
    *ret = (struct refs){.count = 0};
    int r = refs_add(ret, body);
    if (r < 0)
        refs_done(ret);
    return r;
}

void refs_done(struct refs *r) {
    free(r->hashes);
    *r = (struct refs){.count = 0};
}
