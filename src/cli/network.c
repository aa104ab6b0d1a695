/* Network rules, from the options --allow and --network. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/scope.h"
#include "cli/cli.h"

static int read_network(const char *path, json_t **ret) {
    json_error_t where;
    scoped_fd fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return cli_fail("cannot read %s: %s", path, strerror(errno));
    json_t *file = json_in_fd(fd, JSON_REJECT_DUPLICATES, &where);
    if (!file)
        return cli_fail("%s: line %d: %s", path, where.line, where.text);
    if (json_is_array(file)) {
        json_t *o = json_object();
        json_object_set_new(o, "rules", file);
        file = o;
    }
    if (!json_is_object(file) || !json_is_array(json_object_get(file, "rules"))) {
        json_decref(file);
        return cli_fail("%s: must be a list of rules, or an object that has \"rules\"", path);
    }
    *ret = file;
    return 0;
}

int cli_network(const struct cli_network *asked, const char **ret) {
    static char *text; /* static: a process has one command line */
    json_t *network = NULL;
    if (!asked->file && !asked->allow.n)
        return 0;
    int status = asked->file ? read_network(asked->file, &network) : 0;
    if (status)
        return status;
    if (!network) {
        network = json_object();
        json_object_set_new(network, "rules", json_array());
    }
    for (size_t i = 0; i < asked->allow.n; i++)
        json_array_append_new(json_object_get(network, "rules"), json_string(asked->allow.at[i]));
    free(text);
    text = json_whole(network, JSON_COMPACT);
    json_decref(network);
    *ret = text;
    return text ? 0 : cli_fail("an option is no UTF-8");
}
