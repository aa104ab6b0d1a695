#include "engine/parts/stream.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "base/utf8.h"

#define MARK_ROOM 96 /* for the line that tells how much is missing */

void stream_init(struct stream *s, uint64_t kept, uint64_t stored) {
    size_t room = kept > 2 * MARK_ROOM ? kept - MARK_ROOM : kept;
    *s = (struct stream){.head_max = room * 6 / 10, .store_max = stored, .store = -1};
    s->tail_max = room - s->head_max;
    s->head = BUF_INIT(s->head_max);
}

void stream_done(struct stream *s) {
    buf_done(&s->head);
    free(s->tail);
    s->tail = NULL;
    if (s->store >= 0 && s->account)
        account_sub(s->account, ACCOUNT_STORED_OUTPUT, s->stored);
    fd_done(&s->store);
}

int spool_open(void) {
    const char *dir = secure_getenv("TMPDIR");
    int fd = open(dir ? dir : "/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return fd >= 0 ? fd : open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

static void tail_add(struct stream *s, const char *data, size_t len) {
    if (!s->tail && !(s->tail = malloc(s->tail_max ? s->tail_max : 1)))
        return;
    if (len >= s->tail_max) {
        data += len - s->tail_max;
        len = s->tail_max;
    }
    for (size_t n; len; data += n, len -= n) {
        n = s->tail_max - s->tail_pos < len ? s->tail_max - s->tail_pos : len;
        memcpy(s->tail + s->tail_pos, data, n);
        s->tail_pos = (s->tail_pos + n) % s->tail_max;
        s->tail_len = s->tail_len + n < s->tail_max ? s->tail_len + n : s->tail_max;
    }
}

bool stream_truncated(const struct stream *s) {
    return s->total > s->head.len + s->tail_len;
}

/* The tail is a ring: brought in order. */
static void tail_copy(const struct stream *s, char *to) {
    size_t start = s->tail_len < s->tail_max ? 0 : s->tail_pos, first = s->tail_len - start;
    memcpy(to, s->tail + start, first);
    memcpy(to + first, s->tail, start);
}

static void stream_store(struct stream *s, const char *data, size_t len) {
    size_t n = s->store_max - s->stored < len ? (size_t)(s->store_max - s->stored) : len;
    if (write_all(s->store, data, n) == 0) {
        s->stored += n;
        if (s->account)
            account_add(s->account, ACCOUNT_STORED_OUTPUT, n);
    } else
        s->store_max = s->stored; /* the disk is full: the result says how much was stored */
}

/* The stream has outgrown the result: from here on all of it is stored, including what came before.
 */
static void store_begin(struct stream *s, const char *data, size_t len) {
    stream_store(s, s->head.data, s->head.len);
    scoped_free char *tail = s->tail_len ? malloc(s->tail_len) : NULL;
    if (tail) {
        tail_copy(s, tail);
        stream_store(s, tail, s->tail_len);
    }
    stream_store(s, data, len);
}

void stream_add(struct stream *s, const char *data, size_t len) {
    s->total += len;
    if (s->store >= 0)
        stream_store(s, data, len);
    else if (s->store_max && s->total > s->head_max + s->tail_max &&
             s->total - len <= s->head_max + s->tail_max && (s->store = spool_open()) >= 0)
        store_begin(s, data, len);
    size_t head = s->head_max - s->head.len < len ? s->head_max - s->head.len : len;
    if (head && buf_add(&s->head, data, head) < 0)
        head = 0;
    if (len > head && s->tail_max)
        tail_add(s, data + head, len - head);
}

json_t *stream_text(const struct stream *s) {
    scoped_buf all = BUF_INIT(s->head_max + s->tail_max + 2 * MARK_ROOM);
    buf_add(&all, s->head.data, s->head.len);
    if (stream_truncated(s))
        buf_printf(&all, "\n[… %llu bytes omitted …]\n",
                   (unsigned long long)(s->total - s->head.len - s->tail_len));
    if (s->tail_len && buf_reserve(&all, s->tail_len) == 0) {
        tail_copy(s, all.data + all.len);
        all.len += s->tail_len;
    }
    return all.lost ? json_lose() : json_text(all.data ? all.data : "", all.len);
}

static size_t utf8_valid(const char *data, size_t len) {
    size_t i = 0;
    for (size_t n; i < len && (n = utf8_length((const unsigned char *)data + i, len - i)); i += n)
        ;
    return i;
}

json_t *json_text(const char *data, size_t len) {
    size_t valid = utf8_valid(data, len);
    if (valid == len)
        return json_stringn_nocheck(data, len);
    scoped_buf out = BUF_INIT(len * 3 + 3);
    for (size_t i = 0; i < len;) {
        size_t n = utf8_valid(data + i, len - i);
        buf_add(&out, data + i, n);
        i += n;
        if (i < len) {
            buf_add(&out, "\xef\xbf\xbd", 3);
            i++;
        }
    }
    return out.lost ? json_lose() : json_stringn_nocheck(out.data, out.len);
}

static bool name_plain(const unsigned char *p, size_t n) {
    bool control = n == 1 && (p[0] < 0x20 || p[0] == 0x7f || p[0] == '\\');
    bool c1 = n == 2 && p[0] == 0xc2 && p[1] < 0xa0;
    /* Directional overrides make one name look like another. */
    bool bidi = n == 3 && p[0] == 0xe2 &&
                ((p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae) ||
                 (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
    return n && !control && !c1 && !bidi;
}

json_t *json_name(const char *data, size_t len) {
    scoped_buf out = BUF_INIT(len * 4 + 4);
    for (size_t i = 0; i < len;) {
        const unsigned char *p = (const unsigned char *)data + i;
        size_t n = utf8_length(p, len - i);
        if (name_plain(p, n)) {
            buf_add(&out, p, n);
            i += n;
        } else if (*p == '\\') {
            buf_adds(&out, "\\\\");
            i++;
        } else
            for (size_t end = i + (n ? n : 1); i < end; i++)
                buf_printf(&out, "\\x%02x", (unsigned char)data[i]);
    }
    return out.lost ? json_lose() : json_stringn_nocheck(out.data ? out.data : "", out.len);
}
