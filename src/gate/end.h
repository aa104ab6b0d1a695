/* One end of a connection: a socket that never waits, and bytes on their way in and out.
 *
 * Runs in: the gate.
 * Hostile: whoever is at the other end.
 * Life cycle: end_init, end_open; end_done.
 * Owns: its socket, its chute and its two buffers, which never grow.
 * Invariants: what epoll is asked for is what the end can take: a full buffer is not read into.
 * Tests: tests/system/test_network.py
 */
#pragma once

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIFO_SIZE (64u << 10)

/* Who waits for events of a descriptor. */
struct waiter {
    int fd;
    uint32_t armed; /* what epoll knows */
    void (*ready)(struct waiter *w, uint32_t events);
};

int waiter_arm(struct waiter *w, uint32_t events); /* 0: none, and the descriptor may be closed */
void waiter_close(struct waiter *w);               /* where nobody else has the descriptor's file */

struct fifo {
    char *data; /* NULL while it is empty and was never used */
    size_t begin, len;
    size_t used; /* bytes of `data` that were ever written: only these are wiped */
};

void fifo_done(struct fifo *f);
bool fifo_add(struct fifo *f, const void *data, size_t len); /* false: it does not fit */
void fifo_drop(struct fifo *f, size_t len);
const char *fifo_at(const struct fifo *f);
size_t fifo_room(const struct fifo *f);
/* Moves as much as fits, at most `most`; whole buffers change hands. */
size_t fifo_move(struct fifo *from, struct fifo *to, size_t most);

/* A pipe through which bytes go from one socket to another as pages: nobody copies or sees them. */
struct chute {
    int in, out; /* -1: there is none */
    size_t len;
};

struct end {
    struct waiter waiter;
    SSL *ssl;         /* NULL: plain */
    bool wants_room;  /* TLS has to write before it can go on, … */
    bool wants_bytes; /* … or cannot write before something has come */
    bool dry;         /* there is nothing to read before an event says so */
    struct fifo in, out;
    size_t seen;        /* bytes of `in` in which a head was looked for, and has not ended */
    struct chute chute; /* what goes when `out` has gone */
    bool eof;           /* nothing more comes */
    bool shut;          /* nothing more goes */
    bool broken;        /* neither */
    bool held;          /* nothing goes as long as this is set */
};

void end_init(struct end *e, void (*ready)(struct waiter *, uint32_t));
void end_open(struct end *e, int fd);
void end_done(struct end *e);
/* There may be something to read. */
void end_wet(struct end *e);
/* Bytes that came or went; 0: none can now. */
size_t end_read(struct end *e);
size_t end_write(struct end *e);
/* Bytes, at most so many, that have left the socket of `from` for the chute of `to`, which has to
 * be empty and is made if there is none; false: there can be no more of them. */
bool end_pass(struct end *from, struct end *to, size_t most, size_t *ret);
/* What has not gone yet. */
size_t end_left(const struct end *e);
/* No byte follows those that have not gone yet. */
void end_shut(struct end *e);
/* Neither in nor out. Whoever is at the other end sees a connection that was reset, and cannot take
 * what it has for all that there is. */
void end_tear(struct end *e);
/* Asks epoll for what there is room for. `read`: bytes that come are wanted. */
void end_arm(struct end *e, bool read);
