/* One cell: from the frame that carries its code to the facts of which its result is made.
 *
 *   RUNNING  → ENDED     the guest sent its result, or its process ended
 *   RUNNING  → STOPPING  cell_stop: a limit was reached or the client interrupts; SIGINT, to obtain
 *                        a traceback
 *   STOPPING → ENDED     it obeyed
 *   STOPPING → KILLED    cell_kill: a second has passed
 *   KILLED   → ENDED     the supervisor says that it is gone
 *
 * Runs in: the thread that waits for the cell, with the session's lock held.
 * Hostile: frames and output of the guest (frames.c).
 * Life cycle: cell_init, cell_run, cell_measure, cell_sweep, cell_drain; cell_done.
 * Owns: what the guest has said, until the result takes it.
 * Invariants: nothing here calls the timeline: those who go back run cells, not the other way
 *   round.
 * Tests: tests/fuzz/fuzz_cell.c, tests/system/test_run.py, tests/hostile/test_e_time.py
 */
#pragma once

#include "engine/session/session.h"
#include "wire/frame.h"

enum cell_stop { STOP_NONE, STOP_TIMEOUT, STOP_CPU, STOP_MEMORY, STOP_INTERRUPT, STOP_PROTOCOL };

/* Values made of a guest's JSON so far, and whether some were too many. */
struct json_count {
    size_t values;
    bool exceeded;
};

/* What the guest said, as far as it was taken. */
struct cell_said {
    bool has_result;
    int64_t kind, exit_code, threads;
    json_t *value, *displays, *plots, *error, *variables, *dataframes, *final;
    char *state; /* saved state, as in struct step */
    size_t state_len;
    json_t *notes;  /* why its interpreter ends; or what differed when the cell ran again */
    uint64_t bytes; /* of frames, on the session's account */
    struct json_count json;
    unsigned unsaved; /* plots */
    bool overflow;    /* more displays than are kept */
};

/* Calls of host tools. */
struct cell_calls {
    json_t *answers; /* in the order of the calls */
    unsigned count;
    uint64_t bytes; /* on the session's account */
    json_t *replay; /* recorded answers, given instead of asking the host; or NULL */
    json_t *unused; /* which of them were not given yet */
    bool lost;      /* there were recorded answers, but they are no longer held */
    struct retort_error unrecorded; /* a call that is not in the ledger */
    bool denied;
    bool guarded;   /* the tools say where data may go */
    bool proved;    /* nothing of untrusted origin reaches a sink (review.h) */
    json_t *policy; /* what was said about that, for the result; or NULL */
};

/* What a review of its code said before it ran. */
struct cell_review {
    json_t *report; /* for the result; NULL: there was none */
    json_t *error;  /* why it is not run, or NULL */
};

/* What it did on the network. */
struct cell_traffic {
    json_t *events; /* the first of them; NULL: the session has no network */
    unsigned total, revivals;
    bool denied;
    struct retort_error failed; /* there is no gate */
};

/* What the kernel and the supervisor said. */
struct cell_facts {
    bool exited;
    int wait_status;
    struct retort_error failed;         /* the program could not be started at all */
    uint64_t exit_cpu_us, exit_peak_kb; /* from its rusage, where there is no cgroup */
    struct measure before, used;
    bool based; /* without a cgroup: `before` is known as well as can be */
    uint64_t idle_cpu_us;
    bool disk_full; /* stays a fact about the cell, even if its state is taken back */
    uint32_t processes;
    uint64_t others; /* tasks beside the session's own, at its end */
    bool measuring;  /* an answer of the supervisor is under way */
    uint64_t memory_peak;
    uint64_t files_most; /* bytes that files occupied, at any look */
    uint64_t shrunk_at;  /* since when files occupy much less than the supervisor was told; 0: they
                            do not */
    bool network_full, locks_full;
};

/* Points in time, in nanoseconds. */
struct cell_clock {
    uint64_t started, ended, deadline, kill_at, look_at;
    uint64_t tick_at;    /* 0: nobody wants to be told */
    uint64_t settle_at;  /* when to put it on record for others; 0: it is, or nobody has to know */
    uint64_t nudge_at;   /* after an interrupt */
    uint64_t mute_at;    /* when we take a channel that the guest closed for a fault */
    uint64_t network_at; /* when to look at its sockets again */
};

struct cell {
    struct retort_session *s;
    const struct retort_execute_options *options;
    struct limits limits;
    unsigned number;
    const struct cell_language *language;
    struct interp *in; /* the interpreter that runs it */
    uint64_t seq;      /* of the entry in the ledger that says what will run; 0: none */
    struct stream out, err;
    bool shown;      /* standard error is no longer withheld */
    struct buf send; /* frames not yet written */
    struct cell_said said;
    struct cell_calls calls;
    struct cell_review review;
    struct cell_traffic traffic;
    struct cell_facts facts;
    struct cell_clock clock;
    enum cell_stop stop;
    bool killed;
    bool unstarted;                  /* the client had cancelled it before, or it was refused */
    bool quiet;                      /* only the state is wanted, not the result */
    struct interrupted interrupted;  /* by the client */
    const struct interrupted *again; /* how the client interrupted it when it ran first, or NULL */
    const struct step *past;         /* when it runs again: its state as it was then */
    unsigned json;                   /* the mark of jsonwhole.h when it began */
};

/* The cell is in the session's own language, unless somebody says otherwise. */
int cell_init(struct cell *c, struct retort_session *s,
              const struct retort_execute_options *options, struct retort_error *err);
void cell_done(struct cell *c);

/* An interrupt that arrives while nothing is running is ignored. */
void cell_forget_interrupts(const struct cell *c);
/* False: the client has cancelled the cell already. Interrupts that come from here on count. */
bool cell_may_start(struct cell *c);
/* Sends the code and waits for the end. A negative errno only if nothing could be sent. */
int cell_run(struct cell *c, const char *code, size_t len, struct retort_error *err);

/* sweep.c: what it used, once it has ended; then ends what it left running, unless the session
 * allows it. */
void cell_measure(struct cell *c);
void cell_sweep(struct cell *c);

/* Whether it is a program of bash that gets its code as an argument, not by a guest of ours. */
bool cell_is_program(const struct cell *c);

/* Whether the cell can be left to end by itself: a program whose result has come, and whose files
 * and resources nobody asks for. Its session ends with it. */
bool cell_outcome_only(const struct cell *c);

/* Reads what the cell wrote and sent before its end. Call it when nothing of the cell runs any
 * more: a child that goes on writing would keep us draining forever. */
void cell_drain(struct cell *c);

/* Withholds what an interpreter says on standard error before it is ready. If it turns out to be no
 * interpreter, those words are the reason. */
void cell_show_withheld(struct cell *c);
/* The last line of what was withheld; "" if there is none or it was shown. */
void cell_last_words(struct cell *c, char *ret, size_t size);

/* The first frame for a new interpreter: seed, variables, and its state before this cell if it was
 * saved. */
int cell_put_hello(struct retort_session *s, const struct interp *in, unsigned cell, struct buf *b);

/* frames.c: one decoded frame of the guest; -EPROTO if it may not come now. */
int cell_frame(struct cell *c, const struct frame *f);
/* Parses JSON of a guest; gives null if anything is wrong with it. */
json_t *guest_json(const struct field *f, struct json_count *count);

/* toolcall.c */
int cell_tool_call(struct cell *c, const struct frame *f);
int cell_put_tools(struct cell *c);
/* The cell is one of the past: tools and servers give it the answers that they gave then. */
void cell_call_again(struct cell *c, const struct step *p, json_t *notes);
/* traffic.c: tells the gate what kind of cell comes; takes what the gate says while it runs; takes
 * the rest at its end. A cell of the past reaches nobody, and gets the answers that it got then. */
void cell_traffic_begin(struct cell *c);
void cell_traffic_read(struct cell *c);
void cell_traffic_end(struct cell *c);
/* Requests of a cell of the past that were not on record. */
void cell_traffic_missing(const struct cell *c, json_t *notes);
/* result.c */
const char *cell_status(const struct cell *c);
bool cell_lacked_memory(const struct cell *c); /* how it ended, by what the guest said itself */
struct outcome {
    json_t *files, *notes; /* the result takes it */
    const char *state, *via;
    bool rejected;
};
json_t *cell_result(struct cell *c, const struct outcome *o); /* NULL: not enough memory */
