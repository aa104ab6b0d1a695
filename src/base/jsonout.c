#include "base/jsonout.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/scope.h"

#define DIGITS 32

struct out {
    struct buf *buf;
    bool quoted; /* inside of a string */
    bool failed; /* which jansson does not always pass on */
};

/* The digits of the locale are the same everywhere, its decimal point is not. */
static void shortest(double value, char text[DIGITS]) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, DIGITS, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    size_t end = strspn(text, "-0123456789");
    if (!text[end])
        snprintf(text + end, DIGITS - end, ".0");
    else if (text[end] != 'e')
        text[end] = '.';
}

/* jansson makes one call for a number, and one for each quote of a string. */
static int take(const char *data, size_t len, void *user) {
    struct out *out = user;
    char text[DIGITS];
    if (len == 1 && data[0] == '"')
        out->quoted = !out->quoted;
    bool real = !out->quoted && len > 2 && strchr("-0123456789", data[0]) &&
                (memchr(data, '.', len) || memchr(data, 'e', len));
    if (!real) {
        out->failed = out->failed || buf_add(out->buf, data, len) < 0;
        return out->failed ? -1 : 0;
    }
    json_t *value = json_in(data, len, JSON_DECODE_ANY, NULL); /* whatever the locale is */
    shortest(json_real_value(value), text);
    out->failed = out->failed || !value || buf_adds(out->buf, text) < 0;
    json_decref(value);
    return out->failed ? -1 : 0;
}

int json_out_buf(struct buf *b, const json_t *value, size_t flags) {
    struct out out = {.buf = b};
    return json_dump_callback(value, take, &out, flags) < 0 || out.failed ? -ENOSPC : 0;
}

char *json_out(const json_t *value, size_t flags) {
    scoped_buf text = BUF_INIT(SIZE_MAX / 4);
    return json_out_buf(&text, value, flags) < 0 ? NULL : TAKE(text.data);
}
