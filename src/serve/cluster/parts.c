#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/scope.h"
#include "engine/host/limits.h"
#include "serve/cluster/passing.h"
#include "serve/hosted/json.h"

static int send_part(struct cluster_door *door, const char *subject, const char *reply,
                     const json_t *head, const char *data, size_t len) {
    scoped_buf text = BUF_INIT(2 * PART_BYTES);
    int r = buf_json(&text, head);

    if (r >= 0)
        r = buf_add(&text, "\n", 1);
    if (r >= 0)
        r = buf_add(&text, data, len);
    if (r < 0)
        return r;
    return door->table->publish(
        door->bus, &(struct bus_message){
                       .subject = subject, .reply = reply, .data = text.data, .len = text.len});
}

int parts_send(struct cluster_door *door, const char *subject, const char *reply, json_t *head,
               const char *text, size_t len) {
    size_t at = 0, part = 0;
    int r = head ? 0 : -ENOMEM;

    do {
        size_t piece = len - at < PART_BYTES ? len - at : PART_BYTES;

        json_object_set_new(head, "part", json_integer((json_int_t)part++));
        json_object_set_new(head, "last", json_boolean(at + piece == len));
        if (r == 0)
            r = send_part(door, subject, reply, head, text + at, piece);
        at += piece;
    } while (r == 0 && at < len);
    json_decref(head);
    return r;
}

json_t *parts_read(const struct bus_message *message, const char **ret_data, size_t *ret_len) {
    const char *end = message->data ? memchr(message->data, '\n', message->len) : NULL;
    size_t len = end ? (size_t)(end - message->data) : 0;
    json_t *head = end ? json_in(message->data, len, 0, NULL) : NULL;

    if (!json_is_object(head) || json_integer_value(json_object_get(head, "v")) != LETTER_VERSION) {
        json_decref(head);
        return NULL;
    }
    *ret_data = end + 1;
    *ret_len = message->len - len - 1;
    return head;
}

/* --- the client --- */

json_t *peer_json(const struct peer *peer, bool hears) {
    json_t *caps = json_object();

    for (const struct limit *limit = limit_table; limit->name; limit++)
        if (limit_get(&peer->caps, limit) > 0)
            json_object_set_new(caps, limit->name, json_real(limit_get(&peer->caps, limit)));
    return json_pack("{s:s s:I s:o s:s s:s s:b s:b s:b}", "owner", peer->owner, "sessions",
                     (json_int_t)peer->max_sessions, "caps", caps, "review",
                     strictness_name(peer->review), "door", peer->door ? peer->door : "cluster",
                     "sees_all", peer->sees_all, "admin", peer->admin, "hears", hears);
}

/* The names of doors that others may come by; what is recorded must outlive the call. */
static const char *door_name(const char *name) {
    static const char *const known[] = {"http", "rpc", "mcp", "e2b", "socket", "page"};

    for (size_t i = 0; name && i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i]) == 0)
            return known[i];
    return "cluster";
}

int peer_read(const json_t *object, struct peer *ret) {
    const char *owner = json_string_value(json_object_get(object, "owner"));
    const json_t *caps = json_object_get(object, "caps");
    struct retort_error ignored;
    json_int_t sessions = json_integer_value(json_object_get(object, "sessions"));

    *ret = (struct peer){.forwarded = true};
    if (!owner || strlen(owner) >= sizeof ret->owner || sessions < 0 || sessions > INT32_MAX ||
        strictness_parse(json_string_value(json_object_get(object, "review")), &ret->review,
                         &ignored) < 0)
        return -EBADMSG;
    snprintf(ret->owner, sizeof ret->owner, "%s", owner);
    for (const struct limit *limit = limit_table; limit->name; limit++)
        limit_set(&ret->caps, limit, json_number_value(json_object_get(caps, limit->name)));
    ret->max_sessions = (unsigned)sessions;
    ret->door = door_name(json_string_value(json_object_get(object, "door")));
    ret->sees_all = json_is_true(json_object_get(object, "sees_all"));
    ret->admin = json_is_true(json_object_get(object, "admin"));
    return 0;
}
