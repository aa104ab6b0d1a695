/* What another node of a cluster has to know of a client of MCP.
 *
 * Runs in: broker, the threads of the transport.
 * Hostile: nothing.
 * Tests: tests/clients/test_cluster_doors.py
 */
#pragma once

#include "serve/mcp/mcp_transport.h"

/* What another node has to know of a session; and a session that is restored from that. */
json_t *mcp_session_state(const struct mcp_session *session);
void mcp_session_restore(struct mcp *mcp, const char *id, const json_t *state);
bool mcp_version_is_modern(const char *version);
