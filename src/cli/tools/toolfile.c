#include "cli/tools/toolfile.h"

#include <errno.h>
#include <poll.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/toolschema.h"
#include "cli/cli.h"
#include "serve/hosted/command.h"
#include "serve/hosted/json.h"
#include "serve/hosted/tools.h"

#define PATIENCE_NS 60000000000ull
#define LOOK_MS 100 /* how often we look for Ctrl-C, which may come to another thread */
#define SHOWN 4000  /* characters of arguments: a user cannot allow what he cannot see */

int toolfile_read(struct toolfile *tools, const char *path) {
    struct retort_error error = {0};

    tools->file = path ? command_file(path, &error) : NULL;
    return path && !tools->file ? cli_fail("--tools %s: %s", path, error.message) : 0;
}

bool toolfile_has(const struct toolfile *tools, const char *name) {
    return tools_find_tool(json_object_get(tools->file, "tools"), name);
}

json_t *toolfile_shown(const struct toolfile *tools) {
    return tools->file ? command_shown(tools->file) : NULL;
}

int toolfile_offer(const struct toolfile *tools, struct retort_session *session,
                   struct retort_error *error) {
    scoped_json *shown = toolfile_shown(tools);
    scoped_free char *text = shown ? serve_json_text(shown) : NULL;

    return text ? retort_tools(session, text, error) : 0;
}

void toolfile_note(struct toolfile *tools, struct retort_session *session) {
    tools_note(session, tools->decided);
    tools->decided = NULL;
}

void toolfile_done(struct toolfile *tools) {
    json_decref(tools->file);
    json_decref(tools->decided);
    tools->file = tools->decided = NULL;
}

/* --- asking --- */

enum consent { ALLOWED, DENIED, EXPIRED, CANCELLED };
static const char *const verdicts[] = {"allowed", "denied", "expired", "cancelled"};

/* How long to wait: the cell cannot look at its clock while it waits for us. */
static uint64_t patience(const struct toolfile *tools) {
    uint64_t until = now_ns() + PATIENCE_NS;
    return until < tools->until_ns ? until : tools->until_ns;
}

/* Reads one line; false if it will not be finished. */
static bool read_word(const struct toolfile *tools, char *line, size_t size, enum consent *ret) {
    uint64_t until = patience(tools);
    size_t len = 0;

    *ret = EXPIRED;
    while (now_ns() < until) {
        struct pollfd typed = {STDIN_FILENO, POLLIN, 0};

        *ret = tools->interrupted(tools->user) ? CANCELLED : EXPIRED;
        if (*ret == CANCELLED)
            return false;
        if (poll(&typed, 1, LOOK_MS) <= 0)
            continue;
        *ret = DENIED;
        if (read(STDIN_FILENO, line + len, 1) != 1) /* Ctrl-D, or the terminal is gone */
            return false;
        if (line[len] == '\n') {
            line[len] = 0;
            return true;
        }
        len += len + 2 < size;
        *ret = EXPIRED;
    }
    return false;
}

static enum consent ask_person(const struct toolfile *tools, const char *name,
                               const char *arguments) {
    scoped_buf shown = BUF_INIT(4 * SHOWN + 16);
    enum consent consent;
    char word[16];

    term_line(arguments, SHOWN, &shown);
    if (!shown.data)
        return CANCELLED;
    tools->hold(tools->user, true);
    term_say(tools->err, "1;33", "The code wants to call %s with ", name);
    term_puts(tools->err, shown.data); /* prints all of it */
    term_puts(tools->err, "\n");
    /* Text that was typed before the question is no answer to it. */
    tcflush(STDIN_FILENO, TCIFLUSH);
    term_say(tools->err, "1;33", "Allow it? [y/N] ");
    if (read_word(tools, word, sizeof word, &consent))
        consent = strcmp(word, "y") == 0 || strcmp(word, "yes") == 0 ? ALLOWED : DENIED;
    else
        term_puts(tools->err, "\n");
    tools->hold(tools->user, false);
    return consent;
}

static void keep_decision(struct toolfile *tools, const char *name, const json_t *arguments,
                          enum consent consent) {
    const struct passwd *user = getpwuid(geteuid());
    bool by = consent == ALLOWED || consent == DENIED;
    json_t *entry = json_pack("{s:s,s:s,s:O,s:s,s:s,s:s}", "event", "approval", "name", name,
                              "arguments", arguments, "verdict", verdicts[consent], "by",
                              !by    ? ""
                              : user ? user->pw_name
                                     : "user",
                              "door", tools->door);

    if (!tools->decided)
        tools->decided = json_array();
    if (entry)
        json_array_append_new(tools->decided, entry);
}

/* --- calls --- */

static bool may_call(struct toolfile *tools, const json_t *tool, const json_t *arguments,
                     char **ret_failure) {
    static const char *const words[] = {NULL, "the call was not allowed",
                                        "nobody allowed the call in time", "interrupted"};
    const char *name = json_string_value(json_object_get(tool, "name"));
    const char *approval = json_string_value(json_object_get(tool, "approval"));

    if (!approval || strcmp(approval, "ask") != 0)
        return true;
    if (!isatty(STDIN_FILENO) || !tools->err->tty) {
        tools_refuse(ret_failure,
                     "nobody can be asked whether %s may be called: standard input is no terminal",
                     name);
        keep_decision(tools, name, arguments, CANCELLED);
        return false;
    }
    scoped_free char *text = tools_shown(arguments);
    if (!text || strlen(text) > SHOWN) {
        tools_refuse(ret_failure, "the arguments of %s are too long to be shown to somebody", name);
        keep_decision(tools, name, arguments, CANCELLED);
        return false;
    }
    enum consent consent = ask_person(tools, name, text);
    keep_decision(tools, name, arguments, consent);
    if (consent != ALLOWED)
        tools_refuse(ret_failure, "%s", words[consent]);
    return consent == ALLOWED;
}

char *toolfile_call(struct toolfile *tools, const char *name, const char *arguments,
                    char **ret_failure) {
    const json_t *tool = tools_find_tool(json_object_get(tools->file, "tools"), name);
    const json_t *schema = json_object_get(tool, "parameters");
    struct retort_error err = ERR_INIT;
    scoped_json *given = serve_json_parse(arguments, strlen(arguments), &err);
    struct tool_command command = {.argv = json_object_get(tool, "command"),
                                   .cancelled = tools->interrupted,
                                   .user = tools->user};
    char why[240];

    if (!tool)
        return tools_refuse(ret_failure, "there is no tool %s", name);
    if (!json_is_object(given))
        return tools_refuse(ret_failure, "the arguments of %s are not a JSON object", name);
    if (schema && toolschema_check(schema, given, why, sizeof why) < 0)
        return tools_refuse(ret_failure, "bad arguments: %s", why);
    if (!may_call(tools, tool, given, ret_failure))
        return NULL;
    command.until_ns = patience(tools);
    return command_call(&command, given, ret_failure);
}
