/* Counters of the doors, as Prometheus text and as JSON.
 *
 * Runs in: broker, any thread.
 * Tests: tests/unit/test_call.c
 */
#pragma once

#include <jansson.h>
#include <stdatomic.h>
#include <stdint.h>

#include "base/buf.h"

#define METRICS_METHODS 64
#define METRICS_BUCKETS 14

struct metrics {
    struct {
        atomic_ullong count, failed;
    } methods[METRICS_METHODS]; /* by index in the method table; the last is for unknown ones */
    atomic_ullong latency[METRICS_BUCKETS + 1]; /* of session.execute; the last is +Inf */
    atomic_ullong latency_ns;
    atomic_ullong cells_ok, cells_failed, tool_calls, notifications;
    atomic_llong connections;
    atomic_ullong http_requests, http_refused;
};

struct serve;

void metrics_latency(struct metrics *metrics, uint64_t ns);
int metrics_text(struct serve *serve, struct buf *out); /* Prometheus exposition format 0.0.4 */
json_t *metrics_json(struct serve *serve);
/* The accounts of an owner's sessions in one sum; NULL: of everybody's. */
json_t *metrics_accounts(struct serve *serve, const char *owner);
