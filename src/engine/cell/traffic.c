/* What a cell did on the network, as the gate tells it. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "base/io.h"
#include "base/jsonout.h"
#include "engine/cell/cell.h"
#include "engine/session/record.h"
#include "engine/session/supervisor.h"

#define MAX_REVIVALS 3  /* of the gate, in one cell */
#define ANSWER_MS 5000  /* for a gate to say what it knows; it does nothing that takes long */
#define MAX_TRAFFIC 100 /* events that the result has */

static void note_event(struct cell *c, json_t *event) {
    const struct retort_callbacks *cb = c->options->callbacks;
    struct cell_traffic *t = &c->traffic;
    bool first = !c->calls.replay;
    if (first)
        record_network(c->s, c->number, event, &c->calls.unrecorded);
    if (first && cb && cb->network) {
        char *text = json_out(event, JSON_COMPACT);
        if (text)
            cb->network(cb->user, text);
        free(text);
    }
    if (t->total++ < MAX_TRAFFIC)
        json_array_append(t->events, event);
    json_decref(event);
}

static void gate_lost(struct cell *c, const char *why) {
    struct retort_error err = ERR_INIT;
    note_event(c, json_pack("{s:s s:s}", "verdict", "failed", "reason", why));
    if (c->traffic.revivals++ < MAX_REVIVALS)
        session_uplink(c->s, &err); /* or the next cell tries again */
}

/* 2: the gate has told all that it was asked for. */
static int hear_gate(struct cell *c) {
    struct gate_event e;
    int r;
    while ((r = uplink_next(&c->s->uplink, &e)) == 1) {
        c->traffic.denied = c->traffic.denied || e.verdict == GATE_REFUSED;
        note_event(c, uplink_json(&e));
    }
    if (r == -EPIPE)
        gate_lost(c, "the gate to the network has ended; another one takes its place");
    return r;
}

void cell_traffic_read(struct cell *c) {
    hear_gate(c);
}

void cell_traffic_begin(struct cell *c) {
    struct uplink *u = &c->s->uplink;
    bool again = c->calls.replay != NULL;
    if (!c->s->spec->network)
        return;
    if (u->fd < 0 || uplink_set(u, again) == -EPIPE) {
        uplink_close(u);
        if (session_uplink(c->s, &c->traffic.failed) == 0)
            uplink_set(u, again);
    }
}

void cell_traffic_end(struct cell *c) {
    struct uplink *u = &c->s->uplink;
    uint64_t until = now_ns() + ANSWER_MS * 1000000ull;
    int r = u->fd < 0 ? -EPIPE : uplink_ask(u);
    while (r >= 0 && r != 2) {
        uint64_t now = now_ns();
        struct pollfd p = {u->fd, POLLIN, 0};
        if (now >= until || poll(&p, 1, (int)((until - now) / 1000000) + 1) == 0) {
            gateway_give_up(&c->s->engine->gateway, u->gate);
            uplink_close(u);
            gate_lost(c, "the gate to the network did not answer; another one takes its place");
            return;
        }
        r = hear_gate(c);
    }
}
