/* Output and unsaved plots of past cells, so that they can be read by range afterwards. The last
 * few dozen are kept here, as far as they have room on the session's account; those of a recorded
 * session are found in its ledger.
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: the bytes, and names of plots; nothing is parsed.
 * Life cycle: outputs_init, outputs_done.
 * Owns: the bytes, and the files of long ones.
 * Invariants: what is kept is on the account: long ones as stored output, others as output.
 * Tests: tests/hostile/test_x_account.py, tests/system/test_sessions.py
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/parts/account.h"
#include "engine/parts/stream.h"
#include "retort.h"

#define OUTPUTS 64 /* streams and plots that are remembered */

struct output {
    unsigned cell;
    enum retort_stream stream; /* 0: a plot */
    char *name;                /* of a plot: ".plots/cell3-1.png" */
    char *data;                /* small ones */
    int fd;                    /* long ones, or -1 */
    uint64_t len;
};

struct outputs {
    struct output ring[OUTPUTS];
    unsigned count; /* of all that there ever were */
    unsigned gone;  /* outputs up to this cell may have been given up */
    bool lost;      /* some were given up that are nowhere else, since this was last reset */
    struct account *account;
};

void outputs_init(struct outputs *o, struct account *account);
void outputs_done(struct outputs *o);
/* `recorded`: what is given up to make room can still be read in the ledger. */
void outputs_keep(struct outputs *o, unsigned cell, enum retort_stream stream, struct stream *from,
                  bool recorded);
void outputs_keep_plot(struct outputs *o, unsigned cell, const char *name, const char *data,
                       size_t len, bool recorded);
const struct output *outputs_find(const struct outputs *o, unsigned cell, enum retort_stream stream,
                                  const char *name);
/* Whether the name is that of a plot which was kept once. */
bool outputs_plot_gone(const struct outputs *o, const char *name);
/* Part of something, and its bytes: malloc'ed, `len` of `total`. */
struct range {
    uint64_t offset;
    size_t length;
};
struct excerpt {
    char *data;
    size_t len;
    uint64_t total;
};
/* How many bytes of the range exist, in something of `total` bytes. */
size_t range_within(struct range r, uint64_t total);
int output_part(const struct output *o, struct range range, struct excerpt *ret);
