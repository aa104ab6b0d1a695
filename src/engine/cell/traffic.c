/* What a cell did on the network, as the gate tells it. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/io.h"
#include "base/jsonout.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/cell/review.h"
#include "engine/session/record.h"
#include "engine/session/supervisor.h"

#define MAX_REVIVALS 3  /* of the gate, in one cell */
#define ANSWER_MS 5000  /* for a gate to say what it knows; it does nothing that takes long */
#define MAX_TRAFFIC 100 /* events that the result has */

/* --- answers that are kept --- */

/* The bytes that come with an event. We do not accept a file of another size. */
static int read_answer(const struct gate_event *e, int fd, struct buf *ret) {
    struct stat st;
    if (!e->kept || e->kept > MAX_KEPT_ANSWER || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
        st.st_size != e->kept || buf_reserve(ret, e->kept) < 0 ||
        pread(fd, ret->data, e->kept, 0) != (ssize_t)e->kept)
        return -EINVAL;
    ret->len = e->kept;
    return 0;
}

/* Keeps the answer for cells that are run again; not the bytes, if the ledger has them. */
static void hold_answer(struct cell *c, json_t *event, const struct buf *answer) {
    bool stored = json_object_get(event, "blob");
    size_t bytes = stored ? 0 : answer->len / 3 * 4 + 4;
    bool fits = c->calls.bytes + bytes <= MAX_KEPT_CALLS / 2 &&
                json_array_size(c->calls.answers) < 2 * MAX_TOOL_CALLS;
    scoped_free char *data = stored || !fits ? NULL : base64_text(answer->data, answer->len);
    if (!fits || !(stored || data)) {
        json_object_set_new(event, "kept", json_false());
        return;
    }
    json_t *held = step_answer_of(event, data);
    bytes = step_call_bytes(held);
    timeline_make_room(c->s, bytes);
    account_add(&c->s->account, ACCOUNT_CALLS, bytes);
    c->calls.bytes += bytes;
    json_array_append_new(c->calls.answers, held);
}

/* One answer for the gate to give again: -ENOENT, it is gone. */
static int put_answer_again(struct cell *c, const json_t *held, int fd, size_t *total) {
    static const char padding[GATE_ALIGN];
    const json_t *event = json_object_get(held, "network"), *coded = json_object_get(held, "data");
    scoped_free char *data = NULL;
    size_t len = 0;
    if (coded)
        base64_bytes(json_string_value(coded), json_string_length(coded), &data, &len);
    else if (event)
        data = record_answer(c->s, event, &len);
    if (!data || len > MAX_KEPT_ANSWER || len > MAX_KEPT_ANSWERS - *total)
        return -ENOENT;
    struct gate_event e = uplink_event(event);
    e.kept = (uint32_t)len;
    *total += len;
    int r = write_all(fd, &e, sizeof e);
    if (r == 0)
        r = write_all(fd, data, len);
    return r < 0 ? r : write_all(fd, padding, -len % GATE_ALIGN);
}

/* What comes from outside is untrusted, and goes anywhere. */
static bool is_shut(const struct cell *c) {
    return c->calls.guarded && !c->calls.proved && !c->calls.replay;
}

/* Tells the gate what kind of cell this is. */
static int tell_gate(struct cell *c) {
    struct uplink *u = &c->s->uplink;
    size_t i, total = 0;
    json_t *held;
    if (!c->calls.replay)
        return is_shut(c) ? uplink_shut(u) : uplink_live(u);
    scoped_fd fd = memfd_create("answers", MFD_CLOEXEC);
    json_array_foreach(fd < 0 ? NULL : c->calls.replay, i, held) {
        put_answer_again(c, held, fd, &total);
    }
    return fd < 0 ? -errno : uplink_again(u, fd);
}

void cell_traffic_missing(const struct cell *c, json_t *notes) {
    size_t i;
    json_t *e;
    json_array_foreach(c->traffic.events, i, e) {
        if (!json_object_get(e, "missing") || json_array_size(notes) >= 64)
            continue;
        struct gate_event r = uplink_event(e);
        char text[640];
        int n =
            snprintf(text, sizeof text,
                     "cell %u asked for %s %.200s at %s:%u when it was run again, which is not "
                     "on record: nobody was asked",
                     c->number, r.method[0] ? r.method : "a connection", r.path, r.host, r.port);
        json_array_append_new(notes, json_text(text, (size_t)n));
    }
}

/* --- what is told --- */

/* `answer`: may be NULL. */
static void note_event(struct cell *c, json_t *event, const struct buf *answer) {
    const struct retort_callbacks *cb = c->options->callbacks;
    struct cell_traffic *t = &c->traffic;
    bool first = !c->calls.replay;
    if (first)
        record_network(c->s, c->number, event, answer, &c->calls.unrecorded);
    if (first && answer)
        hold_answer(c, event, answer);
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

int tools_reached(const struct host_tools *t, const char *text) {
    struct cell *c = t->caller;
    json_t *event = json_in_text(text, JSON_ALLOW_NUL, NULL);
    const char *verdict = json_string_value(json_object_get(event, "verdict"));
    if (!c || !json_is_object(event) || !verdict) {
        json_decref(event);
        return -EINVAL;
    }
    if (!c->traffic.events) /* the session itself has no network */
        c->traffic.events = json_array();
    c->traffic.denied = c->traffic.denied || strcmp(verdict, "refused") == 0;
    note_event(c, event, NULL);
    return 0;
}

static void gate_lost(struct cell *c, const char *why) {
    struct retort_error err = ERR_INIT;
    note_event(c, json_pack("{s:s s:s}", "verdict", "failed", "reason", why), NULL);
    if (c->traffic.revivals++ < MAX_REVIVALS && /* or the next cell tries again */
        session_uplink(c->s, &err) == 0 && tell_gate(c) < 0)
        uplink_close(&c->s->uplink); /* it must not take a cell of the past for another */
}

/* 2: the gate has told all that it was asked for. */
static int hear_gate(struct cell *c) {
    struct gate_event e;
    int r, fd = -1;
    while ((r = uplink_next(&c->s->uplink, &e, &fd)) == 1) {
        scoped_buf answer = BUF_INIT(MAX_KEPT_ANSWER + 1);
        bool kept = read_answer(&e, fd, &answer) == 0;
        fd_done(&fd);
        c->traffic.denied = c->traffic.denied || e.verdict == GATE_REFUSED;
        note_event(c, uplink_json(&e), kept ? &answer : NULL);
    }
    if (r == -EPIPE) {
        /* The gate has died, but the kernel closes its sockets one after the other: until all are
         * closed, the gate's main socket would still accept this session, and lose it. */
        gateway_give_up(&c->s->engine->gateway, c->s->uplink.gate);
        gate_lost(c, "the gate to the network has ended; another one takes its place");
    }
    return r;
}

void cell_traffic_read(struct cell *c) {
    hear_gate(c);
}

static void turn_gate(struct cell *c) {
    struct uplink *u = &c->s->uplink;
    if (u->fd >= 0 && tell_gate(c) == 0)
        return;
    uplink_close(u);
    if (session_uplink(c->s, &c->traffic.failed) == 0 && tell_gate(c) < 0)
        uplink_close(u);
}

/* The gate has to confirm that it is shut before anything of the cell runs. */
void cell_traffic_begin(struct cell *c) {
    if (!c->s->spec->network)
        return;
    turn_gate(c);
    if (is_shut(c))
        cell_traffic_end(c);
}

void cell_traffic_end(struct cell *c) {
    struct uplink *u = &c->s->uplink;
    uint64_t until = now_ns() + ANSWER_MS * 1000000ull;
    int r = u->fd < 0 ? -EPIPE : uplink_ask(u);
    if (r < 0 && u->fd >= 0)
        hear_gate(c); /* its last words, and that it has ended */
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
