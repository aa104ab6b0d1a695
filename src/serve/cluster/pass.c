/* Calls that other nodes run for us. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "serve/cluster/passing.h"
#include "serve/hosted/json.h"
#include "serve/hosted/peers.h"

#define SILENCE_S 5 /* a node that is at work says so every second */

struct passed_note { /* an event that was told while the call ran */
    struct passed_note *next;
    size_t len;
    char text[];
};

struct passed_call {
    struct passed_call *next;
    const struct clustered_call *call;
    struct buf note; /* an event of which parts are missing */
    struct passed_note *notes;
    uint64_t number;
    struct buf text;
    json_int_t part;
    int status;
    bool done, nobody, again, broken;
    uint64_t heard_ns;
};

static struct passed_call *pending_of(struct cluster_door *door, const char *subject) {
    const char *dot = strrchr(subject, '.');
    uint64_t number = dot ? strtoull(dot + 1, NULL, 10) : 0;
    struct passed_call *p = door->pending;

    while (p && p->number != number)
        p = p->next;
    return p;
}

/* An event that does not fit is left out: the answer has all of the output. */
static void take_note_part(struct passed_call *p, bool last, const char *data, size_t len) {
    struct passed_note **end = &p->notes, *note = NULL;

    if (buf_add(&p->note, data, len) >= 0 && last && (note = malloc(sizeof *note + p->note.len))) {
        *note = (struct passed_note){.len = p->note.len};
        memcpy(note->text, p->note.data, p->note.len);
        while (*end)
            end = &(*end)->next;
        *end = note;
    }
    if (last)
        buf_reset(&p->note);
}

static void take_part(struct passed_call *p, const json_t *head, const char *data, size_t len) {
    if (json_is_true(json_object_get(head, "running")))
        return;
    if (json_is_true(json_object_get(head, "note"))) {
        take_note_part(p, json_is_true(json_object_get(head, "last")), data, len);
        return;
    }
    if (json_integer_value(json_object_get(head, "part")) != p->part++ ||
        buf_add(&p->text, data, len) < 0)
        p->broken = p->done = true;
    if (json_is_true(json_object_get(head, "last"))) {
        p->status = (int)json_integer_value(json_object_get(head, "status"));
        p->again = json_is_true(json_object_get(head, "again"));
        p->done = true;
    }
}

void pass_heard(void *user, const struct bus_message *message) {
    struct cluster_door *door = user;
    const char *data;
    size_t len;
    scoped_json *head = message->nobody ? NULL : parts_read(message, &data, &len);

    pthread_mutex_lock(&door->lock);
    struct passed_call *p = pending_of(door, message->subject);
    if (p && message->nobody)
        p->nobody = p->done = true;
    else if (p && head) {
        p->heard_ns = now_ns();
        take_part(p, head, data, len);
    }
    if (p)
        pthread_cond_broadcast(&door->change);
    pthread_mutex_unlock(&door->lock);
}

/* Called with the lock held; gives it up while it tells, because a client may be slow. */
static void tell_notes(struct cluster_door *door, struct passed_call *p) {
    struct passed_note *list = p->notes, *next;

    p->notes = NULL;
    pthread_mutex_unlock(&door->lock);
    for (; list; list = next) {
        next = list->next;
        serve_relay(door->serve, p->call->peer, p->call->session ? p->call->session : "",
                    list->text, list->len);
        free(list);
    }
    pthread_mutex_lock(&door->lock);
}

/* Called with the lock held. Waits until the call is answered, or the other node has been silent
 * for too long. We wait for a lease at least: a node that has not heard of us for that long does
 * not begin with the call any more. */
static void await_answer(struct cluster_door *door, struct passed_call *p) {
    double lease = cluster_lease(door->cluster), most = lease > SILENCE_S ? lease : SILENCE_S;

    while (p->notes || (!p->done && (double)(now_ns() - p->heard_ns) < most * 1e9)) {
        if (p->notes) {
            tell_notes(door, p);
            continue;
        }
        uint64_t until = now_ns() + 500000000ull;
        struct timespec ts = {.tv_sec = (time_t)(until / 1000000000),
                              .tv_nsec = (long)(until % 1000000000)};

        pthread_cond_timedwait(&door->change, &door->lock, &ts);
    }
}

static void pending_begin(struct cluster_door *door, const struct clustered_call *call,
                          struct passed_call *p) {
    pthread_mutex_lock(&door->lock);
    *p = (struct passed_call){.call = call,
                              .note = BUF_INIT(MAX_REPLY),
                              .number = ++door->next_call,
                              .next = door->pending,
                              .text = BUF_INIT(MAX_REPLY),
                              .heard_ns = now_ns()};
    door->pending = p;
    door->forwarded++;
    pthread_mutex_unlock(&door->lock);
}

static void pending_end(struct cluster_door *door, struct passed_call *p, bool wait) {
    struct passed_call **at = &door->pending;

    pthread_mutex_lock(&door->lock);
    if (wait)
        await_answer(door, p);
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    buf_done(&p->note);
    pthread_mutex_unlock(&door->lock);
}

static int send_call(struct cluster_door *door, const char *node, uint64_t number,
                     const struct clustered_call *call) {
    char subject[BUS_SUBJECT], reply[BUS_SUBJECT], id[NODE_SIZE + 24];
    scoped_free char *text = serve_json_text(call->message);
    bool hears = call->peer->send || hub_is_open(door->serve->hub);
    json_t *peer = peer_json(call->peer);
    json_t *head = json_pack("{s:i s:O}", "v", LETTER_VERSION, "peer", peer);

    json_object_set_new(peer, "hears", json_boolean(hears));
    json_decref(peer);

    snprintf(id, sizeof id, "%s.%llu", cluster_node(door->cluster), (unsigned long long)number);
    streams_subject(cluster_streams(door->cluster), "call", node, subject);
    streams_subject(cluster_streams(door->cluster), "reply", id, reply);
    if (!text) {
        json_decref(head);
        return -ENOMEM;
    }
    return parts_send(door, subject, reply, head, text, strlen(text));
}

int pass_on(struct cluster_door *door, const char *node, const struct clustered_call *call,
            struct buf *reply, int *ret_status, struct retort_error *error) {
    struct passed_call p;

    pending_begin(door, call, &p);
    int r = send_call(door, node, p.number, call);
    pending_end(door, &p, r == 0);
    if (r < 0 || p.nobody || (p.done && p.again && !p.broken)) {
        buf_done(&p.text);
        return PASSED_NOT_RUN;
    }
    if (!p.done || p.broken) {
        buf_done(&p.text);
        err_set(error, ERR_HOST, EIO,
                "the node that has the session does not answer: it may or may not have been done. "
                "Ask again with the same request id, any node answers");
        return PASSED_LOST;
    }
    if (p.text.len && buf_add(reply, p.text.data, p.text.len) < 0)
        r = -ENOMEM;
    buf_done(&p.text);
    *ret_status = p.status;
    return r < 0 ? err_memory(error) : PASSED_ANSWERED;
}
