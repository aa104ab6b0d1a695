/* A ledger's entry as a message of the log has it: a line of JSON, the body of the entry, small
 * stored bytes that it refers to. A message has one letter, or several in a row.
 *
 * Runs in: broker.
 * Hostile: the text given to letter_read, which is pure: it came over the network, from a node.
 * Owns: a letter owns what it refers to, except the data that it was read from.
 * Tests: tests/unit/test_cluster_letter.c, tests/fuzz/fuzz_letter.c
 */
#pragma once

#include "base/buf.h"
#include "ledger/mirror/mirror.h"

#define LETTER_VERSION 2
#define LETTER_OLDEST 1 /* the oldest version that we read: a message had one entry */
#define LETTER_ANYWHERE INT64_MAX
#define NODE_SIZE 64             /* of a node's id, with the final NUL */
#define LETTER_INLINE 65536u     /* stored bytes up to this size travel with their entry */
#define LETTER_ROOM (384u << 10) /* for everything in one message */

struct letter_bytes {
    struct hash hash;
    const char *data;
    size_t len;
};

struct log_letter {
    struct ledger_record record;
    char node[NODE_SIZE]; /* the node that wrote it */
    uint64_t after;       /* the message after which it must come; LETTER_ANYWHERE: unknown */
    bool body_apart;      /* the body is too large, and is kept like stored bytes, by its hash */
    struct hash body_hash;
    struct letter_bytes *bytes;
    size_t count;
};

/* Appends the letter to `out`. 0, -ENOMEM, -ENOSPC. */
int letter_write(const struct log_letter *letter, struct buf *out);
/* Reads the first letter of a message; *ret_len is its length. `data` must outlive it. -EBADMSG: it
 * is no letter; -EPROTO: it is of a newer Retort; -ENOMEM. */
int letter_read(const char *data, size_t len, struct log_letter *ret, size_t *ret_len);
void letter_done(struct log_letter *letter);
