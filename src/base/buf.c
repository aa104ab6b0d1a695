#include "base/buf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tiny.h"

void buf_done(struct buf *b) {
    free(b->data);
    b->data = NULL;
    b->len = b->cap = 0;
    b->lost = false;
}

void buf_reset(struct buf *b) {
    b->len = 0;
    b->lost = false;
    if (b->data)
        b->data[0] = 0;
}

static int buf_lose(struct buf *b, int error) {
    b->lost = true;
    return error;
}

int buf_reserve(struct buf *b, size_t extra) {
    if (extra > b->max || b->len > b->max - extra)
        return buf_lose(b, -ENOSPC);
    size_t need = b->len + extra + 1;
    if (need <= b->cap)
        return 0;
    size_t cap = b->cap ? b->cap : TINY(64, 1);
    while (cap < need)
        cap += cap / 2 + 32;
    if (cap > b->max + 1)
        cap = b->max + 1;
    char *data = realloc(b->data, cap);
    if (!data)
        return buf_lose(b, -ENOMEM);
    b->data = data;
    b->cap = cap;
    return 0;
}

int buf_add(struct buf *b, const void *data, size_t len) {
    int r = buf_reserve(b, len);
    if (r < 0)
        return r;
    if (len)
        memcpy(b->data + b->len, data, len);
    b->len += len;
    b->data[b->len] = 0;
    return 0;
}

int buf_adds(struct buf *b, const char *text) {
    return buf_add(b, text, strlen(text));
}

int buf_printf(struct buf *b, const char *fmt, ...) {
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    int r = n < 0 ? buf_lose(b, -EINVAL) : buf_reserve(b, (size_t)n);
    if (r == 0) {
        vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
        b->len += (size_t)n;
    }
    va_end(again);
    return r;
}

#define SPARE (1u << 20)

void buf_spare(struct buf *b) {
    if (b->len == 0 && b->cap > SPARE)
        buf_done(b);
}

void buf_drop(struct buf *b, size_t len) {
    if (len >= b->len) {
        buf_reset(b);
        return;
    }
    if (len == 0) /* every piece of a frame but the last asks for that */
        return;
    memmove(b->data, b->data + len, b->len - len + 1);
    b->len -= len;
}
