#include "cli/editor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "cli/cli.h"
#include "engine/host/statedir.h"

#define HISTORY_SIZE 2000
#define CTRL_D 4
#define PASTE_MS 30 /* between two lines of a paste; a person types more slowly */

struct editor {
    struct editor_options options;
    EditLine *line; /* NULL: standard input and output are not both terminals */
    History *history;
    char history_path[MAX_PATH + 32]; /* empty: the history is not kept */
    bool cancelled;
    int ahead; /* bytes that were typed before the editor had the terminal, and that it has not read
                  yet */
};

int editor_catch_signals(int *wake, void (*handler)(int number)) {
    struct sigaction action = {.sa_handler = handler}, ignore = {.sa_handler = SIG_IGN};
    *wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (*wake < 0)
        return cli_fail("cannot make an event descriptor: %s", strerror(errno));
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGWINCH, &action, NULL);
    sigaction(SIGCONT, &action, NULL);
    sigaction(SIGPIPE, &ignore, NULL);
    return 0;
}

static struct editor *editor_of(EditLine *el) {
    void *e = NULL;
    el_get(el, EL_CLIENTDATA, &e);
    return e;
}

static char *editor_prompt(EditLine *el) {
    struct editor *e = editor_of(el);
    return e->options.prompt(e->options.user);
}

static unsigned char editor_complete(EditLine *el, wint_t key) {
    struct editor *e = editor_of(el);
    (void)key;
    return e->options.complete(el, e->options.user);
}

/* --- pasting --- */

/* On request, terminals put these marks around pasted text: so an empty line in it does not end the
 * cell, and nothing runs before Enter. */
#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"
#define PASTE_BEGINS "\\e[200~" /* in the notation of the editor */
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

/* Makes every line end with a newline, and removes what an editor could take for a command. */
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

bool editor_more(void) {
    struct pollfd p = {0, POLLIN, 0};
    return poll(&p, 1, PASTE_MS) > 0 && (p.revents & POLLIN);
}

/* --- history --- */

static void history_open(struct editor *e) {
    struct retort_error err = ERR_INIT;
    HistEvent event;
    char dir[MAX_PATH];
    e->history = history_init();
    if (!e->history)
        return;
    history(e->history, &event, H_SETSIZE, HISTORY_SIZE);
    history(e->history, &event, H_SETUNIQUE, 1);
    el_set(e->line, EL_HIST, history, e->history);
    if (!e->options.history || statedir_find(NULL, dir, sizeof dir, &err) < 0)
        return;
    snprintf(e->history_path, sizeof e->history_path, "%s/%s", dir, e->options.history);
    history(e->history, &event, H_LOAD, e->history_path);
}

void editor_remember(struct editor *e, const struct buf *entry) {
    HistEvent event;
    size_t len = entry->len;
    while (len > 0 && strchr(" \t\r\n", entry->data[len - 1]))
        len--;
    scoped_free char *text = e->history && len ? strndup(entry->data, len) : NULL;
    if (!text)
        return;
    history(e->history, &event, H_ENTER, text);
    if (!e->history_path[0])
        return;
    scoped_fd fd = open(e->history_path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0 && fchmod(fd, 0600) == 0)
        history(e->history, &event, H_SAVE, e->history_path);
}

/* --- reading --- */

/* True: this line is given up. */
static bool hear_signals(struct editor *e) {
    uint64_t word = 0;
    if (read(e->options.wake, &word, sizeof word) < 0 || word == 0)
        return false;
    if (e->line && word >= EDITOR_RESIZED) {
        el_resize(e->line);
        el_set(e->line, EL_PREP_TERM, 1);
        el_set(e->line, EL_REFRESH);
    }
    e->cancelled = word % EDITOR_RESIZED != 0;
    return e->cancelled;
}

/* False: no input will come, or the line is given up. */
static bool wait_for_input(struct editor *e) {
    for (;;) {
        struct pollfd p[] = {{0, POLLIN, 0}, {e->options.wake, POLLIN, 0}};
        if (poll(p, 2, -1) < 0 && errno != EINTR)
            return false;
        if (p[1].revents && hear_signals(e))
            return false;
        if (p[0].revents)
            return true;
    }
}

/* Never waits. Ctrl-C makes a terminal forget what was typed, even bytes that poll has announced; a
 * read that waited would then take the first line after Ctrl-C for one before it. O_NONBLOCK is set
 * only during this call, because every process with this terminal shares the flag. */
static ssize_t read_announced(char *to, size_t size) {
    int flags = fcntl(0, F_GETFL);
    if (flags < 0 || fcntl(0, F_SETFL, flags | O_NONBLOCK) < 0)
        return -1;
    ssize_t n = read(0, to, size);
    int saved = errno;
    fcntl(0, F_SETFL, flags);
    errno = saved;
    return n;
}

/* If the terminal itself took a Ctrl-D as the end of a line, the editor gets a zero. */
static void restore_ends(struct editor *e, char *typed, size_t n) {
    for (size_t i = 0; i < n && e->ahead > 0; i++, e->ahead--)
        if (typed[i] == 0)
            typed[i] = CTRL_D;
}

/* Reads what was typed, at least one byte; 0 at the end of input, or when the line is given up. */
static size_t read_typed(struct editor *e, char *to, size_t size) {
    while (wait_for_input(e)) {
        ssize_t n = read_announced(to, size);
        if (n >= 0) {
            restore_ends(e, to, (size_t)n);
            return (size_t)n;
        }
        if (errno != EINTR && errno != EAGAIN)
            return 0;
    }
    return 0;
}

/* One character for the line editor: 1; or 0 at the end of input, or when the line is given up. */
static int next_character(EditLine *el, wchar_t *ret) {
    struct editor *e = editor_of(el);
    mbstate_t state = {0};
    for (char byte; read_typed(e, &byte, 1);) {
        size_t used = mbrtowc(ret, &byte, 1, &state);
        if (used == (size_t)-1)
            state = (mbstate_t){0};
        else if (used != (size_t)-2)
            return 1;
    }
    return 0;
}

/* The editor prints the prompt before it takes over the terminal. Without this, the terminal itself
 * would take what the user types in between, and a Ctrl-D would be lost. */
static char *next_edited(struct editor *e) {
    int count = 0;
    el_set(e->line, EL_PREP_TERM, 1);
    if (ioctl(0, FIONREAD, &e->ahead) < 0)
        e->ahead = 0;
    write_all(1, PASTE_ON, strlen(PASTE_ON));
    const char *typed = el_gets(e->line, &count);
    write_all(1, PASTE_OFF, strlen(PASTE_OFF));
    if (e->cancelled)
        write_all(1, "^C\n", 3);
    return !e->cancelled && typed && count > 0 ? strdup(typed) : NULL;
}

/* A terminal gives at most one line at a time, so nothing is left over for the next call. */
static char *next_typed(struct editor *e) {
    scoped_buf line = BUF_INIT(MAX_CODE);
    char piece[4096];
    for (size_t n; (n = read_typed(e, piece, sizeof piece));)
        if (buf_add(&line, piece, n) < 0 || piece[n - 1] == '\n')
            break;
    return !e->cancelled && line.len ? strdup(line.data) : NULL;
}

static char *next_piped(struct editor *e) {
    char *line = NULL;
    size_t size = 0;
    for (;;) {
        if (getline(&line, &size, stdin) >= 0)
            return line;
        bool disturbed = ferror(stdin) && errno == EINTR;
        clearerr(stdin);
        if (!disturbed || hear_signals(e))
            break;
    }
    free(line);
    return NULL;
}

char *editor_next(struct editor *e) {
    e->cancelled = false;
    if (e->line)
        return next_edited(e);
    return isatty(0) ? next_typed(e) : next_piped(e);
}

bool editor_cancelled(const struct editor *e) {
    return e->cancelled;
}

bool editor_edits(const struct editor *e) {
    return e->line;
}

/* --- the whole --- */

static int open_line(struct editor *e) {
    e->line = el_init("retort", stdin, stdout, stderr);
    if (!e->line)
        return -ENOMEM;
    el_set(e->line, EL_CLIENTDATA, e);
    el_set(e->line, EL_PROMPT_ESC, editor_prompt, EDITOR_MARK[0]);
    el_set(e->line, EL_EDITOR, "emacs");
    el_set(e->line, EL_GETCFN, next_character);
    if (e->options.complete) {
        el_wset(e->line, EL_ADDFN, L"retort-complete", L"complete a name", editor_complete);
        el_set(e->line, EL_BIND, "^I", "retort-complete", NULL);
    }
    el_wset(e->line, EL_ADDFN, L"retort-paste", L"take what was pasted", paste);
    el_set(e->line, EL_BIND, PASTE_BEGINS, "retort-paste", NULL);
    el_set(e->line, EL_BIND, "^R", "em-inc-search-prev", NULL);
    history_open(e);
    return 0;
}

struct editor *editor_new(const struct editor_options *options, struct retort_error *err) {
    struct editor *e = calloc(1, sizeof *e);
    if (e)
        e->options = *options;
    if (e && isatty(0) && isatty(1) && open_line(e) < 0) {
        free(e);
        e = NULL;
    }
    if (!e)
        err_errno(err, ERR_HOST, ENOMEM, "cannot read lines");
    return e;
}

void editor_free(struct editor *e) {
    if (!e)
        return;
    if (e->line)
        el_end(e->line);
    if (e->history)
        history_end(e->history);
    free(e);
}
