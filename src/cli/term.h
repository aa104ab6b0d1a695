/* Text of guests on somebody's terminal: it may have colours, and nothing else that a terminal
 * obeys.
 *
 * Hostile: every byte given to term_text.
 * Tests: tests/system/test_shell.py
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct term {
    int fd;
    bool tty, colour; /* colour: a terminal that has them, and nobody set NO_COLOR */
    struct buf held;  /* the beginning of an escape sequence or character */
};

void term_init(struct term *t, int fd);
void term_done(struct term *t);

/* Writes text; what does not end a terminal's escape sequence or character is held until it does.
 * Files and pipes get the bytes as they are. */
void term_text(struct term *t, const char *text, size_t len);
void term_puts(struct term *t, const char *text);
/* Our own words, in a colour if there are any; `sgr` is like "1;31". */
void term_say(struct term *t, const char *sgr, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* How wide the terminal is; without one, as wide as a line may sensibly be. */
unsigned term_columns(int fd);

/* Text for one column of a listing: its first line, cut to `width` characters, nothing in it that a
 * terminal obeys. */
void term_line(const char *text, size_t width, struct buf *ret);
