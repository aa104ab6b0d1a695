/* Looks names up, in threads, because the C library's functions wait.
 *
 * Runs in: the gate; a few threads that do nothing else.
 * Hostile: names, and what name servers answer; the C library reads that.
 * Life cycle: resolve_start once; resolve_ask, then `found` of the flow or resolve_forget.
 * Owns: its queries, until they are answered.
 * Tests: tests/hostile/test_h_rules.py
 */
#pragma once

#include "gate/rules/address.h"

#define MAX_FOUND 8

struct flow;
struct guest;

struct query {
    struct query *next;
    struct flow *asker;        /* NULL: nobody waits for the answer any more */
    const struct guest *guest; /* whose query it is; only compared, never followed */
    bool taken;                /* a thread works on it */
    char host[HOST_SIZE];
    struct address found[MAX_FOUND];
    unsigned count;
};

int resolve_start(void); /* 0 or -errno */
/* NULL: memory is out. flow_found gets the answer, from the loop. Only a few names of one guest are
 * looked up at a time: slow name servers make only the guest wait that asked for them. */
struct query *resolve_ask(struct flow *asker, const char *host);
void resolve_forget(struct query *q); /* takes NULL */
