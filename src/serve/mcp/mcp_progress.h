/* How far a call is, for its client: while a cell is silent, at least every five seconds.
 *
 * Clients give a call up that says nothing for long. What the code prints is told as it comes; a
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

#define PROGRESS_LINE 150 /* bytes of a line that are told */

struct progress {
    struct mcp_call *call;
    uint64_t began_ns, said_ns;
    unsigned said;  /* how often */
    double told;    /* must rise with each message */
    double percent; /* that the output last had in it; < 0: none */
};

void progress_begin(struct progress *progress, struct mcp_call *call, const char *message);
void progress_output(struct progress *progress, const char *text, size_t len);
/* To be called every second or so: says something when nothing has been said for long. */
void progress_tick(struct progress *progress, const char *what);

/* The last line of a piece of output that holds anything, without control characters. A carriage
 * return ends a line too. Returns its length. Pure. */
size_t progress_line(const char *text, size_t len, char line[PROGRESS_LINE + 1]);
/* The percentage in a line, 0 … 100; -1 if there is none. Pure. */
double progress_percent(const char *line);
