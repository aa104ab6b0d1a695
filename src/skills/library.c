#include "skills/library.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/host/statedir.h"
#include "environments/tree.h"
#include "skills/index.h"

/* --- names --- */

bool library_is_name(const char *name) {
    size_t len = strlen(name);
    return len >= 1 && len < SKILL_NAME &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == len && name[0] != '-' &&
           name[len - 1] != '-' && !strstr(name, "--");
}

int library_parse(const char *text, struct skill_ref *ret, struct retort_error *err) {
    const char *at = strchr(text, '@');
    size_t len = at ? (size_t)(at - text) : strlen(text);
    struct skill_ref ref = {.version = 0};
    char *end = NULL;
    snprintf(ref.name, sizeof ref.name, "%.*s", (int)(len < SKILL_NAME ? len : SKILL_NAME), text);
    unsigned long version = at && at[1] >= '1' && at[1] <= '9' ? strtoul(at + 1, &end, 10) : 0;
    if (len >= SKILL_NAME || !library_is_name(ref.name) ||
        (at && (!version || *end || version > 1000000)))
        return err_set(err, ERR_CALLER, EINVAL,
                       "'%.60s' is no name of a skill: a-z, 0-9 and single '-' between them, at "
                       "most 64, and perhaps @VERSION",
                       text);
    ref.version = (unsigned)version;
    *ret = ref;
    return 0;
}

static void version_path(const struct skill_ref *ref, char *ret, size_t size) {
    snprintf(ret, size, "%s/%u", ref->name, ref->version);
}

static bool library_has(const struct skill_library *lib, const struct skill_ref *ref) {
    char path[SKILL_NAME + 16];
    struct stat st;
    version_path(ref, path, sizeof path);
    return fstatat(lib->dir, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

/* --- versions that are being made --- */

static int library_error(struct retort_error *err, const char *what) {
    return err_errno(err, ERR_HOST, errno, "cannot %s in the library of skills", what);
}

struct being_made {
    char token[20];
    int dir; /* locked for as long as it is made */
};

/* 1: made. 0: before we had locked it, another process took it for a leftover, and removed it. */
static int try_making(const struct skill_library *lib, struct being_made *m) {
    unsigned long long random;
    struct stat st;
    random_bytes(&random, sizeof random);
    snprintf(m->token, sizeof m->token, "%016llx", random);
    if (mkdirat(lib->making, m->token, 0700) < 0)
        return -errno;
    m->dir = openat(lib->making, m->token, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (m->dir >= 0 && flock(m->dir, LOCK_EX | LOCK_NB) == 0 && fstat(m->dir, &st) == 0 &&
        st.st_nlink > 0)
        return 1;
    int eno = m->dir < 0 ? errno : EWOULDBLOCK;
    fd_done(&m->dir);
    return eno == ENOENT || eno == EWOULDBLOCK ? 0 : -eno;
}

static int begin_making(const struct skill_library *lib, struct being_made *ret,
                        struct retort_error *err) {
    struct being_made m = {.dir = -1};
    int r = 0;
    for (unsigned i = 0; r == 0 && i < 100; i++)
        r = try_making(lib, &m);
    if (r <= 0)
        return err_errno(err, ERR_HOST, r ? -r : EBUSY, "cannot make a directory in skills.new");
    *ret = m;
    return 0;
}

static void end_making(const struct skill_library *lib, struct being_made *m) {
    if (m->dir >= 0 && tree_empty(m->dir) == 0)
        unlinkat(lib->making, m->token, AT_REMOVEDIR);
    fd_done(&m->dir);
}

/* Whether its maker lives. If not, the directory is not locked, and we remove it. */
static bool is_being_made(const struct skill_library *lib, const char *token) {
    struct being_made m = {
        .dir = openat(lib->making, token, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
    snprintf(m.token, sizeof m.token, "%s", token);
    if (m.dir < 0)
        return false;
    if (flock(m.dir, LOCK_EX | LOCK_NB) < 0) {
        fd_done(&m.dir);
        return true;
    }
    end_making(lib, &m);
    return false;
}

static void sweep_making(const struct skill_library *lib) {
    scoped_dir entries = opendir_at(lib->making, ".");
    for (struct dirent *e; entries && (e = readdir(entries));)
        if (e->d_name[0] != '.')
            is_being_made(lib, e->d_name);
}

/* --- opening --- */

static int settle_one(const struct skill_library *lib, const struct skill_ref *ref,
                      const char *token, struct retort_error *err) {
    if (library_has(lib, ref))
        return index_settle(lib->db, ref, err);
    return is_being_made(lib, token) ? 0 : index_unreserve(lib->db, ref, err);
}

/* Finishes or takes back what killed processes had begun: see library.h. */
static int settle_all(const struct skill_library *lib, struct retort_error *err) {
    scoped_json *list = NULL;
    json_t *one;
    size_t i;
    TRY(index_unsettled(lib->db, &list, err));
    json_array_foreach(list, i, one) {
        struct skill_ref ref = {.version =
                                    (unsigned)json_integer_value(json_object_get(one, "version"))};
        snprintf(ref.name, sizeof ref.name, "%s", json_string_value(json_object_get(one, "name")));
        TRY(settle_one(lib, &ref, json_string_value(json_object_get(one, "token")), err));
    }
    sweep_making(lib);
    return 0;
}

static int index_version(const struct skill_library *lib, const char *name, const char *number,
                         struct retort_error *err) {
    struct skill_ref ref;
    char text[SKILL_NAME + 32];
    struct skill_files files = {.n = 0};
    scoped_json *manifest = NULL;
    snprintf(text, sizeof text, "%.64s@%.16s", name, number);
    int r = library_parse(text, &ref, NULL);
    if (r == 0)
        r = library_load(lib, &ref, &files, &manifest, NULL);
    skillfiles_done(&files);
    /* A directory that is no skill is not indexed. */
    return r < 0 ? 0 : index_add(lib->db, &ref, manifest, err);
}

/* Makes a new index of the directories. */
static int index_all(const struct skill_library *lib, struct retort_error *err) {
    scoped_dir names = opendir_at(lib->dir, ".");
    for (struct dirent *e; names && (e = readdir(names));) {
        scoped_dir versions = library_is_name(e->d_name) ? opendir_at(lib->dir, e->d_name) : NULL;
        for (struct dirent *v; versions && (v = readdir(versions));)
            TRY(index_version(lib, e->d_name, v->d_name, err));
    }
    return 0;
}

static int open_below(const char *state, const char *name, int *ret, struct retort_error *err) {
    char path[MAX_PATH + 16];
    snprintf(path, sizeof path, "%s/%s", state, name);
    if (make_path(path, 0700) < 0 || (*ret = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot make the directory %.200s", path);
    return 0;
}

static int library_fill(struct skill_library *lib, const char *state, struct retort_error *err) {
    char path[MAX_PATH + 16];
    bool fresh;
    TRY(open_below(state, "skills", &lib->dir, err));
    TRY(open_below(state, "skills.new", &lib->making, err));
    snprintf(path, sizeof path, "%s/skills.db", state);
    TRY(index_open(path, &lib->db, &fresh, err));
    if (fresh)
        TRY(index_all(lib, err));
    return settle_all(lib, err);
}

int library_open(const char *state, struct skill_library *ret, struct retort_error *err) {
    char path[MAX_PATH];
    TRY(statedir_find(state, path, sizeof path, err));
    struct skill_library lib = {.dir = -1, .making = -1};
    int r = library_fill(&lib, path, err);
    if (r < 0)
        library_close(&lib);
    else
        *ret = lib;
    return r;
}

void library_close(struct skill_library *lib) {
    fd_done(&lib->dir);
    fd_done(&lib->making);
    sqlite3_close(lib->db);
    lib->db = NULL;
}

/* --- adding --- */

static int put_manifest(struct skill_files *files, const json_t *manifest,
                        struct retort_error *err) {
    char *text = json_whole(manifest, JSON_INDENT(2) | JSON_SORT_KEYS);
    return text ? skillfiles_put(files, "skill.json", text, strlen(text), err) : err_memory(err);
}

/* Makes NAME/VERSION in the directory for new versions. */
static int make_version(const struct being_made *m, const struct skill_ref *ref,
                        const struct skill_files *files, struct retort_error *err) {
    char path[SKILL_NAME + 16];
    version_path(ref, path, sizeof path);
    if (mkdirat(m->dir, ref->name, 0755) < 0 || mkdirat(m->dir, path, 0755) < 0)
        return library_error(err, "make a directory");
    scoped_fd dir = openat(m->dir, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return dir < 0 ? library_error(err, "open a directory") : skillfiles_write(dir, files, err);
}

static int move_new(int from, const char *name, int to) {
    return (int)syscall(SYS_renameat2, from, name, to, name, RENAME_NOREPLACE);
}

/* With one rename: of the directory NAME if the library has none, else of NAME/VERSION. */
static int bring_in(const struct skill_library *lib, const struct being_made *m,
                    const struct skill_ref *ref, struct retort_error *err) {
    char path[SKILL_NAME + 16];
    if (move_new(m->dir, ref->name, lib->dir) < 0) {
        version_path(ref, path, sizeof path);
        if (errno != EEXIST || move_new(m->dir, path, lib->dir) < 0)
            return library_error(err, "add a version");
        scoped_fd above = openat(lib->dir, ref->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (above >= 0)
            fsync(above);
    }
    fsync(lib->dir);
    return 0;
}

static int add_version(const struct skill_library *lib, const struct being_made *m,
                       struct skill_ref *ref, struct skill_files *files, json_t *manifest,
                       struct retort_error *err) {
    TRY(index_reserve(lib->db, ref, manifest, m->token, err));
    json_object_set_new(manifest, "version", json_integer(ref->version));
    int r = put_manifest(files, manifest, err);
    if (r == 0)
        r = make_version(m, ref, files, err);
    if (r == 0)
        r = bring_in(lib, m, ref, err);
    if (r < 0) {
        index_unreserve(lib->db, ref, NULL);
        return r;
    }
    return index_settle(lib->db, ref, err);
}

int library_add(const struct skill_library *lib, const char *name, struct skill_files *files,
                json_t *manifest, unsigned *ret_version, struct retort_error *err) {
    struct being_made m;
    struct skill_ref ref = {.version = 0};
    snprintf(ref.name, sizeof ref.name, "%s", name);
    TRY(begin_making(lib, &m, err));
    int r = add_version(lib, &m, &ref, files, manifest, err);
    end_making(lib, &m);
    if (r == 0)
        *ret_version = ref.version;
    return r;
}

/* --- finding --- */

int library_resolve(const struct skill_library *lib, const char *text, struct skill_ref *ret,
                    struct retort_error *err) {
    struct skill_ref ref;
    TRY(library_parse(text, &ref, err));
    if (!ref.version)
        TRY(index_newest(lib->db, &ref, err));
    if (!ref.version && index_has(lib->db, &ref))
        return err_set(
            err, ERR_CALLER, EPERM,
            "every version of the skill %.64s is quarantined: it failed three times in a "
            "row",
            ref.name);
    if (!ref.version || !library_has(lib, &ref))
        return err_set(err, ERR_CALLER, ENOENT, "there is no skill %.80s", text);
    *ret = ref;
    return 0;
}

static int check_hashes(const struct skill_ref *ref, const struct skill_files *files,
                        const json_t *manifest, struct retort_error *err) {
    scoped_json *has = skillfiles_hashes(files);
    const char *name = json_string_value(json_object_get(manifest, "name"));
    if (!name || strcmp(name, ref->name) != 0 ||
        json_integer_value(json_object_get(manifest, "version")) != ref->version ||
        !json_equal(has, json_object_get(manifest, "files")))
        return err_set(err, ERR_HOST, EBADMSG,
                       "%s@%u is not what was added: its files or its skill.json were changed",
                       ref->name, ref->version);
    return 0;
}

int library_load(const struct skill_library *lib, const struct skill_ref *ref,
                 struct skill_files *files, json_t **ret_manifest, struct retort_error *err) {
    char path[SKILL_NAME + 16];
    version_path(ref, path, sizeof path);
    scoped_fd dir = openat(lib->dir, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (dir < 0)
        return err_errno(err, ERR_CALLER, errno, "cannot read the skill %s@%u", ref->name,
                         ref->version);
    TRY(skillfiles_read(dir, files, err));
    const struct skill_file *file = skillfiles_find(files, "skill.json");
    scoped_json *manifest =
        file ? json_in(file->data, file->len, JSON_REJECT_DUPLICATES, NULL) : NULL;
    TRY(check_hashes(ref, files, manifest, err));
    const char *built = json_string_value(json_object_get(manifest, "built"));
    if (built)
        TRY(skillfiles_read_built(dir, files, built, err));
    *ret_manifest = TAKE(manifest);
    return 0;
}

/* --- removing --- */

static int take_version_out(const struct skill_library *lib, const struct being_made *m,
                            const struct skill_ref *ref, struct retort_error *err) {
    char path[SKILL_NAME + 16];
    snprintf(path, sizeof path, "%s", ref->name);
    if (ref->version)
        version_path(ref, path, sizeof path);
    if (renameat(lib->dir, path, m->dir, "removed") < 0)
        return errno == ENOENT ? err_set(err, ERR_CALLER, ENOENT, "there is no skill %.80s", path)
                               : library_error(err, "remove a version");
    if (ref->version)
        unlinkat(lib->dir, ref->name, AT_REMOVEDIR); /* succeeds only if it was the last version */
    fsync(lib->dir);
    return index_removed(lib->db, ref, err);
}

int library_remove(const struct skill_library *lib, const struct skill_ref *ref,
                   struct retort_error *err) {
    struct being_made m;
    TRY(begin_making(lib, &m, err));
    int r = take_version_out(lib, &m, ref, err);
    end_making(lib, &m);
    return r;
}

int library_count(const struct skill_library *lib, const struct skill_ref *ref, unsigned uses,
                  bool failure, struct retort_error *err) {
    return index_count(lib->db, ref, uses, failure, err);
}

/* --- lists --- */

/* Leaves out versions that were removed by a process that was killed before it told the index. */
static json_t *those_there(const struct skill_library *lib, json_t *listed) {
    json_t *there = json_array(), *one;
    size_t i;
    json_array_foreach(listed, i, one) {
        struct skill_ref ref = {.version =
                                    (unsigned)json_integer_value(json_object_get(one, "version"))};
        snprintf(ref.name, sizeof ref.name, "%s", json_string_value(json_object_get(one, "name")));
        if (library_has(lib, &ref))
            json_array_append(there, one);
    }
    json_decref(listed);
    return there;
}

int library_list(const struct skill_library *lib, const char *words, unsigned most, json_t **ret,
                 struct retort_error *err) {
    json_t *list;
    int r =
        words ? index_search(lib->db, words, most, &list, err) : index_list(lib->db, &list, err);
    if (r == 0)
        *ret = those_there(lib, list);
    return r;
}

int library_versions(const struct skill_library *lib, const char *name, json_t **ret,
                     struct retort_error *err) {
    json_t *list;
    TRY(index_versions(lib->db, name, &list, err));
    *ret = those_there(lib, list);
    return 0;
}
