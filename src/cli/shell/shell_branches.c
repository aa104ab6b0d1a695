/* retort shell, :compare and :keep: the session and its branches side by side. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "cli/commands/ledgercmd.h"
#include "cli/shell/shell.h"

#define RED "1;31"
#define CYAN "36"
#define COLUMN 100

/* Prints `label` and a text of the guest in one line. */
static void shell_branches_say(struct shell *sh, const char *label, const char *text) {
    scoped_buf line = BUF_INIT(MAX_TEXT);
    term_line(text, COLUMN, &line);
    term_say(&sh->out, "0", "%s%s", label, line.data ? line.data : "");
}

static void say_file(struct shell *sh, const json_t *file) {
    const char *sum = ledgercmd_text(file, "sha256");
    if (json_object_get(file, "link"))
        shell_branches_say(sh, "link to ", ledgercmd_text(file, "link"));
    else
        term_say(&sh->out, "0", "%lld bytes, sha256 %.12s",
                 (long long)json_integer_value(json_object_get(file, "size")), sum);
}

static void say_variable(struct shell *sh, const json_t *variable) {
    shell_branches_say(sh, "", ledgercmd_text(variable, "type"));
    shell_branches_say(sh, "  ", ledgercmd_text(variable, "repr"));
}

static void say_result(struct shell *sh, const json_t *last) {
    static const struct {
        const char *name, *label;
    } parts[] = {{"value", ", value "}, {"error", ", error "}, {"stdout", ", printed "}};
    term_say(&sh->out, "0", "cell %lld %s",
             (long long)json_integer_value(json_object_get(last, "cell")),
             ledgercmd_text(last, "status"));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (ledgercmd_text(last, parts[i].name)[0])
            shell_branches_say(sh, parts[i].label, ledgercmd_text(last, parts[i].name));
}

static void say_each(struct shell *sh, const json_t *in,
                     void (*say_one)(struct shell *sh, const json_t *one)) {
    const json_t *one;
    size_t i;
    json_array_foreach(in, i, one) {
        term_say(&sh->out, "0", "  %zu  ", i);
        if (json_is_null(one))
            term_say(&sh->out, "0", "none");
        else
            say_one(sh, one);
        term_say(&sh->out, "0", "\n");
    }
}

static void say_rows(struct shell *sh, const json_t *rows, const char *label, const char *name,
                     void (*say_one)(struct shell *sh, const json_t *one)) {
    const json_t *row;
    size_t i;
    json_array_foreach(rows, i, row) {
        shell_branches_say(sh, label, ledgercmd_text(row, name));
        term_say(&sh->out, "0", "\n");
        say_each(sh, json_object_get(row, "in"), say_one);
    }
}

static void say_comparison(struct shell *sh, const json_t *found) {
    const json_t *same = json_object_get(found, "same"), *note;
    size_t i;
    say_rows(sh, json_object_get(found, "files"), "file ", "path", say_file);
    say_rows(sh, json_object_get(found, "variables"), "variable ", "name", say_variable);
    term_say(&sh->out, "0", "last result\n");
    say_each(sh, json_object_get(found, "last"), say_result);
    term_say(&sh->out, "0", "the same in all: files %lld, variables %lld\n",
             (long long)json_integer_value(json_object_get(same, "files")),
             (long long)json_integer_value(json_object_get(same, "variables")));
    json_array_foreach(json_object_get(found, "notes"), i, note) {
        term_say(&sh->err, CYAN, "%s\n", json_string_value(note));
    }
}

void shell_compare(struct shell *sh, const char *argument) {
    struct retort_error error = {0};
    char *text;
    (void)argument;
    if (sh->nsessions < 2) {
        term_say(&sh->err, RED, "there is one session only; :branch makes others\n");
        return;
    }
    if (retort_compare(sh->sessions, (unsigned)sh->nsessions, &text, &error) < 0) {
        term_say(&sh->err, RED, "%s\n", error.message);
        return;
    }
    json_t *found = json_in_text(text, 0, NULL);
    say_comparison(sh, found);
    json_decref(found);
    retort_free(text);
}

void shell_keep(struct shell *sh, const char *argument) {
    struct retort_session *others[SHELL_SESSIONS];
    struct retort_error error = {0};
    unsigned count = 0;
    size_t left = 0;
    (void)argument;
    for (size_t i = 0; i < sh->nsessions; i++)
        if (retort_siblings(sh->session, sh->sessions[i]))
            others[count++] = sh->sessions[i];
    if (count == 0) {
        term_say(&sh->err, RED, "no other branch was made together with this session\n");
        return;
    }
    if (retort_keep(sh->session, others, count, &error) < 0) {
        term_say(&sh->err, RED, "%s\n", error.message);
        return;
    }
    for (size_t i = 0; i < sh->nsessions; i++)
        if (retort_siblings(sh->session, sh->sessions[i]))
            retort_session_close(sh->sessions[i]);
        else
            sh->sessions[left++] = sh->sessions[i];
    sh->nsessions = left;
    term_say(&sh->err, CYAN, "%u other branch%s ended\n", count, count == 1 ? "" : "es");
}
