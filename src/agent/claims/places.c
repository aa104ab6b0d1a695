#include "agent/claims/places.h"

#include <string.h>

static bool begins_item(const char *s) {
    s += strspn(s, " ");
    size_t digits = strspn(s, "0123456789");
    return (*s && strchr("-*+", *s) && s[1] == ' ') || (digits && s[digits] == '.');
}

static void line_begin(struct place *at, const char *text, size_t line) {
    at->line = line;
    at->column = at->nth = 0;
    at->table = text[line] == '|';
    at->item = begins_item(text + line);
}

void places_read(const char *text, const struct claims *claims, struct place *ret) {
    struct place at = {0};
    size_t walked = 0;
    line_begin(&at, text, 0);
    for (size_t k = 0; k < claims->count; k++) {
        for (; walked < claims->list[k].start; walked++) {
            at.column += text[walked] == '|';
            if (text[walked] != '\n')
                continue;
            at.paragraph += text[walked + 1] == '\n';
            line_begin(&at, text, walked + 1);
        }
        bool value = claims->list[k].class == CLAIM_VALUE;
        at.nth += value;
        ret[k] = at;
        at.before += value;
    }
}
