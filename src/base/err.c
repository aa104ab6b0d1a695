#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 5, 0))) static int err_fill(struct err *err, enum err_kind kind,
                                                          const char *layer, int eno,
                                                          const char *fmt, va_list ap) {
    if (err) {
        err->eno = eno;
        err->kind = kind;
        snprintf(err->layer, sizeof err->layer, "%s", layer);
        int n = vsnprintf(err->msg, sizeof err->msg, fmt, ap);
        /* That an argument is invalid is what a message about a wrong request says anyway. */
        bool told = (kind == ERR_CALLER && eno == EINVAL) ||
                    (eno && strstr(err->msg, strerrordesc_np(eno)));
        if (eno && !told && n >= 0 && (size_t)n < sizeof err->msg)
            snprintf(err->msg + n, sizeof err->msg - (size_t)n, ": %s", strerrordesc_np(eno));
    }
    return eno ? -eno : -EIO;
}

int(err_set)(struct err *err, enum err_kind kind, int eno, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int r = err_fill(err, kind, "", eno, fmt, ap);
    va_end(ap);
    return r;
}

int(err_layer)(struct err *err, const char *layer, int eno, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int r = err_fill(err, ERR_HOST, layer, eno, fmt, ap);
    va_end(ap);
    return r;
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

const char *err_kind_name(enum err_kind kind) {
    switch (kind) {
    case ERR_NONE: return "none";
    case ERR_CALLER: return "caller";
    case ERR_GUEST: return "guest";
    case ERR_LIMIT: return "limit";
    case ERR_HOST: return "host";
    case ERR_BUG: return "bug";
    }
    return "bug";
}
