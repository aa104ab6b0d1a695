/* Keeps the model's replies in a run as they come, so that a run that died goes on without asking
 * again.
 *
 * A journal is a file in the state directory, named after the session of the run: a line that says
 * how the run was begun, then the replies as in a cassette, each written before anything is done
 * with it. All parts of a run share it: tries, questions of code, runs that code asks for. A run
 * that goes on begins anew, in a session of its own, but looks up each question first; each reply
 * is given once. When the run has its answer, the file is removed.
 *
 * Runs in: the broker's process, in any thread of the run.
 * Hostile: the replies; the file is the user's own, and may end in the middle of a line.
 * Owns: the replies that were read.
 * Tests: tests/system/test_agent_resume.py
 */
#pragma once

#include "agent/model/model.h"
#include "base/err.h"

struct journal;

#define JOURNAL_PATH "%s/agent/%s.jsonl" /* state directory, session */

/* A new journal in this state directory. Nothing is written yet. */
int journal_new(const char *state, const char *head, struct journal **ret,
                struct retort_error *err);
/* The journal of the run that began in `session`; `ret_head`, which the caller frees, says how it
 * began. */
int journal_open(const char *state, const char *session, struct journal **ret, char **ret_head,
                 struct retort_error *err);
void journal_free(struct journal *j);
/* Tells the session of the run; only the first call counts. */
void journal_begin(struct journal *j, const char *session);
/* Removes the journal: the run has finished. */
void journal_remove(struct journal *j);
/* How many replies the journal began with. */
size_t journal_size(const struct journal *j);
/* Why something could not be kept, or NULL. */
const char *journal_problem(const struct journal *j);

/* 1: this was asked before, and here is the reply, or `error` if there was none; 0: it was not
 * asked; -EINVAL with `error`: the journal is of another run. */
int journal_recall(struct journal *j, const struct model_request *request,
                   const struct model_listener *listener, struct model_reply *ret,
                   struct model_error *error);
/* `reply` NULL: the conversation was too long for the model. */
void journal_keep(struct journal *j, const struct model_request *request,
                  const struct model_reply *reply);
