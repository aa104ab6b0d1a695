#include "serve/e2b/services.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/list.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/thread.h"
#include "engine/api/services.h"
#include "serve/hosted/json.h"
#include "wire/frame.h"

#define MAX_HELD (4u << 20) /* bytes of answers that we hold for a call: four times its credit */
#define PATIENCE_NS 10000000000ull
#define ENVELOPE 5
#define ENVELOPE_END 2 /* flag of the last envelope */

struct ask {
    struct ask *next;
    struct services *services;
    int64_t number;
    struct buf said; /* under the lock of the services, like what follows */
    size_t untold;   /* bytes of events in `said` for which the guest has no new credit yet */
    bool ended, failed;
    bool stream; /* answers go into envelopes of the Connect protocol */
    int fd;
};

struct services {
    int fd;
    pthread_mutex_t lock;
    unsigned refs;
    struct ask *asks;
    int64_t numbers;
    bool over;
    pthread_mutex_t writing;
};

/* --- calls --- */

static void services_drop(struct services *v) {
    if (!last_reference(&v->lock, &v->refs))
        return;
    close(v->fd);
    pthread_mutex_destroy(&v->lock);
    pthread_mutex_destroy(&v->writing);
    free(v);
}

void services_unref(struct services *v) {
    if (!v)
        return;
    shutdown(v->fd, SHUT_RDWR); /* the reader sees the end */
    services_drop(v);
}

bool services_over(struct services *v) {
    bool over;

    pthread_mutex_lock(&v->lock);
    over = v->over;
    pthread_mutex_unlock(&v->lock);
    return over;
}

/* Gives up when the guest does not read for this long. */
static int send_whole(int fd, const char *data, size_t len) {
    uint64_t until = now_ns() + PATIENCE_NS;

    while (len) {
        ssize_t n = send(fd, data, len, MSG_DONTWAIT | MSG_NOSIGNAL);
        struct pollfd p = {.fd = fd, .events = POLLOUT};

        if (n > 0) {
            data += n;
            len -= (size_t)n;
        } else if (n < 0 && errno == EAGAIN && now_ns() < until)
            poll(&p, 1, 1000);
        else if (n < 0 && errno != EINTR)
            return -EPIPE;
    }
    return 0;
}

/* Threads send one whole frame after the other. */
static int tell(struct services *v, int64_t number, const json_t *question) {
    scoped_free char *text = json_whole(question, JSON_COMPACT);
    scoped_buf frame = BUF_INIT(MAX_FRAME);
    int r = text ? frame_begin(&frame, FRAME_ASK) : -ENOMEM;

    if (r >= 0)
        r = frame_put_int(&frame, F_CALL, number);
    if (r >= 0)
        r = frame_put_text(&frame, F_JSON, text);
    if (r >= 0)
        r = frame_end(&frame, 0);
    if (r < 0)
        return r;
    pthread_mutex_lock(&v->writing);
    r = send_whole(v->fd, frame.data, frame.len);
    if (r < 0)
        shutdown(v->fd, SHUT_RDWR);
    pthread_mutex_unlock(&v->writing);
    return r;
}

static struct ask *ask_new(struct services *v) {
    struct ask *a = calloc(1, sizeof *a);

    if (!a)
        return NULL;
    a->said = BUF_INIT(2 * MAX_HELD);
    a->services = v;
    a->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (a->fd < 0) {
        free(a);
        return NULL;
    }
    return a;
}

static void ask_free(struct ask *a) {
    close(a->fd);
    buf_done(&a->said);
    free(a);
}

struct ask *services_ask(struct services *v, const json_t *question, bool stream) {
    struct ask *a = ask_new(v);

    if (!a)
        return NULL;
    a->stream = stream;
    pthread_mutex_lock(&v->lock);
    a->number = ++v->numbers;
    a->next = v->asks;
    v->asks = a;
    v->refs++;
    a->ended = v->over;
    pthread_mutex_unlock(&v->lock);
    if (!a->ended && tell(v, a->number, question) >= 0)
        return a;
    ask_leave(a);
    return NULL;
}

void ask_leave(struct ask *a) {
    struct services *v = a->services;
    scoped_json *leave = json_pack("{s:s}", "op", "leave");
    bool ended;

    pthread_mutex_lock(&v->lock);
    ended = a->ended || v->over;
    LIST_DROP(v->asks, a, next);
    pthread_mutex_unlock(&v->lock);
    if (!ended)
        tell(v, a->number, leave);
    ask_free(a);
    services_drop(v);
}

int ask_fd(const struct ask *a) {
    return a->fd;
}

int ask_take(struct ask *a, struct buf *out) {
    struct services *v = a->services;
    eventfd_t ignored;
    size_t taken;
    bool ended;
    int r = 0;

    pthread_mutex_lock(&v->lock);
    eventfd_read(a->fd, &ignored);
    ended = a->ended;
    if (a->said.len)
        r = buf_add(out, a->said.data, a->said.len);
    else if (ended)
        r = -EPIPE;
    buf_reset(&a->said);
    taken = a->untold;
    a->untold = 0;
    if (ended)
        eventfd_write(a->fd, 1);
    pthread_mutex_unlock(&v->lock);
    if (taken && !ended) {
        scoped_json *credit = json_pack("{s:s, s:I}", "op", "credit", "bytes", (json_int_t)taken);
        tell(v, a->number, credit);
    }
    return r;
}

int ask_wait(struct ask *a, struct buf *out) {
    struct services *v = a->services;
    struct pollfd p = {.fd = a->fd, .events = POLLIN};
    bool ended = false;
    int r = 0;

    while (!ended) {
        poll(&p, 1, -1);
        pthread_mutex_lock(&v->lock);
        ended = a->ended;
        if (ended)
            r = !a->said.len ? -EPIPE : buf_add(out, a->said.data, a->said.len);
        if (ended && r >= 0 && a->failed)
            r = -ENOENT;
        pthread_mutex_unlock(&v->lock);
    }
    return r;
}

/* --- answers --- */

static int add_envelope(struct buf *out, unsigned char flag, const char *text, size_t len) {
    uint32_t size = htonl((uint32_t)len);
    char head[ENVELOPE] = {(char)flag};

    memcpy(head + 1, &size, sizeof size);
    return buf_add(out, head, sizeof head) < 0 ? -1 : buf_add(out, text, len);
}

/* A stream ends with an envelope of its own. The answer of a call without events is its result
 * alone. */
static int add_end(struct ask *a, int64_t kind, const char *text, size_t len) {
    scoped_buf end = BUF_INIT(1u << 20);

    a->failed = kind == SAID_FAILED;
    if (!a->stream)
        return buf_add(&a->said, text, len);
    if (!a->failed)
        return add_envelope(&a->said, ENVELOPE_END, "{}", 2);
    if (buf_adds(&end, "{\"error\":") < 0 || buf_add(&end, text, len) < 0 ||
        buf_adds(&end, "}") < 0)
        return -1;
    return add_envelope(&a->said, ENVELOPE_END, end.data, end.len);
}

/* A guest that says more than its credit is not our program any more. */
static int hear_of(struct ask *a, int64_t kind, const char *text, size_t len) {
    int r;

    if (a->ended || a->said.len + len > MAX_HELD)
        return a->ended ? 0 : -EPROTO;
    if (kind == SAID_EVENT && !a->stream)
        return -EPROTO;
    if (kind == SAID_EVENT) {
        a->untold += len;
        r = add_envelope(&a->said, 0, text, len);
    } else {
        r = add_end(a, kind, text, len);
        a->ended = true;
    }
    eventfd_write(a->fd, 1);
    return r;
}

static int services_said(struct services *v, const struct frame *f) {
    int64_t number = 0, kind = SAID_FAILED + 1;
    struct field field, text = {0};
    size_t pos = 0;
    int r = 0;

    while (frame_next(f, &pos, &field) > 0) {
        if (field.tag == F_CALL)
            field_int(&field, &number);
        if (field.tag == F_KIND)
            field_int(&field, &kind);
        if (field.tag == F_JSON)
            text = field;
    }
    if (f->type != FRAME_SAID || !text.data || kind < SAID_EVENT || kind > SAID_FAILED)
        return -EPROTO;
    pthread_mutex_lock(&v->lock);
    for (struct ask *a = v->asks; a; a = a->next)
        if (a->number == number) {
            r = hear_of(a, kind, text.data, text.len);
            break;
        }
    pthread_mutex_unlock(&v->lock);
    return r;
}

static int take_frames(struct services *v, struct buf *bytes) {
    struct frame f;

    for (;;) {
        int64_t size = frame_peek(bytes->data, bytes->len, &f);

        if (size <= 0 || (uint64_t)size > bytes->len)
            return size < 0 ? -EPROTO : 0;
        if (frame_check(&f) < 0 || services_said(v, &f) < 0)
            return -EPROTO;
        buf_drop(bytes, (size_t)size);
    }
}

static void services_end(struct services *v) {
    pthread_mutex_lock(&v->lock);
    v->over = true;
    for (struct ask *a = v->asks; a; a = a->next) {
        a->ended = true;
        eventfd_write(a->fd, 1);
    }
    pthread_mutex_unlock(&v->lock);
}

static void *read_answers(void *arg) {
    struct services *v = arg;
    scoped_buf bytes = BUF_INIT(MAX_HELD);
    char chunk[65536];

    for (;;) {
        ssize_t n = recv(v->fd, chunk, sizeof chunk, 0);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0 || buf_add(&bytes, chunk, (size_t)n) < 0 || take_frames(v, &bytes) < 0)
            break;
    }
    shutdown(v->fd, SHUT_RDWR);
    services_end(v);
    services_drop(v);
    return NULL;
}

int services_open(struct retort_session *session, struct services **ret_services,
                  struct retort_error *err) {
    struct services *v = calloc(1, sizeof *v);
    pthread_t reader;
    int r = v ? session_services(session, &v->fd, err) : err_memory(err);

    if (r < 0) {
        free(v);
        return r;
    }
    pthread_mutex_init(&v->lock, NULL);
    pthread_mutex_init(&v->writing, NULL);
    v->refs = 2;
    if (thread_start(&reader, read_answers, v) == 0)
        pthread_detach(reader);
    else {
        v->refs = 1;
        services_drop(v);
        return err_errno(err, ERR_HOST, EAGAIN, "cannot start a thread");
    }
    *ret_services = v;
    return 0;
}
