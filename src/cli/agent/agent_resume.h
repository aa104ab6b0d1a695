/* `retort agent --resume SESSION`: the words that a run was begun with, and what the model said in it.
 *
 * Runs in: the program.
 * Hostile: nothing; the journal is the user's own.
 * Owns: the words that were read.
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

/* A journal for a run that begins with these words, `task` if it came another way. Where the model is
 * and how it is shown to be allowed to ask it are not kept. */
int agent_resume_new(int argc, char **argv, const char *task, struct journal **ret,
                     struct retort_error *err);
/* The journal of a run that did not come to its end, and the words that it was begun with. */
int agent_resume_open(const char *session, struct journal **ret, struct agent_words *ret_words,
                      struct retort_error *err);
void agent_words_done(struct agent_words *words);
