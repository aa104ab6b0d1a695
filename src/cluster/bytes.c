/* Stored bytes in the cluster's own store. A node writes the parts from the last to the first, each
 * once: if the first is there, all are. Each part begins with a line: the number of all bytes, and
 * the part's hash. Parts are kept by session, so that a session can be forgotten. */
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
#define HEAD (24 + HASH_TEXT_SIZE)
#define OTHERS 12 /* how often we ask other servers for a part that was damaged */

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
    struct stream_append a = {.stream = STREAM_BYTES,
                              .subject = subject,
                              .expect = 0,
                              .data = data,
                              .len = len,
                              .patience_ms = (unsigned)(c->lease * 1000)};
    uint64_t seq;
    struct retort_error why = ERR_INIT;
    int r = streams_append(&c->streams, &a, &seq, &why);
    if (r == -ESTALE) /* it was written before: the subject names its content */
        return 0;
    if (r < 0 && err)
        *err = why;
    pthread_mutex_lock(&c->lock);
    c->counts.bytes += r == 0 ? len : 0;
    pthread_mutex_unlock(&c->lock);
    return r;
}

/* Reads `len` bytes from `offset`, of memory or of a file. */
struct bytes_source {
    int fd;
    const char *data;
};

/* Writes the line before a part, first with the hash of nothing, then with its own. */
static size_t part_head(uint64_t size, char text[HEAD]) {
    static const struct hash none;
    char hash[HASH_TEXT_SIZE];
    hash_text(&none, hash);
    return (size_t)snprintf(text, HEAD, "%llu %s\n", (unsigned long long)size, hash);
}

static int part_seal(char *text, size_t head, size_t len) {
    char hash[HASH_TEXT_SIZE];
    struct hash own;
    int r = hash_bytes(text + head, len, &own);
    hash_text(&own, hash);
    memcpy(strchr(text, ' ') + 1, hash, HASH_TEXT_SIZE - 1);
    return r;
}

static int put_all(struct cluster *c, const char *session, const struct hash *hash,
                   const struct bytes_source *from, uint64_t size, struct retort_error *err) {
    scoped_free char *text = malloc(PART + HEAD);
    char subject[BUS_SUBJECT];
    uint64_t parts = size ? (size + PART - 1) / PART : 1;
    int r = text ? 0 : err_memory(err);
    for (uint64_t i = parts; i-- > 0 && r == 0;) {
        uint64_t offset = i * PART, left = size - offset;
        size_t len = left < PART ? (size_t)left : PART, head = part_head(size, text);
        if (from->data)
            memcpy(text + head, from->data + offset, len);
        else if (pread(from->fd, text + head, len, (off_t)offset) != (ssize_t)len)
            return err_errno(err, ERR_HOST, EIO, "cannot read stored bytes");
        r = part_seal(text, head, len);
        part_subject(c, session, hash, i, subject);
        r = r < 0 ? err_memory(err) : put_part(c, subject, text, head + len, err);
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

/* Checks a part against its line, and removes the line. */
static int part_check(struct stream_message *m, uint64_t *ret_size) {
    char *end = memchr(m->data, '\n', m->len < HEAD ? m->len : HEAD), *stop;
    struct hash said, found;
    if (!end)
        return -EBADMSG;
    *end = 0;
    *ret_size = strtoull(m->data, &stop, 10);
    if (stop == m->data || *stop != ' ' || hash_parse(stop + 1, &said) < 0)
        return -EBADMSG;
    m->len -= (size_t)(end + 1 - m->data);
    memmove(m->data, end + 1, m->len);
    int r = hash_bytes(m->data, m->len, &found);
    return r < 0 ? r : hash_equal(&said, &found) ? 0 : -EBADMSG;
}

static int get_part_once(struct cluster *c, const char *subject, bool any,
                         struct stream_message *ret, uint64_t *ret_size, struct retort_error *err) {
    int r = any ? streams_any_last(&c->streams, STREAM_BYTES, subject, ret, err)
                : streams_last(&c->streams, STREAM_BYTES, subject, ret, err);
    if (r == 0 && (r = part_check(ret, ret_size)) < 0)
        free(ret->data);
    return r;
}

/* Asks the leading server first; if it has no part, or a damaged one, asks the others, of which any
 * may answer. */
static int get_part(struct cluster *c, const char *subject, struct stream_message *ret,
                    uint64_t *ret_size, struct retort_error *err) {
    int r = get_part_once(c, subject, false, ret, ret_size, err);
    bool bad = r == -EBADMSG;
    for (int tries = 0; r < 0 && r != -ENOMEM && tries < OTHERS; tries++) {
        r = get_part_once(c, subject, true, ret, ret_size, err);
        bad = bad || r == -EBADMSG;
        pthread_mutex_lock(&c->lock);
        c->counts.refetched++;
        pthread_mutex_unlock(&c->lock);
    }
    return r < 0 && bad ? -EBADMSG : r;
}

static int get_all(struct cluster *c, const char *session, const struct hash *hash,
                   struct store_writer *w, struct retort_error *err) {
    uint64_t size = 1, got = 0;
    char subject[BUS_SUBJECT];
    int r = 0;
    for (uint64_t part = 0; r == 0 && got < size; part++) {
        struct stream_message m;
        part_subject(c, session, hash, part, subject);
        r = get_part(c, subject, &m, &size, err);
        if (r < 0)
            return r;
        got += m.len;
        r = got > size || (m.len == 0 && size > 0) ? -EBADMSG : store_add(w, m.data, m.len, err);
        free(m.data);
    }
    return r;
}

int bytes_get(struct cluster *c, const char *session, const struct hash *hash,
              struct retort_error *err) {
    char text[HASH_TEXT_SIZE];
    struct store_writer *w = store_writer_new(c->ledger, err);
    struct hash found;
    uint64_t size;
    hash_text(hash, text);
    if (!w)
        return -ENOMEM;
    int r = get_all(c, session, hash, w, err);
    if (r < 0)
        store_abort(w);
    else if ((r = store_finish(w, &found, &size, err)) == 0 && !hash_equal(&found, hash))
        r = -EBADMSG;
    if (r == -EBADMSG)
        return err_set(err, ERR_HOST, EBADMSG, "the cluster's log has other bytes than %s", text);
    if (r == -ENOENT)
        return err_set(err, ERR_HOST, ENODATA, "the cluster's log does not have the bytes %s",
                       text);
    return r;
}
