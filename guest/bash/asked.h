/* Questions to the bash of a session: commands that it runs, and answers made from what they print.
 *
 * Runs in: bash, in a session, as its user.
 * Hostile: the text, which a bash printed that the user's code controls.
 * Owns: nothing.
 * Tests: tests/system/test_languages.py
 */
#pragma once

#include <stdint.h>

#include "base/buf.h"

/* Lists all variables and functions. */
#define ASKED_ALL "builtin declare -p; builtin declare -F\n"

/* The command that lists completions of the word at the cursor (counted in characters); empty if
 * that would be everything. *ret_start: where the word begins. */
void asked_word(const char *code, size_t len, size_t cursor, struct buf *command,
                int64_t *ret_start);
/* Adds the lines as fields NAME of the frame, sorted and without duplicates. */
void asked_names(const struct buf *lines, struct buf *frame);
/* Turns what ASKED_ALL printed into JSON: a list of {name, type, repr}, without the names in
 * `own`. */
void asked_variables(const struct buf *printed, const struct buf *own, struct buf *json);
/* Quotes the text as a word of bash. */
void asked_quote(struct buf *b, const char *text, size_t len);
