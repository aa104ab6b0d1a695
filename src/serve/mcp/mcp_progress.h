/* Tells a client how far its call is: at least every five seconds, even while the cell is silent.
 *
 * Clients give up a call that says nothing for long. We pass on what the code prints as it comes; a
 * percentage in it, as tqdm writes them, becomes progress and total.
 *
 * Runs in: broker, the thread of the call.
 * Hostile: the output.
 * Tests: tests/unit/test_mcp.c
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "serve/mcp/mcp.h"

#define PROGRESS_LINE 150 /* bytes of a line that we tell */

struct progress {
    struct mcp_call *call;
    uint64_t began_ns, said_ns;
    unsigned said;  /* how many messages were sent */
    double told;    /* must rise with each message */
    double percent; /* the last percentage in the output; < 0: none */
};

void progress_begin(struct progress *progress, struct mcp_call *call, const char *message);
void progress_output(struct progress *progress, const char *text, size_t len);
/* Call it about every second: sends a message if none was sent for long. */
void progress_tick(struct progress *progress, const char *what);

/* The last line in a piece of output that is not blank, without control characters. A carriage
 * return ends a line too. Returns its length. Pure. */
size_t progress_line(const char *text, size_t len, char line[PROGRESS_LINE + 1]);
/* The percentage in a line, 0 … 100; -1 if there is none. Pure. */
double progress_percent(const char *line);
