/* A session that is one skill's alone: it has the files of the skill, what the skill declares, and
 * nothing of whoever calls it.
 *
 * A skill that declares neither clock nor random has a deterministic session; one that declares no
 * network reaches nobody, whatever its code tries, and one that does nobody whom the rules of its
 * caller forbid. The session fetches a call by one host tool and
 * returns the answer by another, so that nothing a caller sends becomes part of code. skill.json is
 * not among the files: the answers that the tests expect are in it.
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

/* `rules` are those for whom it works, as JSON text: it reaches the hosts that it declares, as far as
 * they allow them. NULL: there are none. */
int runner_new(struct retort_engine *engine, const struct skill_files *files,
               const json_t *manifest, const char *rules, struct skill_runner **ret,
               struct retort_error *err);
void runner_free(struct skill_runner *runner);
/* Who calls, how long he waits, and which tools he lends: those that the skill declares, and no others. */
struct runner_patience {
    struct retort_session *caller; /* has on record what the skill reached; NULL: nobody has */
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

/* Calls a function. What the skill itself does wrong is ERR_GUEST, or ERR_LIMIT. */
int runner_call(struct skill_runner *runner, const struct runner_request *request, json_t **ret,
                struct retort_error *err);
/* Called from another thread, ends the call that is running. A call that has not begun yet asks
 * `cancelled`: make that true first. */
void runner_interrupt(struct skill_runner *runner);

/* Brings a piece of a large value to the session, before a call, … */
int runner_put(struct skill_runner *runner, const json_t *piece, struct retort_error *err);
/* … or from there, after one: {"base64", "size"}. Both have "place" and "offset". */
int runner_get(struct skill_runner *runner, const json_t *piece, json_t **ret,
               struct retort_error *err);

/* Writes all files into a session, below /work/skill. */
int runner_put_files(struct retort_session *session, const struct skill_files *files,
                     struct retort_error *err);
/* 0 if the cell went well, else an error that says in one line why it did not. */
int runner_verdict(const struct retort_result *result, struct retort_error *err);
