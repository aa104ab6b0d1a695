/* Routes for forks and snapshots of a sandbox.
 *
 * Runs in: broker, the thread of a connection.
 * Hostile: requests.
 * Tests: tests/clients/test_e2b.py
 */
#pragma once

#include "serve/e2b/routes.h"

enum http_result e2b_fork(struct http_request *request, struct sandbox *s, const json_t *body);
enum http_result e2b_snapshot(struct http_request *request, struct sandbox *s, const json_t *body);
/* Makes a sandbox from a snapshot that the client named by its id or name. */
enum http_result e2b_create_from(struct http_request *request, struct sandbox *snapshot,
                                 const json_t *body);
enum http_result e2b_snapshots_get(struct http_request *request);
enum http_result e2b_templates_delete(struct http_request *request);
