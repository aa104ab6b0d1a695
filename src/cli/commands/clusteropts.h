/* Options of the commands that are about a cluster.
 *
 * Runs in: command.
 * Owns: the token that was read.
 * Tests: tests/system/test_cluster.py
 */
#pragma once

#include "cli/cli.h"
#include "cluster/streams.h"

struct cluster_args {
    const char *urls, *name, *token_file, *creds, *ca, *cert, *key;
    uint32_t replicas;
    double lease;
    uint64_t space;
    char token[512];
};

/* `at`: offset of a struct cluster_args. */
#define CLUSTER_ROWS(at)                                                                           \
    {"--cluster-name",                                                                             \
     0,                                                                                            \
     OPT_TEXT,                                                                                     \
     "NAME",                                                                                       \
     (at) + offsetof(struct cluster_args, name),                                                   \
     "which cluster it is (retort)",                                                               \
     0},                                                                                           \
        {"--cluster-token-file",                                                                   \
         0,                                                                                        \
         OPT_TEXT,                                                                                 \
         "FILE",                                                                                   \
         (at) + offsetof(struct cluster_args, token_file),                                         \
         "the token for NATS",                                                                     \
         0},                                                                                       \
        {"--cluster-creds",      0, OPT_TEXT, "FILE", (at) + offsetof(struct cluster_args, creds), \
         "credentials for NATS", 0},                                                               \
        {"--cluster-ca",                                                                           \
         0,                                                                                        \
         OPT_TEXT,                                                                                 \
         "FILE",                                                                                   \
         (at) + offsetof(struct cluster_args, ca),                                                 \
         "certificate authority of the NATS servers, in PEM; requires TLS",                        \
         0},                                                                                       \
        {"--cluster-cert",                                                                         \
         0,                                                                                        \
         OPT_TEXT,                                                                                 \
         "FILE",                                                                                   \
         (at) + offsetof(struct cluster_args, cert),                                               \
         "certificate of this node for NATS, in PEM",                                              \
         0},                                                                                       \
    {                                                                                              \
        "--cluster-key", 0, OPT_TEXT, "FILE", (at) + offsetof(struct cluster_args, key),           \
            "its key", 0                                                                           \
    }

/* Checks the options, and reads the files that they name. */
int cluster_args_read(struct cluster_args *args, struct cluster_options *ret,
                      struct retort_error *err);
