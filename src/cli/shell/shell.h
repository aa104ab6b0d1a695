/* retort shell: an interactive session.
 *
 * cmd_shell.c opens the session and runs cells; shell_input.c reads them, line by line with
 * cli/editor.h; shell_code.c knows when one is complete; shell_colour.c colours it; shell_show.c
 * shows results, with shell_picture.c; shell_commands.c does what begins with a colon, with
 * shell_branches.c. Everything that comes from the session is printed through cli/term.h.
 *
 * Tests: tests/system/test_shell.py
 */
#pragma once

#include <jansson.h>

#include "base/buf.h"
#include "cli/cli.h"
#include "cli/elapsed.h"
#include "cli/term.h"
#include "cli/tools/toolfile.h"

#define SHELL_SESSIONS 16 /* the first one and its branches */

/* How a terminal accepts pictures. */
enum picture_kind { PICTURE_NONE, PICTURE_KITTY, PICTURE_ITERM, PICTURE_SIXEL };

struct shell {
    struct retort_engine *engine;
    struct toolfile tools;
    struct retort_session *session; /* cells go to this session */
    struct retort_session *sessions[SHELL_SESSIONS];
    size_t nsessions;
    const struct cli_options *options;
    const char *out_dir; /* directory for plots */
    struct term out, err;
    struct elapsed elapsed; /* shown while a cell is silent */
    enum picture_kind pictures;
    unsigned cell;  /* number of the next cell */
    unsigned plots; /* saved so far */
    bool mid_line;  /* the last output did not end with a newline */
    bool quit;
    int wake; /* eventfd: signals for the line editor */
};

/* Makes a session with the options of the command line, and uses it. 0, or the exit status. */
int shell_session(struct shell *sh);
/* Takes the number of the next cell from the session in use. */
void shell_count(struct shell *sh);

/* --- shell_code.c: pure --- */

enum code_state {
    CODE_EMPTY, /* blank lines and comments */
    CODE_WHOLE,
    CODE_OPEN, /* inside of brackets, a long string, or after a backslash */
    CODE_BLOCK /* a block began: the next line will show where it ends */
};

enum code_state code_state(const char *code);
/* Whether `line` belongs to the last statement of `code`. A line belongs to a block unless it
 * begins in the first column and is neither a comment nor `else` and the like. */
bool code_goes_on(const char *code, const char *line);

/* --- shell_colour.c --- */

/* `code` from `from` on, with colours for a terminal. */
void code_colour(const char *code, size_t from, struct buf *ret);

/* --- shell_picture.c --- */

/* Decided by the variables that terminals set; $RETORT_PICTURES overrides it. */
enum picture_kind picture_kind(const struct term *t);
/* False: it was not shown. */
bool picture_show(struct shell *sh, const struct buf *png);

/* --- shell_input.c --- */

struct input;

struct input *input_new(struct shell *sh, struct retort_error *err);
void input_free(struct input *in);
/* Reads one cell or command. 1: there is one; 0: the end of input; -EINTR: it was thrown away. */
int input_read(struct input *in, struct buf *code);

/* --- shell_show.c --- */

void shell_show_output(void *user, enum retort_stream stream, const char *text, size_t len,
                       uint64_t time_ns);
void show_display(void *user, const char *display_json);
void show_result(struct shell *sh, const json_t *result);

/* --- shell_commands.c --- */

void shell_command(struct shell *sh, const char *line);

/* --- shell_branches.c --- */

void shell_compare(struct shell *sh, const char *argument);
void shell_keep(struct shell *sh, const char *argument);
