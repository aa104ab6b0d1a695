/* What the ledger knows, as JSON: for retort.h, and for commands that need no engine.
 *
 * Runs in: broker.
 * Hostile: what was recorded of guests.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/system/test_log.py
 */
#pragma once

#include "ledger/ledger.h"
#include "retort.h"

/* Without an id: [{session, parent, state, cells, created_ms, touched_ms, entries, head, language,
 * door?, owner?, title?}], where the title is the name it was given, else the first line that was
 * run, or an agent's task. With one: [{entry, kind, time_ms, hash, body}] of that session; a cell_intent also has its "code", a
 * tool_call its "call" unless that is long, a note its whole "event", as long as the store has them. A body that was forgotten is null. */
int ledgerapi_log(struct ledger *l, const char *id, json_t **ret, struct retort_error *err);

/* {session, parent, branched_at, total, entries}: as retort_entries. */
int ledgerapi_entries(struct ledger *l, const char *id, const struct retort_part *part,
                      json_t **ret, struct retort_error *err);

/* Whether the name, a cell's code or an agent's task of this session contains the text. Ignores
 * case. */
bool ledgerapi_mentions(struct ledger *l, const char *id, const char *text);

/* {verdict, sound, entries, blobs, bytes, head, findings: [{verdict, session, entry, blob, text}]}.
 * Sound: nothing differs from what was recorded, and nothing is missing but what was given up on
 * request, by quota or by age. */
int ledgerapi_verify(struct ledger *l, const char *id, const char *head, json_t **ret,
                     struct retort_error *err);
