/* Who may come in: the Host and Origin headers, and tokens.
 *
 * Runs in: broker.
 * Hostile: the headers; the token file is the operator's.
 * Tests: tests/unit/test_guard.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "engine/host/strictness.h"
#include "serve/hosted/caps.h"
#include "serve/hosted/registry.h"

struct guard;

struct guard_token {
    char owner[OWNER_SIZE]; /* made from the token, so that two tokens of the same name share
                               nothing */
    char name[48];
    unsigned sessions; /* 0: no limit of its own */
    struct retort_limits caps;
    enum strictness review; /* of code: the least strict */
    bool admin;             /* may make and remove environments */
    bool alone;             /* there are no tokens: every client is this one */
};

/* `token_file` NULL: every client is the owner "local". `hosts`: names under which the server is
 * reached, or ".NAME" for all below a name, NULL-terminated. If it is NULL: with `loopback`, the
 * names of the loopback; without, any name, and Origin must name the same host. */
int guard_new(const char *token_file, bool loopback, const char *const *hosts,
              struct guard **ret_guard, struct retort_error *err);
/* Makes the server private: from now on it wants this token. Its holder is the only user, and an
 * administrator. */
int guard_lock(struct guard *guard, const char *token);
/* Origins whose pages may read answers, NULL-terminated; NULL: only the server's own. */
void guard_allow_origins(struct guard *guard, const char *const *origins);
void guard_free(struct guard *guard);

/* Whether a request with these headers was meant for this server. NULL: no such header. */
bool guard_host(const struct guard *guard, const char *host, const char *origin);
/* Whether pages of this origin are allowed by name: then we tell the browser so. NULL: no such
 * header. */
bool guard_origin(const struct guard *guard, const char *origin);
/* SCHEME://HOST[:PORT], as a browser sends it. Pure. */
bool guard_is_origin(const char *text);
/* The value of the header Authorization. NULL if it lets nobody in. */
const struct guard_token *guard_token(const struct guard *guard, const char *authorization);

/* The token that makes this owner, or NULL. */
const struct guard_token *guard_owner(const struct guard *guard, const char *owner);

/* One line of a token file: 1 a token, 0 nothing, -EINVAL. Pure. */
int guard_parse_line(const char *line, char *token, size_t size, struct guard_token *ret_token);
