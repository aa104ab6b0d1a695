/* Addresses and host names, as rules and clients write them.
 *
 * Runs in: the gate, the broker. Pure.
 * Hostile: names that guests ask for, addresses that name servers return.
 * Tests: tests/unit/test_gate_rules.c
 */
#pragma once

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define HOST_SIZE 256

/* A family and its bytes; an IPv4 address inside of an IPv6 one is an IPv4 address. */
struct address {
    int family; /* AF_INET, AF_INET6; 0: none */
    unsigned char bytes[16];
};

/* "192.0.2.1" or "2001:db8::1", in brackets or not. Nothing else is an address: no octal, no
 * hexadecimal, no short form, no zone. */
bool address_parse(const char *text, struct address *ret);
void address_from(const struct sockaddr *from, struct address *ret); /* family 0: neither kind */
socklen_t address_to(const struct address *a, uint16_t port, struct sockaddr_storage *ret);
bool address_equal(const struct address *a, const struct address *b);
void address_text(const struct address *a, char *ret, size_t size);

/* Whether it is an address of the public internet: not loopback, private, link-local, shared, for
 * documentation, multicast, translated or tunnelled. */
bool address_is_public(const struct address *a);

/* The form in which we compare names: lower case, without a final dot; for an address, what
 * address_text writes. False: it is no host's name, or a number that some programs read as an
 * address. */
bool host_normalise(const char *text, size_t len, char ret[HOST_SIZE]);
