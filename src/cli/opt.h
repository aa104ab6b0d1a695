/* Options. Each command has a table of its options, from which its parser and its --help are made.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define OPT_MAX_LIST 64

struct opt_list {
    const char *at[OPT_MAX_LIST + 1]; /* NULL after the last */
    size_t n;
};

/* What an option takes, and the type of the member that it fills. */
enum opt_kind {
    OPT_FLAG,      /* nothing: bool */
    OPT_TEXT,      /* const char * */
    OPT_MAYBE,     /* the same, or nothing: then it is "" */
    OPT_LIST,      /* struct opt_list: the only kind that may be repeated */
    OPT_SECONDS,   /* double */
    OPT_MEGABYTES, /* uint64_t, in bytes */
    OPT_KILOBYTES, /* uint64_t, in bytes */
    OPT_COUNT,     /* uint32_t, at least 1 */
    OPT_NUMBER,    /* uint64_t, 0 included */
};

struct opt {
    const char *name; /* "--timeout", or NULL when there is only a letter */
    char letter;      /* 'l' for -l, or 0 */
    enum opt_kind kind;
    const char *metavar; /* NULL for a flag */
    size_t where;        /* the member that is filled */
    const char *help;
    size_t given; /* a bool that becomes true, or 0 for none */
};

#define OPT_END \
    { NULL, 0, OPT_FLAG, NULL, 0, NULL, 0 } /* ends every array of rows */
#define OPT_NO_OPERAND ((size_t)-1)

struct opt_table {
    const char *usage;         /* "run [options] [-c CODE | FILE | -]" */
    const char *about;         /* a sentence; may be NULL */
    const struct opt *rows[5]; /* the command's own rows, then shared ones; NULL after the last */
    size_t operand;            /* offset of the const char * for the one operand, or
                                  OPT_NO_OPERAND */
    const char *more;          /* printed at the end of --help; may be NULL */
    size_t second;             /* offset for a second operand; 0: there is none */
};

/* Fills the structure at `ret`. 0; 1 when -h or --help was among the arguments; -errno with one
 * line for the user in `err`. */
int opt_parse(const struct opt_table *t, int argc, char **argv, void *ret,
              struct retort_error *err);
/* Prints what --help prints. */
void opt_help(const struct opt_table *t);
