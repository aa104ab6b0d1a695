#include "cluster/cluster.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/thread.h"
#include "cluster/node.h"

/* The host's name, for people, and a random part that makes each start of a node unique. */
static void name_node(char ret[NODE_SIZE]) {
    char host[33] = "";
    unsigned char bytes[6];
    gethostname(host, sizeof host - 1);
    for (char *p = host; *p; p++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", *p))
            *p = '-';
    random_bytes(bytes, sizeof bytes);
    int n = snprintf(ret, NODE_SIZE, "%s_", host[0] ? host : "node");
    for (size_t i = 0; i < sizeof bytes; i++)
        n += snprintf(ret + n, NODE_SIZE - (size_t)n, "%02x", bytes[i]);
}

int cluster_open(const struct cluster_options *options, struct ledger *ledger, struct cluster **ret,
                 struct retort_error *err) {
    struct cluster *c = calloc(1, sizeof *c);
    if (!c || pthread_mutex_init(&c->lock, NULL) || cond_init_monotonic(&c->change) < 0) {
        free(c);
        return err_memory(err);
    }
    c->ledger = ledger;
    name_node(c->node);
    struct cluster_options named = *options;
    named.bus.name = c->node;
    int r = streams_open(&named, true, &c->streams, err);
    if (r == 0)
        r = streams_lease(&c->streams, options->lease, &c->lease, err);
    if (r == 0)
        r = node_start(c, err);
    if (r < 0) {
        cluster_close(c);
        return r;
    }
    c->mirror = (struct ledger_mirror){.permit = places_permit,
                                       .append = places_append,
                                       .announce = places_announce,
                                       .settled = places_settled,
                                       .user = c};
    ledger_mirror(ledger, &c->mirror);
    *ret = c;
    return 0;
}

void cluster_close(struct cluster *c) {
    if (!c)
        return;
    node_stop(c);
    streams_close(&c->streams);
    places_free(c);
    pthread_cond_destroy(&c->change);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

const char *cluster_node(const struct cluster *c) {
    return c->node;
}

const char *cluster_name(const struct cluster *c) {
    return c->streams.name;
}

struct log_streams *cluster_streams(struct cluster *c) {
    return &c->streams;
}

double cluster_lease(const struct cluster *c) {
    return c->lease;
}

void cluster_tell_load(struct cluster *c, void (*load)(void *user, struct cluster_load *ret),
                       void *user) {
    pthread_mutex_lock(&c->lock);
    while (c->asking) /* the caller may free `user` when this returns */
        pthread_cond_wait(&c->change, &c->lock);
    c->load = load;
    c->load_user = user;
    c->news = load != NULL;
    pthread_cond_broadcast(&c->change);
    pthread_mutex_unlock(&c->lock);
}
