/* A growing byte buffer that is born with a maximum. Maxima of what guests and clients send stand in
 * base/maxima.h; those of a text that one function makes stand in the function.
 *
 * Whoever puts a text together by many calls may ignore their results: once one of them has failed,
 * `lost` is true until the buffer is reset. Look at it before the text is run, sent or stored. Where
 * a missing piece does no harm (words for a person or a model), nobody need look. For values of
 * jansson, json_lost() is the same (base/jsonwhole.h).
 *
 * Tests: tests/unit/test_buf.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
    char *data; /* NUL-terminated whenever it is not NULL */
    size_t len;
    size_t cap;
    size_t max;
    bool lost; /* something did not fit, or there was no memory for it */
};

#define BUF_INIT(maximum) ((struct buf){.max = (maximum)})

void buf_done(struct buf *b);
void buf_reset(struct buf *b);                            /* forgets the bytes, keeps the memory */
int buf_add(struct buf *b, const void *data, size_t len); /* -ENOSPC past the maximum, -ENOMEM */
int buf_adds(struct buf *b, const char *text);
int buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int buf_reserve(struct buf *b, size_t extra); /* room for `extra` more bytes */
void buf_drop(struct buf *b, size_t len);     /* drops bytes from the front */
void buf_spare(struct buf *b);                /* an empty buffer keeps only a little memory */

#define scoped_buf __attribute__((cleanup(buf_done))) struct buf
