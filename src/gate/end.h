/* One end of a connection: a nonblocking socket, and bytes on their way in and out.
 *
 * Runs in: the gate.
 * Hostile: the program at the other end.
 * Life cycle: end_init, end_open; end_done.
 * Owns: its socket, its chute and its two buffers, which never grow.
 * Invariants: the end asks epoll only for what it can take: it does not read into a full buffer.
 * Tests: tests/system/test_network.py
 */
#pragma once

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIFO_SIZE (64u << 10)

/* Waits for events of a descriptor. */
struct waiter {
    int fd;
    uint32_t armed; /* the events that epoll knows */
    void (*ready)(struct waiter *w, uint32_t events);
};

int waiter_arm(struct waiter *w, uint32_t events); /* 0: none, and the descriptor may be closed */
void waiter_close(struct waiter *w);               /* only if no other descriptor refers to the same
                                                      file */

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

/* A pipe through which pages go from one socket to the other: we neither copy nor see the bytes. */
struct chute {
    int in, out; /* -1: there is none */
    size_t len;
};

struct end {
    struct waiter waiter;
    SSL *ssl;         /* NULL: plain */
    bool wants_room;  /* TLS must write before it can go on, … */
    bool wants_bytes; /* … or must read before it can write */
    bool dry;         /* nothing to read until the next event */
    struct fifo in, out;
    size_t seen;        /* bytes of `in` in which we looked for the end of a head, in vain */
    struct chute chute; /* goes out after `out` */
    bool eof;           /* no more bytes will come */
    bool shut;          /* no more bytes will be sent */
    bool broken;        /* both */
    bool held;          /* nothing is sent as long as this is set */
};

void end_init(struct end *e, void (*ready)(struct waiter *, uint32_t));
void end_open(struct end *e, int fd);
void end_done(struct end *e);
/* There may be something to read. */
void end_wet(struct end *e);
/* How many bytes were read or written; 0: none can be now. */
size_t end_read(struct end *e);
size_t end_write(struct end *e);
/* Moves at most `most` bytes from the socket of `from` into the chute of `to`, which must be empty
 * and is made if there is none; false: no more will come that way. */
bool end_pass(struct end *from, struct end *to, size_t most, size_t *ret);
/* Bytes that were not sent yet. */
size_t end_left(const struct end *e);
/* After the bytes that were not sent yet, none will follow. */
void end_shut(struct end *e);
/* Stops both directions. The other side sees a reset connection, so that it cannot take what it got
 * for the whole. */
void end_tear(struct end *e);
/* Asks epoll for what there is room for. `read`: we want bytes that come. */
void end_arm(struct end *e, bool read);
