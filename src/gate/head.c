#include "gate/head.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hex.h"

static bool is_token_mark(unsigned char c) { /* of a token */
    return c > ' ' && c < 127 && !strchr("()<>@,;:\\\"/[]?={}", c);
}

static bool text_is(const struct http_text *t, const char *word) {
    return t->len == strlen(word) && strncasecmp(t->at, word, t->len) == 0;
}

/* Some programs (CGI and its heirs) do not tell a dash from an underscore: to them the names are
 * equal. */
static bool is_field_named(const struct http_text *t, const char *word) {
    size_t i = 0;
    while (i < t->len && word[i] &&
           strncasecmp(t->at[i] == '_' ? "-" : t->at + i, word + i, 1) == 0)
        i++;
    return i == t->len && !word[i];
}

long head_end(const char *bytes, size_t len, size_t *seen) {
    size_t most = len < MAX_HEAD ? len : MAX_HEAD;
    for (size_t i = *seen; i < most; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '\n' && (i == 0 || bytes[i - 1] != '\r'))
            return -1;
        if (c == '\r' && i + 1 < most && bytes[i + 1] != '\n')
            return -1;
        if ((c < ' ' && c != '\r' && c != '\n' && c != '\t') || c == 127)
            return -1;
        if (c == '\n' && i >= 3 && bytes[i - 2] == '\n')
            return (long)i + 1;
    }
    *seen = most ? most - 1 : 0; /* look at the last byte again: what follows it was not there */
    return len >= MAX_HEAD ? -1 : 0;
}

/* The next line, without its end; head_end has checked that each has one. */
static struct http_text head_line(const char **at, const char *end) {
    const char *nl = memchr(*at, '\n', (size_t)(end - *at));
    struct http_text line = {*at, nl ? (size_t)(nl - *at) - 1 : 0};
    *at = nl ? nl + 1 : end;
    return line;
}

static bool read_field(const struct http_text *line, struct header *ret) {
    const char *colon = memchr(line->at, ':', line->len);
    size_t name = colon ? (size_t)(colon - line->at) : 0;
    if (!name)
        return false;
    for (size_t i = 0; i < name; i++)
        if (!is_token_mark((unsigned char)line->at[i]))
            return false;
    const char *value = colon + 1, *end = line->at + line->len;
    while (value < end && (*value == ' ' || *value == '\t'))
        value++;
    while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *ret = (struct header){{line->at, name}, {value, (size_t)(end - value)}};
    return true;
}

static bool read_length(const struct http_text *value, uint64_t *ret) {
    uint64_t n = 0;
    for (size_t i = 0; i < value->len; i++) {
        if (value->at[i] < '0' || value->at[i] > '9' || i > 15)
            return false;
        n = n * 10 + (uint64_t)(value->at[i] - '0');
    }
    *ret = n;
    return value->len > 0;
}

static bool note_framing(struct http_head *h, const struct header *one) {
    if (text_is(&one->name, "content-length")) {
        bool first = h->framing == FRAMING_NONE;
        h->framing = FRAMING_LENGTH;
        return first && read_length(&one->value, &h->length);
    }
    if (text_is(&one->name, "transfer-encoding")) {
        bool first = h->framing == FRAMING_NONE;
        h->framing = FRAMING_CHUNKS;
        return first && h->minor == 1 && text_is(&one->value, "chunked");
    }
    if (text_is(&one->name, "expect"))
        h->expects = text_is(&one->value, "100-continue");
    return true;
}

static bool read_headers(const char *at, const char *end, struct http_head *h) {
    for (;;) {
        struct http_text line = head_line(&at, end);
        if (!line.len)
            return at == end;
        if (h->count == MAX_HEADERS || !read_field(&line, &h->headers[h->count]) ||
            !note_framing(h, &h->headers[h->count]))
            return false;
        h->count++;
    }
}

/* "HTTP/1.0" or "HTTP/1.1" */
static bool read_version(const char *at, struct http_head *h) {
    h->minor = at[7] == '1';
    return memcmp(at, "HTTP/1.", 7) == 0 && (at[7] == '0' || at[7] == '1');
}

bool head_request(const char *bytes, size_t len, struct http_head *ret) {
    const char *at = bytes, *end = bytes + len;
    *ret = (struct http_head){0};
    struct http_text line = head_line(&at, end);
    const char *space = memchr(line.at, ' ', line.len);
    if (!space || line.len < 12 || line.at[line.len - 9] != ' ' ||
        !read_version(line.at + line.len - 8, ret))
        return false;
    ret->method = (struct http_text){line.at, (size_t)(space - line.at)};
    ret->target = (struct http_text){space + 1, line.len - ret->method.len - 10};
    for (size_t i = 0; i < ret->method.len; i++)
        if (!is_token_mark((unsigned char)ret->method.at[i]))
            return false;
    for (size_t i = 0; i < ret->target.len; i++)
        if ((unsigned char)ret->target.at[i] <= ' ' || ret->target.at[i] == '#')
            return false;
    return ret->method.len && ret->method.len < 16 && line.len - ret->method.len > 10 &&
           read_headers(at, end, ret);
}

bool head_answer(const char *bytes, size_t len, struct http_head *ret) {
    const char *at = bytes, *end = bytes + len;
    *ret = (struct http_head){.reason = {"", 0}};
    struct http_text line = head_line(&at, end);
    if (line.len < 12 || !read_version(line.at, ret) || line.at[8] != ' ' ||
        (line.len > 12 && line.at[12] != ' '))
        return false;
    for (int i = 9; i < 12; i++) {
        if (line.at[i] < '0' || line.at[i] > '9')
            return false;
        ret->status = ret->status * 10 + (unsigned)(line.at[i] - '0');
    }
    if (line.len > 13)
        ret->reason = (struct http_text){line.at + 13, line.len - 13};
    if (ret->status < 100 || !read_headers(at, end, ret))
        return false;
    if (ret->status < 200 || ret->status == 204 || ret->status == 304)
        ret->framing = FRAMING_NONE;
    else if (ret->framing == FRAMING_NONE)
        ret->framing = FRAMING_END;
    return true;
}

const struct header *head_find(const struct http_head *h, const char *name) {
    for (unsigned i = 0; i < h->count; i++)
        if (text_is(&h->headers[i].name, name))
            return &h->headers[i];
    return NULL;
}

void head_drop(struct http_head *h, const char *name) {
    unsigned kept = 0;
    for (unsigned i = 0; i < h->count; i++)
        if (!is_field_named(&h->headers[i].name, name))
            h->headers[kept++] = h->headers[i];
    h->count = kept;
}

void head_drop_overrides(struct http_head *h) {
    static const char *const all[] = {
        "x-http-method-override", "x-http-method",  "x-method-override", "x-original-method",
        "x-original-url",         "x-original-uri", "x-rewrite-url"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        head_drop(h, all[i]);
}

/* --- targets --- */

static bool read_port(const char *text, size_t len, uint16_t *ret) {
    unsigned n = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9' || i > 4)
            return false;
        n = n * 10 + (unsigned)(text[i] - '0');
    }
    *ret = (uint16_t)n;
    return len > 0 && n > 0 && n < 65536;
}

bool target_authority(const char *text, size_t len, uint16_t usual, struct target *ret) {
    const char *colon = memrchr(text, ':', len);
    const char *bracket = memrchr(text, ']', len);
    if (colon && bracket && colon < bracket)
        colon = NULL;
    size_t host = colon ? (size_t)(colon - text) : len;
    ret->path[0] = 0;
    ret->port = usual;
    if (colon && !read_port(colon + 1, len - host - 1, &ret->port))
        return false;
    if (!bracket && memchr(text, ':', host)) /* an IPv6 address stands in brackets here */
        return false;
    return ret->port && host_normalise(text, host, ret->host);
}

static bool host_header_says(const struct http_head *h, const struct target *to, uint16_t usual) {
    unsigned found = 0;
    for (unsigned i = 0; i < h->count; i++) {
        const struct header *one = &h->headers[i];
        struct target said;
        if (!text_is(&one->name, "host"))
            continue;
        if (++found > 1 || !target_authority(one->value.at, one->value.len, usual, &said) ||
            strcmp(said.host, to->host) != 0 || said.port != to->port)
            return false;
    }
    return found == 1 || (found == 0 && h->minor == 0);
}

static bool take_path(const char *text, size_t len, struct target *ret) {
    if (len >= sizeof ret->path || (len && text[0] != '/'))
        return false;
    memcpy(ret->path, len ? text : "/", len ? len : 1);
    ret->path[len ? len : 1] = 0;
    return true;
}

static bool is_connect(const struct http_head *h) {
    return h->method.len == 7 && memcmp(h->method.at, "CONNECT", 7) == 0;
}

bool target_proxy(const struct http_head *h, struct target *ret) {
    const struct http_text *t = &h->target;
    if (is_connect(h))
        return target_authority(t->at, t->len, 0, ret);
    if (t->len < 8 || strncasecmp(t->at, "http://", 7) != 0)
        return false;
    const char *at = t->at + 7, *end = t->at + t->len;
    size_t host = 0;
    while (at + host < end && at[host] != '/' && at[host] != '?')
        host++;
    if (memchr(at, '@', host) || !target_authority(at, host, 80, ret))
        return false;
    return take_path(at + host, (size_t)(end - at) - host, ret) && host_header_says(h, ret, 80);
}

bool target_origin(const struct http_head *h, const struct target *to, struct target *ret) {
    *ret = *to;
    return h->target.len && !is_connect(h) && take_path(h->target.at, h->target.len, ret) &&
           (host_header_says(h, to, 80) || host_header_says(h, to, 443));
}

/* --- passing them on --- */

static bool named_by_connection(const struct http_head *h, const struct http_text *name) {
    const struct header *connection = head_find(h, "connection");
    const char *at = connection ? connection->value.at : NULL;
    const char *end = at ? at + connection->value.len : NULL;
    while (at < end) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        while (at < stop && *at == ' ')
            at++;
        struct http_text word = {at, (size_t)(stop - at)};
        while (word.len && word.at[word.len - 1] == ' ')
            word.len--;
        if (word.len == name->len && strncasecmp(word.at, name->at, word.len) == 0)
            return true;
        at = comma ? comma + 1 : end;
    }
    return false;
}

/* Headers that frame the message stay, whatever a Connection header says. */
static bool between_neighbours(const struct http_head *h, const struct http_text *name) {
    static const char *const all[] = {"connection", "proxy-connection",    "keep-alive", "te",
                                      "trailer",    "proxy-authorization", "upgrade",    "expect",
                                      "host",       "proxy-authenticate"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (text_is(name, all[i]))
            return true;
    return !text_is(name, "content-length") && !text_is(name, "transfer-encoding") &&
           named_by_connection(h, name);
}

static int add_headers(const struct http_head *h, const char *instead, struct buf *ret) {
    int r = 0;
    for (unsigned i = 0; r == 0 && i < h->count; i++) {
        const struct header *one = &h->headers[i];
        if (!between_neighbours(h, &one->name) && !(instead && is_field_named(&one->name, instead)))
            r = buf_printf(ret, "%.*s: %.*s\r\n", (int)one->name.len, one->name.at,
                           (int)one->value.len, one->value.at);
    }
    return r;
}

int head_forward(const struct http_head *h, const struct target *to, uint16_t usual_port,
                 const char *instead, struct buf *ret) {
    bool six = strchr(to->host, ':') != NULL;
    char port[8] = "";
    if (to->port != usual_port)
        snprintf(port, sizeof port, ":%u", to->port);
    int r = buf_printf(ret, "%.*s %s HTTP/1.1\r\nHost: %s%s%s%s\r\nConnection: close\r\n",
                       (int)h->method.len, h->method.at, to->path, six ? "[" : "", to->host,
                       six ? "]" : "", port);
    return r < 0 ? r : add_headers(h, instead, ret);
}

int head_return(const struct http_head *h, struct buf *ret) {
    int r = buf_printf(ret, "HTTP/1.1 %03u %.*s\r\n%s", h->status, (int)h->reason.len, h->reason.at,
                       h->status < 200 ? "" : "Connection: close\r\n");
    if (r == 0)
        r = add_headers(h, NULL, ret);
    return r < 0 ? r : buf_adds(ret, "\r\n");
}

/* --- bodies --- */

void body_begin(struct http_body *b, enum framing framing, uint64_t length) {
    *b = (struct http_body){.framing = framing, .left = length};
    b->done = framing == FRAMING_NONE || (framing == FRAMING_LENGTH && length == 0);
}

#define MAX_DIGITS 13 /* most digits of a chunk's size; this many: only the line feed is missing */

/* One character of the line with a chunk's size. We refuse extensions, which nobody uses. */
static bool size_line(struct http_body *b, char c) {
    int digit = hex_digit(c);
    if (b->line == MAX_DIGITS) {
        b->at = b->left ? CHUNK_DATA : CHUNK_TRAILER;
        b->line = 0;
        return c == '\n';
    }
    if (c == '\r') {
        bool digits = b->line > 0;
        b->line = MAX_DIGITS;
        return digits;
    }
    b->left = b->left * 16 + (uint64_t)(digit < 0 ? 0 : digit);
    return digit >= 0 && ++b->line < MAX_DIGITS;
}

/* Only an empty line may follow the last chunk. */
static bool empty_line(struct http_body *b, char c) {
    if (c != (b->line ? '\n' : '\r'))
        return false;
    b->line++;
    if (b->line < 2)
        return true;
    b->done = b->at == CHUNK_TRAILER;
    b->at = CHUNK_SIZE;
    b->line = 0;
    b->left = 0;
    return true;
}

static size_t take_data(struct http_body *b, size_t len) {
    size_t n = len < b->left ? len : (size_t)b->left;
    b->left -= n;
    if (!b->left)
        b->at = CHUNK_CRLF;
    return n;
}

long body_part(struct http_body *b, const char *bytes, size_t len, size_t *ret_frame) {
    size_t i = 0;
    *ret_frame = 0;
    if (b->framing == FRAMING_END)
        return (long)len;
    if (b->framing == FRAMING_LENGTH) {
        i = take_data(b, len);
        b->done = b->left == 0;
        return (long)i;
    }
    for (; i < len && !b->done && b->at != CHUNK_DATA; i++)
        if (!(b->at == CHUNK_SIZE ? size_line(b, bytes[i]) : empty_line(b, bytes[i])))
            return -1;
    *ret_frame = i;
    return !b->done && b->at == CHUNK_DATA ? (long)take_data(b, len - i) : 0;
}

uint64_t body_unread(const struct http_body *b) {
    if (b->done)
        return 0;
    return b->framing == FRAMING_END ? UINT64_MAX : b->framing == FRAMING_LENGTH ? b->left : 0;
}

void body_pass(struct http_body *b, uint64_t len) {
    if (b->framing != FRAMING_LENGTH)
        return;
    b->left -= len;
    b->done = b->left == 0;
}

long body_take(struct http_body *b, const char *bytes, size_t len) {
    size_t at = 0;
    while (at < len && !b->done) {
        size_t frame;
        long n = body_part(b, bytes + at, len - at, &frame);
        if (n < 0)
            return -1;
        at += frame + (size_t)n;
    }
    return (long)at;
}
