/* MCP over streamable HTTP: POST, GET and DELETE on one path, in both eras.
 *
 * A call that may send messages before its reply runs in a thread of its own. The thread of the
 * connection waits for the first message: if that is the reply, it is sent as JSON, otherwise an
 * event stream begins.
 *
 * Runs in: broker.
 * Hostile: bodies and headers.
 * Tests: tests/clients/test_conformance.py, tests/clients/test_mcp_clients.py
 */
#pragma once

#include "serve/http/http.h"
#include "serve/mcp/mcp_transport.h"

/* The user pointer of the http_config must begin with this. */
struct mcp_http {
    struct mcp *mcp;
    /* Called when a session has begun and its client does not know of it yet; or NULL. */
    void (*began)(const struct mcp_http *user, const struct mcp_session *session);
};

enum http_result mcp_http_post(struct http_request *request);
enum http_result mcp_http_get(struct http_request *request);
enum http_result mcp_http_delete(struct http_request *request);

/* clang-format off */
#define MCP_HTTP_ROUTES                                                                            \
    {.method = "POST", .path = "/mcp", .max_body = 32u << 20, .finish = mcp_http_post},            \
    {.method = "GET", .path = "/mcp", .finish = mcp_http_get},                                     \
    {.method = "DELETE", .path = "/mcp", .finish = mcp_http_delete}
/* clang-format on */
