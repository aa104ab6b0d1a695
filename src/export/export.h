/* Writes a session as a document. The exporters read only the ledger, and trust nothing that a
 * guest wrote.
 *
 * Runs in: broker.
 * Hostile: code, results, paths.
 * Owns: nothing.
 * Tests: tests/unit/test_ledger_export.c
 */
#pragma once

#include "ledger/ledger.h"

/* A notebook (nbformat 4.5) of the cells that make up the present state. */
int ledger_export_ipynb(struct ledger *l, const char *session, int fd, struct retort_error *err);
/* A self-contained page of everything that ran, undone or not, with hashes and the verdict of
 * verify. */
int ledger_export_html(struct ledger *l, const char *session, int fd, struct retort_error *err);

/* --- what the exporters share --- */

/* The code of a cell, from the body of its intent; malloc'ed, NULL when it is gone. */
char *export_code(struct ledger *l, const json_t *intent, size_t *ret_len);

/* The body of the first entry of the oldest ancestor: language, environment. NULL when forgotten.
 */
json_t *export_origin(struct ledger *l, const char *session, struct retort_error *err);

/* The result of an outcome entry, or NULL when it has expired. */
json_t *export_result(struct ledger *l, const char *session, uint64_t seq);

/* True for base64 that decodes; anything else must not get into a data URL. */
bool export_is_base64(const json_t *value);

/* Replaces every character that can leave the text it stands in, or reverse its direction, by
 * U+FFFD, and removes colour sequences. The result is malloc'ed UTF-8 without NUL. */
char *export_clean(const char *text, size_t len);
