#include "cli/agent_chat.h"

#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#include "base/maxima.h"
#include "base/scope.h"
#include "engine/statedir.h"

#define HISTORY_SIZE 1000
#define PASTE_MS 30 /* between the lines of a paste; a typist is slower */

struct chat_input {
    EditLine *editor; /* NULL: standard output is no terminal */
    History *history;
    char history_path[MAX_PATH + 32];
    int wake;
    bool more, cancelled;
};

static char *chat_prompt(EditLine *el) {
    static char first[] = "you> ", next[] = "...> ";
    void *in = NULL;
    el_get(el, EL_CLIENTDATA, &in);
    return ((struct chat_input *)in)->more ? next : first;
}

static bool was_cancelled(struct chat_input *in) {
    uint64_t word;
    in->cancelled = read(in->wake, &word, sizeof word) > 0;
    return in->cancelled;
}

/* One character for the line editor: 1, or 0 at the end and when the message is given up. */
static int next_character(EditLine *el, wchar_t *ret) {
    void *user = NULL;
    mbstate_t state = {0};
    el_get(el, EL_CLIENTDATA, &user);
    struct chat_input *in = user;
    for (;;) {
        struct pollfd p[] = {{0, POLLIN, 0}, {in->wake, POLLIN, 0}};
        char byte;
        if (poll(p, 2, -1) < 0 && errno != EINTR)
            return 0;
        if (p[1].revents && was_cancelled(in))
            return 0;
        if (!p[0].revents)
            continue;
        ssize_t n = read(0, &byte, 1);
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
            return 0;
        size_t used = n > 0 ? mbrtowc(ret, &byte, 1, &state) : (size_t)-2;
        if (used == (size_t)-1)
            state = (mbstate_t){0};
        else if (used != (size_t)-2)
            return 1;
    }
}

static void history_open(struct chat_input *in, bool keep) {
    struct err err = ERR_INIT;
    HistEvent event;
    char dir[MAX_PATH];
    in->history = history_init();
    if (!in->history)
        return;
    history(in->history, &event, H_SETSIZE, HISTORY_SIZE);
    history(in->history, &event, H_SETUNIQUE, 1);
    el_set(in->editor, EL_HIST, history, in->history);
    if (!keep || statedir_find(NULL, dir, sizeof dir, &err) < 0)
        return;
    snprintf(in->history_path, sizeof in->history_path, "%s/agent_history", dir);
    history(in->history, &event, H_LOAD, in->history_path);
}

static void remember(struct chat_input *in, const char *line) {
    HistEvent event;
    if (!in->history || !line[strspn(line, " \t\r\n")])
        return;
    history(in->history, &event, H_ENTER, line);
    if (!in->history_path[0])
        return;
    scoped_fd fd = open(in->history_path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0 && fchmod(fd, 0600) == 0)
        history(in->history, &event, H_SAVE, in->history_path);
}

struct chat_input *chat_input_new(int wake, bool keep) {
    struct chat_input *in = calloc(1, sizeof *in);
    if (!in)
        return NULL;
    in->wake = wake;
    in->editor = isatty(1) ? el_init("retort", stdin, stdout, stderr) : NULL;
    if (!in->editor)
        return in;
    el_set(in->editor, EL_CLIENTDATA, in);
    el_set(in->editor, EL_PROMPT, chat_prompt);
    el_set(in->editor, EL_EDITOR, "emacs");
    el_set(in->editor, EL_GETCFN, next_character);
    el_set(in->editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
    history_open(in, keep);
    return in;
}

void chat_input_free(struct chat_input *in) {
    if (!in)
        return;
    if (in->editor)
        el_end(in->editor);
    if (in->history)
        history_end(in->history);
    free(in);
}

/* A line with its newline, to be freed; NULL at the end and when it was given up. */
static char *next_line(struct chat_input *in) {
    char *line = NULL;
    size_t size = 0;
    int count = 0;
    in->cancelled = false;
    if (in->editor) {
        const char *typed = el_gets(in->editor, &count);
        if (!typed || count <= 0)
            return NULL;
        remember(in, typed);
        return strdup(typed);
    }
    fputs(in->more ? "" : "you> ", stderr);
    if (getline(&line, &size, stdin) >= 0)
        return line;
    in->cancelled = was_cancelled(in);
    clearerr(stdin);
    free(line);
    return NULL;
}

static bool more_is_there(void) {
    struct pollfd p = {0, POLLIN, 0};
    return poll(&p, 1, PASTE_MS) > 0 && (p.revents & POLLIN);
}

int chat_input_read(struct chat_input *in, struct buf *message) {
    buf_reset(message);
    in->more = false;
    do {
        scoped_free char *line = next_line(in);
        if (in->cancelled)
            return -EINTR;
        if (!line)
            return message->len > 0;
        if (buf_adds(message, line) < 0)
            return -EINTR;
        in->more = true;
    } while (more_is_there());
    return 1;
}
