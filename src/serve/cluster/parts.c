#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/scope.h"
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
