#include <stdlib.h>

#include "serve/hosted/json.h"
#include "serve/hosted/serve.h"
#include "serve/mcp/mcp_transport.h"
#include "serve/rpc/lines.h"

/* MCP on standard input and output: one connection, one legacy session if the client asks for one.
 */
struct stdio {
    struct mcp_link link; /* first: link->send finds the connection by it */
    struct mcp *mcp;
    struct mcp_session *session;
    struct lines *lines;
};

static const struct peer local = {.owner = "local"};

static void stdio_send(struct mcp_link *link, const char *text, size_t len) {
    lines_send(((struct stdio *)link)->lines, text, len);
}

static void stdio_started(void *user, struct lines *lines) {
    ((struct stdio *)user)->lines = lines;
}

static void *call_begin_line(void *user, const char *text, size_t len) {
    struct stdio *stdio = user;

    struct mcp_origin from = {.session = stdio->session, .peer = &local, .link = &stdio->link};

    return mcp_call_new(stdio->mcp, &from, text, len);
}

static bool call_is_quick_line(const void *call) {
    return !mcp_call_may_stream(call);
}

static void call_refuse_line(void *call) {
    mcp_call_refuse(call, -32603, "too many requests are open");
}

static void call_run_line(void *call, struct buf *reply) {
    mcp_call_run(call, reply);
    mcp_call_free(call);
}

/* Open calls are finished and answered; only subscriptions have no end of their own, so we end
 * them. */
static void stdio_input_ended(void *user) {
    mcp_input_ended(((struct stdio *)user)->mcp);
}

static void stdio_output_broke(void *user) {
    mcp_stop(((struct stdio *)user)->mcp);
}

static const struct lines_protocol protocol = {.started = stdio_started,
                                               .begin = call_begin_line,
                                               .is_quick = call_is_quick_line,
                                               .refuse = call_refuse_line,
                                               .run = call_run_line,
                                               .input_ended = stdio_input_ended,
                                               .output_broke = stdio_output_broke};

int mcp_lines_run(struct mcp *mcp, int in, int out) {
    struct stdio stdio = {.link.send = stdio_send, .mcp = mcp};
    int r;

    stdio.session = mcp_session_new(mcp, local.owner, &stdio.link);
    if (!stdio.session)
        return -1;
    r = lines_serve(&protocol, &stdio, in, out);
    mcp_session_end(mcp, stdio.session);
    mcp_session_unref(mcp, stdio.session);
    return r;
}
