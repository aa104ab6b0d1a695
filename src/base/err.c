#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 5, 0))) static int err_fill(struct retort_error *err,
                                                          enum retort_fault fault,
                                                          const char *layer, int eno,
                                                          const char *fmt, va_list ap) {
    if (err) {
        *err = (struct retort_error){.code = eno, .fault = fault};
        snprintf(err->layer, sizeof err->layer, "%s", layer);
        vsnprintf(err->message, sizeof err->message, fmt, ap);
    }
    return eno ? -eno : -EIO;
}

static void add_meaning(struct retort_error *err, int eno) {
    size_t n = err ? strlen(err->message) : 0;
    if (err && eno)
        snprintf(err->message + n, sizeof err->message - n, ": %s", strerrordesc_np(eno));
}

int(err_set)(struct retort_error *err, enum retort_fault fault, int eno, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int r = err_fill(err, fault, "", eno, fmt, ap);
    va_end(ap);
    return r;
}

int(err_errno)(struct retort_error *err, enum retort_fault fault, int eno, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int r = err_fill(err, fault, "", eno, fmt, ap);
    va_end(ap);
    add_meaning(err, eno);
    return r;
}

int(err_layer)(struct retort_error *err, const char *layer, int eno, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int r = err_fill(err, ERR_HOST, layer, eno, fmt, ap);
    va_end(ap);
    add_meaning(err, eno);
    return r;
}

int(err_memory)(struct retort_error *err) {
    return (err_set)(err, ERR_HOST, ENOMEM, "out of memory");
}

int(err_wrap)(struct retort_error *err, const char *fmt, ...) {
    va_list ap;
    if (!err)
        return -EIO;
    struct retort_error cause = *err;
    va_start(ap, fmt);
    vsnprintf(err->message, sizeof err->message, fmt, ap);
    va_end(ap);
    size_t n = strlen(err->message), room = sizeof err->message - n;
    /* Cut where it is too long. */
    snprintf(err->message + n, room, ": %.*s", (int)room, cause.message);
    return cause.code ? -cause.code : -EIO;
}

void err_last_words(const char *said, size_t len, char *ret, size_t size) {
    while (len && (said[len - 1] == '\n' || said[len - 1] == ' '))
        len--;
    size_t begin = len;
    while (begin && said[begin - 1] != '\n')
        begin--;
    size_t n = len - begin < size - 1 ? len - begin : size - 1;
    for (size_t i = 0; i < n; i++)
        ret[i] = said[begin + i] >= ' ' && said[begin + i] <= '~' ? said[begin + i] : '?';
    ret[n] = 0;
}

const char *fault_name(enum retort_fault fault) {
    switch (fault) {
    case ERR_NONE: return "none";
    case ERR_CALLER: return "caller";
    case ERR_GUEST: return "guest";
    case ERR_LIMIT: return "limit";
    case ERR_HOST: return "host";
    case ERR_BUG: break;
    }
    return "bug";
}
