/* Names to addresses, by threads, because the C library waits.
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
    struct flow *asker;        /* NULL: nobody wants to know any more */
    const struct guest *guest; /* whose it is; compared, never looked into */
    bool taken;                /* by a thread */
    char host[HOST_SIZE];
    struct address found[MAX_FOUND];
    unsigned count;
};

int resolve_start(void); /* 0 or -errno */
/* NULL: memory is out. The answer comes by flow_found, from the loop. Of one guest few are looked up
 * at a time: names whose servers are slow make nobody wait but who asks for them. */
struct query *resolve_ask(struct flow *asker, const char *host);
void resolve_forget(struct query *q); /* takes NULL */
