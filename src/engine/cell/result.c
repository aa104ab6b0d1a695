/* The result object, schema retort.result/1: status from kernel facts, the rest as the guest told
 * it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/jsonout.h"
#include "base/jsonwhole.h"
#include "base/unconst.h"
#include "engine/cell/cell.h"
#include "engine/host/packages.h"

static const char *status_of_exit(const struct cell *c) {
    if (WIFSIGNALED(c->facts.wait_status)) {
        bool oom = WTERMSIG(c->facts.wait_status) == SIGKILL && c->facts.used.oom_kills;
        return oom ? "oom" : c->killed ? "lost" : "signal";
    }
    bool program = c->options->script && c->in->language != LANG_PYTHON;
    return program && WEXITSTATUS(c->facts.wait_status) == 0 ? "ok" : "exit";
}

static const char *status_of_result(const struct cell *c) {
    switch (c->said.kind) {
    case RESULT_OK: return "ok";
    case RESULT_EXIT: return "exit";
    case RESULT_INTERRUPTED: return c->stop == STOP_INTERRUPT ? "interrupted" : "error";
    default: return "error";
    }
}

const char *cell_status(const struct cell *c) {
    if (c->review.error)
        return "error";
    switch (c->stop) {
    case STOP_TIMEOUT: return "timeout";
    case STOP_CPU: return "cpu_limit";
    case STOP_MEMORY: return "oom";
    case STOP_PROTOCOL: return "lost";
    case STOP_INTERRUPT: /* a program that is no session obeys by dying of it */
        if (c->killed || c->unstarted ||
            (c->facts.exited && WIFSIGNALED(c->facts.wait_status) &&
             WTERMSIG(c->facts.wait_status) == SIGINT))
            return "interrupted";
        break;
    case STOP_NONE: break;
    }
    /* A guest that claims a result and then dies by a signal has died. */
    bool died = c->facts.exited && WIFSIGNALED(c->facts.wait_status);
    return c->said.has_result && !died ? status_of_result(c) : status_of_exit(c);
}

static json_t *exit_code_json(const struct cell *c, const char *status) {
    if (strcmp(status, "exit") != 0)
        return json_null();
    return json_integer(c->said.has_result ? c->said.exit_code & 0xff
                                           : WEXITSTATUS(c->facts.wait_status));
}

static json_t *truncated_json(const struct cell *c) {
    const struct {
        const char *name;
        const struct stream *stream;
    } both[] = {{"stdout", &c->out}, {"stderr", &c->err}};
    json_t *o = json_object();
    for (int i = 0; i < 2; i++) {
        const struct stream *s = both[i].stream;
        if (stream_truncated(s))
            json_object_set_new(o, both[i].name,
                                json_pack("{s:I s:I s:I}", "kept",
                                          (json_int_t)s->head.len + (json_int_t)s->tail_len,
                                          "total", (json_int_t)s->total, "stored",
                                          (json_int_t)s->stored));
    }
    if (c->traffic.total > json_array_size(c->traffic.events))
        json_object_set_new(o, "network",
                            json_pack("{s:I s:I}", "kept",
                                      (json_int_t)json_array_size(c->traffic.events), "total",
                                      (json_int_t)c->traffic.total));
    return o;
}

static json_t *flags_json(const struct cell *c, bool truncated, bool rejected, const char *status) {
    const struct {
        bool on;
        const char *name;
    } all[] = {{truncated || c->said.overflow || c->said.json.exceeded, "truncated"},
               {c->facts.disk_full, "disk_full"},
               {c->facts.used.pids_denied > 0 ||
                    (!c->s->usage.cgroup && c->facts.processes >= c->limits.pids),
                "pids_limit"},
               {c->facts.used.oom_kills > 0 && strcmp(status, "oom") != 0, "oom_child"},
               {c->calls.denied || c->traffic.denied, "denied"},
               {c->review.error != NULL, "refused"},
               {c->stop == STOP_PROTOCOL, "protocol_error"},
               {c->s->timeline.checkpoint_dropped, "checkpoint_dropped"},
               {c->s->timeline.given_up || c->s->outputs.lost, "account_full"},
               {rejected, "artifact_rejected"},
               {c->s->files.incomplete, "files_incomplete"}};
    json_t *flags = json_array();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].on)
            json_array_append_new(flags, json_string(all[i].name));
    return flags;
}

static double tenths(double x) {
    return (double)(long long)(x * 10 + 0.5) / 10;
}

static uint64_t peak_of(const struct cell *c) {
    uint64_t polled = c->facts.memory_peak > c->facts.exit_peak_kb * 1024
                          ? c->facts.memory_peak
                          : c->facts.exit_peak_kb * 1024;
    return c->s->usage.cgroup ? c->facts.used.peak_bytes : polled;
}

/* Only the interpreter knows which tasks are its threads. We believe it, up to the number of tasks.
 */
static json_int_t threads_of(const struct cell *c) {
    json_int_t most = (json_int_t)(c->s->usage.cgroup ? c->facts.others : c->limits.pids);
    return c->said.threads < 0 ? 0 : c->said.threads < most ? c->said.threads : most;
}

static json_t *resources_json(const struct cell *c) {
    bool counted = c->s->usage.cgroup || c->facts.used.cpu_us || c->facts.memory_peak;
    double cpu = (double)(counted ? c->facts.used.cpu_us : c->facts.exit_cpu_us);
    double peak = (double)peak_of(c);
    return json_pack("{s:f s:f s:f s:f s:i s:I}", "wall_ms",
                     tenths((double)(c->clock.ended - c->clock.started) / 1e6), "cpu_ms",
                     tenths(cpu / 1e3), "idle_cpu_ms", tenths((double)c->facts.idle_cpu_us / 1e3),
                     "peak_memory_mb", tenths(peak / 1048576), "processes", (int)c->facts.processes,
                     "threads", threads_of(c));
}

static json_t *or_null(json_t *v) {
    return v ? json_incref(v) : json_null();
}

/* Its last line names the interrupt, which came from us. */
static json_t *traceback_of_limit(const json_t *traceback, const char *name, const char *message) {
    static const char interrupt[] = "KeyboardInterrupt";
    const char *text = json_string_value(traceback);
    size_t len = json_string_length(traceback), tail = sizeof interrupt - 1;
    while (len && text[len - 1] == '\n')
        len--;
    if (len < tail || strncmp(text + len - tail, interrupt, tail) != 0)
        return json_incref(unconst(traceback));
    return json_sprintf("%.*s%s: %s\n", (int)(len - tail), text, name, message);
}

/* We say what a limit did: the interrupt by which we stopped the code is not its error. Its own
 * report says where it was stopped, if the code got to report that. */
static json_t *error_of_limit(const struct cell *c, const char *name, const char *message,
                              const char *hint) {
    json_t *e = json_pack("{s:s s:s s:s s:n s:n s:{} s:n}", "name", name, "message", message,
                          "traceback", "", "line", "source", "values", "hint");
    if (c->said.has_result && c->said.kind == RESULT_INTERRUPTED)
        json_object_update(e, c->said.error);
    json_object_set_new(e, "name", json_string(name));
    json_object_set_new(e, "message", json_string(message));
    json_object_set_new(e, "hint", json_string(hint));
    json_object_set_new(e, "traceback",
                        traceback_of_limit(json_object_get(e, "traceback"), name, message));
    return e;
}

bool cell_lacked_memory(const struct cell *c) {
    static const char lack[] = "MemoryError"; /* or a name that ends so, as numpy's own */
    const json_t *name = json_object_get(c->said.error, "name");
    size_t len = json_string_length(name), tail = sizeof lack - 1;
    return c->said.has_result && c->said.kind == RESULT_ERROR && len >= tail &&
           strcmp(json_string_value(name) + len - tail, lack) == 0;
}

/* Where the kernel refuses memory instead of killing, the code's own error does not mention the
 * limit. */
static json_t *error_of_lack(const struct cell *c) {
    json_t *e = json_copy(c->said.error);
    unsigned long long limit = c->s->spec->limits.memory >> 20;
    char peak[40] = "";
    if (peak_of(c))
        snprintf(peak, sizeof peak, ", the peak was %.0f MiB", (double)peak_of(c) / 1048576);
    if (!json_string_length(json_object_get(e, "message")))
        json_object_set_new(e, "message",
                            json_sprintf("not enough memory (limit `memory`: %llu MiB)", limit));
    if (!json_is_string(json_object_get(e, "hint")))
        json_object_set_new(e, "hint",
                            json_sprintf("the limit `memory` is %llu MiB%s: work on less at a "
                                         "time, or ask for a session with a larger one",
                                         limit, peak));
    return e;
}

#define BASH_GAVE_UP 2

/* A bash that is refused memory says how much it asked for, and ends. */
static bool bash_lacked_memory(const struct cell *c) {
    if (interpreter_rows[c->in->language].kind != LANG_BASH || !c->facts.exited ||
        !WIFEXITED(c->facts.wait_status) || WEXITSTATUS(c->facts.wait_status) != BASH_GAVE_UP)
        return false;
    json_t *said = stream_text(&c->err);
    char last[200] = "";
    err_last_words(json_string_value(said), json_string_length(said), last, sizeof last);
    json_decref(said);
    const char *amount = strstr(last, ": cannot allocate ");
    return amount && strstr(amount, " bytes");
}

/* Memory of the kernel that is not in the peak. */
static const char *what_else(const struct cell *c) {
    return c->facts.locks_full     ? ", and too many locks on files are held"
           : c->facts.network_full ? ", and more than that waits in sockets"
                                   : "";
}

static json_t *error_json(const struct cell *c, const char *status) {
    char text[160];
    if (c->review.error)
        return json_incref(c->review.error);
    if (strcmp(status, "timeout") == 0) {
        snprintf(text, sizeof text, "stopped after %g s (limit `timeout`)",
                 (double)c->limits.timeout_ms / 1000);
        return error_of_limit(c, "Timeout", text,
                              "do less at once, or ask for a larger `timeout`; is there an "
                              "endless loop, or a wait for something that never comes?");
    }
    if (strcmp(status, "cpu_limit") == 0) {
        snprintf(text, sizeof text, "stopped after %g s of processor time (limit `cpu`)",
                 (double)c->limits.cpu_ms / 1000);
        return error_of_limit(c, "CpuLimit", text,
                              "do less at once, or ask for a larger limit `cpu`");
    }
    if (strcmp(status, "oom") == 0 || bash_lacked_memory(c)) {
        snprintf(text, sizeof text,
                 "memory ran out: %llu MiB limit, peak %.0f MiB%s (limit `memory`)",
                 (unsigned long long)(c->s->spec->limits.memory >> 20),
                 (double)peak_of(c) / 1048576, what_else(c));
        return error_of_limit(c, "OutOfMemory", text,
                              "work on less at a time, or ask for a session with a larger limit "
                              "`memory`");
    }
    if (cell_lacked_memory(c))
        return error_of_lack(c);
    return or_null(c->said.error);
}

static json_t *or_list(json_t *v) {
    return json_is_array(v) ? json_incref(v) : json_array();
}

/* What of an image a session has; NULL: it has the host's system. */
static json_t *image_json(const struct retort_session *s) {
    const struct ctl_environment *env = &s->spec->env;
    return env->image ? json_pack("{s:s s:s s:b}", "content", packages_hash(env->packages),
                                  "interpreter", env->interpreter, "warm", s->interp.warm)
                      : NULL;
}

json_t *cell_result(struct cell *c, const struct outcome *out) {
    const char *status = cell_status(c);
    json_t *truncated = truncated_json(c), *o = json_object();
    bool cut = json_object_size(truncated) > 0;
    json_object_set_new(o, "schema", json_string("retort.result/1"));
    json_object_set_new(o, "session", json_string(c->s->id));
    json_object_set_new(o, "cell", json_integer(c->number));
    json_object_set_new(o, "status", json_string(status));
    json_object_set_new(o, "exit_code", exit_code_json(c, status));
    json_object_set_new(o, "signal",
                        strcmp(status, "signal") == 0 ? json_integer(WTERMSIG(c->facts.wait_status))
                                                      : json_null());
    json_object_set_new(o, "flags", flags_json(c, cut, out->rejected, status));
    json_object_set_new(o, "stdout", stream_text(&c->out));
    json_object_set_new(o, "stderr", stream_text(&c->err));
    json_object_set_new(o, "truncated", truncated);
    json_object_set_new(o, "value", or_null(c->said.value));
    json_object_set_new(o, "displays", or_list(c->said.displays));
    json_object_set_new(o, "error", error_json(c, status));
    json_object_set_new(o, "files", out->files);
    json_object_set_new(o, "plots", or_list(c->said.plots));
    json_object_set_new(o, "dataframes", or_list(c->said.dataframes));
    json_object_set_new(o, "variables", or_list(c->said.variables));
    json_object_set_new(o, "resources", resources_json(c));
    json_object_set_new(o, "state", json_string(out->state));
    json_object_set_new(o, "state_via", out->via ? json_string(out->via) : json_null());
    json_object_set_new(o, "state_notes", out->notes);
    json_object_set_new(o, "isolation", isolation_shared(&c->s->iso));
    json_object_set_new(o, "ledger", json_null());
    if (c->traffic.events)
        json_object_set(o, "network", c->traffic.events);
    if (c->calls.policy)
        json_object_set(o, "policy", c->calls.policy);
    if (c->review.report)
        json_object_set(o, "review", c->review.report);
    if (c->s->spec->env.image)
        json_object_set_new(o, "image", image_json(c->s));
    if (c->said.final)
        json_object_set(o, "final", c->said.final);
    if (json_lost(c->json)) {
        json_decref(o);
        return NULL;
    }
    return o;
}
