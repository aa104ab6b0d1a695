#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/hex.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "serve/hosted/fault.h"
#include "serve/hosted/json.h"
#include "serve/mcp/mcp_retort.h"
#include "serve/mcp/mcp_skills.h"
#include "serve/mcp/mcp_tool.h"
#include "serve/rpc/rpc.h"

/* Bytes of a text in one reply; the model asks for the rest by offset. */
#define TEXT_PIECE (32u << 10)
#define MAX_PICTURE (4u << 20) /* bytes of a picture that we show */
#define MAX_LISTED 500         /* files */

static uint64_t offset_of(const json_t *arguments) {
    return (uint64_t)json_integer_value(json_object_get(arguments, "offset"));
}

/* --- list --- */

/* Whether the file lies below the directory that is asked for; without one, all do. */
static bool mcp_files_is_listed(const char *path, const char *dir) {
    size_t len;

    if (strncmp(dir, "/work", 5) == 0 && (dir[5] == '/' || !dir[5]))
        dir += 5;
    dir += strspn(dir, "./");
    len = strlen(dir);
    while (len > 0 && dir[len - 1] == '/')
        len--;
    return len == 0 || (strncmp(path, dir, len) == 0 && (path[len] == '/' || !path[len]));
}

static int mcp_files_list(struct visit *visit, const json_t *arguments, json_t *content,
                          struct retort_error *error) {
    scoped_buf lines = BUF_INIT(MAX_REPLY);
    char *text;
    size_t i, n = 0;
    json_t *file;
    int r = retort_file_list(visit->hosted->session, &text, error);

    if (r < 0)
        return r;
    scoped_json *list = json_in_text(text, 0, NULL);
    retort_free(text);
    json_array_foreach(list, i, file) {
        const char *path = mcp_argument(file, "path");

        if (mcp_files_is_listed(path, mcp_argument(arguments, "path")) && n++ < MAX_LISTED)
            buf_printf(&lines, "%s%s (%lld bytes)", lines.len ? "\n" : "", path,
                       (long long)json_integer_value(json_object_get(file, "size")));
    }
    if (n > MAX_LISTED)
        buf_printf(&lines, "\n[%zu more: list a directory, or look in code]", n - MAX_LISTED);
    if (r > 0)
        buf_printf(&lines, "%s[not all files are known: look in code]", lines.len ? "\n" : "");
    json_array_append_new(content, mcp_text_block(lines.len ? lines.data : "[no files]"));
    return 0;
}

/* --- read --- */

static const char *picture_type(const char *data, size_t len) {
    if (len > 8 && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0)
        return "image/png";
    return len > 3 && memcmp(data, "\xff\xd8\xff", 3) == 0 ? "image/jpeg" : NULL;
}

/* The text, up to a character that may have been cut; NULL if the bytes are no text. */
static json_t *file_text(const char *data, size_t *len, bool cut) {
    json_t *text = json_stringn(data, *len);

    for (size_t back = 1; !text && cut && back < 4 && back < *len; back++) {
        text = json_stringn(data, *len - back);
        if (text)
            *len -= back;
    }
    return text;
}

/* A piece of a text, and where the next one begins. */
static void add_piece(json_t *content, json_t *text, uint64_t begin, size_t len, uint64_t size) {
    unsigned long long end = begin + len;
    char note[120];

    json_array_append_new(content, json_pack("{s:s, s:o}", "type", "text", "text", text));
    if (end >= size)
        return;
    snprintf(note, sizeof note, "[bytes %llu to %llu of %llu; go on with offset %llu]",
             (unsigned long long)begin, end, (unsigned long long)size, end);
    json_array_append_new(content, mcp_text_block(note));
}

static void add_picture(json_t *content, const char *type, const char *data, size_t len) {
    scoped_buf base64 = BUF_INIT(2 * MAX_PICTURE);

    if (base64_encode(&base64, data, len) >= 0)
        json_array_append_new(content, json_pack("{s:s, s:s, s:s}", "type", "image", "data",
                                                 base64.data, "mimeType", type));
}

static void mcp_files_add_file(json_t *content, const char *data, size_t len, uint64_t offset,
                               uint64_t size) {
    const char *picture = offset == 0 && len == size ? picture_type(data, len) : NULL;
    size_t shown = len < TEXT_PIECE ? len : TEXT_PIECE;
    json_t *text = picture ? NULL : file_text(data, &shown, offset + shown < size);
    char note[100];

    if (text) {
        add_piece(content, text, offset, shown, size);
    } else if (picture) {
        add_picture(content, picture, data, len);
    } else {
        snprintf(note, sizeof note, "[a binary file of %llu bytes: read it in code]",
                 (unsigned long long)size);
        json_array_append_new(content, mcp_text_block(note));
    }
}

static int files_read(struct visit *visit, const json_t *arguments, json_t *content,
                      struct retort_error *error) {
    uint64_t size, offset = offset_of(arguments);
    size_t len;
    char *data;
    int r = retort_file_read(visit->hosted->session, mcp_argument(arguments, "path"), offset,
                             MAX_PICTURE, &data, &len, &size, error);

    if (r < 0)
        return r;
    mcp_files_add_file(content, data, len, offset, size);
    retort_free(data);
    return 0;
}

/* --- the rest of an output that was too long for its result --- */

static int files_output(struct visit *visit, const json_t *arguments, json_t *content,
                        struct retort_error *error) {
    const json_t *cell = json_object_get(arguments, "cell");
    bool is_stderr = strcmp(mcp_argument(arguments, "stream"), "stderr") == 0;
    uint64_t total, offset = offset_of(arguments);
    char *data;
    size_t len;
    json_t *text;
    int r = retort_output_read(
        visit->hosted->session, cell ? (unsigned)json_integer_value(cell) : visit->hosted->cell,
        is_stderr ? RETORT_STDERR : RETORT_STDOUT, offset, TEXT_PIECE, &data, &len, &total, error);

    if (r < 0)
        return r;
    text = file_text(data, &len, offset + len < total);
    if (!text) { /* bytes that are not UTF-8 are replaced */
        scoped_buf quoted = BUF_INIT(8 * TEXT_PIECE);

        if (buf_json_string(&quoted, data, len) >= 0)
            text = json_in(quoted.data, quoted.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    }
    add_piece(content, text, offset, len, total);
    retort_free(data);
    return 0;
}

/* --- write and delete --- */

static int files_write(struct visit *visit, const json_t *arguments, json_t *content,
                       struct retort_error *error) {
    const json_t *text = json_object_get(arguments, "text");
    const json_t *base64 = json_object_get(arguments, "base64");
    scoped_buf data = BUF_INIT(MAX_REQUEST);
    char note[60];
    int r = -EINVAL;

    if (text)
        r = buf_add(&data, json_string_value(text), json_string_length(text));
    else if (base64)
        r = base64_decode(&data, json_string_value(base64), json_string_length(base64));
    if (r < 0)
        return err_set(error, ERR_CALLER, EINVAL, "write needs text, or valid base64");
    r = retort_file_write(visit->hosted->session, mcp_argument(arguments, "path"), 0,
                          data.data ? data.data : "", data.len, true, error);
    if (r < 0)
        return r;
    snprintf(note, sizeof note, "written: %zu bytes", data.len);
    json_array_append_new(content, mcp_text_block(note));
    return 0;
}

static int mcp_files_delete(struct visit *visit, const json_t *arguments, json_t *content,
                            struct retort_error *error) {
    int r = retort_file_delete(visit->hosted->session, mcp_argument(arguments, "path"), error);

    if (r >= 0)
        json_array_append_new(content, mcp_text_block("deleted"));
    return r;
}

static const struct action {
    const char *name;
    bool needs_path;
    int (*run)(struct visit *visit, const json_t *arguments, json_t *content,
               struct retort_error *error);
} actions[] = {{"list", false, mcp_files_list},
               {"read", true, files_read},
               {"write", true, files_write},
               {"delete", true, mcp_files_delete},
               {"output", false, files_output}};

static const struct action *find_action(const char *name) {
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}

int mcp_files(struct mcp_call *call, const json_t *arguments, json_t **ret_result) {
    const struct action *action = find_action(mcp_argument(arguments, "action"));
    struct retort_error error = {0};
    struct visit visit;
    char failure[FAILURE_TEXT];
    json_t *content;
    int r;

    if (!action)
        return mcp_fail(call, RPC_PARAMS, NULL, "there is no such action");
    if (action->needs_path && !mcp_argument(arguments, "path")[0])
        return mcp_fail(call, RPC_PARAMS, NULL, "%s needs a path", action->name);
    if (visit_join(&visit, call, arguments, VISIT_ANY, ret_result) < 0)
        return 0;
    content = json_array();
    visit_enter(&visit);
    r = action->run(&visit, arguments, content, &error);
    if (r < 0) {
        mcp_failure_text(&error, failure);
        json_array_append_new(content, mcp_text_block(failure));
    }
    *ret_result = visit_result(&visit, content, r < 0);
    visit_leave(&visit);
    return 0;
}

/* --- files as resources: retort://SESSION/PATH --- */

static void list_files_of(struct hosted *hosted, json_t *resources) {
    struct retort_error error;
    char *text;
    scoped_json *list = NULL;

    if (retort_file_list(hosted->session, &text, &error) < 0)
        return;
    list = json_in_text(text, 0, NULL);
    retort_free(text);
    scoped_json *links = mcp_result_links(hosted->id, list);
    for (size_t i = 0; i < json_array_size(links); i++) {
        json_t *link = json_array_get(links, i);

        json_object_del(link, "type");
        json_array_append(resources, link);
    }
}

/* Leaves out sessions in which something runs: a list does not wait for anybody's code. */
int mcp_list_resources(struct mcp_call *call, const json_t *arguments, json_t **ret_result) {
    scoped_free struct hosted **list = NULL;
    struct registry *registry = visit_serve(call)->registry;
    size_t n = registry_list(registry, mcp_owner(call), &list);
    json_t *resources = json_array();

    (void)arguments;
    for (size_t i = 0; i < n; i++) {
        if (registry_try_enter(registry, list[i])) {
            list_files_of(list[i], resources);
            registry_leave(registry, list[i]);
        }
        registry_unref(registry, list[i]);
    }
    mcp_skills_resources(visit_serve(call), resources);
    *ret_result =
        json_pack("{s:o, s:i, s:s}", "resources", resources, "ttlMs", 0, "cacheScope", "private");
    return 0;
}

int mcp_list_templates(struct mcp_call *call, const json_t *arguments, json_t **ret_result) {
    (void)arguments;
    *ret_result = json_pack("{s:[{s:s, s:s, s:s}]}", "resourceTemplates", "uriTemplate",
                            "retort://{session}/{+path}", "name", "file", "description",
                            "A file under /work of a session");
    if (mcp_skills_offered(visit_serve(call)))
        json_array_append_new(json_object_get(*ret_result, "resourceTemplates"),
                              json_pack("{s:s, s:s, s:s}", "uriTemplate", "skill://{name}", "name",
                                        "skill", "description",
                                        "What a skill is for and how it is called"));
    return 0;
}

/* Splits retort://SESSION/PATH and undoes the escapes of the path. */
static bool split_uri(const char *uri, char session[64], char path[MAX_PATH]) {
    size_t len, n = 0;

    if (strncmp(uri, "retort://", 9) != 0)
        return false;
    uri += 9;
    len = strcspn(uri, "/");
    if (len == 0 || len >= 64 || uri[len] != '/')
        return false;
    snprintf(session, 64, "%.*s", (int)len, uri);
    for (uri += len + 1; *uri && n + 1 < MAX_PATH; n++) {
        int high = *uri == '%' ? hex_digit(uri[1]) : -1;
        int low = high >= 0 ? hex_digit(uri[2]) : -1;

        path[n] = (char)(low >= 0 ? high << 4 | low : *uri);
        uri += low >= 0 ? 3 : 1;
    }
    path[n] = 0;
    return n > 0 && !*uri && strlen(path) == n;
}

static json_t *resource_contents(const json_t *uri, const char *data, size_t len) {
    scoped_buf base64 = BUF_INIT(2 * MAX_FILE_CHUNK);
    json_t *text = json_stringn(data, len);

    if (text)
        return json_pack("{s:O, s:o}", "uri", uri, "text", text);
    if (base64_encode(&base64, data, len) < 0)
        return NULL;
    return json_pack("{s:O, s:s}", "uri", uri, "blob", base64.data ? base64.data : "");
}

static int fail_resource(struct mcp_call *call, const json_t *uri, int code, const char *why) {
    return mcp_fail(call, code, json_pack("{s:O}", "uri", uri), "%s", why);
}

static int read_from(struct hosted *hosted, const char *path, struct mcp_call *call,
                     const json_t *uri, json_t **ret_result) {
    struct retort_error error;
    uint64_t size;
    size_t len;
    char *data;
    int r = retort_file_read(hosted->session, path, 0, MAX_FILE_CHUNK, &data, &len, &size, &error);

    if (r < 0)
        return fail_resource(call, uri, RPC_PARAMS, "Resource not found");
    if (len < size)
        r = fail_resource(call, uri, RPC_LIMIT, "the file is too large: read it in code");
    else
        *ret_result = json_pack("{s:[o], s:i, s:s}", "contents", resource_contents(uri, data, len),
                                "ttlMs", 0, "cacheScope", "private");
    retort_free(data);
    return r < 0 ? r : 0;
}

/* Like the list, does not wait while code runs in the session. */
int mcp_read_resource(struct mcp_call *call, const json_t *uri, json_t **ret_result) {
    char session[64], path[MAX_PATH];
    struct registry *registry = visit_serve(call)->registry;
    struct hosted *hosted = NULL;
    scoped_free char *skill = mcp_skills_text(visit_serve(call), json_string_value(uri));
    int r;

    if (skill) {
        *ret_result =
            json_pack("{s:[o], s:i, s:s}", "contents", resource_contents(uri, skill, strlen(skill)),
                      "ttlMs", 0, "cacheScope", "private");
        return 0;
    }
    if (split_uri(json_string_value(uri), session, path))
        hosted = registry_get(registry, mcp_owner(call), session);
    if (!hosted) {
        r = fail_resource(call, uri, RPC_PARAMS, "Resource not found");
    } else if (!registry_try_enter(registry, hosted)) {
        r = fail_resource(call, uri, RPC_BUSY, "the session is busy: try again later");
    } else {
        r = read_from(hosted, path, call, uri, ret_result);
        registry_leave(registry, hosted);
    }
    registry_unref(registry, hosted);
    return r;
}
