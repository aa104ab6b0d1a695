#include "sandbox/rootfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/mount.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "sandbox/ablation/ablation.h"
#include "sandbox/ablation/failpoint.h"
#include "sandbox/devices.h"

#define BASE "/tmp" /* any directory works: it is covered only in the supervisor's namespace */
#define RO (MS_RDONLY | MS_NOSUID | MS_NODEV)

/* Top-level directories an interpreter may need. On merged-usr systems all but usr are symbolic
 * links. */
static const char *const system_dirs[] = {"usr",   "bin",   "sbin",   "lib",
                                          "lib32", "lib64", "libx32", NULL};

/* Directories of /etc that libraries look into: alternatives holds the links to BLAS. */
static const char *const etc_dirs[] = {"/etc/alternatives", "/etc/fonts", "/etc/ssl/certs", NULL};

static const char *const etc_files[] = {
    "ld.so.cache",     "ld.so.conf", "localtime",     "timezone", "mime.types",  "matplotlibrc",
    "protocols",       "services",   "nsswitch.conf", "magic",    "bash.bashrc", "inputrc",
    "ssl/openssl.cnf", NULL};

static const struct {
    const char *path, *text;
} etc_made[] = {
    {"etc/passwd", "root:x:0:0:root:/root:/bin/sh\nretort:x:1000:1000:retort:/work:/bin/bash\n"
                   "nobody:x:65534:65534:nobody:/:/bin/false\n"},
    {"etc/group", "root:x:0:\nretort:x:1000:\nnogroup:x:65534:\n"},
    {"etc/hosts", "127.0.0.1 localhost retort\n::1 localhost retort\n"},
    {"etc/hostname", "retort\n"},
};

static int mount_failed(struct retort_error *err, const char *what) {
    return err_layer(err, "mount", errno, "%s", what);
}

/* --- the base --- */

static int attach(int tree, const char *target) {
    return (int)syscall(SYS_move_mount, tree, "", AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH);
}

/* Only the owner of a pid namespace may mount its proc: if we have none of our own, we bind the
 * existing mount. */
static int mount_proc(const char *target, const char *options) {
    if (ablation_mask() & LAYER_BIT(LAYER_PID))
        return mount("/proc", target, NULL, MS_BIND | MS_REC, NULL);
    return mount("proc", target, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, options);
}

static int write_new(const char *path, const void *data, size_t len, mode_t mode) {
    scoped_fd fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0)
        return -1;
    int r = write_all(fd, data, len);
    if (r < 0)
        errno = -r;
    return r < 0 ? -1 : 0;
}

static int copy_fd(int from, const char *to, mode_t mode) {
    scoped_fd fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0)
        return -1;
    char chunk[65536];
    ssize_t n;
    while ((n = read(from, chunk, sizeof chunk)) > 0) {
        int r = write_all(fd, chunk, (size_t)n);
        if (r < 0) {
            errno = -r;
            return -1;
        }
    }
    return n < 0 ? -1 : 0;
}

/* Copies a small file of the host if it exists. */
static int copy_host_file(const char *from, const char *to) {
    scoped_fd fd = open(from, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? 0 : copy_fd(fd, to, 0444);
}

/* Symbolic links are copied, directories are mounted and marked by a directory in the skeleton. */
static int base_system_dir(const char *name, rootfs_source source, void *context,
                           struct retort_error *err) {
    char host[32], skel[40], link[PATH_MAX];
    snprintf(host, sizeof host, "/%s", name);
    snprintf(skel, sizeof skel, "skel/%s", name);
    ssize_t n = readlink(host, link, sizeof link - 1);
    if (n > 0) {
        link[n] = 0;
        return symlink(link, skel) < 0 ? mount_failed(err, "cannot build the skeleton root") : 0;
    }
    if (errno == ENOENT)
        return 0;
    scoped_fd tree = failpoint(FP_base_keeper) ? -errno : source(context, host);
    if (tree < 0)
        return err_layer(err, "mount", -tree, "cannot mount the system directory %s", host);
    if (failpoint(FP_base_system) || make_path(name, 0755) < 0 || make_path(skel, 0755) < 0 ||
        attach(tree, name) < 0)
        return mount_failed(err, "cannot mount a system directory");
    return 0;
}

static int base_etc_dir(const char *host, rootfs_source source, void *context,
                        struct retort_error *err) {
    const char *local = host + 1;
    char skel[64];
    snprintf(skel, sizeof skel, "skel%s", host);
    scoped_fd tree = source(context, host);
    if (tree < 0)
        return 0;
    if (make_path(local, 0755) < 0 || make_path(skel, 0755) < 0 || attach(tree, local) < 0)
        return mount_failed(err, "cannot mount a directory of /etc");
    return 0;
}

static int base_etc_made(const char *skeleton) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < sizeof etc_made / sizeof *etc_made; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%s", skeleton, etc_made[i].path);
        r = write_new(path, etc_made[i].text, strlen(etc_made[i].text), 0444);
    }
    return r;
}

static int base_etc(rootfs_source source, void *context, struct retort_error *err) {
    int r = failpoint(FP_base_etc) || make_path("skel/etc/ssl", 0755) < 0 ||
                    base_etc_made("skel") < 0 || base_etc_made("bare") < 0
                ? mount_failed(err, "cannot build the skeleton root")
                : 0;
    for (const char *const *d = etc_dirs; r == 0 && *d; d++)
        r = base_etc_dir(*d, source, context, err);
    for (const char *const *f = etc_files; r == 0 && *f; f++) {
        char from[64], to[64];
        snprintf(from, sizeof from, "/etc/%s", *f);
        snprintf(to, sizeof to, "skel/etc/%s", *f);
        if (failpoint(FP_base_etc_file) || copy_host_file(from, to) < 0)
            r = mount_failed(err, "cannot copy a file of /etc");
    }
    return r;
}

static int base_dev(struct retort_error *err) {
    if (failpoint(FP_base_dev) || make_path("dev", 0755) < 0)
        return mount_failed(err, "cannot build /dev");
    scoped_fd dir = open("dev", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int r = dir < 0 ? -errno : devices_links(dir);
    if (r == 0)
        r = devices_bind();
    return r < 0 ? err_layer(err, "mount", -r, "cannot mount a device node") : 0;
}

static int base_skeleton(struct retort_error *err) {
    static const char *const dirs[] = {"skel",     "empty",      "mnt",
                                       "t",        "env",        "etc",
                                       "env/0",    "env/0/skel", "skel/etc",
                                       "skel/dev", "skel/proc",  "skel/work",
                                       "skel/tmp", "skel/opt",   "skel/opt/retort",
                                       "guest",    "bare",       "bare/etc",
                                       "bare/dev", "bare/proc",  "bare/work",
                                       "bare/tmp", "bare/opt",   "bare/opt/retort",
                                       NULL};
    for (const char *const *d = dirs; *d; d++)
        if (failpoint(FP_base_skeleton) || mkdir(*d, 0755) < 0)
            return mount_failed(err, "cannot build the skeleton root");
    return 0;
}

static int base_guest(const char *guest_dir, rootfs_source source, void *context,
                      struct retort_error *err) {
    scoped_fd tree = failpoint(FP_guest_files) ? -errno : source(context, guest_dir);
    if (tree == -ENOENT)
        return err_errno(err, ERR_HOST, ENOENT,
                         "the files of the guest are missing; is Retort installed completely?");
    if (tree < 0)
        return err_layer(err, "mount", -tree, "cannot mount the files of the guest");
    return failpoint(FP_base_guest) || attach(tree, "guest") < 0
               ? mount_failed(err, "cannot mount the files of the guest")
               : 0;
}

static int base_enter(struct retort_error *err) {
    if (failpoint(FP_base_proc) || make_path("proc", 0755) < 0 || mount_proc("proc", NULL) < 0)
        return mount_failed(err, "cannot mount /proc in a user namespace");
    if (failpoint(FP_base_pivot) || syscall(SYS_pivot_root, ".", ".") < 0 ||
        umount2(".", MNT_DETACH) < 0 || chdir("/") < 0)
        return mount_failed(err, "cannot enter the base root");
    return 0;
}

void rootfs_base_paths(const char *guest_dir, const char *ret_paths[ROOTFS_BASE_PATHS]) {
    size_t n = 0;
    ret_paths[n++] = guest_dir;
    ret_paths[n++] = "/usr";
    for (const char *const *d = etc_dirs; *d; d++)
        ret_paths[n++] = *d;
}

bool rootfs_base_needs(const char *guest_dir, const char *path) {
    for (const char *const *d = system_dirs; *d; d++)
        if (path[0] == '/' && strcmp(*d, path + 1) == 0)
            return true;
    for (const char *const *d = etc_dirs; *d; d++)
        if (strcmp(*d, path) == 0)
            return true;
    return strcmp(guest_dir, path) == 0;
}

int rootfs_base(const char *guest_dir, rootfs_source source, void *context,
                struct retort_error *err) {
    if (failpoint(FP_base_private) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        return mount_failed(err, "cannot make mounts private");
    if (failpoint(FP_base_tmpfs) ||
        mount("base", BASE, "tmpfs", MS_NOSUID, "mode=755,size=32m,nr_inodes=4096") < 0 ||
        chdir(BASE) < 0)
        return mount_failed(err, "cannot mount a tmpfs");
    int r = base_skeleton(err);
    if (r == 0)
        r = base_guest(guest_dir, source, context, err);
    for (const char *const *d = system_dirs; r == 0 && *d; d++)
        r = base_system_dir(*d, source, context, err);
    if (r == 0)
        r = base_etc(source, context, err);
    if (r == 0)
        r = base_dev(err);
    return r < 0 ? r : base_enter(err);
}

int rootfs_home(struct retort_error *err) {
    return mkdir("/skel/home", 0755) < 0 || symlink("/work", "/skel/home/user") < 0
               ? mount_failed(err, "cannot build the skeleton root")
               : 0;
}

/* --- environments --- */

static int environment_prefix(unsigned id, unsigned index, const char *path, rootfs_source source,
                              void *context, struct retort_error *err) {
    char local[64], skel[1024];
    struct stat st;
    snprintf(local, sizeof local, "env/%u/p%u", id, index);
    snprintf(skel, sizeof skel, "env/%u/skel%s", id, path);
    scoped_fd tree = source(context, path);
    if (tree < 0)
        return err_errno(err, ERR_CALLER, -tree, "cannot open a directory of the interpreter");
    if (failpoint(FP_environment_prefix) || fstat(tree, &st) < 0)
        return mount_failed(err, "cannot look at a directory of the interpreter");
    int r;
    if (S_ISDIR(st.st_mode))
        r = make_path(local, 0755) < 0 || make_path(skel, 0755) < 0 ? -1 : attach(tree, local);
    else {
        char *slash = strrchr(skel, '/');
        *slash = 0;
        r = make_path(skel, 0755);
        *slash = '/';
        char proc[32];
        snprintf(proc, sizeof proc, "/proc/self/fd/%d", tree);
        scoped_fd from = open(proc, O_RDONLY | O_CLOEXEC);
        if (r == 0)
            r = from < 0 ? -1 : copy_fd(from, skel, 0555);
    }
    return r < 0 ? mount_failed(err, "cannot mount a directory of the interpreter") : 0;
}

/* Node looks for modules in the directories above those of the code: /node_modules is the last. */
static int environment_packages(unsigned id, const struct ctl_environment *env,
                                rootfs_source source, void *context, struct retort_error *err) {
    char local[64], skel[64], link[64];
    snprintf(local, sizeof local, "env/%u/packages", id);
    snprintf(skel, sizeof skel, "env/%u/skel" PACKAGES_MOUNT, id);
    snprintf(link, sizeof link, "env/%u/skel/node_modules", id);
    scoped_fd tree = source(context, env->packages);
    if (tree < 0)
        return err_errno(err, ERR_CALLER, -tree, "cannot open the packages of the environment");
    if (failpoint(FP_environment_packages) || make_path(local, 0755) < 0 || attach(tree, local) < 0)
        return mount_failed(err, "cannot mount the packages of the environment");
    if (env->image) /* its root is the lowest layer of its sessions' roots */
        return 0;
    if (make_path(skel, 0755) < 0)
        return mount_failed(err, "cannot mount the packages of the environment");
    strncat(local, "/node_modules", sizeof local - strlen(local) - 1);
    return access(local, F_OK) == 0 && symlink(PACKAGES_MOUNT "/node_modules", link) < 0
               ? mount_failed(err, "cannot mount the packages of the environment")
               : 0;
}

int rootfs_environment(unsigned id, const struct ctl_environment *env, rootfs_source source,
                       void *context, struct retort_error *err) {
    char skel[64];
    snprintf(skel, sizeof skel, "env/%u/skel", id);
    if (chdir("/") < 0 || make_path(skel, 0755) < 0)
        return mount_failed(err, "cannot prepare the environment");
    if (env->packages[0]) {
        int r = environment_packages(id, env, source, context, err);
        if (r < 0)
            return r;
    }
    for (unsigned i = 0; i < ENV_PREFIXES && env->prefix[i][0]; i++) {
        int r = environment_prefix(id, i, env->prefix[i], source, context, err);
        if (r < 0)
            return r;
    }
    return 0;
}

/* --- the small directories --- */

static bool gathered; /* they are in the layer "small" of every root */

static int gather_one(const char *name, const char *target, rootfs_copy copy) {
    char local[64];
    snprintf(local, sizeof local, "small/%s", target);
    scoped_fd from = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (from < 0 || make_path(local, 0755) < 0)
        return -1;
    scoped_fd to = open(local, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return to < 0 ? -1 : copy(from, to);
}

void rootfs_gather(rootfs_copy copy) {
    static bool tried;
    if (tried || ablation_mask() & (ABLATE_READONLY | LAYER_BIT(LAYER_MOUNT)) || chdir("/") < 0)
        return;
    tried = true;
    int r = gather_one("guest", "opt/retort", copy);
    for (const char *const *d = etc_dirs; r == 0 && *d; d++) {
        const char *name = *d + 1;
        if (access(name, F_OK) == 0)
            r = gather_one(name, name, copy);
    }
    gathered = r == 0;
}

/* --- one session --- */

static int overlay(const char *lower, const char *target) {
    char options[256];
    snprintf(options, sizeof options, "lowerdir=%s", lower);
    char *end = strchr(options, ':');
    if (ablation_mask() & ABLATE_READONLY && end && strcmp(end, ":empty") == 0) {
        *end = 0;
        return mount(options + strlen("lowerdir="), target, NULL, MS_BIND, NULL);
    }
    return mount("retort", target, "overlay", RO, options);
}

static int enter_system(struct retort_error *err) {
    char lower[64], target[64];
    for (const char *const *d = system_dirs; *d; d++) {
        snprintf(lower, sizeof lower, "%s:empty", *d);
        snprintf(target, sizeof target, "mnt/%s", *d);
        if (failpoint(FP_enter_system) || (access(*d, F_OK) == 0 && overlay(lower, target) < 0))
            return mount_failed(err, "cannot mount an overlay of the system directories");
    }
    for (const char *const *d = etc_dirs; *d; d++) {
        snprintf(lower, sizeof lower, "%s:empty", *d + 1);
        snprintf(target, sizeof target, "mnt%s", *d);
        if (failpoint(FP_enter_etc) ||
            (!gathered && access(target + 4, F_OK) == 0 && overlay(lower, target) < 0))
            return mount_failed(err, "cannot mount an overlay of /etc");
    }
    return 0;
}

/* Called after the work directories: the interpreter may be in /tmp, and /tmp then covers the
 * skeleton's directory for it. */
static int enter_guest(const struct rootfs_plan *plan, struct retort_error *err) {
    bool there = gathered && !plan->env->image;
    return failpoint(FP_enter_guest) || (!there && overlay("guest:empty", "mnt/opt/retort") < 0)
               ? mount_failed(err, "cannot mount the files of the guest")
               : 0;
}

static int enter_prefixes(const struct rootfs_plan *plan, struct retort_error *err) {
    for (unsigned i = 0; i < ENV_PREFIXES && plan->env->prefix[i][0]; i++) {
        char lower[64], target[600];
        snprintf(lower, sizeof lower, "env/%u/p%u:empty", plan->environment, i);
        snprintf(target, sizeof target, "mnt%s", plan->env->prefix[i]);
        char here[64];
        snprintf(here, sizeof here, "env/%u/p%u", plan->environment, i);
        if (access(here, F_OK) < 0)
            continue;
        if (failpoint(FP_enter_prefix) || make_path(target, 0755) < 0 || overlay(lower, target) < 0)
            return mount_failed(err, "cannot mount an overlay of the interpreter");
    }
    return 0;
}

static int enter_packages(const struct rootfs_plan *plan, struct retort_error *err) {
    char lower[64];
    snprintf(lower, sizeof lower, "env/%u/packages:empty", plan->environment);
    return plan->env->packages[0] && !plan->env->image &&
                   (failpoint(FP_enter_packages) || overlay(lower, "mnt" PACKAGES_MOUNT) < 0)
               ? mount_failed(err, "cannot mount the packages of the environment")
               : 0;
}

/* One tmpfs holds everything that a session can write, so that one size limit covers it all. We
 * mount it aside and bind its parts; the mount itself goes away with the base. Listing a directory
 * must not change its times: that would be its only trace (supervisor/spare.h). */
static int enter_work(const struct rootfs_plan *plan, struct retort_error *err) {
    char options[96];
    snprintf(options, sizeof options, "mode=755,size=%llu,nr_inodes=%llu",
             (unsigned long long)plan->disk, (unsigned long long)plan->inodes);
    if (failpoint(FP_enter_work) ||
        mount("work", "t", "tmpfs", MS_NOSUID | MS_NODEV | MS_NODIRATIME, options) < 0)
        return mount_failed(err, "cannot mount the work tmpfs");
    if (mkdir("t/work", 0755) < 0 || mkdir("t/tmp", 0777) < 0 || mkdir("t/shm", 0777) < 0 ||
        chmod("t/tmp", 01777) < 0 || chmod("t/shm", 01777) < 0)
        return mount_failed(err, "cannot make the work directories");
    if (failpoint(FP_enter_work_dirs) || mount("t/work", "mnt/work", NULL, MS_BIND, NULL) < 0 ||
        mount("t/tmp", "mnt/tmp", NULL, MS_BIND, NULL) < 0 ||
        mount("t/shm", "mnt/dev/shm", NULL, MS_BIND, NULL) < 0)
        return mount_failed(err, "cannot mount the work directories");
    return 0;
}

static int enter_dev(int devices, struct retort_error *err) {
    int r = failpoint(FP_enter_dev) ? -1
            : devices >= 0          ? attach(devices, "mnt/dev")
                                    : mount("dev", "mnt/dev", NULL, MS_BIND | MS_REC, NULL);
    if (r == 0 && devices < 0)
        r = mount(NULL, "mnt/dev", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NOEXEC,
                  NULL);
    return r < 0 ? mount_failed(err, "cannot mount /dev") : 0;
}

/* On top of an image we put the directories that we mount on, and the files that say who the user
 * is: they hide whatever the image has there, even a link. Nothing of the host's system is
 * visible. */
static int enter_root(const struct rootfs_plan *plan, struct retort_error *err) {
    char lower[128];
    if (plan->env->image)
        snprintf(lower, sizeof lower, "env/%u/skel:bare:env/%u/packages/" IMAGE_ROOT,
                 plan->environment, plan->environment);
    else
        snprintf(lower, sizeof lower, "env/%u/skel:%sskel", plan->environment,
                 gathered ? "small:" : "");
    return failpoint(FP_enter_root) || overlay(lower, "mnt") < 0
               ? mount_failed(err, "cannot mount the root overlay")
               : 0;
}

int rootfs_enter(const struct rootfs_plan *plan, struct retort_error *err) {
    if (failpoint(FP_enter_private) || chdir("/") < 0 ||
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        return mount_failed(err, "cannot make mounts private");
    int r = enter_root(plan, err);
    if (r == 0 && !plan->env->image)
        r = enter_system(err);
    if (r == 0)
        r = enter_guest(plan, err);
    if (r == 0)
        r = enter_dev(plan->devices, err);
    if (r == 0)
        r = enter_work(plan, err);
    if (r == 0)
        r = enter_prefixes(plan, err);
    if (r == 0)
        r = enter_packages(plan, err);
    if (r < 0)
        return r;
    /* A zygote is in the supervisor's pid namespace: with this option it sees only processes that
     * it could ptrace, which is itself. */
    const char *proc =
        plan->zygote ? "subset=pid,hidepid=ptraceable" : "subset=pid,hidepid=invisible";
    if (failpoint(FP_enter_proc) || mount_proc("mnt/proc", proc) < 0)
        return mount_failed(err, "cannot mount /proc");
    if (failpoint(FP_enter_pivot) || chdir("mnt") < 0 || syscall(SYS_pivot_root, ".", ".") < 0 ||
        umount2(".", MNT_DETACH) < 0 || chdir("/work") < 0)
        return mount_failed(err, "cannot enter the session's root");
    return 0;
}

/* --- a branch --- */

static const char *const writable[ROOTFS_WRITABLE] = {"/work", "/tmp", "/dev/shm"};

bool rootfs_branchable(const struct ctl_environment *env) {
    for (unsigned i = 0; i < ENV_PREFIXES && env->prefix[i][0]; i++)
        for (int j = 0; j < ROOTFS_WRITABLE; j++) {
            size_t n = strlen(writable[j]);
            if (strncmp(env->prefix[i], writable[j], n) == 0 && env->prefix[i][n] == '/')
                return false;
        }
    return true;
}

static int open_dirs(const char *const paths[ROOTFS_WRITABLE], int ret[ROOTFS_WRITABLE]) {
    for (int i = 0; i < ROOTFS_WRITABLE; i++)
        if ((ret[i] = open(paths[i], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) < 0)
            return -1;
    return 0;
}

int rootfs_branch(const struct rootfs_plan *plan, int ret_old[ROOTFS_WRITABLE],
                  int ret_new[ROOTFS_WRITABLE], struct retort_error *err) {
    static const char *const parts[ROOTFS_WRITABLE] = {"/tmp/work", "/tmp/tmp", "/tmp/shm"};
    static const mode_t modes[ROOTFS_WRITABLE] = {0755, 01777, 01777};
    char options[96];
    snprintf(options, sizeof options, "mode=755,size=%llu,nr_inodes=%llu",
             (unsigned long long)plan->disk, (unsigned long long)plan->inodes);
    if (open_dirs(writable, ret_old) < 0)
        return mount_failed(err, "cannot open the parent's directories");
    if (mount("work", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, options) < 0)
        return mount_failed(err, "cannot mount the branch's tmpfs");
    for (int i = 0; i < ROOTFS_WRITABLE; i++)
        if (mkdir(parts[i], 0755) < 0 || chmod(parts[i], modes[i]) < 0)
            return mount_failed(err, "cannot make the branch's directories");
    if (open_dirs(parts, ret_new) < 0)
        return mount_failed(err, "cannot open the branch's directories");
    if (plan->devices >= 0 && attach(plan->devices, "/dev") < 0)
        return mount_failed(err, "cannot mount the branch's /dev");
    if (devices_have_terminals() && devices_terminals() < 0) /* the parent has them */
        return mount_failed(err, "cannot cover the parent's terminals");
    if (mount(parts[ROOTFS_WORK], "/work", NULL, MS_BIND, NULL) < 0 ||
        mount(parts[ROOTFS_SHM], "/dev/shm", NULL, MS_BIND, NULL) < 0 ||
        mount(parts[ROOTFS_TMP], "/tmp", NULL, MS_BIND, NULL) < 0)
        return mount_failed(err, "cannot mount the branch's directories");
    if (mount_proc("/proc", "subset=pid,hidepid=invisible") < 0)
        return mount_failed(err, "cannot mount the branch's /proc");
    return chdir("/work") < 0 ? mount_failed(err, "cannot enter the branch's directory") : 0;
}
