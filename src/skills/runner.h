/* A session for one skill alone: it has the files of the skill and what the skill declares, but
 * nothing of its caller.
 *
 * A skill that declares neither clock nor random has a deterministic session; one that declares no
 * network reaches nobody, whatever its code tries; one that declares hosts reaches those that its
 * caller's rules allow. The session fetches a call by one host tool and returns the answer by
 * another, so that nothing that a caller sends becomes code. skill.json is not among the files: the
 * answers that the tests expect are in it.
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

/* `rules` are those of the caller, as JSON text: the skill reaches the hosts that it declares, as
 * far as the rules allow. NULL: there are none. */
int runner_new(struct retort_engine *engine, const struct skill_files *files,
               const json_t *manifest, const char *rules, struct skill_runner **ret,
               struct retort_error *err);
void runner_free(struct skill_runner *runner);
/* The caller, how long it waits, and which tools it lends: only those that the skill declares. */
struct runner_patience {
    struct retort_session *caller; /* its record says what the skill reached; NULL: none does */
    double seconds;                /* at most; 0: as long as the skill declares */
    bool (*cancelled)(void *user); /* as in struct retort_callbacks; or NULL */
    /* As in struct retort_callbacks; NULL: none. */
    char *(*tool)(void *user, const char *name, const char *arguments, char **ret_failure);
    void *user;
};

struct runner_request {
    const char *function;
    const json_t *arguments;
    struct runner_patience patience;
};

/* Calls a function. ERR_GUEST or ERR_LIMIT: the skill itself failed. */
int runner_call(struct skill_runner *runner, const struct runner_request *request, json_t **ret,
                struct retort_error *err);
/* From another thread: ends the running call. A call that has not begun yet asks `cancelled`: make
 * that true first. */
void runner_interrupt(struct skill_runner *runner);

/* Copies a piece of a large value into the session, before a call, … */
int runner_put(struct skill_runner *runner, const json_t *piece, struct retort_error *err);
/* … or out of it, after one: {"base64", "size"}. Both have "place" and "offset". */
int runner_get(struct skill_runner *runner, const json_t *piece, json_t **ret,
               struct retort_error *err);

/* Writes all files into a session, below /work/skill. */
int runner_put_files(struct retort_session *session, const struct skill_files *files,
                     struct retort_error *err);
/* 0 if the cell succeeded, else an error that says in one line why not. */
int runner_verdict(const struct retort_result *result, struct retort_error *err);
