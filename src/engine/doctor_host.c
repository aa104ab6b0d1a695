/* What the host says about itself: remedies for layers, and settings that weaken them. */
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "engine/doctor.h"

/* The first number in a file, or -1 where there is none. */
static long read_number(const char *path) {
    char text[64], *end;
    if (read_file_at(AT_FDCWD, path, text, sizeof text) <= 0)
        return -1;
    long n = strtol(text, &end, 10);
    return end == text ? -1 : n;
}

static bool in_container(void) {
    char map[256];
    unsigned inside, outside, count;
    if (access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0 ||
        access("/run/systemd/container", F_OK) == 0)
        return true;
    return read_file_at(AT_FDCWD, "/proc/self/uid_map", map, sizeof map) > 0 &&
           sscanf(map, "%u %u %u", &inside, &outside, &count) == 3 && count != 0xffffffff;
}

int doctor_landlock_version(void) {
    int abi = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return abi < 0 ? -errno : abi;
}

bool doctor_has_landlock(void) {
    int version = doctor_landlock_version();
    return version != -ENOSYS && version != -EOPNOTSUPP;
}

/* --- remedies ----------------------------------------------------------------------------------
 */

static const char *user_remedy(void) {
    if (geteuid() != 0 &&
        read_number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1)
        return "AppArmor keeps ordinary users from making user namespaces: load the profile "
               "share/retort/apparmor/retort, or sysctl -w "
               "kernel.apparmor_restrict_unprivileged_userns=0";
    if (geteuid() != 0 && read_number("/proc/sys/kernel/unprivileged_userns_clone") == 0)
        return "sysctl -w kernel.unprivileged_userns_clone=1";
    if (read_number("/proc/sys/user/max_user_namespaces") == 0)
        return "sysctl -w user.max_user_namespaces=10000";
    if (in_container())
        return "this is a container: let it make user namespaces, for example with "
               "--security-opt seccomp=unconfined --security-opt apparmor=unconfined";
    return "use a kernel with CONFIG_USER_NS";
}

static const char *namespace_remedy(const char *limit, const char *command, const char *config) {
    return read_number(limit) == 0 ? command : config;
}

static const char *landlock_remedy(void) {
    switch (-doctor_landlock_version()) {
    case EOPNOTSUPP: return "Landlock is built in but off: add landlock to the lsm= boot parameter";
    case ENOSYS: return "use a kernel of version 5.13 or later with CONFIG_SECURITY_LANDLOCK";
    case EPERM:
        return "a system call filter around this process forbids Landlock: allow landlock_* in it";
    default: return "Landlock is there, but a session could not use it: see the detail";
    }
}

const char *doctor_remedy(enum layer layer) {
    switch (layer) {
    case LAYER_USER: return user_remedy();
    case LAYER_MOUNT:
        return in_container() ? "this is a container: run it with an unmasked /proc, for example "
                                "--security-opt systempaths=unconfined"
                              : "use a kernel with overlayfs in user namespaces, 5.11 or later";
    case LAYER_PID:
        return namespace_remedy("/proc/sys/user/max_pid_namespaces",
                                "sysctl -w user.max_pid_namespaces=10000",
                                "use a kernel with CONFIG_PID_NS");
    case LAYER_NET:
        return namespace_remedy("/proc/sys/user/max_net_namespaces",
                                "sysctl -w user.max_net_namespaces=10000",
                                "use a kernel with CONFIG_NET_NS");
    case LAYER_IPC:
        return namespace_remedy("/proc/sys/user/max_ipc_namespaces",
                                "sysctl -w user.max_ipc_namespaces=10000",
                                "use a kernel with CONFIG_IPC_NS");
    case LAYER_UTS:
        return namespace_remedy("/proc/sys/user/max_uts_namespaces",
                                "sysctl -w user.max_uts_namespaces=10000",
                                "use a kernel with CONFIG_UTS_NS");
    case LAYER_SECCOMP: return "use a kernel with CONFIG_SECCOMP_FILTER";
    case LAYER_LANDLOCK: return landlock_remedy();
    case LAYER_CGROUP: return "start as root, or in a cgroup that is delegated to this user";
    case LAYER_UID: return "start as root, or give this user subordinate ids";
    case LAYER_CAPS:
    case LAYER_NNP:
    case LAYER_COUNT: break;
    }
    return "this should hold on every kernel: please report it";
}

/* --- settings ----------------------------------------------------------------------------------
 */

static void add(json_t *list, const char *name, bool ok, const char *detail, const char *remedy) {
    json_t *o = json_pack("{s:s s:b s:s s:s?}", "name", name, "ok", ok, "detail", detail, "remedy",
                          ok ? NULL : remedy);
    json_array_append_new(list, o);
}

static void add_core_pattern(json_t *list) {
    char text[160] = "";
    bool piped = read_file_at(AT_FDCWD, "/proc/sys/kernel/core_pattern", text, sizeof text) > 0 &&
                 text[0] == '|';
    add(list, "core_pattern", !piped,
        piped ? "core dumps are piped to a program of the host's; a session's limit keeps them "
                "back, but code in it may lower the limit to 0, which does not"
              : "core dumps are piped to no program",
        "sysctl -w kernel.core_pattern=core");
}

static void add_ksm(json_t *list) {
    bool running = read_number("/sys/kernel/mm/ksm/run") == 1;
    add(list, "ksm", !running,
        running ? "equal pages of different processes are merged: a timing channel"
                : "pages of different processes are not merged",
        "echo 2 > /sys/kernel/mm/ksm/run");
}

static void add_swap(json_t *list) {
    char text[4096];
    bool on = read_file_at(AT_FDCWD, "/proc/swaps", text, sizeof text) > 0 && strchr(text, '\n') &&
              strchr(text, '\n')[1];
    bool counted = access("/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes", F_OK) == 0 ||
                   access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0;
    add(list, "swap", !on || counted,
        !on       ? "no swap"
        : counted ? "swap counts towards a session's memory"
                  : "swap does not count towards a session's memory",
        "boot with swapaccount=1, or turn swap off");
}

json_t *doctor_host(void) {
    json_t *list = json_array();
    add_core_pattern(list);
    add_ksm(list);
    add_swap(list);
    add(list, "container", true, in_container() ? "runs inside a container" : "no container", NULL);
    return list;
}
