/* The quota of a ledger, shared out by owner: stored bytes (expire.c) and entries (retire.c).
 *
 * Runs in: broker; the flusher's thread enforces the quota.
 * Hostile: sessions, which decide how much there is to record.
 * Tests: tests/unit/test_ledger_store.c, tests/hostile/test_x5_store.py
 */
#pragma once

#include "ledger/internal.h"
#include "ledger/upkeep.h"

/* The first entry of a session names its owner. */
#define OWNER_OF(session)                                                                \
    "coalesce((SELECT CASE WHEN json_valid(body) THEN json_extract(body, '$.owner') END" \
    " FROM entry WHERE entry.session = " session " ORDER BY seq LIMIT 1), '')"

/* expire.c */
/* Removes a file of the store that has no row. */
void expire_file(struct ledger *l, const struct hash *h);
/* In a transaction: makes session n refer to nothing. *refs are what it referred to; their files
 * may have to be removed afterwards. */
int expire_refs(struct ledger *l, int64_t n, struct refs *refs, struct ledger_freed *freed,
                struct retort_error *err);

/* retire.c */
int retire_by_quota(struct ledger *l, uint64_t max_bytes, struct ledger_freed *freed,
                    struct retort_error *err);
bool retire_is_over(struct ledger *l);
/* In the transaction that adds such an entry: fails if that would be too much. */
int retire_permit(struct ledger *l, const struct session_row *row, enum ledger_kind kind,
                  struct retort_error *err);
/* In a transaction: counts a session's entries again after their bodies were removed. */
int retire_recount(struct ledger *l, int64_t n, struct retort_error *err);
