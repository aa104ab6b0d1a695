/* What another node of a cluster has to know of a client of MCP.
 *
 * Runs in: broker, the threads of the transport.
 * Hostile: nothing.
 * Tests: tests/clients/test_cluster_doors.py
 */
#pragma once

#include "serve/mcp/mcp_transport.h"

/* What another process has to know of a session, and one that is made of it. */
json_t *mcp_session_state(const struct mcp_session *session);
void mcp_session_restore(struct mcp *mcp, const char *id, const json_t *state);
bool mcp_version_is_modern(const char *version);
