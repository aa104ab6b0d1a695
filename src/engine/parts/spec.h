/* What a session was asked to be: made from the caller's options, and never changed after.
 *
 * Runs in: the broker.
 * Hostile: nothing; options are the caller's.
 * Life cycle: spec_new; spec_ref for each branch, which shares its parent's; spec_unref.
 * Owns: the environment variables, the rules of both kinds, a share of its packages.
 * Invariants: constant once spec_new has returned, so no lock is needed to read it.
 * Tests: tests/unit/test_session.c, tests/system/test_config.py
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "engine/host/languages.h"
#include "engine/host/strictness.h"
#include "retort.h"
#include "wire/control.h"

#define SESSION_OWNER_SIZE 65

struct session_spec {
    atomic_uint refs;
    char owner[SESSION_OWNER_SIZE];    /* "": nobody in particular */
    char door[16];                     /* "": a program of its own */
    enum language language;            /* of its interpreter */
    const struct cell_language *cells; /* the language of its cells, unless they say otherwise */
    struct limits limits;
    uint32_t flags;             /* CREATE_… */
    uint32_t allow_missing;     /* LAYER_BIT()s that the caller gave up by name */
    struct ctl_environment env; /* the interpreter, and what has to be mounted for it */
    int packages;               /* keeps those of `env` from being removed; -1: it has none */
    char **variables;           /* NAME=VALUE, NULL at the end */
    bool reads;                 /* some of the rules need the gate to read TLS */
    char *network;              /* the rules of its gate, as JSON; NULL: it has no network */
    bool closed;                /* rules were given, and they allow no host */
    uint64_t seed;
    bool background; /* what a cell leaves running is not ended */
    enum retort_checkpoint checkpoint;
    enum retort_on_error on_error;
    enum strictness review; /* of its code */
    char *rules;            /* more of them, as JSON, or NULL */
};

/* `repeatable`: nothing may happen between cells that a replay would not repeat; so no checkpoint
 * is taken. */
int spec_new(const struct retort_session_options *o, bool repeatable,
             const struct session_spec **ret, struct retort_error *err);
const struct session_spec *spec_ref(const struct session_spec *spec);
void spec_unref(const struct session_spec *spec); /* takes NULL */
/* Calls `put` for each variable, those by which programs find the gate before the caller's. */
int spec_variables(const struct session_spec *spec, int (*put)(void *to, const char *variable),
                   void *to);
/* The request to the supervisor. */
void spec_message(const struct session_spec *spec, struct ctl_create *ret);
