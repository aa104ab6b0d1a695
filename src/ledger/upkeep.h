/* Maintenance of a ledger: verifying it, removing what is old or too much, forgetting a session.
 *
 * Runs in: broker, any thread.
 * Hostile: the files, which somebody may have changed.
 * Tests: tests/unit/test_ledger_verify.c, tests/unit/test_ledger_store.c
 */
#pragma once

#include "ledger/ledger.h"

enum ledger_verdict {
    LEDGER_OK,
    LEDGER_EXPIRED,       /* the chain holds; some bytes were removed by quota or age */
    LEDGER_WAS_FORGOTTEN, /* the chain holds; bodies were removed by request */
    LEDGER_LOST,    /* the chain holds; bytes of the last 100 ms before a power loss are gone */
    LEDGER_MISSING, /* an entry or a blob is not there */
    LEDGER_CORRUPT, /* an entry or a blob is not what was recorded */
    LEDGER_HEAD_MISMATCH, /* the expected head is nowhere in this history */
    LEDGER_VERDICTS
};

const char *ledger_verdict_name(enum ledger_verdict v); /* "ok", "expired", … */

struct ledger_finding {
    enum ledger_verdict verdict;
    char session[LEDGER_ID_SIZE];
    uint64_t seq;              /* 0: the session itself */
    char blob[HASH_TEXT_SIZE]; /* "": the finding is about the entry */
    char text[200];
};

struct ledger_report {
    struct ledger_finding
        worst; /* the first finding with the worst verdict; LEDGER_OK if there is none */
    uint64_t entries, blobs, bytes;
    char head[HASH_TEXT_SIZE];
    uint64_t head_seq; /* where the expected head stands, 0 if none was given or found */
};

/* Checks the chain of a session and its ancestors, and every stored byte that they refer to. `head`
 * (may be NULL) is a hash that the client kept: it must be in the history. `found` (may be NULL)
 * gets every finding. Returns 0 if the check could be made, whatever the verdict. */
int ledger_verify(struct ledger *l, const char *session, const char *head,
                  void (*found)(void *user, const struct ledger_finding *f), void *user,
                  struct ledger_report *ret, struct retort_error *err);

struct ledger_freed {
    uint64_t blobs, bytes;
};

/* Drops stored bytes unused for more than `max_age_s` seconds (0: no such limit), then the least
 * recently used ones until no more than `max_bytes` (0: no quota) are left: those of the owner who
 * has the most, never of one who has no more than an equal share; those of live sessions go last.
 * The first entry of a session names its owner. */
int ledger_expire(struct ledger *l, uint64_t max_bytes, unsigned max_age_s,
                  struct ledger_freed *ret, struct retort_error *err);

/* Names a session; no hash covers the name; "" removes it. */
int ledger_rename(struct ledger *l, const char *session, const char *title,
                  struct retort_error *err);
/* Removes the bodies of a session's entries, and the bytes that only it refers to; the hashes
 * stay. */
int ledger_forget(struct ledger *l, const char *session, struct ledger_freed *ret,
                  struct retort_error *err);

/* Waits until this entry counts: with a mirror, an entry that announces a cell may not be there
 * yet. */
int ledger_settled(struct ledger *l, const char *session, uint64_t seq, struct retort_error *err);
/* Whether a cell of this session began for this request. 1: *ret_seq is the entry of its outcome,
 * or 0 if it has none. */
int ledger_requested(struct ledger *l, const char *session, const char *request, uint64_t *ret_seq,
                     struct retort_error *err);
