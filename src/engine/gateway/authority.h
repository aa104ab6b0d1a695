/* What the gate gets for a session beside its rules: the secrets, filled in, and the authority by
 * which the gate reads TLS.
 *
 * Runs in: the broker.
 * Hostile: nothing; rules are the caller's.
 * Life cycle: the first gate makes it (gateway.c), the next ones get it; authority_done.
 * Owns: the key and the certificate, in memory only.
 * Invariants: no session ever has the key; sessions have the certificate, and nobody else trusts it.
 * Tests: tests/system/test_network.py
 */
#pragma once

#include "base/err.h"

struct authority {
    char *key, *certificate; /* PEM; NULL: none was needed yet */
};

void authority_done(struct authority *a);
/* All authorities that the session is to trust: the system's, and ours. malloc'ed. */
char *authority_bundle(const struct authority *a);

/* The rules, with the variables of this process and the files that they refer to filled in. The
 * caller wipes the text (explicit_bzero) and frees it. `a` may have no key. */
int authority_disclose(const struct authority *a, const char *network, char **ret,
                       struct retort_error *err);
