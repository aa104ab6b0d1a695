/* A run of the agent: what its parts share. Internal to src/agent.
 *
 * Runs in: the broker's process, one thread.
 * Owns: the conversation, the evidence, the outcome.
 * Tests: tests/unit/test_agent_loop.c
 */
#pragma once

#include "agent/evidence/evidence.h"
#include "agent/ground/ground.h"
#include "agent/run/agent.h"
#include "agent/run/repeat.h"
#include "agent/run/session_port.h"
#include "agent/run/spending.h"

/* Checks the workspace in tests mode; NULL in other modes. */
struct run_tests {
    void *user;
    const char *success; /* the answer when they pass */
    /* 1 passed, 0 failed with words for the model in `advice`, or -errno. */
    int (*run)(void *user, struct buf *advice);
};

/* Judges code before it runs; NULL: nobody does. */
struct run_review {
    void *user;
    /* See reviewer_judge. */
    json_t *(*judge)(void *user, const char *language, const char *code,
                     struct retort_error *error);
};

/* The newest answer that was not accepted: what there is when the run ends without a better one. */
struct proposal {
    char *answer; /* or NULL */
    json_t *provenance, *unproved;
};

/* Hashes of what the model said. */
struct replies {
    uint64_t last, stale; /* of the newest reply, and of the one before the fresh start */
    unsigned same;        /* replies like the newest one, just before it */
};

/* Who hears the events. */
struct run_listener {
    agent_event *event; /* NULL: nobody */
    void *user;
};

/* What the model knows, so that it is told once. */
struct told {
    bool numbers;  /* which have no proof */
    json_t *rules; /* of which a review found something; an object, or NULL */
};

struct run {
    const struct agent_options *options;
    struct agent_budgets budgets; /* with defaults filled in */
    struct model *model;
    struct runner *runner;
    const struct run_tests *tests;
    const struct run_review *review;
    struct run_listener listener;

    json_t *messages; /* the conversation */
    json_t *lessons;  /* a line for each failed step that left it */
    size_t kept;      /* messages before the first step: they never leave */
    json_t *tools;    /* offered to the model */
    bool tools_refused;
    struct told told;
    bool unrecorded; /* some event could not be put on the record */
    struct evidence evidence;
    struct repeat repeat;
    struct replies replies;
    struct proposal proposal;
    unsigned step, errors, good_cells;
    struct spending *spent;
    const atomic_bool *cancel; /* ends it soon; or NULL */
    unsigned number;           /* of the try, from 1; 0 when there is only one */
    struct agent_outcome *outcome;
};

/* run_review.c: code is about to be run. 0: it may; 1: it must not, and `text` has the words for the
 * model. */
int run_review(struct run *run, const char *language, const char *code, struct buf *text);

/* loop.c */
void run_loop(struct run *run);
/* An answer is accepted and proposed: the model may leave a function that is worth keeping, in a cell
 * that is run like any other. False: that has stopped the run. */
bool run_lesson(struct run *run);

/* run_events.c: each emits one event, which is recorded before it is told. */
/* Any bytes as a JSON string: what is not UTF-8, like a character that was cut, becomes U+FFFD. */
json_t *run_text(const char *text, size_t len);
void run_emit(struct run *run, json_t *event); /* takes the event; adds the step */
/* Records the conversation, to go on with. */
void run_remember(struct run *run);
void run_check(struct run *run, const char *stage, const char *name, const char *severity,
               bool passed, const char *message);
void run_stop(struct run *run, enum agent_stop stop, const char *message);
/* The last event, `event`, which is taken: with what all of the run has spent. */
void run_ended(struct run *run, json_t *event);
/* `provenance` and `unproved`, [{"check", "message"}, …], are taken, and may be NULL. */
void run_final(struct run *run, const char *answer, json_t *provenance, json_t *unproved);
/* Keeps an answer that is not accepted as yet. */
void run_propose(struct run *run, const char *answer, json_t *provenance, json_t *unproved);
void run_done(struct run *run); /* frees what the run itself owns */

/* conversation.c: the conversation. */
void run_say(struct run *run, const char *role, const char *text);
int run_ask(struct run *run, bool last,
            struct model_reply *ret); /* negative: the run was stopped */
/* The same for a question on which the run does not depend: negative, and nothing was stopped. */
int run_ask_beside(struct run *run, struct model_reply *ret);
void run_hear(struct run *run,
              const struct model_reply *reply); /* the reply joins the conversation */
/* Answers the calls of the newest reply, or speaks as the user if it had none. */
void run_answer(struct run *run, const char *text, bool failed, const json_t *result);
void run_fresh_start(struct run *run);
/* Old steps leave the conversation until it has at most so many characters; what was said becomes a
 * file of the session. False: there is nothing that could leave. */
bool run_compact(struct run *run, size_t most);
/* Answers calls that the last run left open: servers refuse a conversation that has some. */
void run_close_calls(struct run *run);

/* run_finish.c: checks an answer. 1: the run is over; 0: the model was told what to repair. */
int run_finish(struct run *run, const char *answer, bool last);
/* Runs a cell and takes its result into the evidence. NULL: the run was stopped. */
json_t *run_cell(struct run *run, const char *code);
