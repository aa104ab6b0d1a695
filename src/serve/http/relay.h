/* Requests that another node of the cluster serves: they go there as they came, without what proves who the client is, and the
 * answer comes back, both in pieces of any number.
 *
 * Runs in: broker, the thread of a connection.
 * Hostile: the request; the answer is another node's, and is bounded all the same.
 * Life cycle: relay_route is the route of a request from relay_begin on.
 * Owns: the connection to the other node, until the answer has gone.
 * Tests: tests/clients/test_cluster_doors.py
 */
#pragma once

#include "serve/http/http.h"

/* Over this connection, which it takes. 1: it was answered already. */
int relay_begin(struct http_request *request, int fd);
/* As a part of an address. */
void http_escape(struct buf *out, const char *text);
/* The body of the answer to GET of this path, for this client; takes the connection. -EIO: there is none. */
int relay_get(int fd, const struct peer *peer, const char *path, struct buf *ret);
