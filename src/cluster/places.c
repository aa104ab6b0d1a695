/* The fence: where each session of this node stands in the log, and its entries on their way
 * there. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "cluster/node.h"
#include "ledger/store.h"

static struct session_place **bucket(struct cluster *c, const char *session) {
    unsigned h = 5381;
    for (const char *p = session; *p; p++)
        h = h * 33 + (unsigned char)*p;
    return &c->places[h % PLACES];
}

static struct session_place *place_find(struct cluster *c, const char *session) {
    struct session_place *p = *bucket(c, session);
    while (p && (p->gone || strcmp(p->session, session) != 0))
        p = p->next;
    return p;
}

static struct session_place *place_add(struct cluster *c, const char *session) {
    struct session_place **at = bucket(c, session), *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->term = c->term;
    p->sure = true;
    snprintf(p->session, sizeof p->session, "%s", session);
    p->next = *at;
    *at = p;
    return p;
}

static void place_free(struct session_place *p) {
    if (p->announced)
        outgoing_free(p->announced);
    free(p);
}

/* Frees a place that nobody uses any more. */
static void place_tidy(struct cluster *c, struct session_place *p) {
    struct session_place **at = bucket(c, p->session);
    if (!p->gone || p->users)
        return;
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    place_free(p);
}

void places_free(struct cluster *c) {
    for (size_t i = 0; i < PLACES; i++)
        while (c->places[i]) {
            struct session_place *next = c->places[i]->next;
            place_free(c->places[i]);
            c->places[i] = next;
        }
}

void cluster_release(struct cluster *c, const char *session) {
    pthread_mutex_lock(&c->lock);
    struct session_place *p = place_find(c, session);
    if (p) {
        p->failed = p->gone = true;
        place_tidy(c, p);
        pthread_cond_broadcast(&c->change);
    }
    pthread_mutex_unlock(&c->lock);
}

void places_set(struct cluster *c, const char *session, uint64_t at, uint64_t seq) {
    cluster_release(c, session);
    pthread_mutex_lock(&c->lock);
    struct session_place *p = place_add(c, session);
    if (p) {
        p->at = at;
        p->seq = seq;
        p->sure = false;
    }
    pthread_mutex_unlock(&c->lock);
}

bool places_get(struct cluster *c, const char *session, struct session_place *ret) {
    pthread_mutex_lock(&c->lock);
    const struct session_place *p = place_find(c, session);
    if (p)
        *ret = *p;
    pthread_mutex_unlock(&c->lock);
    return p != NULL;
}

bool cluster_has(struct cluster *c, const char *session) {
    struct session_place p;
    return places_get(c, session, &p) && !p.failed;
}

bool cluster_may_answer(struct cluster *c, const char *session) {
    struct session_place p;
    return cluster_holds(c) &&
           (!places_get(c, session, &p) || (!p.failed && !p.asleep && p.term == cluster_term(c)));
}

void places_confirm(struct cluster *c, const struct session_place *known, uint64_t term) {
    pthread_mutex_lock(&c->lock);
    struct session_place *p = place_find(c, known->session);
    if (p && p->at >= known->at && p->term < term) {
        p->term = term;
        p->sure = false; /* a node that found our lease lapsed may be about to write */
    }
    pthread_mutex_unlock(&c->lock);
}

void places_fail(struct cluster *c, const struct session_place *known) {
    pthread_mutex_lock(&c->lock);
    struct session_place *p = place_find(c, known->session);
    if (p && p->at == known->at && !p->failed) {
        p->failed = true;
        pthread_cond_broadcast(&c->change);
    }
    pthread_mutex_unlock(&c->lock);
}

bool cluster_lost(struct cluster *c, const char *session, int *ret_why) {
    struct session_place p = {.why = 0};
    bool lost = places_get(c, session, &p) && p.failed;
    *ret_why = p.why;
    return lost;
}

static int not_ours(struct retort_error *err) {
    return err_set(err, ERR_HOST, ESTALE,
                   "this node does not have the session any more: ask again, any node finds it");
}

int places_permit(void *user, const char *session, enum ledger_kind kind,
                  struct retort_error *err) {
    struct cluster *c = user;
    return kind == LEDGER_CREATE || cluster_has(c, session) ? 0 : not_ours(err);
}

/* --- the letter --- */

struct packing {
    struct log_letter letter;
    char *held[64]; /* small bytes that travel with the entry */
    size_t count;
};

static void packing_done(struct packing *p) {
    for (size_t i = 0; i < p->count; i++)
        free(p->held[i]);
    free(p->letter.bytes);
}

/* Small bytes travel with the entry. Larger ones are stored in the log before it. */
static int pack_bytes(struct cluster *c, struct packing *p, const struct hash *hash, size_t *room,
                      struct retort_error *err) {
    const char *session = p->letter.record.session;
    char *data = NULL;
    size_t len = 0;
    int r = p->count < sizeof p->held / sizeof *p->held
                ? store_get(c->ledger, hash, LETTER_INLINE, &data, &len, NULL)
                : -EFBIG;
    if (r == 0 && len <= *room) {
        *room -= len;
        p->held[p->count++] = data;
        p->letter.bytes[p->letter.count++] =
            (struct letter_bytes){.hash = *hash, .data = data, .len = len};
        return 0;
    }
    if (r == 0)
        free(data);
    return bytes_put(c, session, hash, err);
}

static int pack(struct cluster *c, const struct ledger_record *record, uint64_t after, size_t *room,
                struct buf *text, struct retort_error *err) {
    __attribute__((cleanup(packing_done))) struct packing p = {.letter.record = *record,
                                                               .letter.after = after};
    int r = 0;
    memcpy(p.letter.node, c->node, sizeof c->node);
    p.letter.bytes = calloc(record->refs.count + 1, sizeof *p.letter.bytes);
    if (!p.letter.bytes)
        return err_memory(err);
    if (record->len > *room) {
        p.letter.body_apart = true;
        r = hash_bytes(record->body, record->len, &p.letter.body_hash);
        if (r == 0)
            r = bytes_put_data(c, record->session, &p.letter.body_hash, record->body, record->len,
                               err);
    } else {
        *room -= record->len;
    }
    for (size_t i = 0; i < record->refs.count && r == 0; i++)
        r = pack_bytes(c, &p, &record->refs.hashes[i], room, err);
    if (r == 0 && letter_write(&p.letter, text) < 0)
        r = err_memory(err);
    return r;
}

/* --- appending --- */

/* The number of the last entry that is in the log, or was announced. */
static uint64_t place_known(const struct session_place *p) {
    return p->announced ? p->announced->record.seq : p->seq;
}

/* Waits until all earlier entries are in the log, or go with this one; a session's entries may come
 * from several threads. False: this node does not hold the session any more, and must not write. */
static bool place_await(struct cluster *c, struct session_place *p,
                        const struct ledger_record *record) {
    while (!p->failed && place_known(p) + 1 < record->seq)
        pthread_cond_wait(&c->change, &c->lock);
    if (!p->failed && place_known(p) + 1 == record->seq)
        return true;
    p->users--;
    place_tidy(c, p);
    return false;
}

/* The place stays until place_leave, or until place_await says that it is not ours. NULL: it is not
 * ours. */
static struct session_place *place_hold(struct cluster *c, const char *session) {
    struct session_place *p = place_find(c, session);
    if (!p || p->failed)
        return NULL;
    p->users++;
    return p;
}

static void place_leave(struct cluster *c, struct session_place *p,
                        const struct ledger_record *record, int r, uint64_t at, uint64_t took_ns) {
    if (r == 0) {
        p->at = at;
        p->seq = record->seq;
        p->asleep = record->kind == LEDGER_SLEEP;
        c->counts.appended++;
        c->counts.ack_ns += took_ns;
        c->counts.full = false;
    } else {
        p->failed = true;
        p->why = r;
        if (r == -ESTALE)
            c->counts.refused++;
        else
            c->counts.unacknowledged++;
        c->counts.full = r == -ENOSPC;
    }
    p->gone = p->gone || (r == 0 && record->kind == LEDGER_CLOSE);
    p->users--;
    pthread_cond_broadcast(&c->change);
    place_tidy(c, p);
}

/* Sends both in one message: both count, or neither. */
static int append_letters(struct cluster *c, const struct outgoing *before,
                          const struct ledger_record *record, uint64_t expect, uint64_t *ret_at,
                          struct retort_error *err) {
    scoped_buf text = BUF_INIT(4 * LETTER_ROOM);
    char subject[BUS_SUBJECT], id[LEDGER_ID_SIZE + HASH_TEXT_SIZE + 32], hash[HASH_TEXT_SIZE];
    size_t room = LETTER_ROOM;
    int r = before ? pack(c, &before->record, expect, &room, &text, err) : 0;
    if (r == 0)
        r = pack(c, record, expect, &room, &text, err);
    if (r < 0)
        return r;
    hash_text(&record->hash, hash);
    streams_subject(&c->streams, "log", record->session, subject);
    snprintf(id, sizeof id, "%s.%llu.%s", record->session, (unsigned long long)record->seq, hash);
    struct stream_append a = {.stream = STREAM_LOG,
                              .subject = subject,
                              .id = id,
                              .expect = expect,
                              .data = text.data,
                              .len = text.len,
                              .patience_ms = (unsigned)(c->lease * 1000)};
    return streams_append(&c->streams, &a, ret_at, err);
}

/* Whether this node has held its lease since it last wrote to the session, so that no other node
 * can have written. This does not hold for a sleeping session: nodes take it without waiting for
 * our lease. Called with the lock held. */
static bool place_is_sure(const struct cluster *c, const struct session_place *p) {
    return p->sure && !p->asleep && p->term == c->term && cluster_is_fresh(c);
}

/* The log may have taken two messages for the same place: the first counts (take.c). */
static int append_check(struct cluster *c, const char *session, uint64_t expect, uint64_t at,
                        struct retort_error *err) {
    char subject[BUS_SUBJECT];
    streams_subject(&c->streams, "log", session, subject);
    int r = streams_follows(&c->streams, subject, expect, at, err);
    if (r == 0)
        return err_set(err, ERR_HOST, ESTALE, "another node has taken the session over");
    return r < 0 ? r : 0;
}

/* Called with the lock held; gives it up while it sends, and lets go of the place. */
static int append_held(struct cluster *c, struct session_place *p,
                       const struct ledger_record *record, struct retort_error *err) {
    uint64_t at = 0, expect = p->at, began = now_ns();
    struct outgoing *before = p->announced;
    p->announced = NULL;
    pthread_mutex_unlock(&c->lock);
    int r = append_letters(c, before, record, expect, &at, err);
    if (before)
        outgoing_free(before);
    pthread_mutex_lock(&c->lock);
    if (r == 0 && expect && !place_is_sure(c, p)) {
        uint64_t term = c->term;
        pthread_mutex_unlock(&c->lock);
        r = append_check(c, record->session, expect, at, err);
        pthread_mutex_lock(&c->lock);
        p->sure = r == 0;
        p->term = term;
    }
    place_leave(c, p, record, r, at, now_ns() - began);
    return r;
}

int places_append(void *user, const struct ledger_record *record, struct retort_error *err) {
    struct cluster *c = user;
    pthread_mutex_lock(&c->lock);
    struct session_place *p = place_hold(c, record->session);
    if (!p && record->kind == LEDGER_CREATE && (p = place_add(c, record->session)))
        p->users++;
    int r = p && place_await(c, p, record) ? append_held(c, p, record, err) : not_ours(err);
    pthread_mutex_unlock(&c->lock);
    return r;
}

int places_announce(void *user, struct outgoing *entry) {
    struct cluster *c = user;
    pthread_mutex_lock(&c->lock);
    struct session_place *p = place_find(c, entry->record.session);
    bool next = p && !p->failed && place_known(p) == p->seq && p->seq + 1 == entry->record.seq;
    if (next) {
        p->announced = entry;
        pthread_cond_broadcast(&c->change);
    }
    pthread_mutex_unlock(&c->lock);
    return next ? 0 : -EBUSY;
}

/* Called with the lock held. Waits until the entry is in the log, or never will be. */
static bool place_settle(struct cluster *c, struct session_place *p, uint64_t seq) {
    while (!p->failed && p->seq < seq)
        pthread_cond_wait(&c->change, &c->lock);
    bool settled = !p->failed;
    p->users--;
    place_tidy(c, p);
    return settled;
}

int places_settled(void *user, const char *session, uint64_t seq, struct retort_error *err) {
    struct cluster *c = user;
    int r;
    pthread_mutex_lock(&c->lock);
    struct session_place *p = place_hold(c, session);
    if (p && place_known(p) == seq && p->announced) {
        struct outgoing *entry = p->announced;
        p->announced = NULL;
        r = append_held(c, p, &entry->record, err);
        outgoing_free(entry);
    } else {
        r = p && place_settle(c, p, seq) ? 0 : not_ours(err);
    }
    pthread_mutex_unlock(&c->lock);
    return r;
}

void cluster_count(struct cluster *c, struct cluster_counts *ret) {
    pthread_mutex_lock(&c->lock);
    *ret = c->counts;
    pthread_mutex_unlock(&c->lock);
}
