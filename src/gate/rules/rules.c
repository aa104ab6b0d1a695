#include "gate/rules/rules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unconst.h"

#define USUAL_CONNECTIONS 32
#define USUAL_RATE 600
#define USUAL_BYTES (1ull << 30)

/* --- reading them --- */

static int bad_rule(struct retort_error *err, const char *what, const char *why) {
    return err_set(err, ERR_CALLER, EINVAL, "network: %.80s: %s", what, why);
}

static int take_host(struct rule *rule, const char *text, struct retort_error *err) {
    rule->wildcard = strncmp(text, "*.", 2) == 0;
    const char *name = text + 2 * rule->wildcard;
    if (!host_normalise(name, strlen(name), rule->host))
        return bad_rule(err, text, "is no name or address of a host");
    bool literal = address_parse(rule->host, &rule->address);
    if (literal && rule->wildcard)
        return bad_rule(err, text, "an address has no names below it");
    return 0;
}

static int take_port(struct rule *rule, json_int_t port, struct retort_error *err) {
    if (port < 1 || port > 65535 || rule->nports == MAX_RULE_PORTS)
        return bad_rule(err, rule->host, "ports are at most 16 numbers from 1 to 65535");
    rule->ports[rule->nports++] = (uint16_t)port;
    return 0;
}

/* "HOST", "HOST:PORT", "[::1]:PORT"; an IPv6 address without brackets has no port. */
static int rule_from_text(const char *text, struct rule *rule, struct retort_error *err) {
    char host[HOST_SIZE + 2];
    const char *colon = strrchr(text, ':');
    bool port = colon && (strchr(text, ':') == colon || (colon > text && colon[-1] == ']'));
    size_t len = port ? (size_t)(colon - text) : strlen(text);
    char *end = NULL;
    if (len >= sizeof host)
        return bad_rule(err, text, "is no name or address of a host");
    memcpy(host, text, len);
    host[len] = 0;
    int r = take_host(rule, host, err);
    if (r == 0 && port) {
        long number = colon[1] >= '0' && colon[1] <= '9' ? strtol(colon + 1, &end, 10) : 0;
        r = end && !*end ? take_port(rule, number, err)
                         : bad_rule(err, text, "what follows the colon is no port");
    }
    return r;
}

static int take_ports(struct rule *rule, const json_t *value, struct retort_error *err) {
    size_t i;
    const json_t *port;
    int r = json_is_array(value) && json_array_size(value)
                ? 0
                : bad_rule(err, rule->host, "ports must be a list of numbers");
    json_array_foreach(value, i, port) {
        if (r == 0)
            r = json_is_integer(port) ? take_port(rule, json_integer_value(port), err)
                                      : bad_rule(err, rule->host, "ports are numbers");
    }
    return r;
}

static bool is_rule_token(const char *text) {
    static const char marks[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-!#$%&'*+.^_`|~";
    return text && text[0] && strlen(text) < 64 && !text[strspn(text, marks)];
}

static bool is_path_prefix(const char *text) {
    return text && text[0] == '/' && strlen(text) < 1024 && path_is_plain(text);
}

static int take_words(char **to, const json_t *value, bool (*fits)(const char *), const char *what,
                      struct retort_error *err) {
    size_t i;
    const json_t *word;
    if (!json_is_array(value) || !json_array_size(value) ||
        json_array_size(value) >= MAX_RULE_WORDS)
        return bad_rule(err, what, "must be a list of 1 to 31 texts");
    json_array_foreach(value, i, word) {
        const char *text = json_string_value(word);
        if (!fits(text))
            return bad_rule(err, what, text ? text : "must be texts");
        if (!(to[i] = strdup(text)))
            return err_errno(err, ERR_HOST, ENOMEM, "cannot hold the rules");
    }
    return 0;
}

static int take_address(struct rule *rule, const json_t *value, struct retort_error *err) {
    const char *text = json_string_value(value);
    if (rule->address.family || !text || !address_parse(text, &rule->address))
        return bad_rule(err, rule->host, "address must be that of a host that has a name");
    return 0;
}

static int take_protocol(struct rule *rule, const json_t *value, struct retort_error *err) {
    const char *text = json_string_value(value);
    if (!text || (strcmp(text, "tcp") != 0 && strcmp(text, "http") != 0))
        return bad_rule(err, rule->host, "protocol must be http (with or without TLS) or tcp");
    rule->raw = text[0] == 't';
    return 0;
}

static int take_text(char **to, const json_t *value, const char *what, struct retort_error *err) {
    const char *text = json_string_value(value);
    if (!text || !text[0] || strlen(text) != json_string_length(value))
        return bad_rule(err, what, "must be a text");
    *to = strdup(text);
    return *to ? 0 : err_errno(err, ERR_HOST, ENOMEM, "cannot hold the rules");
}

static int take_secret(struct rule *rule, const json_t *secret, struct retort_error *err) {
    const json_t *header = json_object_get(secret, "header"),
                 *value = json_object_get(secret, "value"),
                 *hidden = json_object_get(secret, "hidden");
    if (!is_rule_token(json_string_value(header)) || !json_is_string(value) ||
        json_object_size(secret) != (hidden ? 3 : 2) || strpbrk(json_string_value(value), "\r\n") ||
        json_string_length(value) > 4096)
        return bad_rule(err, rule->host, "a secret has a header and a value, with ${NAME} in it");
    int r = take_text(&rule->header, header, "header", err);
    if (r == 0)
        r = take_text(&rule->value, value, "value", err);
    return r == 0 && hidden ? take_text(&rule->hidden, hidden, "hidden", err) : r;
}

static int take_member(struct rule *rule, const char *name, const json_t *value,
                       struct retort_error *err) {
    if (strcmp(name, "ports") == 0)
        return take_ports(rule, value, err);
    if (strcmp(name, "address") == 0)
        return take_address(rule, value, err);
    if (strcmp(name, "protocol") == 0)
        return take_protocol(rule, value, err);
    if (strcmp(name, "secret") == 0)
        return take_secret(rule, value, err);
    if (strcmp(name, "authority") == 0)
        return take_text(&rule->authority, value, "authority", err);
    if (strcmp(name, "methods") == 0)
        return take_words(rule->methods, value, is_rule_token, "methods", err);
    if (strcmp(name, "paths") == 0)
        return take_words(rule->paths, value, is_path_prefix, "paths", err);
    return strcmp(name, "host") == 0 ? 0
                                     : bad_rule(err, name,
                                                "a rule has host, ports, address, protocol, "
                                                "methods, paths, secret and authority");
}

static int rule_from_object(const json_t *from, struct rule *rule, struct retort_error *err) {
    const char *host = json_string_value(json_object_get(from, "host")), *name;
    json_t *value;
    int r = host ? take_host(rule, host, err) : bad_rule(err, "a rule", "needs a host");
    json_object_foreach(unconst(from), name, value) {
        if (r == 0)
            r = take_member(rule, name, value, err);
    }
    if (r == 0 && rule->raw && (rule->methods[0] || rule->paths[0] || rule->header))
        r = bad_rule(err, rule->host, "nothing is read of what is plain tcp");
    return r;
}

static int take_rule(struct rules *rules, const json_t *from, struct retort_error *err) {
    struct rule *rule = &rules->list[rules->count];
    if (rules->count == MAX_RULES)
        return bad_rule(err, "rules", "there are more than 64");
    rules->count++;
    int r = json_is_string(from)   ? rule_from_text(json_string_value(from), rule, err)
            : json_is_object(from) ? rule_from_object(from, rule, err)
                                   : bad_rule(err, "a rule", "must be a text or an object");
    rule->any_ports = !rule->nports;
    if (r == 0 && rule->any_ports) {
        rule->ports[rule->nports++] = 80;
        rule->ports[rule->nports++] = 443;
    }
    return r;
}

static int take_rules(struct rules *rules, const json_t *list, struct retort_error *err) {
    size_t i;
    const json_t *one;
    int r = json_is_array(list) ? 0 : bad_rule(err, "rules", "must be a list");
    json_array_foreach(list, i, one) {
        if (r == 0)
            r = take_rule(rules, one, err);
    }
    return r;
}

static int take_amount(const json_t *value, const char *name, uint64_t most, uint64_t *ret,
                       struct retort_error *err) {
    json_int_t n = json_integer_value(value);
    if (!json_is_integer(value) || n < 1 || (uint64_t)n > most)
        return bad_rule(err, name, "must be a number greater than 0, and not as large");
    *ret = (uint64_t)n;
    return 0;
}

static int take_network(struct rules *rules, const json_t *network, struct retort_error *err) {
    uint64_t connections = rules->connections, rate = rules->rate;
    const char *name;
    json_t *value;
    int r = 0;
    json_object_foreach(unconst(network), name, value) {
        if (r == 0)
            r = strcmp(name, "rules") == 0 ? take_rules(rules, value, err)
                : strcmp(name, "connections") == 0
                    ? take_amount(value, name, 256, &connections, err)
                : strcmp(name, "rate") == 0 ? take_amount(value, name, 60000, &rate, err)
                : strcmp(name, "bytes") == 0
                    ? take_amount(value, name, 1ull << 50, &rules->bytes, err)
                    : bad_rule(err, name, "there are rules, connections, rate and bytes");
    }
    rules->connections = (unsigned)connections;
    rules->rate = (unsigned)rate;
    return r;
}

int rules_new(const json_t *network, struct rules **ret, struct retort_error *err) {
    struct rules *rules = calloc(1, sizeof *rules);
    if (!rules)
        return err_errno(err, ERR_HOST, ENOMEM, "cannot hold the rules");
    rules->connections = USUAL_CONNECTIONS;
    rules->rate = USUAL_RATE;
    rules->bytes = USUAL_BYTES;
    int r = json_is_object(network) ? take_network(rules, network, err)
                                    : take_rules(rules, network, err);
    if (r < 0)
        rules_free(rules);
    else
        *ret = rules;
    return r;
}

static void words_free(char **words) {
    for (; *words; words++)
        free(*words);
}

static void forget_secret(char *secret) {
    if (secret)
        explicit_bzero(secret, strlen(secret));
    free(secret);
}

void rules_free(struct rules *r) {
    for (unsigned i = 0; r && i < r->count; i++) {
        words_free(r->list[i].methods);
        words_free(r->list[i].paths);
        free(r->list[i].header);
        forget_secret(r->list[i].value);
        forget_secret(r->list[i].hidden);
        free(r->list[i].authority);
    }
    free(r);
}

/* --- following them --- */

static bool host_fits(const struct rule *rule, const char *host) {
    size_t have = strlen(host), want = strlen(rule->host);
    if (!rule->wildcard)
        return strcmp(host, rule->host) == 0;
    return have > want + 1 && host[have - want - 1] == '.' &&
           strcmp(host + have - want, rule->host) == 0;
}

bool rule_has_port(const struct rule *rule, uint16_t port) {
    for (unsigned i = 0; i < rule->nports; i++)
        if (rule->ports[i] == port)
            return true;
    return false;
}

static bool rule_has_method(const struct rule *rule, const char *method) {
    if (!rule->methods[0] || !method)
        return true;
    for (char *const *m = rule->methods; *m; m++)
        if (strcmp(*m, method) == 0)
            return true;
    return false;
}

bool path_is_plain(const char *path) {
    /* The last ones: encoded twice, and overlong UTF-8. */
    static const char *const hidden[] = {"//",  "/./", "/../", "%2e", "%2E", "%2f",
                                         "%2F", "%5c", "%5C",  "\\",  "%00", ";",
                                         "%25", "%c0", "%C0",  "%c1", "%C1"};
    size_t len = strcspn(path, "?#");
    char whole[2048];
    if (path[0] != '/' || len + 2 > sizeof whole)
        return false;
    memcpy(whole, path, len);
    memcpy(whole + len, "/", 2); /* so that a last part ".." is followed by a slash, too */
    whole[len + (len && whole[len - 1] != '/')] = 0;
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)whole[i] > 126)
            return false;
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (strstr(whole, hidden[i]))
            return false;
    return true;
}

static bool begins_with(const char *path, const char *prefix) {
    size_t len = strlen(prefix);
    if (strncmp(path, prefix, len) != 0)
        return false;
    return prefix[len - 1] == '/' || strchr("/?#", path[len]) != NULL;
}

static bool rule_has_path(const struct rule *rule, const char *path) {
    if (!rule->paths[0] || !path)
        return true;
    bool plain = path_is_plain(path);
    for (char *const *p = rule->paths; *p; p++)
        if (strcmp(*p, "/") == 0 || (plain && begins_with(path, *p))) /* "/": any path */
            return true;
    return false;
}

int rules_find(const struct rules *r, const char *host, uint16_t port, const char *method,
               const char *path) {
    for (unsigned i = 0; i < r->count; i++) {
        const struct rule *rule = &r->list[i];
        if (host_fits(rule, host) && rule_has_port(rule, port) && rule_has_method(rule, method) &&
            rule_has_path(rule, path))
            return (int)i;
    }
    return -1;
}

bool rules_any_read(const struct rules *r) {
    for (unsigned i = 0; i < r->count; i++)
        if (r->list[i].methods[0] || r->list[i].paths[0] || r->list[i].header)
            return true;
    return false;
}

bool rules_read(const struct rules *r, const char *host, uint16_t port) {
    for (unsigned i = 0; i < r->count; i++) {
        const struct rule *rule = &r->list[i];
        if (host_fits(rule, host) && rule_has_port(rule, port))
            return rule->methods[0] || rule->paths[0] || rule->header;
    }
    return false;
}

void rules_text(const struct rules *r, char *ret, size_t size) {
    size_t at = 0;
    ret[0] = 0;
    for (unsigned i = 0; i < r->count && at < size; i++) {
        const struct rule *rule = &r->list[i];
        char ports[16] = "";
        if (rule->ports[0] != 80 || rule->nports != 2)
            snprintf(ports, sizeof ports, ":%u", rule->ports[0]);
        int n = snprintf(ret + at, size - at, "%s%s%s%s", i ? ", " : "", rule->wildcard ? "*." : "",
                         rule->host, ports);
        at += n > 0 ? (size_t)n : 0;
    }
}
