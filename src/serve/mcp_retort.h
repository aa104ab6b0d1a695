/* Retort's own tools for models: run_code, reset, undo, branch, files; files of sessions as
 * resources.
 *
 * In the legacy era an MCP session has a Retort session of its own, made when it is first needed
 * and ended with it. In the modern era nothing is remembered between calls: run_code without a
 * session makes one and tells its handle.
 *
 * Runs in: broker.
 * Hostile: arguments come from a model; results from guest code.
 * Tests: tests/unit/test_mcp.c, tests/clients/test_mcp_clients.py.
 */
#pragma once

#include "serve/mcp.h"
#include "serve/serve.h"

/* The table for these sessions; it lives as long as `ret_table`. */
void mcp_retort_table(struct serve *serve, struct mcp_table *ret_table);

/* The parts of a cell's result for a model. Pure; both are new references. */
json_t *mcp_result_structured(const json_t *result);          /* no base64 in it */
json_t *mcp_result_content(const json_t *result, bool links); /* text, images, links to files */
