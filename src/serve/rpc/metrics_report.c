#include "serve/rpc/metrics_report.h"

#include "base/io.h"
#include "base/jsonwhole.h"
#include "serve/hosted/clustered.h"
#include "serve/rpc/methods.h"

static int metrics_add_methods(const struct metrics *m, struct buf *out) {
    int r = buf_adds(out, "# HELP retort_requests_total JSON-RPC requests by method and outcome.\n"
                          "# TYPE retort_requests_total counter\n");

    for (size_t i = 0; i < methods_count() && r >= 0; i++) {
        unsigned long long count = m->methods[i].count, failed = m->methods[i].failed;

        if (count)
            r = buf_printf(out,
                           "retort_requests_total{method=\"%s\",outcome=\"ok\"} %llu\n"
                           "retort_requests_total{method=\"%s\",outcome=\"error\"} %llu\n",
                           methods[i].name, count - failed, methods[i].name, failed);
    }
    return r;
}

static int add_latency(const struct metrics *m, struct buf *out) {
    unsigned long long sum = 0;
    int r = buf_adds(out, "# HELP retort_cell_seconds Time from request to result of a cell.\n"
                          "# TYPE retort_cell_seconds histogram\n");

    for (size_t i = 0; i < METRICS_BUCKETS && r >= 0; i++) {
        sum += m->latency[i];
        r = buf_printf(out, "retort_cell_seconds_bucket{le=\"%g\"} %llu\n",
                       metrics_bounds_ms[i] / 1e3, sum);
    }
    sum += m->latency[METRICS_BUCKETS];
    if (r >= 0)
        r = buf_printf(out,
                       "retort_cell_seconds_bucket{le=\"+Inf\"} %llu\n"
                       "retort_cell_seconds_sum %.6f\nretort_cell_seconds_count %llu\n",
                       sum, (double)m->latency_ns / 1e9, sum);
    return r;
}

static int add_one(struct buf *out, const char *name, const char *type, const char *help,
                   double value) {
    return buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n%s %.15g\n", name, help, name, type, name,
                      value);
}

json_t *metrics_accounts(struct serve *serve, const char *owner) {
    char *text = retort_accounts(serve->engine, owner);
    json_t *accounts = text ? json_in_text(text, 0, NULL) : NULL;

    retort_free(text);
    return accounts ? accounts : json_object();
}

/* The counters of each supervisor. */
static int add_supervisors(const json_t *accounts, struct buf *out) {
    static const struct {
        const char *member, *name, *type, *help;
    } rows[] = {
        {"sessions", "retort_supervisor_sessions", "gauge", "Sessions of each supervisor."},
        {"replaced", "retort_supervisor_deaths_total", "counter",
         "Supervisors that died and were replaced."},
    };
    const json_t *one, *all = json_object_get(accounts, "supervisors");
    size_t i;
    int r = 0;

    for (size_t row = 0; row < sizeof rows / sizeof *rows && r >= 0; row++) {
        r = buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n", rows[row].name, rows[row].help,
                       rows[row].name, rows[row].type);
        json_array_foreach(all, i, one) {
            if (r >= 0)
                r = buf_printf(
                    out, "%s{supervisor=\"%zu\"} %lld\n", rows[row].name, i,
                    (long long)json_integer_value(json_object_get(one, rows[row].member)));
        }
    }
    return r;
}

/* How many requests run or make something, wait for a turn, or were refused. */
static int add_lanes(struct serve *serve, struct buf *out) {
    struct lane_state cells = lane_state(&serve->cells), births = lane_state(&serve->births);
    const struct {
        const char *name, *type, *help;
        double cells, births;
    } rows[] = {
        {"retort_served", "gauge", "Cells that run, and sessions that begin, now.", cells.running,
         births.running},
        {"retort_waiting", "gauge", "Those that wait for their turn.", cells.waiting,
         births.waiting},
        {"retort_served_total", "counter", "Those that had their turn.", (double)cells.passed,
         (double)births.passed},
        {"retort_waited_seconds_total", "counter", "Time that those waited for it.",
         (double)cells.waited_ns / 1e9, (double)births.waited_ns / 1e9},
        {"retort_refused_full_total", "counter", "Those that found no place to wait in.",
         (double)cells.refused_full, (double)births.refused_full},
        {"retort_refused_late_total", "counter", "Those whose turn did not come in time.",
         (double)cells.refused_late, (double)births.refused_late},
    };
    int r = 0;

    for (size_t i = 0; i < sizeof rows / sizeof *rows && r >= 0; i++)
        r = buf_printf(out,
                       "# HELP %s %s\n# TYPE %s %s\n%s{what=\"cells\"} %.15g\n"
                       "%s{what=\"births\"} %.15g\n",
                       rows[i].name, rows[i].help, rows[i].name, rows[i].type, rows[i].name,
                       rows[i].cells, rows[i].name, rows[i].births);
    return r;
}

static json_t *lane_json(struct lane *lane) {
    struct lane_state s = lane_state(lane);

    return json_pack("{s:i, s:i, s:i, s:I, s:f, s:I, s:I}", "at_once", (int)lane->slots, "served",
                     (int)s.running, "waiting", (int)s.waiting, "served_total",
                     (json_int_t)s.passed, "waited_s", (double)s.waited_ns / 1e9, "refused_full",
                     (json_int_t)s.refused_full, "refused_late", (json_int_t)s.refused_late);
}

/* What all sessions make this process hold, and the most that they may. */
static int add_accounts(struct serve *serve, struct buf *out) {
    static const char *const gauges[] = {"used", "limit"};
    json_t *accounts = metrics_accounts(serve, NULL), *entry;
    const char *kind;
    int r = 0;

    for (int i = 0; i < 2 && r >= 0; i++) {
        r = buf_printf(out,
                       "# HELP retort_account_%s Held or used by all sessions, by kind: bytes, a "
                       "number, or milliseconds.\n# TYPE retort_account_%s gauge\n",
                       gauges[i], gauges[i]);
        json_object_foreach(accounts, kind, entry) {
            if (r >= 0 && json_is_object(entry))
                r = buf_printf(out, "retort_account_%s{kind=\"%s\"} %lld\n", gauges[i], kind,
                               (long long)json_integer_value(json_object_get(entry, gauges[i])));
        }
    }
    if (r >= 0)
        r = add_supervisors(accounts, out);
    json_decref(accounts);
    return r;
}

int metrics_text(struct serve *serve, struct buf *out) {
    const struct metrics *m = &serve->metrics;
    struct {
        const char *name, *type, *help;
        double value;
    } rows[] = {
        {"retort_sessions", "gauge", "Live sessions.", (double)registry_count(serve->registry)},
        {"retort_connections", "gauge", "Open connections.", (double)m->connections},
        {"retort_cells_ok_total", "counter", "Cells with status ok.", (double)m->cells_ok},
        {"retort_cells_failed_total", "counter", "Cells with another status.",
         (double)m->cells_failed},
        {"retort_tool_calls_total", "counter", "Host-tool calls.", (double)m->tool_calls},
        {"retort_notifications_total", "counter", "Notifications sent.", (double)m->notifications},
        {"retort_http_requests_total", "counter", "HTTP requests.", (double)m->http_requests},
        {"retort_http_refused_total", "counter",
         "HTTP requests refused before they were looked at.", (double)m->http_refused},
        {"retort_uptime_seconds", "gauge", "Seconds since the start.",
         (double)(now_ns() - serve->started_ns) / 1e9},
    };
    int r = metrics_add_methods(m, out);

    if (r >= 0)
        r = add_latency(m, out);
    if (r >= 0)
        r = add_accounts(serve, out);
    if (r >= 0)
        r = add_lanes(serve, out);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && r >= 0; i++)
        r = add_one(out, rows[i].name, rows[i].type, rows[i].help, rows[i].value);
    if (r >= 0 && serve->clustered)
        r = serve->clustered->metrics(serve->clustered, out);
    return r;
}

json_t *metrics_json(struct serve *serve) {
    const struct metrics *m = &serve->metrics;
    json_t *requests = json_object();

    for (size_t i = 0; i < methods_count(); i++)
        if (m->methods[i].count)
            json_object_set_new(requests, methods[i].name,
                                json_pack("{s:I, s:I}", "count", (json_int_t)m->methods[i].count,
                                          "failed", (json_int_t)m->methods[i].failed));
    return json_pack(
        "{s:I, s:o, s:I, s:I, s:I, s:I, s:f, s:o, s:o, s:o}", "sessions",
        (json_int_t)registry_count(serve->registry), "requests", requests, "cells_ok",
        (json_int_t)m->cells_ok, "cells_failed", (json_int_t)m->cells_failed, "tool_calls",
        (json_int_t)m->tool_calls, "notifications", (json_int_t)m->notifications, "uptime_s",
        (double)(now_ns() - serve->started_ns) / 1e9, "account", metrics_accounts(serve, NULL),
        "cells", lane_json(&serve->cells), "births", lane_json(&serve->births));
}
