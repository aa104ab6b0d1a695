/* Limits, as callers give them and as the engine has them.
 *
 * Runs in: the broker.
 * Hostile: nothing; doors check what clients may ask for.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/system/test_config.py, tests/system/test_run.py
 */
#pragma once

#include <jansson.h>

#include "base/err.h"
#include "retort.h"
#include "wire/control.h"

/* 0 if all reserved words of a structure with options are 0. */
#define OPTIONS_KNOWN(o, err) options_known((o)->reserved, sizeof(o)->reserved, (err))
int options_known(const void *reserved, size_t size, struct retort_error *err);

/* --- one limit, by its row --- */

struct limit {
    const char *name;
    enum { LIMIT_SECONDS, LIMIT_BYTES, LIMIT_NUMBER } kind;
    size_t at;          /* in struct retort_limits */
    double unit;        /* in which clients give it: 1, KiB or MiB */
    double usual;       /* where nobody says anything */
    double least, most; /* that can be asked for */
};

extern const struct limit limit_table[];           /* ends with a row without a name */
const struct limit *limit_named(const char *name); /* or NULL */
double limit_get(const struct retort_limits *limits, const struct limit *limit);
void limit_set(struct retort_limits *limits, const struct limit *limit, double value);

/* --- all of them --- */

int limits_fill(const struct retort_limits *given, const struct limits *defaults,
                struct limits *ret, struct retort_error *err);
extern const struct limits limits_default;
/* The limits with which a cell is run again: those that it had, with time to spare in case the
 * machine is busier now. */
struct retort_limits limits_again(const struct limits *had);
/* As limits_json wrote them. */
struct retort_limits limits_recorded(const json_t *object);
json_t *limits_json(const struct limits *limits);

/* Limits as clients and files give them: memory, disk and output_stored in MiB, output in KiB; a
 * number too large for that counts as bytes, so that a client can send back what session.info told
 * it. */
void limits_from_json(const json_t *object, struct retort_limits *ret);
/* Limits that are not given come from `from`. */
void limits_merge(struct retort_limits *to, const struct retort_limits *from);
