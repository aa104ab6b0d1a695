/* clang-format off */
/* The agent: a task in, events out, an answer with the provenance of its numbers.
 *
 * It writes (the model), executes (a session), observes and corrects, until there is an answer, a
 * budget is used up or it goes in circles. It uses the public API of the engine only; the model's
 * key never enters a session.
 *
 * Events are JSON objects, {"event": …, "step": n, …}:
 *   plan         task, model, budgets, files
 *   model        delta (while it speaks), or text, thought, calls, usage (when it has spoken), or retry
 *   action       language, code
 *   output       stream, text: while the code runs
 *   observation  result (the result object), text (what the model is told)
 *   review       verdict, findings: of code that rules found something in
 *   check        name, stage, severity, verdict, message
 *   final        answer, verified, provenance, unproved, artifacts
 *   compaction   messages, characters, file: steps left the conversation, which was too long
 *   call         of a question that code asked, see queries.h
 *   stop         reason, message
 *   verdict, tries  of several tries, see tries.h; their other events have "try"
 * There is a final whenever the model has answered at all, also if a budget or a circle is the
 * reason of the stop: the last answer, with what was not proved.
 *
 * Runs in: the broker's process, in the caller's thread.
 * Hostile: replies, results, files.
 * Life cycle: agent_run; agent_outcome_done.
 * Tests: tests/unit/test_agent_loop.c, tests/system/test_agent.py
 */
/* clang-format on */
#pragma once

#include "agent/evidence/evidence.h"
#include "agent/model/model.h"
#include "agent/reply/extract.h"
#include "base/err.h"
#include "retort.h"

enum agent_policy {
    AGENT_REPAIR,
    AGENT_BLOCK,
    AGENT_ANNOTATE
}; /* what to do about numbers without
      proof */

/* What to do about code in which the rules of `retort review` find something. */
enum agent_review {
    AGENT_REVIEW_OFF,
    AGENT_REVIEW_NOTE,   /* findings are reported */
    AGENT_REVIEW_REPAIR, /* the first finding of each rule goes back to the model, and the code is
                            not run */
    AGENT_REVIEW_BLOCK   /* the same, and code that a rule blocks is never run */
};

struct agent_checks {
    enum agent_policy numbers;
    enum agent_review review;
    const char *rules; /* further rules, as JSON text, or NULL */
    bool learn;        /* when the answer has passed all checks, ask for a function worth keeping */
};

/* 0 means the default. */
struct agent_budgets {
    unsigned steps;            /* 12 */
    unsigned errors;           /* consecutive: 8 */
    unsigned long long tokens; /* of the model, both ways: no limit */
    double wall, cpu;          /* seconds: no limit */
    size_t observation;        /* characters: 8,000 */
    unsigned calls;            /* questions of code, at any depth: 500 */
    unsigned concurrency;      /* how many of them at a time: 4 */
    const json_t *prices;      /* {"MODEL": {"input", "output"}, …} for a million tokens: none */
};

/* A file, given as bytes. */
struct agent_input {
    const char *name, *data;
    size_t len;
};

/* What one turn of a conversation leaves for the next: the messages, the evidence, and the model
 * with its place in a cassette. */
struct agent_talk {
    struct model *model; /* NULL before the first turn */
    json_t *history;
    struct evidence evidence;
    unsigned turns, good_cells;
};

/* As retort_execute, in the session of the run. */
typedef int agent_execute(void *user, const char *code, size_t len,
                          const struct retort_execute_options *options,
                          struct retort_result **ret_result, struct retort_error *error);

/* As `tool` of struct retort_callbacks, for code of this session. NULL and no failure: this
 * function does not know the tool. */
typedef char *agent_tool(void *user, struct retort_session *session, const char *name,
                         const char *arguments, char **ret_failure);

/* Tools on the host that code may call. */
struct agent_tools {
    const char *offered; /* JSON, as retort_tools takes it; or NULL */
    agent_tool *call;
    /* Called when a cell begins, with its time limit (0: that of its session), and when it has
     * ended; or NULL. */
    void (*begun)(void *user, double timeout);
    void (*settled)(void *user, struct retort_session *session);
    void *user;
};

/* One of several live copies of the prepared session. */
struct agent_branch {
    struct retort_session *session;
    agent_execute *execute; /* NULL: retort_execute */
    void *user;             /* for it, and for host tools; NULL: as in the prepared session */
};

/* How a program with sessions of its own makes such copies. */
struct agent_branching {
    int (*branch)(void *execute_user, unsigned count, struct agent_branch *ret,
                  struct retort_error *error);
    /* Ends all branches except this one; `count`: all. Negative with `error`: their records do not
     * say so. */
    int (*keep)(void *execute_user, unsigned kept, struct retort_error *error);
};

enum agent_judge {
    AGENT_JUDGE_NONE, /* tests if there are some, else a vote */
    AGENT_JUDGE_TESTS,
    AGENT_JUDGE_VOTE,
    AGENT_JUDGE_SCHEMA,
    AGENT_JUDGE_CODE
};

/* NONE: no judge has this name. */
enum agent_judge agent_judge_named(const char *name);

#define AGENT_MAX_TRIES 16
#define AGENT_MAX_CONCURRENCY 32

/* Several tries at the task, of which the best is kept. */
struct agent_best {
    unsigned count; /* 0 and 1: one try */
    enum agent_judge judge;
    const char *code; /* of a judge that is code: Python that defines judge(answer); … */
    const struct retort_session_options *session; /* … which runs in a session with these options;
                                                     NULL: those of the run */
    const struct agent_branching *branching;      /* NULL: retort_branch and retort_keep */
};

/* Code may ask a model, see queries.h. */
struct agent_queries {
    bool on;
    const char *const *files; /* files that `context` consists of, NULL-terminated, or NULL; … */
    const char *text;         /* … or this text */
    const char *model;        /* the model that answers questions; NULL: the run's own */
    size_t prompt;            /* most bytes of one prompt; 0: 16,000 */
    unsigned max_depth;       /* how deep runs may be that code asks for; 0: 2 */
    unsigned depth;           /* of this run */
    struct spending *spent;   /* the account that all of them share; NULL: one of its own */
};

struct agent_options {
    const char *task;
    const struct agent_input *inputs;
    size_t input_count;
    const char *const *files; /* on the host, NULL-terminated, or NULL */
    const char *const *tests; /* files and directories with tests, NULL-terminated, or NULL */
    const char *test_command; /* a command that has to succeed, or NULL */
    const char *database;     /* SQLite file; the session gets a copy; or NULL */
    const char *schema;       /* JSON schema that the answer has to fit, or NULL */
    const char *prompts; /* directory with prompt files that replace the built-in ones, or NULL */
    struct model_options model;
    enum extract_mode mode;
    struct agent_checks checks;
    struct agent_budgets budgets;
    struct agent_best best;
    struct agent_queries queries;
    struct retort_session_options session;
    struct agent_tools tools;
    /* Runs the cells, as retort_execute does; NULL: retort_execute itself. */
    agent_execute *execute;
    void *execute_user;
    struct retort_session *continued; /* a session to go on in, or NULL for a new one */
    const json_t *history;            /* its conversation so far, or NULL */
    struct agent_talk *talk;          /* this run is a turn of it, in `continued`; or NULL */
    const atomic_bool *cancel;        /* set by any thread: ends the run soon */
};

enum agent_stop {
    AGENT_ANSWERED,
    AGENT_STEPS,
    AGENT_TOKENS,
    AGENT_WALL,
    AGENT_CPU,
    AGENT_ERRORS,
    AGENT_REPEAT,
    AGENT_ALTERNATING,
    AGENT_REFUSED,
    AGENT_CANCELLED,
    AGENT_CALLS,  /* code has used up its questions */
    AGENT_MODEL,  /* a fault of the model or its server */
    AGENT_INPUT,  /* a check before the run failed */
    AGENT_ENGINE, /* no session, or it was lost */
};

struct agent_outcome {
    enum agent_stop stop;
    char message[300];  /* what went wrong, for all but answered */
    char *answer;       /* or NULL; may be there whatever the reason of the stop */
    bool verified;      /* something ran, and every check passed */
    json_t *provenance; /* list, see ground_json; or NULL */
    json_t *unproved;   /* list of {check, message}: the checks that did not pass; or NULL */
    json_t *artifacts;  /* list of {path, size, mime}; or NULL */
    char session[64];
    unsigned steps, cells;
    unsigned long long prompt_tokens, completion_tokens;
    double cost; /* of the tokens, if there are prices */
};

typedef void agent_event(void *user, const json_t *event);

/* 0 when there is an outcome, of whatever kind; a negative errno only when nothing could be
 * started. `session` (may be NULL) receives the session, which the caller closes; if it is NULL,
 * the session is closed. */
int agent_run(struct retort_engine *engine, const struct agent_options *options, agent_event *event,
              void *user, struct agent_outcome *ret, struct retort_session **session,
              struct retort_error *err);
void agent_outcome_done(struct agent_outcome *outcome);

/* `history`: of an earlier conversation, or NULL. */
void agent_talk_init(struct agent_talk *talk, const json_t *history);
void agent_talk_done(struct agent_talk *talk);

/* Where a turn begins. */
struct agent_mark {
    unsigned turns, good_cells;
    unsigned cell; /* the last cell before it */
};

struct agent_mark agent_talk_mark(const struct agent_talk *talk, struct retort_session *session);
/* Goes back to the mark; the session must have gone back before. */
void agent_talk_forget(struct agent_talk *talk, struct retort_session *session,
                       const struct agent_mark *mark);

const char *agent_stop_name(enum agent_stop stop);
/* The exit status of `retort agent`: 0 answered and verified, 3 answered, 4 no answer, 125 own
 * failure. */
int agent_exit_code(const struct agent_outcome *outcome);
