#include "environments/install.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/host/environment.h"
#include "environments/environments.h"
#include "environments/reach.h"
#include "environments/tree.h"

#define CHUNK (1u << 20)
#define MAX_HANDED_IN 20000 /* files in directories that are uploaded */
#define MAX_WHEELS 2000
#define MAX_SCRIPT (4u << 20)

#define TREE_BYTES (16ull << 30)
#define TREE_ENTRIES 500000

/* Wheels, their files and the tree are in memory, so the session gets room for large libraries. */
static const struct retort_limits roomy = {
    .memory = 4ull << 30, .disk = 8ull << 30, .inodes = 1000000, .pids = 256, .output = 256u << 10};

/* Room for an image as an archive, as files, and as a tree; each has at most what `unpack`
 * allows. */
#define IMAGE_DISK (18ull << 30)

static int from_error(const struct retort_error *from, struct retort_error *err) {
    return err_errno(err, (enum retort_fault)from->fault, from->code, "%s", from->message);
}

/* --- a session --- */

static const char *recipe_text(const struct install *job, const char *member) {
    return json_string_value(json_object_get(job->recipe, member));
}

/* A session that reaches only the index and the registry, if these are addresses. We always give
 * rules, because without any a session has those of the configuration. */
static int installer_new(const struct install *job, const char *index, const char *registry,
                         struct retort_session **ret, struct retort_error *err) {
    struct retort_session_options o = {.python = recipe_text(job, "python"),
                                       .preload = "",
                                       .limits = roomy,
                                       .no_record = true,
                                       .checkpoint = RETORT_CHECKPOINT_OFF,
                                       .fresh = true,
                                       .door = "env"};
    char *network = NULL;
    o.limits.timeout = o.limits.cpu = job->timeout;
    if (recipe_text(job, "image"))
        o.limits.disk = IMAGE_DISK;
    int r = reach_rules(index, registry, json_object_get(job->recipe, "addresses"), &network, err);
    o.network = network;
    if (r == 0)
        r = retort_session_new(job->engine, &o, ret, err);
    free(network);
    return r;
}

static void pass_progress(void *user, enum retort_stream stream, const char *text, size_t len,
                          uint64_t time_ns) {
    const struct install *job = user;
    (void)stream;
    (void)time_ns;
    if (job->progress)
        job->progress(job->user, text, len);
}

/* Reports in one line why a cell failed. */
static int installer_failed(const struct retort_result *result, struct retort_error *err) {
    size_t len;
    const char *text = retort_result_json(result, &len), *status = retort_result_status(result);
    json_t *whole = json_in(text, len, JSON_ALLOW_NUL, NULL);
    const json_t *told = json_object_get(json_object_get(whole, "error"), "message");
    char line[300] = "";
    if (json_string_length(told) > 0)
        err_last_words(json_string_value(told), json_string_length(told), line, sizeof line);
    bool limit = strcmp(status, "timeout") == 0 || strcmp(status, "cpu_limit") == 0 ||
                 strcmp(status, "oom") == 0;
    int r = err_set(err, limit ? ERR_LIMIT : ERR_CALLER, 0, "%s%s%s",
                    limit && line[0] ? "installing was stopped: " : "",
                    line[0] ? line : "installing ended: ", line[0] ? "" : status);
    json_decref(whole);
    return r;
}

static int installer_run(const struct install *job, struct retort_session *s, const char *code,
                         struct retort_error *err) {
    union {
        const struct install *given;
        void *user;
    } to = {job};
    struct retort_callbacks callbacks = {.user = to.user, .output = pass_progress};
    struct retort_execute_options o = {.callbacks = &callbacks, .quiet = true};
    struct retort_result *result;
    struct retort_error error = {0};
    if (retort_execute(s, code, strlen(code), &o, &result, &error) < 0)
        return from_error(&error, err);
    int r = strcmp(retort_result_status(result), "ok") == 0 ? 0 : installer_failed(result, err);
    retort_result_free(result);
    return r;
}

/* Calls a function of a guest's module with these arguments, as JSON that Python reads. */
static int installer_call(const struct install *job, struct retort_session *s, const char *module,
                          const char *function, const json_t *arguments, struct retort_error *err) {
    scoped_buf code = BUF_INIT(MAX_SCRIPT);
    json_t *text = NULL;
    char *inner = json_whole(arguments, JSON_COMPACT), *quoted = NULL;
    if (inner && (text = json_string(inner)))
        quoted = json_whole(text, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    int r = quoted ? buf_printf(&code,
                                "import json\nfrom retort_guest import %s\n"
                                "%s.%s(**json.loads(%s))\n",
                                module, module, function, quoted)
                   : -ENOMEM;
    json_decref(text);
    free(inner);
    free(quoted);
    return r < 0 ? err_errno(err, ERR_CALLER, -r, "cannot pass on what is to be installed")
                 : installer_run(job, s, code.data, err);
}

/* --- uploading files --- */

struct handing {
    struct retort_session *session;
    struct hasher *hasher; /* hashes what is uploaded; or NULL */
    size_t count;
    struct retort_error *err;
};

static int hand_bytes(struct handing *h, int fd, struct retort_upload *upload) {
    scoped_free char *chunk = malloc(CHUNK);
    struct retort_error error = {0};
    ssize_t n = chunk ? 1 : -ENOMEM;
    while (n > 0) {
        n = read_full(fd, chunk, CHUNK);
        if (n > 0 && h->hasher && hasher_add(h->hasher, chunk, (size_t)n) < 0)
            n = -ENOMEM;
        if (n > 0 && retort_upload_write(upload, chunk, (size_t)n, &error) < 0)
            return from_error(&error, h->err);
    }
    return n < 0 ? err_errno(h->err, ERR_HOST, (int)-n, "cannot read what is to be installed") : 0;
}

static int hand_fd(struct handing *h, int fd, const char *path) {
    struct retort_upload *upload;
    struct retort_error error = {0};
    if (++h->count > MAX_HANDED_IN)
        return err_set(h->err, ERR_CALLER, E2BIG, "more than %d files are handed in",
                       MAX_HANDED_IN);
    if (retort_upload_begin(h->session, path, 0, &upload, &error) < 0)
        return from_error(&error, h->err);
    int r = hand_bytes(h, fd, upload);
    if (r < 0) {
        retort_upload_cancel(upload);
        return r;
    }
    return retort_upload_finish(upload, &error) < 0 ? from_error(&error, h->err) : 0;
}

static int hand_dir(struct handing *h, int dir, const char *path);

/* Uploads regular files and directories; leaves out links. */
static int hand_entry(struct handing *h, int dir, const char *name, const char *path) {
    struct stat st;
    scoped_fd fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ELOOP || errno == ENXIO
                   ? 0
                   : err_errno(h->err, ERR_CALLER, errno, "cannot read %.200s", name);
    if (fstat(fd, &st) < 0 || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
        return 0;
    return S_ISDIR(st.st_mode) ? hand_dir(h, fd, path) : hand_fd(h, fd, path);
}

static int hand_dir(struct handing *h, int dir, const char *path) {
    scoped_dir entries = opendir_at(dir, ".");
    int r = entries ? 0 : err_errno(h->err, ERR_CALLER, errno, "cannot read a directory");
    for (struct dirent *e; r == 0 && (e = readdir(entries));) {
        char below[MAX_PATH];
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        if (snprintf(below, sizeof below, "%s/%s", path, e->d_name) >= (int)sizeof below)
            return err_set(h->err, ERR_CALLER, ENAMETOOLONG, "a directory is too deep");
        r = hand_entry(h, dir, e->d_name, below);
    }
    return r;
}

static int hand_path(struct handing *h, const char *host, const char *path) {
    struct stat st;
    scoped_fd fd = open(host, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0)
        return err_errno(h->err, ERR_CALLER, errno, "cannot read %.200s", host);
    return S_ISDIR(st.st_mode) ? hand_dir(h, fd, path) : hand_fd(h, fd, path);
}

/* --- the first session: wheels --- */

/* A spec that begins with a slash or a dot is a path on the host, and becomes one in the session;
 * any other is a name. */
static int hand_specs(struct handing *h, const json_t *specs, json_t *to) {
    const json_t *spec;
    size_t i;
    int r = 0;
    json_array_foreach(specs, i, spec) {
        const char *text = json_string_value(spec), *base = strrchr(text, '/');
        char path[MAX_PATH];
        if (!environments_is_path(text)) {
            json_array_append_new(to, json_string(text));
            continue;
        }
        snprintf(path, sizeof path, "in/%zu/%s", i, base && base[1] ? base + 1 : "package");
        if (r == 0)
            r = hand_path(h, text, path);
        json_array_append_new(to, json_sprintf("/work/%s", path));
    }
    return r;
}

static int gather_wheels(const struct install *job, struct retort_session *s,
                         struct retort_error *err) {
    struct handing h = {.session = s, .err = err};
    const char *index = recipe_text(job, "index");
    json_t *specs = json_array(), *arguments = json_pack("{s:o}", "specs", specs);
    int r = hand_specs(&h, json_object_get(job->recipe, "pip"), specs);
    if (index && reach_is_url(index))
        json_object_set_new(arguments, "index", json_string(index));
    else if (r == 0 && index)
        r = hand_path(&h, index, "index");
    if (json_object_get(job->recipe, "requirements"))
        json_object_set(arguments, "requirements", json_object_get(job->recipe, "requirements"));
    if (r == 0)
        r = installer_call(job, s, "install", "gather", arguments, err);
    json_decref(arguments);
    return r;
}

/* --- from one session to the other --- */

static bool is_wheel(const char *name) {
    size_t len = strlen(name);
    static const char marks[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+!-";
    return len > 4 && len < 200 && !name[strspn(name, marks)] && name[0] != '.' &&
           strcmp(name + len - 4, ".whl") == 0 && strchr(name, '-') &&
           strchr(strchr(name, '-') + 1, '-');
}

/* "numpy-1.24.2-cp311-….whl" */
static json_t *wheel_json(const char *file, const struct hash *hash) {
    const char *version = strchr(file, '-') + 1;
    char text[HASH_TEXT_SIZE];
    hash_text(hash, text);
    return json_pack("{s:s s:s% s:s% s:s}", "file", file, "name", file,
                     (size_t)(version - 1 - file), "version", version, strcspn(version, "-"),
                     "sha256", strchr(text, ':') + 1);
}

static int carry_wheel(struct retort_session *from, struct handing *to, const char *path,
                       json_t *list) {
    struct retort_error error = {0};
    struct hash hash;
    uint64_t size;
    int in;
    if (retort_file_open(from, path, &in, &size, &error) < 0)
        return from_error(&error, to->err);
    scoped_fd fd = in;
    to->hasher = hasher_new();
    int r =
        to->hasher ? hand_fd(to, fd, path) : err_errno(to->err, ERR_HOST, ENOMEM, "cannot hash");
    if (r == 0 && hasher_finish(to->hasher, &hash) == 0)
        json_array_append_new(list, wheel_json(strrchr(path, '/') + 1, &hash));
    hasher_free(to->hasher);
    to->hasher = NULL;
    return r;
}

static int carry_wheels(struct retort_session *from, struct retort_session *to, json_t *list,
                        struct retort_error *err) {
    struct handing h = {.session = to, .err = err};
    struct retort_error error = {0};
    char *text;
    size_t i;
    json_t *file;
    if (retort_file_list(from, &text, &error) < 0)
        return from_error(&error, err);
    json_t *files = json_in_text(text, 0, NULL);
    int r = 0;
    retort_free(text);
    json_array_foreach(files, i, file) {
        const char *path = json_string_value(json_object_get(file, "path"));
        if (r < 0 || !path || strncmp(path, "wheels/", 7) != 0)
            continue;
        if (!is_wheel(path + 7) || json_array_size(list) >= MAX_WHEELS)
            r = err_set(err, ERR_GUEST, EBADMSG, "pip made something that is no wheel");
        else
            r = carry_wheel(from, &h, path, list);
    }
    json_decref(files);
    return r;
}

static int bring_wheels(const struct install *job, struct retort_session *to, json_t *list,
                        struct retort_error *err) {
    struct retort_session *s = NULL;
    if (json_array_size(json_object_get(job->recipe, "pip")) == 0 &&
        !json_object_get(job->recipe, "requirements"))
        return 0;
    int r = installer_new(job, recipe_text(job, "index"), NULL, &s, err);
    if (r < 0)
        return r;
    r = gather_wheels(job, s, err);
    if (r == 0)
        r = carry_wheels(s, to, list, err);
    retort_session_close(s);
    return r;
}

/* --- the second session: files --- */

static int install_files(const struct install *job, struct retort_session *s,
                         struct retort_error *err) {
    struct handing h = {.session = s, .err = err};
    json_t *npm = json_array(), *none = json_object(), *arguments = json_pack("{s:o}", "npm", npm);
    int r = hand_specs(&h, json_object_get(job->recipe, "npm"), npm);
    if (recipe_text(job, "registry"))
        json_object_set_new(arguments, "registry", json_string(recipe_text(job, "registry")));
    if (r == 0)
        r = installer_call(job, s, "install", "install", arguments, err);
    if (r == 0)
        r = installer_call(job, s, "install", "pack", none, err);
    json_decref(arguments);
    json_decref(none);
    return r;
}

static int take_tree(struct retort_session *s, bool rooted, int dir, struct hash *ret,
                     struct retort_error *err) {
    struct tree_bounds bounds = {.bytes = TREE_BYTES, .entries = TREE_ENTRIES, .rooted = rooted};
    struct retort_error error = {0};
    uint64_t size;
    int in;
    if (retort_file_open(s, "tree", &in, &size, &error) < 0)
        return from_error(&error, err);
    scoped_fd fd = in;
    return tree_unpack(fd, dir, &bounds, ret, err);
}

/* NULL if there is none, or no JSON. */
static json_t *read_object(struct retort_session *s, const char *path) {
    struct retort_error error = {0};
    char *text;
    size_t len;
    uint64_t size;
    if (retort_file_read(s, path, 0, MAX_SCRIPT, &text, &len, &size, &error) < 0)
        return NULL;
    json_t *value = json_in(text, len, 0, NULL);
    retort_free(text);
    return value;
}

/* What npm says it has installed; [] if nothing was asked of it. */
static json_t *npm_lock(struct retort_session *s) {
    json_t *list = read_object(s, "npm.json");
    if (json_is_array(list))
        return list;
    json_decref(list);
    return json_array();
}

/* --- an image --- */

static int unpack_image(const struct install *job, struct retort_session *s,
                        struct retort_error *err) {
    const char *image = recipe_text(job, "image");
    struct handing h = {.session = s, .err = err};
    struct stat st;
    json_t *none = json_object();
    bool layout = stat(image, &st) == 0 && S_ISDIR(st.st_mode);
    int r = hand_path(&h, image, layout ? "image" : "archive");
    if (r == 0)
        r = installer_call(job, s, "image", "unpack", none, err);
    json_decref(none);
    return r;
}

/* What the session says of the image, if it has the right form. */
static int image_facts(struct retort_session *s, json_t **ret, struct retort_error *err) {
    json_t *facts = read_object(s, "image.json"), *env = json_object_get(facts, "env");
    json_t *file = json_pack("{s:O}", "env", json_is_object(env) ? env : json_null());
    int r = environment_check("the image", file, err);
    json_decref(file);
    if (r == 0) {
        json_object_set_new(facts, "pip", json_array());
        json_object_set_new(facts, "npm", json_array());
        *ret = facts;
    } else
        json_decref(facts);
    return r;
}

int install_image(const struct install *job, int dir, struct hash *ret_hash, json_t **ret_facts,
                  struct retort_error *err) {
    struct retort_session *s = NULL;
    int r = installer_new(job, NULL, NULL, &s, err);
    if (r < 0)
        return r;
    r = unpack_image(job, s, err);
    if (r == 0)
        r = take_tree(s, true, dir, ret_hash, err);
    if (r == 0)
        r = image_facts(s, ret_facts, err);
    retort_session_close(s);
    return r;
}

int install_into(const struct install *job, int dir, struct hash *ret_hash, json_t **ret_lock,
                 struct retort_error *err) {
    struct retort_session *s = NULL;
    json_t *wheels = json_array();
    int r = installer_new(job, NULL, recipe_text(job, "registry"), &s, err);
    if (r == 0) {
        r = bring_wheels(job, s, wheels, err);
        if (r == 0)
            r = install_files(job, s, err);
        if (r == 0)
            r = take_tree(s, false, dir, ret_hash, err);
        if (r == 0)
            *ret_lock = json_pack("{s:O s:o}", "pip", wheels, "npm", npm_lock(s));
        retort_session_close(s);
    }
    json_decref(wheels);
    return r;
}
