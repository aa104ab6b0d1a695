/* The counters of a server, as Prometheus text and as JSON, with the methods by their names.
 *
 * Runs in: broker, any thread.
 * Tests: tests/unit/test_call.c
 */
#pragma once

#include <jansson.h>

#include "base/buf.h"
#include "serve/hosted/serve.h"

int metrics_text(struct serve *serve, struct buf *out); /* Prometheus exposition format 0.0.4 */
json_t *metrics_json(struct serve *serve);
/* The sum of the accounts of an owner's sessions; NULL: of all sessions. */
json_t *metrics_accounts(struct serve *serve, const char *owner);
