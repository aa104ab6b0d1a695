/* Skills for MCP's clients: each function is a tool, each SKILL.md a resource, and clients are told
 * when the library changes.
 *
 * A call runs as a cell of the client's session, so that its record has it like any other; the
 * skill itself runs in a session of its own (skills/skillset.h).
 *
 * Runs in: broker; the watcher in a thread of its own.
 * Hostile: names and arguments come from a model; descriptions from those who wrote skills.
 * Life cycle: mcp_skills_watch when the table serves; mcp_skills_unwatch before mcp_free.
 * Owns: the watcher owns its thread and descriptors.
 * Tests: tests/system/test_mcp_skills.py
 */
#pragma once

#include "serve/hosted/serve.h"
#include "serve/mcp/mcp.h"

struct skills_watch;

/* Whether sessions of this server have skills. */
bool mcp_skills_offered(const struct serve *serve);
mcp_handler mcp_skills_list, mcp_skills_call;
/* Adds one resource for each skill. */
void mcp_skills_resources(const struct serve *serve, json_t *resources);
/* The text of skill://NAME; NULL: it is no such uri, or there is no such skill. */
char *mcp_skills_text(const struct serve *serve, const char *uri);

/* Tells clients when skills come, go or change. NULL: there is nothing to watch. */
struct skills_watch *mcp_skills_watch(struct mcp *mcp, const struct serve *serve);
void mcp_skills_unwatch(struct skills_watch *watch);
