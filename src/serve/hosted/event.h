/* Events of a session: the client that asked hears them, and everybody who listens.
 *
 * An event is typed. Its JSON-RPC text is made when somebody first needs it: a client of JSON-RPC,
 * or a reader of /events. MCP uses the parts instead.
 *
 * Runs in: broker, any thread.
 * Hostile: output, displays and names come from a guest; the JSON is our own.
 * Life cycle: on the stack of the thread that tells it; serve_notify or serve_publish ends it.
 * Tests: tests/unit/test_call.c, tests/system/test_rpc.py
 */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "base/maxima.h"
#include "retort.h"

struct serve;
struct peer;
struct hosted;

enum serve_event_kind {
    EVENT_OUTPUT,     /* text: what was printed, in whole characters */
    EVENT_DISPLAY,    /* text: JSON of the display */
    EVENT_NETWORK,    /* text: JSON of what the gate tells */
    EVENT_FILES,      /* text: JSON list of the files that changed */
    EVENT_CELL_BEGIN, /* text: members of the parameters, JSON */
    EVENT_CELL_END,   /* the same */
    EVENT_TOOL_CALL,  /* the same */
    EVENT_APPROVAL,   /* the same */
    EVENT_DECIDED,    /* the same */
    EVENT_AGENT,      /* text: JSON of the agent's event */
    EVENT_REPLAY,     /* text: members of the parameters, JSON */
};

struct serve_event {
    enum serve_event_kind kind;
    const struct hosted *hosted;
    enum retort_stream stream; /* of output */
    const char *text;
    size_t len;
    struct buf json; /* its JSON-RPC text, once somebody asked for it */
};

#define SERVE_EVENT(k, h) \
    { .kind = (k), .hosted = (h), .json = BUF_INIT(MAX_REPLY) }

/* "stdout" or "stderr". */
const char *serve_event_stream(const struct serve_event *event);
/* The JSON-RPC notification; NULL when it cannot be made. */
const struct buf *serve_event_text(struct serve_event *event);

/* Tells everybody who listens to the session; returns how many do. */
unsigned serve_publish(struct serve *serve, struct serve_event *event);
/* Tells a peer, and everybody who listens, an event of a session on another node, by its text. */
void serve_relay(struct serve *serve, struct peer *peer, const char *session, const char *text,
                 size_t len);
/* Tells everybody who listens, and the peer. False if there is nobody. */
bool serve_notify(struct serve *serve, struct peer *peer, struct serve_event *event);
