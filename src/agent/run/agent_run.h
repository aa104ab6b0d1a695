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

/* Judges code before it runs; NULL: it is not judged. */
struct run_review {
    void *user;
    /* See reviewer_judge. */
    json_t *(*judge)(void *user, const char *language, const char *code,
                     struct retort_error *error);
};

/* The newest answer that was not accepted: the run ends with it if there is no better one. */
struct proposal {
    char *answer; /* or NULL */
    json_t *provenance, *unproved;
};

/* Hashes of the model's replies. */
struct replies {
    uint64_t last, stale; /* of the newest reply, and of the one before the fresh start */
    unsigned same;        /* how many replies just before the newest are equal to it */
};

/* Who gets the events. */
struct run_listener {
    agent_event *event; /* NULL: nobody */
    void *user;
};

/* What the model was told already. */
struct told {
    bool numbers;  /* that numbers have no proof */
    json_t *rules; /* rules of which a review found something; an object, or NULL */
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
    json_t *lessons;  /* one line for each failed step that was removed */
    size_t kept;      /* messages before the first step: they are never removed */
    json_t *tools;    /* offered to the model */
    bool tools_refused;
    struct told told;
    bool unrecorded; /* an event could not be recorded */
    struct evidence evidence;
    struct repeat repeat;
    struct replies replies;
    struct proposal proposal;
    unsigned step, errors, good_cells;
    struct spending *spent;
    const atomic_bool *cancel; /* ends it soon; or NULL */
    unsigned number;           /* number of the try, from 1; 0 when there is only one */
    struct agent_outcome *outcome;
};

/* run_review.c: called before code runs. 0: it may run; 1: it must not, and `text` has the words
 * for the model. */
int run_review(struct run *run, const char *language, const char *code, struct buf *text);

/* loop.c */
void run_loop(struct run *run);
/* Called when an answer was accepted: the model may write a function worth keeping, in a cell that
 * runs like any other. False: that stopped the run. */
bool run_lesson(struct run *run);

/* run_events.c: each emits one event, which is recorded before listeners get it. */
/* Any bytes as a JSON string: bytes that are not UTF-8, such as a cut character, become U+FFFD. */
json_t *run_text(const char *text, size_t len);
void run_emit(struct run *run, json_t *event); /* takes the event; adds the step */
/* Records the conversation, so that it can be continued. */
void run_remember(struct run *run);
void run_check(struct run *run, const char *stage, const char *name, const char *severity,
               bool passed, const char *message);
void run_stop(struct run *run, enum agent_stop stop, const char *message);
/* Emits the last event, `event`, which it takes, with what the whole run has spent. */
void run_ended(struct run *run, json_t *event);
/* Takes `provenance` and `unproved`, [{"check", "message"}, …]; both may be NULL. */
void run_final(struct run *run, const char *answer, json_t *provenance, json_t *unproved);
/* Keeps an answer that is not accepted yet. */
void run_propose(struct run *run, const char *answer, json_t *provenance, json_t *unproved);
void run_done(struct run *run); /* frees what the run itself owns */

/* conversation.c: the conversation. */
void run_say(struct run *run, const char *role, const char *text);
int run_ask(struct run *run, bool last,
            struct model_reply *ret); /* negative: the run was stopped */
/* The same for a question that the run does not depend on: negative, but the run is not stopped. */
int run_ask_beside(struct run *run, struct model_reply *ret);
void run_hear(struct run *run,
              const struct model_reply *reply); /* adds the reply to the conversation */
/* Answers the calls of the newest reply, or adds a message of the user if it had none. */
void run_answer(struct run *run, const char *text, bool failed, const json_t *result);
void run_fresh_start(struct run *run);
/* Removes old steps from the conversation until it has at most this many characters; their text
 * becomes a file of the session. False: nothing can be removed. */
bool run_compact(struct run *run, size_t most);
/* Answers calls that the last run left open: servers refuse a conversation with open calls. */
void run_close_calls(struct run *run);

/* run_finish.c: checks an answer. 1: the run is over; 0: the model was told what to repair. */
int run_finish(struct run *run, const char *answer, bool last);
/* Runs a cell and adds its result to the evidence. NULL: the run was stopped. */
json_t *run_cell(struct run *run, const char *code);
