/* Questions that the code of a run asks a model: host tools of the agent itself.
 *
 *   llm_query       one prompt, answered by a model that sees nothing else
 *   llm_queries     many, some at a time, in their order
 *   rlm_query       a run of its own, with a session, one level deeper; a plain query where that is
 *                   too deep
 *   ask             a value that fits a schema, read in a text that is not trusted; or null
 *   partial_answer  what is answered if a limit ends the run
 *
 * All of them, at any depth, spend from one account (spending.h), which is asked before each call.
 * Every call is an event {"event": "call", "name", "depth", "prompt_bytes", "reply_bytes", "usage",
 * "error", "session", "degraded"}, told when its cell has ended; its text is on the record with
 * the cell, from which a replay answers it.
 *
 * Runs in: the broker's process, in the thread that runs the cell; batches in threads of their own.
 * Hostile: arguments from the code, replies.
 * Owns: the model for such questions.
 * Tests: tests/system/test_agent_queries.py
 */
#pragma once

#include "agent/run/agent_run.h"

#include <pthread.h>

struct queries {
    struct retort_engine *engine;
    struct run *run;
    struct model *model; /* NULL: code may not ask questions */
    size_t prompt;       /* most bytes of one prompt */
    unsigned max_depth;
    pthread_mutex_t lock;
    json_t *rows; /* calls of the running cell */
};

/* 0 or negative with `error`. */
int queries_open(struct queries *q, struct retort_engine *engine, struct run *run,
                 struct model_error *error);
void queries_done(struct queries *q);
/* The tools, as retort_tools takes them. */
json_t *queries_tools(void);
/* See struct host_tool; `user` is struct queries. */
char *queries_call(void *user, struct retort_session *session, const char *name,
                   const char *arguments, char **ret_failure);
/* Emits the events of the calls in the cell that has ended. */
void queries_flush(struct queries *q);
