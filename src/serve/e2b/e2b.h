/* The door for E2B's clients: control plane, code interpreter, files and processes on one port.
 *
 * A client's key is a token of this server. A sandbox is a session whose processes may outlive
 * their cells; each has a secret of its own, which its client shows with every request that
 * concerns only the sandbox, and which opens nothing else. The three services need no ports of
 * their own: no path belongs to two of them.
 *
 * Runs in: broker, the threads of connections.
 * Hostile: requests; what the services of a sandbox say.
 * Life cycle: e2b_open; e2b_drain, e2b_close.
 * Owns: the sandboxes.
 * Tests: tests/clients/test_e2b.py
 */
#pragma once

#include "serve/e2b/sandboxes.h"
#include "serve/http/http.h"

struct e2b {
    struct serve *serve;
    struct guard *guard;
    struct sandboxes *sandboxes;
    struct http *http;
    struct http *relayed; /* serves the requests that other nodes of the cluster pass on; or NULL */
};

/* `config` has the address, the guard and whatever else the HTTP server needs, except the
 * routes. */
int e2b_open(struct serve *serve, const struct http_config *config, struct e2b **ret_e2b,
             struct retort_error *err);
uint16_t e2b_port(const struct e2b *e2b);
bool e2b_drain(struct e2b *e2b, double seconds);
void e2b_close(struct e2b *e2b);
