#include "agent/model/journal.h"

#include "agent/model/cassette.h"
#include "base/scope.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_HEAD (2u << 20)

struct journal {
    char *state, *head;
    char *path; /* the file, or NULL */
    struct cassette *replies;
    size_t known; /* how many replies it began with */
    bool begun;
    pthread_mutex_t lock; /* guards `problem` */
    char problem[120];
};

static void note_problem(struct journal *j, int eno) {
    pthread_mutex_lock(&j->lock);
    if (!j->problem[0])
        snprintf(j->problem, sizeof j->problem, "%s", strerror(eno));
    pthread_mutex_unlock(&j->lock);
}

static char *journal_path(const char *state, const char *session) {
    char *path = NULL;
    if (strchr(session, '/') || asprintf(&path, JOURNAL_PATH, state, session) < 0)
        return NULL;
    return path;
}

static int journal_make(const char *state, const char *head, struct journal **ret,
                        struct retort_error *err) {
    struct journal *j = calloc(1, sizeof *j);
    if (j)
        pthread_mutex_init(&j->lock, NULL);
    if (!j || !(j->state = strdup(state)) || !(j->head = strdup(head))) {
        journal_free(j);
        return err_memory(err);
    }
    *ret = j;
    return 0;
}

int journal_new(const char *state, const char *head, struct journal **ret,
                struct retort_error *err) {
    return journal_make(state, head, ret, err);
}

void journal_free(struct journal *j) {
    if (!j)
        return;
    cassette_free(j->replies);
    pthread_mutex_destroy(&j->lock);
    free(j->state);
    free(j->head);
    free(j->path);
    free(j);
}

/* --- reading --- */

/* Removes a line that was cut when the run died, so that the next line begins at its beginning. */
static int cut_torn(const char *path) {
    scoped_fd fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    struct stat st;
    char last = '\n';
    if (fd < 0 || fstat(fd, &st) < 0)
        return -errno;
    off_t end = st.st_size;
    while (end > 0 && pread(fd, &last, 1, end - 1) == 1 && last != '\n')
        end--;
    return end < st.st_size && ftruncate(fd, end) < 0 ? -errno : 0;
}

/* "# {…}" */
static char *read_head(const char *path) {
    FILE *f = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    ssize_t n = f ? getline(&line, &room, f) : -1;
    if (f)
        fclose(f);
    bool good = n > 3 && n < (ssize_t)MAX_HEAD && strncmp(line, "# {", 3) == 0;
    char *head = good ? strndup(line + 2, strcspn(line + 2, "\n")) : NULL;
    free(line);
    return head;
}

int journal_open(const char *state, const char *session, struct journal **ret, char **ret_head,
                 struct retort_error *err) {
    struct model_error error = {.fault = MODEL_OK};
    scoped_free char *path = journal_path(state, session);
    int r = path ? cut_torn(path) : -ENOENT;
    if (r == -ENOENT)
        return err_set(err, ERR_CALLER, ENOENT,
                       "%.64s is no session of a run that could go on: it has its answer, was not "
                       "recorded or was forgotten",
                       session);
    scoped_free char *head = r < 0 ? NULL : read_head(path);
    struct journal *j;
    if (!head)
        return err_set(err, ERR_HOST, r < 0 ? -r : EINVAL,
                       "what the model said in %.64s cannot be read", session);
    TRY(journal_make(state, head, &j, err));
    r = cassette_open(path, false, &j->replies, &error);
    if (r < 0) {
        journal_free(j);
        return err_set(err, ERR_HOST, -r, "what the model said in %.64s cannot be read: %s",
                       session, error.message);
    }
    j->known = cassette_size(j->replies);
    j->path = strdup(path);
    *ret_head = strdup(head);
    *ret = j;
    return j->path && *ret_head ? 0 : err_memory(err);
}

size_t journal_size(const struct journal *j) {
    return j->known;
}

/* --- writing --- */

/* Gives the same file the name of the session in which the run goes on. */
static int begin_again(struct journal *j, const char *path) {
    if (link(j->path, path) < 0)
        return -errno;
    free(j->path);
    j->path = strdup(path);
    return j->path ? 0 : -ENOMEM;
}

static int write_head(struct journal *j, const char *path) {
    struct model_error error;
    scoped_buf text = BUF_INIT(MAX_HEAD + 4);
    scoped_free char *dir = strndup(path, (size_t)(strrchr(path, '/') - path));
    if (!dir || (mkdir(dir, 0700) < 0 && errno != EEXIST))
        return -errno;
    scoped_fd fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return -errno;
    int r = buf_printf(&text, "# %s\n", j->head);
    if (r == 0 && write(fd, text.data, text.len) != (ssize_t)text.len)
        r = -EIO;
    if (r == 0)
        r = cassette_open(path, true, &j->replies, &error);
    j->path = r == 0 ? strdup(path) : NULL;
    return r;
}

void journal_begin(struct journal *j, const char *session) {
    if (j->begun)
        return;
    j->begun = true;
    scoped_free char *path = journal_path(j->state, session);
    int r = !path ? -ENOMEM : j->path ? begin_again(j, path) : write_head(j, path);
    if (r < 0)
        note_problem(j, -r);
}

/* Removes it under all names that it got as the run went on. */
void journal_remove(struct journal *j) {
    struct stat file, other;
    scoped_free char *dir =
        j->path ? strndup(j->path, (size_t)(strrchr(j->path, '/') - j->path)) : NULL;
    DIR *d = dir && stat(j->path, &file) == 0 ? opendir(dir) : NULL;
    for (const struct dirent *e; d && (e = readdir(d));)
        if (fstatat(dirfd(d), e->d_name, &other, AT_SYMLINK_NOFOLLOW) == 0 &&
            other.st_ino == file.st_ino && other.st_dev == file.st_dev)
            unlinkat(dirfd(d), e->d_name, 0);
    if (d)
        closedir(d);
}

const char *journal_problem(const struct journal *j) {
    return j->problem[0] ? j->problem : NULL;
}

/* --- replies --- */

int journal_recall(struct journal *j, const struct model_request *request,
                   const struct model_listener *listener, struct model_reply *ret,
                   struct model_error *error) {
    static const char other[] =
        "what is asked first is not what that run asked: the files, the task "
        "or the options are others";
    if (!j->known)
        return 0;
    int r = cassette_recall(j->replies, request, listener, ret, error);
    if (r || !cassette_contradicts(j->replies, request))
        return r;
    error->fault = MODEL_BAD_REQUEST;
    snprintf(error->message, sizeof error->message, "%s", other);
    return -EINVAL;
}

void journal_keep(struct journal *j, const struct model_request *request,
                  const struct model_reply *reply) {
    int r = j->replies ? cassette_record(j->replies, request, reply) : 0;
    if (r < 0)
        note_problem(j, -r);
}
