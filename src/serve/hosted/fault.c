#include "serve/hosted/fault.h"

#include <errno.h>

/* First match wins. */
const struct fault_row fault_table[] = {
    {ERR_CALLER, ENOENT, RPC_NOT_FOUND, 404,
     "no such session, file, cell or call, or it is not yours"},
    {ERR_CALLER, EPERM, RPC_DENIED, 403, "only administrators may do this"},
    {ERR_CALLER, EBUSY, RPC_BUSY, 429, "too many requests or sessions at once"},
    {ERR_CALLER, EMSGSIZE, RPC_PARAMS, 413, "something is larger than allowed"},
    {ERR_CALLER, 0, RPC_PARAMS, 400, "a parameter is wrong"},
    {ERR_GUEST, 0, RPC_GUEST, 422, "code in the session did something it may not"},
    {ERR_LIMIT, EBUSY, RPC_BUSY, 429, "too many requests or sessions at once"},
    {ERR_LIMIT, 0, RPC_LIMIT, 413, "a configured limit was reached"},
    {ERR_HOST, ESHUTDOWN, RPC_BUSY, 503, "the server is stopping"},
    {ERR_HOST, 0, RPC_HOST, 503, "this machine cannot do what was asked"},
    {ERR_BUG, 0, RPC_BUG, 500, "a fault of Retort itself"},
    {ERR_NONE, 0, RPC_BUG, 500, NULL},
};

const struct fault_row *fault_row(const struct retort_error *error) {
    const struct fault_row *row = fault_table;

    while (row->meaning &&
           !(row->fault == error->fault && (row->eno == 0 || row->eno == error->code)))
        row++;
    return row;
}
