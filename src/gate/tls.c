#include "gate/tls.h"

#include <errno.h>
#include <jansson.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "base/unconst.h"

#define MAX_SERVERS 32 /* names of servers whose certificates we keep */
#define DAY (24 * 3600)
#define WRITE_MODE (SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER)

struct identity {
    EVP_PKEY *authority, *key; /* `key`: the same for all servers */
    X509 *cert;
    struct {
        char host[HOST_SIZE];
        SSL_CTX *context;
    } servers[MAX_SERVERS];
    unsigned next;
};

static BIO *bio_of(const char *text) {
    return BIO_new_mem_buf(text, (int)strlen(text));
}

void identity_free(struct identity *id) {
    for (size_t i = 0; id && i < MAX_SERVERS; i++)
        SSL_CTX_free(id->servers[i].context);
    if (id) {
        EVP_PKEY_free(id->authority);
        EVP_PKEY_free(id->key);
        X509_free(id->cert);
    }
    free(id);
}

struct identity *identity_new(const char *key, const char *cert) {
    struct identity *id = key && cert ? calloc(1, sizeof *id) : NULL;
    if (!id)
        return NULL;
    BIO *keys = bio_of(key), *certs = bio_of(cert);
    if (keys && certs) {
        id->authority = PEM_read_bio_PrivateKey(keys, NULL, NULL, NULL);
        id->cert = PEM_read_bio_X509(certs, NULL, NULL, NULL);
        id->key = EVP_EC_gen("P-256");
    }
    BIO_free(keys);
    BIO_free(certs);
    if (id->authority && id->cert && id->key)
        return id;
    identity_free(id);
    return NULL;
}

/* --- an authority --- */

static char *pem_text(BIO *bio) {
    char *data = NULL;
    long len = bio ? BIO_get_mem_data(bio, &data) : 0;
    char *text = len > 0 ? strndup(data, (size_t)len) : NULL;
    BIO_free(bio);
    return text;
}

static bool add_extension(X509 *x, X509 *issuer, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, x, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    bool added = extension && X509_add_ext(x, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return added;
}

static bool fill_authority(X509 *x, EVP_PKEY *key) {
    X509_NAME *name = X509_get_subject_name(x);
    return X509_set_version(x, X509_VERSION_3) == 1 &&
           ASN1_INTEGER_set(X509_get_serialNumber(x), 1) == 1 &&
           X509_gmtime_adj(X509_getm_notBefore(x), -DAY) &&
           X509_gmtime_adj(X509_getm_notAfter(x), 3650l * DAY) &&
           X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                                      (const unsigned char *)"Retort session authority", -1, -1,
                                      0) == 1 &&
           X509_set_issuer_name(x, name) == 1 && X509_set_pubkey(x, key) == 1 &&
           add_extension(x, x, NID_basic_constraints, "critical,CA:TRUE") &&
           add_extension(x, x, NID_key_usage, "critical,keyCertSign") &&
           add_extension(x, x, NID_subject_key_identifier, "hash") &&
           X509_sign(x, key, EVP_sha256()) > 0;
}

int identity_authority(int fd) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *x = X509_new();
    BIO *keys = BIO_new(BIO_s_mem()), *certs = BIO_new(BIO_s_mem());
    bool made = key && x && keys && certs && fill_authority(x, key) &&
                PEM_write_bio_PrivateKey(keys, key, NULL, NULL, 0, NULL, NULL) == 1 &&
                PEM_write_bio_X509(certs, x) == 1;
    scoped_free char *key_text = pem_text(keys), *cert_text = pem_text(certs);
    json_t *both = made ? json_pack("{s:s s:s}", "key", key_text, "certificate", cert_text) : NULL;
    scoped_free char *text = json_whole(both, JSON_COMPACT);
    int r = text ? write_all(fd, text, strlen(text)) : -ENOMEM;
    json_decref(both);
    EVP_PKEY_free(key);
    X509_free(x);
    return r;
}

/* --- certificates of servers --- */

/* Python from 3.13 on, and other programs that follow RFC 5280, require the authority's key
 * identifier. */
static bool add_server_names(X509 *x, X509 *issuer, const char *host) {
    struct address a;
    char text[HOST_SIZE + 8];
    snprintf(text, sizeof text, "%s:%s", address_parse(host, &a) ? "IP" : "DNS", host);
    return add_extension(x, issuer, NID_subject_alt_name, text) &&
           add_extension(x, issuer, NID_authority_key_identifier, "keyid:always");
}

static bool fill_certificate(X509 *x, const struct identity *id, const char *host) {
    unsigned char serial[16];
    BIGNUM *number = NULL;
    bool filled = RAND_bytes(serial, sizeof serial) == 1;
    serial[0] &= 0x7f;
    number = BN_bin2bn(serial, sizeof serial, NULL);
    filled = filled && number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x)) &&
             X509_set_version(x, X509_VERSION_3) == 1 &&
             X509_gmtime_adj(X509_getm_notBefore(x), -DAY) &&
             X509_gmtime_adj(X509_getm_notAfter(x), 30l * DAY) &&
             X509_set_issuer_name(x, X509_get_subject_name(id->cert)) == 1 &&
             X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "O", MBSTRING_ASC,
                                        (const unsigned char *)"Retort session", -1, -1, 0) == 1 &&
             X509_set_pubkey(x, id->key) == 1 && add_server_names(x, id->cert, host) &&
             X509_sign(x, id->authority, EVP_sha256()) > 0;
    BN_free(number);
    return filled;
}

static int choose_http(SSL *ssl, const unsigned char **out, unsigned char *len,
                       const unsigned char *in, unsigned int in_len, void *arg) {
    static const unsigned char http[] = "\x08http/1.1";
    (void)ssl, (void)arg;
    unsigned char *chosen = NULL;
    if (SSL_select_next_proto(&chosen, len, http, sizeof http - 1, in, in_len) !=
        OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_NOACK;
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
}

static SSL_CTX *server_context(const struct identity *id, const char *host) {
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    X509 *x = X509_new();
    bool made = context && x && fill_certificate(x, id, host) &&
                SSL_CTX_use_certificate(context, x) == 1 &&
                SSL_CTX_use_PrivateKey(context, id->key) == 1;
    X509_free(x);
    if (!made) {
        SSL_CTX_free(context);
        return NULL;
    }
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_alpn_select_cb(context, choose_http, NULL);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_mode(context, WRITE_MODE);
    SSL_CTX_set_read_ahead(context, 1);
    return context;
}

/* Kept, because the next connection is likely to go to the same server. */
static SSL_CTX *context_for(struct identity *id, const char *host) {
    for (size_t i = 0; i < MAX_SERVERS; i++)
        if (id->servers[i].context && strcmp(id->servers[i].host, host) == 0)
            return id->servers[i].context;
    SSL_CTX *context = server_context(id, host);
    unsigned at = id->next++ % MAX_SERVERS;
    SSL_CTX_free(id->servers[at].context);
    id->servers[at].context = context;
    snprintf(id->servers[at].host, sizeof id->servers[at].host, "%s", host);
    return context;
}

SSL *tls_accept(struct identity *id, const char *host, int fd, const char *early, size_t len) {
    SSL_CTX *context = context_for(id, host);
    SSL *ssl = context ? SSL_new(context) : NULL;
    BIO *first = BIO_new(BIO_s_mem()), *out = BIO_new_socket(fd, BIO_NOCLOSE);
    if (!ssl || !first || !out || BIO_write(first, early, (int)len) != (int)len) {
        SSL_free(ssl);
        BIO_free(first);
        BIO_free(out);
        return NULL;
    }
    BIO_set_mem_eof_return(first, -1);
    SSL_set_bio(ssl, first, out);
    SSL_set_accept_state(ssl);
    return ssl;
}

/* --- to servers --- */

static void trust_only(SSL_CTX *context, const char *authority) {
    X509_STORE *store = SSL_CTX_get_cert_store(context);
    BIO *bio = bio_of(authority);
    for (X509 *x; bio && (x = PEM_read_bio_X509(bio, NULL, NULL, NULL));) {
        X509_STORE_add_cert(store, x);
        X509_free(x);
    }
    BIO_free(bio);
}

static SSL_CTX *client_context(const char *authority) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (!context)
        return NULL;
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_mode(context, WRITE_MODE);
    SSL_CTX_set_read_ahead(context, 1);
    if (authority)
        trust_only(context, authority);
    else
        SSL_CTX_set_default_verify_paths(context);
    return context;
}

static bool name_server(SSL *ssl, const char *host) {
    struct address a;
    if (address_parse(host, &a))
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1;
    /* Not OpenSSL's macro, which casts const away. */
    return SSL_set1_host(ssl, host) == 1 && SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME,
                                                     TLSEXT_NAMETYPE_host_name, unconst(host)) == 1;
}

SSL *tls_connect(const char *host, int fd, const char *authority, SSL_CTX **context) {
    if (!*context)
        *context = client_context(authority);
    SSL *ssl = *context ? SSL_new(*context) : NULL;
    if (!ssl || !name_server(ssl, host) || SSL_set_fd(ssl, fd) != 1) {
        SSL_free(ssl);
        return NULL;
    }
    SSL_set_connect_state(ssl);
    return ssl;
}

/* --- resumption --- */

static void resumed_drop(struct resumed *r, unsigned i) {
    SSL_SESSION_free(r->of[i].session);
    r->of[i].session = NULL;
}

void resumed_done(struct resumed *r) {
    for (unsigned i = 0; i < MAX_RESUMED; i++)
        resumed_drop(r, i);
}

static int resumed_find(const struct resumed *r, const char *host, const SSL *ssl) {
    for (int i = 0; i < MAX_RESUMED; i++)
        if (r->of[i].session && r->of[i].context == SSL_get_SSL_CTX(ssl) &&
            strcmp(r->of[i].host, host) == 0)
            return i;
    return -1;
}

void resumed_keep(struct resumed *r, const char *host, SSL *ssl) {
    SSL_SESSION *session = SSL_get1_session(ssl);
    if (!session || !SSL_SESSION_is_resumable(session) || SSL_get_verify_result(ssl) != X509_V_OK) {
        SSL_SESSION_free(session);
        return;
    }
    int found = resumed_find(r, host, ssl);
    unsigned i = found >= 0 ? (unsigned)found : r->next++ % MAX_RESUMED;
    resumed_drop(r, i);
    snprintf(r->of[i].host, sizeof r->of[i].host, "%s", host);
    r->of[i].context = SSL_get_SSL_CTX(ssl);
    r->of[i].session = session;
}

void resumed_offer(const struct resumed *r, const char *host, SSL *ssl) {
    int i = resumed_find(r, host, ssl);
    if (i >= 0)
        SSL_set_session(ssl, r->of[i].session);
}
