#include "skills/skills.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/buf.h"
#include "base/io.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "skills/library.h"
#include "skills/trial.h"

#define INLINE_BYTES (64 << 10)

/* --- with an engine --- */

struct skill_attempt {
    const struct skills_job *job;
    struct skill_files *files;
    json_t *manifest;
    unsigned tests;
};

typedef int (*attempt_step)(struct skill_attempt *a, struct retort_engine *engine,
                            struct retort_error *err);

static int attempt_with_engine(struct skill_attempt *a, attempt_step step,
                               struct retort_error *err) {
    struct retort_engine_options none = {.no_state = true};
    struct retort_engine *own = NULL;
    if (!a->job->engine)
        TRY(retort_open(&none, &own, err));
    int r = step(a, own ? own : a->job->engine, err);
    retort_close(own);
    return r;
}

/* --- adding --- */

/* The hash covers the skill's files and what they may do. */
static int attempt_hash(struct skill_attempt *a, struct retort_error *err) {
    scoped_json *what = json_copy(a->manifest);
    struct hash hash;
    char text[HASH_TEXT_SIZE];
    json_object_del(what, "review");
    json_object_del(what, "provenance");
    /* Another compiler may build another program of the same skill. */
    json_object_del(what, "built");
    scoped_free char *whole = json_whole(what, JSON_COMPACT | JSON_SORT_KEYS);
    if (!whole || hash_bytes(whole, strlen(whole), &hash) < 0)
        return err_memory(err);
    hash_text(&hash, text);
    json_object_set_new(a->manifest, "hash", json_string(text));
    return 0;
}

/* Callers import the source of an inline skill, so it runs in their own session, not in one of its
 * own. */
static int check_inline(const json_t *manifest, const struct skill_files *files,
                        struct retort_error *err) {
    const char *path = json_string_value(json_object_get(manifest, "code"));
    const struct skill_file *code = path ? skillfiles_find(files, path) : NULL;
    const char *verdict =
        json_string_value(json_object_get(json_object_get(manifest, "review"), "verdict"));
    if (!json_is_true(json_object_get(manifest, "inline")))
        return 0;
    if (json_object_get(manifest, "built"))
        return err_set(err, ERR_CALLER, EINVAL, "inline: only what is Python may be");
    if (json_object_size(json_object_get(manifest, "capabilities")))
        return err_set(err, ERR_CALLER, EPERM, "inline: only what has no capability may be");
    if (!code || code->len > INLINE_BYTES)
        return err_set(err, ERR_LIMIT, EFBIG, "inline: the source is longer than %d bytes",
                       INLINE_BYTES);
    return strcmp(verdict, "clean") == 0 || strcmp(verdict, "note") == 0
               ? 0
               : err_set(err, ERR_CALLER, EPERM,
                         "inline: the review found what has to be repaired first");
}

static int try_skill(struct skill_attempt *a, struct retort_engine *engine,
                     struct retort_error *err) {
    json_t *review;
    TRY(trial_inspect(engine, a->files, &a->manifest, err));
    TRY(trial_review(engine, a->files, &review, err));
    json_object_set_new(a->manifest, "review", review);
    TRY(check_inline(a->manifest, a->files, err));
    return trial_test(engine, a->files, a->manifest, a->job->rules, &a->tests, err);
}

static int finish_manifest(struct skill_attempt *a, struct retort_error *err) {
    json_t *m = a->manifest, *hashes = skillfiles_hashes(a->files);
    if (!hashes)
        return err_memory(err);
    json_object_set_new(m, "files", hashes);
    json_object_set_new(m, "schema", json_string("retort.skill/1"));
    if (a->job->provenance)
        json_object_set_new(m, "provenance", json_deep_copy(a->job->provenance));
    const char *language = json_object_get(m, "built")       ? "wasm"
                           : json_object_get(m, "functions") ? "python"
                                                             : "text";
    json_object_set_new(m, "language", json_string(language));
    return attempt_hash(a, err);
}

static int check_folder_name(const json_t *manifest, const char *folder, struct retort_error *err) {
    const char *name = json_string_value(json_object_get(manifest, "name"));
    return folder && strcmp(folder, name) != 0
               ? err_set(err, ERR_CALLER, EINVAL,
                         "the skill is called %s and its folder %.80s: they must be the same", name,
                         folder)
               : 0;
}

static int store_attempt(struct skill_attempt *a, json_t **ret, struct retort_error *err) {
    const char *name = json_string_value(json_object_get(a->manifest, "name"));
    struct skill_library lib;
    unsigned version;
    TRY(library_open(a->job->state, &lib, err));
    int r = library_add(&lib, name, a->files, a->manifest, &version, err);
    library_close(&lib);
    if (r == 0)
        *ret = json_pack("{s:s,s:i,s:O,s:i,s:O}", "name", name, "version", (int)version, "hash",
                         json_object_get(a->manifest, "hash"), "tests", (int)a->tests, "review",
                         json_object_get(a->manifest, "review"));
    return r;
}

int skills_add(const struct skills_job *job, const char *folder, struct skill_files *files,
               json_t **ret, struct retort_error *err) {
    struct skill_attempt a = {.job = job, .files = files};
    int r = attempt_with_engine(&a, try_skill, err);
    if (r == 0)
        r = check_folder_name(a.manifest, folder, err);
    if (r == 0)
        r = finish_manifest(&a, err);
    if (r == 0)
        r = store_attempt(&a, ret, err);
    json_decref(a.manifest);
    return r;
}

static int open_folder(const char *path, char whole[PATH_MAX], struct retort_error *err) {
    int fd = realpath(path, whole) ? open(whole, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    return fd < 0 ? err_errno(err, ERR_CALLER, errno, "cannot open the folder %.200s", path) : fd;
}

int skills_add_folder(const struct skills_job *job, const char *path, json_t **ret,
                      struct retort_error *err) {
    char whole[PATH_MAX];
    struct skill_files files = {.n = 0};
    scoped_fd dir = open_folder(path, whole, err);
    if (dir < 0)
        return dir;
    int r = skillfiles_read(dir, &files, err);
    if (r == 0)
        r = skills_add(job, strrchr(whole, '/') + 1, &files, ret, err);
    skillfiles_done(&files);
    return r;
}

/* --- importing many --- */

static void import_one(const struct skills_job *job, const char *path, json_t *report) {
    struct retort_error why = ERR_INIT;
    json_t *added;
    if (skills_add_folder(job, path, &added, &why) == 0)
        json_array_append_new(json_object_get(report, "added"), added);
    else
        json_array_append_new(json_object_get(report, "refused"),
                              json_pack("{s:s,s:s}", "folder", path, "reason", why.message));
}

static int import_all(const struct skills_job *job, int dir, const char *path, json_t *report,
                      struct retort_error *err) {
    scoped_dir entries = opendir_at(dir, ".");
    if (!entries)
        return err_errno(err, ERR_CALLER, errno, "cannot read the folder %.200s", path);
    for (struct dirent *e; (e = readdir(entries));) {
        char below[PATH_MAX + 300], file[300];
        snprintf(below, sizeof below, "%s/%s", path, e->d_name);
        snprintf(file, sizeof file, "%s/SKILL.md", e->d_name);
        if (e->d_name[0] != '.' && faccessat(dir, file, F_OK, 0) == 0)
            import_one(job, below, report);
    }
    return 0;
}

int skills_import(const struct skills_job *job, const char *path, json_t **ret,
                  struct retort_error *err) {
    char whole[PATH_MAX];
    scoped_fd dir = open_folder(path, whole, err);
    if (dir < 0)
        return dir;
    scoped_json *report = json_pack("{s:[],s:[]}", "added", "refused");
    if (faccessat(dir, "SKILL.md", F_OK, 0) == 0)
        import_one(job, whole, report);
    else
        TRY(import_all(job, dir, whole, report, err));
    *ret = TAKE(report);
    return 0;
}

/* --- skills of the library --- */

int skills_list(const char *state, const char *words, unsigned most, json_t **ret,
                struct retort_error *err) {
    struct skill_library lib;
    TRY(library_open(state, &lib, err));
    int r = library_list(&lib, words, most, ret, err);
    library_close(&lib);
    return r;
}

static int load_named(const struct skill_library *lib, const char *name, struct skill_files *files,
                      json_t **ret, struct retort_error *err) {
    struct skill_ref ref;
    json_t *versions;
    TRY(library_resolve(lib, name, &ref, err));
    TRY(library_load(lib, &ref, files, ret, err));
    TRY(library_versions(lib, ref.name, &versions, err));
    json_object_set_new(*ret, "versions", versions);
    return 0;
}

/* Reads files and manifest, and closes the library again. */
static int fetch(const char *state, const char *name, struct skill_files *files, json_t **ret,
                 struct retort_error *err) {
    struct skill_library lib;
    *ret = NULL;
    TRY(library_open(state, &lib, err));
    int r = load_named(&lib, name, files, ret, err);
    library_close(&lib);
    return r;
}

int skills_show(const char *state, const char *name, json_t **ret, struct retort_error *err) {
    struct skill_files files = {.n = 0};
    scoped_json *shown = NULL;
    int r = fetch(state, name, &files, &shown, err);
    const struct skill_file *text = skillfiles_find(&files, "SKILL.md");
    if (r == 0 && text)
        json_object_set_new(shown, "text", json_stringn(text->data, text->len));
    skillfiles_done(&files);
    if (r == 0)
        *ret = TAKE(shown);
    return r;
}

static int test_again(struct skill_attempt *a, struct retort_engine *engine,
                      struct retort_error *err) {
    return trial_test(engine, a->files, a->manifest, a->job->rules, &a->tests, err);
}

int skills_test(const struct skills_job *job, const char *name, json_t **ret,
                struct retort_error *err) {
    struct skill_files files = {.n = 0};
    struct skill_attempt a = {.job = job, .files = &files};
    int r = fetch(job->state, name, &files, &a.manifest, err);
    if (r == 0)
        r = attempt_with_engine(&a, test_again, err);
    if (r == 0)
        *ret = json_pack("{s:O,s:O,s:i}", "name", json_object_get(a.manifest, "name"), "version",
                         json_object_get(a.manifest, "version"), "tests", (int)a.tests);
    json_decref(a.manifest);
    skillfiles_done(&files);
    return r;
}

int skills_remove(const char *state, const char *name, struct retort_error *err) {
    struct skill_ref ref;
    struct skill_library lib;
    TRY(library_parse(name, &ref, err));
    TRY(library_open(state, &lib, err));
    int r = library_remove(&lib, &ref, err);
    library_close(&lib);
    return r;
}

static json_t *file_sent(const struct skill_file *f) {
    scoped_buf text = BUF_INIT(2 * SKILL_BYTES);
    return base64_encode(&text, f->data, f->len) < 0 || buf_add(&text, "", 0) < 0
               ? NULL
               : json_pack("{s:s,s:s}", "path", f->path, "base64", text.data ? text.data : "");
}

int skills_files(const char *state, const char *name, json_t **ret, struct retort_error *err) {
    struct skill_files files = {.n = 0};
    scoped_json *manifest = NULL;
    int r = fetch(state, name, &files, &manifest, err);
    *ret = r == 0 ? json_array() : NULL;
    skillfiles_drop_built(&files);
    for (size_t i = 0; r == 0 && i < files.n; i++)
        json_array_append_new(*ret, file_sent(&files.at[i]));
    skillfiles_done(&files);
    return r;
}

static int export_into(const char *path, const char *name, const struct skill_files *files,
                       struct retort_error *err) {
    char whole[PATH_MAX + SKILL_NAME];
    snprintf(whole, sizeof whole, "%s/%s", path, name);
    if ((mkdir(path, 0777) < 0 && errno != EEXIST) || mkdir(whole, 0777) < 0)
        return err_errno(err, ERR_CALLER, errno, "cannot make the folder %.200s", whole);
    scoped_fd dir = open(whole, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return dir < 0 ? err_errno(err, ERR_HOST, errno, "cannot open the folder %.200s", whole)
                   : skillfiles_write(dir, files, err);
}

int skills_export(const char *state, const char *name, const char *path, struct retort_error *err) {
    struct skill_files files = {.n = 0};
    scoped_json *manifest = NULL;
    int r = fetch(state, name, &files, &manifest, err);
    skillfiles_drop_built(&files);
    if (r == 0)
        r = export_into(path, json_string_value(json_object_get(manifest, "name")), &files, err);
    skillfiles_done(&files);
    return r;
}
