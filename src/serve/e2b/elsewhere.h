/* Sandboxes in a cluster: where a request is served, and what all nodes know.
 *
 * Runs in: broker, the thread of a connection.
 * Hostile: requests.
 * Tests: tests/clients/test_cluster_doors.py
 */
#pragma once

#include "serve/e2b/routes.h"

/* The sandbox that a secret or a signature of the request opens, with a reference; or NULL. */
struct sandbox *e2b_open_shown(const struct http_request *request);
/* A client asks whether its sandbox runs. A node of the cluster asks whether a signature opens
 * anything here. */
#define E2B_PROBE "/health"

/* For http_config.relay. */
int e2b_relay(struct http_request *request);
/* Keeps for all nodes what a client was told of the sandbox. */
void e2b_save(struct e2b *e2b, struct sandbox *s);
/* A snapshot by its id or name, with a reference; in a cluster any node knows it. */
struct sandbox *e2b_find_snapshot(struct e2b *e2b, const char *owner, const char *name);
/* Appends the entries of other nodes, without duplicates of the member `key`; `wanted` may be
 * NULL. */
void e2b_list_others(struct http_request *request, json_t *all, const char *key,
                     bool (*wanted)(const struct http_request *request, const json_t *told));
