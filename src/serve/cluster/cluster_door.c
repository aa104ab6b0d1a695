#include "serve/cluster/cluster_door.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/scope.h"
#include "engine/api/clusterapi.h"
#include "serve/cluster/passing.h"
#include "serve/hosted/sessions.h"

static bool door_healthy(struct clustered *c) {
    return cluster_reaches(((struct cluster_door *)(void *)c)->cluster);
}

static int door_metrics(struct clustered *c, struct buf *out) {
    struct cluster_door *door = (struct cluster_door *)(void *)c;
    struct cluster_counts n;
    struct {
        const char *name, *type, *help;
        double value;
    } rows[10];
    size_t count = 0;
    int r = 0;

    cluster_count(door->cluster, &n);
#define ROW(...) rows[count++] = (__typeof__(rows[0])){__VA_ARGS__}
    ROW("retort_cluster_quorum", "gauge", "1 while the cluster's log acknowledges.",
        (double)cluster_reaches(door->cluster));
    ROW("retort_cluster_appended_total", "counter",
        "Messages acknowledged by the cluster's log, each with an entry or two.",
        (double)n.appended);
    ROW("retort_cluster_append_seconds_total", "counter", "Time that they took together.",
        (double)n.ack_ns / 1e9);
    ROW("retort_cluster_refused_total", "counter",
        "Entries refused because another node had taken the session.", (double)n.refused);
    ROW("retort_cluster_unacknowledged_total", "counter", "Entries that nobody acknowledged.",
        (double)n.unacknowledged);
    ROW("retort_cluster_full", "gauge", "1 while the cluster's log has no room for an entry.",
        (double)n.full);
    ROW("retort_cluster_taken_total", "counter", "Sessions taken over.", (double)n.taken);
    ROW("retort_cluster_bytes_total", "counter", "Bytes of files and output that went to the log.",
        (double)n.bytes);
    ROW("retort_cluster_refetched_total", "counter",
        "Parts of files that a server of NATS did not have as they were written.",
        (double)n.refetched);
    ROW("retort_cluster_forwarded_total", "counter", "Calls passed on to other nodes.",
        (double)door->forwarded);
#undef ROW
    for (size_t i = 0; i < count && r >= 0; i++)
        r = buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n%s %.17g\n", rows[i].name, rows[i].help,
                       rows[i].name, rows[i].type, rows[i].name, rows[i].value);
    return r;
}

static void door_load(void *user, struct cluster_load *ret) {
    struct cluster_door *door = user;

    ret->sessions = registry_count(door->serve->registry);
    ret->most = engine_most_sessions(door->serve->engine);
    ret->draining = door->serve->draining;
}

/* `retort cluster drain` does the same as SIGTERM. */
static void order_heard(void *user, const struct bus_message *message) {
    (void)user;
    if (message->len == 5 && memcmp(message->data, "drain", 5) == 0)
        kill(getpid(), SIGTERM);
}

static int door_listen(struct cluster_door *door, const char *kind, const char *id,
                       bus_heard *heard, struct bus_listener **ret) {
    char subject[BUS_SUBJECT];

    streams_subject(cluster_streams(door->cluster), kind, id, subject);
    return door->table->listen(door->bus, subject, heard, door, ret);
}

static int door_start(struct cluster_door *door) {
    const char *node = cluster_node(door->cluster);
    char replies[NODE_SIZE + 4];
    int r;

    snprintf(replies, sizeof replies, "%s.*", node);
    r = door_listen(door, "reply", replies, pass_heard, &door->replies);
    if (r == 0)
        r = door_listen(door, "call", node, answer_heard, &door->calls);
    if (r == 0)
        r = door_listen(door, "order", node, order_heard, &door->orders);
    if (r == 0)
        r = door_listen(door, "tunnel", replies, tunnel_heard, &door->tunnels.listener);
    if (r == 0)
        r = ticker_start(&door->ticker, answer_tick, door);
    door->ticking = r == 0;
    return r;
}

int cluster_door_open(struct serve *serve, struct cluster *cluster, struct cluster_door **ret,
                      struct retort_error *err) {
    struct cluster_door *door = calloc(1, sizeof *door);

    if (door)
        door->hints = calloc(HINTS, sizeof *door->hints);
    if (!door || !door->hints) {
        free(door);
        return err_memory(err);
    }
    door->serve = serve;
    door->cluster = cluster;
    door->table = cluster_streams(cluster)->table;
    door->bus = cluster_streams(cluster)->bus;
    door->clustered = (struct clustered){.node = cluster_node(cluster),
                                         .here = route_here,
                                         .route = route_call,
                                         .bring = route_bring,
                                         .where = route_where,
                                         .release = route_release,
                                         .alive = route_alive,
                                         .nodes = route_nodes,
                                         .dial = tunnel_dial,
                                         .offer = tunnel_offer,
                                         .keep = kept_put,
                                         .kept = kept_get,
                                         .others = route_others,
                                         .name = route_name,
                                         .settle = route_settle,
                                         .healthy = door_healthy,
                                         .metrics = door_metrics};
    door->swept = cluster_term(cluster);
    pthread_mutex_init(&door->lock, NULL);
    cond_init_monotonic(&door->change);
    int r = door_start(door);
    if (r < 0) {
        cluster_door_close(door);
        return err_errno(err, ERR_HOST, -r, "cannot listen for other nodes");
    }
    serve->clustered = &door->clustered;
    cluster_tell_load(cluster, door_load, door);
    *ret = door;
    return 0;
}

/* A session that does not fall asleep in time is taken over by another node when our lease has
 * lapsed. */
void cluster_door_drain(struct cluster_door *door) {
    scoped_free struct hosted **list = NULL;
    size_t n = registry_list(door->serve->registry, NULL, &list);

    for (size_t i = 0; i < n; i++) {
        /* Without the lease, the log would not take that it sleeps. */
        if (cluster_holds(door->cluster))
            retort_session_sleep(list[i]->session, NULL);
        cluster_release(door->cluster, list[i]->id);
        registry_unref(door->serve->registry, list[i]);
    }
    cluster_leave(door->cluster);
}

void cluster_door_close(struct cluster_door *door) {
    if (!door)
        return;
    cluster_tell_load(door->cluster, NULL, NULL);
    door->table->unlisten(door->calls);
    door->table->unlisten(door->orders);
    answer_wait(door);
    tunnel_close_all(door);
    door->table->unlisten(door->tunnels.listener);
    if (door->ticking)
        ticker_stop(&door->ticker);
    door->table->unlisten(door->replies);
    answer_forget(door);
    door->serve->clustered = NULL;
    pthread_cond_destroy(&door->change);
    pthread_mutex_destroy(&door->lock);
    free(door->hints);
    free(door);
}
