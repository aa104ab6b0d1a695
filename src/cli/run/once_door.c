#include "cli/run/once_door.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "base/maxima.h"
#include "base/scope.h"
#include "base/thread.h"
#include "cli/run/once.h"
#include "cli/upload.h"
#include "engine/host/environment.h"

#define MAX_WORDS 1024
#define ASK_SECONDS 10 /* within which the program has to send its whole request */

/* A program that has connected. */
struct once_visit {
    int sock, ended; /* `ended`: an eventfd for the thread that watches */
    struct cli_options options;
    struct retort_session *session;
    struct buf words; /* the options point into it */
    struct buf code;
    atomic_bool gone;
};

/* --- the request --- */

/* Takes the words after the likeness, which must be equal to ours. */
static int visit_words(struct once_visit *v, const struct buf *likeness) {
    char *argv[MAX_WORDS + 1], *at = v->words.data, *end = at + v->words.len;
    int argc = 0, r;
    if (v->words.len <= likeness->len || memcmp(at, likeness->data, likeness->len + 1) != 0 ||
        end[-1] != 0)
        return -EPROTO;
    for (at += likeness->len + 1; at < end && argc < MAX_WORDS; at += strlen(at) + 1)
        argv[argc++] = at;
    argv[argc] = NULL;
    if (at < end || argc == 0 || !cli_take(&once_table, argc, argv, &v->options, &r) ||
        v->options.network.allow.n || v->options.network.file || v->options.record)
        return -EPROTO;
    v->options.session.env = v->options.env.at;
    v->options.session.allow_missing = v->options.allow_missing.at;
    v->options.session.door = "run";
    v->options.session.no_record = true;
    return 0;
}

/* Network rules refer to variables and files of the process that reads them. */
static bool has_network(const struct retort_session_options *options) {
    struct retort_error err = ERR_INIT;
    struct configured configured;
    if (environment_apply(options, NULL, &configured, &err) < 0)
        return true;
    bool has = configured.options.network != NULL;
    environment_done(&configured);
    return has;
}

static int visit_session(struct once_visit *v, struct retort_engine *engine,
                         struct retort_error *error) {
    if (has_network(&v->options.session))
        return -EPERM;
    return retort_session_new(engine, &v->options.session, &v->session, error);
}

/* Files go into the session as they come; after them comes the code. */
static int visit_files(struct once_visit *v, struct once_letter *letter,
                       struct retort_error *error) {
    int r;
    while ((r = once_receive(v->sock, letter)) == 0 && letter->type == ONCE_FILE)
        if (letter->fd < 0 || cli_upload_fd(v->session, letter->fd, letter->data.data, error) < 0)
            return -EIO;
    if (r < 0 || letter->type != ONCE_CODE)
        return r < 0 ? r : -EPROTO;
    struct buf code = letter->data;
    letter->data = BUF_INIT(MAX_REPLY);
    v->code = code;
    return 0;
}

static int visit_request(struct once_visit *v, struct retort_engine *engine,
                         const struct buf *likeness) {
    struct once_letter letter = ONCE_LETTER_INIT;
    struct retort_error error = ERR_INIT;
    int r = once_receive(v->sock, &letter);
    if (r == 0 && letter.type != ONCE_ASK)
        r = -EPROTO;
    v->words = letter.data;
    letter.data = BUF_INIT(MAX_REPLY);
    if (r == 0)
        r = visit_words(v, likeness);
    if (r == 0)
        r = once_send(v->sock, ONCE_ACCEPTED, "", 0, -1);
    if (r == 0)
        r = visit_session(v, engine, &error);
    if (r == 0)
        r = visit_files(v, &letter, &error);
    once_letter_done(&letter);
    return r;
}

/* --- the answer --- */

static void visit_output(void *user, enum retort_stream stream, const char *text, size_t len,
                         uint64_t time_ns) {
    struct once_visit *v = user;
    (void)time_ns;
    once_send(v->sock, stream == RETORT_STDOUT ? ONCE_STDOUT : ONCE_STDERR, text, len, -1);
}

static bool is_given_up(void *user) {
    return atomic_load(&((struct once_visit *)user)->gone);
}

/* Ends the run when the program has gone. */
static void *visit_watch(void *arg) {
    struct once_visit *v = arg;
    struct pollfd fds[2] = {{.fd = v->sock, .events = POLLRDHUP},
                            {.fd = v->ended, .events = POLLIN}};
    while (poll(fds, 2, -1) < 0 && errno == EINTR)
        ;
    if (fds[0].revents) {
        atomic_store(&v->gone, true);
        retort_interrupt(v->session);
    }
    return NULL;
}

static int send_result(struct once_visit *v, const struct retort_result *result) {
    scoped_buf text = BUF_INIT(MAX_REPLY);
    size_t len;
    const char *json = retort_result_json(result, &len);
    int r =
        buf_printf(&text, "%d %s\n", retort_result_exit_code(result), retort_result_status(result));
    if (r == 0)
        r = buf_add(&text, json, len);
    return r < 0 ? r : once_send(v->sock, ONCE_RESULT, text.data, text.len, -1);
}

static int once_code(struct once_visit *v) {
    struct retort_callbacks callbacks = {
        .user = v, .output = v->options.json ? NULL : visit_output, .cancelled = is_given_up};
    struct retort_result *result;
    struct retort_error error;
    pthread_t watcher;
    int r = thread_start(&watcher, visit_watch, v);
    if (r < 0)
        return r;
    r = once_cell(v->session, &v->options, &v->code, &callbacks, &result, &error);
    eventfd_write(v->ended, 1);
    pthread_join(watcher, NULL);
    if (r < 0)
        return r;
    r = send_result(v, result);
    retort_result_free(result);
    return r;
}

/* Opens the files that the program asks for, until it goes. */
static void visit_give_files(struct once_visit *v) {
    struct once_letter letter = ONCE_LETTER_INIT;
    struct retort_error error;
    uint64_t size;
    int fd, r = 0;
    while (r == 0 && once_receive(v->sock, &letter) == 0 && letter.type == ONCE_OPEN)
        if (retort_file_open(v->session, letter.data.data, &fd, &size, &error) < 0)
            r = once_send(v->sock, ONCE_FAILED, error.message, strlen(error.message), -1);
        else {
            r = once_send(v->sock, ONCE_OPENED, "", 0, fd);
            close(fd);
        }
    once_letter_done(&letter);
}

/* We do not wait longer for a program that neither sends nor reads. */
static void set_patience(int sock, long seconds) {
    struct timeval patience = {.tv_sec = seconds};
    setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
}

bool once_door(struct retort_engine *engine, void *likeness, int fd) {
    struct once_visit v = {.sock = fd, .ended = eventfd(0, EFD_CLOEXEC)};
    set_patience(fd, ASK_SECONDS);
    int r = v.ended < 0 ? -errno : visit_request(&v, engine, likeness);
    if (r == 0)
        r = once_code(&v);
    if (r == 0 && v.options.out_dir) {
        set_patience(fd, 0);
        visit_give_files(&v);
    }
    shutdown(fd, SHUT_RDWR); /* nobody waits until the session has ended */
    if (v.session)
        retort_session_close(v.session);
    fd_done(&v.ended);
    buf_done(&v.words);
    buf_done(&v.code);
    return r == 0;
}
