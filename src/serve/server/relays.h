/* In a cluster: which requests of the door for HTTP another node serves.
 *
 * Runs in: broker, the thread of a connection.
 * Hostile: requests.
 * Tests: tests/clients/test_cluster_doors.py
 */
#pragma once

#include "serve/http/http.h"
#include "serve/server/mcp_http.h"

#define RELAYS_DOOR "http"

/* For http_config.relay. */
int relays_find(struct http_request *request);
/* For mcp_http.began: keeps the session for other nodes. */
void relays_keep(const struct mcp_http *user, const struct mcp_session *session);
