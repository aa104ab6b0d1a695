/* Requests that another node of the cluster serves. We pass each on as it came, without the
 * client's credentials, and its answer back; both may come in any number of pieces.
 *
 * Runs in: broker, the thread of a connection.
 * Hostile: the request; the answer is another node's, and is bounded all the same.
 * Life cycle: relay_route is the route of a request from relay_begin on.
 * Owns: the connection to the other node, until the answer has gone.
 * Tests: tests/clients/test_cluster_doors.py
 */
#pragma once

#include "serve/http/http.h"

/* Passes the request on over this connection, which it takes. 1: the request was answered
 * already. */
int relay_begin(struct http_request *request, int fd);
/* Escapes a part of an address. */
void http_escape(struct buf *out, const char *text);
/* Gets this path for this client, and returns the body of the answer; takes the connection. -EIO:
 * there is none. */
int relay_get(int fd, const struct peer *peer, const char *path, struct buf *ret);
