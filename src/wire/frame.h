/* Frames between broker and guest: the only structured bytes that cross the sandbox's wall.
 *
 *   frame  := u32 length | u8 type | u8 zero | u16 zero | payload[length]         (little endian)
 *   payload:= field*         field := u8 tag | u24 zero | u32 length | bytes[length]
 *
 * A tag may repeat where the table says so (*); integers are 8 bytes; text is UTF-8, invalid
 * sequences are replaced by the broker when it builds JSON; "json" is a JSON text, parsed by the
 * broker with limits.
 *
 * frames.def has the numbers of both; a test compares those of the guests with it.
 *
 * CHECKPOINT and BRANCH are followed by one byte outside any frame, sent with one descriptor: the wake socket
 * (SEQPACKET). The dormant process says "d" on it (its pid is in the credentials of that message),
 * and is woken by "r" with three descriptors: channel, standard output, standard error.
 *
 * Runs in: broker (decodes guest bytes, encodes its own). The guest side is guest/python/channel.py,
 *   guest/node/channel.js and, with this code, guest/bash/channel.c.
 * Hostile: every byte that comes up. Decoding is pure: bytes in, a view of fields out, no
 *   allocation.
 * Tests: tests/unit/test_frame.c, tests/fuzz/fuzz_frame.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define FRAME_HEAD 8
#define FIELD_HEAD 8

/* FRAME_READY … and F_VERSION …, with what they mean: frames.def. */
enum frame_type {
#define FRAME(name, number, fields) FRAME_##name = number,
#include "wire/frames.def"
};

enum frame_tag {
#define TAG(name, number, what) F_##name = number,
#include "wire/frames.def"
    F_TAG_MAX
};

enum result_kind { RESULT_OK = 0, RESULT_ERROR = 1, RESULT_EXIT = 2, RESULT_INTERRUPTED = 3 };

/* KIND of FRAME_SAID */
enum said_kind { SAID_EVENT = 0, SAID_RESULT = 1, SAID_FAILED = 2 };

/* FLAGS of FRAME_CELL */
enum {
    CELL_QUIET = 1,        /* no value, variables or dataframes wanted (replays, rehearsals) */
    CELL_SCRIPT = 2,       /* `retort run`: sys.argv, __file__ and exit semantics of a script */
    CELL_KEEP_CHILDREN = 4 /* background work is allowed */
};

struct field {
    uint8_t tag;
    uint32_t len;
    const char *data;
};

struct frame {
    uint8_t type;
    uint32_t len;
    const char *payload;
};

/* Reads the header. Returns the number of bytes of the whole frame, 0 if `len` is too short to
 * know, or -EPROTO when it cannot be a frame (unknown type, reserved bits, longer than MAX_FRAME).
 */
int64_t frame_peek(const void *bytes, size_t len, struct frame *ret_frame);

/* Walks the fields; start with *pos = 0. Returns 1 and fills *ret_field, 0 at the end, -EPROTO if
 * malformed. */
int frame_next(const struct frame *f, size_t *pos, struct field *ret_field);

/* 0 if every field is well-formed and there are at most MAX_FIELDS of them. */
int frame_check(const struct frame *f);

bool field_int(const struct field *f, int64_t *ret_value);

/* Writing: frame_begin, frame_put…, frame_end, all into a buffer. -ENOSPC past its maximum. */
int frame_begin(struct buf *b, enum frame_type type);
int frame_put(struct buf *b, enum frame_tag tag, const void *data, size_t len);
int frame_put_int(struct buf *b, enum frame_tag tag, int64_t value);
int frame_put_text(struct buf *b, enum frame_tag tag, const char *text);
int frame_end(struct buf *b, size_t begin); /* `begin` = b->len before frame_begin */
