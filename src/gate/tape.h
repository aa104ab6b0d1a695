/* Keeps answers for the record, as the client gets them, with a hash of the request; and gives such
 * answers to replayed cells.
 *
 * Runs in: the gate.
 * Hostile: the bytes, which are not looked at.
 * Life cycle: tape_init, tape_done; answers_load, answers_done.
 * Owns: a file in memory of at most MAX_KEPT_ANSWER bytes; the broker's file with answers.
 * Invariants: a secret that was masked for the client is masked here.
 * Tests: tests/system/test_network.py
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "wire/gate.h"

struct tape {
    struct hasher *sent; /* hashes what was sent; NULL: nothing was */
    int fd;              /* -1: there is no file yet */
    struct buf early;    /* bytes that came before the file: the client does not wait for it */
    uint32_t bytes;
    bool spoiled;     /* not all of it was kept, so none of it counts */
    bool whole;       /* nothing more will come */
    const char *said; /* the rest of an answer from the record, … */
    size_t left;      /* … and its length */
};

void tape_init(struct tape *t, bool wanted);
void tape_done(struct tape *t);
void tape_sent(struct tape *t, const void *data, size_t len);
/* `room`: how many more bytes the session may keep; this counts down. */
void tape_add(struct tape *t, uint64_t *room, const void *data, size_t len);
void tape_spoil(struct tape *t);
int tape_file(struct tape *t);         /* with everything that was added; -1: nothing was, or it is
                                          spoiled */
struct hash tape_body(struct tape *t); /* the hash of what was sent; call it once */

struct answers {
    char *data; /* NULL: there are none */
    size_t len;
};

void answers_load(struct answers *a, int fd); /* replaces the answers that were there */
void answers_done(struct answers *a);
/* The first answer to this request that was not taken yet; its bytes follow it. NULL: there is
 * none. */
const struct gate_event *answers_take(struct answers *a, const struct gate_event *request);
/* Whether there are any answers of this server. */
bool answers_know(const struct answers *a, const char *host, uint16_t port);
