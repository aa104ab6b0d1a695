/* The bus on NATS (cluster/bus.h). No other file of Retort's uses the library. */
#include <errno.h>
#include <nats/nats.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/bus.h"

#define MAX_SERVERS 16
#define CONNECT_MS 3000
#define RECONNECT_MS 200
#define PING_MS 5000

extern const struct bus_table retort_bus;

struct bus {
    natsConnection *nc;
};

struct bus_listener {
    natsSubscription *sub;
    bus_heard *heard;
    void *user;
    pthread_mutex_t lock;
    pthread_cond_t change;
    bool ended;
};

static int bus_errno(natsStatus s) {
    switch (s) {
    case NATS_OK: return 0;
    case NATS_TIMEOUT: return -ETIMEDOUT;
    case NATS_NO_RESPONDERS: return -EHOSTUNREACH;
    case NATS_NO_MEMORY: return -ENOMEM;
    case NATS_MAX_PAYLOAD: return -EMSGSIZE;
    case NATS_INSUFFICIENT_BUFFER: /* the queue of messages that wait for a connection is full */
    case NATS_CONNECTION_CLOSED:
    case NATS_CONNECTION_DISCONNECTED:
    case NATS_NOT_YET_CONNECTED: return -ENOTCONN;
    default: return -EIO;
    }
}

static natsStatus bus_set_servers(natsOptions *o, const char *urls, bool *ret_tls) {
    char *copy = strdup(urls), *rest = copy;
    const char *list[MAX_SERVERS];
    int n = 0;
    if (!copy)
        return NATS_NO_MEMORY;
    for (char *one; n < MAX_SERVERS && (one = strsep(&rest, ","));)
        if (one[0]) {
            *ret_tls = *ret_tls || strncmp(one, "tls://", 6) == 0;
            list[n++] = one;
        }
    natsStatus s = n ? natsOptions_SetServers(o, list, n) : NATS_INVALID_ARG;
    free(copy);
    return s;
}

static natsStatus bus_set_secrets(natsOptions *o, const struct bus_options *options, bool tls) {
    natsStatus s = NATS_OK;
    if (options->token)
        s = natsOptions_SetToken(o, options->token);
    if (s == NATS_OK && options->creds)
        s = natsOptions_SetUserCredentialsFromFiles(o, options->creds, NULL);
    if (s == NATS_OK && (tls || options->ca || options->cert))
        s = natsOptions_SetSecure(o, true);
    if (s == NATS_OK && options->ca)
        s = natsOptions_LoadCATrustedCertificates(o, options->ca);
    if (s == NATS_OK && options->cert)
        s = natsOptions_LoadCertificatesChain(o, options->cert, options->key);
    return s;
}

/* A broken connection is made again as long as the node lives. Requests in between fail at once:
 * the caller decides which to repeat. */
static natsStatus bus_set_ways(natsOptions *o, const char *name) {
    natsStatus s = natsOptions_SetName(o, name);
    if (s == NATS_OK)
        s = natsOptions_SetTimeout(o, CONNECT_MS);
    if (s == NATS_OK)
        s = natsOptions_SetMaxReconnect(o, -1);
    if (s == NATS_OK)
        s = natsOptions_SetReconnectWait(o, RECONNECT_MS);
    if (s == NATS_OK)
        s = natsOptions_SetReconnectBufSize(o, 1);
    if (s == NATS_OK)
        s = natsOptions_SetPingInterval(o, PING_MS);
    if (s == NATS_OK)
        s = natsOptions_SetFailRequestsOnDisconnect(o, true);
    if (s == NATS_OK)
        s = natsOptions_SetSendAsap(o, true);
    return s;
}

static int bus_open(const struct bus_options *options, struct bus **ret, char *why, size_t size) {
    struct bus *bus = calloc(1, sizeof *bus);
    natsOptions *o = NULL;
    bool tls = false;
    natsStatus s = bus ? natsOptions_Create(&o) : NATS_NO_MEMORY;
    if (s == NATS_OK)
        s = bus_set_servers(o, options->urls, &tls);
    if (s == NATS_OK)
        s = bus_set_secrets(o, options, tls);
    if (s == NATS_OK)
        s = bus_set_ways(o, options->name);
    if (s == NATS_OK)
        s = natsConnection_Connect(&bus->nc, o);
    natsOptions_Destroy(o);
    if (s == NATS_OK) {
        *ret = bus;
        return 0;
    }
    free(bus);
    snprintf(why, size, "%s", natsStatus_GetText(s));
    return s == NATS_CONNECTION_AUTH_FAILED ? -EACCES : s == NATS_NO_SERVER ? -ENOTCONN : -EIO;
}

static void bus_close(struct bus *bus) {
    if (!bus)
        return;
    natsConnection_FlushTimeout(bus->nc, 1000);
    natsConnection_Close(bus->nc);
    natsConnection_Destroy(bus->nc);
    free(bus);
}

static bool bus_connected(struct bus *bus) {
    return natsConnection_Status(bus->nc) == NATS_CONN_STATUS_CONNECTED;
}

static size_t bus_max_payload(struct bus *bus) {
    return (size_t)natsConnection_GetMaxPayload(bus->nc);
}

static void bus_inbox(char ret[BUS_SUBJECT]) {
    natsInbox *inbox = NULL;
    ret[0] = 0;
    if (natsInbox_Create(&inbox) == NATS_OK)
        snprintf(ret, BUS_SUBJECT, "%s", inbox);
    natsInbox_Destroy(inbox);
}

static natsStatus bus_make(const struct bus_message *m, natsMsg **ret) {
    natsStatus s = natsMsg_Create(ret, m->subject, m->reply, m->data, (int)m->len);
    for (const struct bus_header *h = m->headers; s == NATS_OK && h && h->name; h++)
        s = natsMsgHeader_Set(*ret, h->name, h->value);
    return s;
}

/* Refuses to send without a connection: the library would keep the message until there is one, when
 * nobody waits for the answer any more. */
static natsStatus bus_make_now(struct bus *bus, const struct bus_message *m, natsMsg **ret) {
    return bus_connected(bus) ? bus_make(m, ret) : NATS_CONNECTION_DISCONNECTED;
}

static int bus_request(struct bus *bus, const struct bus_message *message, int timeout_ms,
                       char **ret_data, size_t *ret_len) {
    natsMsg *msg = NULL, *reply = NULL;
    natsStatus s = bus_make_now(bus, message, &msg);
    if (s == NATS_OK)
        s = natsConnection_RequestMsg(&reply, bus->nc, msg, timeout_ms);
    natsMsg_Destroy(msg);
    if (s != NATS_OK)
        return bus_errno(s);
    const char *status = NULL; /* JetStream sends a status header if there is no message */
    if (natsMsgHeader_Get(reply, "Status", &status) == NATS_OK && status) {
        int r = strncmp(status, "404", 3) == 0 ? -ENOENT : -EIO;
        natsMsg_Destroy(reply);
        return r;
    }
    size_t len = (size_t)natsMsg_GetDataLength(reply);
    char *data = malloc(len + 1);
    if (data) {
        if (len)
            memcpy(data, natsMsg_GetData(reply), len);
        data[len] = 0;
        *ret_data = data;
        *ret_len = len;
    }
    natsMsg_Destroy(reply);
    return data ? 0 : -ENOMEM;
}

static int bus_publish(struct bus *bus, const struct bus_message *message) {
    natsMsg *msg = NULL;
    natsStatus s = bus_make_now(bus, message, &msg);
    if (s == NATS_OK)
        s = natsConnection_PublishMsg(bus->nc, msg);
    natsMsg_Destroy(msg);
    return bus_errno(s);
}

static void bus_on_message(natsConnection *nc, natsSubscription *sub, natsMsg *msg, void *user) {
    struct bus_listener *listener = user;
    struct bus_message m = {.subject = natsMsg_GetSubject(msg),
                            .reply = natsMsg_GetReply(msg),
                            .data = natsMsg_GetData(msg),
                            .len = (size_t)natsMsg_GetDataLength(msg)};
    (void)nc;
    (void)sub;
    m.nobody = natsMsg_IsNoResponders(msg);
    listener->heard(listener->user, &m);
    natsMsg_Destroy(msg);
}

static void bus_listener_free(struct bus_listener *listener) {
    pthread_cond_destroy(&listener->change);
    pthread_mutex_destroy(&listener->lock);
    free(listener);
}

static void bus_on_end(void *user) {
    struct bus_listener *listener = user;
    pthread_mutex_lock(&listener->lock);
    listener->ended = true;
    pthread_cond_signal(&listener->change);
    pthread_mutex_unlock(&listener->lock);
}

/* The library says when it has delivered the last message. */
static void bus_unlisten(struct bus_listener *listener) {
    if (!listener)
        return;
    natsSubscription_Unsubscribe(listener->sub);
    pthread_mutex_lock(&listener->lock);
    while (!listener->ended)
        pthread_cond_wait(&listener->change, &listener->lock);
    pthread_mutex_unlock(&listener->lock);
    natsSubscription_Destroy(listener->sub);
    bus_listener_free(listener);
}

static int bus_listen(struct bus *bus, const char *subject, bus_heard *heard, void *user,
                      struct bus_listener **ret) {
    struct bus_listener *listener = calloc(1, sizeof *listener);
    if (!listener)
        return -ENOMEM;
    listener->heard = heard;
    listener->user = user;
    pthread_mutex_init(&listener->lock, NULL);
    pthread_cond_init(&listener->change, NULL);
    natsStatus s =
        natsConnection_Subscribe(&listener->sub, bus->nc, subject, bus_on_message, listener);
    if (s == NATS_OK)
        s = natsSubscription_SetOnCompleteCB(listener->sub, bus_on_end, listener);
    if (s == NATS_OK)
        s = natsSubscription_SetPendingLimits(listener->sub, -1, -1);
    if (s == NATS_OK)
        s = natsConnection_FlushTimeout(bus->nc, CONNECT_MS);
    if (s == NATS_OK) {
        *ret = listener;
        return 0;
    }
    if (listener->sub)
        bus_unlisten(listener);
    else
        bus_listener_free(listener);
    return bus_errno(s);
}

const struct bus_table retort_bus = {
    .version = BUS_VERSION,
    .open = bus_open,
    .close = bus_close,
    .connected = bus_connected,
    .max_payload = bus_max_payload,
    .inbox = bus_inbox,
    .request = bus_request,
    .publish = bus_publish,
    .listen = bus_listen,
    .unlisten = bus_unlisten,
};
