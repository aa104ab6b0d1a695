#include "gate/tape.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"

#define EARLY_SIZE (16u << 10)

void tape_init(struct tape *t, bool wanted) {
    *t = (struct tape){.fd = -1, .early = BUF_INIT(EARLY_SIZE), .spoiled = !wanted};
}

void tape_done(struct tape *t) {
    fd_done(&t->fd);
    buf_done(&t->early);
    hasher_free(t->sent);
    t->sent = NULL;
}

void tape_spoil(struct tape *t) {
    t->spoiled = true;
    fd_done(&t->fd);
    buf_done(&t->early);
}

void tape_sent(struct tape *t, const void *data, size_t len) {
    if (!t->sent)
        t->sent = hasher_new();
    if (!t->sent || hasher_add(t->sent, data, len) < 0)
        tape_spoil(t);
}

struct hash tape_body(struct tape *t) {
    struct hash h = {{0}};
    if (t->sent)
        hasher_finish(t->sent, &h);
    else
        hash_bytes("", 0, &h);
    return h;
}

/* Makes the file, and writes the bytes that came before. */
static bool tape_open(struct tape *t) {
    if (t->fd >= 0)
        return true;
    t->fd = memfd_create("answer", MFD_CLOEXEC);
    return t->fd >= 0 && write_all(t->fd, t->early.data, t->early.len) == 0;
}

static bool tape_write(struct tape *t, const void *data, size_t len) {
    if (t->fd < 0 && len <= EARLY_SIZE - t->early.len)
        return buf_add(&t->early, data, len) == 0;
    return tape_open(t) && write_all(t->fd, data, len) == 0;
}

int tape_file(struct tape *t) {
    if (!t->spoiled && t->bytes && !tape_open(t))
        tape_spoil(t);
    return t->fd;
}

void tape_add(struct tape *t, uint64_t *room, const void *data, size_t len) {
    if (t->spoiled || !len)
        return;
    if (len > MAX_KEPT_ANSWER - t->bytes || len > *room || !tape_write(t, data, len)) {
        tape_spoil(t);
        return;
    }
    t->bytes += (uint32_t)len;
    *room -= len;
}

/* --- given again --- */

void answers_done(struct answers *a) {
    if (a->data)
        munmap(a->data, a->len);
    *a = (struct answers){0};
}

/* We need a private copy, because we mark in it which answers were taken. */
void answers_load(struct answers *a, int fd) {
    struct stat st;
    answers_done(a);
    if (fstat(fd, &st) < 0 || st.st_size <= 0)
        return;
    void *data = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    if (data != MAP_FAILED)
        *a = (struct answers){data, (size_t)st.st_size};
}

/* The next answer, from *at on; NULL after the last. */
static struct gate_event *answers_next(const struct answers *a, size_t *at) {
    struct gate_event *e = (struct gate_event *)(void *)(a->data + *at);
    if (a->len - *at < sizeof *e || a->len - *at - sizeof *e < e->kept)
        return NULL;
    *at += sizeof *e + (e->kept + GATE_ALIGN - 1) / GATE_ALIGN * GATE_ALIGN;
    *at = *at < a->len ? *at : a->len;
    return e;
}

static bool same_server(const struct gate_event *e, const char *host, uint16_t port) {
    return e->port == port && strcmp(e->host, host) == 0;
}

const struct gate_event *answers_take(struct answers *a, const struct gate_event *r) {
    struct gate_event *e;
    for (size_t at = 0; (e = answers_next(a, &at));)
        if (!e->open && same_server(e, r->host, r->port) && strcmp(e->scheme, r->scheme) == 0 &&
            strcmp(e->method, r->method) == 0 && strcmp(e->path, r->path) == 0 &&
            hash_equal(&e->body, &r->body)) {
            e->open = 1;
            return e;
        }
    return NULL;
}

bool answers_know(const struct answers *a, const char *host, uint16_t port) {
    const struct gate_event *e;
    for (size_t at = 0; (e = answers_next(a, &at));)
        if (same_server(e, host, port))
            return true;
    return false;
}
