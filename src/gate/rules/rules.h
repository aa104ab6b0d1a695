/* Rules: whom a session may connect to, and what it may ask there.
 *
 * Written as JSON: a list of rules, or {"rules": […], "connections", "rate", "bytes"}. A rule is
 * "HOST[:PORT]" or {"host", "ports", "address", "protocol", "methods", "paths", "secret"}.
 *
 * Runs in: the broker, which checks them, and the gate, which follows them. Pure.
 * Hostile: names, methods and paths that are compared; the rules are the caller's.
 * Life cycle: rules_new; rules_free.
 * Owns: everything in it.
 * Invariants: no rule allows an address that is not public but one that names it.
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
    bool wildcard;          /* names below it, and not the name itself */
    struct address address; /* the only one to connect to; family 0: what the name leads to */
    bool raw;               /* "protocol": "tcp": whatever is said there is not looked at */
    uint16_t ports[MAX_RULE_PORTS];
    unsigned nports;
    bool any_ports;                                        /* nobody named them: 80 and 443 */
    char *methods[MAX_RULE_WORDS], *paths[MAX_RULE_WORDS]; /* NULL after the last */
    char *header, *value; /* of the secret, or NULL; for the gate with what it stands for, … */
    char *hidden;         /* … which is this */
    char *authority;      /* who vouches for the server: a file; for the gate what is in it */
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
/* The rules of `network` as far as `hosts`, a list of rules with hosts and ports alone, has them:
 * never more than either allows. One of `hosts` that no rule has is an error. */
int rules_narrow(const json_t *network, const json_t *hosts, json_t **ret,
                 struct retort_error *err);
/* What both lists allow, without those of `hosts` that no rule has. One without ports has 80 and 443. */
int rules_within(const json_t *network, const json_t *hosts, json_t **ret,
                 struct retort_error *err);

bool rule_has_port(const struct rule *rule, uint16_t port);
/* The first rule for this host and port and, where they are given, this method and path; or -1. */
int rules_find(const struct rules *r, const char *host, uint16_t port, const char *method,
               const char *path);
/* Whether requests to this host and port have to be read to know whether they are allowed. */
bool rules_read(const struct rules *r, const char *host, uint16_t port);
bool rules_any_read(const struct rules *r); /* for some host or other */
/* A path that means the same to everybody, so that its beginning may be compared. */
bool path_is_plain(const char *path);
/* "api.example.com, *.example.org:8443": for those who are refused. */
void rules_text(const struct rules *r, char *ret, size_t size);
