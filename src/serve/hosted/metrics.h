/* Counters of a server.
 *
 * Runs in: broker, any thread.
 * Tests: tests/unit/test_call.c
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

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

extern const double metrics_bounds_ms[METRICS_BUCKETS];

void metrics_latency(struct metrics *metrics, uint64_t ns);
