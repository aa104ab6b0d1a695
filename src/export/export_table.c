#include "export/export_table.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const allowed[] = {"table", "thead", "tbody", "tr", "th", "td"};

static const char *allowed_tag(const char *name, size_t len) {
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (strlen(allowed[i]) == len && strncmp(allowed[i], name, len) == 0)
            return allowed[i];
    return NULL;
}

/* colspan="3" of the attributes between `at` and `end`, as a number from 2 to 1000. */
static int put_span(const char *at, const char *end, const char *name, struct buf *ret) {
    size_t len = strlen(name);
    const char *found = memmem(at, (size_t)(end - at), name, len);
    if (!found || found == at || found[-1] != ' ' || found + len + 2 > end || found[len] != '=' ||
        found[len + 1] != '"')
        return 0;
    long span = strtol(found + len + 2, NULL, 10);
    return span >= 2 && span <= 1000 ? buf_printf(ret, " %s=\"%ld\"", name, span) : 0;
}

/* One tag, from its '<'. Returns where it ends, or NULL. */
static const char *put_tag(const char *at, bool *ret_last, struct buf *ret) {
    bool closing = at[1] == '/';
    const char *name = at + 1 + closing, *end = strpbrk(name, "<>");
    size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz");
    const char *tag = allowed_tag(name, len);
    if (!tag || !end || *end != '>' || !strchr(" >\n", name[len]))
        return NULL;
    int r = buf_printf(ret, "<%s%s", closing ? "/" : "", tag);
    if (r == 0 && !closing)
        r = put_span(name, end, "colspan", ret);
    if (r == 0 && !closing)
        r = put_span(name, end, "rowspan", ret);
    *ret_last = closing && strcmp(tag, "table") == 0;
    return r == 0 && buf_adds(ret, ">") == 0 ? end + 1 : NULL;
}

int export_table(const char *html, struct buf *ret) {
    const char *at = strstr(html, "<table");
    bool last = false;
    unsigned tables = 0;
    if (!at || strlen(at) > EXPORT_TABLE_MAX)
        return -EINVAL;
    while (*at && !last) {
        size_t text = strcspn(at, "<");
        tables += strncmp(at, "<table", 6) == 0;
        if (text && buf_add(ret, at, text) < 0)
            return -EINVAL;
        at += text;
        if (*at && !text && !(at = put_tag(at, &last, ret)))
            return -EINVAL;
    }
    return last && tables == 1 ? 0 : -EINVAL;
}
