/* A session that is one skill's alone: it has the files of the skill, what the skill declares, and
 * nothing of whoever calls it.
 *
 * Without the capabilities clock and random the session is a deterministic one, without network it
 * reaches nobody, whatever the code tries. A call goes in and its answer comes out by two host
 * tools, so that nothing of a caller ever stands in code.
 *
 * Runs in: broker; one call at a time.
 * Hostile: the skill. Its answer is data, bounded in size and depth as those of tools are.
 * Life cycle: runner_new, runner_call, runner_free.
 * Owns: the session.
 * Tests: tests/system/test_skills.py
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "retort.h"
#include "skills/skillfiles.h"

struct skill_runner;

int runner_new(struct retort_engine *engine, const struct skill_files *files,
               const json_t *manifest, struct skill_runner **ret, struct retort_error *err);
void runner_free(struct skill_runner *runner);
/* How long a caller waits. */
struct runner_patience {
    double seconds;                /* the most that it has; 0: what the skill declares */
    bool (*cancelled)(void *user); /* as in struct retort_callbacks; or NULL */
    void *user;
};

struct runner_request {
    const char *function;
    const json_t *arguments;
    struct runner_patience patience;
};

/* The answer of a function. What the skill itself does wrong is ERR_GUEST, or ERR_LIMIT. */
int runner_call(struct skill_runner *runner, const struct runner_request *request, json_t **ret,
                struct retort_error *err);
/* From another thread: ends the call that is running. One that has not begun is ended by
 * `cancelled`, which has to be true before. */
void runner_interrupt(struct skill_runner *runner);

/* The files, below /work/skill of a session. */
int runner_put_files(struct retort_session *session, const struct skill_files *files,
                     struct retort_error *err);
/* Why a cell failed, in one line; 0 if it did not. */
int runner_verdict(const struct retort_result *result, struct retort_error *err);
