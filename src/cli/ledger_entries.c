/* The entries of a session, for people. */
#include <stdio.h>
#include <string.h>

#include "base/maxima.h"
#include "cli/ledgercmd.h"
#include "cli/term.h"

#define CODE_WIDTH 72

static json_int_t number(const json_t *object, const char *name) {
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
    printf("cell %lld  %s", (long long)number(body, "cell"), known ? line.data : "(code is gone)");
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

static void print_outcome(const json_t *body) {
    const json_t *resources = json_object_get(body, "resources");
    const char *state = ledgercmd_text(body, "state");
    printf("  %s", ledgercmd_text(body, "status"));
    if (resources)
        printf(", %.1f ms", json_number_value(json_object_get(resources, "wall_ms")));
    if (state[0] && strcmp(state, "kept") != 0)
        printf(", state %s", state);
    print_files(json_object_get(body, "files"));
}

static void print_body(const json_t *entry, const char *kind, const json_t *body) {
    scoped_buf line = BUF_INIT(MAX_TEXT);
    if (strcmp(kind, "cell_intent") == 0)
        print_code(entry, body);
    else if (strcmp(kind, "cell_outcome") == 0)
        print_outcome(body);
    else if (strcmp(kind, "create") == 0)
        printf("created  %s, seed %lld%s", ledgercmd_text(body, "language"),
               (long long)number(body, "seed"),
               json_is_true(json_object_get(body, "deterministic")) ? ", deterministic" : "");
    else if (strcmp(kind, "undo") == 0)
        printf("undo of %lld cells", (long long)number(body, "cells"));
    else if (strcmp(kind, "branch") == 0)
        printf("branch to %s", ledgercmd_text(body, "child"));
    else if (strcmp(kind, "tool_call") == 0) {
        term_line(ledgercmd_text(body, "name"), 40, &line);
        printf("  called the tool %s", line.data);
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
        printf("%5lld  %s  ", (long long)number(entry, "entry"), when);
        if (json_is_object(body))
            print_body(entry, kind, body);
        else
            printf("%s (forgotten)", kind);
        putchar('\n');
    }
}
