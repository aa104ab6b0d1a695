/* retort replay: runs a recorded session again in a fresh one and compares. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "cli/cli.h"
#include "cli/commands/ledgercmd.h"
#include "cli/term.h"

static void progress(void *user, unsigned done, unsigned total, const char *verdict) {
    (void)verdict; /* the report has all verdicts */
    fprintf(stderr, "\r%s: cell %u of %u", (const char *)user, done, total);
    if (done == total)
        fputs("\r\033[K", stderr);
    fflush(stderr);
}

/* The value as text, to be shown line by line. */
static char *as_text(const json_t *value) {
    if (json_is_string(value))
        return strdup(json_string_value(value));
    const char *plain = json_string_value(json_object_get(value, "text/plain"));
    return plain ? strdup(plain) : json_whole(value, JSON_ENCODE_ANY | JSON_INDENT(1));
}

static void print_line(char mark, const char *line) {
    scoped_buf text = BUF_INIT(MAX_TEXT);
    term_line(line, 120, &text);
    printf("%c %s\n", mark, text.data);
}

static const char *cmd_replay_next_line(const char *text) {
    const char *end = strchr(text, '\n');
    return end ? end + 1 : text + strlen(text);
}

#define SHOWN 5 /* lines of each side, from the first that differs on */

static void print_side(char mark, const char *text) {
    for (int i = 0; i < SHOWN && *text; i++, text = cmd_replay_next_line(text))
        print_line(mark, text);
    if (*text)
        print_line(mark, "…");
}

static void print_difference(const json_t *first) {
    scoped_free char *was = as_text(json_object_get(first, "expected"));
    scoped_free char *is = as_text(json_object_get(first, "got"));
    if (!was || !is)
        return;
    const char *a = was, *b = is;
    while (*a && *b) { /* skip equal lines */
        size_t n = (size_t)(cmd_replay_next_line(a) - a), m = (size_t)(cmd_replay_next_line(b) - b);
        if (n != m || memcmp(a, b, n) != 0)
            break;
        a += n;
        b += m;
    }
    print_side('-', a);
    print_side('+', b);
}

/* Prints text that a guest chose as JSON, so that nothing in it moves the cursor. */
static void print_unanswered(const char *id, const json_t *report) {
    const json_t *one, *all = json_object_get(report, "unanswered");
    size_t i;
    json_array_foreach(all, i, one) {
        char *what = json_whole(one, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_PRESERVE_ORDER);
        printf("%s: not on record, and nobody was asked: %s\n", id, what ? what : "");
        free(what);
    }
}

static void cmd_replay_print_report(const char *id, const json_t *report) {
    const json_t *first = json_object_get(report, "first");
    print_unanswered(id, report);
    long long cells = json_integer_value(json_object_get(report, "cells"));
    if (!json_is_object(first)) {
        printf("%s: %lld cell%s, all equal\n", id, cells, cells == 1 ? "" : "s");
        return;
    }
    const json_t *different = json_object_get(report, "different"), *one;
    size_t i;
    json_array_foreach(different, i, one) {
        printf("%s: cell %lld differs: %s\n", id,
               (long long)json_integer_value(json_object_get(one, "cell")),
               ledgercmd_text(one, "what"));
        if (i == 0)
            print_difference(first);
    }
}

static int cmd_replay_run(struct retort_engine *engine, const struct ledger_args *args) {
    struct retort_error error = {0};
    bool equal = false;
    char *text;
    int r = retort_replay(engine, args->session, isatty(2) ? progress : NULL,
                          unconst(args->session), &equal, &text, &error);
    if (r < 0)
        return cli_fail_error(&error);
    json_t *report = json_in_text(text, JSON_ALLOW_NUL, NULL);
    if (args->json)
        puts(text);
    else
        cmd_replay_print_report(args->session, report);
    json_decref(report);
    retort_free(text);
    return equal ? 0 : 1;
}

static const struct opt_table replay_table = {
    .usage = "replay SESSION [--json]",
    .about = "Runs the cells of a recorded session again and compares.",
    .rows = {ledgercmd_json},
    .operand = LEDGER_AT(session),
};

int cmd_replay(int argc, char **argv) {
    struct ledger_args args = {0};
    struct retort_engine *engine;
    struct retort_error error = {0};
    int r;
    if (!ledgercmd_take(&replay_table, argc, argv, &args, &r))
        return r;
    struct retort_engine_options options = {
        .pool = 1, .supervisors = 1}; /* with a zygote, for sessions that had one */
    if (retort_open(&options, &engine, &error) < 0)
        return cli_fail_error(&error);
    r = cmd_replay_run(engine, &args);
    retort_close(engine);
    return r;
}
