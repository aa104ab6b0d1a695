/* TLS at both ends of a connection whose requests have to be read: to the guest as the server that
 * it asked for, with a certificate of the engine's own authority; to the server as any client.
 *
 * Runs in: the gate.
 * Hostile: both peers; the library reads what they say.
 * Life cycle: identity_new for each session that needs it, identity_free; tls_accept and tls_connect
 *   make the SSL of an end, which end_done frees.
 * Owns: keys and certificates, in memory only.
 * Tests: tests/system/test_network.py
 */
#pragma once

#include <openssl/ssl.h>

#include "gate/rules/address.h"

struct identity;

/* From the authority's key and certificate, in PEM. NULL: they are none, or missing. */
struct identity *identity_new(const char *key, const char *cert);
void identity_free(struct identity *id); /* takes NULL */

/* A new authority, as {"key", "certificate"}. 0 or -errno. */
int identity_authority(int fd);

/* As the server of this name; the bytes have been read from the socket already. NULL: failure. */
SSL *tls_accept(struct identity *id, const char *host, int fd, const char *early, size_t len);
/* Servers that a guest has spoken to: the next connection resumes what they agreed on, which spares
 * both sides the proof. Of each guest alone. */
#define MAX_RESUMED 8

struct resumed {
    struct {
        char host[HOST_SIZE];
        SSL_CTX *context; /* whose authorities vouched for it */
        SSL_SESSION *session;
    } of[MAX_RESUMED];
    unsigned next;
};

void resumed_done(struct resumed *r);
/* When the connection has ended well. */
void resumed_keep(struct resumed *r, const char *host, SSL *ssl);
void resumed_offer(const struct resumed *r, const char *host, SSL *ssl);

/* As a client of this server, which has to prove its name: by the system's authorities, or by those
 * in `authority` (PEM) instead. They are read once, into *context, which takes milliseconds. */
SSL *tls_connect(const char *host, int fd, const char *authority, SSL_CTX **context);
