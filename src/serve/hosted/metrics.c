#include "serve/hosted/metrics.h"

const double metrics_bounds_ms[METRICS_BUCKETS] = {0.25, 0.5, 1,   2.5,  5,    10,    25,
                                                   50,   100, 250, 1000, 5000, 30000, 60000};

void metrics_latency(struct metrics *metrics, uint64_t ns) {
    size_t i = 0;

    while (i < METRICS_BUCKETS && (double)ns / 1e6 > metrics_bounds_ms[i])
        i++;
    atomic_fetch_add(&metrics->latency[i], 1);
    atomic_fetch_add(&metrics->latency_ns, ns);
}
