#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/list.h"
#include "base/maxima.h"
#include "serve/hosted/tools.h"
#include "serve/rpc/call.h"
#include "serve/rpc/handlers.h"
#include "serve/rpc/lines.h"

/* JSON-RPC on one connection. We keep the ids of open requests, and refuse an id that is open
 * already: nobody could tell the two answers apart. */
struct client {
    struct peer peer; /* first: peer->send finds the client by it */
    struct serve *serve;
    struct lines *lines;
    bool alone;
    pthread_mutex_t lock;
    struct job *open;
};

struct job {
    struct client *client;
    struct call *call;
    struct job *next; /* in the list of open jobs */
    bool tracked;
};

static void client_send(struct peer *peer, struct serve_event *event) {
    struct client *client = (struct client *)peer;
    const struct buf *text = serve_event_text(event);

    if (text)
        lines_send(client->lines, text->data, text->len);
}

static void track(struct job *job) {
    struct client *client = job->client;
    const char *id = call_id(job->call);
    struct job *other;

    if (!id)
        return;
    pthread_mutex_lock(&client->lock);
    for (other = client->open; other; other = other->next)
        if (strcmp(call_id(other->call), id) == 0)
            break;
    if (!other) {
        job->next = client->open;
        client->open = job;
        job->tracked = true;
    }
    pthread_mutex_unlock(&client->lock);
    if (other)
        call_refuse(job->call, RPC_INVALID, "this id belongs to a request that is still open");
}

static void untrack(struct job *job) {
    struct client *client = job->client;

    if (!job->tracked)
        return;
    pthread_mutex_lock(&client->lock);
    LIST_DROP(client->open, job, next);
    pthread_mutex_unlock(&client->lock);
}

static void client_started(void *user, struct lines *lines) {
    ((struct client *)user)->lines = lines;
}

static void *job_begin(void *user, const char *text, size_t len) {
    struct client *client = user;
    struct job *job = calloc(1, sizeof *job);

    if (!job)
        return NULL;
    job->client = client;
    job->call = call_begin(client->serve, &client->peer, text, len);
    if (!job->call) {
        free(job);
        return NULL;
    }
    track(job);
    return job;
}

static bool job_is_quick(const void *job) {
    return call_is_quick(((const struct job *)job)->call);
}

static void job_refuse(void *arg) {
    struct job *job = arg;

    untrack(job);
    job->tracked = false;
    call_refuse(job->call, RPC_BUSY, "too many requests are open on this connection");
}

static void job_run(void *arg, struct buf *reply) {
    struct job *job = arg;

    call_run(job->call, reply);
    untrack(job);
    call_free(job->call);
    free(job);
}

static void input_ended(void *user) {
    struct client *client = user;

    tools_cancel(client->serve->tools, NULL, &client->peer, "the client has gone");
}

static void output_broke(void *user) {
    struct client *client = user;

    input_ended(client);
    if (client->alone)
        serve_stop(client->serve);
}

static const struct lines_protocol protocol = {.started = client_started,
                                               .begin = job_begin,
                                               .is_quick = job_is_quick,
                                               .refuse = job_refuse,
                                               .run = job_run,
                                               .input_ended = input_ended,
                                               .output_broke = output_broke};

int lines_run(struct serve *serve, const char *owner, int in, int out, enum lines_client who) {
    bool alone = who == LINES_ALONE;
    struct client client = {.serve = serve,
                            .alone = alone,
                            .peer.send = client_send,
                            .peer.door = alone ? "rpc" : "socket",
                            .peer.sees_all = alone,
                            .peer.admin = who != LINES_GUEST};
    int r;

    snprintf(client.peer.owner, sizeof client.peer.owner, "%s", owner);
    pthread_mutex_init(&client.lock, NULL);
    r = lines_serve(&protocol, &client, in, out);
    pthread_mutex_destroy(&client.lock);
    return r;
}

int serve_rpc_stdio(struct retort_engine *engine, const struct serve_defaults *defaults) {
    struct serve serve;
    int r = serve_init_stdio(&serve, engine, defaults);

    if (r < 0)
        return r;
    r = lines_run(&serve, "local", STDIN_FILENO, STDOUT_FILENO, LINES_ALONE);
    serve_done(&serve);
    return r;
}
