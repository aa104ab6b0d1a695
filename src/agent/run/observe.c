#include "agent/run/observe.h"

#include "base/err.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int observe_cut(const char *text, size_t len, size_t budget, unsigned cell, struct buf *out) {
    if (len <= budget)
        return buf_add(out, text, len);
    size_t room = budget > 120 ? budget - 100 : budget;
    size_t head = utf8_cut(text, room * 6 / 10), tail = len - (room - room * 6 / 10);
    while (tail < len && utf8_goes_on(text[tail]))
        tail++;
    TRY(buf_add(out, text, head));
    if (cell)
        TRY(buf_printf(out, "\n[%zu characters omitted, read the rest with output(%u, %zu, %zu)]\n",
                       tail - head, cell, head, tail));
    else
        TRY(buf_printf(out, "\n[%zu characters omitted]\n", tail - head));
    return buf_add(out, text + tail, len - tail);
}

struct result_view {
    const json_t *result;
    unsigned cell;
    size_t budget;
    struct buf *out;
};

static const char *observe_text_at(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

/* How much of the budget is left, at most `share` parts of a hundred. */
static size_t room(const struct result_view *v, size_t share) {
    size_t left = v->out->len < v->budget ? v->budget - v->out->len : 0;
    size_t part = v->budget * share / 100;
    return left < part ? left : part;
}

static int observe_show_status(const struct result_view *v) {
    const json_t *use = json_object_get(v->result, "resources");
    const char *status = observe_text_at(v->result, "status");
    TRY(buf_printf(v->out, "[cell %u: %s", v->cell, status));
    if (strcmp(status, "exit") == 0)
        TRY(buf_printf(v->out, " with code %lld",
                       (long long)json_integer_value(json_object_get(v->result, "exit_code"))));
    if (use)
        TRY(buf_printf(v->out, ", %.0f ms, %.0f MB",
                       json_number_value(json_object_get(use, "wall_ms")),
                       json_number_value(json_object_get(use, "peak_memory_mb"))));
    return buf_adds(v->out, "]\n");
}

static int show_text(const struct result_view *v, const char *key, size_t share) {
    const json_t *s = json_object_get(v->result, key);
    size_t len = json_string_length(s), n = room(v, share);
    if (!len || n < 40)
        return 0;
    TRY(buf_printf(v->out, "%s:\n", key));
    const char *text = json_string_value(s);
    TRY(observe_cut(text, len, n - 16, strcmp(key, "stdout") == 0 ? v->cell : 0, v->out));
    return text[len - 1] == '\n' ? 0 : buf_adds(v->out, "\n");
}

static int show_value(const struct result_view *v, const char *key) {
    const json_t *x = json_object_get(v->result, key), *plain = json_object_get(x, "text/plain");
    if (!x || json_is_null(x))
        return 0;
    const char *string = json_string_value(plain ? plain : x);
    scoped_free char *text = string ? strdup(string) : json_whole(x, JSON_ENCODE_ANY);
    size_t n = room(v, 20);
    if (!text || n < 40)
        return text ? 0 : -ENOMEM;
    TRY(buf_printf(v->out, "%s: ", key));
    TRY(observe_cut(text, strlen(text), n - 16, 0, v->out));
    return buf_adds(v->out, "\n");
}

static int show_values_on_line(const struct result_view *v, const json_t *values) {
    const char *name;
    json_t *value;
    json_object_foreach(unconst(values), name, value) {
        const char *text = json_string_value(value);
        if (text && room(v, 100) > strlen(text) + strlen(name) + 8)
            TRY(buf_printf(v->out, "  %s = %s\n", name, text));
    }
    return 0;
}

static int observe_show_error(const struct result_view *v) {
    const json_t *e = json_object_get(v->result, "error");
    if (!json_is_object(e))
        return 0;
    const char *message = observe_text_at(e, "message"), *source = observe_text_at(e, "source");
    TRY(buf_printf(v->out, "%s: ", observe_text_at(e, "name")));
    TRY(observe_cut(message, strlen(message), room(v, 20), 0, v->out));
    TRY(buf_adds(v->out, "\n"));
    if (*source) {
        TRY(observe_cut(source, strlen(source), room(v, 20), 0, v->out));
        TRY(buf_adds(v->out, source[strlen(source) - 1] == '\n' ? "" : "\n"));
    }
    TRY(show_values_on_line(v, json_object_get(e, "values")));
    if (*observe_text_at(e, "hint"))
        TRY(buf_printf(v->out, "hint: %.1000s\n", observe_text_at(e, "hint")));
    return 0;
}

/* What a failure did to the session's state. */
static int observe_show_state(const struct result_view *v) {
    const char *state = observe_text_at(v->result, "state"),
               *status = observe_text_at(v->result, "status");
    if (strcmp(state, "rolled_back") == 0)
        return buf_adds(v->out, "Variables and files are as they were before this cell.\n");
    if (strcmp(state, "lost") == 0)
        return buf_adds(v->out, "The session's state is lost; define what you need again.\n");
    if (strcmp(status, "error") == 0)
        return buf_adds(v->out, "What the cell did before the error is kept.\n");
    return 0;
}

static int show_reason(const struct result_view *v) {
    static const char *const reasons[][2] = {
        {"timeout", "It ran into its time limit; is there an endless loop?\n"},
        {"cpu_limit", "It used up its CPU time.\n"},
        {"oom", "It ran out of memory; work on less at a time.\n"},
        {"signal", "The interpreter was killed by a signal.\n"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strcmp(observe_text_at(v->result, "status"), reasons[i][0]) == 0)
            return buf_adds(v->out, reasons[i][1]);
    return 0;
}

static int show_variables(const struct result_view *v) {
    const json_t *x;
    size_t i, shown = 0;
    json_array_foreach(json_object_get(v->result, "variables"), i, x) {
        const char *change = observe_text_at(x, "change");
        if (strcmp(change, "same") == 0 || room(v, 100) < 80)
            continue;
        TRY(buf_printf(v->out, "%s%.40s: %.40s", shown++ ? ", " : "variables: ",
                       observe_text_at(x, "name"), observe_text_at(x, "type")));
        const json_t *shape = json_object_get(x, "shape");
        if (json_array_size(shape) > 0) {
            scoped_free char *dims = json_whole(shape, JSON_COMPACT);
            TRY(buf_printf(v->out, " %.30s", dims ? dims : ""));
        }
    }
    return shown ? buf_adds(v->out, "\n") : 0;
}

static int show_frames(const struct result_view *v) {
    const json_t *x;
    size_t i;
    json_array_foreach(json_object_get(v->result, "dataframes"), i, x) {
        const char *repr = observe_text_at(x, "repr");
        if (strcmp(observe_text_at(x, "change"), "same") == 0 || room(v, 100) < 200)
            continue;
        const json_t *shape = json_object_get(x, "shape");
        TRY(buf_printf(v->out, "%.40s: DataFrame, %lld rows, %lld columns\n",
                       observe_text_at(x, "name"),
                       (long long)json_integer_value(json_array_get(shape, 0)),
                       (long long)json_integer_value(json_array_get(shape, 1))));
        TRY(observe_cut(repr, strlen(repr), room(v, 15), 0, v->out));
        TRY(buf_adds(v->out, "\n"));
    }
    return 0;
}

static int show_files(const struct result_view *v) {
    const json_t *x;
    size_t i, shown = 0;
    json_array_foreach(json_object_get(v->result, "files"), i, x) {
        if (room(v, 100) < 120)
            break;
        TRY(buf_printf(v->out, "%s%.80s (%s, %lld bytes)", shown++ ? ", " : "files: ",
                       observe_text_at(x, "path"), observe_text_at(x, "change"),
                       (long long)json_integer_value(json_object_get(x, "size"))));
    }
    return shown ? buf_adds(v->out, "\n") : 0;
}

static int show_plots(const struct result_view *v) {
    const json_t *x;
    size_t i;
    json_array_foreach(json_object_get(v->result, "plots"), i, x) {
        scoped_free char *chart = json_whole(json_object_get(x, "chart"), JSON_COMPACT);
        if (room(v, 100) < 200)
            break;
        TRY(buf_printf(v->out, "plot %.80s: ", observe_text_at(x, "path")));
        TRY(observe_cut(chart ? chart : "", chart ? strlen(chart) : 0, room(v, 10), 0, v->out));
        TRY(buf_adds(v->out, "\n"));
    }
    return 0;
}

int observe_result(const json_t *result, const char *note, size_t budget, struct buf *out) {
    scoped_buf text = BUF_INIT(budget * 2 + 4096);
    struct result_view v = {.result = result, .budget = budget, .out = &text};
    v.cell = (unsigned)json_integer_value(json_object_get(result, "cell"));
    if (note)
        TRY(buf_printf(&text, "%s\n", note));
    int (*const parts[])(const struct result_view *) = {observe_show_status, observe_show_error,
                                                        show_reason, observe_show_state};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        TRY(parts[i](&v));
    TRY(show_value(&v, "value"));
    TRY(show_text(&v, "stdout", 50));
    TRY(show_text(&v, "stderr", 15));
    int (*const rest[])(const struct result_view *) = {show_variables, show_frames, show_plots,
                                                       show_files};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        TRY(rest[i](&v));
    return observe_cut(text.data, text.len, budget, 0, out);
}
