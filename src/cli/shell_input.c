#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "cli/shell.h"
#include "engine/statedir.h"

#define HISTORY_SIZE 2000

struct input {
    struct shell *shell;
    bool typed;       /* somebody sits at standard input, and waits for an answer to each line */
    EditLine *editor; /* NULL: not, or not in front of standard output */
    History *history;
    char history_path[MAX_PATH + 32];
    const struct buf *code; /* what was read of the cell so far */
    char prompt[64];
    bool cancelled;
    char *ahead; /* a line that belongs to the next cell, or NULL */
};

/* --- the line editor --- */

static struct input *input_of(EditLine *el) {
    void *in = NULL;
    el_get(el, EL_CLIENTDATA, &in);
    return in;
}

#define MARK "\1" /* around what takes no room on the screen */

static char *prompt(EditLine *el) {
    struct input *in = input_of(el);
    bool colour = in->shell->out.colour;
    int width = snprintf(NULL, 0, "[%u] ", in->shell->cell);
    if (in->code->len)
        snprintf(in->prompt, sizeof in->prompt, "%*s", width > 4 ? width : 4, "... ");
    else
        snprintf(in->prompt, sizeof in->prompt, "%s[%u]%s ", colour ? MARK "\033[1;32m" MARK : "",
                 in->shell->cell, colour ? MARK "\033[0m" MARK : "");
    return in->prompt;
}

static json_t *completions(struct input *in, const char *line, size_t cursor) {
    scoped_buf code = BUF_INIT(MAX_CODE);
    char *text = NULL;
    if (buf_add(&code, in->code->data ? in->code->data : "", in->code->len) < 0 ||
        buf_add(&code, line, cursor) < 0 ||
        retort_complete(in->shell->session, code.data, code.len, &text, NULL) < 0)
        return NULL;
    json_t *answer = json_loads(text, 0, NULL), *names = json_object_get(answer, "names");
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
    while (len > 0 && (name_at(names, 0)[len] & 0xc0) == 0x80)
        len--;
    return len;
}

/* The longest end of the line that the name begins with: what is typed of it already. */
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

static unsigned char complete(EditLine *el, wint_t c) {
    struct input *in = input_of(el);
    const LineInfo *li = el_line(el);
    size_t cursor = (size_t)(li->cursor - li->buffer);
    unsigned char r = CC_ERROR;
    (void)c;
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

/* --- pasting --- */

/* Terminals put these around what is pasted, if asked to: so an empty line in it ends no block, and
 * nothing runs before Enter. */
#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"
#define PASTE_BEGINS "\\e[200~" /* as the editor writes a key */
#define PASTE_ENDS L"\033[201~"
#define PASTE_ENDS_LEN 6

struct pasted {
    wchar_t *text;
    size_t len, size;
};

static bool pasted_add(struct pasted *p, wchar_t c) {
    if (p->len + 1 >= p->size) {
        size_t size = p->size ? 2 * p->size : 1024;
        wchar_t *grown = size <= MAX_CODE ? realloc(p->text, size * sizeof *grown) : NULL;
        if (!grown)
            return false;
        p->text = grown;
        p->size = size;
    }
    p->text[p->len++] = c;
    p->text[p->len] = 0;
    return true;
}

static bool pasted_ends(const struct pasted *p) {
    return p->len >= PASTE_ENDS_LEN && wcscmp(p->text + p->len - PASTE_ENDS_LEN, PASTE_ENDS) == 0;
}

/* Lines end with a newline, and nothing is left that an editor could take for a command. */
static void pasted_clean(struct pasted *p) {
    size_t to = 0;
    for (size_t i = 0; i < p->len; i++) {
        wchar_t c = p->text[i];
        if (c == L'\r' && p->text[i + 1] == L'\n')
            continue;
        if (c == L'\r')
            c = L'\n';
        if (c >= L' ' || c == L'\n' || c == L'\t')
            p->text[to++] = c;
    }
    while (to > 0 && p->text[to - 1] == L'\n')
        to--;
    p->text[to] = 0;
}

static unsigned char paste(EditLine *el, wint_t key) {
    struct pasted p = {0};
    wchar_t c;
    bool fits = true;
    (void)key;
    while (fits && !pasted_ends(&p) && el_wgetc(el, &c) == 1)
        fits = pasted_add(&p, c);
    unsigned char r = CC_ERROR;
    if (fits && pasted_ends(&p)) {
        p.len -= PASTE_ENDS_LEN;
        p.text[p.len] = 0;
        pasted_clean(&p);
        r = el_winsertstr(el, p.text) == 0 ? CC_REFRESH : CC_ERROR;
    }
    free(p.text);
    return r;
}

/* More of an unmarked paste is there already: nobody types that fast. */
static bool more_is_pasted(void) {
    struct pollfd p = {0, POLLIN, 0};
    return poll(&p, 1, 30) > 0;
}

/* --- history --- */

static void history_open(struct input *in) {
    struct err err = ERR_INIT;
    HistEvent event;
    char dir[MAX_PATH];
    in->history = history_init();
    if (!in->history || statedir_find(NULL, dir, sizeof dir, &err) < 0)
        return;
    snprintf(in->history_path, sizeof in->history_path, "%s/shell_history", dir);
    history(in->history, &event, H_SETSIZE, HISTORY_SIZE);
    history(in->history, &event, H_SETUNIQUE, 1);
    history(in->history, &event, H_LOAD, in->history_path);
    el_set(in->editor, EL_HIST, history, in->history);
}

/* A whole cell, before it runs: a shell that is killed has lost nothing. */
static void remember(struct input *in, const struct buf *code) {
    HistEvent event;
    size_t len = code->len;
    while (len > 0 && strchr(" \t\r\n", code->data[len - 1]))
        len--;
    scoped_free char *cell = strndup(code->len ? code->data : "", len);
    if (!in->history || !cell || !len)
        return;
    history(in->history, &event, H_ENTER, cell);
    scoped_fd fd = open(in->history_path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0 && fchmod(fd, 0600) == 0)
        history(in->history, &event, H_SAVE, in->history_path);
}

/* --- reading --- */

/* True: give up this line. */
static bool hear_signals(struct input *in) {
    uint64_t word = 0;
    if (read(in->shell->wake, &word, sizeof word) < 0 || word == 0)
        return false;
    if (word >= SHELL_RESIZED) {
        el_resize(in->editor);
        el_set(in->editor, EL_PREP_TERM, 1);
        el_set(in->editor, EL_REFRESH);
    }
    in->cancelled = word % SHELL_RESIZED != 0;
    return in->cancelled;
}

/* One character for the line editor: 1, or 0 at the end and when the line is given up. */
static int next_character(EditLine *el, wchar_t *ret) {
    struct input *in = input_of(el);
    mbstate_t state = {0};
    for (;;) {
        struct pollfd p[] = {{0, POLLIN, 0}, {in->shell->wake, POLLIN, 0}};
        char byte;
        if (poll(p, 2, -1) < 0 && errno != EINTR)
            return 0;
        if (p[1].revents && hear_signals(in))
            return 0;
        if (!p[0].revents)
            continue;
        ssize_t n = read(0, &byte, 1);
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
            return 0;
        if (n < 0)
            continue;
        size_t used = mbrtowc(ret, &byte, 1, &state);
        if (used == (size_t)-1)
            state = (mbstate_t){0};
        else if (used != (size_t)-2)
            return 1;
    }
}

static int editor_open(struct input *in) {
    in->editor = el_init("retort", stdin, stdout, stderr);
    if (!in->editor)
        return -ENOMEM;
    el_set(in->editor, EL_CLIENTDATA, in);
    el_set(in->editor, EL_PROMPT_ESC, prompt, MARK[0]);
    el_set(in->editor, EL_EDITOR, "emacs");
    el_set(in->editor, EL_GETCFN, next_character);
    el_wset(in->editor, EL_ADDFN, L"retort-complete", L"complete a name", complete);
    el_set(in->editor, EL_BIND, "^I", "retort-complete", NULL);
    el_wset(in->editor, EL_ADDFN, L"retort-paste", L"take what was pasted", paste);
    el_set(in->editor, EL_BIND, PASTE_BEGINS, "retort-paste", NULL);
    el_set(in->editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
    history_open(in);
    return 0;
}

struct input *input_new(struct shell *sh, struct err *err) {
    struct input *in = calloc(1, sizeof *in);
    if (in) {
        in->shell = sh;
        in->typed = isatty(0);
    }
    if (in && in->typed && isatty(1) && editor_open(in) < 0) {
        free(in);
        in = NULL;
    }
    if (!in)
        err_set(err, ERR_HOST, ENOMEM, "cannot read lines");
    return in;
}

void input_free(struct input *in) {
    if (!in)
        return;
    if (in->editor)
        el_end(in->editor);
    if (in->history)
        history_end(in->history);
    free(in->ahead);
    free(in);
}

/* How wide the prompt is that stands before the line. */
static size_t prompt_width(const struct input *in) {
    size_t width = (size_t)snprintf(NULL, 0, "[%u] ", in->shell->cell);
    return in->code->len && width < 4 ? 4 : width;
}

/* Rows that the lines take up, or 0 if one of them is wider than the screen, or has what is as wide
 * as nobody knows. */
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

/* The editor knows no colours: what was typed is written once more over itself. */
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

/* A line with its newline, malloc'ed; NULL at the end, or when it was cancelled. */
static char *next_line(struct input *in) {
    char *line = NULL;
    size_t size = 0;
    int count;
    if (in->ahead)
        return TAKE(in->ahead);
    if (!in->editor) {
        if (getline(&line, &size, stdin) >= 0)
            return line;
        free(line);
        return NULL;
    }
    in->cancelled = false;
    write_all(in->shell->out.fd, PASTE_ON, strlen(PASTE_ON));
    const char *typed = el_gets(in->editor, &count);
    write_all(in->shell->out.fd, PASTE_OFF, strlen(PASTE_OFF));
    if (in->cancelled) {
        term_puts(&in->shell->out, "^C\n");
        return NULL;
    }
    if (typed && count > 0)
        colour_typed(in, typed);
    return typed && count > 0 ? strdup(typed) : NULL;
}

static bool is_blank(const char *line) {
    return !line[strspn(line, " \t\r\n")];
}

/* Is the cell over, now that `line` was read? Then the line may be left for the next one. */
static bool cell_ends(struct input *in, const struct buf *code, char **line) {
    if (in->typed && is_blank(*line) && code_state(code->data) == CODE_BLOCK && !more_is_pasted())
        return true;
    if (code_goes_on(code->data, *line))
        return false;
    in->ahead = TAKE(*line);
    return true;
}

/* What is typed is run as soon as it is whole; a block that was pasted or recalled, with its end,
 * as well. Elsewhere the next line tells. */
static bool cell_is_over(const struct input *in, const struct buf *code, const char *line) {
    enum code_state state = code_state(code->data);
    const char *end = strchr(line, '\n');
    return in->typed && (state == CODE_WHOLE || (state == CODE_BLOCK && end && end[1]));
}

static int read_cell(struct input *in, struct buf *code) {
    for (;;) {
        scoped_free char *line = next_line(in);
        if (!line && in->editor && in->cancelled)
            return -EINTR;
        if (!line)
            return code->len > 0;
        if (code->len == 0 && (is_blank(line) || line[0] == ':')) {
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
    if (r > 0 && in->editor)
        remember(in, code);
    return r;
}
