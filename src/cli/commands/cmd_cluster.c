/* retort cluster: shows what a cluster is doing, and takes a node out of it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "cli/cli.h"
#include "cli/commands/clusteropts.h"

struct watch_args {
    struct cluster_args cluster;
    const char *what; /* the operand */
    bool json;
};

#define WATCH_AT(field) offsetof(struct watch_args, field)

static const struct opt watch_rows[] = {
    {"--json", 0, OPT_FLAG, NULL, WATCH_AT(json), "print it as JSON", 0},
    {"--cluster", 0, OPT_TEXT, "URL,…", WATCH_AT(cluster.urls),
     "servers of NATS (nats://127.0.0.1:4222)", 0},
    CLUSTER_ROWS(WATCH_AT(cluster)),
    OPT_END,
};

/* What `retort cluster --help` prints. */
static const struct opt_table watch_table = {
    .usage = "cluster status [options]",
    .about = "Tells which nodes a cluster has, and how its log is replicated.",
    .rows = {watch_rows},
    .operand = OPT_NO_OPERAND,
    .more = "The other commands:\n"
            "  cluster drain NODE      end a node; others take its sessions at once\n"
            "  cluster forget SESSION  remove a session from the log of the cluster\n",
};
static const struct opt_table order_table = {
    .usage = "cluster drain NODE | forget SESSION [options]",
    .about = "Ends a node, as SIGTERM would; removes a session from the log of the cluster.",
    .rows = {watch_rows},
    .operand = WATCH_AT(what),
};

/* --- status --- */

/* The servers that keep copies. None if only one server keeps the stream: newer servers name
 * themselves as its leader even then. */
static json_t *replicas_of(const json_t *info) {
    const json_t *config = json_object_get(info, "config"), *one;
    bool several = json_integer_value(json_object_get(config, "num_replicas")) > 1;
    const json_t *cluster = several ? json_object_get(info, "cluster") : NULL;
    const json_t *leader = json_object_get(cluster, "leader");
    json_t *list = json_array();
    size_t i;
    if (leader)
        json_array_append_new(list,
                              json_pack("{s:O s:b s:i}", "server", leader, "current", 1, "lag", 0));
    json_array_foreach(json_object_get(cluster, "replicas"), i, one) {
        bool current = json_is_true(json_object_get(one, "current")) &&
                       !json_is_true(json_object_get(one, "offline"));
        json_array_append_new(
            list, json_pack("{s:O? s:b s:I}", "server", json_object_get(one, "name"), "current",
                            current, "lag", json_integer_value(json_object_get(one, "lag"))));
    }
    return list;
}

static int stream_status(struct log_streams *s, enum stream stream, json_t **ret,
                         struct retort_error *err) {
    scoped_json *info = NULL;
    int r = streams_info(s, stream, NULL, &info, err);
    if (r < 0)
        return r;
    const json_t *state = json_object_get(info, "state");
    uint64_t space = streams_space(info);
    *ret = json_pack("{s:O? s:O? s:O? s:o}", "messages", json_object_get(state, "messages"),
                     "bytes", json_object_get(state, "bytes"), "subjects",
                     json_object_get(state, "num_subjects"), "replicas", replicas_of(info));
    if (space)
        json_object_set_new(*ret, "space", json_integer((json_int_t)space));
    return *ret ? 0 : err_memory(err);
}

/* A lease may lapse between listing the leases and reading one. */
static int nodes_status(struct log_streams *s, json_t *list, struct retort_error *err) {
    char all[BUS_SUBJECT];
    scoped_json *info = NULL;
    const char *subject;
    json_t *count;
    streams_subject(s, "lease", "*", all);
    int r = streams_info(s, STREAM_NODES, all, &info, err);
    if (r < 0)
        return r;
    json_object_foreach(json_object_get(json_object_get(info, "state"), "subjects"), subject,
                        count) {
        struct stream_message m;
        if (streams_last(s, STREAM_NODES, subject, &m, NULL) < 0)
            continue;
        json_array_append_new(list, json_in(m.data, m.len, 0, NULL));
        free(m.data);
    }
    return 0;
}

static int watch_read(struct log_streams *s, json_t **ret, struct retort_error *err) {
    json_t *nodes = json_array(), *log = NULL, *bytes = NULL;
    int r = nodes_status(s, nodes, err);
    if (r == 0)
        r = stream_status(s, STREAM_LOG, &log, err);
    if (r == 0)
        r = stream_status(s, STREAM_BYTES, &bytes, err);
    *ret = json_pack("{s:s s:o s:o* s:o*}", "cluster", s->name, "nodes", nodes, "log", log, "bytes",
                     bytes);
    return r;
}

static void print_stream(const char *what, const json_t *stream) {
    const json_t *one;
    size_t i;
    printf("%s: %lld messages of %lld subjects, %.1f MB", what,
           (long long)json_integer_value(json_object_get(stream, "messages")),
           (long long)json_integer_value(json_object_get(stream, "subjects")),
           (double)json_integer_value(json_object_get(stream, "bytes")) / 1e6);
    if (json_object_get(stream, "space"))
        printf(" of %.1f MB", (double)json_integer_value(json_object_get(stream, "space")) / 1e6);
    json_array_foreach(json_object_get(stream, "replicas"), i, one) {
        const char *server = json_string_value(json_object_get(one, "server"));
        long long lag = (long long)json_integer_value(json_object_get(one, "lag"));
        printf("%s %s%s", i ? "," : ";", server ? server : "?",
               i == 0                                          ? " leads"
               : json_is_true(json_object_get(one, "current")) ? ""
                                                               : " is behind");
        if (lag)
            printf(" by %lld", lag);
    }
    puts("");
}

static void watch_print(const json_t *status) {
    const json_t *node, *nodes = json_object_get(status, "nodes");
    size_t i;
    printf("%-48s %8s  %s\n", "node", "sessions", "version");
    json_array_foreach(nodes, i, node) {
        const char *name = json_string_value(json_object_get(node, "node"));
        const char *version = json_string_value(json_object_get(node, "version"));
        printf("%-48s %8lld  %s%s\n", name ? name : "?",
               (long long)json_integer_value(json_object_get(node, "sessions")),
               version ? version : "?",
               json_is_true(json_object_get(node, "draining")) ? ", ending" : "");
    }
    print_stream("log", json_object_get(status, "log"));
    print_stream("bytes", json_object_get(status, "bytes"));
}

static int watch_status(struct log_streams *s, const struct watch_args *args,
                        struct retort_error *err) {
    scoped_json *status = NULL;
    int r = watch_read(s, &status, err);
    if (r < 0)
        return r;
    if (!args->json) {
        watch_print(status);
    } else {
        scoped_free char *text = json_whole(status, JSON_INDENT(2) | JSON_ENSURE_ASCII);
        if (!text)
            return err_set(err, ERR_HOST, ENOMEM, "cannot hold the answer");
        puts(text);
    }
    return fflush(stdout) == 0 ? 0 : err_errno(err, ERR_HOST, errno, "cannot write");
}

/* --- orders --- */

static int watch_drain(struct log_streams *s, const struct watch_args *args,
                       struct retort_error *err) {
    char subject[BUS_SUBJECT];
    struct stream_message m;
    streams_subject(s, "lease", args->what, subject);
    int r = streams_last(s, STREAM_NODES, subject, &m, err);
    if (r == -ENOENT)
        return err_set(err, ERR_CALLER, ENOENT,
                       "no node %.64s in this cluster: `retort cluster status` lists them",
                       args->what);
    if (r < 0)
        return r;
    free(m.data);
    streams_subject(s, "order", args->what, subject);
    r = s->table->publish(s->bus,
                          &(struct bus_message){.subject = subject, .data = "drain", .len = 5});
    return r < 0 ? err_errno(err, ERR_HOST, -r, "cannot reach the node") : 0;
}

/* A node that has the session finds that the log stands elsewhere than it believed, and gives the
 * session up. */
static int watch_forget(struct log_streams *s, const struct watch_args *args,
                        struct retort_error *err) {
    char subject[BUS_SUBJECT], id[BUS_SUBJECT - 32];
    struct stream_message m;
    streams_subject(s, "log", args->what, subject);
    int r = streams_last(s, STREAM_LOG, subject, &m, err);
    if (r == -ENOENT)
        return err_set(err, ERR_CALLER, ENOENT, "no session %.64s in this cluster", args->what);
    if (r < 0)
        return r;
    free(m.data);
    r = streams_purge(s, STREAM_LOG, subject, 0, err);
    snprintf(id, sizeof id, "%.64s.>", args->what);
    streams_subject(s, "bytes", id, subject);
    return r < 0 ? r : streams_purge(s, STREAM_BYTES, subject, 0, err);
}

static const struct {
    const char *name;
    const struct opt_table *table;
    int (*run)(struct log_streams *s, const struct watch_args *args, struct retort_error *err);
} orders[] = {
    {"status", &watch_table, watch_status},
    {"drain", &order_table, watch_drain},
    {"forget", &order_table, watch_forget},
};

#define ORDERS (sizeof orders / sizeof *orders)

static int watch_run(size_t which, struct watch_args *args) {
    struct cluster_options options;
    struct log_streams streams;
    struct retort_error err = ERR_INIT;
    if (!args->cluster.urls)
        args->cluster.urls = "nats://127.0.0.1:4222";
    int r = cluster_args_read(&args->cluster, &options, &err);
    if (r == 0 && args->what && !cluster_word_is_valid(args->what))
        r = err_set(&err, ERR_CALLER, EINVAL, "'%.64s' is no name of a node or a session",
                    args->what);
    if (r == 0)
        r = streams_open(&options, false, &streams, &err);
    if (r < 0)
        return cli_fail("cluster: %s", err.message);
    r = orders[which].run(&streams, args, &err);
    streams_close(&streams);
    return r < 0 ? cli_fail("cluster: %s", err.message) : 0;
}

int cmd_cluster(int argc, char **argv) {
    struct watch_args args = {0};
    const char *word = argc > 1 ? argv[1] : "";
    size_t i = 0;
    int r;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        opt_help(&watch_table);
        return fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
    }
    while (i < ORDERS && strcmp(word, orders[i].name) != 0)
        i++;
    if (i == ORDERS)
        return cli_fail("cluster: status, drain or forget? `retort cluster --help` tells more");
    if (!cli_take(orders[i].table, argc - 1, argv + 1, &args, &r))
        return r;
    if (!args.what && orders[i].table == &order_table)
        return cli_fail("cluster %s: which?", word);
    return watch_run(i, &args);
}
