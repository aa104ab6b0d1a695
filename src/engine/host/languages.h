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

/* How the state of an interpreter comes back after it died, or when it has to go back. */
enum comes {
    COMES_SAVED,         /* after each cell it says what it needs, and a new one begins with that */
    COMES_BY_CHECKPOINT, /* a dormant copy goes on; without one, by replay */
    COMES_BY_REPLAY,     /* its cells are run again */
};

struct cell_language {
    const char *name, *aliases; /* separated by blanks */
    enum language interpreter;
    enum comes comes;
    const char *read_as; /* what its code is written in */
};

/* The language that has the interpreter's own name. */
const struct cell_language *language_of(enum language interpreter);
/* Whether it is a further language of its interpreter: then the guest has to be told. */
bool language_is_module(const struct cell_language *l);
/* Whether it has a state of its own, apart from the first interpreter of its language. */
bool language_is_further(const struct cell_language *l);
/* NULL: there is none with this name. */
const struct cell_language *language_find(const char *name, size_t len);
/* As above; NULL is Python. An error lists the names there are. */
int language_parse(const char *name, const struct cell_language **ret, struct retort_error *err);
/* The language that the first line of a cell names, if that line is just %%NAME; else NULL.
 * *ret_rest is where that line ends, so that the other lines keep their numbers. */
const struct cell_language *language_magic(const char *code, size_t len, size_t *ret_rest);
/* The language of some code: the one that is named, or that its first line names (which is then
 * left out), or else the one given. In Python, %%python runs a program of its own, as in every
 * notebook. */
int language_choose(const char *named, const char **code, size_t *len,
                    const struct cell_language **inout, struct retort_error *err);
