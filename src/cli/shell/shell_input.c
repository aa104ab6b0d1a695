#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "cli/editor.h"
#include "cli/shell/shell.h"

struct input {
    struct shell *shell;
    struct editor *editor;
    bool typed; /* a person sits at standard input, and waits for an answer to each line */
    const struct buf *code; /* the cell so far */
    char prompt[64];
    char *ahead; /* a line that belongs to the next cell, or NULL */
};

/* --- the line editor --- */

static char *input_prompt(void *user) {
    struct input *in = user;
    bool colour = in->shell->out.colour;
    int width = snprintf(NULL, 0, "[%u] ", in->shell->cell);
    if (in->code->len)
        snprintf(in->prompt, sizeof in->prompt, "%*s", width > 4 ? width : 4, "... ");
    else
        snprintf(in->prompt, sizeof in->prompt, "%s[%u]%s ",
                 colour ? EDITOR_MARK "\033[1;32m" EDITOR_MARK : "", in->shell->cell,
                 colour ? EDITOR_MARK "\033[0m" EDITOR_MARK : "");
    return in->prompt;
}

static json_t *completions(struct input *in, const char *line, size_t cursor) {
    scoped_buf code = BUF_INIT(MAX_CODE);
    char *text = NULL;
    if (buf_add(&code, in->code->data ? in->code->data : "", in->code->len) < 0 ||
        buf_add(&code, line, cursor) < 0 ||
        retort_complete(in->shell->session, code.data, code.len, &text, NULL) < 0)
        return NULL;
    json_t *answer = json_in_text(text, 0, NULL), *names = json_object_get(answer, "names");
    json_incref(names);
    json_decref(answer);
    retort_free(text);
    return names;
}

static const char *name_at(const json_t *names, size_t i) {
    const char *name = json_string_value(json_array_get(names, i));
    return name ? name : "";
}

static size_t common_length(const json_t *names) {
    size_t len = strlen(name_at(names, 0));
    for (size_t i = 1; i < json_array_size(names); i++) {
        size_t n = 0;
        while (n < len && name_at(names, 0)[n] == name_at(names, i)[n])
            n++;
        len = n;
    }
    return utf8_cut(name_at(names, 0), len);
}

/* The length of the longest end of the line with which the name begins: the part that is typed
 * already. */
static size_t typed_length(const char *line, size_t cursor, const char *name) {
    size_t len = strlen(name) < cursor ? strlen(name) : cursor;
    while (len > 0 && strncmp(line + cursor - len, name, len) != 0)
        len--;
    return len;
}

static void list_names(struct shell *sh, const json_t *names) {
    scoped_buf name = BUF_INIT(MAX_TEXT);
    size_t count = json_array_size(names), shown = count < 100 ? count : 100;
    term_puts(&sh->out, "\n");
    for (size_t i = 0; i < shown; i++) {
        term_line(name_at(names, i), 60, &name);
        dprintf(sh->out.fd, "%-18s%s", name.data, i % 4 == 3 || i + 1 == shown ? "\n" : " ");
    }
    if (shown < count)
        dprintf(sh->out.fd, "and %zu more\n", count - shown);
}

static bool is_printable(const char *text, size_t len) {
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            return false;
    return true;
}

static unsigned char insert(EditLine *el, const char *text, size_t len) {
    scoped_free char *piece = strndup(text, len);
    return piece && is_printable(text, len) && el_insertstr(el, piece) == 0 ? CC_REFRESH : CC_ERROR;
}

static unsigned char input_complete(EditLine *el, void *user) {
    struct input *in = user;
    const LineInfo *li = el_line(el);
    size_t cursor = (size_t)(li->cursor - li->buffer);
    unsigned char r = CC_ERROR;
    scoped_free char *line = strndup(li->buffer, cursor);
    if (!line || !line[strspn(line, " \t")])
        return insert(el, "    ", 4);
    json_t *names = completions(in, line, cursor);
    if (json_array_size(names)) {
        size_t common = common_length(names), typed = typed_length(line, cursor, name_at(names, 0));
        if (common > typed)
            r = insert(el, name_at(names, 0) + typed, common - typed);
        else if (json_array_size(names) > 1) {
            list_names(in->shell, names);
            r = CC_REDISPLAY;
        } else
            r = CC_NORM;
    }
    json_decref(names);
    return r;
}

/* --- reading --- */

/* The width of the prompt before the line. */
static size_t prompt_width(const struct input *in) {
    size_t width = (size_t)snprintf(NULL, 0, "[%u] ", in->shell->cell);
    return in->code->len && width < 4 ? 4 : width;
}

/* How many rows the lines take, or 0 if one is wider than the screen, or has characters of unknown
 * width. */
static size_t rows_of(const char *text, size_t column, size_t columns) {
    size_t rows = 1;
    mbstate_t state = {0};
    for (wchar_t c; *text;) {
        size_t n = mbrtowc(&c, text, MB_CUR_MAX, &state);
        if (n == (size_t)-1 || n == (size_t)-2)
            return 0;
        text += n;
        if (c == L'\n') {
            rows += *text != 0;
            column = 0;
        } else if (wcwidth(c) < 0 || (column += (size_t)wcwidth(c)) >= columns)
            return 0;
    }
    return rows;
}

/* The editor has no colours, so we write the typed text once more, over itself. */
static void colour_typed(struct input *in, const char *typed) {
    struct term *out = &in->shell->out;
    size_t column = prompt_width(in), before = in->code->len, rows;
    scoped_buf code = BUF_INIT(MAX_CODE), coloured = BUF_INIT(4 * MAX_CODE);
    struct winsize size;
    if (!out->colour || typed[0] == ':' || ioctl(out->fd, TIOCGWINSZ, &size) < 0 ||
        !(rows = rows_of(typed, column, size.ws_col)) || rows >= size.ws_row ||
        buf_add(&code, before ? in->code->data : "", before) < 0 || buf_adds(&code, typed) < 0)
        return;
    code_colour(code.data, before, &coloured);
    dprintf(out->fd, "\033[%zuA\033[%zuC", rows, column);
    write_all(out->fd, coloured.data, coloured.len);
}

/* A line with its newline; free it. NULL at the end of input, or when it was cancelled. */
static char *input_next_line(struct input *in) {
    if (in->ahead)
        return TAKE(in->ahead);
    char *line = editor_next(in->editor);
    if (line && editor_edits(in->editor))
        colour_typed(in, line);
    return line;
}

static bool input_is_blank(const char *line) {
    return !line[strspn(line, " \t\r\n")];
}

/* Whether the cell ended before `line`. Then the line may be kept for the next cell. */
static bool cell_ends(struct input *in, const struct buf *code, char **line) {
    if (in->typed && input_is_blank(*line) && code_state(code->data) == CODE_BLOCK &&
        !editor_more())
        return true;
    if (code_goes_on(code->data, *line))
        return false;
    in->ahead = TAKE(*line);
    return true;
}

/* A typed cell runs as soon as it is complete; so does a pasted or recalled block with its end. In
 * other cases the next line decides. */
static bool cell_is_over(const struct input *in, const struct buf *code, const char *line) {
    enum code_state state = code_state(code->data);
    const char *end = strchr(line, '\n');
    return in->typed && (state == CODE_WHOLE || (state == CODE_BLOCK && end && end[1]));
}

static int read_cell(struct input *in, struct buf *code) {
    for (;;) {
        scoped_free char *line = input_next_line(in);
        if (!line && editor_cancelled(in->editor))
            return -EINTR;
        if (!line)
            return code->len > 0;
        if (code->len == 0 && (input_is_blank(line) || line[0] == ':')) {
            if (line[0] == ':')
                return buf_adds(code, line) < 0 ? -EINTR : 1;
            continue;
        }
        if (code->len && cell_ends(in, code, &line))
            return 1;
        if (buf_adds(code, line) < 0)
            return -EINTR;
        if (cell_is_over(in, code, line))
            return 1;
    }
}

int input_read(struct input *in, struct buf *code) {
    buf_reset(code);
    in->code = code;
    int r = read_cell(in, code);
    if (r > 0)
        editor_remember(in->editor, code);
    return r;
}

struct input *input_new(struct shell *sh, struct retort_error *err) {
    struct input *in = calloc(1, sizeof *in);
    struct editor_options options = {.wake = sh->wake,
                                     .history = "shell_history",
                                     .user = in,
                                     .prompt = input_prompt,
                                     .complete = input_complete};
    if (!in) {
        err_errno(err, ERR_HOST, ENOMEM, "cannot read lines");
        return NULL;
    }
    in->shell = sh;
    in->typed = isatty(0);
    in->editor = editor_new(&options, err);
    if (!in->editor) {
        free(in);
        return NULL;
    }
    return in;
}

void input_free(struct input *in) {
    if (!in)
        return;
    editor_free(in->editor);
    free(in->ahead);
    free(in);
}
