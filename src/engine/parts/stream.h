/* What a guest wrote: head and tail, bounded however much comes.
 *
 * Runs in: the broker, in the thread that waits for the cell.
 * Hostile: all bytes.
 * Life cycle: stream_init, stream_done.
 * Owns: head, tail, and the file with the whole.
 * Invariants: what is stored is on the account of who stores it.
 * Tests: tests/system/test_run.py, tests/fuzz/fuzz_cell.c
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "engine/parts/account.h"

struct stream {
    struct buf head;
    char *tail; /* ring */
    size_t head_max, tail_max, tail_len, tail_pos;
    uint64_t total, stored, store_max;
    int store;               /* the whole, up to the quota, in an unlinked file; -1: not kept */
    struct account *account; /* of who stores it, or NULL */
};

void stream_init(struct stream *s, uint64_t kept, uint64_t stored);
void stream_done(struct stream *s);
void stream_add(struct stream *s, const char *data, size_t len);
json_t *stream_text(const struct stream *s);
bool stream_truncated(const struct stream *s);
int spool_open(void); /* an unlinked file, gone with the process; -1 */

/* Any bytes as a JSON string: what is not UTF-8 becomes U+FFFD. */
json_t *json_text(const char *data, size_t len);
/* The same for file names, losslessly: bytes that are not printable UTF-8 become \xNN, and a
 * backslash \\. */
json_t *json_name(const char *data, size_t len);
