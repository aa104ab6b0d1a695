#include "environments/envstore.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/host/environment.h"
#include "engine/host/packages.h"
#include "engine/host/statedir.h"
#include "environments/tree.h"
#include "ledger/ledger.h"

#define NEW ".new-"

static int envstore_error(struct retort_error *err, const char *what) {
    return err_errno(err, ERR_HOST, errno, "cannot %s in the directory of environments", what);
}

/* --- the lock --- */

/* Waits for the lock, because it is held only for moments. */
static int envstore_lock(const struct envstore *store, struct retort_error *err) {
    scoped_fd fd = openat(store->dir, ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    int r = fd < 0 ? -1 : 0;
    while (fd >= 0 && (r = flock(fd, LOCK_EX)) < 0 && errno == EINTR)
        ;
    return r < 0 ? envstore_error(err, "take the lock") : take_fd(&fd);
}

/* --- removing what nobody needs --- */

enum naming { NAMED_NOT, NAMED_BEFORE, NAMED_NOW };

static enum naming file_names(const json_t *file, const char *hash) {
    const json_t *versions = json_object_get(json_object_get(file, "made"), "versions"), *one;
    const char *now = json_string_value(json_object_get(file, "packages"));
    size_t i;
    if (now && strcmp(now, hash) == 0)
        return NAMED_NOW;
    json_array_foreach(versions, i, one) {
        if (json_string_value(one) && strcmp(json_string_value(one), hash) == 0)
            return NAMED_BEFORE;
    }
    return NAMED_NOT;
}

/* A file that cannot be read counts as naming everything. */
static enum naming named_when(const struct envstore *store, const char *hash) {
    json_t *names = environment_names(store->state), *name;
    enum naming most = names ? NAMED_NOT : NAMED_NOW;
    size_t i;
    json_array_foreach(names, i, name) {
        json_t *file = NULL;
        int r = environment_read(json_string_value(name), store->state, &file, NULL);
        enum naming one = r < 0 ? NAMED_NOW : file_names(file, hash);
        most = one > most ? one : most;
        json_decref(file);
    }
    json_decref(names);
    return most;
}

/* A record that cannot be read counts as naming everything, too. */
static bool is_recorded(const struct envstore *store, const char *hash) {
    char dir[MAX_PATH];
    bool found;
    return statedir_find(store->state, dir, sizeof dir, NULL) < 0 ||
           ledger_begins_with(dir, hash, &found, NULL) < 0 || found;
}

static void new_name(char name[ENVSTORE_NAME]) {
    unsigned long long random;
    random_bytes(&random, sizeof random);
    snprintf(name, ENVSTORE_NAME, NEW "%016llx", random);
}

/* Locks the tree, so that nobody begins to use it; false: somebody uses it, or it is needed. We ask
 * the record only with the tree's lock held, because engines release a tree after they have
 * recorded it. */
static bool may_drop(const struct envstore *store, int fd, const char *name) {
    if (flock(fd, LOCK_EX | LOCK_NB) < 0)
        return false;
    if (!packages_is_hash(name))
        return true;
    enum naming naming = named_when(store, name);
    return naming == NAMED_NOT || (naming == NAMED_BEFORE && !is_recorded(store, name));
}

static void drop_tree(const struct envstore *store, const char *name) {
    char grave[ENVSTORE_NAME];
    scoped_fd fd = openat(store->dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || !may_drop(store, fd, name))
        return;
    if (packages_is_hash(name))
        new_name(grave);
    else
        snprintf(grave, sizeof grave, "%s", name);
    if (fchmod(fd, 0700) == 0 && renameat(store->dir, name, store->dir, grave) == 0 &&
        tree_empty(fd) == 0)
        unlinkat(store->dir, grave, AT_REMOVEDIR);
}

/* Called with the lock held. */
static void envstore_sweep(const struct envstore *store) {
    scoped_dir entries = opendir_at(store->dir, ".");
    for (struct dirent *e; entries && (e = readdir(entries));)
        if (e->d_name[0] == '.' && strncmp(e->d_name, ".json-", 6) == 0)
            unlinkat(store->dir, e->d_name, 0);
        else if (strncmp(e->d_name, NEW, strlen(NEW)) == 0 || packages_is_hash(e->d_name))
            drop_tree(store, e->d_name);
}

/* --- opening --- */

int envstore_open(const char *state, struct envstore *ret, struct retort_error *err) {
    char path[MAX_PATH];
    int r = packages_path(state, "", path, sizeof path, err);
    if (r < 0)
        return r;
    struct envstore store = {.state = state, .dir = -1};
    if (make_path(path, 0700) < 0 ||
        (store.dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot make the directory %.200s", path);
    scoped_fd lock = envstore_lock(&store, err);
    if (lock < 0) {
        envstore_close(&store);
        return lock;
    }
    envstore_sweep(&store);
    *ret = store;
    return 0;
}

void envstore_close(struct envstore *store) {
    fd_done(&store->dir);
}

/* --- a new one --- */

int envstore_begin(const struct envstore *store, struct envstore_new *ret,
                   struct retort_error *err) {
    struct envstore_new tree = {.dir = -1};
    new_name(tree.name);
    scoped_fd lock = envstore_lock(store, err);
    if (lock < 0)
        return lock;
    if (mkdirat(store->dir, tree.name, 0700) < 0)
        return envstore_error(err, "make a directory");
    tree.dir = openat(store->dir, tree.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (tree.dir < 0 || flock(tree.dir, LOCK_EX | LOCK_NB) < 0) {
        int r = envstore_error(err, "lock a directory");
        fd_done(&tree.dir);
        return r;
    }
    *ret = tree;
    return 0;
}

/* Writes the file whole before it gets its name. */
int envstore_write(int dir, const char *name, const json_t *value, struct retort_error *err) {
    char temporary[192];
    snprintf(temporary, sizeof temporary, ".json-%s", name);
    char *text = json_whole(value, JSON_INDENT(2) | JSON_SORT_KEYS);
    scoped_fd fd =
        openat(dir, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
    int r = !text || fd < 0 ? -1 : write_all(fd, text, strlen(text)) < 0 ? -1 : fsync(fd);
    free(text);
    if (r == 0)
        r = renameat(dir, temporary, dir, name);
    return r < 0 || fsync(dir) < 0 ? envstore_error(err, "write a file") : 0;
}

/* From here on we hold a shared lock on the tree that has the name. Called with the store's lock
 * held, so that nobody comes in between. */
static int hold_named(const struct envstore *store, struct envstore_new *tree, const char *hash,
                      struct retort_error *err) {
    fd_done(&tree->dir);
    tree->dir = openat(store->dir, hash, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return tree->dir < 0 || flock(tree->dir, LOCK_SH) < 0 || fsync(store->dir) < 0
               ? envstore_error(err, "hold a directory")
               : 0;
}

/* If the name exists already, its tree is the same. */
static int name_tree(const struct envstore *store, struct envstore_new *tree, const char *hash,
                     struct retort_error *err) {
    if (fchmod(tree->dir, 0755) < 0 || syncfs(tree->dir) < 0)
        return envstore_error(err, "write");
    if (renameat(store->dir, tree->name, store->dir, hash) == 0)
        tree->name[0] = 0;
    else if (errno != EEXIST && errno != ENOTEMPTY)
        return envstore_error(err, "name a directory");
    return hold_named(store, tree, hash, err); /* a shared lock: sessions may use the tree, too */
}

int envstore_name(const struct envstore *store, struct envstore_new *tree, const char hash[],
                  struct retort_error *err) {
    scoped_fd lock = envstore_lock(store, err);
    return lock < 0 ? lock : name_tree(store, tree, hash, err);
}

int envstore_commit(const struct envstore *store, struct envstore_new *tree, const char hash[],
                    const char *name, const json_t *file, struct retort_error *err) {
    char path[128];
    snprintf(path, sizeof path, "%s.json", name);
    scoped_fd lock = envstore_lock(store, err);
    int r = lock < 0 ? lock : tree->name[0] ? name_tree(store, tree, hash, err) : 0;
    if (r == 0)
        r = envstore_write(store->dir, path, file, err);
    if (r == 0)
        envstore_sweep(store); /* perhaps the packages from before the update */
    return r;
}

void envstore_abandon(const struct envstore *store, struct envstore_new *tree) {
    fd_done(&tree->dir);
    if (tree->name[0])
        drop_tree(store, tree->name);
    tree->name[0] = 0;
}

/* --- the rest --- */

void envstore_tidy(const struct envstore *store) {
    scoped_fd lock = envstore_lock(store, NULL);
    if (lock >= 0)
        envstore_sweep(store);
}

int envstore_remove(const struct envstore *store, const char *name, struct retort_error *err) {
    char path[128];
    snprintf(path, sizeof path, "%s.json", name);
    scoped_fd lock = envstore_lock(store, err);
    if (lock < 0)
        return lock;
    if (unlinkat(store->dir, path, 0) < 0)
        return envstore_error(err, "remove a file");
    fsync(store->dir);
    envstore_sweep(store);
    return 0;
}

bool envstore_has(const struct envstore *store, const char *hash) {
    return packages_is_hash(hash) && faccessat(store->dir, hash, F_OK, 0) == 0;
}

json_t *envstore_load(const struct envstore *store, const char *hash, const char *name) {
    char path[192];
    snprintf(path, sizeof path, "%s/%s", hash, name);
    scoped_fd fd = openat(store->dir, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    return fd < 0 ? NULL : json_in_fd(fd, 0, NULL);
}
