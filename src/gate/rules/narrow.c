/* What two lists of rules allow together. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/unconst.h"
#include "gate/rules/rules.h"

static bool name_is_below(const char *name, const char *above) {
    size_t have = strlen(name), want = strlen(above);
    return have > want && name[have - want - 1] == '.' && strcmp(name + have - want, above) == 0;
}

/* Whether every host of `few` is one of `many`. */
static bool hosts_within(const struct rule *few, const struct rule *many) {
    bool same = strcmp(few->host, many->host) == 0;
    if (same && few->wildcard == many->wildcard)
        return true;
    return many->wildcard && name_is_below(few->host, many->host);
}

/* With `chooses`, a host that `asked` names without ports gets all ports of the rule. */
static json_t *ports_of_both(const struct rule *given, const struct rule *asked, bool chooses) {
    json_t *ports = json_array();
    for (unsigned i = 0; i < given->nports; i++)
        if ((chooses && asked->any_ports) || rule_has_port(asked, given->ports[i]))
            json_array_append_new(ports, json_integer(given->ports[i]));
    return ports;
}

/* `from` is the JSON of `given`; its words, secret and authority stay. */
static json_t *rule_of_both(const json_t *from, const struct rule *given, const struct rule *asked,
                            bool chooses) {
    const struct rule *least = hosts_within(asked, given)   ? asked
                               : hosts_within(given, asked) ? given
                                                            : NULL;
    json_t *ports = least ? ports_of_both(given, asked, chooses) : NULL;
    if (!least || !json_array_size(ports)) {
        json_decref(ports);
        return NULL;
    }
    json_t *both = json_is_object(from) ? json_deep_copy(from) : json_object();
    json_object_set_new(both, "host",
                        json_sprintf("%s%s", least->wildcard ? "*." : "", least->host));
    json_object_set_new(both, "ports", ports);
    return both;
}

static int only_hosts(const json_t *asked, struct retort_error *err) {
    size_t i;
    const json_t *one;
    json_array_foreach(asked, i, one) {
        bool ports = json_object_get(one, "ports");
        if (json_is_object(one) && json_object_size(one) != (ports ? 2 : 1))
            return err_set(err, ERR_CALLER, EPERM,
                           "network: of the rules that it is given, a client may choose by host "
                           "and ports alone");
    }
    return json_is_array(asked) ? 0
                                : err_set(err, ERR_CALLER, EINVAL,
                                          "network: must be a list of hosts to choose from rules");
}

/* Keeps the order of the given rules, because the first that fits counts. With `chooses`, a host
 * that no rule has is an error. */
static int keep_of_both(const struct rules *given, const json_t *from, const struct rules *asked,
                        bool chooses, json_t *ret, struct retort_error *err) {
    bool found[MAX_RULES] = {false};
    for (unsigned i = 0; i < given->count; i++)
        for (unsigned j = 0; j < asked->count; j++) {
            json_t *both =
                rule_of_both(json_array_get(from, i), &given->list[i], &asked->list[j], chooses);
            found[j] |= both != NULL;
            if (both)
                json_array_append_new(ret, both);
        }
    for (unsigned j = 0; chooses && j < asked->count; j++)
        if (!found[j])
            return err_set(err, ERR_CALLER, EPERM,
                           "network: %.80s is not among the hosts and ports that this server "
                           "allows",
                           asked->list[j].host);
    return json_array_size(ret) <= MAX_RULES
               ? 0
               : err_set(err, ERR_CALLER, E2BIG, "network: this makes more than 64 rules");
}

static int of_both(const json_t *network, const json_t *hosts, bool chooses, json_t **ret,
                   struct retort_error *err) {
    const json_t *list = json_is_object(network) ? json_object_get(network, "rules") : network;
    struct rules *given = NULL, *asked = NULL;
    json_t *chosen = json_array();
    int r = only_hosts(hosts, err);
    if (r == 0)
        r = rules_new(network, &given, err);
    if (r == 0)
        r = rules_new(hosts, &asked, err);
    if (r == 0)
        r = keep_of_both(given, list, asked, chooses, chosen, err);
    rules_free(given);
    rules_free(asked);
    if (r < 0) {
        json_decref(chosen);
        return r;
    }
    *ret = json_is_object(network) ? json_copy(unconst(network)) : json_object();
    json_object_set_new(*ret, "rules", chosen);
    return 0;
}

int rules_narrow(const json_t *network, const json_t *hosts, json_t **ret,
                 struct retort_error *err) {
    return of_both(network, hosts, true, ret, err);
}

int rules_within(const json_t *network, const json_t *hosts, json_t **ret,
                 struct retort_error *err) {
    return of_both(network, hosts, false, ret, err);
}
