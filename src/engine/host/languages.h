/* The languages of cells, as wire/languages.def lists them.
 *
 * Runs in: broker.
 * Hostile: nothing; a name is the caller's.
 * Life cycle: constant.
 * Owns: nothing.
 * Invariants: the first language that an interpreter runs has its name.
 * Tests: tests/system/test_languages.py
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "wire/control.h"

/* How the state of an interpreter that died, or that has to go back, comes again. */
enum comes {
    COMES_SAVED,         /* it says what it needs after each cell, and begins with that */
    COMES_BY_CHECKPOINT, /* a dormant copy goes on; without one, by replay */
    COMES_BY_REPLAY,     /* its cells are run again */
};

struct cell_language {
    const char *name, *aliases; /* separated by blanks */
    enum language interpreter;
    enum comes comes;
    const char *read_as; /* what its code is written in */
};

/* Of the names of an interpreter, its own. */
const struct cell_language *language_of(enum language interpreter);
/* Whether it is one of the other languages of its interpreter, whose guest has to be told. */
bool language_is_module(const struct cell_language *l);
/* Whether it has a state of its own beside the first interpreter of what it is written in. */
bool language_is_further(const struct cell_language *l);
/* NULL: there is none with this name. */
const struct cell_language *language_find(const char *name, size_t len);
/* As above; NULL is Python. An error lists the names there are. */
int language_parse(const char *name, const struct cell_language **ret, struct retort_error *err);
/* The language that the first line of a cell names as %%NAME, and nothing else; NULL: none. Then
 * *ret_rest is where that line ends, so that the others keep their numbers. */
const struct cell_language *language_magic(const char *code, size_t len, size_t *ret_rest);
/* The language of some code: what it is asked for by name, or by its first line, which is left out
 * then, or else the one that is given. In Python, %%python is a program of its own, as in every
 * notebook. */
int language_choose(const char *named, const char **code, size_t *len,
                    const struct cell_language **inout, struct retort_error *err);
