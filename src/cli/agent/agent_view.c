#include "cli/agent/agent_view.h"

#include "agent/text/python_lexer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIM "2"
#define BOLD "1"
#define RED "31"
#define GREEN "32"
#define YELLOW "33"
#define BLUE "34"
#define CYAN "36"

void agent_view_init(struct agent_view *v) {
    const char *no = getenv("NO_COLOR");
    *v = (struct agent_view){.color = isatty(2) && !(no && *no)};
    elapsed_init(&v->elapsed, 2);
}

void agent_view_done(struct agent_view *v) {
    elapsed_done(&v->elapsed);
}

/* --- safe output --- */

static void view_put(struct agent_view *v, FILE *f, const char *s, size_t len) {
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)s[i];
        bool c1 = c == 0xc2 && i + 1 < len && (unsigned char)s[i + 1] < 0xa0;
        if (c1)
            i++;
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f || c1)
            c = '?'; /* the guest may write escape sequences, but the terminal is the user's */
        fputc(c, f);
        v->line = c != '\n';
    }
}

static void style(struct agent_view *v, const char *code) {
    if (v->color)
        fprintf(stderr, "\033[%sm", code);
}

static void styled(struct agent_view *v, const char *code, const char *text) {
    style(v, code);
    view_put(v, stderr, text, strlen(text));
    style(v, "0");
}

static void view_fresh_line(struct agent_view *v) {
    if (v->line)
        view_put(v, stderr, "\n", 1);
}

static const char *view_text_at(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

/* --- code --- */

static bool view_is_keyword(const char *s, size_t len) {
    static const char words[] =
        " def class return if elif else for while in import from as with try "
        "except finally raise lambda and or not is None True False pass break "
        "continue yield global del assert async await ";
    char word[16];
    if (len + 3 > sizeof word)
        return false;
    snprintf(word, sizeof word, " %.*s ", (int)len, s);
    return strstr(words, word);
}

static const char *color_of(const struct py_scan *p, const struct py_token *t) {
    switch (t->kind) {
    case PY_STRING: return GREEN;
    case PY_COMMENT: return DIM;
    case PY_NUMBER: return CYAN;
    case PY_NAME: return view_is_keyword(p->s + t->start, t->len) ? BLUE : NULL;
    default: return NULL;
    }
}

static void show_code(struct agent_view *v, const char *code) {
    struct py_scan p = {code, strlen(code), 0};
    struct py_token t;
    view_put(v, stderr, "  ", 2);
    while (py_next(&p, &t)) {
        const char *color = color_of(&p, &t);
        if (color)
            style(v, color);
        for (size_t i = 0; i < t.len; i++) {
            view_put(v, stderr, code + t.start + i, 1);
            if (code[t.start + i] == '\n')
                view_put(v, stderr, "  ", 2);
        }
        if (color)
            style(v, "0");
    }
    view_put(v, stderr, "\n", 1);
}

/* --- events --- */

static void show_plan(struct agent_view *v, const json_t *e) {
    bool cassette = json_is_true(json_object_get(e, "cassette"));
    const char *model = view_text_at(e, "model");
    if (v->chat)
        return;
    styled(v, BOLD, "task: ");
    view_put(v, stderr, view_text_at(e, "task"), strlen(view_text_at(e, "task")));
    view_fresh_line(v);
    style(v, DIM);
    fprintf(stderr, "session %s, %s%s\n", view_text_at(e, "session"),
            cassette ? "replies from a cassette, no network" : "model ", cassette ? "" : model);
    style(v, "0");
}

static void show_model(struct agent_view *v, const json_t *e) {
    const json_t *delta = json_object_get(e, "delta"), *usage = json_object_get(e, "usage");
    if (delta) {
        v->speaking = true;
        view_put(v, stderr, json_string_value(delta), json_string_length(delta));
        return;
    }
    view_fresh_line(v);
    if (*view_text_at(e, "retry")) {
        style(v, YELLOW);
        fprintf(stderr, "retry in %.1f s: %s\n", json_number_value(json_object_get(e, "wait")),
                view_text_at(e, "message"));
        style(v, "0");
    } else if (json_integer_value(json_object_get(usage, "completion_tokens"))) {
        style(v, DIM);
        fprintf(stderr, "  (%lld + %lld tokens",
                (long long)json_integer_value(json_object_get(usage, "prompt_tokens")),
                (long long)json_integer_value(json_object_get(usage, "completion_tokens")));
        if (json_object_get(usage, "cost"))
            fprintf(stderr, ", cost %.6g", json_number_value(json_object_get(usage, "cost")));
        fputs(")\n", stderr);
        style(v, "0");
    }
    v->speaking = false;
}

static void show_observation(struct agent_view *v, const json_t *e) {
    const json_t *result = json_object_get(e, "result"), *error = json_object_get(result, "error");
    const json_t *use = json_object_get(result, "resources");
    const json_t *value = json_object_get(json_object_get(result, "value"), "text/plain");
    const char *status = view_text_at(result, "status");
    view_fresh_line(v);
    if (value) {
        view_put(v, stderr, json_string_value(value), json_string_length(value));
        view_fresh_line(v);
    }
    if (json_is_object(error)) {
        style(v, RED);
        fprintf(stderr, "%s: ", view_text_at(error, "name"));
        view_put(v, stderr, view_text_at(error, "message"), strlen(view_text_at(error, "message")));
        if (*view_text_at(error, "hint")) {
            view_put(v, stderr, "; ", 2);
            view_put(v, stderr, view_text_at(error, "hint"), strlen(view_text_at(error, "hint")));
        }
        style(v, "0");
        view_fresh_line(v);
    }
    if (result) {
        style(v, strcmp(status, "ok") == 0 ? GREEN : RED);
        fprintf(stderr, "  [%s, %.0f ms]\n", status,
                json_number_value(json_object_get(use, "wall_ms")));
        style(v, "0");
    }
}

static void show_check(struct agent_view *v, const json_t *e) {
    bool passed = strcmp(view_text_at(e, "verdict"), "pass") == 0;
    if (passed && strcmp(view_text_at(e, "stage"), "after") != 0)
        return;
    view_fresh_line(v);
    style(v, passed ? GREEN : RED);
    fprintf(stderr, "  %s %s", passed ? "\u2713" : "\u2717", view_text_at(e, "name"));
    style(v, "0");
    const char *message = view_text_at(e, "message");
    if (*message) {
        view_put(v, stderr, ": ", 2);
        view_put(v, stderr, message, strlen(message));
    }
    view_put(v, stderr, "\n", 1);
    v->line = false;
}

/* Code may ask many questions; this shows only its runs and failures. The record has all. */
static void show_call(struct agent_view *v, const json_t *e) {
    const char *error = view_text_at(e, "error"), *session = view_text_at(e, "session");
    if (!*error && !*session)
        return;
    view_fresh_line(v);
    style(v, *error ? RED : DIM);
    fprintf(stderr, "  %s %s", view_text_at(e, "name"), session);
    style(v, "0");
    if (*error) {
        view_put(v, stderr, ": ", 2);
        view_put(v, stderr, error, strlen(error));
    }
    view_put(v, stderr, "\n", 1);
}

static void show_review(struct agent_view *v, const json_t *e) {
    const json_t *f;
    size_t i;
    view_fresh_line(v);
    json_array_foreach(json_object_get(e, "findings"), i, f) {
        bool note = strcmp(view_text_at(f, "severity"), "note") == 0;
        style(v, note ? DIM : YELLOW);
        fprintf(stderr, "  %s: line %lld: ", view_text_at(f, "severity"),
                (long long)json_integer_value(json_object_get(f, "line")));
        style(v, "0");
        view_put(v, stderr, view_text_at(f, "message"), strlen(view_text_at(f, "message")));
        fprintf(stderr, " [%s]\n", view_text_at(f, "rule"));
    }
}

static void show_compaction(struct agent_view *v, const json_t *e) {
    view_fresh_line(v);
    style(v, DIM);
    fprintf(stderr, "  the conversation was too long: %lld messages are now in %s\n",
            (long long)json_integer_value(json_object_get(e, "messages")), view_text_at(e, "file"));
    style(v, "0");
}

static void show_claim(struct agent_view *v, const json_t *c) {
    const char *verdict = view_text_at(c, "verdict");
    static const char *const flags[] = {"contradicted", "mismatch", "stale", "asserted",
                                        "unverified"};
    bool good = true;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        good = good && strcmp(verdict, flags[i]) != 0;
    style(v, good ? GREEN : RED);
    fprintf(stderr, "  %s %s", good ? "\u2713" : "\u2717", view_text_at(c, "text"));
    style(v, "0");
    fprintf(stderr, ": %s", verdict);
    if (json_object_get(c, "cell"))
        fprintf(stderr, ", cell %lld %s", (long long)json_integer_value(json_object_get(c, "cell")),
                view_text_at(c, "stream"));
    if (*view_text_at(c, "formula"))
        fprintf(stderr, ", %s", view_text_at(c, "formula"));
    if (*view_text_at(c, "name"))
        fprintf(stderr, ", %s", view_text_at(c, "name"));
    fputc('\n', stderr);
}

/* The names of the checks that failed stand beside the answer. */
static void show_verdict(struct agent_view *v, const json_t *e) {
    bool verified = json_is_true(json_object_get(e, "verified"));
    const char *before = "";
    const json_t *u;
    size_t i;
    style(v, verified ? GREEN : YELLOW);
    fputs(verified ? "answer, verified" : "answer, UNVERIFIED (not proved: ", stderr);
    json_array_foreach(json_object_get(e, "unproved"), i, u) {
        const json_t *last = json_array_get(json_object_get(e, "unproved"), i - 1);
        if (i && strcmp(view_text_at(last, "check"), view_text_at(u, "check")) == 0)
            continue; /* another file of the same check */
        fprintf(stderr, "%s%s", before, view_text_at(u, "check"));
        before = ", ";
    }
    fputs(verified ? ":\n" : "):\n", stderr);
    style(v, "0");
}

static void show_final(struct agent_view *v, const json_t *e) {
    const json_t *c;
    size_t i;
    view_fresh_line(v);
    json_array_foreach(json_object_get(e, "provenance"), i, c) {
        show_claim(v, c);
    }
    json_array_foreach(json_object_get(e, "artifacts"), i, c) {
        fprintf(stderr, "  file %s, %lld bytes\n", view_text_at(c, "path"),
                (long long)json_integer_value(json_object_get(c, "size")));
    }
    show_verdict(v, e);
    fflush(stderr);
    const char *answer = view_text_at(e, "answer");
    view_put(v, stdout, answer, strlen(answer));
    fputc('\n', stdout);
    fflush(stdout);
    v->line = false;
}

static void show_stop(struct agent_view *v, const json_t *e) {
    if (strcmp(view_text_at(e, "reason"), "answered") == 0)
        return;
    view_fresh_line(v);
    style(v, RED);
    fprintf(stderr, "stopped (%s): ", view_text_at(e, "reason"));
    style(v, "0");
    view_put(v, stderr, view_text_at(e, "message"), strlen(view_text_at(e, "message")));
    view_fresh_line(v);
}

/* --- several tries --- */

static void show_first_line(struct agent_view *v, const char *text) {
    size_t n = strcspn(text, "\n");
    view_put(v, stderr, text, n < 100 ? n : 100);
    if (text[n < 100 ? n : 100])
        fputs(" …", stderr);
}

static void show_try_line(struct agent_view *v, const json_t *e, bool kept) {
    const char *verdict = view_text_at(e, "verdict"), *message = view_text_at(e, "message");
    const json_t *score = json_object_get(e, "score");
    bool judged = strcmp(verdict, "judged") == 0;
    style(v, kept ? GREEN : judged ? BOLD : DIM);
    fprintf(stderr, "  %s try %lld  %s", kept ? "\u2713" : " ",
            (long long)json_integer_value(json_object_get(e, "try")), judged ? "score" : verdict);
    style(v, "0");
    if (score)
        fprintf(stderr, " %g", json_number_value(score));
    fputs("  ", stderr);
    if (*message)
        show_first_line(v, message);
    else
        show_first_line(v, view_text_at(e, "answer"));
    view_put(v, stderr, "\n", 1);
}

static void show_tries(struct agent_view *v, const json_t *e) {
    json_int_t kept = json_integer_value(json_object_get(e, "kept"));
    const json_t *one;
    size_t i;
    view_fresh_line(v);
    style(v, BOLD);
    fprintf(stderr, "\ntries, judged by %s\n", view_text_at(e, "judge"));
    style(v, "0");
    json_array_foreach(json_object_get(e, "tries"), i, one) {
        show_try_line(v, one, json_integer_value(json_object_get(one, "try")) == kept);
    }
}

/* Of tries that run side by side, shows only how each step ended; the record has what they said. */
static void show_of_try(struct agent_view *v, const json_t *e) {
    const char *name = view_text_at(e, "event");
    const json_t *result = json_object_get(e, "result");
    if (strcmp(name, "verdict") == 0) {
        view_fresh_line(v);
        show_try_line(v, e, false);
    } else if (result) {
        view_fresh_line(v);
        fprintf(stderr, "    try %lld  step %lld  %s\n",
                (long long)json_integer_value(json_object_get(e, "try")),
                (long long)json_integer_value(json_object_get(e, "step")),
                view_text_at(result, "status"));
    }
}

static void show_step(struct agent_view *v, const json_t *e) {
    unsigned step = (unsigned)json_integer_value(json_object_get(e, "step"));
    if (step == v->step || !step)
        return;
    v->step = step;
    view_fresh_line(v);
    style(v, BOLD);
    fprintf(stderr, "\nstep %u\n", step);
    style(v, "0");
}

static void view_show_output(struct agent_view *v, const json_t *e) {
    const json_t *text = json_object_get(e, "text");
    view_put(v, stderr, json_string_value(text), json_string_length(text));
}

static void show_action(struct agent_view *v, const json_t *e) {
    view_fresh_line(v);
    style(v, DIM);
    fprintf(stderr, "%s:\n", view_text_at(e, "language"));
    style(v, "0");
    show_code(v, view_text_at(e, "code"));
}

static const char cell[] = "cell", model[] = "model";

/* After an action a cell runs; after most other events we wait for the model. */
static void wait_for(struct agent_view *v, const char *event) {
    if (strcmp(event, "stop") == 0) {
        v->step = 0;
        elapsed_end(&v->elapsed);
    } else if (strcmp(event, "action") == 0) {
        elapsed_begin(&v->elapsed, cell);
    } else if (strcmp(event, "plan") == 0 || strcmp(event, "observation") == 0) {
        elapsed_begin(&v->elapsed, model);
    } else {
        elapsed_heard(&v->elapsed, v->line);
    }
}

void agent_view_hold(struct agent_view *v, bool held) {
    if (held) {
        elapsed_end(&v->elapsed);
        view_fresh_line(v);
    } else
        elapsed_begin(&v->elapsed, cell);
}

void agent_view_show(struct agent_view *v, const json_t *event) {
    static const struct {
        const char *name;
        void (*show)(struct agent_view *v, const json_t *e);
    } shows[] = {{"plan", show_plan},
                 {"model", show_model},
                 {"action", show_action},
                 {"output", view_show_output},
                 {"check", show_check},
                 {"final", show_final},
                 {"observation", show_observation},
                 {"tries", show_tries},
                 {"call", show_call},
                 {"review", show_review},
                 {"compaction", show_compaction},
                 {"stop", show_stop}};
    elapsed_heard(&v->elapsed, true);
    if (json_object_get(event, "try")) {
        show_of_try(v, event);
        return;
    }
    if (strcmp(view_text_at(event, "event"), "tries") != 0)
        show_step(v, event);
    for (size_t i = 0; i < sizeof shows / sizeof *shows; i++)
        if (strcmp(view_text_at(event, "event"), shows[i].name) == 0)
            shows[i].show(v, event);
    wait_for(v, view_text_at(event, "event"));
}
