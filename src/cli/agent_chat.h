/* retort agent without a task: a conversation in one session.
 *
 * Each message is a turn: a run of the agent that knows what was said before, in the session that
 * the turns before have left. Ctrl-C ends the turn and keeps the conversation.
 * Tests: tests/system/test_agent_chat.py */
#pragma once

#include "agent/agent.h"
#include "base/buf.h"

struct agent_chat {
    struct retort_engine *engine;
    struct agent_options *options; /* without a task */
    const json_t *history;         /* of an earlier conversation, or NULL */
    const char *out;               /* where files go, or NULL */
    bool no_record;
    atomic_bool *cancelled;
};

/* The exit status. */
int agent_chat(struct agent_chat *chat);

/* Puts the files that a run made into a directory. */
void agent_bring_out(struct retort_session *session, const char *dir,
                     const struct agent_outcome *outcome);

/* --- agent_chat_input.c: messages from a terminal, with a line editor and a history --- */

struct chat_input;

/* `wake` becomes readable when a signal came. `keep`: the history is kept in a file. */
struct chat_input *chat_input_new(int wake, bool keep);
void chat_input_free(struct chat_input *in);
/* One message, lines that were pasted together included. 1; 0 at the end; -EINTR: it was thrown
 * away. */
int chat_input_read(struct chat_input *in, struct buf *message);
