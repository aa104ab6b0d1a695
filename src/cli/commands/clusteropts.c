#include "cli/commands/clusteropts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/io.h"

#define LEASE_S 10.0
#define LEAST_LEASE_S 1.0
#define MOST_LEASE_S 3600.0

static int cluster_token(struct cluster_args *args, struct retort_error *err) {
    ssize_t n = read_file_at(AT_FDCWD, args->token_file, args->token, sizeof args->token);
    if (n < 0)
        return err_errno(err, ERR_CALLER, (int)-n, "cannot read %.200s", args->token_file);
    args->token[strcspn(args->token, "\r\n")] = 0;
    return args->token[0] ? 0
                          : err_set(err, ERR_CALLER, EINVAL, "%.200s is empty", args->token_file);
}

int cluster_args_read(struct cluster_args *args, struct cluster_options *ret,
                      struct retort_error *err) {
    if (!args->name)
        args->name = "retort";
    if (!args->replicas)
        args->replicas = 3;
    if (args->lease <= 0)
        args->lease = LEASE_S;
    if (!cluster_name_is_valid(args->name))
        return err_set(err, ERR_CALLER, EINVAL,
                       "--cluster-name wants up to %d letters, digits, - and _, not '%.40s'",
                       CLUSTER_NAME_MAX, args->name);
    if (args->replicas > 5)
        return err_set(err, ERR_CALLER, EINVAL, "--replicas: NATS has at most 5");
    if (args->lease < LEAST_LEASE_S || args->lease > MOST_LEASE_S)
        return err_set(err, ERR_CALLER, EINVAL, "--lease wants from 1 second to an hour");
    if (!args->cert != !args->key)
        return err_set(err, ERR_CALLER, EINVAL, "--cluster-cert and --cluster-key belong together");
    int r = args->token_file ? cluster_token(args, err) : 0;
    *ret = (struct cluster_options){.bus = {.urls = args->urls,
                                            .name = "retort",
                                            .token = args->token[0] ? args->token : NULL,
                                            .creds = args->creds,
                                            .ca = args->ca,
                                            .cert = args->cert,
                                            .key = args->key},
                                    .name = args->name,
                                    .replicas = args->replicas,
                                    .lease = args->lease,
                                    .space = args->space};
    return r;
}
