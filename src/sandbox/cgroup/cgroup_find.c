#include "sandbox/cgroup/cgroup_find.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>

struct word_slice {
    const char *text;
    size_t len;
};

static bool span_is(struct word_slice s, const char *text) {
    return s.len == strlen(text) && !memcmp(s.text, text, s.len);
}

static bool span_lists(struct word_slice list, const char *word) {
    size_t n = strlen(word);
    while (list.len) {
        size_t item = 0;
        while (item < list.len && !strchr(" ,\n", list.text[item]))
            item++;
        if (item == n && !memcmp(list.text, word, n))
            return true;
        size_t skip = item < list.len ? item + 1 : item;
        list.text += skip;
        list.len -= skip;
    }
    return false;
}

bool cgroup_listed(const char *list, const char *word) {
    return span_lists((struct word_slice){list, strlen(list)}, word);
}

static struct word_slice next_line(const char **text) {
    struct word_slice line = {*text, strcspn(*text, "\n")};
    *text += line.len + (line.text[line.len] == '\n');
    return line;
}

/* Cuts one word off the front of a line. */
static struct word_slice next_word(struct word_slice *line, char end) {
    struct word_slice word = {line->text, 0};
    while (word.len < line->len && line->text[word.len] != end)
        word.len++;
    size_t skip = word.len < line->len ? word.len + 1 : word.len;
    line->text += skip;
    line->len -= skip;
    return word;
}

/* "ID:controllers:path"; version 2 has "0::path". */
static bool own_path(const char *text, const char *controller, struct word_slice *ret_path) {
    while (*text) {
        struct word_slice line = next_line(&text);
        struct word_slice id = next_word(&line, ':');
        struct word_slice list = next_word(&line, ':');
        bool ours = controller ? span_lists(list, controller) : span_is(id, "0") && !list.len;
        if (ours && line.len && line.text[0] == '/') {
            *ret_path = line;
            return true;
        }
    }
    return false;
}

struct mount {
    struct word_slice root, point;
};

/* "id parent major:minor root point options [optional fields] - type source super-options" */
static bool parse_mount(struct word_slice line, const char *controller, struct mount *ret_mount) {
    for (int i = 0; i < 3; i++)
        next_word(&line, ' ');
    ret_mount->root = next_word(&line, ' ');
    ret_mount->point = next_word(&line, ' ');
    while (line.len && !span_is(next_word(&line, ' '), "-"))
        ;
    struct word_slice type = next_word(&line, ' ');
    next_word(&line, ' ');
    if (!controller)
        return span_is(type, "cgroup2");
    return span_is(type, "cgroup") && span_lists(line, controller);
}

/* Cuts `root` off `path`, in place; false if the path is not below it. Both are as this process's
 * cgroup namespace shows them: a leading ".." stands for what lies outside. */
static bool strip_root(struct word_slice *path, struct word_slice root) {
    if (path->len >= 3 && !memcmp(path->text, "/..", 3))
        return false;
    if (span_is(root, "/"))
        return true;
    if (path->len < root.len || memcmp(path->text, root.text, root.len) ||
        (path->len > root.len && path->text[root.len] != '/'))
        return false;
    path->text += root.len;
    path->len -= root.len;
    return true;
}

static bool is_octal(const char *digits) {
    for (int i = 0; i < 3; i++)
        if (digits[i] < '0' || digits[i] > '7')
            return false;
    return true;
}

/* Undoes the \ooo escapes of mountinfo. Returns the length or -ENAMETOOLONG. */
static ssize_t unescape(struct word_slice s, char *ret, size_t size) {
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (n + 1 >= size)
            return -ENAMETOOLONG;
        const char *d = s.text + i + 1;
        if (s.text[i] == '\\' && i + 3 < s.len && is_octal(d)) {
            ret[n++] = (char)((d[0] - '0') << 6 | (d[1] - '0') << 3 | (d[2] - '0'));
            i += 3;
        } else {
            ret[n++] = s.text[i];
        }
    }
    ret[n] = 0;
    return (ssize_t)n;
}

int cgroup_find(const char *cgroup_text, const char *mountinfo_text, const char *controller,
                char *ret_path, size_t size, size_t *ret_top) {
    struct word_slice own;
    if (!own_path(cgroup_text, controller, &own))
        return -ENOENT;
    int r = -ENOENT;
    while (*mountinfo_text) {
        struct mount m;
        if (!parse_mount(next_line(&mountinfo_text), controller, &m))
            continue;
        struct word_slice below = own;
        if (!strip_root(&below, m.root)) {
            r = -EXDEV;
            continue;
        }
        if (span_is(below, "/"))
            below.len = 0;
        ssize_t top = unescape(m.point, ret_path, size);
        if (top < 0 || (size_t)top + below.len >= size)
            return -ENAMETOOLONG;
        memcpy(ret_path + top, below.text, below.len);
        ret_path[(size_t)top + below.len] = 0;
        if (ret_top)
            *ret_top = (size_t)top;
        return 0;
    }
    return r;
}
