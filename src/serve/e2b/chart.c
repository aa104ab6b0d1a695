#include "serve/e2b/chart.h"

#include <string.h>

static const char *chart_text(const json_t *chart, const char *name) {
    const char *text = json_string_value(json_object_get(chart, name));

    return text ? text : "";
}

/* The points of one series: pairs of x and y. */
static json_t *points_of(const json_t *series) {
    const json_t *x = json_object_get(series, "x"), *y = json_object_get(series, "y");
    json_t *points = json_array();

    for (size_t i = 0; i < json_array_size(x) && i < json_array_size(y); i++)
        json_array_append_new(points,
                              json_pack("[O, O]", json_array_get(x, i), json_array_get(y, i)));
    return points;
}

static void add_points(json_t *elements, const json_t *series) {
    json_array_append_new(elements, json_pack("{s:s, s:o}", "label", chart_text(series, "label"),
                                              "points", points_of(series)));
}

/* Horizontal bars have their names on the y axis. */
static void add_bars(json_t *elements, const json_t *series) {
    int lie = json_object_get(series, "orientation") != NULL;
    const json_t *names = json_object_get(series, lie ? "y" : "x"),
                 *values = json_object_get(series, lie ? "x" : "y");

    for (size_t i = 0; i < json_array_size(names) && i < json_array_size(values); i++)
        json_array_append_new(
            elements, json_pack("{s:O, s:O, s:s}", "label", json_array_get(names, i), "value",
                                json_array_get(values, i), "group", chart_text(series, "label")));
}

static void add_slices(json_t *elements, const json_t *series) {
    const json_t *names = json_object_get(series, "x"), *values = json_object_get(series, "y"),
                 *value;
    double sum = 0;
    size_t i;

    json_array_foreach(values, i, value) {
        sum += json_number_value(value);
    }
    json_array_foreach(values, i, value) {
        json_array_append_new(
            elements,
            json_pack("{s:O, s:f, s:f}", "label", json_array_get(names, i), "angle",
                      sum > 0 ? 360 * json_number_value(value) / sum : 0.0, "radius", 1.0));
    }
}

static void add_box(json_t *elements, const json_t *series) {
    json_array_append_new(
        elements,
        json_pack("{s:s, s:O*, s:O*, s:O*, s:O*, s:O*, s:O*}", "label", chart_text(series, "label"),
                  "min", json_object_get(series, "min"), "first_quartile",
                  json_object_get(series, "q1"), "median", json_object_get(series, "median"),
                  "third_quartile", json_object_get(series, "q3"), "max",
                  json_object_get(series, "max"), "outliers", json_object_get(series, "outliers")));
}

static const struct {
    const char *ours, *theirs;
    void (*add)(json_t *elements, const json_t *series);
} shapes[] = {{"line", "line", add_points}, {"scatter", "scatter", add_points},
              {"bar", "bar", add_bars},     {"histogram", "bar", add_bars},
              {"pie", "pie", add_slices},   {"box", "box_and_whisker", add_box}};

static void add_axes(json_t *chart, const json_t *from) {
    static const char *const axes[] = {"x", "y"};

    for (size_t i = 0; i < 2; i++) {
        char ours[16], theirs[16];

        snprintf(ours, sizeof ours, "%s_label", axes[i]);
        json_object_set_new(chart, ours, json_string(chart_text(from, ours)));
        snprintf(ours, sizeof ours, "%s_ticks", axes[i]);
        snprintf(theirs, sizeof theirs, "%s_tick_labels", axes[i]);
        json_object_set(chart, ours, json_object_get(from, ours));
        json_object_set(chart, theirs, json_object_get(from, ours));
        snprintf(theirs, sizeof theirs, "%s_scale", axes[i]);
        json_object_set_new(chart, theirs, json_string("linear"));
    }
}

static json_t *plain_chart(const json_t *from, size_t shape) {
    const json_t *series = json_object_get(from, "series"), *one;
    json_t *elements = json_array(), *chart;
    size_t i;

    json_array_foreach(series, i, one) {
        shapes[shape].add(elements, one);
    }
    if (!series)
        shapes[shape].add(elements, from);
    chart = json_pack("{s:s, s:s, s:o}", "type", shapes[shape].theirs, "title",
                      chart_text(from, "title"), "elements", elements);
    add_axes(chart, from);
    return chart;
}

json_t *chart_json(const json_t *from) {
    const json_t *subplots = json_object_get(from, "subplots"), *one;
    json_t *elements = json_array();
    const char *type = chart_text(from, "type");
    size_t i;

    for (i = 0; !subplots && i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(shapes[i].ours, type) == 0) {
            json_decref(elements);
            return plain_chart(from, i);
        }
    json_array_foreach(subplots, i, one) {
        json_array_append_new(elements, chart_json(one));
    }
    return json_pack("{s:s, s:s, s:o}", "type", subplots ? "superchart" : "unknown", "title",
                     chart_text(from, "title"), "elements", elements);
}
