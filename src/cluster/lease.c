/* The lease of this node, and those of others. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/io.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "base/thread.h"
#include "cluster/node.h"

/* --- others --- */

static struct heard *heard_find(struct cluster *c, const char *node) {
    struct heard *h = c->heard;
    while (h && strcmp(h->node, node) != 0)
        h = h->next;
    return h;
}

/* The last word of a lease's subject is the node's id. Older news does not replace newer. */
static void hear(struct cluster *c, const char *subject, json_t *told, uint64_t when_ns) {
    const char *node = strrchr(subject, '.');
    if (!node || strlen(++node) >= NODE_SIZE || !json_is_object(told))
        return;
    pthread_mutex_lock(&c->lock);
    struct heard *h = heard_find(c, node);
    if (!h && (h = calloc(1, sizeof *h))) {
        snprintf(h->node, sizeof h->node, "%s", node);
        h->next = c->heard;
        c->heard = h;
    }
    if (h && h->when_ns < when_ns) {
        json_decref(h->told);
        h->told = json_incref(told);
        h->when_ns = when_ns;
    }
    pthread_mutex_unlock(&c->lock);
}

static void on_lease(void *user, const struct bus_message *m) {
    scoped_json *told = json_in(m->data ? m->data : "", m->len, 0, NULL);
    hear(user, m->subject, told, now_ns());
}

static bool is_fresh(const struct cluster *c, uint64_t when_ns) {
    return when_ns && (double)(now_ns() - when_ns) < c->lease * 1e9;
}

bool cluster_heard(struct cluster *c, const char *node) {
    pthread_mutex_lock(&c->lock);
    const struct heard *h = heard_find(c, node);
    bool fresh = h && is_fresh(c, h->when_ns);
    pthread_mutex_unlock(&c->lock);
    return fresh;
}

int cluster_alive(struct cluster *c, const char *node, struct retort_error *err) {
    char subject[BUS_SUBJECT];
    struct stream_message m;
    if (cluster_heard(c, node))
        return 1;
    streams_subject(&c->streams, "lease", node, subject);
    int r = streams_last(&c->streams, STREAM_NODES, subject, &m, err);
    if (r == 0)
        free(m.data);
    return r == 0 ? 1 : r == -ENOENT ? 0 : -1;
}

/* Leaves out, and forgets, nodes that we have not heard of for long. */
json_t *cluster_nodes(struct cluster *c) {
    json_t *list = json_array();
    pthread_mutex_lock(&c->lock);
    for (struct heard **at = &c->heard; *at;) {
        struct heard *h = *at;
        if (is_fresh(c, h->when_ns)) {
            json_array_append_new(list, json_deep_copy(h->told));
            at = &h->next;
            continue;
        }
        *at = h->next;
        json_decref(h->told);
        free(h);
    }
    pthread_mutex_unlock(&c->lock);
    return list;
}

static json_int_t heard_sessions(const struct heard *h) {
    return json_integer_value(json_object_get(h->told, "sessions"));
}

static bool heard_takes_more(const struct heard *h) {
    return !json_is_true(json_object_get(h->told, "draining")) &&
           heard_sessions(h) < json_integer_value(json_object_get(h->told, "most"));
}

/* Picks two at random and takes the better one: all nodes hear the same, and would otherwise all
 * choose the same node. */
static struct heard *pick_two(struct cluster *c) {
    struct heard *two[2] = {NULL, NULL};
    uint64_t dice;
    unsigned n = 0;
    random_bytes(&dice, sizeof dice);
    for (struct heard *h = c->heard; h; h = h->next) {
        if (!is_fresh(c, h->when_ns) || strcmp(h->node, c->node) == 0 || !heard_takes_more(h))
            continue;
        dice = dice * 6364136223846793005ull + 1442695040888963407ull;
        uint64_t at = n < 2 ? n : (dice >> 33) % (n + 1);
        if (at < 2)
            two[at] = h;
        n++;
    }
    return two[1] && heard_sessions(two[1]) < heard_sessions(two[0]) ? two[1] : two[0];
}

/* Only if we have more than a tenth and eight sessions more: what we heard may be a quarter of a
 * lease old, and passing a session on costs something. */
bool cluster_roomier(struct cluster *c, const struct cluster_load *own, char ret_node[NODE_SIZE]) {
    pthread_mutex_lock(&c->lock);
    struct heard *best = pick_two(c);
    bool found = best && (own->sessions >= own->most ||
                          (double)own->sessions > (double)heard_sessions(best) * 1.1 + 8);
    if (found) {
        memcpy(ret_node, best->node, NODE_SIZE);
        json_object_set_new(best->told, "sessions", json_integer(heard_sessions(best) + 1));
    }
    pthread_mutex_unlock(&c->lock);
    return found;
}

/* --- our own --- */

bool cluster_is_fresh(const struct cluster *c) {
    return !c->left && is_fresh(c, c->renewed_ns);
}

bool cluster_holds(struct cluster *c) {
    pthread_mutex_lock(&c->lock);
    bool holds = cluster_is_fresh(c);
    pthread_mutex_unlock(&c->lock);
    return holds;
}

bool cluster_reaches(struct cluster *c) {
    bool reaches = cluster_holds(c) && c->streams.table->connected(c->streams.bus);
    pthread_mutex_lock(&c->lock);
    reaches = reaches && !c->silent;
    pthread_mutex_unlock(&c->lock);
    return reaches;
}

uint64_t cluster_term(struct cluster *c) {
    pthread_mutex_lock(&c->lock);
    uint64_t term = c->term;
    pthread_mutex_unlock(&c->lock);
    return term;
}

static struct cluster_load ask_load(struct cluster *c) {
    struct cluster_load load = {0};
    pthread_mutex_lock(&c->lock);
    c->asking = true;
    pthread_mutex_unlock(&c->lock);
    if (c->load)
        c->load(c->load_user, &load);
    pthread_mutex_lock(&c->lock);
    c->asking = false;
    pthread_cond_broadcast(&c->change);
    pthread_mutex_unlock(&c->lock);
    return load;
}

static char *lease_text(struct cluster *c) {
    struct cluster_load load = ask_load(c);
    scoped_json *value =
        json_pack("{s:s s:s s:i s:I s:I s:b s:f}", "node", c->node, "version", RETORT_VERSION,
                  "protocol", LETTER_VERSION, "sessions", (json_int_t)load.sessions, "most",
                  (json_int_t)load.most, "draining", load.draining, "lease", c->lease);
    return value ? json_whole(value, JSON_COMPACT) : NULL;
}

static int renew(struct cluster *c, unsigned patience_ms, struct retort_error *err) {
    char subject[BUS_SUBJECT];
    scoped_free char *text = lease_text(c);
    uint64_t began = now_ns(), seq;
    if (!text)
        return err_memory(err);
    streams_subject(&c->streams, "lease", c->node, subject);
    struct stream_append a = {.stream = STREAM_NODES,
                              .subject = subject,
                              .expect = STREAMS_ANY,
                              .data = text,
                              .len = strlen(text),
                              .patience_ms = patience_ms};
    int r = streams_append(&c->streams, &a, &seq, err);
    pthread_mutex_lock(&c->lock);
    c->silent = r < 0;
    if (r == 0) {
        c->term += !is_fresh(c, c->renewed_ns);
        c->renewed_ns = began;
    }
    pthread_mutex_unlock(&c->lock);
    return r;
}

static void *renew_main(void *user) {
    struct cluster *c = user;
    pthread_mutex_lock(&c->lock);
    while (!c->stopping) {
        uint64_t due = now_ns() + (uint64_t)(c->lease * 1e9 / 4);
        struct timespec ts = {.tv_sec = (time_t)(due / 1000000000),
                              .tv_nsec = (long)(due % 1000000000)};
        while (!c->stopping && !c->news && now_ns() < due)
            pthread_cond_timedwait(&c->change, &c->lock, &ts);
        bool left = c->left || c->stopping;
        c->news = false;
        pthread_mutex_unlock(&c->lock);
        /* If renewing fails, it is tried again next time; cluster_holds tells. */
        if (!left && renew(c, 0, NULL) == 0 && now_ns() >= due)
            streams_look(&c->streams, NULL);
        pthread_mutex_lock(&c->lock);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Two nodes that do not speak the same protocol would wait for each other's answers, so the second
 * one does not join. Different versions with the same protocol may be mixed; a node that names none
 * speaks the first. */
static int node_fits(const char *subject, const json_t *told, struct retort_error *err) {
    const json_t *protocol = json_object_get(told, "protocol");
    json_int_t theirs = protocol ? json_integer_value(protocol) : 1;
    if (theirs == LETTER_VERSION)
        return 0;
    return err_set(err, ERR_HOST, EPROTO,
                   "node %.64s of this cluster speaks protocol %lld, this Retort %d: end the old "
                   "nodes first, or update this one",
                   strrchr(subject, '.') + 1, (long long)theirs, LETTER_VERSION);
}

/* Learns of the nodes that were there before us. A lease that we read may be old, so we trust it
 * for half its time: until then we hear the next one. */
static int node_meets(struct cluster *c, const char *all, struct retort_error *err) {
    uint64_t when = now_ns() - (uint64_t)(c->lease * 1e9 / 2);
    scoped_json *info = NULL;
    const char *subject;
    json_t *count;
    int r = streams_info(&c->streams, STREAM_NODES, all, &info, err);
    json_object_foreach(json_object_get(json_object_get(info, "state"), "subjects"), subject,
                        count) {
        struct stream_message m;
        if (streams_last(&c->streams, STREAM_NODES, subject, &m, NULL) < 0)
            continue; /* the lease lapsed meanwhile */
        scoped_json *told = json_in(m.data, m.len, 0, NULL);
        free(m.data);
        if (node_fits(subject, told, err) < 0)
            return -EPROTO;
        hear(c, subject, told, when);
    }
    return r;
}

int node_start(struct cluster *c, struct retort_error *err) {
    char all[BUS_SUBJECT];
    streams_subject(&c->streams, "lease", "*", all);
    int r = c->streams.table->listen(c->streams.bus, all, on_lease, c, &c->leases);
    if (r < 0)
        return err_errno(err, ERR_HOST, -r, "cannot hear other nodes");
    r = node_meets(c, all, err);
    if (r == 0)
        r = renew(c, 10000, err);
    if (r == 0 && (r = thread_start(&c->thread, renew_main, c)) < 0)
        err_errno(err, ERR_HOST, -r, "cannot start a thread");
    c->started = r == 0;
    return r;
}

void cluster_leave(struct cluster *c) {
    char subject[BUS_SUBJECT];
    bool held = cluster_holds(c);
    pthread_mutex_lock(&c->lock);
    c->left = true;
    pthread_mutex_unlock(&c->lock);
    if (!held)
        return;
    streams_subject(&c->streams, "lease", c->node, subject);
    streams_purge(&c->streams, STREAM_NODES, subject, 0, NULL);
}

void node_stop(struct cluster *c) {
    pthread_mutex_lock(&c->lock);
    c->stopping = true;
    pthread_cond_broadcast(&c->change);
    pthread_mutex_unlock(&c->lock);
    if (c->started)
        pthread_join(c->thread, NULL);
    if (c->leases)
        c->streams.table->unlisten(c->leases);
    while (c->heard) {
        struct heard *next = c->heard->next;
        json_decref(c->heard->told);
        free(c->heard);
        c->heard = next;
    }
}
