#include "serve/mcp/mcp_progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/utf8.h"

/* With a tick every second, a client never waits five seconds for a message. */
#define SILENCE_NS 4000000000ull
#define OFTEN 50 /* messages that go out at once; after these there is a pause before each */
#define PAUSE_NS 100000000ull
#define STEP 0.001 /* how much progress rises with a message that has no percentage */

static bool is_break(char c) {
    return c == '\r' || c == '\n';
}

static bool is_control(char c) {
    return (unsigned char)c < 0x20 || c == 0x7f;
}

size_t progress_line(const char *text, size_t len, char line[PROGRESS_LINE + 1]) {
    size_t end = len, begin, n = 0;

    while (end > 0 && (is_control(text[end - 1]) || text[end - 1] == ' '))
        end--;
    for (begin = end; begin > 0 && !is_break(text[begin - 1]);)
        begin--;
    while (begin < end && n < PROGRESS_LINE) {
        size_t width = utf8_length((const unsigned char *)text + begin, end - begin);

        if (n + width > PROGRESS_LINE)
            break;
        if (width && !is_control(text[begin])) {
            memcpy(line + n, text + begin, width);
            n += width;
        }
        begin += width ? width : 1;
    }
    line[n] = 0;
    return n;
}

static bool progress_is_number(char c) {
    return (c >= '0' && c <= '9') || c == '.';
}

double progress_percent(const char *line) {
    const char *end = strchr(line, '%'), *begin;
    char digits[8];
    double value;

    if (end && end > line && end[-1] == ' ')
        end--;
    for (begin = end; end && begin > line && progress_is_number(begin[-1]);)
        begin--;
    if (begin == end || (size_t)(end - begin) >= sizeof digits)
        return -1;
    snprintf(digits, sizeof digits, "%.*s", (int)(end - begin), begin);
    value = strtod(digits, NULL);
    return value <= 100 ? value : -1;
}

/* We tell the total only while progress is a percentage: a second bar that begins at 0 cannot make
 * the progress fall. */
static void progress_say(struct progress *p, const char *message) {
    p->told = p->percent > p->told ? p->percent : p->told + STEP;
    p->said_ns = now_ns();
    p->said++;
    mcp_progress(p->call, p->told, p->percent >= 0 && p->told < p->percent + 1 ? 100 : -1, message);
}

void progress_begin(struct progress *p, struct mcp_call *call, const char *message) {
    *p = (struct progress){.call = call, .began_ns = now_ns(), .said_ns = now_ns(), .percent = -1};
    mcp_progress(call, 0, -1, message);
}

void progress_output(struct progress *p, const char *text, size_t len) {
    char line[PROGRESS_LINE + 1];
    double percent;

    if (!mcp_wants_progress(p->call) || progress_line(text, len, line) == 0)
        return;
    percent = progress_percent(line);
    if (percent >= 0)
        p->percent = percent;
    /* A cell can print faster than a client, or its user, can read. */
    if (p->said < OFTEN || now_ns() - p->said_ns >= PAUSE_NS)
        progress_say(p, line);
}

void progress_tick(struct progress *p, const char *what) {
    char message[80];
    uint64_t now = now_ns();

    if (!mcp_wants_progress(p->call) || now - p->said_ns < SILENCE_NS)
        return;
    if (p->percent >= 0)
        snprintf(message, sizeof message, "%s, %.0f s, %g%%", what,
                 (double)(now - p->began_ns) / 1e9, p->percent);
    else
        snprintf(message, sizeof message, "%s, %.0f s", what, (double)(now - p->began_ns) / 1e9);
    progress_say(p, message);
}
