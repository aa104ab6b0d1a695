/* What the gate says about one session.
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: names, methods and paths that a guest asked for: bytes, which become texts here.
 * Life cycle: uplink_init; uplink_open; uplink_close; may be opened again.
 * Owns: its socket.
 * Tests: tests/unit/test_gate_rules.c, tests/system/test_network.py
 */
#pragma once

#include <jansson.h>
#include <sys/types.h>

#include "wire/gate.h"

struct uplink {
    int fd;     /* -1: the session has no network, or its gate is gone */
    pid_t gate; /* to which it leads */
    bool again; /* the gate was told that a cell of the past runs, or to let nothing through */
};

void uplink_init(struct uplink *u);
void uplink_open(struct uplink *u, int fd, pid_t gate);
void uplink_close(struct uplink *u);
/* The next event that is there: 1; 0: there is none; 2: the gate has told all that was asked for;
 * -EPIPE: it is gone. *ret_fd: the answer that was kept, or -1. */
int uplink_next(struct uplink *u, struct gate_event *ret, int *ret_fd);
int uplink_ask(const struct uplink *u); /* for all until now */
/* Tells the gate what cell comes. A cell of the past reaches nobody, and gets the answers in `fd`
 * (GATE_AGAIN). Both return 0 or -errno. */
int uplink_again(struct uplink *u, int fd);
int uplink_live(struct uplink *u);
/* The cell that comes reaches nobody. */
int uplink_shut(struct uplink *u);

/* {"connection", "verdict", "scheme", "host", "port", "sent", "received", "ms"}, and where there
 * are any "method", "path", "status", "rule", "open", "reason"; "body", where the answer is kept, or
 * "kept": false; "missing". */
json_t *uplink_json(const struct gate_event *e);
/* The request of such an object, and how it ended. */
struct gate_event uplink_event(const json_t *o);
