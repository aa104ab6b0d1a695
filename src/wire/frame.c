#include "wire/frame.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include "base/maxima.h"

static uint32_t get32(const char *p) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return le32toh(v);
}

static void put32(char *p, uint32_t v) {
    v = htole32(v);
    memcpy(p, &v, sizeof v);
}

static bool frame_type_known(uint8_t type) {
    switch (type) {
#define FRAME(name, number, fields) case number:
#include "wire/frames.def"
        return true;
    }
    return false;
}

int64_t frame_peek(const void *bytes, size_t len, struct frame *ret_frame) {
    const char *p = bytes;
    if (len < FRAME_HEAD)
        return 0;
    struct frame f = {.type = (uint8_t)p[4], .len = get32(p), .payload = p + FRAME_HEAD};
    if (f.len > MAX_FRAME || p[5] || p[6] || p[7] || !frame_type_known(f.type))
        return -EPROTO;
    *ret_frame = f;
    return FRAME_HEAD + (int64_t)f.len;
}

int frame_next(const struct frame *f, size_t *pos, struct field *ret_field) {
    if (*pos == f->len)
        return 0;
    const char *p = f->payload + *pos;
    if (f->len - *pos < FIELD_HEAD || p[1] || p[2] || p[3])
        return -EPROTO;
    struct field field = {.tag = (uint8_t)p[0], .len = get32(p + 4), .data = p + FIELD_HEAD};
    if (field.tag == 0 || field.tag >= F_TAG_MAX || field.len > f->len - *pos - FIELD_HEAD)
        return -EPROTO;
    *pos += FIELD_HEAD + field.len;
    *ret_field = field;
    return 1;
}

int frame_check(const struct frame *f) {
    size_t pos = 0, count = 0;
    struct field field;
    int r;
    while ((r = frame_next(f, &pos, &field)) > 0)
        if (++count > MAX_FIELDS)
            return -EPROTO;
    return r;
}

bool field_int(const struct field *f, int64_t *ret_value) {
    uint64_t v;
    if (f->len != sizeof v)
        return false;
    memcpy(&v, f->data, sizeof v);
    *ret_value = (int64_t)le64toh(v);
    return true;
}

int frame_begin(struct buf *b, enum frame_type type) {
    char head[FRAME_HEAD] = {[4] = (char)type};
    return buf_add(b, head, sizeof head);
}

int frame_put(struct buf *b, enum frame_tag tag, const void *data, size_t len) {
    char head[FIELD_HEAD] = {[0] = (char)tag};
    if (len > MAX_FRAME)
        return -ENOSPC;
    put32(head + 4, (uint32_t)len);
    int r = buf_add(b, head, sizeof head);
    return r < 0 ? r : buf_add(b, data, len);
}

int frame_put_int(struct buf *b, enum frame_tag tag, int64_t value) {
    uint64_t v = htole64((uint64_t)value);
    return frame_put(b, tag, &v, sizeof v);
}

int frame_put_text(struct buf *b, enum frame_tag tag, const char *text) {
    return frame_put(b, tag, text, strlen(text));
}

int frame_end(struct buf *b, size_t begin) {
    size_t len = b->len - begin - FRAME_HEAD;
    if (b->len < begin + FRAME_HEAD || len > MAX_FRAME)
        return -ENOSPC;
    put32(b->data + begin, (uint32_t)len);
    return 0;
}
