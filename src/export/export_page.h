/* The page of a session while it is written: what the parts of the HTML export share.
 *
 * Runs in: broker.
 * Hostile: all text of guests and models; it gets into the page through put_text only.
 * Owns: nothing but what the page holds.
 * Tests: tests/unit/test_ledger_export.c
 */
#pragma once

#include <stdio.h>

#include "ledger/ledger.h"

/* The end of one of several tries: it is shown last, unless the try was kept. */
struct page_end {
    json_t *event; /* NULL: there is none */
    const char *session;
    struct ledger_entry entry; /* its place and hash */
};

struct page {
    FILE *out;
    struct ledger *l;
    struct ledger_history history;
    const char *session; /* the session whose entries we show now */
    char *code;          /* of the cell whose outcome comes next */
    size_t code_len;
    uint64_t intent_seq;
    struct page_end answer, stop;
    json_t *cells; /* number of a cell → its anchor, as of the present entry */
};

/* export_html.c */
void put_text(struct page *p, const char *text, size_t len);
void put_json_text(struct page *p, const json_t *text);
void put_pre(struct page *p, const char *class, const json_t *text);
void put_mark(struct page *p, const char *class, const char *text);

/* export_agent.c: what the notes of the agent say. */
/* Task and answer, for the top of the page; called for every entry of the session, in order. */
int put_summary(void *page, const struct ledger_entry *e);
/* Called after all entries: shows the ends that are left. */
void put_ends(struct page *p);
/* Shows what the model said and what was checked, where it happened. False: this is no note of the
 * agent. */
bool put_note(struct page *p, const struct ledger_entry *e);
/* Shows what a review of code found: an event of the agent, or that member of a cell's outcome. */
void put_review(struct page *p, const json_t *event);
