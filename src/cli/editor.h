/* Reads lines that a user types, or that come through a pipe.
 *
 * On a terminal they have an editor, a history of whole entries (cells, messages), and pasting:
 * text that the terminal marks as pasted is one entry, and waits for Enter. Signals come through a
 * descriptor, so that none is lost between two reads.
 *
 * Tests: tests/system/test_shell.py, tests/system/test_agent_chat.py
 */
#pragma once

#include <histedit.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

/* What signal handlers add to `wake`: it counts both kinds in one number. */
#define EDITOR_INTERRUPTED 1u
#define EDITOR_RESIZED (1u << 16) /* also: continued after a stop */

/* Makes an eventfd for `handler` to write to, stores it in `*wake`, and then lets the handler have
 * SIGINT, SIGWINCH and SIGCONT; SIGPIPE is ignored. 0, or the exit status. */
int editor_catch_signals(int *wake, void (*handler)(int number));

#define EDITOR_MARK "\1" /* stands around the parts of a prompt that take no room on the screen */

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

/* Whether there is an editor. Without one, no prompt is shown. */
bool editor_edits(const struct editor *e);
/* Returns one line with its newline, or a whole pasted or recalled entry; free it. NULL at the end
 * of input, and when the line was given up with Ctrl-C. */
char *editor_next(struct editor *e);
bool editor_cancelled(const struct editor *e);
/* Whether more of a paste without marks is there already: nobody types that fast. */
bool editor_more(void);
/* Keeps a whole entry in the history before it is run, so that it is not lost if the program is
 * killed. */
void editor_remember(struct editor *e, const struct buf *entry);
