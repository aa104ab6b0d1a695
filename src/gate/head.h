/* Heads of HTTP messages: each has exactly one meaning, or is refused.
 *
 * We refuse what two programs could understand in two ways: folded lines, a space before a colon,
 * two lengths, a length beside chunks, bare line feeds, control characters.
 *
 * Runs in: the gate. Pure.
 * Hostile: every byte, of requests and of answers.
 * Life cycle: none; what is returned points into the bytes.
 * Tests: tests/unit/test_gate_head.c, tests/fuzz/fuzz_gate.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "gate/rules/address.h"

#define MAX_HEAD (32u << 10)
#define MAX_HEADERS 128

struct http_text {
    const char *at;
    size_t len;
};

struct header {
    struct http_text name, value;
};

enum framing { FRAMING_NONE, FRAMING_LENGTH, FRAMING_CHUNKS, FRAMING_END };

struct http_head {
    struct http_text method, target; /* of a request */
    unsigned status;                 /* of an answer, */
    struct http_text reason;         /* in words */
    unsigned minor;                  /* HTTP/1.x */
    struct header headers[MAX_HEADERS];
    unsigned count;
    enum framing framing; /* of the body; an answer's is that of an answer to GET */
    uint64_t length;
    bool expects; /* the client waits for "100 Continue" */
};

/* Returns the length of the head with the empty line that ends it; 0: it is not complete; -1: it
 * can never be a head. *seen: how many bytes earlier calls looked at, 0 at first, so that a head
 * that comes byte by byte is not read from its beginning each time. */
long head_end(const char *bytes, size_t len, size_t *seen);
bool head_request(const char *bytes, size_t len, struct http_head *ret);
bool head_answer(const char *bytes, size_t len, struct http_head *ret);
const struct header *head_find(const struct http_head *h, const char *name);
void head_drop(struct http_head *h, const char *name);
/* Drops headers that some servers obey instead of the method and the path in the request's first
 * line. */
void head_drop_overrides(struct http_head *h);

/* Where a request goes. */
struct target {
    char host[HOST_SIZE];
    uint16_t port;
    char path[2048]; /* with its query; "" for CONNECT */
};

/* "HOST:PORT"; without a port, `usual` (0: there has to be one). */
bool target_authority(const char *text, size_t len, uint16_t usual, struct target *ret);
/* The target of a request to a proxy: an authority for CONNECT, else "http://…", which the Host
 * header must repeat. */
bool target_proxy(const struct http_head *h, struct target *ret);
/* The target of a request inside of a tunnel to `to`: a path, and its Host must be that of the
 * tunnel. */
bool target_origin(const struct http_head *h, const struct target *to, struct target *ret);

/* Writes a request for the server, or an answer for the client: without the headers of one hop, and
 * with Connection: close. Headers named `instead` (may be NULL) are left out. */
int head_forward(const struct http_head *h, const struct target *to, uint16_t usual_port,
                 const char *instead, struct buf *ret);
int head_return(const struct http_head *h, struct buf *ret);

/* --- bodies --- */

struct http_body {
    enum framing framing;
    uint64_t left; /* of the length, or of this chunk */
    enum { CHUNK_SIZE, CHUNK_DATA, CHUNK_CRLF, CHUNK_TRAILER } at;
    unsigned line; /* bytes of the line that is being read */
    bool done;
};

void body_begin(struct http_body *b, enum framing framing, uint64_t length);
/* Reads one part of the body: *ret_frame bytes that frame it, then as many as are returned. -1:
 * they are no body. */
long body_part(struct http_body *b, const char *bytes, size_t len, size_t *ret_frame);
/* How many next bytes belong to the body whatever they are; body_pass says that so many have
 * come. */
uint64_t body_unread(const struct http_body *b);
void body_pass(struct http_body *b, uint64_t len);
/* How many of these bytes belong to the body; -1: they are no body. */
long body_take(struct http_body *b, const char *bytes, size_t len);
