#include <stdio.h>
#include <string.h>

#include "base/maxima.h"
#include "serve/json.h"
#include "serve/mcp_retort.h"

#define MAX_IMAGES 8
#define MAX_LINKS 64
#define MAX_SHOWN (64u << 10) /* bytes of all displays that are given as text */

static const char *text_at(const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

/* ---- the structured part ---- */

static bool is_text_type(const char *mime) {
    return strncmp(mime, "text/plain", 10) == 0 || strcmp(mime, "application/json") == 0 ||
           strcmp(mime, "text/markdown") == 0;
}

/* A bundle of representations: text is kept, of the rest only the type is told. */
static json_t *without_data(const json_t *bundle) {
    json_t *kept = json_object(), *types = json_array();
    const char *mime;
    json_t *data;

    json_object_foreach((json_t *)bundle, mime, data) {
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
        "session",    "cell",      "status",    "exit_code", "signal",    "flags",
        "stdout",     "stderr",    "truncated", "error",     "files",     "plots",
        "dataframes", "variables", "resources", "state",     "state_via", "state_notes"};
    json_t *out = json_object();
    const json_t *value = json_object_get(json_object_get(result, "value"), "text/plain");

    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++) {
        json_t *member = json_object_get(result, copied[i]);

        if (member)
            json_object_set(out, copied[i], member);
    }
    json_object_set_new(out, "value", value ? json_incref((json_t *)value) : json_null());
    json_object_set_new(out, "displays", plain_displays(json_object_get(result, "displays")));
    return out;
}

/* ---- the part that a model reads ---- */

static void add_section(struct buf *out, const char *title, const json_t *text) {
    const char *s = json_string_value(text);
    size_t len = json_string_length(text); /* of output, which may hold NULs */

    if (len == 0)
        return;
    buf_printf(out, "[%s]\n", title);
    buf_add(out, s, len);
    if (s[len - 1] != '\n')
        buf_adds(out, "\n");
}

static void add_member(struct buf *out, const json_t *object, const char *name) {
    add_section(out, name, json_object_get(object, name));
}

static void add_values(struct buf *out, const json_t *values) {
    const char *name;
    json_t *value;

    if (json_object_size(values) > 0)
        buf_adds(out, "[values]\n");
    json_object_foreach((json_t *)values, name, value) {
        if (json_is_string(value))
            buf_printf(out, "%s = %s\n", name, json_string_value(value));
    }
}

static void add_error(struct buf *out, const json_t *error) {
    if (!json_is_object(error))
        return;
    buf_printf(out, "[error] %s: %s\n", text_at(error, "name"), text_at(error, "message"));
    add_member(out, error, "source");
    add_values(out, json_object_get(error, "values"));
    add_member(out, error, "traceback");
    add_member(out, error, "hint");
}

static const char *image_type(const json_t *mime) {
    return json_object_get(mime, "image/png")    ? "image/png"
           : json_object_get(mime, "image/jpeg") ? "image/jpeg"
                                                 : NULL;
}

/* Those that do not come as images. */
static void add_displays(struct buf *out, const json_t *result) {
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
        else if (out->len - begin + json_string_length(text) <= MAX_SHOWN)
            add_section(out, "display", text);
        else
            left++;
    }
    if (left)
        buf_printf(out, "[%zu more displays]\n", left);
    if (images > MAX_IMAGES)
        buf_printf(out, "[%zu more images]\n", images - MAX_IMAGES);
}

static void add_truncation(struct buf *out, const json_t *truncated) {
    const char *stream;
    json_t *what;

    json_object_foreach((json_t *)truncated, stream, what) {
        buf_printf(out, "[%s was cut: %lld of %lld bytes are shown]\n", stream,
                   (long long)json_integer_value(json_object_get(what, "kept")),
                   (long long)json_integer_value(json_object_get(what, "total")));
    }
}

static void add_files(struct buf *out, const json_t *files) {
    size_t i;
    json_t *file;

    json_array_foreach(files, i, file) {
        buf_printf(out, "[file %s] %s (%lld bytes)\n", text_at(file, "change"),
                   text_at(file, "path"),
                   (long long)json_integer_value(json_object_get(file, "size")));
    }
}

/* A list of texts; `not` was told already. */
static void add_list(struct buf *out, const char *title, const json_t *list, const char * not ) {
    size_t i;
    json_t *one;

    json_array_foreach(list, i, one) {
        if (json_is_string(one) && strcmp(json_string_value(one), not ) != 0)
            buf_printf(out, "[%s] %s\n", title, json_string_value(one));
    }
}

static void add_state(struct buf *out, const json_t *result) {
    const char *status = text_at(result, "status"), *state = text_at(result, "state");

    if (strcmp(status, "ok") != 0 && strcmp(status, "error") != 0)
        buf_printf(out, "[status] %s\n", status);
    if (strcmp(state, "rolled_back") == 0)
        buf_adds(out, "[state] the session is as it was before this cell\n");
    if (strcmp(state, "lost") == 0)
        buf_adds(out, "[state] the session's variables are lost\n");
    add_list(out, "state", json_object_get(result, "state_notes"), "");
    add_list(out, "flag", json_object_get(result, "flags"), "truncated");
}

static json_t *model_text(const json_t *result) {
    scoped_buf out = BUF_INIT(MAX_REPLY);

    add_member(&out, result, "stdout");
    add_member(&out, result, "stderr");
    add_truncation(&out, json_object_get(result, "truncated"));
    add_displays(&out, result);
    add_section(&out, "value", json_object_get(json_object_get(result, "value"), "text/plain"));
    add_error(&out, json_object_get(result, "error"));
    add_files(&out, json_object_get(result, "files"));
    add_state(&out, result);
    if (out.len == 0)
        buf_adds(&out, "[ok, no output]\n");
    buf_printf(&out, "[session %s, cell %lld]", text_at(result, "session"),
               (long long)json_integer_value(json_object_get(result, "cell")));
    return json_pack("{s:s, s:o}", "type", "text", "text", json_stringn(out.data, out.len));
}

static void add_image(json_t *content, const json_t *mime, size_t *count) {
    const char *type = image_type(mime);
    json_t *data = type ? json_object_get(mime, type) : NULL;

    if (json_is_string(data) && (*count)++ < MAX_IMAGES)
        json_array_append_new(
            content, json_pack("{s:s, s:O, s:s}", "type", "image", "data", data, "mimeType", type));
}

/* Of what was displayed, and the value itself if it is a picture. */
static void add_images(json_t *content, const json_t *result) {
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

static void add_links(json_t *content, const char *session, const json_t *files) {
    size_t i;
    json_t *file;

    json_array_foreach(files, i, file) {
        scoped_buf uri = BUF_INIT(4 * MAX_PATH);
        const char *mime = text_at(file, "mime");
        json_t *link;

        if (i >= MAX_LINKS || strcmp(text_at(file, "change"), "deleted") == 0)
            continue;
        buf_printf(&uri, "retort://%s/", session);
        add_escaped_path(&uri, text_at(file, "path"));
        link = json_pack("{s:s, s:s, s:s}", "type", "resource_link", "uri", uri.data, "name",
                         text_at(file, "path"));
        if (mime[0])
            json_object_set_new(link, "mimeType", json_string(mime));
        if (json_object_get(file, "size"))
            json_object_set(link, "size", json_object_get(file, "size"));
        json_array_append_new(content, link);
    }
}

json_t *mcp_result_content(const json_t *result, bool links) {
    json_t *content = json_pack("[o]", model_text(result));

    add_images(content, result);
    if (links)
        add_links(content, text_at(result, "session"), json_object_get(result, "files"));
    return content;
}
