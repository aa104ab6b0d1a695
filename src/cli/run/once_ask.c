/* A run in an engine that is running already: the side of `retort run`. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "cli/run/once.h"
#include "cli/upload.h"
#include "engine/host/libexec.h"

#define PATIENCE_MS 1000 /* within which an engine has to say that it will try */

/* A running engine does not take a run with a record, a review, variables or files of this process,
 * an interpreter that it has not warmed, or a clock that shows how the interpreter started. */
static bool is_for_others(const struct cli_options *o) {
    return !o->alone && !o->record && !o->session.python && !o->session.network &&
           !o->session.deterministic && !o->session.review;
}

/* If a file cannot be read, the run in an engine of our own reports that. A pipe can be read only
 * once, so it is not sent. */
static int send_file(int sock, const char *spec) {
    char source[MAX_PATH], name[MAX_PATH];
    struct stat st;
    if (strlen(spec) >= MAX_PATH || cli_upload_names("--file", spec, source, name) ||
        stat(source, &st) < 0 || !S_ISREG(st.st_mode))
        return -EINVAL;
    scoped_fd fd = open(source, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? -errno : once_send(sock, ONCE_FILE, name, strlen(name), fd);
}

static int send_run(int sock, const struct cli_options *o, char **argv, const struct buf *code) {
    scoped_buf ask = BUF_INIT(MAX_REQUEST);
    int r = once_likeness(&ask);
    for (buf_add(&ask, "", 1); r == 0 && *argv; argv++)
        r = buf_add(&ask, *argv, strlen(*argv) + 1);
    if (r == 0)
        r = once_send(sock, ONCE_ASK, ask.data, ask.len, -1);
    for (size_t i = 0; r == 0 && i < o->files.n; i++)
        r = send_file(sock, o->files.at[i]);
    return r == 0 ? once_send(sock, ONCE_CODE, code->data, code->len, -1) : r;
}

static int take_acceptance(int sock, struct once_letter *letter) {
    if (!readable_within(sock, PATIENCE_MS))
        return -ETIMEDOUT;
    int r = once_receive(sock, letter);
    return r == 0 && letter->type != ONCE_ACCEPTED ? -EPROTO : r;
}

/* Asks for the descriptor of one file, by its path in the session. */
static int open_remote(void *user, const char *path, struct retort_error *error) {
    int sock = *(int *)user;
    struct once_letter letter = ONCE_LETTER_INIT;
    int r = once_send(sock, ONCE_OPEN, path, strlen(path), -1);
    if (r == 0)
        r = once_receive(sock, &letter);
    if (r == 0 && letter.type == ONCE_OPENED && letter.fd >= 0)
        r = take_fd(&letter.fd);
    else
        r = r == 0 && letter.type == ONCE_FAILED
                ? err_set(error, ERR_GUEST, EIO, "%.300s", letter.data.data)
                : err_set(error, ERR_HOST, EPIPE, "the engine is gone");
    once_letter_done(&letter);
    return r;
}

static int conclude_remote(int sock, struct once_letter *letter, const struct cli_options *o) {
    struct outdir_source files = {.open = open_remote, .user = &sock};
    char status[32] = "";
    int code = EXIT_OWN_FAILURE;
    const char *end = memchr(letter->data.data, '\n', letter->data.len);
    if (!end || sscanf(letter->data.data, "%d %31s", &code, status) != 2)
        return cli_fail("the engine's answer cannot be read");
    struct once_outcome outcome = {.status = status, .json = end + 1, .code = code};
    outcome.len = letter->data.len - (size_t)(end + 1 - letter->data.data);
    return once_finish(&outcome, o, &files);
}

/* True: there was an answer, perhaps only a part of one. */
static bool follow_run(int sock, const struct cli_options *o, int *ret_status) {
    struct once_letter letter = ONCE_LETTER_INIT;
    bool heard = false;
    int r = take_acceptance(sock, &letter);
    while (r == 0 && (r = once_receive(sock, &letter)) == 0 && letter.type != ONCE_RESULT) {
        heard = true;
        once_pass_through(NULL, letter.type == ONCE_STDOUT ? RETORT_STDOUT : RETORT_STDERR,
                          letter.data.data, letter.data.len, 0);
    }
    if (r == 0)
        *ret_status = conclude_remote(sock, &letter, o);
    else if (heard)
        *ret_status = cli_fail("the engine that ran the code is gone, and its result with it");
    once_letter_done(&letter);
    return r == 0 || heard;
}

enum once_asked once_ask(const struct cli_options *o, char **argv, const struct buf *code,
                         int *ret_status) {
    if (!is_for_others(o))
        return ONCE_ALONE;
    scoped_fd sock = once_connect();
    if (sock < 0)
        return ONCE_ABSENT;
    int r = send_run(sock, o, argv, code);
    return r == 0 && follow_run(sock, o, ret_status) ? ONCE_DONE : ONCE_ALONE;
}

/* The engine gets a session and a directory of its own, and none of our descriptors. */
void once_start_resident(void) {
    char dir[512], path[600], *argv[] = {"serve", "--resident", NULL};
    struct retort_error err = ERR_INIT;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    pid_t pid;
    if (libexec_find(dir, sizeof dir, &err) < 0)
        return;
    snprintf(path, sizeof path, "%s/retort-doors", dir);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSID);
    for (int fd = 0; fd < 3; fd++)
        posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    posix_spawn_file_actions_addchdir_np(&actions, "/");
    posix_spawn(&pid, path, &actions, &attr, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attr);
}
