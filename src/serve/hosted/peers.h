/* A client as one node of a cluster tells another of it: who it is, and what its token allows.
 *
 * Runs in: broker.
 * Hostile: nothing; but what other nodes send is checked before it is used.
 * Tests: tests/system/test_cluster.py
 */
#pragma once

#include <jansson.h>

#include "serve/hosted/serve.h"

json_t *peer_json(const struct peer *peer);
/* -EBADMSG: the object describes no client. */
int peer_read(const json_t *object, struct peer *ret);
