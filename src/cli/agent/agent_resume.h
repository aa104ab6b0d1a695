/* `retort agent --resume SESSION`: the command line that a run was begun with, and the model's
 * replies.
 *
 * Runs in: the program.
 * Hostile: nothing; the journal is the user's own.
 * Owns: the words that it has read.
 * Tests: tests/system/test_agent_resume.py
 */
#pragma once

#include "agent/model/journal.h"
#include "base/err.h"

/* A command line. */
struct agent_words {
    int argc;
    char **argv; /* NULL-terminated; each of them malloc'ed */
};

/* A journal for a run that begins with these words, and with `task` if that came another way. The
 * address of the model and its key are not kept. */
int agent_resume_new(int argc, char **argv, const char *task, struct journal **ret,
                     struct retort_error *err);
/* The journal of a run that did not finish, and the words it was begun with. */
int agent_resume_open(const char *session, struct journal **ret, struct agent_words *ret_words,
                      struct retort_error *err);
void agent_words_done(struct agent_words *words);
