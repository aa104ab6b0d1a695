/* Stored bytes in the log's own store. Parts are written from the last to the first, each once: where the first is, all are.
 * It begins with their number of bytes. They are kept by session, so that a session can be forgotten. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/maxima.h"
#include "base/scope.h"
#include "cluster/node.h"
#include "ledger/store.h"

#define PART (512u << 10)
#define HEAD 24

static void part_subject(const struct cluster *c, const char *session, const struct hash *hash,
                         uint64_t part, char ret[BUS_SUBJECT]) {
    char text[HASH_TEXT_SIZE], id[BUS_SUBJECT];
    hash_text(hash, text);
    snprintf(id, sizeof id, "%s.%s.%llu", session, strchr(text, ':') + 1, (unsigned long long)part);
    streams_subject(&c->streams, "bytes", id, ret);
}

static int bytes_have(struct cluster *c, const char *session, const struct hash *hash,
                      struct retort_error *err) {
    char subject[BUS_SUBJECT];
    struct stream_message m;
    part_subject(c, session, hash, 0, subject);
    int r = streams_last(&c->streams, STREAM_BYTES, subject, &m, err);
    if (r == 0)
        free(m.data);
    return r == 0 ? 1 : r == -ENOENT ? 0 : r;
}

static int put_part(struct cluster *c, const char *subject, const char *data, size_t len,
                    struct retort_error *err) {
    struct stream_append a = {.subject = subject,
                              .expect = 0,
                              .data = data,
                              .len = len,
                              .patience_ms = (unsigned)(c->lease * 1000)};
    uint64_t seq;
    struct retort_error why = ERR_INIT;
    int r = streams_append(&c->streams, &a, &seq, &why);
    if (r == -ESTALE) /* somebody has written it before: the name says what it is */
        return 0;
    if (r < 0 && err)
        *err = why;
    pthread_mutex_lock(&c->lock);
    c->counts.bytes += r == 0 ? len : 0;
    pthread_mutex_unlock(&c->lock);
    return r;
}

/* Reads `len` bytes from `offset` of either. */
struct bytes_source {
    int fd;
    const char *data;
};

static int put_all(struct cluster *c, const char *session, const struct hash *hash,
                   const struct bytes_source *from, uint64_t size, struct retort_error *err) {
    scoped_free char *text = malloc(PART + HEAD);
    char subject[BUS_SUBJECT];
    uint64_t parts = size ? (size + PART - 1) / PART : 1;
    int r = text ? 0 : err_set(err, ERR_HOST, ENOMEM, "out of memory");
    for (uint64_t i = parts; i-- > 0 && r == 0;) {
        uint64_t offset = i * PART, left = size - offset;
        size_t len = left < PART ? (size_t)left : PART, head = 0;
        if (i == 0)
            head = (size_t)snprintf(text, HEAD, "%llu\n", (unsigned long long)size);
        if (from->data)
            memcpy(text + head, from->data + offset, len);
        else if (pread(from->fd, text + head, len, (off_t)offset) != (ssize_t)len)
            return err_errno(err, ERR_HOST, EIO, "cannot read stored bytes");
        part_subject(c, session, hash, i, subject);
        r = put_part(c, subject, text, head + len, err);
    }
    return r;
}

int bytes_put(struct cluster *c, const char *session, const struct hash *hash,
              struct retort_error *err) {
    uint64_t size;
    int r = bytes_have(c, session, hash, err);
    if (r != 0)
        return r < 0 ? r : 0;
    scoped_fd fd = store_open(c->ledger, hash, false, &size, err);
    if (fd < 0)
        return fd;
    return put_all(c, session, hash, &(struct bytes_source){.fd = fd}, size, err);
}

int bytes_put_data(struct cluster *c, const char *session, const struct hash *hash,
                   const char *data, size_t len, struct retort_error *err) {
    int r = bytes_have(c, session, hash, err);
    if (r != 0)
        return r < 0 ? r : 0;
    return put_all(c, session, hash, &(struct bytes_source){.fd = -1, .data = data}, len, err);
}

static int get_part(struct cluster *c, const char *session, const struct hash *hash, uint64_t part,
                    struct stream_message *ret, struct retort_error *err) {
    char subject[BUS_SUBJECT];
    part_subject(c, session, hash, part, subject);
    return streams_last(&c->streams, STREAM_BYTES, subject, ret, err);
}

/* Returns the size of all, and takes the line off that says it. */
static int read_size(struct stream_message *first, uint64_t *ret) {
    char *end = memchr(first->data, '\n', first->len < HEAD ? first->len : HEAD), *stop;
    if (!end)
        return -EBADMSG;
    *ret = strtoull(first->data, &stop, 10);
    if (stop != end)
        return -EBADMSG;
    first->len -= (size_t)(end + 1 - first->data);
    memmove(first->data, end + 1, first->len);
    return 0;
}

static int get_all(struct cluster *c, const char *session, const struct hash *hash,
                   struct store_writer *w, struct retort_error *err) {
    uint64_t size = 1, got = 0;
    int r = 0;
    for (uint64_t part = 0; r == 0 && got < size; part++) {
        struct stream_message m;
        r = get_part(c, session, hash, part, &m, err);
        if (r < 0)
            return r;
        if (part == 0)
            r = read_size(&m, &size);
        got += m.len;
        if (r == 0 && (got > size || (m.len == 0 && size > 0)))
            r = -EBADMSG;
        if (r == 0)
            r = store_add(w, m.data, m.len, err);
        free(m.data);
    }
    return r;
}

int bytes_get(struct cluster *c, const char *session, const struct hash *hash,
              struct retort_error *err) {
    char text[HASH_TEXT_SIZE];
    int r = -EBADMSG;
    hash_text(hash, text);
    /* Bytes that are not what their name says are asked for again: another server may have them. */
    for (int tries = 0; r == -EBADMSG && tries < 3; tries++) {
        struct store_writer *w = store_writer_new(c->ledger, err);
        struct hash found;
        uint64_t size;
        if (!w)
            return -ENOMEM;
        r = get_all(c, session, hash, w, err);
        if (r < 0)
            store_abort(w);
        else if ((r = store_finish(w, &found, &size, err)) == 0 && !hash_equal(&found, hash))
            r = -EBADMSG;
    }
    if (r == -EBADMSG)
        return err_set(err, ERR_HOST, EBADMSG, "the cluster's log has other bytes than %s", text);
    if (r == -ENOENT)
        return err_set(err, ERR_HOST, ENODATA, "the cluster's log does not have the bytes %s",
                       text);
    return r;
}
