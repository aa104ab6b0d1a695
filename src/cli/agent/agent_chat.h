/* retort agent without a task: a conversation in one session.
 *
 * Each message is a turn: a run of the agent that knows the conversation so far, in the session as
 * the turns before left it. Ctrl-C ends the turn and keeps the conversation.
 *
 * Tests: tests/system/test_agent_chat.py
 */
#pragma once

#include "agent/run/agent.h"
#include "cli/agent/agent_host.h"

struct agent_chat {
    struct retort_engine *engine;
    struct agent_options *options; /* without a task */
    struct agent_host *host;       /* asks its questions on this terminal */
    const json_t *history;         /* of an earlier conversation, or NULL */
    const char *out;               /* where files go, or NULL */
    bool no_record;
    atomic_bool *cancelled;
};

/* The exit status. */
int agent_chat(struct agent_chat *chat);

/* Copies the files that a run made into a directory. */
void agent_bring_out(struct retort_session *session, const char *dir,
                     const struct agent_outcome *outcome);
