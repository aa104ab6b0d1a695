/* Questions to the bash of a session, as commands that it runs, and what those print as answers.
 *
 * Runs in: bash, in a session, as its user.
 * Hostile: what is read was printed by a bash that belongs to the user's code.
 * Owns: nothing.
 * Tests: tests/system/test_languages.py
 */
#pragma once

#include <stdint.h>

#include "base/buf.h"

/* What lists all variables and functions. */
#define ASKED_ALL "builtin declare -p; builtin declare -F\n"

/* The command that lists what the word at the cursor, a number of characters, may become; empty if
 * that would be everything. *ret_start: where the word begins. */
void asked_word(const char *code, size_t len, size_t cursor, struct buf *command,
                int64_t *ret_start);
/* Lines as fields NAME of the frame, in order and each once. */
void asked_names(const struct buf *lines, struct buf *frame);
/* What ASKED_ALL printed as JSON: a list of {name, type, repr}, without those that `own` names. */
void asked_variables(const struct buf *printed, const struct buf *own, struct buf *json);
/* As a word of bash. */
void asked_quote(struct buf *b, const char *text, size_t len);
