/* What a session proves: the numbers that its cells have shown, and the check of an answer against
 * them.
 *
 * Of a recorded session the ledger knows what was shown; of one that is not, what the cells showed is
 * held here, as far as it has room. Evidence is made of it when it is first asked for; after that only
 * what is new is read.
 *
 * Runs in: the broker, in any thread.
 * Hostile: answers, questions, and what guests have shown.
 * Life cycle: proof_init, proof_done. proof_rest frees what can be made again.
 * Owns: what was shown, the evidence.
 * Invariants: all of it is used with `lock` held, which nobody holds while a cell runs: a check waits
 *   for no cell.
 * Tests: tests/system/test_check_answer.py
 */
#pragma once

#include <pthread.h>

#include "agent/evidence/evidence.h"
#include "engine/parts/account.h"
#include "ledger/ledger.h"

/* Something that evidence was made of: an entry of the ledger, or of `shown`. */
struct proof_step {
    char session[LEDGER_ID_SIZE];
    uint64_t seq;
};

struct proof {
    pthread_mutex_t lock;
    struct account *account; /* or NULL */
    json_t *shown;           /* [{"n", "code", "result", "bytes"}], the oldest first; or NULL */
    size_t bytes;            /* of all of them */
    uint64_t last;           /* n of the last one */
    unsigned gone;           /* the last cell that had to make room; 0: none had */
    struct evidence evidence;
    struct proof_step *read;
    size_t read_count, read_room;
};

void proof_init(struct proof *p, struct account *account);
void proof_done(struct proof *p);
void proof_rest(struct proof *p);

/* For sessions that are not recorded. The result is not copied: it must not be changed any more. */
void proof_note(struct proof *p, const char *code, size_t len, const json_t *result);
void proof_undo(struct proof *p, unsigned cells);      /* the last ones were taken back */
void proof_copy(struct proof *to, struct proof *from); /* for a branch */

struct proof_answer {
    const char *text;
    const char *question; /* NULL: the task of an agent, if there was one */
    const char *code;     /* that filled in parts of the answer, or NULL */
    const json_t *result; /* of that code */
    const json_t *spans;  /* which parts: as template_fill gives them */
};

/* {accepted, flags, numbers: […]} as ground_json has them, and "answer" if parts were filled in.
 * Without a ledger the session is not recorded. */
int proof_check(struct proof *p, struct ledger *l, const char *id,
                const struct proof_answer *answer, json_t **ret, struct retort_error *err);
