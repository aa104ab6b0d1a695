#include "serve/http/guard.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"

#define MAX_TOKENS 1024
#define TOKEN_SIZE 256
#define MIN_TOKEN 16

struct known {
    unsigned char digest[SHA256_DIGEST_LENGTH];
    struct guard_token token;
};

struct guard {
    bool with_tokens, loopback;
    const char *const *hosts, *const *origins;
    struct known *known;
    size_t count;
    struct guard_token everybody;
};

/* --- the token file --- */

static int read_option(const char *word, struct guard_token *token) {
    char *end;
    unsigned long n;

    if (strncmp(word, "name=", 5) == 0 && word[5]) {
        snprintf(token->name, sizeof token->name, "%s", word + 5);
        return 0;
    }
    if (strcmp(word, "admin") == 0) {
        token->admin = true;
        return 0;
    }
    if (strncmp(word, "review=", 7) == 0)
        return strictness_parse(word + 7, &token->review, &(struct retort_error){0});
    if (strncmp(word, "sessions=", 9) != 0)
        return caps_word(word, &token->caps);
    if (word[9] < '0' || word[9] > '9')
        return -EINVAL;
    n = strtoul(word + 9, &end, 10);
    if (*end || n > 1000000)
        return -EINVAL;
    token->sessions = (unsigned)n;
    return 0;
}

int guard_parse_line(const char *line, char *token, size_t size, struct guard_token *ret_token) {
    scoped_free char *copy = strdup(line);
    char *at = NULL, *word = copy ? strtok_r(copy, " \t\r\n", &at) : NULL;

    if (!word || word[0] == '#')
        return copy ? 0 : -ENOMEM;
    if (strlen(word) < MIN_TOKEN || strlen(word) >= size)
        return -EINVAL;
    *ret_token = (struct guard_token){0};
    snprintf(token, size, "%s", word);
    while ((word = strtok_r(NULL, " \t\r\n", &at)))
        if (read_option(word, ret_token) < 0)
            return -EINVAL;
    return 1;
}

static void digest_of(const char *token, unsigned char digest[SHA256_DIGEST_LENGTH]) {
    SHA256((const unsigned char *)token, strlen(token), digest);
}

static void add_token(struct guard *guard, const char *text, const struct guard_token *token) {
    struct known *known = &guard->known[guard->count++];

    digest_of(text, known->digest);
    known->token = *token;
    snprintf(known->token.owner, sizeof known->token.owner, "token-");
    for (size_t i = 0; i < 12; i++)
        snprintf(known->token.owner + 6 + 2 * i, 3, "%02x", known->digest[i]);
    if (!known->token.name[0])
        snprintf(known->token.name, sizeof known->token.name, "%.12s", known->token.owner);
}

static int read_tokens(struct guard *guard, FILE *file, const char *path,
                       struct retort_error *err) {
    char line[1024], text[TOKEN_SIZE];
    struct guard_token token;

    for (int number = 1; fgets(line, sizeof line, file); number++) {
        /* Otherwise the rest of a line that is too long would be read as a token. */
        bool whole = strlen(line) + 1 < sizeof line || line[sizeof line - 2] == '\n';
        int r = whole ? guard_parse_line(line, text, sizeof text, &token) : -EINVAL;

        if (r < 0 || guard->count == MAX_TOKENS)
            return err_set(
                err, ERR_CALLER, EINVAL,
                "%s, line %d: expected TOKEN [name=…] [admin] [sessions=N] [review=MODE] "
                "[LIMIT=N]…, with a token of at "
                "least %d characters",
                path, number, MIN_TOKEN);
        if (r > 0)
            add_token(guard, text, &token);
    }
    OPENSSL_cleanse(line, sizeof line);
    OPENSSL_cleanse(text, sizeof text);
    if (guard->count == 0)
        return err_set(err, ERR_CALLER, EINVAL, "%s holds no token", path);
    return 0;
}

static int load_tokens(struct guard *guard, const char *path, struct retort_error *err) {
    FILE *file = fopen(path, "re");
    int r;

    if (!file)
        return err_errno(err, ERR_CALLER, errno, "cannot read the token file %s", path);
    guard->known = calloc(MAX_TOKENS, sizeof *guard->known);
    r = guard->known ? read_tokens(guard, file, path, err) : err_memory(err);
    fclose(file);
    return r;
}

int guard_new(const char *token_file, bool loopback, const char *const *hosts,
              struct guard **ret_guard, struct retort_error *err) {
    struct guard *guard = calloc(1, sizeof *guard);
    int r;

    if (!guard)
        return err_memory(err);
    guard->loopback = loopback;
    guard->hosts = hosts;
    guard->with_tokens = token_file != NULL;
    guard->everybody = (struct guard_token){.owner = "local", .name = "local", .alone = true};
    r = token_file ? load_tokens(guard, token_file, err) : 0;
    if (r < 0)
        guard_free(guard);
    else
        *ret_guard = guard;
    return r;
}

int guard_lock(struct guard *guard, const char *token) {
    guard->known = calloc(1, sizeof *guard->known);
    if (!guard->known)
        return -ENOMEM;
    digest_of(token, guard->known->digest);
    guard->known->token = guard->everybody;
    guard->known->token.admin = true;
    guard->count = 1;
    guard->with_tokens = true;
    return 0;
}

void guard_free(struct guard *guard) {
    if (!guard)
        return;
    free(guard->known);
    free(guard);
}

const struct guard_token *guard_token(const struct guard *guard, const char *authorization) {
    const struct guard_token *found = NULL;
    unsigned char digest[SHA256_DIGEST_LENGTH];

    if (!guard->with_tokens)
        return &guard->everybody;
    if (!authorization || strncasecmp(authorization, "Bearer ", 7) != 0)
        return NULL;
    authorization += 7 + strspn(authorization + 7, " ");
    digest_of(authorization, digest);
    /* Compares all of them, so that the time tells nothing. */
    for (size_t i = 0; i < guard->count; i++)
        if (CRYPTO_memcmp(digest, guard->known[i].digest, sizeof digest) == 0)
            found = &guard->known[i].token;
    return found;
}

const struct guard_token *guard_owner(const struct guard *guard, const char *owner) {
    for (size_t i = 0; i < guard->count; i++)
        if (strcmp(guard->known[i].token.owner, owner) == 0)
            return &guard->known[i].token;
    return guard->with_tokens ? NULL : &guard->everybody;
}

/* --- Host and Origin --- */

/* Length of the host in "host[:port]" or "[v6][:port]"; 0 if it is neither. */
static size_t host_length(const char *text) {
    size_t len;
    const char *port;

    if (text[0] == '[') {
        const char *end = strchr(text, ']');

        if (!end)
            return 0;
        len = (size_t)(end - text) + 1;
    } else {
        len = strcspn(text, ":/");
    }
    port = text + len;
    if (*port == ':')
        port += 1 + strspn(port + 1, "0123456789");
    return *port ? 0 : len;
}

/* A name that begins with a dot stands for all names below it. */
static bool host_is(const char *text, size_t len, const char *name) {
    size_t n = strlen(name);

    if (name[0] == '.')
        return len > n && strncasecmp(text + len - n, name, n) == 0;
    return n == len && strncasecmp(text, name, len) == 0;
}

static bool host_allowed(const struct guard *guard, const char *text, size_t len) {
    static const char *const loopback[] = {"localhost", ".localhost", "127.0.0.1", "[::1]", NULL};
    const char *const *names = guard->hosts ? guard->hosts : loopback;

    if (len == 0)
        return false;
    if (!guard->hosts && !guard->loopback)
        return true;
    for (; *names; names++)
        if (host_is(text, len, *names))
            return true;
    return false;
}

static const char *origin_host(const char *origin) {
    const char *host = strstr(origin, "://");

    return host ? host + 3 : NULL;
}

void guard_allow_origins(struct guard *guard, const char *const *origins) {
    guard->origins = origins;
}

bool guard_origin(const struct guard *guard, const char *origin) {
    for (const char *const *one = guard->origins; origin && one && *one; one++)
        if (strcasecmp(origin, *one) == 0)
            return true;
    return false;
}

bool guard_is_origin(const char *text) {
    const char *host = origin_host(text);

    return host && (strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0) &&
           host_length(host) > 0 && !strpbrk(host, "*?#@ \t");
}

bool guard_host(const struct guard *guard, const char *host, const char *origin) {
    size_t len = host ? host_length(host) : 0;
    const char *from;

    if (!host_allowed(guard, host, len))
        return false;
    if (!origin || guard_origin(guard, origin))
        return true;
    from = origin_host(origin);
    if (!from || !host_allowed(guard, from, host_length(from)))
        return false;
    return guard->hosts || guard->loopback ||
           (host_length(from) == len && strncasecmp(from, host, len) == 0);
}
