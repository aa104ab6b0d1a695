#include "agent/model/sse.h"

#include <stdio.h>
#include <string.h>

void sse_init(struct sse *s) {
    *s = (struct sse){.line = BUF_INIT(MAX_SSE_EVENT), .data = BUF_INIT(MAX_SSE_EVENT)};
}

void sse_done(struct sse *s) {
    buf_done(&s->line);
    buf_done(&s->data);
}

static int sse_dispatch(struct sse *s, sse_event *callback, void *user) {
    int r = 0;
    if (s->data.len)
        r = callback(user, s->event, s->data.data, s->data.len);
    buf_reset(&s->data);
    s->event[0] = 0;
    return r < 0 ? r : 0;
}

static bool field_is(const char *line, size_t len, const char *name) {
    return strlen(name) == len && memcmp(line, name, len) == 0;
}

static int take_line(struct sse *s, sse_event *callback, void *user) {
    const char *line = s->line.data;
    size_t len = s->line.len;
    if (!len)
        return sse_dispatch(s, callback, user);
    const char *colon = memchr(line, ':', len);
    size_t name = colon ? (size_t)(colon - line) : len;
    const char *value = colon ? colon + 1 : line + len;
    if (value < line + len && *value == ' ')
        value++;
    size_t n = (size_t)(line + len - value);
    if (field_is(line, name, "event"))
        snprintf(s->event, sizeof s->event, "%.*s", (int)(n < 39 ? n : 39), value);
    if (!field_is(line, name, "data"))
        return 0;
    int r = s->data.len ? buf_adds(&s->data, "\n") : 0;
    return r < 0 ? r : buf_add(&s->data, value, n);
}

static size_t skip_mark(struct sse *s, const char *bytes, size_t len) {
    bool first = !s->begun && len >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0;
    s->begun = true;
    return first ? 3 : 0;
}

int sse_feed(struct sse *s, const char *bytes, size_t len, sse_event *callback, void *user) {
    for (size_t i = skip_mark(s, bytes, len); i < len; i++) {
        bool again = bytes[i] == '\n' && s->after_cr;
        s->after_cr = bytes[i] == '\r';
        if (again)
            continue;
        if (bytes[i] != '\n' && bytes[i] != '\r') {
            int r = buf_add(&s->line, bytes + i, 1);
            if (r < 0)
                return r;
            continue;
        }
        int r = take_line(s, callback, user);
        buf_reset(&s->line);
        if (r < 0)
            return r;
    }
    return 0;
}

int sse_finish(struct sse *s, sse_event *callback, void *user) {
    int r = s->line.len ? take_line(s, callback, user) : 0;
    buf_reset(&s->line);
    return r < 0 ? r : sse_dispatch(s, callback, user);
}
