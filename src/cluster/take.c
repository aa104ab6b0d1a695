/* Finds where a session is, and takes it: reads its log from the first entry to the last, checks
 * it, and makes it the local record. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/tiny.h"
#include "cluster/node.h"
#include "ledger/store.h"

#define MAX_ANCESTORS 64

static int bad_letter(int r, const char *session, struct retort_error *err) {
    if (r == -EPROTO)
        return err_set(err, ERR_HOST, EPROTO,
                       "session %.64s was written by a newer Retort: update this node", session);
    if (r == -ENOMEM)
        return err_memory(err);
    return err_set(err, ERR_HOST, EBADMSG, "the log of session %.64s is damaged", session);
}

/* --- where it is --- */

static int last_letter(struct cluster *c, const char *session, struct stream_message *ret_message,
                       struct log_letter *ret, struct retort_error *err) {
    char subject[BUS_SUBJECT];
    streams_subject(&c->streams, "log", session, subject);
    int r = streams_last(&c->streams, STREAM_LOG, subject, ret_message, err);
    if (r < 0)
        return r;
    for (size_t at = 0, len; r == 0 && at < ret_message->len; at += len) {
        if (at)
            letter_done(ret);
        r = letter_read(ret_message->data + at, ret_message->len - at, ret, &len);
    }
    if (ret_message->len == 0)
        r = -EBADMSG;
    if (r < 0)
        free(ret_message->data);
    return r < 0 ? bad_letter(r, session, err) : 0;
}

static int letter_place(struct cluster *c, const struct log_letter *last, enum cluster_place *ret,
                        struct retort_error *err) {
    int alive;
    switch (last->record.kind) {
    case LEDGER_SLEEP: *ret = CLUSTER_NOWHERE; return 0;
    case LEDGER_CLOSE: *ret = CLUSTER_CLOSED; return 0;
    case LEDGER_FORGET: *ret = CLUSTER_UNKNOWN; return 0;
    default: break;
    }
    /* If the log says that it is ours and we do not have it, we gave it up because an entry was not
     * acknowledged. */
    alive = strcmp(last->node, c->node) == 0 ? 0 : cluster_alive(c, last->node, err);
    *ret = alive > 0 ? CLUSTER_ELSEWHERE : CLUSTER_NOWHERE;
    return alive < 0 ? -EAGAIN : 0;
}

int cluster_find(struct cluster *c, const char *session, enum cluster_place *ret_place,
                 char ret_node[NODE_SIZE], struct retort_error *err) {
    struct stream_message m;
    struct log_letter last;
    struct session_place mine;
    uint64_t term = cluster_term(c);
    bool known = cluster_word_is_valid(session) && places_get(c, session, &mine) && !mine.failed;
    *ret_place = CLUSTER_UNKNOWN;
    ret_node[0] = 0;
    if (!cluster_word_is_valid(session))
        return 0;
    if (known && !mine.asleep && mine.term == term) {
        *ret_place = CLUSTER_HERE;
        return 0;
    }
    int r = last_letter(c, session, &m, &last, err);
    if (r == -ENOENT)
        return 0;
    if (r < 0)
        return r;
    memcpy(ret_node, last.node, NODE_SIZE);
    /* The session is ours as long as no other node has written since it fell asleep, or since our
     * lease lapsed. */
    if (known && (mine.at == m.seq || (!mine.asleep && strcmp(last.node, c->node) == 0))) {
        *ret_place = CLUSTER_HERE;
        places_confirm(c, &mine, term);
    } else {
        if (known && strcmp(last.node, c->node) != 0)
            places_fail(c, &mine);
        r = letter_place(c, &last, ret_place, err);
    }
    letter_done(&last);
    free(m.data);
    return r;
}

/* --- reading it --- */

struct reading {
    struct stream_message *messages; /* each with its first letter */
    struct log_letter *letters;
    struct ledger_record *records;
    char **bodies; /* of the letters whose body was kept apart */
    size_t count, cap;
    uint64_t at; /* the last message, whether it counts or not */
};

static void reading_done(struct reading *r) {
    for (size_t i = 0; i < r->count; i++) {
        letter_done(&r->letters[i]);
        free(r->messages[i].data);
        free(r->bodies[i]);
    }
    free(r->messages);
    free(r->letters);
    free(r->records);
    free(r->bodies);
}

static int reading_grow(struct reading *r) {
    size_t cap = r->cap ? r->cap * 2 : TINY(32, 1);
    if (r->count < r->cap)
        return 0;
    void *messages = reallocarray(r->messages, cap, sizeof *r->messages);
    if (messages)
        r->messages = messages;
    void *letters = messages ? reallocarray(r->letters, cap, sizeof *r->letters) : NULL;
    if (letters)
        r->letters = letters;
    void *records = letters ? reallocarray(r->records, cap, sizeof *r->records) : NULL;
    if (records)
        r->records = records;
    void *bodies = records ? reallocarray(r->bodies, cap, sizeof *r->bodies) : NULL;
    if (!bodies)
        return -ENOMEM;
    r->bodies = bodies;
    r->cap = cap;
    return 0;
}

/* Fetches a body that was kept apart from the store. */
static int bring_body(struct cluster *c, struct reading *r, size_t i, struct retort_error *err) {
    struct log_letter *l = &r->letters[i];
    if (!l->body_apart)
        return 0;
    int n = bytes_get(c, l->record.session, &l->body_hash, err);
    if (n == 0)
        n = store_get(c->ledger, &l->body_hash, MAX_LEDGER_BODY, &r->bodies[i], &l->record.len,
                      err);
    if (n < 0)
        return n;
    l->record.body = r->bodies[i];
    json_t *body = json_in(l->record.body, l->record.len, JSON_ALLOW_NUL, NULL);
    n = json_is_object(body) ? refs_collect(body, &l->record.refs) : -EBADMSG;
    json_decref(body);
    return n < 0 ? bad_letter(n, l->record.session, err) : 0;
}

/* Stores bytes that came with the entry, if they match their hash. */
static int keep_inline(struct cluster *c, const struct log_letter *l, struct retort_error *err) {
    for (size_t i = 0; i < l->count; i++) {
        struct hash found;
        int r = store_put(c->ledger, l->bytes[i].data, l->bytes[i].len, &found, err);
        if (r < 0)
            return r;
        if (!hash_equal(&found, &l->bytes[i].hash))
            return bad_letter(-EBADMSG, l->record.session, err);
    }
    return 0;
}

/* If two nodes wrote to the same place at the same moment, the first message counts. The log should
 * have refused the second, but NATS 2.9 does not while its servers elect a leader. */
static bool is_next(const struct reading *r, const struct log_letter *first) {
    return first->after == LETTER_ANYWHERE || first->after == r->at;
}

/* Adds one letter of a message; the message is freed with its first letter. */
static int reading_add(struct cluster *c, struct reading *r, const char *subject,
                       const struct stream_message *message, size_t *at, struct retort_error *err) {
    size_t i = r->count, len = 0;
    int n = reading_grow(r);
    if (n == 0)
        n = letter_read(message->data + *at, message->len - *at, &r->letters[i], &len);
    bool counts = n < 0 || *at > 0 || is_next(r, &r->letters[i]);
    if (*at == 0 && (n < 0 || !counts))
        free(message->data);
    if (n < 0)
        return bad_letter(n, subject, err);
    if (!counts) {
        letter_done(&r->letters[i]);
        *at = message->len;
        return 0;
    }
    r->messages[i] = (struct stream_message){.seq = message->seq};
    if (*at == 0)
        r->messages[i].data = message->data;
    r->bodies[i] = NULL;
    r->count++;
    *at += len;
    return bring_body(c, r, i, err);
}

static int reading_step(struct cluster *c, struct reading *r, const char *subject, uint64_t from,
                        struct retort_error *err) {
    struct stream_message m;
    size_t at = 0;
    int n = streams_next(&c->streams, STREAM_LOG, subject, from, &m, err);
    if (n < 0)
        return n;
    do
        n = reading_add(c, r, subject, &m, &at, err);
    while (n == 0 && at < m.len);
    r->at = m.seq;
    return n;
}

static int reading_fill(struct cluster *c, const char *session, uint64_t last, struct reading *r,
                        struct retort_error *err) {
    char subject[BUS_SUBJECT];
    uint64_t from = 1;
    int n = 0;
    streams_subject(&c->streams, "log", session, subject);
    while (n == 0 && from <= last) {
        n = reading_step(c, r, subject, from, err);
        if (n == 0)
            from = r->at + 1;
    }
    for (size_t i = 0; i < r->count; i++)
        r->records[i] = r->letters[i].record;
    if (n == 0 && (r->count == 0 || r->records[0].seq != 1))
        n = err_set(err, ERR_CALLER, ENODATA, "session %.64s was forgotten", session);
    return n;
}

/* Bytes that the letters did not bring are in the log's store: under this session, or under one
 * that it branched off. */
static int bring_bytes(struct cluster *c, const struct reading *r, struct retort_error *err) {
    for (size_t i = 0; i < r->count; i++) {
        const struct refs *refs = &r->records[i].refs;
        int n = keep_inline(c, &r->letters[i], err);
        for (size_t k = 0; k < refs->count && n == 0; k++)
            if (!store_has(c->ledger, &refs->hashes[k]))
                n = bytes_get(c, r->records[i].session, &refs->hashes[k], err);
        if (n < 0)
            return n;
    }
    return 0;
}

/* Imports one session, and before it the one that it branched off. */
static int import(struct cluster *c, const char *session, unsigned depth, uint64_t *ret_at,
                  uint64_t *ret_seq, struct retort_error *err) {
    __attribute__((cleanup(reading_done))) struct reading r = {.count = 0};
    struct stream_message m;
    struct log_letter last;
    uint64_t at, seq;
    int n = depth < MAX_ANCESTORS ? last_letter(c, session, &m, &last, err) : -ELOOP;
    if (n < 0)
        return n == -ENOENT ? err_set(err, ERR_CALLER, ENOENT, "no such session") : n;
    *ret_at = m.seq;
    letter_done(&last);
    free(m.data);
    n = reading_fill(c, session, *ret_at, &r, err);
    *ret_seq = r.count ? r.records[r.count - 1].seq : 0;
    /* The record of a session that runs here is already right. */
    if (n == 0 && r.records[0].parent[0] && !cluster_has(c, r.records[0].parent))
        n = import(c, r.records[0].parent, depth + 1, &at, &seq, err);
    if (n == 0)
        n = bring_bytes(c, &r, err);
    return n < 0 ? n : ledger_import(c->ledger, r.records, r.count, err);
}

int cluster_read(struct cluster *c, const char *session, struct retort_error *err) {
    uint64_t at, seq;
    return import(c, session, 0, &at, &seq, err);
}

int cluster_take(struct cluster *c, const char *session, struct retort_error *err) {
    uint64_t at, seq;
    int r = import(c, session, 0, &at, &seq, err);
    if (r < 0)
        return r;
    places_set(c, session, at, seq);
    r = ledger_abandon(c->ledger, session, err);
    if (r < 0)
        cluster_release(c, session);
    pthread_mutex_lock(&c->lock);
    c->counts.taken += r == 0;
    pthread_mutex_unlock(&c->lock);
    return r;
}
