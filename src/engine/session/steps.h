/* The timeline of a session: all that made its present state, oldest first, and the checkpoint.
 *
 * The interpreter is a cache of the whole list; a dormant checkpoint, forked from the interpreter,
 * is a cache of the first `checkpoint_at` of it (checkpoint.c, recover.c).
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: nothing is parsed; code and names are bytes.
 * Life cycle: zero; timeline_done.
 * Owns: the steps, notes.
 * Invariants: checkpoint_at <= nsteps; a checkpoint has its files; what the steps hold is on the
 *   account.
 * Tests: tests/system/test_model.py, tests/hostile/test_x_account.py, tests/unit/test_session.c
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "engine/files/manifest.h"
#include "engine/host/languages.h"
#include "wire/control.h"

#define SESSION_ID_SIZE 24

/* When a client interrupted the cell, whatever it made of that. */
struct interrupted {
    uint64_t after_us; /* 0: the client did not interrupt it */
    uint64_t output;   /* bytes that it had written by then */
};

/* One thing that made the present state: a cell, or a file that was written or deleted from
 * outside. */
struct step {
    unsigned cell; /* 0: a file */
    char *code;    /* of the cell */
    size_t len;
    const struct cell_language *language;
    char *state; /* the state that an interpreter saved, or what the cell learned from outside; or
                    NULL */
    size_t state_len;
    struct limits limits;        /* it had */
    uint64_t cost_us;            /* the cost of running it again */
    char *path;                  /* of the file */
    struct snapshot *files;      /* all files, after it */
    json_t *calls;               /* answers of host tools and servers, in order; NULL: see below */
    unsigned ncalls;             /* entries in the ledger between its beginning and its outcome */
    bool calls_lost, files_lost; /* its answers were given up, and are nowhere else */
    bool failed;                 /* the cell did not run to its end */
    char chain[SESSION_ID_SIZE]; /* session in the ledger whose entry `seq` began the cell; */
    uint64_t seq;                /* 0: not on record */
    struct interrupted interrupted;
    json_t *outcome; /* from the ledger: of the cell, or NULL */
    json_t *write;   /* from the ledger: how the file was written; `files` is unknown then */
};

/* What was given up for want of room, and is not in the ledger either. */
enum { GAVE_CALLS = 1, GAVE_LISTS = 2, GAVE_STATES = 4 };

struct timeline {
    struct step *steps;
    size_t nsteps;
    size_t shed_calls, shed_files, shed_states; /* in the steps before these, nothing is left to
                                                   give up */
    bool has_checkpoint;
    bool checkpoint_dropped; /* the checkpoint was given up: the next result says so */
    size_t checkpoint_at;    /* how many steps it contains */
    uint64_t replay_us;      /* cost of running the cells since it again */
    uint64_t checkpoint_ns;  /* how long checkpoints take at present */
    bool resumed;            /* the session was rebuilt, and no result has said so yet */
    bool replayed;           /* the branch was made by replay, and no result has said so yet */
    json_t *notes;           /* for the next result: what was lost, or why it is a replay */
    uint32_t given_up;       /* GAVE_…, since the last result */
};

/* What an interpreter begins with. */
struct saved_state {
    unsigned cell; /* the cell after which it was saved; 0: none */
    const char *data;
    size_t len;
    char *read;       /* the same, if it came from the ledger */
    unsigned missing; /* the last cell, if the state that it left cannot be found; else 0 */
};

struct retort_session;

/* A call as it is held in memory. Its result is text, which takes no more memory than its length.
 */
json_t *step_call(const json_t *record);
/* An answer of a server, kept beside the calls: the event of the gate, and the bytes as base64
 * unless the ledger has them. */
json_t *step_answer_of(json_t *event, const char *data);
size_t step_call_bytes(const json_t *held);

void timeline_done(struct retort_session *s);
/* Forgets everything that happened. */
void timeline_clear(struct retort_session *s);
/* Returns a new step. The caller fills it, and then counts it. */
struct step *timeline_grow(struct retort_session *s);
void timeline_count(struct retort_session *s, const struct step *step);
void timeline_cut(struct retort_session *s, size_t count);
void timeline_add_file(struct retort_session *s, const char *path);
/* After a step was added: gives up old lists of files, as long as there is not room for one more.
 */
void timeline_make_room_for_list(struct retort_session *s);
/* Whether another step with as many bytes has room. */
int timeline_check_room(const struct retort_session *s, size_t bytes, struct retort_error *err);
/* Gives up answers of host tools, the oldest first, until as many bytes have room. */
void timeline_make_room(struct retort_session *s, size_t bytes);
/* Tells the result what was given up since the last one. */
void timeline_tell(struct retort_session *s, json_t *notes);
/* Likewise gives up old states that interpreters saved. The state after each one's last cell stays.
 */
void timeline_make_room_for_state(struct retort_session *s);
/* Finds what an interpreter saved before this cell, if there is anything. */
void timeline_saved(struct retort_session *s, enum language interpreter, unsigned cell,
                    struct saved_state *ret);
void saved_state_done(struct saved_state *saved);
/* Adds a note that an interpreter has begun, or will begin, with less state than there was. */
void saved_state_tell(const struct saved_state *saved, enum language interpreter, json_t *notes);
/* The interpreters that ran a cell from this step on, as 1 << language. */
uint32_t timeline_ran(const struct retort_session *s, size_t from);
size_t timeline_cells(const struct retort_session *s);
/* The length before the last `cells` cells. Files written from outside after them go, too. */
size_t timeline_before(const struct retort_session *s, unsigned cells);
/* Bytes that the steps have on the session's account. */
void timeline_bytes(const struct timeline *t, uint64_t *ret_past, uint64_t *ret_saved,
                    uint64_t *ret_calls);

/* Files were changed from outside: updates the manifest without counting them as changes of a cell.
 */
int timeline_note_files(struct retort_session *s);
/* Catches up with files that were written or deleted from outside. Before anything that needs their
 * state. */
void timeline_settle(struct retort_session *s);
