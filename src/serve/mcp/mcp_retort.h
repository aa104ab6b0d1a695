/* Retort's own tools for models: run_code, files, undo, branch, reset; files of sessions as
 * resources. Names, texts and schemas stand in mcp_tools.json.
 *
 * A result is text and images, and short, because a model reads every byte of it. If a result has
 * structured content as well, some clients show that to their model instead; so we add it only if
 * the call asked for it.
 *
 * Runs in: broker.
 * Hostile: arguments come from a model; results from guest code.
 * Life cycle: mcp_retort_new; mcp_new with its table; mcp_free; mcp_retort_free.
 * Tests: tests/unit/test_mcp.c, tests/clients/test_mcp_clients.py
 */
#pragma once

#include "serve/hosted/serve.h"
#include "serve/mcp/mcp.h"

struct mcp_retort;

/* NULL only when memory is out. */
struct mcp_retort *mcp_retort_new(struct serve *serve);
const struct mcp_table *mcp_retort_table(const struct mcp_retort *retort);
void mcp_retort_free(struct mcp_retort *retort);

/* The parts of a cell's result for a model. Pure; all are new references. */
json_t *mcp_result_structured(const json_t *result); /* no base64 in it */
json_t *mcp_result_content(const json_t *result);    /* text, images */
/* Puts a word before a text that is a JSON number, string or array. Gemini CLI takes such a text
 * for structured content, and then refuses it because it is no object. */
void mcp_result_head(json_t *content);
json_t *mcp_result_links(const char *session, const json_t *files);
