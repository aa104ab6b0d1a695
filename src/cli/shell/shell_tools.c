/* Host tools of a shell: commands of a file, called when the person at the terminal has allowed it
 * where the file wants that. */
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
#include "cli/shell/shell.h"
#include "serve/hosted/command.h"
#include "serve/hosted/json.h"
#include "serve/hosted/tools.h"

#define PATIENCE_NS 60000000000ull
#define LOOK_MS 100 /* between two looks for Ctrl-C, which may come to another thread */
#define SHOWN 4000  /* characters of arguments: nobody allows what he cannot see */

int shell_tools_read(struct shell *sh, const char *file) {
    struct retort_error error = {0};

    sh->tools = file ? command_file(file, &error) : NULL;
    return file && !sh->tools ? cli_fail("--tools %s: %s", file, error.message) : 0;
}

int shell_tools_offer(struct shell *sh, struct retort_error *error) {
    scoped_json *shown = sh->tools ? command_shown(sh->tools) : NULL;
    scoped_free char *text = shown ? serve_json_text(shown) : NULL;

    return text ? retort_tools(sh->session, text, error) : 0;
}

/* --- asking --- */

enum consent { ALLOWED, DENIED, EXPIRED, CANCELLED };
static const char *const verdicts[] = {"allowed", "denied", "expired", "cancelled"};

/* The cell cannot look at its clock while it waits for us. */
static uint64_t patience(const struct shell *sh) {
    uint64_t until = now_ns() + PATIENCE_NS;
    return until < sh->until_ns ? until : sh->until_ns;
}

/* One line, as far as it has come; false when nobody will end it. */
static bool read_word(uint64_t until, char *line, size_t size, enum consent *ret) {
    size_t len = 0;

    *ret = EXPIRED;
    while (now_ns() < until) {
        struct pollfd typed = {STDIN_FILENO, POLLIN, 0};

        *ret = shell_interrupted() ? CANCELLED : EXPIRED;
        if (*ret == CANCELLED)
            return false;
        if (poll(&typed, 1, LOOK_MS) <= 0)
            continue;
        *ret = DENIED;
        if (read(STDIN_FILENO, line + len, 1) != 1) /* Ctrl-D, or no terminal any more */
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

static enum consent ask_person(struct shell *sh, const char *name, const char *arguments) {
    scoped_buf shown = BUF_INIT(4 * SHOWN + 16);
    enum consent consent;
    char word[16];

    term_line(arguments, SHOWN, &shown);
    elapsed_end(&sh->elapsed);
    if (sh->mid_line)
        term_puts(&sh->out, "\n");
    sh->mid_line = false;
    term_say(&sh->err, "1;33", "The code wants to call %s with %s\n", name,
             shown.data ? shown.data : "");
    tcflush(STDIN_FILENO, TCIFLUSH); /* what was typed before the question is no answer to it */
    term_say(&sh->err, "1;33", "Allow it? [y/N] ");
    if (read_word(patience(sh), word, sizeof word, &consent))
        consent = strcmp(word, "y") == 0 || strcmp(word, "yes") == 0 ? ALLOWED : DENIED;
    else
        term_puts(&sh->err, "\n");
    elapsed_begin(&sh->elapsed, "");
    return consent;
}

static void keep_decision(struct shell *sh, const char *name, const json_t *arguments,
                          enum consent consent) {
    const struct passwd *user = getpwuid(geteuid());
    bool by = consent == ALLOWED || consent == DENIED;
    json_t *entry = json_pack("{s:s,s:s,s:O,s:s,s:s,s:s}", "event", "approval", "name", name,
                              "arguments", arguments, "verdict", verdicts[consent], "by",
                              !by    ? ""
                              : user ? user->pw_name
                                     : "user",
                              "door", "shell");

    if (!sh->decided)
        sh->decided = json_array();
    if (entry)
        json_array_append_new(sh->decided, entry);
}

void shell_tools_note(struct shell *sh) {
    tools_note(sh->session, sh->decided);
    sh->decided = NULL;
}

/* --- calls --- */

static bool may_call(struct shell *sh, const json_t *tool, const json_t *arguments,
                     char **ret_failure) {
    static const char *const words[] = {NULL, "the call was not allowed",
                                        "nobody allowed the call in time", "interrupted"};
    const char *name = json_string_value(json_object_get(tool, "name"));
    const char *approval = json_string_value(json_object_get(tool, "approval"));

    if (!approval || strcmp(approval, "ask") != 0)
        return true;
    if (!isatty(STDIN_FILENO) || !sh->err.tty) {
        tools_refuse(ret_failure,
                     "nobody can be asked whether %s may be called: standard input is no terminal",
                     name);
        keep_decision(sh, name, arguments, CANCELLED);
        return false;
    }
    scoped_free char *text = tools_shown(arguments);
    if (!text || strlen(text) > SHOWN) {
        tools_refuse(ret_failure, "the arguments of %s are too long to be shown to somebody", name);
        keep_decision(sh, name, arguments, CANCELLED);
        return false;
    }
    enum consent consent = ask_person(sh, name, text);
    keep_decision(sh, name, arguments, consent);
    if (consent != ALLOWED)
        tools_refuse(ret_failure, "%s", words[consent]);
    return consent == ALLOWED;
}

static bool stop_command(void *user) {
    (void)user;
    return shell_interrupted();
}

char *shell_tool(void *user, const char *name, const char *arguments, char **ret_failure) {
    struct shell *sh = user;
    const json_t *tool = tools_find_tool(json_object_get(sh->tools, "tools"), name);
    const json_t *schema = json_object_get(tool, "parameters");
    struct retort_error err = ERR_INIT;
    scoped_json *given = serve_json_parse(arguments, strlen(arguments), &err);
    struct tool_command command = {.argv = json_object_get(tool, "command"),
                                   .cancelled = stop_command};
    char why[240];

    if (!tool)
        return tools_refuse(ret_failure, "there is no tool %s", name);
    if (!json_is_object(given))
        return tools_refuse(ret_failure, "the arguments of %s are not a JSON object", name);
    if (schema && toolschema_check(schema, given, why, sizeof why) < 0)
        return tools_refuse(ret_failure, "bad arguments: %s", why);
    if (!may_call(sh, tool, given, ret_failure))
        return NULL;
    command.until_ns = patience(sh);
    return command_call(&command, given, ret_failure);
}
