#include <stdio.h>
#include <string.h>

#include "base/maxima.h"
#include "base/unconst.h"
#include "base/utf8.h"
#include "serve/hosted/json.h"
#include "serve/mcp/mcp_retort.h"

#define MAX_IMAGES 8
#define MAX_LINKS 64
/* Bytes of a text that we show to a model. Some clients cut longer texts, or put them in a file. */
#define SHOWN_HEAD 12288
#define SHOWN_TAIL 4096

static const char *mcp_result_text_at(const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

static long long integer_at(const json_t *object, const char *name) {
    return json_integer_value(json_object_get(object, name));
}

/* --- the structured part --- */

static bool is_text_type(const char *mime) {
    return strncmp(mime, "text/plain", 10) == 0 || strcmp(mime, "application/json") == 0 ||
           strcmp(mime, "text/markdown") == 0;
}

/* A bundle of representations: keeps text, and of the rest only the type. */
static json_t *without_data(const json_t *bundle) {
    json_t *kept = json_object(), *types = json_array();
    const char *mime;
    json_t *data;

    json_object_foreach(unconst(bundle), mime, data) {
        json_array_append_new(types, json_string(mime));
        if (is_text_type(mime))
            json_object_set(kept, mime, data);
    }
    return json_pack("{s:o, s:o}", "mime", kept, "types", types);
}

static json_t *plain_displays(const json_t *displays) {
    json_t *list = json_array();
    size_t i;
    json_t *display;

    json_array_foreach(displays, i, display) {
        json_array_append_new(list, without_data(json_object_get(display, "mime")));
    }
    return list;
}

json_t *mcp_result_structured(const json_t *result) {
    static const char *const copied[] = {
        "session",   "cell",      "status",    "exit_code",   "signal", "flags",      "stdout",
        "stderr",    "truncated", "error",     "files",       "plots",  "dataframes", "variables",
        "resources", "state",     "state_via", "state_notes", "review", "policy"};
    json_t *out = json_object();
    const json_t *value = json_object_get(json_object_get(result, "value"), "text/plain");

    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++) {
        json_t *member = json_object_get(result, copied[i]);

        if (member)
            json_object_set(out, copied[i], member);
    }
    json_object_set_new(out, "value", value ? json_incref(unconst(value)) : json_null());
    json_object_set_new(out, "displays", plain_displays(json_object_get(result, "displays")));
    return out;
}

/* --- the part that a model reads --- */

/* The longest end of `text` that has at most `most` bytes and whole characters. */
static size_t whole_tail(const char *text, size_t len, size_t most) {
    while (most > 0 && utf8_goes_on(text[len - most]))
        most--;
    return most;
}

static void mcp_result_end_line(struct buf *out) {
    if (out->len && out->data[out->len - 1] != '\n')
        buf_adds(out, "\n");
}

/* As a terminal shows it: of text that was overwritten on a line, only the last. A progress bar is
 * thousands of bytes that nobody reads. */
static void add_as_shown(struct buf *out, const char *s, size_t len) {
    for (size_t i = 0, next; i < len; i = next) {
        const char *newline = memchr(s + i, '\n', len - i);
        size_t end, begin;

        next = newline ? (size_t)(newline - s) + 1 : len;
        for (end = next; end > i && (s[end - 1] == '\n' || s[end - 1] == '\r');)
            end--;
        for (begin = end; begin > i && s[begin - 1] != '\r';)
            begin--;
        buf_add(out, s + begin, end - begin);
        if (newline)
            buf_adds(out, "\n");
    }
}

/* Adds a whole text, or its head and tail with a line between them that says how to read the rest.
 * The text may hold NULs. */
static void mcp_result_add_text(struct buf *out, const char *s, size_t len, uint64_t total,
                                const char *rest) {
    size_t head, tail, begin = out->len;

    add_as_shown(out, s, len);
    if (out->len - begin <= SHOWN_HEAD + SHOWN_TAIL)
        return;
    out->len = begin;
    head = utf8_cut(s, SHOWN_HEAD);
    tail = whole_tail(s, len, SHOWN_TAIL);
    buf_add(out, s, head);
    mcp_result_end_line(out);
    buf_printf(out, "[… %llu of %llu bytes left out: %s …]\n",
               (unsigned long long)(total - head - tail), (unsigned long long)total, rest);
    buf_add(out, s + len - tail, tail);
}

static void add_section(struct buf *out, const char *title, const json_t *text) {
    size_t len = json_string_length(text);

    if (len == 0)
        return;
    if (title)
        buf_printf(out, "[%s]\n", title);
    mcp_result_add_text(out, json_string_value(text), len, len, "print a part of it");
    mcp_result_end_line(out);
}

static void add_member(struct buf *out, const json_t *object, const char *name) {
    add_section(out, name, json_object_get(object, name));
}

/* Standard output stands first and without a title: it is what was asked for. */
static void mcp_result_add_stream(struct buf *out, const json_t *result, const char *stream,
                                  const char *title) {
    const json_t *text = json_object_get(result, stream);
    const json_t *cut = json_object_get(json_object_get(result, "truncated"), stream);
    size_t len = json_string_length(text);
    char rest[120];

    if (len == 0)
        return;
    if (title)
        buf_printf(out, "[%s]\n", title);
    snprintf(rest, sizeof rest, "files {\"action\":\"output\",\"cell\":%lld%s,\"offset\":%d}",
             integer_at(result, "cell"), title ? ",\"stream\":\"stderr\"" : "", SHOWN_HEAD);
    mcp_result_add_text(out, json_string_value(text), len,
                        cut ? (uint64_t)json_integer_value(json_object_get(cut, "total")) : len,
                        rest);
    mcp_result_end_line(out);
}

static void add_values(struct buf *out, const json_t *values) {
    const char *name;
    json_t *value;

    if (json_object_size(values) > 0)
        buf_adds(out, "[values]\n");
    json_object_foreach(unconst(values), name, value) {
        if (json_is_string(value))
            buf_printf(out, "%s = %s\n", name, json_string_value(value));
    }
}

/* Whether the traceback tells more than the line where the error was raised. */
static bool has_callers(const char *traceback) {
    const char *first = strstr(traceback, "  File \"");

    return first && strstr(first + 1, "  File \"");
}

static void mcp_result_add_error(struct buf *out, const json_t *error) {
    const json_t *line = json_object_get(error, "line");

    if (!json_is_object(error))
        return;
    buf_printf(out, "[error] %s", mcp_result_text_at(error, "name"));
    if (mcp_result_text_at(error, "message")[0])
        buf_printf(out, ": %s", mcp_result_text_at(error, "message"));
    if (json_is_integer(line))
        buf_printf(out, " (line %lld)", integer_at(error, "line"));
    buf_adds(out, "\n");
    add_section(out, NULL, json_object_get(error, "source"));
    add_values(out, json_object_get(error, "values"));
    if (!mcp_result_text_at(error, "source")[0] ||
        has_callers(mcp_result_text_at(error, "traceback")))
        add_member(out, error, "traceback");
    if (mcp_result_text_at(error, "hint")[0])
        buf_printf(out, "[hint] %s\n", mcp_result_text_at(error, "hint"));
}

static const char *image_type(const json_t *mime) {
    return json_object_get(mime, "image/png")    ? "image/png"
           : json_object_get(mime, "image/jpeg") ? "image/jpeg"
                                                 : NULL;
}

/* Adds the displays that are not sent as images. */
static void mcp_result_add_displays(struct buf *out, const json_t *result) {
    size_t i, begin = out->len, left = 0;
    size_t images = image_type(json_object_get(result, "value")) != NULL;
    json_t *display;

    json_array_foreach(json_object_get(result, "displays"), i, display) {
        const json_t *mime = json_object_get(display, "mime");
        const json_t *text = json_object_get(mime, "text/markdown");

        if (!text)
            text = json_object_get(mime, "text/plain");
        if (image_type(mime))
            images++;
        else if (out->len - begin + json_string_length(text) <= SHOWN_HEAD + SHOWN_TAIL)
            add_section(out, NULL, text);
        else
            left++;
    }
    if (left)
        buf_printf(out, "[%zu more displays]\n", left);
    if (images > MAX_IMAGES)
        buf_printf(out, "[%zu more images]\n", images - MAX_IMAGES);
}

static void mcp_result_add_value(struct buf *out, const json_t *value) {
    if (!image_type(value)) /* else it is sent as an image, and its text only names its type */
        add_section(out, out->len ? "value" : NULL, json_object_get(value, "text/plain"));
}

static void mcp_result_add_files(struct buf *out, const json_t *files) {
    size_t i;
    json_t *file;

    json_array_foreach(files, i, file) {
        if (i >= MAX_LINKS) {
            buf_printf(out, "[%zu more files]\n", json_array_size(files) - i);
            break;
        }
        buf_printf(out, "[file %s] %s", mcp_result_text_at(file, "change"),
                   mcp_result_text_at(file, "path"));
        if (json_object_get(file, "size"))
            buf_printf(out, " (%lld bytes)", integer_at(file, "size"));
        buf_adds(out, "\n");
    }
}

/* Adds a list of texts, without `told`, which was told already. */
static void add_list(struct buf *out, const char *title, const json_t *list, const char *told) {
    size_t i;
    json_t *one;

    json_array_foreach(list, i, one) {
        if (json_is_string(one) && strcmp(json_string_value(one), told) != 0)
            buf_printf(out, "[%s] %s\n", title, json_string_value(one));
    }
}

/* Adds what the review found in code that ran. If the review stopped the code, the error says
 * why. */
static void add_review(struct buf *out, const json_t *review) {
    const json_t *f;
    size_t i;

    json_array_foreach(
        json_is_true(json_object_get(review, "run")) ? json_object_get(review, "findings") : NULL,
        i, f) {
        buf_printf(out, "[review] line %lld: %s [%s]\n", integer_at(f, "line"),
                   mcp_result_text_at(f, "message"), mcp_result_text_at(f, "rule"));
    }
}

static void add_state(struct buf *out, const json_t *result) {
    const char *status = mcp_result_text_at(result, "status"),
               *state = mcp_result_text_at(result, "state");

    if (strcmp(status, "exit") == 0)
        buf_printf(out, "[exit status %lld]\n", integer_at(result, "exit_code"));
    else if (strcmp(status, "signal") == 0)
        buf_printf(out, "[signal %lld]\n", integer_at(result, "signal"));
    else if (strcmp(status, "ok") != 0 && !json_is_object(json_object_get(result, "error")))
        buf_printf(out, "[status] %s\n", status);
    if (strcmp(state, "rolled_back") == 0)
        buf_adds(out, "[state] the session is as it was before this call\n");
    if (strcmp(state, "lost") == 0)
        buf_adds(out, "[state] the session's variables are lost\n");
    if (strcmp(state, "ended") != 0) /* the instructions say that every program ends */
        add_list(out, "state", json_object_get(result, "state_notes"), "");
    add_list(out, "flag", json_object_get(result, "flags"), "truncated");
}

static void add_model_text(json_t *content, const json_t *result) {
    scoped_buf out = BUF_INIT(MAX_REPLY);

    mcp_result_add_stream(&out, result, "stdout", NULL);
    mcp_result_add_stream(&out, result, "stderr", "stderr");
    mcp_result_add_displays(&out, result);
    mcp_result_add_value(&out, json_object_get(result, "value"));
    mcp_result_add_error(&out, json_object_get(result, "error"));
    mcp_result_add_files(&out, json_object_get(result, "files"));
    add_review(&out, json_object_get(result, "review"));
    add_state(&out, result);
    if (out.len == 0 && json_array_size(content) == 0)
        buf_adds(&out, "[no output]\n");
    if (out.len)
        json_array_insert_new(
            content, 0,
            json_pack("{s:s, s:o}", "type", "text", "text", json_stringn(out.data, out.len - 1)));
}

static void add_image(json_t *content, const json_t *mime, size_t *count) {
    const char *type = image_type(mime);
    json_t *data = type ? json_object_get(mime, type) : NULL;

    if (json_is_string(data) && (*count)++ < MAX_IMAGES)
        json_array_append_new(
            content, json_pack("{s:s, s:O, s:s}", "type", "image", "data", data, "mimeType", type));
}

/* Adds the images that were displayed, and the value if it is a picture. */
static void mcp_result_add_images(json_t *content, const json_t *result) {
    size_t i, count = 0;
    json_t *display;

    json_array_foreach(json_object_get(result, "displays"), i, display) {
        add_image(content, json_object_get(display, "mime"), &count);
    }
    add_image(content, json_object_get(result, "value"), &count);
}

static int add_escaped_path(struct buf *uri, const char *path) {
    int r = 0;

    for (; *path && r >= 0; path++) {
        bool plain = (*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z') ||
                     (*path >= '0' && *path <= '9') || strchr("-._~/", *path);

        r = plain ? buf_add(uri, path, 1) : buf_printf(uri, "%%%02X", (unsigned char)*path);
    }
    return r;
}

json_t *mcp_result_links(const char *session, const json_t *files) {
    json_t *links = json_array();
    size_t i;
    json_t *file;

    json_array_foreach(files, i, file) {
        scoped_buf uri = BUF_INIT(4 * MAX_PATH);
        const char *mime = mcp_result_text_at(file, "mime");
        json_t *link;

        if (i >= MAX_LINKS || strcmp(mcp_result_text_at(file, "change"), "deleted") == 0)
            continue;
        buf_printf(&uri, "retort://%s/", session);
        add_escaped_path(&uri, mcp_result_text_at(file, "path"));
        link = json_pack("{s:s, s:s, s:s}", "type", "resource_link", "uri", uri.data, "name",
                         mcp_result_text_at(file, "path"));
        if (mime[0])
            json_object_set_new(link, "mimeType", json_string(mime));
        if (json_object_get(file, "size"))
            json_object_set(link, "size", json_object_get(file, "size"));
        json_array_append_new(links, link);
    }
    return links;
}

/* Whether a JSON value, or the end of an array, may begin here: not in [no output]. */
static bool begins_value(const char *text) {
    text += strspn(text, " \t\r\n");
    return strchr("]\"[{-0123456789", *text) || strncmp(text, "true", 4) == 0 ||
           strncmp(text, "false", 5) == 0 || strncmp(text, "null", 4) == 0;
}

/* Whether the text may be a JSON value that is no object. May be wrong, as for a date. */
static bool is_bare_json(const char *text) {
    size_t len = strlen(text += strspn(text, " \t\r\n"));

    while (len > 0 && strchr(" \t\r\n", text[len - 1]))
        len--;
    if (len == 0)
        return false;
    return (text[0] == '[' && text[len - 1] == ']' && begins_value(text + 1)) ||
           (text[0] == '"' && text[len - 1] == '"') ||
           (len == 4 && (memcmp(text, "true", 4) == 0 || memcmp(text, "null", 4) == 0)) ||
           (len == 5 && memcmp(text, "false", 5) == 0) || strspn(text, "0123456789+-.eE") >= len;
}

void mcp_result_head(json_t *content) {
    const char *text = mcp_result_text_at(json_array_get(content, 0), "text");

    if (is_bare_json(text))
        json_array_insert_new(content, 0,
                              json_pack("{s:s, s:s}", "type", "text", "text", "[result]"));
}

json_t *mcp_result_content(const json_t *result) {
    json_t *content = json_array();

    mcp_result_add_images(content, result);
    add_model_text(content, result);
    return content;
}
