#include "cluster/bus.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "engine/host/libexec.h"

int bus_load(const struct bus_table **ret, struct retort_error *err) {
    char dir[PATH_MAX], path[PATH_MAX + 32];
    int r = libexec_find(dir, sizeof dir, err);

    if (r < 0)
        return r;
    snprintf(path, sizeof path, "%s/retort-cluster.so", dir);
    if (access(path, R_OK) < 0)
        return err_set(
            err, ERR_HOST, ENOENT,
            "this Retort was built without the cluster: install libnats-dev, build again");
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct bus_table *table = module ? dlsym(module, "retort_bus") : NULL;
    if (!table)
        return err_set(err, ERR_HOST, ELIBACC,
                       "the module for NATS cannot be loaded: is libnats installed?");
    if (table->version != BUS_VERSION)
        return err_set(err, ERR_HOST, ELIBACC, "the module for NATS is of another Retort");
    *ret = table;
    return 0;
}
