#include "environments/reach.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "engine/host/packages.h"

/* Large libraries have files of gigabytes, and npm makes thousands of requests for a tree. */
#define REACH_BYTES (32ll << 30)
#define REACH_RATE 60000
#define REACH_CONNECTIONS 64

bool reach_is_url(const char *text) {
    return strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0;
}

struct origin {
    char host[256];
    unsigned port;
};

/* scheme://[user@]host[:port][/…] */
static int parse(const char *url, struct origin *ret) {
    bool tls = url[4] == 's';
    const char *at = strstr(url, "://") + 3;
    size_t len = strcspn(at, "/?#");
    /* The last @, as in pip, because a password may contain one. */
    const char *user = memrchr(at, '@', len);
    if (user) {
        len -= (size_t)(user + 1 - at);
        at = user + 1;
    }
    /* An IPv6 address stands in brackets, because it has colons itself. */
    const char *bracket = at[0] == '[' ? memchr(at, ']', len) : NULL;
    const char *from = bracket ? bracket : at,
               *colon = memchr(from, ':', len - (size_t)(from - at));
    size_t host = colon ? (size_t)(colon - at) : len;
    ret->port = tls ? 443 : 80;
    if (host == 0 || host >= sizeof ret->host ||
        (at[0] == '[' && (!bracket || bracket + 1 != at + host)) ||
        (colon && (sscanf(colon, ":%5u", &ret->port) != 1 ||
                   strspn(colon + 1, "0123456789") != len - host - 1)) ||
        ret->port == 0 || ret->port > 65535)
        return -EINVAL;
    snprintf(ret->host, sizeof ret->host, "%.*s", (int)host, at);
    return 0;
}

/* The address that the caller gave for the host, or NULL. */
static const char *address_of(const char *host, const json_t *addresses) {
    size_t i, len = strlen(host);
    const json_t *one;
    json_array_foreach(addresses, i, one) {
        const char *text = json_string_value(one);
        if (text && strncmp(text, host, len) == 0 && text[len] == '=')
            return text + len + 1;
    }
    return NULL;
}

static void add_host(json_t *rules, const struct origin *origin, const json_t *addresses) {
    json_t *rule = json_pack("{s:s s:[i]}", "host", origin->host, "ports", (int)origin->port);
    const char *address = address_of(origin->host, addresses);
    if (address)
        json_object_set_new(rule, "address", json_string(address));
    json_array_append_new(rules, rule);
}

static int add_url(json_t *rules, const char *url, const json_t *addresses,
                   struct retort_error *err) {
    struct origin origin;
    if (!url || !reach_is_url(url))
        return 0;
    if (parse(url, &origin) < 0) {
        char *shown = packages_public(url);
        err_set(err, ERR_CALLER, EINVAL, "'%.100s' is no address of an index", shown ? shown : "");
        free(shown);
        return -EINVAL;
    }
    add_host(rules, &origin, addresses);
    if (strcmp(origin.host, "pypi.org") == 0) { /* its files are on another host */
        snprintf(origin.host, sizeof origin.host, "files.pythonhosted.org");
        add_host(rules, &origin, addresses);
    }
    return 0;
}

int reach_rules(const char *index, const char *registry, const json_t *addresses, char **ret,
                struct retort_error *err) {
    json_t *rules = json_array();
    json_t *network =
        json_pack("{s:o s:I s:i s:i}", "rules", rules, "bytes", (json_int_t)REACH_BYTES, "rate",
                  REACH_RATE, "connections", REACH_CONNECTIONS);
    int r = add_url(rules, index, addresses, err);
    if (r == 0)
        r = add_url(rules, registry, addresses, err);
    if (r == 0 && !(*ret = json_whole(network, JSON_COMPACT)))
        r = err_set(err, ERR_HOST, ENOMEM, "cannot hold the network rules");
    json_decref(network);
    return r;
}
