/* unpack: the layers of a container image, in a sealed session.
 *
 *   unpack files ARCHIVE DIR           the regular files of an archive, flat: a/b becomes a%b
 *   unpack layers TREE LAYER…          one tree of all layers (src/environments/tree.h), below `root`
 *
 * Layers are tar archives, plain or compressed with gzip, zstd, bzip2 or xz. A file ".wh.NAME"
 * hides NAME of the layers below, ".wh..wh..opq" everything that they have in its directory. Of the
 * mode we keep only whether a file is a program: no set-uid bit, no owner, no attribute. We refuse
 * paths that lead out of the image, devices, and sizes that no honest image has, with one line on
 * standard error.
 *
 * While we read layers, contents go into a spool; then we copy them into the tree in the order of
 * their paths, and free each part of the spool at once.
 */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "names.h"

#define MAX_BYTES (6ull << 30)    /* the session has room for it twice, and for its archive */
#define MAX_ENTRIES 2000000       /* in all layers: some replace others */
#define BOMB_BYTES (256ull << 20) /* from this size on, at most BOMB_RATIO times the input */
#define BOMB_RATIO 100
#define MAX_OUTER 10000 /* files of an archive of layers */
#define BLOCK 65536

static uint64_t packed_bytes, bytes;
static int spool = -1;

_Noreturn void image_refuse(const char *path, const char *why) {
    char shown[121];
    size_t n = 0;
    for (; path[n] && n < sizeof shown - 1; n++)
        shown[n] = path[n] > ' ' && path[n] < 127 ? path[n] : '?';
    shown[n] = 0;
    fprintf(stderr, "the image is refused: %s%s%s\n", shown, n ? " " : "", why);
    exit(1);
}

static void count_bytes(const char *path, uint64_t size) {
    if (size > MAX_BYTES || bytes + size > MAX_BYTES)
        image_refuse(path, "makes it larger than 6 GiB");
    bytes += size;
    if (bytes > BOMB_BYTES && bytes / BOMB_RATIO > packed_bytes)
        image_refuse(path, "makes it more than 100 times as large as its archive");
}

static void cannot(const char *what) {
    fprintf(stderr, "cannot %s: %s\n", what, strerror(errno));
    exit(1);
}

/* --- archives --- */

static struct archive *archive_of(const char *path) {
    struct archive *a = archive_read_new();
    struct stat st;
    if (!a || stat(path, &st) < 0)
        cannot("read a layer");
    packed_bytes += (uint64_t)st.st_size;
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_zstd(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_xz(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_empty(a);
    if (archive_read_open_filename(a, path, BLOCK) != ARCHIVE_OK)
        image_refuse("", "it is damaged, or no archive of tar's");
    return a;
}

/* NULL at the end. */
static struct archive_entry *next_entry(struct archive *a) {
    static unsigned entries;
    struct archive_entry *e = NULL;
    int r = archive_read_next_header(a, &e);
    if (r == ARCHIVE_EOF)
        return NULL;
    if (r != ARCHIVE_OK && r != ARCHIVE_WARN)
        image_refuse("", "it is damaged, or no archive of tar's");
    if (++entries > MAX_ENTRIES)
        image_refuse("", "its layers have more than 2,000,000 files");
    if (!archive_entry_pathname(e))
        image_refuse("", "a name is no text");
    return e;
}

/* Writes `size` bytes at `at`; parts that the archive leaves out become holes. */
static void put_contents(struct archive *a, int fd, uint64_t at, uint64_t size, const char *path) {
    const void *block;
    size_t len;
    la_int64_t offset;
    int r;
    while ((r = archive_read_data_block(a, &block, &len, &offset)) == ARCHIVE_OK) {
        if (offset < 0 || (uint64_t)offset > size || len > size - (uint64_t)offset)
            image_refuse(path, "is longer than it says");
        for (size_t done = 0; done < len;) {
            ssize_t n = pwrite(fd, (const char *)block + done, len - done,
                               (off_t)(at + (uint64_t)offset + done));
            if (n < 0)
                cannot("keep the files of the image");
            done += (size_t)n;
        }
    }
    if (r != ARCHIVE_EOF)
        image_refuse(path, "is damaged");
}

/* --- an archive of layers --- */

static void flat_name(const char *path, char ret[NAMES_PATH]) {
    names_clean(path, ret);
    for (char *c = ret; *c; c++)
        if (*c == '/')
            *c = '%';
    if (strlen(ret) > 255)
        image_refuse("", "a name is too long");
}

/* Older programs save a layer that two images share as a link to the other image's. */
static void outer_link(int dir, const char *path, const char *name, const char *target) {
    char whole[2 * NAMES_PATH], clean[NAMES_PATH], *slash;
    if (strlen(path) + strlen(target) + 2 > sizeof whole)
        image_refuse("", "a name is too long");
    snprintf(whole, sizeof whole, "%s", path);
    slash = strrchr(whole, '/');
    slash = slash ? slash : whole;
    while (strncmp(target, "../", 3) == 0 && slash > whole) {
        *slash = 0;
        slash = strrchr(whole, '/');
        slash = slash ? slash : whole;
        target += 3;
    }
    *slash = 0;
    snprintf(slash, sizeof whole - (size_t)(slash - whole), "/%s", target);
    flat_name(whole, clean);
    if (linkat(dir, clean, dir, name, 0) < 0 && symlinkat(clean, dir, name) < 0)
        image_refuse(path, "is a link that leads to nothing");
}

static void outer_entry(struct archive *a, struct archive_entry *e, int dir) {
    const char *path = archive_entry_pathname(e);
    char name[NAMES_PATH];
    flat_name(path, name);
    if (archive_entry_hardlink(e) || archive_entry_filetype(e) == AE_IFDIR)
        return;
    if (archive_entry_filetype(e) == AE_IFLNK) {
        outer_link(dir, path, name, archive_entry_symlink(e) ? archive_entry_symlink(e) : "");
        return;
    }
    if (archive_entry_filetype(e) != AE_IFREG || !name[0])
        image_refuse(path, "is no file");
    uint64_t size = (uint64_t)archive_entry_size(e);
    count_bytes(path, size);
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        image_refuse(path, "is there twice");
    put_contents(a, fd, 0, size, path);
    if (ftruncate(fd, (off_t)size) < 0 || close(fd) < 0)
        cannot("keep the files of the image");
}

static void unpack_files(const char *path, const char *to) {
    struct archive *a = archive_of(path);
    int dir = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0)
        cannot("open the directory");
    unsigned n = 0;
    for (struct archive_entry *e; (e = next_entry(a)); n++) {
        if (n >= MAX_OUTER)
            image_refuse("", "it has too many layers");
        outer_entry(a, e, dir);
    }
    if (n == 0)
        image_refuse("", "it is no archive");
    archive_read_free(a);
}

/* --- layers --- */

/* Whether a link's target leads above the root of the image: that cannot be intended. */
static bool climbs_out(const char *path, const char *target) {
    int depth = 0;
    for (const char *c = path; *c && target[0] != '/'; c++)
        depth += *c == '/';
    while (*target) {
        size_t n = strcspn(target, "/");
        if (n == 2 && memcmp(target, "..", 2) == 0) {
            if (--depth < 0)
                return true;
        } else if (n > 0 && !(n == 1 && *target == '.'))
            depth++;
        target += n + (target[n] == '/');
    }
    return false;
}

static void put_link(struct node *dir, const char *name, const char *path, const char *target,
                     unsigned layer) {
    if (!target || !target[0] || strlen(target) >= NAMES_PATH)
        image_refuse(path, "is a link that leads to nothing");
    if (climbs_out(path, target))
        image_refuse(path, "is a link that leads out of the image");
    struct node *node = names_put(dir, name, 'l', layer);
    if (!(node->target = strdup(target)))
        image_refuse("", "out of memory");
}

/* Another name for a file that came before. */
static void put_hard_link(struct node *dir, const char *name, const char *path, const char *target,
                          unsigned layer) {
    char clean[NAMES_PATH];
    names_clean(target, clean);
    const struct node *of = names_lookup(clean);
    if (!of || of->kind == 'd')
        image_refuse(path, "is a hard link to a file that is not in the image");
    if (of == names_child(dir, name))
        return;
    struct node copy = *of, *node;
    char *link = of->kind == 'l' ? strdup(of->target) : NULL;
    count_bytes(path, of->size); /* the tree holds it twice */
    node = names_put(dir, name, copy.kind, layer);
    node->at = copy.at;
    node->size = copy.size;
    node->target = link;
}

static void put_file(struct archive *a, struct archive_entry *e, struct node *dir, const char *name,
                     unsigned layer) {
    static uint64_t end;
    const char *path = archive_entry_pathname(e);
    la_int64_t size = archive_entry_size(e);
    bool program = archive_entry_perm(e) & 0111;
    struct node *node = names_put(dir, name, program ? 'x' : 'f', layer);
    if (size < 0)
        image_refuse(path, "has no size");
    count_bytes(path, (uint64_t)size);
    node->at = end;
    node->size = (uint64_t)size;
    end += node->size;
    put_contents(a, spool, node->at, node->size, path);
}

/* Whether the entry was a whiteout. */
static bool whiteout(struct node *dir, const char *name, const char *path, unsigned layer) {
    if (strncmp(name, ".wh.", 4) != 0)
        return false;
    if (strcmp(name, ".wh..wh..opq") == 0)
        names_hide_below(dir, layer);
    else if (strncmp(name, ".wh..wh.", 8) != 0) {
        struct node *hidden = names_child(dir, name + 4);
        if (!name[4] || strcmp(name + 4, ".") == 0 || strcmp(name + 4, "..") == 0)
            image_refuse(path, "hides nothing");
        if (hidden)
            names_hide(hidden, layer);
    }
    return true;
}

/* /dev belongs to the session: we ignore what an image has there. */
static void layer_entry(struct archive *a, struct archive_entry *e, unsigned layer) {
    char path[NAMES_PATH];
    const char *name;
    names_clean(archive_entry_pathname(e), path);
    if (!path[0] || strncmp(path, "dev/", 4) == 0)
        return;
    struct node *dir = names_parent(path, layer, &name);
    if (whiteout(dir, name, path, layer))
        return;
    mode_t type = archive_entry_filetype(e);
    if (archive_entry_hardlink(e))
        put_hard_link(dir, name, path, archive_entry_hardlink(e), layer);
    else if (type == AE_IFLNK)
        put_link(dir, name, path, archive_entry_symlink(e), layer);
    else if (type == AE_IFDIR)
        names_put(dir, name, 'd', layer);
    else if (type == AE_IFREG)
        put_file(a, e, dir, name, layer);
    else
        image_refuse(path, "is a device, a pipe or a socket");
}

static void read_layer(const char *path, unsigned layer) {
    struct archive *a = archive_of(path);
    for (struct archive_entry *e; (e = next_entry(a));)
        layer_entry(a, e, layer);
    archive_read_free(a);
    unlink(path); /* there is no room for all of it twice */
}

/* --- the tree --- */

struct tree_line {
    char *path;
    const struct node *node;
};

struct tree_lines {
    struct tree_line *at;
    size_t n, room;
};

static char *tree_path(const struct node *node) {
    char path[NAMES_PATH + 8], *at = path + sizeof path;
    *--at = 0;
    for (; node->parent; node = node->parent) {
        size_t n = strlen(node->name);
        if ((size_t)(at - path) < n + sizeof "root/")
            image_refuse("", "a name is too long");
        at -= n;
        memcpy(at, node->name, n);
        *--at = '/';
    }
    at -= 4;
    memcpy(at, "root", 4);
    return strdup(at);
}

static void add_line(struct node *node, void *user) {
    struct tree_lines *lines = user;
    if (lines->n == lines->room) {
        lines->room = lines->room ? 2 * lines->room : 4096;
        lines->at = realloc(lines->at, lines->room * sizeof *lines->at);
    }
    char *path = tree_path(node);
    if (!lines->at || !path)
        image_refuse("", "out of memory");
    lines->at[lines->n++] = (struct tree_line){path, node};
}

static int line_order(const void *a, const void *b) {
    return strcmp(((const struct tree_line *)a)->path, ((const struct tree_line *)b)->path);
}

static void tree_put(FILE *to, const void *what, size_t len) {
    if (fwrite(what, 1, len, to) != len)
        cannot("keep the tree");
}

static void tree_number(FILE *to, uint64_t n, int count) {
    for (; count > 0; count--, n >>= 8)
        tree_put(to, &(unsigned char){(unsigned char)n}, 1);
}

static void copy_spool(FILE *to, const struct node *node) {
    char chunk[BLOCK];
    for (uint64_t done = 0; done < node->size;) {
        uint64_t left = node->size - done;
        ssize_t n = pread(spool, chunk, left < sizeof chunk ? left : sizeof chunk,
                          (off_t)(node->at + done));
        if (n < 0)
            cannot("read the spool");
        if (n == 0) { /* a hole at the end of the file */
            n = (ssize_t)(left < sizeof chunk ? left : sizeof chunk);
            memset(chunk, 0, (size_t)n);
        }
        tree_put(to, chunk, (size_t)n);
        done += (uint64_t)n;
    }
}

static void tree_entry(FILE *to, const struct tree_line *line) {
    const struct node *node = line->node;
    size_t len = strlen(line->path);
    tree_put(to, &node->kind, 1);
    tree_number(to, len, 4);
    tree_number(to, node->kind == 'l' ? strlen(node->target) : node->size, 8);
    tree_put(to, line->path, len);
    if (node->kind == 'l')
        tree_put(to, node->target, strlen(node->target));
    else
        copy_spool(to, node);
}

static void write_tree(const char *path) {
    struct tree_lines lines = {0};
    FILE *to = fopen(path, "wxe");
    if (!to)
        cannot("make the tree");
    add_line(names_root(), &lines);
    names_each(add_line, &lines);
    qsort(lines.at, lines.n, sizeof *lines.at, line_order);
    tree_put(to, "retort-tree/1\n", 14);
    for (size_t i = 0; i < lines.n; i++)
        tree_entry(to, &lines.at[i]);
    if (fclose(to) != 0)
        cannot("keep the tree");
}

static void unpack_layers(const char *tree, int count, char **layers) {
    spool = open("/work", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (spool < 0)
        cannot("make a spool");
    for (int i = 0; i < count; i++)
        read_layer(layers[i], (unsigned)i + 1);
    write_tree(tree);
}

int main(int argc, char **argv) {
    setlocale(LC_CTYPE, "C.UTF-8");
    if (argc == 4 && strcmp(argv[1], "files") == 0)
        unpack_files(argv[2], argv[3]);
    else if (argc > 3 && strcmp(argv[1], "layers") == 0)
        unpack_layers(argv[2], argc - 3, argv + 3);
    else
        return 2;
    return 0;
}
