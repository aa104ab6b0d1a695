/* Calls that we run for other nodes. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/api/clusterapi.h"
#include "serve/cluster/passing.h"
#include "serve/hosted/json.h"
#include "serve/hosted/peers.h"
#include "serve/rpc/call.h"

#define MAX_RUNNING 1024
#define MAX_PARTIAL_NS 60000000000ull

struct arrival { /* a call of which parts are missing */
    struct arrival *next;
    char reply[BUS_SUBJECT];
    struct buf text;
    json_int_t part;
    uint64_t when_ns;
};

struct answering {
    struct peer peer; /* first: peer->send finds the call by it */
    struct answering *next;
    struct cluster_door *door;
    pthread_mutex_t telling; /* notifications go one after the other, in parts */
    char reply[BUS_SUBJECT];
    struct buf text;
    struct call *call;
};

static void send_answer(struct cluster_door *door, const char *to, int status, bool again,
                        const struct buf *text) {
    json_t *head =
        json_pack("{s:i s:i s:b}", "v", LETTER_VERSION, "status", status, "again", again);

    parts_send(door, to, NULL, head, text && text->data ? text->data : "", text ? text->len : 0);
}

/* While the call runs, its events go back to the node that sent it. */
static void answer_note(struct peer *peer, struct serve_event *event) {
    struct answering *run = (struct answering *)peer;
    const struct buf *text = serve_event_text(event);

    if (!text)
        return;
    pthread_mutex_lock(&run->telling);
    parts_send(run->door, run->reply, NULL, json_pack("{s:i s:b}", "v", LETTER_VERSION, "note", 1),
               text->data, text->len);
    pthread_mutex_unlock(&run->telling);
}

static void running_free(struct answering *run) {
    call_free(run->call);
    pthread_mutex_destroy(&run->telling);
    buf_done(&run->text);
    free(run);
}

static void running_end(struct answering *run) {
    struct cluster_door *door = run->door;
    struct answering **at = &door->running;

    pthread_mutex_lock(&door->lock);
    while (*at != run)
        at = &(*at)->next;
    *at = run->next;
    door->count--;
    pthread_cond_broadcast(&door->change);
    pthread_mutex_unlock(&door->lock);
    running_free(run);
}

static void *run_main(void *user) {
    struct answering *run = user;
    struct cluster_door *door = run->door;
    scoped_buf reply = BUF_INIT(MAX_REPLY);
    int status = call_run(run->call, &reply);
    bool again = call_was_not_taken(run->call);

    /* Freed before the answer goes: a client that reads that its session is closed may count on
     * it. */
    call_free(TAKE(run->call));
    send_answer(door, run->reply, status, again, &reply);
    running_end(run);
    return NULL;
}

/* Nobody waits any more for a call that was under way for longer than a lease because its node was
 * cut off, and the client may have sent other calls since. */
static bool is_late(struct cluster_door *door, const char *reply) {
    char node[NODE_SIZE] = "", prefix[BUS_SUBJECT];
    streams_subject(cluster_streams(door->cluster), "reply", "", prefix);
    size_t len = strlen(prefix);

    if (strncmp(reply, prefix, len) == 0)
        snprintf(node, sizeof node, "%.*s", (int)strcspn(reply + len, "."), reply + len);
    return !cluster_heard(door->cluster, node);
}

/* The call takes its place in the queue of its session here, before the next call is heard. */
static bool run_start(struct answering *run) {
    pthread_t thread;

    run->call = call_begin(run->door->serve, &run->peer, run->text.data, run->text.len);
    if (!run->call)
        return false;
    if (thread_start(&thread, run_main, run) < 0) {
        call_refuse(run->call, RPC_BUSY, "no thread can be started");
        return false;
    }
    pthread_detach(thread);
    return true;
}

static void run_begin(struct cluster_door *door, struct answering *run) {
    bool room, late = is_late(door, run->reply);

    run->door = door;
    pthread_mutex_lock(&door->lock);
    room = door->count < MAX_RUNNING && !late;
    if (room) {
        run->next = door->running;
        door->running = run;
        door->count++;
    }
    pthread_mutex_unlock(&door->lock);
    if (!room) {
        send_answer(door, run->reply, 503, true, NULL);
        running_free(run);
    } else if (!run_start(run)) {
        send_answer(door, run->reply, 503, true, NULL);
        running_end(run);
    }
}

/* --- parts --- */

static struct arrival *arrival_of(struct cluster_door *door, const char *reply, json_int_t part) {
    struct arrival *a = door->arrivals;

    while (a && strcmp(a->reply, reply) != 0)
        a = a->next;
    if (a || part != 0)
        return a;
    a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    snprintf(a->reply, sizeof a->reply, "%s", reply);
    a->text = BUF_INIT(MAX_REQUEST + 1024);
    a->when_ns = now_ns();
    a->next = door->arrivals;
    door->arrivals = a;
    return a;
}

static void arrival_end(struct cluster_door *door, struct arrival *a) {
    struct arrival **at = &door->arrivals;

    while (*at != a)
        at = &(*at)->next;
    *at = a->next;
    buf_done(&a->text);
    free(a);
}

static struct answering *whole(struct arrival *a, const json_t *head) {
    struct answering *run = calloc(1, sizeof *run);

    if (!run || peer_read(json_object_get(head, "peer"), &run->peer) < 0) {
        free(run);
        return NULL;
    }
    pthread_mutex_init(&run->telling, NULL);
    if (json_is_true(json_object_get(json_object_get(head, "peer"), "hears")))
        run->peer.send = answer_note;
    snprintf(run->reply, sizeof run->reply, "%s", a->reply);
    run->text = a->text;
    a->text = BUF_INIT(0);
    return run;
}

void answer_heard(void *user, const struct bus_message *message) {
    struct cluster_door *door = user;
    const char *data;
    size_t len;
    scoped_json *head = message->reply ? parts_read(message, &data, &len) : NULL;
    json_int_t part = json_integer_value(json_object_get(head, "part"));
    struct answering *run = NULL;
    bool last = json_is_true(json_object_get(head, "last"));

    if (!head || strlen(message->reply) >= BUS_SUBJECT)
        return;
    pthread_mutex_lock(&door->lock);
    struct arrival *a = arrival_of(door, message->reply, part);
    bool good = a && a->part++ == part && buf_add(&a->text, data, len) >= 0;
    if (good && last)
        run = whole(a, head);
    if (a && (!good || last))
        arrival_end(door, a);
    pthread_mutex_unlock(&door->lock);
    if (run)
        run_begin(door, run);
}

/* --- every second --- */

void answer_tick(void *user) {
    struct cluster_door *door = user;
    uint64_t now = now_ns();

    pthread_mutex_lock(&door->lock);
    for (const struct answering *run = door->running; run; run = run->next)
        parts_send(door, run->reply, NULL,
                   json_pack("{s:i s:b}", "v", LETTER_VERSION, "running", 1), "", 0);
    for (struct arrival *a = door->arrivals, *next; a; a = next) {
        next = a->next;
        if (now - a->when_ns > MAX_PARTIAL_NS)
            arrival_end(door, a);
    }
    pthread_mutex_unlock(&door->lock);
    route_sweep(door);
    /* This node cannot run sessions any more, but other nodes can. It ends, and the service manager
     * starts it again. */
    if (!engine_is_able(door->serve->engine) && !door->ended) {
        door->ended = true;
        atomic_store(&door->serve->unable, true);
        kill(getpid(), SIGTERM);
    }
}

void answer_wait(struct cluster_door *door) {
    pthread_mutex_lock(&door->lock);
    while (door->count > 0)
        pthread_cond_wait(&door->change, &door->lock);
    pthread_mutex_unlock(&door->lock);
}

void answer_forget(struct cluster_door *door) {
    while (door->arrivals)
        arrival_end(door, door->arrivals);
}
