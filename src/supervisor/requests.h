/* What the owner of a session may ask for. The list, with the reasons, is requests.def.
 *
 * Runs in: supervisor.
 * Hostile: nothing should be: the broker is ours. Still, we check a whole request
 * before any of it is used, and a wrong one ends the session that it came for.
 * Life cycle: requests_serve is the handler of every session's `ctl` source.
 * Tests: tests/unit/test_requests.c, tests/fuzz/fuzz_control.c
 */
#pragma once

#include "supervisor/session.h"

enum verdict {
    REQUEST_SERVE,
    REQUEST_DROP, /* valid, but the session is dying */
    REQUEST_END   /* no request that an owner may make: the session ends */
};

/* Judges bytes that came with this many descriptors. With REQUEST_SERVE, *ret_row is the row of the
 * request. Pure. */
enum verdict request_judge(const void *bytes, size_t len, size_t nfds, enum session_state state,
                           size_t *ret_row);
size_t request_rows(void);

void requests_serve(struct source *source);
