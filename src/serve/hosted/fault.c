#include "serve/hosted/fault.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

/* First match wins. */
const struct fault_row fault_table[] = {
    {RETORT_FAULT_CALLER, ENOENT, RPC_NOT_FOUND, 404,
     "no such session, file, cell or call, or it is not yours"},
    {RETORT_FAULT_CALLER, EBUSY, RPC_BUSY, 429, "too many requests or sessions at once"},
    {RETORT_FAULT_CALLER, EMSGSIZE, RPC_PARAMS, 413, "something is larger than allowed"},
    {RETORT_FAULT_CALLER, 0, RPC_PARAMS, 400, "a parameter is wrong"},
    {RETORT_FAULT_GUEST, 0, RPC_GUEST, 422, "code in the session did something it may not"},
    {RETORT_FAULT_LIMIT, EBUSY, RPC_BUSY, 429, "too many requests or sessions at once"},
    {RETORT_FAULT_LIMIT, 0, RPC_LIMIT, 413, "a configured limit was reached"},
    {RETORT_FAULT_HOST, ESHUTDOWN, RPC_BUSY, 503, "the server is stopping"},
    {RETORT_FAULT_HOST, 0, RPC_HOST, 503, "this machine cannot do what was asked"},
    {RETORT_FAULT_BUG, 0, RPC_BUG, 500, "a fault of Retort itself"},
    {RETORT_FAULT_NONE, 0, RPC_BUG, 500, NULL},
};

const struct fault_row *fault_row(const struct retort_error *error) {
    const struct fault_row *row = fault_table;

    while (row->meaning &&
           !(row->fault == error->fault && (row->eno == 0 || row->eno == error->code)))
        row++;
    return row;
}

const char *fault_name(enum retort_fault fault) {
    static const char *const names[] = {"none", "caller", "guest", "limit", "host", "bug"};

    return (unsigned)fault < sizeof names / sizeof *names ? names[fault] : "bug";
}

int fault_set(struct retort_error *error, enum retort_fault fault, int eno, const char *fmt, ...) {
    va_list ap;

    *error = (struct retort_error){.code = eno, .fault = fault};
    va_start(ap, fmt);
    vsnprintf(error->message, sizeof error->message, fmt, ap);
    va_end(ap);
    return -eno;
}
