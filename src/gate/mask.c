#include "gate/mask.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/buf.h"
#include "base/hex.h"

/* --- the texts --- */

/* The secret's characters inside of the base64 of something longer, in which `before` bytes precede
 * it: only those that depend on no neighbour. */
static char *base64_inside(const char *secret, size_t before) {
    scoped_buf plain = BUF_INIT(MAX_MASKED + 4), coded = BUF_INIT(2 * MAX_MASKED);
    if (buf_add(&plain, "\0\0", before) < 0 || buf_adds(&plain, secret) < 0 ||
        base64_encode(&coded, plain.data, plain.len) < 0)
        return NULL;
    size_t from = (8 * before + 5) / 6, to = 8 * plain.len / 6;
    char *text = strndup(coded.data + from, to - from);
    explicit_bzero(plain.data, plain.len);
    explicit_bzero(coded.data, coded.len);
    return text;
}

static char *hexadecimal(const char *secret, const char *digits) {
    size_t len = strlen(secret);
    char *text = malloc(2 * len + 1);
    for (size_t i = 0; text && i < len; i++) {
        text[2 * i] = digits[(unsigned char)secret[i] >> 4];
        text[2 * i + 1] = digits[(unsigned char)secret[i] & 15];
    }
    if (text)
        text[2 * len] = 0;
    return text;
}

int masks_init(struct masks *m, const char *secret) {
    *m = (struct masks){.texts = {NULL}};
    if (strlen(secret) < 4) /* a shorter secret would hide half of every answer */
        return 0;
    char *texts[] = {strdup(secret),
                     base64_inside(secret, 0),
                     base64_inside(secret, 1),
                     base64_inside(secret, 2),
                     hexadecimal(secret, "0123456789abcdef"),
                     hexadecimal(secret, "0123456789ABCDEF")};
    bool whole = true;
    size_t count = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        whole = whole && texts[i];
        if (texts[i])
            m->texts[count++] = texts[i];
    }
    static const char any[] = "%\\+-_"; /* characters with which their first one may be written */
    for (size_t i = 0; i < sizeof any - 1; i++)
        m->first[(unsigned char)any[i]] = true;
    for (size_t i = 0; i < count; i++)
        m->first[(unsigned char)m->texts[i][0]] = true;
    return whole ? 0 : -ENOMEM;
}

void masks_done(struct masks *m) {
    for (size_t i = 0; i < MASKS && m->texts[i]; i++) {
        explicit_bzero(m->texts[i], strlen(m->texts[i]));
        free(m->texts[i]);
        m->texts[i] = NULL;
    }
}

/* --- looking for them --- */

#define OPEN (-1) /* the bytes that follow decide */
#define MAX_BREAK 4

/* Two digits that follow `from` bytes. */
static long match_digits(const char *at, size_t len, size_t from, char c) {
    if (len < from + 2)
        return OPEN;
    int high = hex_digit(at[from]), low = hex_digit(at[from + 1]);
    return high >= 0 && low >= 0 && high * 16 + low == (unsigned char)c ? (long)from + 2 : 0;
}

/* How a text may be written: encoded, or plain; with or without the % of URLs. A secret with %25 in
 * it means one thing in a URL and another in JSON. */
enum writing { PLAIN, PLAIN_JSON, CODED };

static long match_escape(const char *at, size_t len, char c, enum writing how) {
    static const char unicode[] = "\\u00";
    size_t known = sizeof unicode - 1;
    if (at[0] == '%')
        return how == PLAIN_JSON ? 0 : match_digits(at, len, 1, c);
    if (at[0] != '\\' || (len > 1 && at[1] != 'u'))
        return at[0] == '\\' && at[1] == c ? 2 : 0;
    if (memcmp(at, unicode, len < known ? len : known) != 0)
        return 0;
    return len < known ? OPEN : match_digits(at, len, known, c);
}

/* How many of these bytes write the character; 0: they do not. */
static long match_mark(const char *at, size_t len, char c, enum writing how) {
    long n = len ? match_escape(at, len, c, how) : OPEN;
    if (n)
        return n;
    bool url = how == CODED ? (c == '+' && at[0] == '-') || (c == '/' && at[0] == '_')
                            : c == ' ' && at[0] == '+';
    return at[0] == c || url;
}

/* Encoded texts are broken into lines, in JSON with \n, in headers with spaces. */
static size_t match_break(const char *at, size_t len) {
    size_t n = 0;
    while (n < len && n < MAX_BREAK)
        if (strchr("\r\n\t ", at[n]) && at[n])
            n++;
        else if (at[n] == '\\' && n + 1 < len && (at[n + 1] == 'r' || at[n + 1] == 'n'))
            n += 2;
        else
            break;
    return n;
}

/* How many of these bytes write the text. */
static long match_text(const char *text, enum writing how, const char *at, size_t len) {
    size_t n = 0;
    for (const char *c = text; *c; c++) {
        if (how == CODED && c > text)
            n += match_break(at + n, len - n);
        long one = match_mark(at + n, len - n, *c, how);
        if (one <= 0)
            return one;
        n += (size_t)one;
    }
    return (long)n;
}

/* The same for all texts; the secret as it stands comes before readings of its escapes. */
static long masks_match(const struct masks *m, const char *at, size_t len) {
    size_t whole = strlen(m->texts[0]), common = len < whole ? len : whole;
    bool open = false;
    if (memcmp(at, m->texts[0], common) == 0) {
        if (common == whole)
            return (long)whole;
        open = true;
    }
    long n = match_text(m->texts[0], PLAIN_JSON, at, len);
    for (size_t i = 0; n <= 0 && i < MASKS && m->texts[i]; i++) {
        open = open || n == OPEN;
        n = match_text(m->texts[i], i > 0 ? CODED : PLAIN, at, len);
    }
    return n > 0 ? n : open || n == OPEN ? OPEN : 0;
}

static void hide_bytes(char *bytes, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (bytes[i] != '\r' && bytes[i] != '\n') /* so that lines stay lines */
            bytes[i] = '*';
}

void masks_apply(const struct masks *m, char *bytes, size_t len) {
    for (size_t at = 0; m->texts[0] && at < len;) {
        long n = m->first[(unsigned char)bytes[at]] ? masks_match(m, bytes + at, len - at) : 0;
        if (n > 0)
            hide_bytes(bytes + at, (size_t)n);
        at += n > 0 ? (size_t)n : 1;
    }
}

/* We wait for no more bytes than a buffer can hold. */
#define MOST_OPEN (48u << 10)

size_t masks_open(const struct masks *m, const char *bytes, size_t len) {
    for (size_t at = len > MOST_OPEN ? len - MOST_OPEN : 0; m->texts[0] && at < len; at++)
        if (m->first[(unsigned char)bytes[at]] && masks_match(m, bytes + at, len - at) == OPEN)
            return len - at;
    return 0;
}
