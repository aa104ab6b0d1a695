/* The first bytes that a client sends: the greeting of SOCKS, the host name in a TLS hello.
 *
 * Runs in: the gate. Pure.
 * Hostile: every byte.
 * Tests: tests/unit/test_gate_head.c, tests/fuzz/fuzz_gate.c
 */
#pragma once

#include "gate/head.h"

#define MAX_HELLO (16u << 10)

/* Each returns how many bytes it has read; 0: there are too few yet; -1: the bytes are no such
 * message. */

/* The methods of SOCKS5; the one without a password must be among them. */
long socks_greeting(const char *bytes, size_t len);
/* The request to connect. */
long socks_request(const char *bytes, size_t len, struct target *ret);
/* A client hello; *ret is the name of the server in it, "" if there is none or it is encrypted. */
long hello_name(const char *bytes, size_t len, char ret[HOST_SIZE]);
