/* Bytes from a guest as the broker sees them: a stream that is peeked at, checked and walked. What
 * was accepted is written again with the encoder and must give the same bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/maxima.h"
#include "wire/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool fact) {
    if (!fact)
        abort();
}

static void rewrite(const struct frame *f, size_t size) {
    scoped_buf b = BUF_INIT(size);
    struct field field;
    size_t pos = 0;
    must(frame_begin(&b, f->type) == 0);
    while (frame_next(f, &pos, &field) > 0) {
        int64_t value;
        if (field_int(&field, &value))
            must(frame_put_int(&b, field.tag, value) == 0);
        else
            must(frame_put(&b, field.tag, field.data, field.len) == 0);
    }
    must(frame_end(&b, 0) == 0);
    must(b.len == size && memcmp(b.data, f->payload - FRAME_HEAD, size) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct frame f;
    int64_t whole;
    while ((whole = frame_peek(data, size, &f)) > 0 && (uint64_t)whole <= size) {
        must(whole <= FRAME_HEAD + (int64_t)MAX_FRAME);
        if (frame_check(&f) < 0)
            break;
        rewrite(&f, (size_t)whole);
        data += whole;
        size -= (size_t)whole;
    }
    return 0;
}
