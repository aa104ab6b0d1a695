/* Prints the entries of a session. */
#include <stdio.h>
#include <string.h>

#include "base/maxima.h"
#include "cli/commands/ledgercmd.h"
#include "cli/term.h"

#define CODE_WIDTH 72

static json_int_t entries_number(const json_t *object, const char *name) {
    return json_integer_value(json_object_get(object, name));
}

static size_t lines_of(const char *text) {
    size_t n = 0, len = strlen(text);
    for (size_t i = 0; i + 1 < len; i++)
        n += text[i] == '\n';
    return n + (len > 0);
}

static void print_code(const json_t *entry, const json_t *body) {
    scoped_buf line = BUF_INIT(MAX_TEXT);
    const char *code = ledgercmd_text(entry, "code");
    bool known = json_object_get(entry, "code") != NULL;
    code += strspn(code, "\n");
    term_line(code, CODE_WIDTH, &line);
    size_t lines = lines_of(code);
    printf("cell %lld  %s", (long long)entries_number(body, "cell"),
           known ? line.data : "(code is gone)");
    if (lines > 1)
        printf("  (+%zu lines)", lines - 1);
}

/* "a.csv, b.png" of the files that the cell changed. */
static void print_files(const json_t *files) {
    scoped_buf name = BUF_INIT(MAX_TEXT);
    const json_t *file;
    size_t i;
    json_array_foreach(files, i, file) {
        term_line(ledgercmd_text(file, "path"), 40, &name);
        printf("%s%s %s", i ? ", " : "; ", ledgercmd_text(file, "change"), name.data);
        if (i == 3 && json_array_size(files) > 4) {
            printf(", and %zu more", json_array_size(files) - 4);
            break;
        }
    }
}

/* The findings of the review, as far as they fit in a line. */
static void print_review(const json_t *review) {
    const json_t *f;
    size_t i;
    if (json_is_false(json_object_get(review, "run")))
        fputs(", refused", stdout);
    json_array_foreach(json_object_get(review, "findings"), i, f) {
        scoped_buf rule = BUF_INIT(MAX_TEXT);
        if (i == 3) {
            printf(" and %zu more", json_array_size(json_object_get(review, "findings")) - i);
            break;
        }
        term_line(ledgercmd_text(f, "rule"), 40, &rule);
        printf("%s %s line %lld", i ? "," : ", review:", rule.data,
               (long long)entries_number(f, "line"));
    }
}

static void print_outcome(const json_t *body) {
    const json_t *resources = json_object_get(body, "resources");
    const char *state = ledgercmd_text(body, "state");
    printf("  %s", ledgercmd_text(body, "status"));
    if (resources)
        printf(", %.1f ms", json_number_value(json_object_get(resources, "wall_ms")));
    if (state[0] && strcmp(state, "kept") != 0)
        printf(", state %s", state);
    print_review(json_object_get(body, "review"));
    print_files(json_object_get(body, "files"));
}

/* --- notes of the agent --- */

static void entries_print_text(const char *text, size_t width) {
    scoped_buf line = BUF_INIT(MAX_TEXT);
    term_line(text, width, &line);
    fputs(line.data, stdout);
}

static void print_check(const json_t *e) {
    entries_print_text(ledgercmd_text(e, "name"), 24);
    fputs(": ", stdout);
    entries_print_text(ledgercmd_text(e, "verdict"), 24);
    if (ledgercmd_text(e, "message")[0]) {
        fputs(", ", stdout);
        entries_print_text(ledgercmd_text(e, "message"), CODE_WIDTH);
    }
}

static void print_model(const json_t *e) {
    const json_t *usage = json_object_get(e, "usage");
    if (usage)
        printf("%lld + %lld tokens", (long long)entries_number(usage, "prompt_tokens"),
               (long long)entries_number(usage, "completion_tokens"));
    else
        entries_print_text(ledgercmd_text(e, "message"), CODE_WIDTH);
    if (json_object_get(usage, "cost"))
        printf(", cost %.6g", json_number_value(json_object_get(usage, "cost")));
}

static void print_final(const json_t *e) {
    printf("%s, ", json_is_true(json_object_get(e, "verified")) ? "verified" : "UNVERIFIED");
    entries_print_text(ledgercmd_text(e, "answer"), CODE_WIDTH);
}

static void print_observation(const json_t *e) {
    if (json_object_get(e, "cell"))
        printf("cell %lld ", (long long)entries_number(e, "cell"));
    entries_print_text(ledgercmd_text(e, "status"), 24);
}

/* Who allowed which call. */
static void print_approval(const json_t *e) {
    const char *by = ledgercmd_text(e, "by");
    entries_print_text(ledgercmd_text(e, "name"), 40);
    printf(" %s", ledgercmd_text(e, "verdict"));
    if (by[0]) {
        fputs(" by ", stdout);
        entries_print_text(by, 40);
    }
}

static void print_conversation(const json_t *e) {
    printf("%zu messages", json_array_size(json_object_get(e, "messages")));
}

static void print_note(const json_t *entry, const json_t *body) {
    static const struct {
        const char *event, *member; /* prints a member in one line, or … */
        void (*print)(const json_t *event);
    } rows[] = {{"plan", "task", NULL},
                {"model", NULL, print_model},
                {"action", "code", NULL},
                {"observation", NULL, print_observation},
                {"check", NULL, print_check},
                {"final", NULL, print_final},
                {"stop", "reason", NULL},
                {"conversation", NULL, print_conversation},
                {"approval", NULL, print_approval}};
    const json_t *e = json_object_get(entry, "event");
    const char *name = ledgercmd_text(e, "event");
    entries_print_text(ledgercmd_text(body, "source"), 32);
    if (json_is_integer(json_object_get(e, "step")))
        printf(" step %lld", (long long)entries_number(e, "step"));
    fputs("  ", stdout);
    entries_print_text(name, 24);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].event, name) != 0)
            continue;
        fputs("  ", stdout);
        if (rows[i].print)
            rows[i].print(e);
        else
            entries_print_text(ledgercmd_text(e, rows[i].member), CODE_WIDTH);
    }
}

static void print_body(const json_t *entry, const char *kind, const json_t *body) {
    scoped_buf line = BUF_INIT(MAX_TEXT);
    if (strcmp(kind, "cell_intent") == 0)
        print_code(entry, body);
    else if (strcmp(kind, "cell_outcome") == 0)
        print_outcome(body);
    else if (strcmp(kind, "create") == 0)
        printf("created  %s, seed %lld%s", ledgercmd_text(body, "language"),
               (long long)entries_number(body, "seed"),
               json_is_true(json_object_get(body, "deterministic")) ? ", deterministic" : "");
    else if (strcmp(kind, "note") == 0)
        print_note(entry, body);
    else if (strcmp(kind, "undo") == 0)
        printf("undo of %lld cells", (long long)entries_number(body, "cells"));
    else if (strcmp(kind, "branch") == 0)
        printf("branch to %s", ledgercmd_text(body, "child"));
    else if (strcmp(kind, "close") == 0 && json_object_get(body, "kept"))
        printf("close: %s was kept", ledgercmd_text(body, "kept"));
    else if (strcmp(kind, "tool_call") == 0) {
        term_line(ledgercmd_text(body, "name"), 40, &line);
        printf("  called the tool %s", line.data);
    } else if (strcmp(kind, "network") == 0) {
        term_line(ledgercmd_text(body, "host"), 60, &line);
        printf("  network %s: %s %s:%lld%s%s", ledgercmd_text(body, "verdict"),
               ledgercmd_text(body, "scheme"), line.data, (long long)entries_number(body, "port"),
               json_object_get(body, "skill") ? ", by the skill " : "",
               ledgercmd_text(body, "skill"));
    } else if (strncmp(kind, "file_", 5) == 0) {
        term_line(ledgercmd_text(body, "path"), 60, &line);
        printf("%s %s from outside", line.data, kind[5] == 'w' ? "written" : "deleted");
    } else
        printf("%s", kind);
}

void ledgercmd_entries(const json_t *entries) {
    const json_t *entry;
    size_t i;
    json_array_foreach(entries, i, entry) {
        const json_t *body = json_object_get(entry, "body");
        const char *kind = ledgercmd_text(entry, "kind");
        char when[32];
        ledgercmd_time(json_object_get(entry, "time_ms"), when);
        printf("%5lld  %s  ", (long long)entries_number(entry, "entry"), when);
        if (json_is_object(body))
            print_body(entry, kind, body);
        else
            printf("%s (forgotten)", kind);
        putchar('\n');
    }
}
