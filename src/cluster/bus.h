/* What the cluster needs of a message bus: it sends requests and gets answers, sends messages, and
 * listens to subjects. NATS implements it, in a module of its own, which is loaded only when a
 * server is told of a cluster.
 *
 * Runs in: broker, any thread; messages come in threads of the module.
 * Hostile: nothing; only nodes may use the bus (docs/cluster.md).
 * Life cycle: bus_load, table->open … table->close; the module stays loaded.
 * Tests: tests/system/test_cluster.py
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define BUS_VERSION 1
#define BUS_SUBJECT 256

struct bus_options {
    const char *urls;  /* nats://HOST:PORT, several with commas between; tls:// wants TLS */
    const char *name;  /* the name that the servers show for this connection */
    const char *token; /* or NULL */
    const char *creds; /* path of a credentials file, or NULL */
    const char
        *ca; /* path of a file with the authorities that vouch for servers, or NULL: the system's */
    const char *cert, *key; /* paths of this node's own certificate and key, or NULL */
};

struct bus_header {
    const char *name, *value;
};

struct bus_message {
    const char *subject;
    const char *reply;                /* where an answer goes, or NULL */
    const struct bus_header *headers; /* ended by one without a name; or NULL. Not set in messages
                                         that we get. */
    const char *data;
    size_t len;
    bool nobody; /* came in place of an answer: nobody listens there */
};

struct bus;
struct bus_listener;
typedef void bus_heard(void *user, const struct bus_message *message);

struct bus_table {
    int version;
    int (*open)(const struct bus_options *options, struct bus **ret, char *why, size_t size);
    void (*close)(struct bus *bus);
    bool (*connected)(struct bus *bus);
    size_t (*max_payload)(struct bus *bus);
    void (*inbox)(char ret[BUS_SUBJECT]); /* a subject that nobody else has */
    /* malloc'ed and NUL-terminated. -ETIMEDOUT; -EHOSTUNREACH: nobody listens; -ENOTCONN; -ENOENT:
     * the answer is a status that says so. */
    int (*request)(struct bus *bus, const struct bus_message *message, int timeout_ms,
                   char **ret_data, size_t *ret_len);
    int (*publish)(struct bus *bus, const struct bus_message *message);
    int (*listen)(struct bus *bus, const char *subject, bus_heard *heard, void *user,
                  struct bus_listener **ret);
    /* No message is delivered after it returned. Takes NULL. */
    void (*unlisten)(struct bus_listener *listener);
};

/* Loads the module beside our programs. */
int bus_load(const struct bus_table **ret, struct retort_error *err);
