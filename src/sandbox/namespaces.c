#include "sandbox/namespaces.h"

#include <sched.h>

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif

const struct namespace_kind namespace_kinds[NAMESPACE_NAMES] = {
    {"user", CLONE_NEWUSER, LAYER_USER},       {"mnt", CLONE_NEWNS, LAYER_MOUNT},
    {"pid", CLONE_NEWPID, LAYER_PID},          {"net", CLONE_NEWNET, LAYER_NET},
    {"ipc", CLONE_NEWIPC, LAYER_IPC},          {"uts", CLONE_NEWUTS, LAYER_UTS},
    {"cgroup", CLONE_NEWCGROUP, LAYER_CGROUP}, {"time", CLONE_NEWTIME, -1}};

uint64_t namespace_flags(uint32_t layers) {
    uint64_t flags = 0;
    for (int i = 0; i < NAMESPACE_KINDS; i++)
        if (layers & LAYER_BIT(namespace_kinds[i].layer))
            flags |= (uint64_t)namespace_kinds[i].flag;
    return flags;
}

bool namespace_is_kind(int flag) {
    for (int i = 0; i < NAMESPACE_KINDS; i++)
        if (namespace_kinds[i].flag == flag)
            return true;
    return false;
}
