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

static void put(struct agent_view *v, FILE *f, const char *s, size_t len) {
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)s[i];
        bool c1 = c == 0xc2 && i + 1 < len && (unsigned char)s[i + 1] < 0xa0;
        if (c1)
            i++;
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f || c1)
            c = '?'; /* escape sequences are the guest's, the terminal is the user's */
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
    put(v, stderr, text, strlen(text));
    style(v, "0");
}

static void fresh_line(struct agent_view *v) {
    if (v->line)
        put(v, stderr, "\n", 1);
}

static const char *text_at(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

/* --- code --- */

static bool is_keyword(const char *s, size_t len) {
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
    case PY_NAME: return is_keyword(p->s + t->start, t->len) ? BLUE : NULL;
    default: return NULL;
    }
}

static void show_code(struct agent_view *v, const char *code) {
    struct py_scan p = {code, strlen(code), 0};
    struct py_token t;
    put(v, stderr, "  ", 2);
    while (py_next(&p, &t)) {
        const char *color = color_of(&p, &t);
        if (color)
            style(v, color);
        for (size_t i = 0; i < t.len; i++) {
            put(v, stderr, code + t.start + i, 1);
            if (code[t.start + i] == '\n')
                put(v, stderr, "  ", 2);
        }
        if (color)
            style(v, "0");
    }
    put(v, stderr, "\n", 1);
}

/* --- events --- */

static void show_plan(struct agent_view *v, const json_t *e) {
    bool cassette = json_is_true(json_object_get(e, "cassette"));
    const char *model = text_at(e, "model");
    if (v->chat)
        return;
    styled(v, BOLD, "task: ");
    put(v, stderr, text_at(e, "task"), strlen(text_at(e, "task")));
    fresh_line(v);
    style(v, DIM);
    fprintf(stderr, "session %s, %s%s\n", text_at(e, "session"),
            cassette ? "replies from a cassette, no network" : "model ", cassette ? "" : model);
    style(v, "0");
}

static void show_model(struct agent_view *v, const json_t *e) {
    const json_t *delta = json_object_get(e, "delta"), *usage = json_object_get(e, "usage");
    if (delta) {
        v->speaking = true;
        put(v, stderr, json_string_value(delta), json_string_length(delta));
        return;
    }
    fresh_line(v);
    if (*text_at(e, "retry")) {
        style(v, YELLOW);
        fprintf(stderr, "retry in %.1f s: %s\n", json_number_value(json_object_get(e, "wait")),
                text_at(e, "message"));
        style(v, "0");
    } else if (json_integer_value(json_object_get(usage, "completion_tokens"))) {
        style(v, DIM);
        fprintf(stderr, "  (%lld + %lld tokens)\n",
                (long long)json_integer_value(json_object_get(usage, "prompt_tokens")),
                (long long)json_integer_value(json_object_get(usage, "completion_tokens")));
        style(v, "0");
    }
    v->speaking = false;
}

static void show_observation(struct agent_view *v, const json_t *e) {
    const json_t *result = json_object_get(e, "result"), *error = json_object_get(result, "error");
    const json_t *use = json_object_get(result, "resources");
    const json_t *value = json_object_get(json_object_get(result, "value"), "text/plain");
    const char *status = text_at(result, "status");
    fresh_line(v);
    if (value) {
        put(v, stderr, json_string_value(value), json_string_length(value));
        fresh_line(v);
    }
    if (json_is_object(error)) {
        style(v, RED);
        fprintf(stderr, "%s: ", text_at(error, "name"));
        put(v, stderr, text_at(error, "message"), strlen(text_at(error, "message")));
        if (*text_at(error, "hint")) {
            put(v, stderr, "; ", 2);
            put(v, stderr, text_at(error, "hint"), strlen(text_at(error, "hint")));
        }
        style(v, "0");
        fresh_line(v);
    }
    if (result) {
        style(v, strcmp(status, "ok") == 0 ? GREEN : RED);
        fprintf(stderr, "  [%s, %.0f ms]\n", status,
                json_number_value(json_object_get(use, "wall_ms")));
        style(v, "0");
    }
}

static void show_check(struct agent_view *v, const json_t *e) {
    bool passed = strcmp(text_at(e, "verdict"), "pass") == 0;
    if (passed && strcmp(text_at(e, "stage"), "after") != 0)
        return;
    fresh_line(v);
    style(v, passed ? GREEN : RED);
    fprintf(stderr, "  %s %s", passed ? "\u2713" : "\u2717", text_at(e, "name"));
    style(v, "0");
    const char *message = text_at(e, "message");
    if (*message) {
        put(v, stderr, ": ", 2);
        put(v, stderr, message, strlen(message));
    }
    put(v, stderr, "\n", 1);
    v->line = false;
}

static void show_claim(struct agent_view *v, const json_t *c) {
    const char *verdict = text_at(c, "verdict");
    bool good = strcmp(verdict, "asserted") != 0 && strcmp(verdict, "unverified") != 0;
    style(v, good ? GREEN : RED);
    fprintf(stderr, "  %s %s", good ? "\u2713" : "\u2717", text_at(c, "text"));
    style(v, "0");
    fprintf(stderr, ": %s", verdict);
    if (json_object_get(c, "cell"))
        fprintf(stderr, ", cell %lld %s", (long long)json_integer_value(json_object_get(c, "cell")),
                text_at(c, "stream"));
    if (*text_at(c, "formula"))
        fprintf(stderr, ", %s", text_at(c, "formula"));
    if (*text_at(c, "name"))
        fprintf(stderr, ", %s", text_at(c, "name"));
    fputc('\n', stderr);
}

/* The names of the checks that did not pass stand beside the answer. */
static void show_verdict(struct agent_view *v, const json_t *e) {
    bool verified = json_is_true(json_object_get(e, "verified"));
    const char *before = "";
    const json_t *u;
    size_t i;
    style(v, verified ? GREEN : YELLOW);
    fputs(verified ? "answer, verified" : "answer, UNVERIFIED (not proved: ", stderr);
    json_array_foreach(json_object_get(e, "unproved"), i, u) {
        const json_t *last = json_array_get(json_object_get(e, "unproved"), i - 1);
        if (i && strcmp(text_at(last, "check"), text_at(u, "check")) == 0)
            continue; /* a file or more of the same check */
        fprintf(stderr, "%s%s", before, text_at(u, "check"));
        before = ", ";
    }
    fputs(verified ? ":\n" : "):\n", stderr);
    style(v, "0");
}

static void show_final(struct agent_view *v, const json_t *e) {
    const json_t *c;
    size_t i;
    fresh_line(v);
    json_array_foreach(json_object_get(e, "provenance"), i, c) {
        show_claim(v, c);
    }
    json_array_foreach(json_object_get(e, "artifacts"), i, c) {
        fprintf(stderr, "  file %s, %lld bytes\n", text_at(c, "path"),
                (long long)json_integer_value(json_object_get(c, "size")));
    }
    show_verdict(v, e);
    fflush(stderr);
    const char *answer = text_at(e, "answer");
    put(v, stdout, answer, strlen(answer));
    fputc('\n', stdout);
    fflush(stdout);
    v->line = false;
}

static void show_stop(struct agent_view *v, const json_t *e) {
    if (strcmp(text_at(e, "reason"), "answered") == 0)
        return;
    fresh_line(v);
    style(v, RED);
    fprintf(stderr, "stopped (%s): ", text_at(e, "reason"));
    style(v, "0");
    put(v, stderr, text_at(e, "message"), strlen(text_at(e, "message")));
    fresh_line(v);
}

static void show_step(struct agent_view *v, const json_t *e) {
    unsigned step = (unsigned)json_integer_value(json_object_get(e, "step"));
    if (step == v->step || !step)
        return;
    v->step = step;
    fresh_line(v);
    style(v, BOLD);
    fprintf(stderr, "\nstep %u\n", step);
    style(v, "0");
}

static void show_output(struct agent_view *v, const json_t *e) {
    const json_t *text = json_object_get(e, "text");
    put(v, stderr, json_string_value(text), json_string_length(text));
}

static void show_action(struct agent_view *v, const json_t *e) {
    fresh_line(v);
    style(v, DIM);
    fprintf(stderr, "%s:\n", text_at(e, "language"));
    style(v, "0");
    show_code(v, text_at(e, "code"));
}

/* An action begins a cell; after most other events it is the model that is waited for. */
static void wait_for(struct agent_view *v, const char *event) {
    static const char model[] = "model", cell[] = "cell";
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

void agent_view_show(struct agent_view *v, const json_t *event) {
    static const struct {
        const char *name;
        void (*show)(struct agent_view *v, const json_t *e);
    } shows[] = {{"plan", show_plan},
                 {"model", show_model},
                 {"action", show_action},
                 {"output", show_output},
                 {"check", show_check},
                 {"final", show_final},
                 {"observation", show_observation},
                 {"stop", show_stop}};
    elapsed_heard(&v->elapsed, true);
    show_step(v, event);
    for (size_t i = 0; i < sizeof shows / sizeof *shows; i++)
        if (strcmp(text_at(event, "event"), shows[i].name) == 0)
            shows[i].show(v, event);
    wait_for(v, text_at(event, "event"));
}
