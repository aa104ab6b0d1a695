/* Frames between broker and guest: the only structured bytes that cross the sandbox's wall.
 *
 *   frame  := u32 length | u8 type | u8 zero | u16 zero | payload[length]         (little endian)
 *   payload:= field*         field := u8 tag | u24 zero | u32 length | bytes[length]
 *
 * A tag may repeat where the table says so (*); integers are 8 bytes; text is UTF-8, invalid
 * sequences are replaced by the broker when it builds JSON; "json" is a JSON text, parsed by the
 * broker with limits.
 *
 * CHECKPOINT is followed by one byte outside any frame, sent with one descriptor: the wake socket
 * (SEQPACKET). The dormant process says "d" on it (its pid is in the credentials of that message),
 * and is woken by "r" with three descriptors: channel, standard output, standard error.
 *
 * Runs in: broker (decodes guest bytes, encodes its own). The guest side is guest/python/channel.py
 *   and guest/node/run.js.
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

enum frame_type {
    /* guest to broker */
    FRAME_READY = 1,        /* VERSION text, PID int                 once, first */
    FRAME_DISPLAY = 2,      /* ID? text, (MIME text, DATA bytes)*, CALL? int   while a cell runs */
    FRAME_PLOT = 3,         /* PATH? text, TITLE? text, CHART? json, DATA png bytes, CALL? int */
    FRAME_RESULT = 4,       /* ends a cell: CELL int, and see the F_ tags below */
    FRAME_TOOL_CALL = 5,    /* CALL int, NAME text, JSON args */
    FRAME_CHECKPOINTED = 6, /* nothing, or ERROR_MESSAGE when a fork failed */
    FRAME_COMPLETIONS = 7,  /* START int, NAME text*; or VARIABLES json */
    FRAME_RESUMED = 8,      /* NOTE text*   a dormant checkpoint took over, or a branch was born */
    /* broker to guest */
    FRAME_HELLO = 64,    /* SEED int, (NAME text, DATA value)* environment variables */
    FRAME_CELL = 65,     /* CELL int, CODE text, FLAGS int, FILENAME? text, LANGUAGE? text */
    FRAME_COMPLETE = 66, /* CODE text, START int (cursor, in characters); or nothing: variables? */
    FRAME_TOOL_RESULT = 67, /* CALL int, JSON value, or ERROR_MESSAGE text */
    FRAME_CHECKPOINT = 68,  /* no fields; the wake socket follows */
    FRAME_TOOLS = 69,       /* JSON list of {name, description, parameters} */
    FRAME_BRANCH =
        70, /* no fields; a socket follows as with CHECKPOINT, and the answer is the same */
    FRAME_SHOWN = 71, /* no fields; a DISPLAY or PLOT with CALL was taken */
};

enum frame_tag {
    F_VERSION = 1,
    F_PID = 2,
    F_ID = 3,
    F_MIME = 4, /* always followed by its F_DATA */
    F_DATA = 5,
    F_PATH = 6,
    F_TITLE = 7,
    F_CHART = 8,
    F_JSON = 9,
    F_NAME = 10,
    F_CALL = 11,
    F_NOTE = 12,
    F_START = 13,
    F_SEED = 14,
    F_CELL = 15,
    F_CODE = 16,
    F_FLAGS = 17,
    F_FILENAME = 18,
    /* FRAME_RESULT */
    F_KIND = 19,      /* int: enum result_kind */
    F_EXIT_CODE = 20, /* int, with RESULT_EXIT */
    F_VALUE =
        21, /* marks that the (MIME, DATA)* which follow are the value of the last expression */
    F_ERROR_NAME = 22,    /* "KeyError" */
    F_ERROR_MESSAGE = 23, /* str(exception), bounded */
    F_ERROR_TRACEBACK = 24,
    F_ERROR_LINE = 25,   /* int */
    F_ERROR_SOURCE = 26, /* the line, with two around it and a caret */
    F_ERROR_VALUES = 27, /* json object: name to short repr */
    F_ERROR_HINT = 28,   /* did you mean … */
    F_VARIABLES = 29,    /* json list of {name, type, change} */
    F_DATAFRAMES = 30,   /* json list as in the result schema */
    F_THREADS = 31,      /* int: threads that live on after the cell */
    F_FINAL = 32,        /* json: final_answer(value) was called */
    F_LANGUAGE = 33,     /* text, with FRAME_CELL: not the interpreter's own */
    F_TAG_MAX = 34,
};

enum result_kind { RESULT_OK = 0, RESULT_ERROR = 1, RESULT_EXIT = 2, RESULT_INTERRUPTED = 3 };

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

/* Writing: frame_begin, field_…, frame_end, all into a buffer. -ENOSPC past its maximum. */
int frame_begin(struct buf *b, enum frame_type type);
int frame_put(struct buf *b, enum frame_tag tag, const void *data, size_t len);
int frame_put_int(struct buf *b, enum frame_tag tag, int64_t value);
int frame_put_text(struct buf *b, enum frame_tag tag, const char *text);
int frame_end(struct buf *b, size_t begin); /* `begin` = b->len before frame_begin */
