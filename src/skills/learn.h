/* Makes a skill of what ran: a function of a recorded session, with its calls as tests.
 *
 * We run the session again, as a replay does, and watch its functions (retort_calls). So each test
 * is a real call with its answer; a call that came out differently this time is no test. The
 * function must then pass the trial of every skill (trial.h) before it comes into the library.
 *
 * Runs in: broker; the command line.
 * Hostile: the session's code, and what the guest says of it, which becomes files of a folder.
 * Life cycle: none.
 * Owns: nothing; objects that are returned are the caller's.
 * Tests: tests/system/test_skill_learn.py
 */
#pragma once

#include "skills/skills.h"

struct skills_lesson {
    const char *session;
    const char *function;    /* NULL: the last one that can be kept */
    const char *name;        /* of the skill; NULL: that of the function */
    const char *description; /* NULL: the function's own */
    const char *answer;      /* must say something that the function computed; or NULL */
    const char *by;          /* the client that asks for it */
};

/* The job must have an engine that keeps a record. Returns what skills_add returns, with "session"
 * and "function". A function that the newest version has already is refused with EEXIST. */
int skills_learn(const struct skills_job *job, const struct skills_lesson *lesson, json_t **ret,
                 struct retort_error *err);
/* The same for a session in which a run of the agent has given a verified answer. Returns an event
 * of that run: {"event": "skill", "name", …}, or "problem" if nothing can be kept, and records it.
 * NULL: memory is out. */
json_t *skills_learn_event(const struct skills_job *job, const struct skills_lesson *lesson,
                           struct retort_session *session);
