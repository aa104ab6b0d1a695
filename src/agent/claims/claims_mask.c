#include "agent/claims/claims_mask.h"

#include "agent/text/number.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

static bool is_number_span(const char *s, size_t len) {
    size_t digits = 0, letters = 0;
    for (size_t i = 0; i < len; i++) {
        digits += isdigit((unsigned char)s[i]) != 0;
        letters += isalpha((unsigned char)s[i]) != 0;
        if (strchr("=()[]{}_;<>'\"#", s[i]))
            return false;
    }
    return digits && letters <= 2;
}

/* Languages whose fenced blocks are code; anything else in a fence is output or a table. */
static bool code_language(const char *s, size_t len) {
    static const char *const names[] = {"python", "py",  "python3", "bash", "sh",        "shell",
                                        "js",     "sql", "c",       "json", "javascript"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == len && strncasecmp(s, names[i], len) == 0)
            return true;
    return false;
}

static size_t mask_fence(const char *text, size_t len, size_t at, char *mask) {
    const char *eol = memchr(text + at, '\n', len - at);
    if (!eol)
        return at + 3;
    size_t body = (size_t)(eol - text) + 1, name = at + 3;
    const char *end = memmem(text + body, len - body, "```", 3);
    size_t stop = end ? (size_t)(end - text) : len;
    size_t word = name;
    while (word < body && isalnum((unsigned char)text[word]))
        word++;
    memset(mask + at, 1, body - at);
    if (code_language(text + name, word - name))
        memset(mask + body, 1, stop - body);
    return end ? stop + 3 : len;
}

static size_t mask_span(const char *text, size_t len, size_t at, char *mask) {
    const char *end = memchr(text + at + 1, '`', len - at - 1);
    const char *eol = memchr(text + at + 1, '\n', len - at - 1);
    if (!end || (eol && eol < end))
        return at + 1;
    size_t stop = (size_t)(end - text);
    if (!is_number_span(text + at + 1, stop - at - 1))
        memset(mask + at, 1, stop + 1 - at);
    return stop + 1;
}

static bool known_suffix(const char *s, size_t len) {
    static const char *const names[] = {
        "csv", "tsv",     "json", "txt", "png", "jpg", "jpeg", "svg", "pdf",  "xlsx", "xls", "py",
        "db",  "sqlite",  "html", "md",  "log", "xml", "zip",  "gz",  "npy",  "pkl",  "js",  "sh",
        "sql", "parquet", "gif",  "yml", "tar", "ini", "dat",  "bin", "yaml", "ipynb"};
    size_t i = len;
    while (i > 0 && isalnum((unsigned char)s[i - 1]))
        i--;
    if (i == 0 || s[i - 1] != '.')
        return false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strlen(names[k]) == len - i && strncasecmp(s + i, names[k], len - i) == 0)
            return true;
    return false;
}

static bool mask_is_path(const char *s, size_t len) {
    size_t slashes = 0, letters = 0;
    for (size_t i = 0; i < len; i++) {
        slashes += s[i] == '/';
        letters += isalpha((unsigned char)s[i]) != 0;
    }
    if (!slashes || !letters)
        return false;
    return s[0] == '/' || (s[0] == '.' && len > 1 && s[1] == '/') || s[0] == '~' || slashes > 2;
}

static bool is_file_or_name(const char *s, size_t len) {
    while (len && strchr(".,;:!?", s[len - 1]))
        len--;
    if (!len)
        return false;
    return memmem(s, len, "://", 3) || memchr(s, '@', len) || known_suffix(s, len) ||
           mask_is_path(s, len);
}

static void mask_names(const char *text, size_t len, char *mask) {
    static const char breaks[] = " \t\r\n()[]{}\"'`<>|*,;";
    for (size_t i = 0; i < len;) {
        size_t n = 0;
        while (i + n < len && !strchr(breaks, text[i + n]))
            n++;
        if (n && is_file_or_name(text + i, n))
            memset(mask + i, 1, n);
        i += n + 1;
    }
}

void claims_mask(const char *text, size_t len, char *mask) {
    for (size_t i = 0; i < len;) {
        if (text[i] != '`')
            i++;
        else if (len - i > 3 && memcmp(text + i, "```", 3) == 0)
            i = mask_fence(text, len, i, mask);
        else
            i = mask_span(text, len, i, mask);
    }
    mask_names(text, len, mask);
}
