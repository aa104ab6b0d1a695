#include "serve/hosted/peers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "engine/host/limits.h"

json_t *peer_json(const struct peer *peer) {
    json_t *caps = json_object();

    for (const struct limit *limit = limit_table; limit->name; limit++)
        if (limit_get(&peer->caps, limit) > 0)
            json_object_set_new(caps, limit->name, json_real(limit_get(&peer->caps, limit)));
    return json_pack("{s:s s:s s:I s:o s:s s:s s:b s:b}", "owner", peer->owner, "name", peer->name,
                     "sessions", (json_int_t)peer->max_sessions, "caps", caps, "review",
                     strictness_name(peer->review), "door", peer->door ? peer->door : "cluster",
                     "sees_all", peer->sees_all, "admin", peer->admin);
}

/* The name of a door by which a client came to another node: a constant, because the record refers
 * to it after the call has ended. */
static const char *door_name(const char *name) {
    static const char *const known[] = {"http", "rpc", "mcp", "e2b", "socket", "page"};

    for (size_t i = 0; name && i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i]) == 0)
            return known[i];
    return "cluster";
}

int peer_read(const json_t *object, struct peer *ret) {
    const char *owner = json_string_value(json_object_get(object, "owner"));
    const char *name = json_string_value(json_object_get(object, "name"));
    const json_t *caps = json_object_get(object, "caps");
    struct retort_error ignored;
    json_int_t sessions = json_integer_value(json_object_get(object, "sessions"));

    *ret = (struct peer){.forwarded = true};
    if (!owner || strlen(owner) >= sizeof ret->owner || sessions < 0 || sessions > INT32_MAX ||
        strictness_parse(json_string_value(json_object_get(object, "review")), &ret->review,
                         &ignored) < 0)
        return -EBADMSG;
    snprintf(ret->owner, sizeof ret->owner, "%s", owner);
    snprintf(ret->name, sizeof ret->name, "%s", name ? name : "");
    for (const struct limit *limit = limit_table; limit->name; limit++)
        limit_set(&ret->caps, limit, json_number_value(json_object_get(caps, limit->name)));
    ret->max_sessions = (unsigned)sessions;
    ret->door = door_name(json_string_value(json_object_get(object, "door")));
    ret->sees_all = json_is_true(json_object_get(object, "sees_all"));
    ret->admin = json_is_true(json_object_get(object, "admin"));
    return 0;
}
