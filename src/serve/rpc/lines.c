#include "serve/rpc/lines.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/maxima.h"
#include "base/thread.h"
#include "base/tiny.h"
#include "base/unconst.h"
#include "serve/rpc/rpc.h"

#define READ_SIZE TINY(64u << 10, 61u)
#define STACK_SIZE (2u << 20)
#define SPARE_THREADS 2
#define SHORT_REPLY 1024 /* room for an error, allocated in advance */

struct lines {
    const struct lines_protocol *protocol;
    void *user;
    int in, out;

    pthread_mutex_t read_lock; /* the baton; guards what follows */
    struct buf input;
    size_t scanned;              /* bytes of input known to hold no newline */
    bool too_long;               /* the line being read is thrown away, … */
    char ends[2 * RPC_ENDS + 2]; /* … except for its two ends */
    bool ended;

    pthread_mutex_t write_lock;
    bool broken;

    pthread_mutex_t lock; /* guards the counts */
    pthread_cond_t idle;
    unsigned threads, waiting; /* `waiting`: threads that wait for the baton, counted when they are
                                  started */
};

/* --- writing --- */

static int write_line(int fd, const char *text, size_t len) {
    struct iovec iov[2] = {{unconst(text), len}, {"\n", 1}};
    int at = 0;

    while (at < 2) {
        ssize_t n = writev(fd, iov + at, 2 - at);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        for (; at < 2 && (size_t)n >= iov[at].iov_len; at++)
            n -= (ssize_t)iov[at].iov_len;
        if (at < 2) {
            iov[at].iov_base = (char *)iov[at].iov_base + n;
            iov[at].iov_len -= (size_t)n;
        }
    }
    return 0;
}

void lines_send(struct lines *lines, const char *text, size_t len) {
    bool broke = false;

    pthread_mutex_lock(&lines->write_lock);
    if (!lines->broken && write_line(lines->out, text, len) < 0)
        broke = lines->broken = true;
    pthread_mutex_unlock(&lines->write_lock);
    if (broke)
        lines->protocol->output_broke(lines->user);
}

/* --- reading, with the baton --- */

/* Out of memory: we read nothing more until there is some. A request that was read is not lost. */
static void await_memory(void) {
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

static bool lines_fill(struct lines *lines) {
    ssize_t n;

    if (lines->input.len > MAX_REQUEST) {
        if (!lines->too_long)
            memcpy(lines->ends, lines->input.data, RPC_ENDS);
        lines->too_long = true;
        buf_drop(&lines->input, lines->input.len - RPC_ENDS);
        lines->scanned = lines->input.len;
    }
    while (buf_reserve(&lines->input, READ_SIZE) < 0)
        await_memory();
    do
        n = read(lines->in, lines->input.data + lines->input.len, READ_SIZE);
    while (n < 0 && errno == EINTR);
    if (n <= 0)
        return false;
    lines->input.len += (size_t)n;
    return true;
}

/* Length of the line at the front of the input, without its newline; -1 at the end. */
static ssize_t lines_next_line(struct lines *lines) {
    for (;;) {
        struct buf *in = &lines->input;
        char *newline = in->len > lines->scanned
                            ? memchr(in->data + lines->scanned, '\n', in->len - lines->scanned)
                            : NULL;

        if (newline)
            return newline - in->data;
        lines->scanned = in->len;
        if (!lines_fill(lines))
            break;
    }
    /* A last line without a newline is a line. */
    return lines->input.len > 0 || lines->too_long ? (ssize_t)lines->input.len : -1;
}

static void drop_line(struct lines *lines, size_t len) {
    buf_drop(&lines->input, len < lines->input.len ? len + 1 : len);
    buf_spare(&lines->input);
    lines->scanned = 0;
    lines->too_long = false;
}

static bool lines_is_blank(const char *text, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r')
            return false;
    return true;
}

static void *begin_job(struct lines *lines, const char *text, size_t len) {
    void *job;

    while (!(job = lines->protocol->begin(lines->user, text, len)))
        await_memory();
    return job;
}

/* The two ends of a line that was too long, in the form that rpc_parse takes. */
static const char *line_ends(struct lines *lines, size_t len) {
    size_t tail = len < RPC_ENDS ? len : RPC_ENDS;

    lines->ends[RPC_ENDS] = '\n';
    memcpy(lines->ends + RPC_ENDS + 1, lines->input.data + len - tail, tail);
    lines->ends[RPC_ENDS + 1 + tail] = 0;
    return lines->ends;
}

/* The next job; NULL at the end of input. */
static void *next_job(struct lines *lines) {
    void *job = NULL;

    while (!job && !lines->ended) {
        ssize_t len = lines_next_line(lines);

        if (len < 0 || lines->broken) {
            lines->ended = true;
            lines->protocol->input_ended(lines->user);
        } else if (lines->too_long) {
            job = begin_job(lines, line_ends(lines, (size_t)len), (size_t)MAX_REQUEST + 1);
            drop_line(lines, (size_t)len);
        } else {
            if (!lines_is_blank(lines->input.data, (size_t)len))
                job = begin_job(lines, lines->input.data, (size_t)len);
            drop_line(lines, (size_t)len);
        }
    }
    return job;
}

/* --- threads --- */

static void *serve_lines(void *arg);

static bool lines_start_thread(struct lines *lines) {
    lines->threads++;
    lines->waiting++;
    if (thread_start_detached(STACK_SIZE, serve_lines, lines) == 0)
        return true;
    lines->threads--;
    lines->waiting--;
    return false;
}

/* Another thread must be there to take the baton while this one is busy. */
static bool have_follower(struct lines *lines) {
    bool have;

    pthread_mutex_lock(&lines->lock);
    have = lines->waiting > 0 || (lines->threads < MAX_IN_FLIGHT && lines_start_thread(lines));
    pthread_mutex_unlock(&lines->lock);
    return have;
}

static void run_job(struct lines *lines, void *job) {
    struct buf reply = BUF_INIT(MAX_REPLY);

    while (buf_reserve(&reply, SHORT_REPLY) < 0)
        await_memory();
    lines->protocol->run(job, &reply);
    if (reply.len)
        lines_send(lines, reply.data, reply.len);
    buf_done(&reply);
}

/* Takes the baton when it is free, reads one job, and passes the baton on. */
static void *take_job(struct lines *lines) {
    void *job;

    pthread_mutex_lock(&lines->read_lock);
    pthread_mutex_lock(&lines->lock);
    lines->waiting--;
    pthread_mutex_unlock(&lines->lock);
    job = next_job(lines);
    if (job && !lines->protocol->is_quick(job) && !have_follower(lines))
        lines->protocol->refuse(job);
    pthread_mutex_unlock(&lines->read_lock);
    return job;
}

/* Checks and counts in one step: if several threads come back together, only some may stay. */
static bool wait_again(struct lines *lines) {
    bool again;

    pthread_mutex_lock(&lines->lock);
    again = lines->waiting < SPARE_THREADS;
    lines->waiting += again;
    pthread_mutex_unlock(&lines->lock);
    return again;
}

static void work(struct lines *lines) {
    void *job;

    while ((job = take_job(lines))) {
        run_job(lines, job);
        if (!wait_again(lines))
            break;
    }
}

static void *serve_lines(void *arg) {
    struct lines *lines = arg;

    work(lines);
    pthread_mutex_lock(&lines->lock);
    lines->threads--;
    pthread_cond_signal(&lines->idle);
    pthread_mutex_unlock(&lines->lock);
    return NULL;
}

int lines_serve(const struct lines_protocol *protocol, void *user, int in, int out) {
    struct lines lines = {.protocol = protocol, .user = user, .in = in, .out = out};

    lines.input = BUF_INIT(MAX_REQUEST + 2 * READ_SIZE);
    pthread_mutex_init(&lines.read_lock, NULL);
    pthread_mutex_init(&lines.write_lock, NULL);
    pthread_mutex_init(&lines.lock, NULL);
    pthread_cond_init(&lines.idle, NULL);
    lines.waiting = 1;
    protocol->started(user, &lines);
    work(&lines);
    pthread_mutex_lock(&lines.lock);
    while (lines.threads > 0)
        pthread_cond_wait(&lines.idle, &lines.lock);
    pthread_mutex_unlock(&lines.lock);
    pthread_cond_destroy(&lines.idle);
    pthread_mutex_destroy(&lines.lock);
    pthread_mutex_destroy(&lines.write_lock);
    pthread_mutex_destroy(&lines.read_lock);
    buf_done(&lines.input);
    return 0;
}
