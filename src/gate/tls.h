/* TLS at both ends of a connection whose requests have to be read: to the guest we are the server
 * that it asked for, with a certificate of the engine's own authority; to the server we are a
 * client.
 *
 * Runs in: the gate.
 * Hostile: both peers; the library reads what they say.
 * Life cycle: identity_new for each session that needs it, identity_free; tls_accept and
 *   tls_connect make the SSL of an end, which end_done frees.
 * Owns: keys and certificates, in memory only.
 * Tests: tests/system/test_network.py
 */
#pragma once

#include <openssl/ssl.h>

#include "gate/rules/address.h"

struct identity;

/* From the authority's key and certificate, in PEM. NULL: they are missing or invalid. */
struct identity *identity_new(const char *key, const char *cert);
void identity_free(struct identity *id); /* takes NULL */

/* Writes a new authority to the file, as {"key", "certificate"}. 0 or -errno. */
int identity_authority(int fd);

/* Acts as the server of this name; `early` was read from the socket already. NULL: failure. */
SSL *tls_accept(struct identity *id, const char *host, int fd, const char *early, size_t len);
/* Servers that a guest has spoken to: the next connection resumes the TLS session, which spares
 * both sides the handshake. Each guest has its own. */
#define MAX_RESUMED 8

struct resumed {
    struct {
        char host[HOST_SIZE];
        SSL_CTX *context; /* with whose authorities the server was checked */
        SSL_SESSION *session;
    } of[MAX_RESUMED];
    unsigned next;
};

void resumed_done(struct resumed *r);
/* Call it when the connection has ended well. */
void resumed_keep(struct resumed *r, const char *host, SSL *ssl);
void resumed_offer(const struct resumed *r, const char *host, SSL *ssl);

/* Acts as a client of this server, which has to prove its name: by the system's authorities, or by
 * those in `authority` (PEM) instead. They are read once, into *context, because that takes
 * milliseconds. */
SSL *tls_connect(const char *host, int fd, const char *authority, SSL_CTX **context);
