/* Rules: whom a session may connect to, and what it may ask there.
 *
 * Written as JSON: a list of rules, or {"rules": […], "connections", "rate", "bytes"}. A rule is
 * "HOST[:PORT]" or {"host", "ports", "address", "protocol", "methods", "paths", "secret"}.
 *
 * Runs in: the broker, which checks them, and the gate, which follows them. Pure.
 * Hostile: names, methods and paths that are compared; the rules are the caller's.
 * Life cycle: rules_new; rules_free.
 * Owns: everything in it.
 * Invariants: only a rule that names an address which is not public allows it.
 * Tests: tests/unit/test_gate_rules.c
 */
#pragma once

#include <jansson.h>

#include "base/err.h"
#include "gate/rules/address.h"

#define MAX_RULES 64
#define MAX_RULE_PORTS 16
#define MAX_RULE_WORDS 32

struct rule {
    char host[HOST_SIZE];   /* without the "*." of a wildcard */
    bool wildcard;          /* for the names below it, but not the name itself */
    struct address address; /* the only address to connect to; family 0: any to which the name
                               leads */
    bool raw;               /* "protocol": "tcp": we do not look at the bytes */
    uint16_t ports[MAX_RULE_PORTS];
    unsigned nports;
    bool any_ports;                                        /* none were named: 80 and 443 */
    char *methods[MAX_RULE_WORDS], *paths[MAX_RULE_WORDS]; /* NULL after the last */
    char *header, *value; /* of the secret, or NULL; in the gate, value holds the secret, … */
    char *hidden;         /* … which is this */
    char *authority;      /* a file with the authority that vouches for the server; in the gate, its
                             contents */
};

struct rules {
    struct rule list[MAX_RULES];
    unsigned count;
    unsigned connections; /* at a time */
    unsigned rate;        /* new ones in a minute */
    uint64_t bytes;       /* in both directions, while the session lives */
};

int rules_new(const json_t *network, struct rules **ret, struct retort_error *err);
void rules_free(struct rules *r); /* takes NULL */
/* The rules of `network`, narrowed to `hosts`, a list of rules with hosts and ports only: never
 * more than either allows. A host in `hosts` that no rule has is an error. */
int rules_narrow(const json_t *network, const json_t *hosts, json_t **ret,
                 struct retort_error *err);
/* What both lists allow. Hosts in `hosts` that no rule has are left out; a host without ports has
 * 80 and 443. */
int rules_within(const json_t *network, const json_t *hosts, json_t **ret,
                 struct retort_error *err);

bool rule_has_port(const struct rule *rule, uint16_t port);
/* The first rule for this host and port and, where they are given, this method and path; or -1. */
int rules_find(const struct rules *r, const char *host, uint16_t port, const char *method,
               const char *path);
/* Whether we have to read requests to this host and port to know whether they are allowed. */
bool rules_read(const struct rules *r, const char *host, uint16_t port);
bool rules_any_read(const struct rules *r); /* the same for any host */
/* Whether all programs read the path in the same way, so that we may compare its beginning. */
bool path_is_plain(const char *path);
/* "api.example.com, *.example.org:8443": for a client that is refused. */
void rules_text(const struct rules *r, char *ret, size_t size);
