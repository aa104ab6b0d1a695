#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int err_fill(struct err *err, enum err_kind kind, const char *layer, int eno,
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
