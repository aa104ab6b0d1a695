#include "engine/gateway/uplink.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "base/io.h"
#include "base/scope.h"
#include "engine/parts/stream.h"

void uplink_init(struct uplink *u) {
    *u = (struct uplink){.fd = -1};
}

void uplink_open(struct uplink *u, int fd, pid_t gate) {
    *u = (struct uplink){fd, gate, false};
}

void uplink_close(struct uplink *u) {
    fd_done(&u->fd);
}

static void end_texts(struct gate_event *e) {
    e->scheme[sizeof e->scheme - 1] = e->method[sizeof e->method - 1] = 0;
    e->host[sizeof e->host - 1] = e->path[sizeof e->path - 1] = 0;
    e->reason[sizeof e->reason - 1] = 0;
}

int uplink_next(struct uplink *u, struct gate_event *ret) {
    ssize_t n = packet_recv(u->fd, ret, sizeof *ret, NULL, NULL, MSG_DONTWAIT);
    if (n == -EAGAIN)
        return 0;
    if (n == sizeof ret->head && ret->head.type == GATE_SYNCED)
        return 2;
    if (n != sizeof *ret || ret->head.type != GATE_EVENT) {
        uplink_close(u);
        return -EPIPE;
    }
    end_texts(ret);
    return 1;
}

static int uplink_say(const struct uplink *u, enum gate_type type) {
    struct ctl_head head = {type, sizeof head};
    return packet_send(u->fd, &head, sizeof head, NULL, 0);
}

int uplink_ask(const struct uplink *u) {
    return uplink_say(u, GATE_SYNC);
}

int uplink_set(struct uplink *u, bool again) {
    if (again == u->again)
        return 0;
    u->again = again;
    return uplink_say(u, again ? GATE_AGAIN : GATE_LIVE);
}

static void event_text(json_t *o, const char *name, const char *text) {
    if (text[0])
        json_object_set_new(o, name, json_text(text, strlen(text)));
}

json_t *uplink_json(const struct gate_event *e) {
    static const char *const verdicts[] = {"allowed", "refused", "failed"};
    const char *verdict = e->verdict < 3 ? verdicts[e->verdict] : "failed";
    json_t *o = json_pack("{s:I s:s}", "connection", (json_int_t)e->connection, "verdict", verdict);
    event_text(o, "scheme", e->scheme);
    event_text(o, "method", e->method);
    event_text(o, "host", e->host);
    if (e->port)
        json_object_set_new(o, "port", json_integer(e->port));
    event_text(o, "path", e->path);
    if (e->status)
        json_object_set_new(o, "status", json_integer(e->status));
    if (e->rule >= 0)
        json_object_set_new(o, "rule", json_integer(e->rule));
    json_object_set_new(o, "sent", json_integer((json_int_t)e->sent));
    json_object_set_new(o, "received", json_integer((json_int_t)e->received));
    json_object_set_new(o, "ms", json_real((double)(e->us / 100) / 10));
    if (e->open)
        json_object_set_new(o, "open", json_true());
    event_text(o, "reason", e->reason);
    return o;
}
