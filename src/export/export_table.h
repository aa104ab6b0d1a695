/* A table out of the HTML that a guest wrote: its cells and nothing else.
 *
 * Runs in: broker.
 * Hostile: every byte. Pure.
 * Owns: nothing.
 * Tests: tests/unit/test_ledger_export.c, tests/fuzz/fuzz_table.c
 */
#pragma once

#include "base/buf.h"

#define EXPORT_TABLE_MAX (256u << 10)

/* Appends the first table of `html`, of which only table, thead, tbody, tr, th and td are kept,
 * with colspan and rowspan as their only attributes. 0, or -EINVAL: there is no table, or something
 * else is in it; `ret` is then of no use. */
int export_table(const char *html, struct buf *ret);
