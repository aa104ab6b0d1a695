#include "cli/agent/agent_chat.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "cli/agent/agent_view.h"
#include "cli/cli.h"
#include "cli/editor.h"
#include "cli/outdir.h"
#include "cli/term.h"

#define MAX_TURNS 200

struct turn {
    struct agent_mark mark;
    unsigned cells; /* cells of the turn that ran and were kept */
};

struct talk {
    struct agent_chat *chat;
    struct agent_talk agent;
    struct retort_session *session;
    struct agent_view view;
    struct term err;
    struct turn turns[MAX_TURNS];
    size_t nturns;
    struct editor *editor;
    bool more; /* the next line belongs to the same message */
    bool quit, lost;
};

static int wake = -1;
static atomic_bool *cancelled;
static volatile sig_atomic_t busy;

/* During a turn an interrupt ends the turn; at the prompt it throws the message away. */
static void chat_on_signal(int number) {
    int before = errno;
    uint64_t word = number == SIGINT ? EDITOR_INTERRUPTED : EDITOR_RESIZED;
    if (number == SIGINT && busy)
        atomic_store(cancelled, true);
    else if (write(wake, &word, sizeof word) < 0)
        errno = before; /* the counter is full: the editor is awake */
    errno = before;
}

/* --- commands --- */

static void chat_help(struct talk *t, const char *argument) {
    (void)argument;
    term_say(&t->err, "2",
             "  /undo         take the last turn back: what was said, variables and files\n"
             "  /files        list the files in the session\n"
             "  /export FILE  write the conversation as a page (.html) or a notebook (.ipynb)\n"
             "  /help         print this\n"
             "  /quit         end, as Ctrl-D does; Ctrl-C ends a turn and keeps the conversation\n"
             "Everything else is said to the model.\n");
}

static void chat_quit(struct talk *t, const char *argument) {
    (void)argument;
    t->quit = true;
}

static void chat_undo(struct talk *t, const char *argument) {
    struct retort_error error = {0};
    char *json = NULL;
    (void)argument;
    if (!t->nturns) {
        term_say(&t->err, "31", "there is no turn to take back\n");
        return;
    }
    const struct turn *last = &t->turns[t->nturns - 1];
    if (last->cells && retort_undo(t->session, last->cells, &json, &error) < 0) {
        term_say(&t->err, "31", "%s\n", error.message);
        return;
    }
    retort_free(json);
    agent_talk_forget(&t->agent, t->session, &last->mark);
    term_say(&t->err, "36", "the last turn is taken back (%u cell%s)\n", last->cells,
             last->cells == 1 ? "" : "s");
    t->nturns--;
}

static void chat_files(struct talk *t, const char *argument) {
    struct retort_error error = {0};
    scoped_buf name = BUF_INIT(MAX_TEXT);
    char *text = NULL;
    const json_t *f;
    size_t i;
    (void)argument;
    if (retort_file_list(t->session, &text, &error) < 0) {
        term_say(&t->err, "31", "%s\n", error.message);
        return;
    }
    json_t *list = json_in_text(text, 0, NULL);
    retort_free(text);
    json_array_foreach(list, i, f) {
        term_line(json_string_value(json_object_get(f, "path")), 60, &name);
        printf("%10lld  %s\n", (long long)json_integer_value(json_object_get(f, "size")),
               name.data);
    }
    if (!json_array_size(list))
        term_say(&t->err, "2", "there are no files\n");
    fflush(stdout);
    json_decref(list);
}

static bool chat_ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

static void chat_export(struct talk *t, const char *argument) {
    const char *form = chat_ends_with(argument, ".html")    ? "--html"
                       : chat_ends_with(argument, ".ipynb") ? "--ipynb"
                                                            : NULL;
    scoped_free char *id = strdup(retort_session_id(t->session)), *path = strdup(argument);
    scoped_free char *option = form ? strdup(form) : NULL;
    char *argv[] = {(char[]){"export"}, id, option, path, NULL};
    if (t->chat->no_record)
        term_say(&t->err, "31",
                 "nothing is recorded (--no-record), so there is nothing to export\n");
    else if (!form)
        term_say(&t->err, "31", "/export takes the name of a file that ends in .html or .ipynb\n");
    else if (id && path && option && cmd_export(4, argv) == 0)
        term_say(&t->err, "36", "written: %s\n", argument);
}

static const struct {
    const char *name;
    void (*run)(struct talk *t, const char *argument);
} commands[] = {{"/undo", chat_undo},
                {"/files", chat_files},
                {"/export", chat_export},
                {"/help", chat_help},
                {"/quit", chat_quit}};

/* "/word", alone or before a blank, is a command; "/work/a.csv is what?" is a message. */
static bool is_command(const char *message) {
    size_t n = message[0] == '/' ? 1 + strspn(message + 1, "abcdefghijklmnopqrstuvwxyz") : 0;
    return n > 1 && (!message[n] || strchr(" \t", message[n])) && !strchr(message, '\n');
}

static void chat_run_command(struct talk *t, const char *message) {
    size_t n = strcspn(message, " \t");
    const char *argument = message + n + strspn(message + n, " \t");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strlen(commands[i].name) == n && strncmp(commands[i].name, message, n) == 0) {
            commands[i].run(t, argument);
            return;
        }
    term_say(&t->err, "31", "there is no %.*s; /help lists the commands\n", (int)n, message);
}

/* --- turns --- */

static void chat_on_event(void *user, const json_t *event) {
    struct talk *t = user;
    const json_t *result = json_object_get(event, "result");
    const char *state = json_string_value(json_object_get(result, "state"));
    if (state && strcmp(state, "kept") == 0)
        t->turns[t->nturns].cells++;
    agent_view_show(&t->view, event);
}

/* When the list is full, the oldest turn can no longer be taken back. */
static void begin_turn(struct talk *t) {
    if (t->nturns == MAX_TURNS - 1)
        memmove(t->turns, t->turns + 1, --t->nturns * sizeof *t->turns);
    t->turns[t->nturns] = (struct turn){agent_talk_mark(&t->agent, t->session), 0};
}

static void run_turn(struct talk *t, const char *message) {
    struct agent_options *o = t->chat->options;
    struct agent_outcome outcome;
    struct retort_session *same;
    struct retort_error err = ERR_INIT;
    o->task = message;
    begin_turn(t);
    atomic_store(t->chat->cancelled, false);
    busy = true;
    int r = agent_run(t->chat->engine, o, chat_on_event, t, &outcome, &same, &err);
    busy = false;
    t->nturns++;
    if (r < 0) {
        term_say(&t->err, "31", "%s\n", err.message);
        return;
    }
    if (t->chat->out && outcome.artifacts)
        agent_bring_out(t->session, t->chat->out, &outcome);
    t->lost = outcome.stop == AGENT_ENGINE;
    agent_outcome_done(&outcome);
}

/* --- the whole --- */

static char *chat_prompt(void *user) {
    static char first[] = "you> ", next[] = "...> ";
    return ((struct talk *)user)->more ? next : first;
}

/* Reads one message, with lines that were pasted together, without the blanks at its end. 1; 0 at
 * the end of input; -EINTR: the message was thrown away. */
static int next_message(struct talk *t, struct buf *message) {
    buf_reset(message);
    t->more = false;
    do {
        if (!t->more && !editor_edits(t->editor))
            fputs(chat_prompt(t), stderr);
        scoped_free char *line = editor_next(t->editor);
        if (editor_cancelled(t->editor))
            return -EINTR;
        if (!line && !message->len)
            return 0;
        if (line && buf_adds(message, line) < 0)
            return -EINTR;
        t->more = line;
    } while (t->more && editor_more());
    editor_remember(t->editor, message);
    while (message->len && strchr(" \t\r\n", message->data[message->len - 1]))
        message->data[--message->len] = 0;
    return 1;
}

static void chat_converse(struct talk *t) {
    scoped_buf message = BUF_INIT(MAX_CODE);
    int r = 1;
    while (!t->quit && !t->lost && (r = next_message(t, &message)) != 0) {
        if (r < 0 || !message.len)
            continue;
        if (is_command(message.data))
            chat_run_command(t, message.data);
        else
            run_turn(t, message.data);
    }
    if (r == 0)
        fputs("\n", stderr);
}

/* Whatever would fail at the first message is reported before the user types one. */
static int open_talk(struct talk *t) {
    struct agent_options *o = t->chat->options;
    struct model_options model = o->model;
    struct model_error problem;
    struct retort_error error = {0};
    agent_talk_init(&t->agent, t->chat->history);
    model.cancel = o->cancel;
    if (model_new(&model, &t->agent.model, &problem) < 0)
        return cli_fail("%s", problem.message);
    t->session = o->continued;
    if (!t->session && retort_session_new(t->chat->engine, &o->session, &t->session, &error) < 0)
        return cli_fail_error(&error);
    o->continued = t->session;
    o->talk = &t->agent;
    return 0;
}

static void greet(struct talk *t) {
    bool replays = model_replays(t->agent.model);
    term_say(&t->err, "2", "session %s, %s%s; /help lists commands, Ctrl-D ends\n",
             retort_session_id(t->session),
             replays ? "replies from a cassette, no network" : "model ",
             replays ? "" : model_name(t->agent.model));
}

static int open_editor(struct talk *t) {
    struct editor_options options = {.wake = wake,
                                     .history = t->chat->no_record ? NULL : "agent_history",
                                     .user = t,
                                     .prompt = chat_prompt};
    struct retort_error err = ERR_INIT;
    t->editor = editor_new(&options, &err);
    return t->editor ? 0 : cli_fail("%s", err.message);
}

int agent_chat(struct agent_chat *chat) {
    struct talk t = {.chat = chat};
    setlocale(LC_CTYPE, ""); /* so that the line editor knows what a character is */
    cancelled = chat->cancelled;
    int r = editor_catch_signals(&wake, chat_on_signal);
    if (r == 0)
        r = open_talk(&t);
    if (r == 0)
        r = open_editor(&t);
    term_init(&t.err, 2);
    if (r == 0) {
        agent_view_init(&t.view);
        t.view.chat = true;
        chat->host->view = &t.view;
        greet(&t);
        chat_converse(&t);
        chat->host->view = NULL;
        agent_view_done(&t.view);
        if (!chat->no_record)
            term_say(&t.err, "2", "retort agent --continue %s goes on with it\n",
                     retort_session_id(t.session));
    }
    editor_free(t.editor);
    agent_talk_done(&t.agent);
    if (t.session)
        retort_session_close(t.session);
    term_done(&t.err);
    return r ? r : t.lost ? EXIT_OWN_FAILURE : 0;
}
