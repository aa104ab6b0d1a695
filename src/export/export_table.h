/* Takes a table out of a guest's HTML: its cells and nothing else.
 *
 * Runs in: broker.
 * Hostile: every byte. Pure.
 * Owns: nothing.
 * Tests: tests/unit/test_ledger_export.c, tests/fuzz/fuzz_table.c
 */
#pragma once

#include "base/buf.h"

#define EXPORT_TABLE_MAX (256u << 10)

/* Appends the first table of `html`. Keeps only table, thead, tbody, tr, th and td, with no
 * attributes but colspan and rowspan. 0, or -EINVAL: there is no table, or something else is in it;
 * then `ret` is of no use. */
int export_table(const char *html, struct buf *ret);
