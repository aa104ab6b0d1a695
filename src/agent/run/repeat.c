#include "agent/run/repeat.h"

#include <ctype.h>
#include <string.h>

static uint64_t add_byte(uint64_t h, unsigned char c) {
    return (h ^ c) * 1099511628211ull;
}

/* Leaves out numbers and addresses; several blanks count as one. */
static uint64_t repeat_add_text(uint64_t h, const char *s, size_t len) {
    bool blank = false;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c == '0' && i + 1 < len && s[i + 1] == 'x') {
            i += 2;
            while (i < len && isxdigit((unsigned char)s[i]))
                i++;
            i--;
        } else if (isspace(c)) {
            blank = true;
        } else if (!isdigit(c)) {
            h = add_byte(blank ? add_byte(h, ' ') : h, c);
            blank = false;
        }
    }
    return add_byte(h, 0);
}

#define SEED 14695981039346656037ull

uint64_t repeat_of_text(const char *text) {
    uint64_t h = SEED;
    for (; *text; text++)
        h = add_byte(h, (unsigned char)*text);
    return h;
}

static const char *line_of(const char *code, size_t number, size_t *ret_len) {
    while (number > 1 && *code) {
        size_t n = strcspn(code, "\n");
        code += n + (code[n] == '\n');
        number--;
    }
    *ret_len = strcspn(code, "\n");
    return code;
}

uint64_t repeat_of_result(const json_t *result, const char *code) {
    const char *status = json_string_value(json_object_get(result, "status"));
    const json_t *e = json_object_get(result, "error");
    const char *name = json_string_value(json_object_get(e, "name"));
    const char *message = json_string_value(json_object_get(e, "message"));
    size_t len, line = (size_t)json_integer_value(json_object_get(e, "line"));
    if (status && strcmp(status, "ok") == 0)
        return repeat_of_text(code);
    uint64_t h = repeat_add_text(SEED, status ? status : "", status ? strlen(status) : 0);
    /* The message of an oom names the peak, which differs each time. */
    if (!name || (status && strcmp(status, "oom") == 0))
        return repeat_add_text(h, code, strlen(code));
    h = repeat_add_text(h, name, strlen(name));
    h = repeat_add_text(h, message ? message : "", message ? strlen(message) : 0);
    const char *source = line_of(code, line, &len);
    return repeat_add_text(h, source, len);
}

static bool alternates(const struct repeat *r) {
    const uint64_t *f = r->last;
    return r->count >= 6 && f[0] != f[1] && f[0] == f[2] && f[2] == f[4] && f[1] == f[3] &&
           f[3] == f[5];
}

enum repeat_verdict repeat_add(struct repeat *r, uint64_t fingerprint) {
    r->running = r->count && r->last[0] == fingerprint ? r->running + 1 : 1;
    memmove(r->last + 1, r->last, 5 * sizeof *r->last);
    r->last[0] = fingerprint;
    r->count++;
    if (alternates(r))
        return REPEAT_ALTERNATING;
    if (r->running == 2)
        return REPEAT_HINT;
    if (r->running < 3)
        return REPEAT_NEW;
    if (r->fresh)
        return REPEAT_STOP;
    *r = (struct repeat){.fresh = true};
    return REPEAT_FRESH;
}
