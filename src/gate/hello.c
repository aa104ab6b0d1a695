#include "gate/hello.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#define SOCKS_VERSION 5
#define SOCKS_CONNECT 1

long socks_greeting(const char *bytes, size_t len) {
    if (len < 2)
        return 0;
    size_t methods = (unsigned char)bytes[1];
    if (bytes[0] != SOCKS_VERSION || methods == 0)
        return -1;
    if (len < 2 + methods)
        return 0;
    return memchr(bytes + 2, 0, methods) ? (long)(2 + methods) : -1;
}

static bool socks_address(const char *bytes, size_t len, struct target *ret) {
    struct address a = {.family = len == 4 ? AF_INET : AF_INET6};
    char text[INET6_ADDRSTRLEN];
    memcpy(a.bytes, bytes, len);
    address_text(&a, text, sizeof text);
    return host_normalise(text, strlen(text), ret->host);
}

long socks_request(const char *bytes, size_t len, struct target *ret) {
    if (len < 5)
        return 0;
    if (bytes[0] != SOCKS_VERSION || bytes[1] != SOCKS_CONNECT || bytes[2] != 0)
        return -1;
    bool named = bytes[3] == 3;
    size_t at = named ? 5 : 4;
    size_t host = named ? (unsigned char)bytes[4] : bytes[3] == 1 ? 4 : bytes[3] == 4 ? 16 : 0;
    if (host == 0)
        return -1;
    if (len < at + host + 2)
        return 0;
    bool fits =
        named ? host_normalise(bytes + at, host, ret->host) : socks_address(bytes + at, host, ret);
    ret->path[0] = 0;
    ret->port =
        (uint16_t)((unsigned char)bytes[at + host] << 8 | (unsigned char)bytes[at + host + 1]);
    return fits && ret->port ? (long)(at + host + 2) : -1;
}

/* --- TLS --- */

/* Bytes that are taken from the front; `bad` is set once there were too few. */
struct tls_reader {
    const unsigned char *at;
    size_t left;
    bool bad;
};

static const unsigned char *take_bytes(struct tls_reader *r, size_t n) {
    const unsigned char *at = r->at;
    if (n > r->left) {
        r->bad = true;
        return at;
    }
    r->at += n;
    r->left -= n;
    return at;
}

static size_t number(struct tls_reader *r, size_t bytes) {
    const unsigned char *at = take_bytes(r, bytes);
    size_t n = 0;
    for (size_t i = 0; i < bytes && !r->bad; i++)
        n = n << 8 | at[i];
    return n;
}

static struct tls_reader part(struct tls_reader *r, size_t bytes) {
    size_t n = number(r, bytes);
    const unsigned char *at = take_bytes(r, n);
    return (struct tls_reader){at, r->bad ? 0 : n, r->bad};
}

#define EXTENSION_NAME 0
#define EXTENSION_ENCRYPTED_HELLO 0xfe0d

/* Exactly one name, of a host. */
static bool name_in(struct tls_reader extension, char ret[HOST_SIZE]) {
    struct tls_reader list = part(&extension, 2);
    size_t kind = number(&list, 1);
    struct tls_reader name = part(&list, 2);
    return !list.bad && !name.bad && kind == 0 && list.left == 0 && extension.left == 0 &&
           host_normalise((const char *)name.at, name.left, ret);
}

static bool read_extensions(struct tls_reader all, char ret[HOST_SIZE]) {
    bool named = false;
    while (all.left && !all.bad) {
        size_t kind = number(&all, 2);
        struct tls_reader one = part(&all, 2);
        if (one.bad)
            return false;
        if (kind == EXTENSION_ENCRYPTED_HELLO) { /* another, encrypted name would count */
            ret[0] = 0;
            return true;
        }
        if (kind == EXTENSION_NAME && (named || !name_in(one, ret)))
            return false;
        named = named || kind == EXTENSION_NAME;
    }
    return !all.bad;
}

static bool read_hello(struct tls_reader hello, char ret[HOST_SIZE]) {
    take_bytes(&hello, 2 + 32); /* version, random */
    part(&hello, 1);            /* session */
    part(&hello, 2);            /* ciphers */
    part(&hello, 1);            /* compression */
    if (hello.bad || !hello.left)
        return !hello.bad;
    struct tls_reader extensions = part(&hello, 2);
    return !extensions.bad && read_extensions(extensions, ret);
}

/* A hello may be spread over several records; we join their contents first. */
long hello_name(const char *bytes, size_t len, char ret[HOST_SIZE]) {
    unsigned char whole[MAX_HELLO];
    size_t have = 0, want = 4, at = 0;
    ret[0] = 0;
    while (have < want) {
        if (len - at < 5)
            return at + 5 > MAX_HELLO ? -1 : 0;
        const unsigned char *record = (const unsigned char *)bytes + at;
        size_t n = (size_t)(record[3] << 8 | record[4]);
        if (record[0] != 22 || record[1] != 3 || n == 0 || have + n > sizeof whole)
            return -1;
        if (len - at < 5 + n)
            return 0;
        memcpy(whole + have, record + 5, n);
        have += n;
        at += 5 + n;
        if (have >= 4)
            want = 4 + (size_t)(whole[1] << 16 | whole[2] << 8 | whole[3]);
        if (whole[0] != 1 || want > sizeof whole)
            return -1;
    }
    struct tls_reader hello = {whole + 4, want - 4, false};
    return have == want && read_hello(hello, ret) ? (long)at : -1;
}
