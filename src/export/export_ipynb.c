/* Writes a session as a Jupyter notebook, nbformat 4.5.
 *
 * It has the cells of the present state, in order, with their results. We copy only kinds of output
 * that a viewer does not run: plain text, JSON, PNG, JPEG, and tables reduced to their cells. We
 * leave out other HTML, Markdown (which may hold HTML), SVG and JavaScript of a guest, because
 * converters run them without asking. An answer of the agent stands at the end.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "export/export.h"
#include "export/export_table.h"

struct notebook {
    struct ledger *l;
    json_t *cells;
};

static json_t *mime_bundle(const json_t *mimes) {
    static const char *const image[] = {"image/png", "image/jpeg"};
    json_t *data = json_object(), *value = json_object_get(mimes, "text/plain");
    if (json_is_string(value))
        json_object_set(data, "text/plain", value);
    for (size_t i = 0; i < sizeof image / sizeof image[0]; i++)
        if (export_is_base64(value = json_object_get(mimes, image[i])))
            json_object_set(data, image[i], value);
    const char *html = json_string_value(json_object_get(mimes, "text/html"));
    scoped_buf table = BUF_INIT(2 * EXPORT_TABLE_MAX);
    if (html && export_table(html, &table) == 0)
        json_object_set_new(data, "text/html", json_stringn(table.data, table.len));
    json_object_set(data, "application/json", json_object_get(mimes, "application/json"));
    return data;
}

static void ipynb_add_stream(json_t *outputs, const json_t *result, const char *name) {
    json_t *text = json_object_get(result, name);
    if (json_string_length(text))
        json_array_append_new(outputs, json_pack("{s:s, s:s, s:O}", "output_type", "stream", "name",
                                                 name, "text", text));
}

static void ipynb_add_displays(json_t *outputs, const json_t *result) {
    json_t *display;
    size_t i;
    json_array_foreach(json_object_get(result, "displays"), i, display) {
        json_t *data = mime_bundle(json_object_get(display, "mime"));
        if (json_object_size(data))
            json_array_append_new(outputs, json_pack("{s:s, s:O, s:{}}", "output_type",
                                                     "display_data", "data", data, "metadata"));
        json_decref(data);
    }
}

static void ipynb_add_value(json_t *outputs, const json_t *result, json_int_t count) {
    json_t *data = mime_bundle(json_object_get(result, "value"));
    if (json_object_size(data))
        json_array_append_new(outputs,
                              json_pack("{s:s, s:O, s:{}, s:I}", "output_type", "execute_result",
                                        "data", data, "metadata", "execution_count", count));
    json_decref(data);
}

/* The member if it is a string, else an empty string. */
static json_t *ipynb_text_of(const json_t *object, const char *key) {
    json_t *value = json_object_get(object, key);
    return json_is_string(value) ? json_incref(value) : json_string("");
}

static void ipynb_add_error(json_t *outputs, const json_t *result) {
    json_t *error = json_object_get(result, "error");
    if (!json_is_object(error))
        return;
    json_array_append_new(outputs, json_pack("{s:s, s:o, s:o, s:[o]}", "output_type", "error",
                                             "ename", ipynb_text_of(error, "name"), "evalue",
                                             ipynb_text_of(error, "message"), "traceback",
                                             ipynb_text_of(error, "traceback")));
}

static json_t *outputs_of(struct notebook *nb, const struct ledger_step *step, json_int_t count) {
    json_t *outputs = json_array();
    json_t *result = export_result(nb->l, step->session, step->outcome_seq);
    if (!result)
        json_array_append_new(outputs,
                              json_pack("{s:s, s:s, s:s}", "output_type", "stream", "name",
                                        "stderr", "text", "(the recorded output has expired)\n"));
    ipynb_add_stream(outputs, result, "stdout");
    ipynb_add_stream(outputs, result, "stderr");
    ipynb_add_displays(outputs, result);
    ipynb_add_value(outputs, result, count);
    ipynb_add_error(outputs, result);
    json_decref(result);
    return outputs;
}

static json_t *where(const struct ledger_step *step) {
    return json_pack("{s:{s:s, s:I}}", "retort", "session", step->session, "entry",
                     (json_int_t)step->seq);
}

static json_t *cell_id(const struct notebook *nb) {
    char id[32];
    snprintf(id, sizeof id, "cell-%zu", json_array_size(nb->cells) + 1);
    return json_string(id);
}

static int add_code(struct notebook *nb, const struct ledger_step *step) {
    json_int_t count = json_integer_value(json_object_get(step->body, "cell"));
    size_t len;
    scoped_free char *code = export_code(nb->l, step->body, &len);
    json_t *source =
        code ? json_stringn(code, len) : json_string("# the code of this cell has expired");
    if (!source) { /* not UTF-8 */
        scoped_free char *clean = export_clean(code, len);
        source = clean ? json_string(clean) : NULL;
    }
    json_t *cell = json_pack("{s:s, s:o, s:o, s:o, s:I, s:o}", "cell_type", "code", "id",
                             cell_id(nb), "metadata", where(step), "source", source,
                             "execution_count", count, "outputs", outputs_of(nb, step, count));
    return cell ? json_array_append_new(nb->cells, cell) : -1;
}

/* A fence of at least `least` backquotes, longer than any run of backquotes in the text;
 * malloc'ed. */
static char *fence_for(const char *text, size_t least) {
    size_t run = 0, longest = least - 1;
    for (const char *p = text; *p; p++) {
        run = *p == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    char *fence = malloc(longest + 2);
    if (!fence)
        return NULL;
    memset(fence, '`', longest + 1);
    fence[longest + 1] = '\0';
    return fence;
}

/* The path as a code span. */
static int ipynb_add_file(struct notebook *nb, const struct ledger_step *step) {
    const char *path = json_string_value(json_object_get(step->body, "path"));
    scoped_free char *clean = export_clean(path ? path : "", path ? strlen(path) : 0);
    for (char *p = clean; p && *p; p++)
        *p = *p == '\n' ? ' ' : *p;
    scoped_free char *fence = clean ? fence_for(clean, 1) : NULL;
    if (!fence)
        return -1;
    json_t *source = json_sprintf("%s %s %s was %s from outside.", fence, clean, fence,
                                  step->kind == LEDGER_FILE_WRITE ? "written" : "deleted");
    json_t *cell = json_pack("{s:s, s:o, s:o, s:o}", "cell_type", "markdown", "id", cell_id(nb),
                             "metadata", where(step), "source", source);
    return cell ? json_array_append_new(nb->cells, cell) : -1;
}

/* --- the agent's answer --- */

static int keep_final(void *user, const struct ledger_entry *e) {
    json_t **final = user;
    const json_t *event = json_object_get(e->body, "event");
    const char *source = json_string_value(json_object_get(e->body, "source"));
    const char *name = json_string_value(json_object_get(event, "event"));
    if (e->kind == LEDGER_NOTE && source && name && strcmp(source, "agent") == 0 &&
        strcmp(name, "final") == 0) {
        json_decref(*final);
        *final = json_incref(e->body);
    }
    return 0;
}

/* Puts the last answer in a code block, so that a viewer runs nothing of it. */
static int add_answer(struct notebook *nb, const char *session) {
    json_t *body = NULL;
    ledger_entries(nb->l, session, 1, 0, keep_final, &body, NULL);
    if (!body)
        return 0;
    json_t *event = ledger_note_event(nb->l, body);
    const json_t *answer = json_object_get(event, "answer");
    scoped_free char *clean =
        json_is_string(answer) ? export_clean(json_string_value(answer), json_string_length(answer))
                               : strdup("(the recorded answer has expired)");
    scoped_free char *fence = clean ? fence_for(clean, 3) : NULL;
    bool verified = json_is_true(json_object_get(event, "verified"));
    json_t *source = fence ? json_sprintf("**Answer** (%s)\n\n%stext\n%s\n%s",
                                          verified ? "verified" : "unverified", fence, clean, fence)
                           : NULL;
    json_decref(event);
    json_decref(body);
    json_t *cell = json_pack("{s:s, s:o, s:{}, s:o}", "cell_type", "markdown", "id", cell_id(nb),
                             "metadata", "source", source);
    return cell ? json_array_append_new(nb->cells, cell) : -1;
}

static json_t *metadata(struct ledger *l, const char *session, struct retort_error *err) {
    static const char *const kernels[][3] = {{"python", "python3", "Python 3"},
                                             {"bash", "bash", "Bash"},
                                             {"javascript", "javascript", "JavaScript"}};
    struct ledger_session s;
    json_t *origin = export_origin(l, session, err);
    const char *language = json_string_value(json_object_get(origin, "language"));
    size_t k = 0;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (language && strcmp(kernels[i][0], language) == 0)
            k = i;
    json_decref(origin);
    if (ledger_session_get(l, session, &s, err) < 0)
        return NULL;
    return json_pack("{s:{s:s, s:s, s:s}, s:{s:s}, s:{s:s, s:s}}", "kernelspec", "name",
                     kernels[k][1], "display_name", kernels[k][2], "language", kernels[k][0],
                     "language_info", "name", kernels[k][0], "retort", "session", s.id, "head",
                     s.head);
}

static int write_json(int fd, const json_t *json, struct retort_error *err) {
    scoped_free char *text = json ? json_whole(json, JSON_INDENT(1)) : NULL;
    if (!text)
        return err_memory(err);
    int r = write_all(fd, text, strlen(text));
    if (r == 0)
        r = write_all(fd, "\n", 1);
    return r < 0 ? err_errno(err, ERR_HOST, -r, "cannot write the notebook") : 0;
}

int ledger_export_ipynb(struct ledger *l, const char *session, int fd, struct retort_error *err) {
    struct ledger_history history;
    struct notebook nb = {.l = l};
    int r = ledger_history(l, session, &history, err);
    if (r < 0)
        return r;
    nb.cells = json_array();
    int added = nb.cells ? 0 : -1;
    for (size_t i = 0; i < history.count && added == 0; i++)
        added = history.steps[i].kind == LEDGER_CELL_INTENT
                    ? add_code(&nb, &history.steps[i])
                    : ipynb_add_file(&nb, &history.steps[i]);
    ledger_history_done(&history);
    if (added == 0)
        added = add_answer(&nb, session);
    json_t *meta = added == 0 ? metadata(l, session, err) : NULL;
    json_t *json = meta ? json_pack("{s:i, s:i, s:o, s:O}", "nbformat", 4, "nbformat_minor", 5,
                                    "metadata", meta, "cells", nb.cells)
                        : NULL;
    r = write_json(fd, json, err);
    json_decref(json);
    json_decref(nb.cells);
    return r;
}
