/* What the host says about itself: where we are, remedies for layers, and settings that weaken
 * them. Remedies are chosen by what failed and what can be seen, because not every container has
 * Docker's marker. */
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "engine/api/doctor.h"

/* The first number in a file, or -1 where there is none. */
static long read_setting(const char *path) {
    char text[64], *end;
    if (read_file_at(AT_FDCWD, path, text, sizeof text) <= 0)
        return -1;
    long n = strtol(text, &end, 10);
    return end == text ? -1 : n;
}

/* --- where we are --- */

static bool in_container(void) {
    char map[256];
    unsigned inside, outside, count;
    if (access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0 ||
        access("/run/systemd/container", F_OK) == 0 ||
        access("/var/run/secrets/kubernetes.io", F_OK) == 0)
        return true;
    return read_file_at(AT_FDCWD, "/proc/self/uid_map", map, sizeof map) > 0 &&
           sscanf(map, "%u %u %u", &inside, &outside, &count) == 3 && count != 0xffffffff;
}

/* Somebody put a filter of system calls or a profile of AppArmor around this process. */
static bool confined(void) {
    char text[4096];
    if (read_file_at(AT_FDCWD, "/proc/self/status", text, sizeof text) > 0 &&
        strstr(text, "\nSeccomp:\t2"))
        return true;
    return read_file_at(AT_FDCWD, "/proc/self/attr/current", text, sizeof text) > 0 &&
           strstr(text, "(enforce)");
}

static bool same_inode(const char *a, const char *b) {
    struct statx one, other;
    unsigned want = STATX_INO | STATX_MNT_ID;
    return statx(AT_FDCWD, a, 0, want, &one) == 0 && statx(AT_FDCWD, b, 0, want, &other) == 0 &&
           one.stx_ino == other.stx_ino && one.stx_dev_major == other.stx_dev_major &&
           one.stx_dev_minor == other.stx_dev_minor && one.stx_mnt_id == other.stx_mnt_id;
}

/* Below a mount point the answer is certain. On a mount point only root can tell, because root may
 * look at pid 1. */
static bool in_chroot(void) {
    struct statx st;
    if (statx(AT_FDCWD, "/", 0, STATX_TYPE, &st) == 0 &&
        st.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT &&
        !(st.stx_attributes & STATX_ATTR_MOUNT_ROOT))
        return true;
    return same_inode("/proc/1/ns/mnt", "/proc/self/ns/mnt") && access("/proc/1/root", X_OK) == 0 &&
           !same_inode("/proc/1/root", "/");
}

/* Whether something is mounted below a directory, but for what systemd mounts everywhere. */
static bool mounts_below(const char *dir) {
    FILE *f = fopen("/proc/self/mountinfo", "re");
    char line[4096], point[4096];
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f))
        found = sscanf(line, "%*s %*s %*s %*s %4095s", point) == 1 &&
                strncmp(point, dir, strlen(dir)) == 0 &&
                strcmp(point, "/proc/sys/fs/binfmt_misc") != 0;
    if (f)
        fclose(f);
    return found;
}

int doctor_landlock_version(void) {
    int abi = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return abi < 0 ? -errno : abi;
}

bool doctor_has_landlock(void) {
    int version = doctor_landlock_version();
    return version != -ENOSYS && version != -EOPNOTSUPP;
}

/* --- remedies --- */

#define UNMASK "docker run --security-opt systempaths=unconfined; in Kubernetes procMount: Unmasked"
#define UNCONFINE                                                                              \
    "docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined "         \
    "--security-opt systempaths=unconfined; in Kubernetes seccompProfile and appArmorProfile " \
    "Unconfined, procMount: Unmasked; of systemd RestrictNamespaces=no"

static const char confined_remedy[] =
    "a filter or profile around this process forbids it, as containers have one: " UNCONFINE;

/* A filter refuses with EPERM or with ENOSYS, as its author chose. */
static bool refused(int eno) {
    return eno == EPERM || eno == EACCES || eno == ENOSYS;
}

/* Settings of the host that keep ordinary users from it. */
static const char *user_setting(void) {
    if (geteuid() != 0 &&
        read_setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1)
        return "AppArmor keeps ordinary users from making user namespaces: load the profile "
               "share/retort/apparmor/retort, or sysctl -w "
               "kernel.apparmor_restrict_unprivileged_userns=0";
    if (geteuid() != 0 && read_setting("/proc/sys/kernel/unprivileged_userns_clone") == 0)
        return "sysctl -w kernel.unprivileged_userns_clone=1";
    if (read_setting("/proc/sys/user/max_user_namespaces") == 0)
        return "sysctl -w user.max_user_namespaces=10000";
    return NULL;
}

static const char *user_remedy(int eno) {
    const char *setting = user_setting();
    if (setting)
        return setting;
    if (eno == ENOSPC)
        return "there are as many user namespaces as user.max_user_namespaces allows, here or "
               "outside of this container: raise it with sysctl -w";
    if (access("/proc/self/ns/user", F_OK) < 0 && access("/proc/self", F_OK) == 0)
        return "use a kernel with CONFIG_USER_NS";
    if (in_chroot())
        return "this is a chroot, in which the kernel makes no user namespaces: enter the "
               "directory "
               "by pivot_root instead, as systemd-nspawn, bwrap and containers do";
    if (confined() || in_container())
        return confined_remedy;
    return "something forbids user namespaces to this process: most likely a chroot (enter it by "
           "pivot_root instead) or a security module";
}

static const char *mount_remedy(int eno) {
    if (eno == ENOSPC)
        return "raise user.max_mnt_namespaces and fs.mount-max with sysctl -w";
    if (refused(eno) && confined())
        return confined_remedy;
    if (eno == EPERM && mounts_below("/proc/"))
        return "something hides part of /proc, as containers do: " UNMASK;
    if (refused(eno) && in_container())
        return "this is a container that may not mount: " UNCONFINE;
    if (eno == EINVAL && mounts_below("/usr/"))
        return "something is mounted below /usr, which an overlay in a user namespace does not "
               "take: unmount it";
    if (eno == ENODEV)
        return "modprobe overlay, or use a kernel with CONFIG_OVERLAY_FS";
    return "use a kernel with overlayfs in user namespaces, 5.11 or later";
}

struct kind {
    const char *link, *limit, *raise, *config;
};

#define KIND(name, config)                                                              \
    &(const struct kind) {                                                              \
        "/proc/self/ns/" name, "/proc/sys/user/max_" name "_namespaces",                \
            "sysctl -w user.max_" name "_namespaces=10000", "use a kernel with " config \
    }

static const char *namespace_remedy(const struct kind *kind, int eno) {
    if (eno == ENOSPC || read_setting(kind->limit) == 0)
        return kind->raise;
    if (access(kind->link, F_OK) < 0)
        return kind->config;
    return refused(eno) && (confined() || in_container()) ? confined_remedy
                                                          : "see the reason beside it";
}

static const char *landlock_remedy(void) {
    switch (-doctor_landlock_version()) {
    case EOPNOTSUPP: return "Landlock is built in but off: add landlock to the lsm= boot parameter";
    case ENOSYS:
        return confined() ? "use a kernel of version 5.13 or later with CONFIG_SECURITY_LANDLOCK, "
                            "or allow landlock_* in the filter around this process"
                          : "use a kernel of version 5.13 or later with CONFIG_SECURITY_LANDLOCK";
    case EPERM:
        return "a system call filter around this process forbids Landlock: allow landlock_* in it";
    default: return "Landlock is there, but a session could not use it: see the detail";
    }
}

static const char *layer_remedy(enum layer layer, int eno) {
    switch (layer) {
    case LAYER_USER: return user_remedy(eno);
    case LAYER_MOUNT: return mount_remedy(eno);
    case LAYER_PID: return namespace_remedy(KIND("pid", "CONFIG_PID_NS"), eno);
    case LAYER_NET: return namespace_remedy(KIND("net", "CONFIG_NET_NS"), eno);
    case LAYER_IPC: return namespace_remedy(KIND("ipc", "CONFIG_IPC_NS"), eno);
    case LAYER_UTS: return namespace_remedy(KIND("uts", "CONFIG_UTS_NS"), eno);
    case LAYER_SECCOMP:
        return confined() ? "a system call filter around this process forbids to load another: "
                            "allow seccomp and prctl in it"
                          : "use a kernel with CONFIG_SECCOMP_FILTER";
    case LAYER_LANDLOCK: return landlock_remedy();
    case LAYER_CGROUP: return "start as root, or in a cgroup that is delegated to this user";
    case LAYER_UID: return "start as root, or give this user subordinate ids";
    case LAYER_CAPS:
    case LAYER_NNP:
    case LAYER_COUNT: break;
    }
    return "this should hold on every kernel: please report it";
}

const char *doctor_remedy(int layer, int eno) {
    if (eno == EAGAIN)
        return "too few processes are allowed here: raise ulimit -u (LimitNPROC= of systemd), or "
               "the limit of the container or unit (--pids-limit, TasksMax=)";
    return layer < 0 ? "" : layer_remedy((enum layer)layer, eno);
}

/* --- settings --- */

static void add_setting(json_t *list, const char *name, bool ok, const char *detail,
                        const char *remedy) {
    json_t *o = json_pack("{s:s s:b s:s s:s?}", "name", name, "ok", ok, "detail", detail, "remedy",
                          ok ? NULL : remedy);
    json_array_append_new(list, o);
}

static void add_core_pattern(json_t *list) {
    char text[160] = "";
    bool piped = read_file_at(AT_FDCWD, "/proc/sys/kernel/core_pattern", text, sizeof text) > 0 &&
                 text[0] == '|';
    add_setting(
        list, "core_pattern", !piped,
        piped ? "core dumps are piped to a program of the host's; a session's limit keeps them "
                "back, but code in it may lower the limit to 0, which does not"
              : "core dumps are piped to no program",
        "sysctl -w kernel.core_pattern=core");
}

static void add_ksm(json_t *list) {
    bool running = read_setting("/sys/kernel/mm/ksm/run") == 1;
    add_setting(list, "ksm", !running,
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
    add_setting(list, "swap", !on || counted,
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
    add_setting(list, "container", true,
                in_container() ? "runs inside a container" : "no container", NULL);
    return list;
}
