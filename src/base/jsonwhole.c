#include "base/jsonwhole.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/scope.h"
#include "base/tiny.h"

#define PIECE TINY(4096, 7)

static json_malloc_t take;
static json_free_t give;

/* What this thread reads or writes. */
static _Thread_local struct {
    unsigned refused; /* in all */
    unsigned before;  /* what is read began */
    void *reserve;
    size_t room; /* of the reserve */
} watch;

static void *take_watched(size_t size) {
    void *taken = take(size);
    if (taken)
        return taken;
    watch.refused++;
    if (watch.reserve && size <= watch.room) {
        taken = watch.reserve;
        watch.reserve = NULL;
    }
    return taken;
}

/* A program that uses the library may have set allocation functions for jansson: ours call them. */
static void watch_install(void) {
    json_get_alloc_funcs(&take, &give);
    json_set_alloc_funcs(take_watched, give);
}

unsigned json_mark(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_install);
    return watch.refused;
}

bool json_lost(unsigned mark) {
    return watch.refused != mark;
}

json_t *json_lose(void) {
    watch.refused++;
    return NULL;
}

static json_t *json_short(json_error_t *error) {
    *error = (json_error_t){.line = -1, .column = -1};
    snprintf(error->text, sizeof error->text, "out of memory");
    error->text[sizeof error->text - 1] = json_error_out_of_memory;
    return NULL;
}

struct unread {
    const char *at;
    size_t left;
};

/* Gives jansson one byte at a time: once an allocation has failed, jansson must not see another
 * byte, because that might need more memory for the same token, and the reserve serves only once.
 */
static size_t feed(void *buffer, size_t len, void *user) {
    struct unread *text = user;
    (void)len;
    if (json_lost(watch.before) || !text->left)
        return 0;
    *(char *)buffer = *text->at++;
    text->left--;
    return 1;
}

/* The buffer for a token doubles when one byte more, and a NUL, do not fit: it never asks for more
 * than twice the text. */
static bool lay_by(size_t len) {
    watch.room = 2 * (len + 1);
    watch.reserve = len < SIZE_MAX / 4 ? take(watch.room) : NULL;
    watch.refused += !watch.reserve;
    return watch.reserve;
}

json_t *json_in(const char *text, size_t len, size_t flags, json_error_t *ret_error) {
    struct unread rest = {text, text ? len : 0};
    json_error_t unwanted = {0};
    json_error_t *error = ret_error ? ret_error : &unwanted;
    watch.before = json_mark();
    if (!lay_by(rest.left))
        return json_short(error);
    json_t *value = json_load_callback(feed, &rest, flags, error);
    give(watch.reserve);
    watch.reserve = NULL;
    if (!json_lost(watch.before))
        return value;
    json_decref(value);
    return json_short(error);
}

json_t *json_in_text(const char *text, size_t flags, json_error_t *ret_error) {
    return json_in(text, text ? strlen(text) : 0, flags, ret_error);
}

json_t *json_in_fd(int fd, size_t flags, json_error_t *ret_error) {
    scoped_buf text = BUF_INIT(SIZE_MAX / 4);
    json_error_t unwanted = {0};
    ssize_t n;
    do {
        if (buf_reserve(&text, PIECE) < 0)
            return json_short(ret_error ? ret_error : &unwanted);
        n = read_full(fd, text.data + text.len, PIECE);
        text.len += n > 0 ? (size_t)n : 0;
    } while (n == PIECE);
    return json_in(text.data, text.len, flags, ret_error);
}

bool json_in_short(const json_error_t *error) {
    return json_error_code(error) == json_error_out_of_memory;
}

char *json_whole(const json_t *value, size_t flags) {
    unsigned mark = json_mark();
    char *text = json_dumps(value, flags);
    if (json_lost(mark) && text) {
        give(text);
        return NULL;
    }
    return text;
}
