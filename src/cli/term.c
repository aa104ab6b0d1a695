#include "cli/term.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/io.h"
#include "base/utf8.h"

#define REPLACED "\357\277\275" /* U+FFFD */
#define MAX_SEQUENCE 32

void term_init(struct term *t, int fd) {
    const char *name = getenv("TERM"), *no = getenv("NO_COLOR");
    *t = (struct term){.fd = fd, .tty = isatty(fd), .held = BUF_INIT(2 * MAX_SEQUENCE)};
    t->colour = t->tty && name && strcmp(name, "dumb") != 0 && !(no && no[0]);
}

void term_done(struct term *t) {
    buf_done(&t->held);
}

unsigned term_columns(int fd) {
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 160;
}

enum verdict { PLAIN, KEEP, DROP, REFUSE, MORE };

/* "\033[1;31m" sets a colour; any other sequence could move the cursor, write or ask. */
static enum verdict judge_escape(const char *s, size_t len, size_t *ret_len) {
    if (len < 2)
        return MORE;
    size_t n = 2;
    while (s[1] == '[' && n < len && n < MAX_SEQUENCE && strchr("0123456789;:", s[n]) && s[n])
        n++;
    *ret_len = 1;
    if (s[1] != '[' || n == MAX_SEQUENCE)
        return REFUSE;
    if (n == len)
        return MORE;
    if (s[n] != 'm')
        return REFUSE;
    *ret_len = n + 1;
    return KEEP;
}

/* What to do with the bytes at `s`, and how many bytes that concerns. */
static enum verdict term_judge(const char *s, size_t len, size_t *ret_len) {
    unsigned char c = (unsigned char)s[0];
    *ret_len = 1;
    if (c == 033)
        return judge_escape(s, len, ret_len);
    if (c == 0xc2 && len < 2)
        return MORE;
    if (c == 0xc2 && (unsigned char)s[1] < 0xa0) { /* the same codes in the second control range */
        *ret_len = 2;
        return REFUSE;
    }
    if ((c < ' ' && !strchr("\n\t\r\b", c)) || c == 0 || c == 0x7f)
        return REFUSE;
    return PLAIN;
}

/* Writes what it can, and returns how many bytes that used. */
static size_t filter(struct term *t, const char *s, size_t len) {
    size_t at = 0, begin = 0, n;
    while (at < len) {
        enum verdict v = term_judge(s + at, len - at, &n);
        if (v == MORE)
            break;
        if (v == KEEP && !t->colour)
            v = DROP;
        if (v == DROP || v == REFUSE) {
            write_all(t->fd, s + begin, at - begin);
            if (v == REFUSE)
                write_all(t->fd, REPLACED, strlen(REPLACED));
            begin = at + n;
        }
        at += n;
    }
    write_all(t->fd, s + begin, at - begin);
    return at;
}

void term_text(struct term *t, const char *text, size_t len) {
    if (!t->tty) {
        write_all(t->fd, text, len);
        return;
    }
    while (len > 0 && t->held.len > 0) { /* byte by byte until the held sequence is complete */
        if (buf_add(&t->held, text, 1) < 0)
            buf_reset(&t->held);
        text++;
        len--;
        buf_drop(&t->held, filter(t, t->held.data, t->held.len));
    }
    size_t used = filter(t, text, len);
    if (used < len)
        buf_add(&t->held, text + used, len - used);
}

void term_puts(struct term *t, const char *text) {
    term_text(t, text, strlen(text));
}

void term_say(struct term *t, const char *sgr, const char *fmt, ...) {
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (t->colour)
        dprintf(t->fd, "\033[%sm", sgr);
    term_puts(t, text);
    if (t->colour)
        dprintf(t->fd, "\033[0m");
}

void term_line(const char *text, size_t width, struct buf *ret) {
    size_t shown = 0, n;
    buf_reset(ret);
    buf_adds(ret, "");
    for (size_t len = strcspn(text, "\r\n"); len > 0; text += n, len -= n) {
        bool cut = shown == width;
        enum verdict v = term_judge(text, len, &n);
        if (!utf8_goes_on(*text))
            shown++;
        if (cut && !utf8_goes_on(*text)) {
            buf_adds(ret, "…");
            return;
        }
        if (v == MORE)
            n = len;
        if (v == PLAIN && *text != '\b')
            buf_add(ret, *text == '\t' ? " " : text, n);
        else if (v != KEEP)
            buf_adds(ret, REPLACED);
    }
}
