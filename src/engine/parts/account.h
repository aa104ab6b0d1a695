/* What a session costs the broker, the kernel and the processors, counted by kind, each kind
 * against one limit.
 *
 * Runs in: the broker, with the session's lock held; sums are read without it, so the counters are
 *   atomic.
 * Hostile: nothing; guests decide how much there is, never what is done with it.
 * Life cycle: zero, account_limits; it needs no end.
 * Owns: nothing.
 * Invariants: what is added is subtracted when it is freed, at the latest with the session; nothing
 *   is added that does not fit, but for what a cell is sending just now, which has bounds of its
 *   own (base/maxima.h).
 * Tests: tests/hostile/test_x_account.py
 */
#pragma once

#include <jansson.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "wire/control.h"

enum account_kind {
    ACCOUNT_PAST,          /* memory: code and names of what made the state */
    ACCOUNT_SAVED,         /* memory: states that interpreters saved */
    ACCOUNT_CALLS,         /* memory: answers of host tools, to run cells again with */
    ACCOUNT_LISTS,         /* memory: lists of files, now and after each cell */
    ACCOUNT_PROOF,         /* memory: numbers that were shown, for checks of answers */
    ACCOUNT_OUTPUT,        /* memory: plots and short output of past cells */
    ACCOUNT_FRAMES,        /* memory: a message of the guest that is not complete */
    ACCOUNT_RESULT,        /* memory: what the running cell has sent for its result */
    ACCOUNT_STORED_OUTPUT, /* temporary files: long output */
    ACCOUNT_KEPT_FILES,    /* temporary files: bytes to restore files from */
    ACCOUNT_DESCRIPTORS,   /* open files of the broker */
    ACCOUNT_LOCKS,         /* of the kernel: on files, when they were last counted */
    ACCOUNT_CPU,           /* milliseconds: of the running cell */
    ACCOUNT_IDLE_CPU,      /* milliseconds: since the last cell ended */
    ACCOUNT_KINDS
};

struct account {
    _Atomic uint64_t used[ACCOUNT_KINDS];
    uint64_t limit[ACCOUNT_KINDS];
};

#define OWN_CPU_MS 1000 /* between cells, for what we ask of it: checkpoints, lists of files */
#define KEPT_STREAMS 16 /* long outputs, each with a descriptor */
#define SPOOL_FACTOR 4  /* times `disk`: when it has grown to this, kept bytes are written anew */

void account_limits(struct account *a, const struct limits *limits);
bool account_fits(const struct account *a, enum account_kind kind, uint64_t more);
void account_add(struct account *a, enum account_kind kind, uint64_t n);
void account_put(struct account *a, enum account_kind kind, uint64_t n); /* so many there are */
void account_sub(struct account *a, enum account_kind kind, uint64_t n);
uint64_t account_used(const struct account *a, enum account_kind kind);
/* Much memory: when it is freed, the C library should give it back. */
#define HEAVY (1u << 20)
uint64_t account_held(const struct account *a); /* memory, for its past and its results */
bool account_heavy(const struct account *a);
/* Adds up the limits, too: what several sessions may use. */
void account_sum(struct account *to, const struct account *from);
/* {kind: {"used", "limit"}} */
json_t *account_json(const struct account *a);
