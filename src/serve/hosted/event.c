#include "serve/hosted/event.h"

#include "serve/hosted/json.h"
#include "serve/hosted/serve.h"

static const struct {
    const char *method;
    const char *member; /* the member whose value is the text; NULL: the text names its members
                           itself */
} forms[] = {
    [EVENT_OUTPUT] = {"session.output", "text"},
    [EVENT_DISPLAY] = {"session.display", "display"},
    [EVENT_NETWORK] = {"session.network", "network"},
    [EVENT_FILES] = {"session.files", "files"},
    [EVENT_CELL_BEGIN] = {"cell.begin", NULL},
    [EVENT_CELL_END] = {"cell.end", NULL},
    [EVENT_TOOL_CALL] = {"tools.call", NULL},
    [EVENT_APPROVAL] = {"tools.approval", NULL},
    [EVENT_DECIDED] = {"tools.decided", NULL},
    [EVENT_AGENT] = {"agent.event", "event"},
    [EVENT_REPLAY] = {"ledger.replaying", NULL},
};

const char *serve_event_stream(const struct serve_event *event) {
    return event->stream == RETORT_STDOUT ? "stdout" : "stderr";
}

static int add_head(struct serve_event *event) {
    struct buf *b = &event->json;
    int r = buf_printf(b, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"session\":\"%s\"",
                       forms[event->kind].method, event->hosted->id);

    if (r >= 0 && event->kind != EVENT_AGENT && event->kind != EVENT_REPLAY)
        r = buf_printf(b, ",\"cell\":%u", event->hosted->cell);
    if (r >= 0 && event->kind == EVENT_OUTPUT)
        r = buf_printf(b, ",\"stream\":\"%s\"", serve_event_stream(event));
    return r;
}

static int add_body(struct serve_event *event) {
    const char *member = forms[event->kind].member;
    struct buf *b = &event->json;
    int r = event->text ? buf_adds(b, ",") : 0;

    if (r >= 0 && member)
        r = buf_printf(b, "\"%s\":", member);
    if (r >= 0 && event->text)
        r = event->kind == EVENT_OUTPUT ? buf_json_string(b, event->text, event->len)
                                        : buf_add(b, event->text, event->len);
    return r;
}

const struct buf *serve_event_text(struct serve_event *event) {
    if (!event->json.len &&
        (add_head(event) < 0 || add_body(event) < 0 || buf_adds(&event->json, "}}") < 0)) {
        buf_done(&event->json);
        return NULL;
    }
    return &event->json;
}

static unsigned publish_text(struct serve *serve, struct serve_event *event) {
    const struct buf *text = hub_is_open(serve->hub) ? serve_event_text(event) : NULL;

    return text ? hub_publish(serve->hub, event->hosted->owner, event->hosted->id, text->data,
                              text->len)
                : 0;
}

unsigned serve_publish(struct serve *serve, struct serve_event *event) {
    unsigned listeners = publish_text(serve, event);

    buf_done(&event->json);
    return listeners;
}

bool serve_notify(struct serve *serve, struct peer *peer, struct serve_event *event) {
    unsigned listeners = publish_text(serve, event);

    atomic_fetch_add(&serve->metrics.notifications, 1);
    if (peer->send)
        peer->send(peer, event);
    buf_done(&event->json);
    return (peer->send && !peer->mute) || listeners > 0;
}

void serve_relay(struct serve *serve, struct peer *peer, const char *session, const char *text,
                 size_t len) {
    struct serve_event event = SERVE_EVENT(EVENT_AGENT, NULL); /* only its text counts */

    if (hub_is_open(serve->hub))
        hub_publish(serve->hub, peer->owner, session, text, len);
    atomic_fetch_add(&serve->metrics.notifications, 1);
    if (peer->send && buf_add(&event.json, text, len) >= 0)
        peer->send(peer, &event);
    buf_done(&event.json);
}
