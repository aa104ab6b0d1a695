/* Skills that are made of what ran: a function of a recorded session, with its calls as tests.
 *
 * The session is run again, as a replay does it, while its functions are watched (retort_calls). So
 * each test is a call that was made, with the answer that it had; what came out differently this time
 * is no test. The function then goes through what every skill goes through (trial.h), and only after
 * that into the library.
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
    const char *answer;      /* says something that the function computed; or NULL */
    const char *by;          /* who asks for it */
};

/* The job has an engine that keeps a record. What skills_add returns, and "session", "function". A
 * function that the newest version has already is refused with EEXIST. */
int skills_learn(const struct skills_job *job, const struct skills_lesson *lesson, json_t **ret,
                 struct retort_error *err);
/* The same when a run of the agent has given a verified answer in this session, and as an event of that run:
 * {"event": "skill", "name", …}, or "problem" if nothing can be kept. It goes on the session's record. NULL:
 * memory is out. */
json_t *skills_learn_event(const struct skills_job *job, const struct skills_lesson *lesson,
                           struct retort_session *session);
