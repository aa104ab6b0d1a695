#include "engine/gateway/uplink.h"

#include <errno.h>
#include <stdio.h>
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

int uplink_next(struct uplink *u, struct gate_event *ret, int *ret_fd) {
    scoped_fd fd = -1;
    size_t nfds = 1;
    ssize_t n = packet_recv(u->fd, ret, sizeof *ret, &fd, &nfds, MSG_DONTWAIT);
    if (n == -EAGAIN)
        return 0;
    if (n == sizeof ret->head && ret->head.type == GATE_SYNCED)
        return 2;
    if (n != sizeof *ret || ret->head.type != GATE_EVENT) {
        uplink_close(u);
        return -EPIPE;
    }
    end_texts(ret);
    *ret_fd = take_fd(&fd);
    return 1;
}

static int uplink_say(const struct uplink *u, enum gate_type type, int fd) {
    struct ctl_head head = {type, sizeof head};
    return packet_send(u->fd, &head, sizeof head, &fd, fd >= 0);
}

int uplink_ask(const struct uplink *u) {
    return uplink_say(u, GATE_SYNC, -1);
}

int uplink_again(struct uplink *u, int fd) {
    u->again = true;
    return uplink_say(u, GATE_AGAIN, fd);
}

int uplink_shut(struct uplink *u) {
    u->again = true;
    return uplink_say(u, GATE_SHUT, -1);
}

int uplink_live(struct uplink *u) {
    if (!u->again)
        return 0;
    u->again = false;
    return uplink_say(u, GATE_LIVE, -1);
}

static void event_text(json_t *o, const char *name, const char *text) {
    if (text[0])
        json_object_set_new(o, name, json_text(text, strlen(text)));
}

static const char *const verdicts[] = {"allowed", "refused", "failed"};

static void event_kept(json_t *o, const struct gate_event *e) {
    char body[HASH_TEXT_SIZE];
    hash_text(&e->body, body);
    if (e->kept)
        json_object_set_new(o, "body", json_string(body));
    else if (e->unkept)
        json_object_set_new(o, "kept", json_false());
    if (e->missing)
        json_object_set_new(o, "missing", json_true());
}

json_t *uplink_json(const struct gate_event *e) {
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
    uint32_t tenths = e->us / 100;
    json_object_set_new(o, "ms", json_real(tenths / 10.0));
    if (e->open)
        json_object_set_new(o, "open", json_true());
    event_text(o, "reason", e->reason);
    event_kept(o, e);
    return o;
}

static void text_of(const json_t *o, const char *name, char *ret, size_t size) {
    const char *text = json_string_value(json_object_get(o, name));
    snprintf(ret, size, "%s", text ? text : "");
}

struct gate_event uplink_event(const json_t *o) {
    const char *verdict = json_string_value(json_object_get(o, "verdict")),
               *body = json_string_value(json_object_get(o, "body"));
    struct gate_event e = {
        .port = (uint16_t)json_integer_value(json_object_get(o, "port")),
        .status = (uint16_t)json_integer_value(json_object_get(o, "status")),
    };
    while (verdict && e.verdict < GATE_FAILED && strcmp(verdict, verdicts[e.verdict]) != 0)
        e.verdict++;
    if (body)
        hash_parse(body, &e.body);
    text_of(o, "scheme", e.scheme, sizeof e.scheme);
    text_of(o, "method", e.method, sizeof e.method);
    text_of(o, "host", e.host, sizeof e.host);
    text_of(o, "path", e.path, sizeof e.path);
    text_of(o, "reason", e.reason, sizeof e.reason);
    return e;
}
