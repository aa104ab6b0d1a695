/* What the gate read, for the record: an answer as the client gets it, and what was sent for it; and
 * such answers given again to cells of the past.
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
    struct hasher *sent; /* NULL: nothing was */
    int fd;              /* -1: there is no file yet */
    struct buf early;    /* what came before: the client does not wait for a file to be made */
    uint32_t bytes;
    bool spoiled;     /* not all of it was kept, and so none of it is */
    bool whole;       /* nothing more comes */
    const char *said; /* from the record: the rest of the answer, … */
    size_t left;      /* … which has so many bytes */
};

void tape_init(struct tape *t, bool wanted);
void tape_done(struct tape *t);
void tape_sent(struct tape *t, const void *data, size_t len);
/* `room`: bytes that the session may still have kept, which become fewer. */
void tape_add(struct tape *t, uint64_t *room, const void *data, size_t len);
void tape_spoil(struct tape *t);
int tape_file(struct tape *t); /* with all that was added; -1: nothing was, or it is spoiled */
struct hash tape_body(struct tape *t); /* of what was sent; once */

struct answers {
    char *data; /* NULL: there are none */
    size_t len;
};

void answers_load(struct answers *a, int fd); /* instead of those that were there */
void answers_done(struct answers *a);
/* The first one to this request that was not taken yet; its bytes follow it. NULL: there is none. */
const struct gate_event *answers_take(struct answers *a, const struct gate_event *request);
/* Whether there are any of this server. */
bool answers_know(const struct answers *a, const char *host, uint16_t port);
