#include "names.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILES 500000 /* in an environment */
#define MAX_LINKS 40     /* on the way to a file, as in the kernel */
#define MAX_DEPTH 127 /* names in a path, however many links lead there: one less than in a tree */

static struct node root = {.kind = 'd'};
static unsigned count;

struct node *names_root(void) {
    return &root;
}

void names_clean(const char *path, char ret[NAMES_PATH]) {
    size_t len = 0;
    for (const char *part = path; *part;) {
        size_t n = strcspn(part, "/");
        if (n == 2 && memcmp(part, "..", 2) == 0)
            image_refuse(path, "has '..' in its name");
        if (n > 255 || len + n + 1 >= NAMES_PATH)
            image_refuse("", "a name is too long");
        if (n > 0 && !(n == 1 && *part == '.')) {
            if (len > 0)
                ret[len++] = '/';
            memcpy(ret + len, part, n);
            len += n;
        }
        part += n + (part[n] == '/');
    }
    ret[len] = 0;
}

/* --- one directory --- */

static int node_order(const void *a, const void *b) {
    return strcmp(((const struct node *)a)->name, ((const struct node *)b)->name);
}

static struct node *node_new(const char *name) {
    size_t len = strlen(name);
    struct node *node = calloc(1, sizeof *node + len + 1);
    if (!node)
        image_refuse("", "out of memory");
    memcpy(node->name, name, len);
    return node;
}

struct node *names_child(const struct node *dir, const char *name) {
    struct node *like = node_new(name);
    void *const *found = dir->kind == 'd' ? tfind(like, &dir->below, node_order) : NULL;
    free(like);
    return found ? *found : NULL;
}

static void node_free(void *node) {
    struct node *n = node;
    tdestroy(n->below, node_free);
    free(n->target);
    free(n);
    count--;
}

static void node_remove(struct node *node) {
    tdelete(node, &node->parent->below, node_order);
    node_free(node);
}

struct node *names_put(struct node *dir, const char *name, char kind, unsigned layer) {
    struct node *node = names_child(dir, name);
    if (node && !(kind == 'd' && node->kind == 'd')) {
        node_remove(node);
        node = NULL;
    }
    if (!node) {
        if (++count > MAX_FILES)
            image_refuse("", "it has more than 500,000 files");
        if (dir->depth == MAX_DEPTH)
            image_refuse(name, "is in more than 126 directories");
        node = node_new(name);
        node->parent = dir;
        node->depth = dir->depth + 1;
        node->kind = kind;
        if (!tsearch(node, &dir->below, node_order))
            image_refuse("", "out of memory");
    }
    node->layer = layer;
    return node;
}

/* --- paths --- */

struct wayfarer {
    struct node *at;
    char rest[2 * NAMES_PATH];
    unsigned links, layer;
    bool make;
};

/* Continues at the target of a link, then with the rest of the path. */
static void walk_link(struct wayfarer *w, const struct node *link, const char *rest) {
    char after[NAMES_PATH];
    size_t n = strlen(rest), m = strlen(link->target);
    if (++w->links > MAX_LINKS)
        image_refuse(link->name, "is a link that leads to itself");
    if (n >= sizeof after || n + m + 2 > sizeof w->rest)
        image_refuse("", "a name is too long");
    memcpy(after, rest, n + 1);
    memcpy(w->rest, link->target, m);
    w->rest[m] = '/';
    memcpy(w->rest + m + 1, after, n + 1);
    if (link->target[0] == '/')
        w->at = &root;
}

/* Goes one step down, or up; there is nothing above the root. */
static bool walk_part(struct wayfarer *w, const char *part, const char *rest) {
    struct node *next;
    if (strcmp(part, "..") == 0) {
        w->at = w->at->parent ? w->at->parent : w->at;
        next = w->at;
    } else if (!(next = names_child(w->at, part)) || (next->kind != 'd' && next->kind != 'l')) {
        if (!w->make)
            return false;
        next = names_put(w->at, part, 'd', w->layer);
    }
    if (next->kind == 'l') {
        walk_link(w, next, rest);
        return true;
    }
    w->at = next;
    memmove(w->rest, rest, strlen(rest) + 1);
    return true;
}

static struct node *walk(const char *path, size_t len, unsigned layer, bool make) {
    struct wayfarer w = {.at = &root, .layer = layer, .make = make};
    memcpy(w.rest, path, len);
    while (w.rest[0]) {
        char part[256];
        size_t n = strcspn(w.rest, "/");
        const char *rest = w.rest + n + (w.rest[n] == '/');
        if (n > 255)
            image_refuse("", "a name is too long");
        memcpy(part, w.rest, n);
        part[n] = 0;
        if (n == 0 || strcmp(part, ".") == 0)
            memmove(w.rest, rest, strlen(rest) + 1);
        else if (!walk_part(&w, part, rest))
            return NULL;
    }
    return w.at;
}

struct node *names_parent(const char *path, unsigned layer, const char **ret_last) {
    const char *slash = strrchr(path, '/');
    *ret_last = slash ? slash + 1 : path;
    return walk(path, slash ? (size_t)(slash - path) : 0, layer, true);
}

struct node *names_lookup(const char *path) {
    const char *slash = strrchr(path, '/');
    struct node *dir = walk(path, slash ? (size_t)(slash - path) : 0, 0, false);
    return dir ? names_child(dir, slash ? slash + 1 : path) : NULL;
}

/* --- all of them --- */

struct nodes {
    struct node **at;
    size_t n;
};

static void nodes_count(const void *node, VISIT when, void *user) {
    (void)node;
    struct nodes *list = user;
    list->n += when == preorder || when == leaf;
}

static void nodes_add(const void *node, VISIT when, void *user) {
    struct nodes *list = user;
    if (when == preorder || when == leaf)
        list->at[list->n++] = *(struct node *const *)node;
}

/* A list apart: the tree must not change while tsearch walks it. */
static struct nodes list_below(const struct node *dir) {
    struct nodes list = {0};
    twalk_r(dir->below, nodes_count, &list);
    list.at = calloc(list.n + 1, sizeof *list.at);
    if (!list.at)
        image_refuse("", "out of memory");
    list.n = 0;
    twalk_r(dir->below, nodes_add, &list);
    return list;
}

void names_hide_below(struct node *dir, unsigned layer) {
    struct nodes list = list_below(dir);
    for (size_t i = 0; i < list.n; i++)
        names_hide(list.at[i], layer);
    free(list.at);
}

void names_hide(struct node *node, unsigned layer) {
    names_hide_below(node, layer);
    if (node->layer < layer && !node->below)
        node_remove(node);
}

static void each_below(const struct node *dir, void (*call)(struct node *node, void *user),
                       void *user) {
    struct nodes list = list_below(dir);
    for (size_t i = 0; i < list.n; i++) {
        call(list.at[i], user);
        each_below(list.at[i], call, user);
    }
    free(list.at);
}

void names_each(void (*call)(struct node *node, void *user), void *user) {
    each_below(&root, call, user);
}
