/* The kinds of namespaces, in the order that all code keeps: the user namespace first, because it
 * gives the right to join and to make the others.
 *
 * Runs in: supervisor, the first processes of a session, and the guest's interpreter when it joins
 *   the namespaces of a branch.
 * Owns: nothing.
 * Tests: tests/hostile/test_j_kernel.py, tests/system/test_branch.py
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "wire/control.h"

struct namespace_kind {
    const char *name; /* as in /proc/PID/ns and max_…_namespaces */
    int flag;         /* CLONE_NEW… */
    int layer;        /* enum layer, or -1 */
};

#define NAMESPACE_KINDS 7 /* kinds that a session has of its own */
#define NAMESPACE_NAMES 8 /* and one more kind, which nobody makes */
extern const struct namespace_kind namespace_kinds[NAMESPACE_NAMES];

/* Made by one clone; the cgroup namespace is made by the process in the cgroup. */
#define NAMESPACE_LAYERS                                                     \
    (LAYER_BIT(LAYER_USER) | LAYER_BIT(LAYER_MOUNT) | LAYER_BIT(LAYER_PID) | \
     LAYER_BIT(LAYER_NET) | LAYER_BIT(LAYER_IPC) | LAYER_BIT(LAYER_UTS))

/* CLONE_NEW… of the layers that are namespaces. */
uint64_t namespace_flags(uint32_t layers);
/* Whether it is exactly one flag, of a kind that a session has. */
bool namespace_is_kind(int flag);
