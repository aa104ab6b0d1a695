/* Lines that somebody types, or that come through a pipe.
 *
 * On a terminal they have an editor, a history of whole entries (cells, messages), and pasting:
 * what the terminal marks as pasted is one entry that waits for Enter. A signal is told by a
 * descriptor, so that none is lost between two reads.
 *
 * Tests: tests/system/test_shell.py, tests/system/test_agent_chat.py
 */
#pragma once

#include <histedit.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

/* What signal handlers add to `wake`: how often the one, how often the other. */
#define EDITOR_INTERRUPTED 1u
#define EDITOR_RESIZED (1u << 16) /* or continued after a stop */

/* Makes an eventfd for `handler` to write to, stores it in `*wake`, and then lets the handler have
 * SIGINT, SIGWINCH and SIGCONT; SIGPIPE is ignored. 0, or the exit status. */
int editor_catch_signals(int *wake, void (*handler)(int number));

#define EDITOR_MARK "\1" /* in a prompt, around what takes no room on the screen */

struct editor_options {
    int wake;            /* of editor_catch_signals */
    const char *history; /* its file in the state directory, or NULL: it is not kept */
    void *user;
    char *(*prompt)(void *user);
    unsigned char (*complete)(EditLine *el, void *user); /* the Tab key, or NULL */
};

struct editor;

struct editor *editor_new(const struct editor_options *options, struct retort_error *err);
void editor_free(struct editor *e);

/* Is there an editor? Without one nobody sees the prompt. */
bool editor_edits(const struct editor *e);
/* One line with its newline, or what was pasted or recalled at once; to be freed. NULL at the end,
 * and when it was given up with Ctrl-C. */
char *editor_next(struct editor *e);
bool editor_cancelled(const struct editor *e);
/* More of an unmarked paste is there already: nobody types that fast. */
bool editor_more(void);
/* Keeps a whole entry before it is acted on: a program that is killed has lost nothing. */
void editor_remember(struct editor *e, const struct buf *entry);
