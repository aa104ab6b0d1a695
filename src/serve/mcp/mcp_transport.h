/* MCP as its transports see it: standard input and output, and HTTP.
 *
 * Runs in: broker, the threads of the transport.
 * Hostile: every message, and the headers it came with.
 * Life cycle: mcp_new; a call is made of each message, run and freed; mcp_stop ends what is open;
 *   mcp_free.
 * Tests: as for serve/mcp/mcp.h
 */
#pragma once

#include "serve/mcp/mcp.h"

/* Where messages to the client go: while a call is open, or for a session as a whole. */
struct mcp_link {
    void (*send)(struct mcp_link *link, const char *text, size_t len);
};

/* What HTTP adds to a message; NULL fields are absent headers. */
struct mcp_headers {
    const char *version, *method, *name;
};

struct mcp *mcp_new(const struct mcp_table *table);
void mcp_stop(struct mcp *mcp); /* cancels every open call */
/* The client sends nothing any more: ends its subscriptions, and waits for no answers. */
void mcp_input_ended(struct mcp *mcp);
void mcp_free(struct mcp *mcp); /* ends every session; no call may be open */
struct mcp *mcp_of(const struct mcp_call *call);

/* The session of a stdio connection; the link must live as long as the session. */
struct mcp_session *mcp_session_new(struct mcp *mcp, const char *owner, struct mcp_link *link);
/* By Mcp-Session-Id; with a reference. */
struct mcp_session *mcp_session_find(struct mcp *mcp, const char *owner, const char *id);
const char *mcp_session_id(const struct mcp_session *session);
/* Sets where unsolicited messages go; false if there is such a link already. NULL: nowhere any
 * more. */
bool mcp_session_attach(struct mcp *mcp, struct mcp_session *session, struct mcp_link *link);
bool mcp_session_is_over(struct mcp *mcp, const struct mcp_session *session);
/* Cancels the session's calls and forgets it. */
void mcp_session_end(struct mcp *mcp, struct mcp_session *session);
void mcp_session_unref(struct mcp *mcp, struct mcp_session *session);

struct mcp_origin {
    struct mcp_session *session; /* or NULL; the call takes a reference of its own */
    const struct peer *peer;
    struct mcp_link *link;
    const struct mcp_headers *headers; /* NULL where the transport has none */
};

/* NULL only when memory is out. */
struct mcp_call *mcp_call_new(struct mcp *mcp, const struct mcp_origin *from, const char *text,
                              size_t len);
bool mcp_call_is_request(const struct mcp_call *call);
bool mcp_call_is_initialize(const struct mcp_call *call);
/* Whether a legacy message must come with a session (over HTTP). */
bool mcp_call_needs_session(const struct mcp_call *call);
/* Whether mcp_call_run may take long or send messages before its reply. */
bool mcp_call_may_stream(const struct mcp_call *call);
void mcp_call_refuse(struct mcp_call *call, int code, const char *message);
/* Runs it. The reply stays empty for notifications, responses and cancelled requests. Returns an
 * HTTP status. */
int mcp_call_run(struct mcp_call *call, struct buf *reply);
void mcp_call_cancel(struct mcp_call *call);
/* The session that an initialize made, or the one it came with. */
struct mcp_session *mcp_call_session(const struct mcp_call *call);
void mcp_call_free(struct mcp_call *call);

/* Compares an Mcp-Name header, plain or base64-encoded ("=?base64?…?="), with a value. */
bool mcp_header_equals(const char *header, const char *value);

/* MCP over standard input and output. */
int mcp_lines_run(struct mcp *mcp, int in, int out);
