#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "cli/commands/ledgercmd.h"
#include "cli/outdir.h"
#include "cli/shell/shell.h"
#include "cli/upload.h"

#define RED "1;31"
#define CYAN "36"

static void complain(struct shell *sh, const struct retort_error *error) {
    term_say(&sh->err, RED, "%s\n", error->message);
}

/* "" is 1. 0: no number. */
static unsigned shell_count_of(const char *argument, unsigned most) {
    char *end;
    if (!argument[0])
        return 1;
    unsigned long n = strtoul(argument, &end, 10);
    return *end || argument[0] == '-' || n > most ? 0 : (unsigned)n;
}

static void shell_undo(struct shell *sh, const char *argument) {
    struct retort_error error = {0};
    unsigned cells = shell_count_of(argument, 1000000);
    const json_t *note;
    char *text;
    size_t i;
    if (!cells) {
        term_say(&sh->err, RED, ":undo takes a number of cells\n");
        return;
    }
    if (retort_undo(sh->session, cells, &text, &error) < 0) {
        complain(sh, &error);
        return;
    }
    json_t *done = json_in_text(text, 0, NULL);
    term_say(&sh->err, CYAN, "%u cell%s undone, memory and files (%s)\n", cells,
             cells == 1 ? "" : "s", ledgercmd_text(done, "state_via"));
    json_array_foreach(json_object_get(done, "state_notes"), i, note) {
        term_say(&sh->err, CYAN, "  %s\n", json_string_value(note));
    }
    json_decref(done);
    retort_free(text);
}

static void list_sessions(struct shell *sh) {
    for (size_t i = 0; i < sh->nsessions; i++)
        term_say(&sh->out, "0", "%s %zu  %s\n", sh->sessions[i] == sh->session ? "*" : " ", i,
                 retort_session_id(sh->sessions[i]));
}

static void shell_branch(struct shell *sh, const char *argument) {
    struct retort_error error = {0};
    unsigned room = (unsigned)(SHELL_SESSIONS - sh->nsessions),
             count = shell_count_of(argument, room);
    if (!count) {
        term_say(&sh->err, RED, ":branch takes a number of branches, %u at most\n", room);
        return;
    }
    if (retort_branch(sh->session, count, sh->sessions + sh->nsessions, &error) < 0) {
        complain(sh, &error);
        return;
    }
    sh->nsessions += count;
    list_sessions(sh);
}

static void switch_to(struct shell *sh, const char *argument) {
    char *end;
    unsigned long n = strtoul(argument, &end, 10);
    if (argument[0] && (*end || n >= sh->nsessions)) {
        term_say(&sh->err, RED, "there is no such session; :switch lists them\n");
        return;
    }
    if (argument[0]) {
        sh->session = sh->sessions[n];
        shell_count(sh);
    }
    list_sessions(sh);
}

static void show_log(struct shell *sh, const char *argument) {
    struct retort_error error = {0};
    char *text;
    (void)argument;
    if (retort_log(sh->engine, retort_session_id(sh->session), &text, &error) < 0) {
        complain(sh, &error);
        return;
    }
    json_t *entries = json_in_text(text, 0, NULL);
    ledgercmd_entries(entries);
    fflush(stdout);
    json_decref(entries);
    retort_free(text);
}

static void list_files(struct shell *sh, const char *argument) {
    scoped_buf name = BUF_INIT(MAX_TEXT);
    struct retort_error error = {0};
    const json_t *file;
    char *text;
    size_t i;
    (void)argument;
    int r = retort_file_list(sh->session, &text, &error);
    if (r < 0) {
        complain(sh, &error);
        return;
    }
    json_t *files = json_in_text(text, 0, NULL);
    json_array_foreach(files, i, file) {
        term_line(ledgercmd_text(file, "path"), 200, &name);
        printf("%12lld  %s\n", (long long)json_integer_value(json_object_get(file, "size")),
               name.data);
    }
    if (r > 0)
        puts("[not all files are known]");
    else if (json_array_size(files) == 0)
        puts("/work is empty");
    fflush(stdout);
    json_decref(files);
    retort_free(text);
}

static void shell_get(struct shell *sh, const char *argument) {
    const char *dir = sh->out_dir ? sh->out_dir : ".";
    struct outdir_source from = outdir_session(sh->session);
    if (!argument[0])
        term_say(&sh->err, RED, ":get takes a path under /work\n");
    else if (outdir_get(&from, argument, dir) == 0)
        term_say(&sh->err, CYAN, "saved %s/%s\n", dir, argument);
}

static void shell_put(struct shell *sh, const char *argument) {
    if (!argument[0])
        term_say(&sh->err, RED, ":put takes a file, and after a colon its new name\n");
    else if (cli_upload_file(sh->session, ":put", argument) == 0)
        term_say(&sh->err, CYAN, "put into /work\n");
}

static void show_info(struct shell *sh, const char *argument) {
    char *text = retort_session_info(sh->session);
    json_t *info = text ? json_in_text(text, 0, NULL) : NULL;
    char *pretty = json_whole(info, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    (void)argument;
    if (pretty)
        puts(pretty);
    fflush(stdout);
    free(pretty);
    json_decref(info);
    retort_free(text);
}

static void quit(struct shell *sh, const char *argument) {
    (void)argument;
    sh->quit = true;
}

static void help(struct shell *sh, const char *argument);

static const struct {
    const char *name, *argument, *summary;
    void (*run)(struct shell *sh, const char *argument);
} commands[] = {
    {":undo", "[N]", "take the last N cells back, memory and files together", shell_undo},
    {":branch", "[N]", "make N sessions with the present state of this one", shell_branch},
    {":switch", "[N]", "list the session and its branches, or go to one", switch_to},
    {":compare", "", "what differs between the session and its branches", shell_compare},
    {":keep", "", "end the branches that were made together with this one", shell_keep},
    {":log", "", "what happened in this session", show_log},
    {":files", "", "files in /work", list_files},
    {":get", "PATH", "copy a file out of the session", shell_get},
    {":put", "FILE[:NAME]", "copy a file into the session", shell_put},
    {":info", "", "limits and isolation of the session", show_info},
    {":help", "", "print this", help},
    {":quit", "", "end the session; Ctrl-D does it too", quit},
};

static void help(struct shell *sh, const char *argument) {
    (void)sh;
    (void)argument;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        printf("%-8s %-12s %s\n", commands[i].name, commands[i].argument, commands[i].summary);
    puts("A block ends with an empty line. Tab completes, Ctrl-C interrupts the cell.");
    fflush(stdout);
}

void shell_command(struct shell *sh, const char *line) {
    size_t len = strcspn(line, " \t\r\n");
    const char *rest = line + len + strspn(line + len, " \t");
    size_t end = strlen(rest);
    while (end > 0 && strchr(" \t\r\n", rest[end - 1]))
        end--;
    scoped_free char *argument = strndup(rest, end);
    for (size_t i = 0; argument && i < sizeof commands / sizeof *commands; i++)
        if (strlen(commands[i].name) == len && strncmp(commands[i].name, line, len) == 0) {
            commands[i].run(sh, argument);
            return;
        }
    term_say(&sh->err, RED, "there is no command %.*s; :help lists them\n", (int)len, line);
}
