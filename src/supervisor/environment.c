/* Environments: an interpreter with its directories, and the zygote and ready sessions that belong
 * to it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sandbox/ablation/failpoint.h"
#include "sandbox/rootfs.h"
#include "supervisor/supervisor.h"

static bool same(const struct environment *e, const struct ctl_environment *env, uint32_t flags) {
    return e->flags == flags && memcmp(&e->env, env, sizeof *env) == 0;
}

struct environment *environment_get(const struct ctl_environment *env, uint32_t flags,
                                    struct retort_error *err) {
    for (struct environment *e = sup.environments; e; e = e->next)
        if (same(e, env, flags))
            return e;
    struct environment *e = failpoint(FP_environment) ? NULL : calloc(1, sizeof *e);
    if (!e) {
        err_errno(err, ERR_HOST, ENOMEM, "cannot hold another environment");
        return NULL;
    }
    e->env = *env;
    e->flags = flags;
    /* Environment 0 is the system's own: its skeleton is empty and part of the base. */
    static unsigned last;
    if (env->prefix[0][0] || env->packages[0]) {
        e->id = ++last;
        if (rootfs_environment(e->id, env, keeper_open, &sup, err) < 0) {
            free(e);
            return NULL;
        }
    }
    e->next = sup.environments;
    sup.environments = e;
    return e;
}
