/* Prints text of guests on a user's terminal: it may have colours, but nothing else that a terminal
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
    bool tty, colour; /* colour: the terminal has them, and NO_COLOR is not set */
    struct buf held;  /* the beginning of an escape sequence or character */
};

void term_init(struct term *t, int fd);
void term_done(struct term *t);

/* Writes text. An incomplete escape sequence or character at its end is held until the rest comes.
 * Files and pipes get the bytes as they are. */
void term_text(struct term *t, const char *text, size_t len);
void term_puts(struct term *t, const char *text);
/* Prints our own text, in a colour if the terminal has any; `sgr` is like "1;31". */
void term_say(struct term *t, const char *sgr, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The width of the terminal; without one, a sensible width of lines. */
unsigned term_columns(int fd);

/* Text for one column of a list: its first line, cut to `width` characters, without anything that a
 * terminal obeys. */
void term_line(const char *text, size_t width, struct buf *ret);
