/* Landlock for real: each case restricts a forked child to a directory of a scratch tree
 *
 *   TREE/root        what the child may use, with in.txt and a directory
 *   TREE/outside     what it may not, with out.txt
 *
 * and the child says which expectation failed. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "sandbox/landlock.h"

static char tree[] = "/tmp/retort-landlock-XXXXXX";
static int root, outside;

/* NULL: all went well. */
typedef const char *child_body(void);

#define EXPECT(condition)      \
    do {                       \
        if (!(condition))      \
            return #condition; \
    } while (0)
#define REFUSED(call, eno) EXPECT((call) < 0 && errno == (eno))

static int abi(void) {
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

static bool restrict_to(int dirfd) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           landlock_restrict_beneath(dirfd, NULL) == abi();
}

static void in_child(child_body *body) {
    if (abi() < 1)
        skip();
    int said[2];
    assert_int_equal(pipe(said), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        const char *failed = body();
        _exit(failed && write(said[1], failed, strlen(failed)) > 0);
    }
    close(said[1]);
    char failed[200] = "";
    ssize_t n = read(said[0], failed, sizeof failed - 1);
    close(said[0]);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (n != 0 || status != 0)
        fail_msg("in the child: %s, status %#x", failed, (unsigned)status);
}

static const char *everyday_work(void) {
    EXPECT(restrict_to(root));
    int fd = openat(root, "new.txt", O_CREAT | O_RDWR, 0600);
    EXPECT(fd >= 0 && write(fd, "x", 1) == 1 && ftruncate(fd, 0) == 0);
    EXPECT(openat(root, "in.txt", O_RDONLY | O_TRUNC) >= 0);
    EXPECT(openat(root, ".", O_RDONLY | O_DIRECTORY) >= 0);
    EXPECT(mkdirat(root, "made", 0700) == 0);
    EXPECT(renameat(root, "new.txt", root, "made/moved.txt") == 0);
    EXPECT(symlinkat("in.txt", root, "made/link") == 0);
    EXPECT(mknodat(root, "made/fifo", S_IFIFO | 0600, 0) == 0);
    EXPECT(mknodat(root, "made/socket", S_IFSOCK | 0600, 0) == 0);
    EXPECT(unlinkat(root, "made/moved.txt", 0) == 0);
    return NULL;
}

static void work_beneath_the_root_goes_on(void **state) {
    (void)state;
    in_child(everyday_work);
}

/* Not character device 0:0, the white-out of an overlay, which needs no privilege: Debian's
 * Linux 6.1.190 lets it be made in spite of Landlock. The system call filter refuses it. */
static const char *devices(void) {
    EXPECT(restrict_to(root));
    REFUSED(mknodat(root, "null", S_IFCHR | 0600, makedev(1, 3)), EACCES);
    REFUSED(mknodat(root, "disk", S_IFBLK | 0600, makedev(8, 0)), EACCES);
    return NULL;
}

static void device_nodes_are_refused_even_there(void **state) {
    (void)state;
    in_child(devices);
}

static const char *leaked_directory(void) {
    EXPECT(restrict_to(root));
    REFUSED(openat(outside, "out.txt", O_RDONLY), EACCES);
    REFUSED(openat(outside, "out.txt", O_WRONLY), EACCES);
    REFUSED(openat(outside, "made.txt", O_CREAT | O_WRONLY, 0600), EACCES);
    REFUSED(openat(outside, ".", O_RDONLY | O_DIRECTORY), EACCES);
    REFUSED(mkdirat(outside, "made", 0700), EACCES);
    REFUSED(unlinkat(outside, "out.txt", 0), EACCES);
    REFUSED(symlinkat("x", outside, "link"), EACCES);
    REFUSED(linkat(outside, "out.txt", root, "hardlink", 0), EXDEV);
    REFUSED(renameat(root, "in.txt", outside, "stolen"), abi() >= 2 ? EACCES : EXDEV);
    return NULL;
}

static void a_leaked_directory_leads_nowhere(void **state) {
    (void)state;
    in_child(leaked_directory);
}

static const char *leaked_file(void) {
    int fd = openat(outside, "out.txt", O_RDONLY);
    char again[40];
    EXPECT(fd >= 0 && snprintf(again, sizeof again, "/proc/self/fd/%d", fd) > 0);
    EXPECT(restrict_to(root));
    REFUSED(open(again, O_RDONLY), EACCES);
    REFUSED(open("/proc/self/exe", O_RDONLY), EACCES);
    REFUSED(execl("/proc/self/exe", "again", NULL), EACCES);
    if (abi() >= 3)
        REFUSED(truncate(again, 0), EACCES);
    return NULL;
}

static void a_leaked_file_cannot_be_opened_again(void **state) {
    (void)state;
    in_child(leaked_file);
}

/* /dev/stdout and shells' <(…) depend on it. */
static const char *own_pipes(void) {
    int ends[2];
    char again[40];
    EXPECT(pipe(ends) == 0 && snprintf(again, sizeof again, "/proc/self/fd/%d", ends[1]) > 0);
    EXPECT(restrict_to(root));
    EXPECT(open(again, O_WRONLY) >= 0);
    return NULL;
}

static void pipes_can_be_opened_again(void **state) {
    (void)state;
    in_child(own_pipes);
}

static const char *loopback(void) {
    EXPECT(restrict_to(root));
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t len = sizeof any;
    EXPECT(fd >= 0 && bind(fd, (struct sockaddr *)&any, len) == 0 && listen(fd, 1) == 0);
    EXPECT(getsockname(fd, (struct sockaddr *)&any, &len) == 0);
    EXPECT(connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&any, len) == 0);
    return NULL;
}

static void servers_on_loopback_work(void **state) {
    (void)state;
    in_child(loopback);
}

static const char *signals(void) {
    EXPECT(restrict_to(root));
    REFUSED(kill(getppid(), 0), EPERM);
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    int status;
    EXPECT(child > 0 && kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child);
    EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    return NULL;
}

static void signals_stay_inside(void **state) {
    (void)state;
    if (abi() < 6)
        skip();
    in_child(signals);
}

static socklen_t abstract_name(struct sockaddr_un *un) {
    *un = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(un->sun_path + 1, sizeof un->sun_path - 1, "%s", tree);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(tree));
}

static const char *abstract_socket(void) {
    struct sockaddr_un un;
    socklen_t len = abstract_name(&un);
    EXPECT(restrict_to(root));
    REFUSED(connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&un, len), EPERM);
    return NULL;
}

static void abstract_sockets_of_others_are_refused(void **state) {
    (void)state;
    if (abi() < 6)
        skip();
    struct sockaddr_un un;
    socklen_t len = abstract_name(&un);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&un, len), 0);
    assert_int_equal(listen(fd, 1), 0);
    in_child(abstract_socket);
    close(fd);
}

/* A branch mounts its own work directory over the one that was there when the rule was made. */
static int mounted_over[2];

static const char *after_the_mount(void) {
    EXPECT(restrict_to(root));
    char go;
    EXPECT(read(mounted_over[0], &go, 1) == 1);
    EXPECT(openat(root, "dir/made.txt", O_CREAT | O_RDWR, 0600) >= 0);
    REFUSED(openat(outside, "out.txt", O_RDONLY), EACCES);
    return NULL;
}

static bool become_root_of_new_namespaces(void) {
    char uid[40], gid[40];
    snprintf(uid, sizeof uid, "0 %u 1", geteuid());
    snprintf(gid, sizeof gid, "0 %u 1", getegid());
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
           write_file_at(AT_FDCWD, "/proc/self/setgroups", "deny") == 0 &&
           write_file_at(AT_FDCWD, "/proc/self/uid_map", uid) == 0 &&
           write_file_at(AT_FDCWD, "/proc/self/gid_map", gid) == 0;
}

static const char *mount_over(void) {
    EXPECT(become_root_of_new_namespaces());
    EXPECT(pipe(mounted_over) == 0);
    /* Descriptors of the old mount namespace would bypass the new mount. */
    int again = open(tree, O_PATH | O_DIRECTORY);
    root = openat(again, "root", O_PATH | O_DIRECTORY);
    outside = openat(again, "outside", O_PATH | O_DIRECTORY);
    pid_t child = fork();
    if (child == 0)
        _exit(after_the_mount() != NULL);
    EXPECT(fchdir(root) == 0 && mount("none", "dir", "tmpfs", 0, NULL) == 0);
    EXPECT(write(mounted_over[1], "g", 1) == 1);
    int status;
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(status == 0);
    return NULL;
}

static bool can_unshare(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(!become_root_of_new_namespaces());
    int status;
    return waitpid(pid, &status, 0) == pid && status == 0;
}

static void what_is_mounted_later_is_covered(void **state) {
    (void)state;
    if (!can_unshare())
        skip();
    in_child(mount_over);
}

static const char *whole_root(void) {
    EXPECT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && landlock_restrict(NULL) == abi());
    EXPECT(openat(outside, "out.txt", O_RDWR) >= 0);
    REFUSED(mknodat(root, "null", S_IFCHR | 0600, makedev(1, 3)), EACCES);
    return NULL;
}

static void the_root_directory_is_the_usual_bound(void **state) {
    (void)state;
    in_child(whole_root);
}

static void a_failure_names_the_layer(void **state) {
    (void)state;
    if (abi() < 1)
        skip();
    struct retort_error err = ERR_INIT;
    assert_true(landlock_restrict_beneath(-1, &err) < 0);
    assert_string_equal(err.layer, "landlock");
}

static int make_file(int dirfd, const char *name) {
    int fd = openat(dirfd, name, O_CREAT | O_WRONLY, 0600);
    close(fd);
    return fd < 0 ? -1 : 0;
}

static int set_up(void **state) {
    (void)state;
    if (!mkdtemp(tree) || chdir(tree) < 0 || mkdir("root", 0700) < 0 ||
        mkdir("outside", 0700) < 0 || mkdir("root/dir", 0700) < 0)
        return -1;
    root = open("root", O_PATH | O_DIRECTORY);
    outside = open("outside", O_PATH | O_DIRECTORY);
    return root < 0 || outside < 0 || make_file(root, "in.txt") || make_file(outside, "out.txt")
               ? -1
               : 0;
}

static int tear_down(void **state) {
    (void)state;
    const char *const names[] = {"root/made/link", "root/made/fifo", "root/made/socket",
                                 "root/in.txt",    "root/new.txt",   "outside/out.txt"};
    const char *const dirs[] = {"root/made", "root/dir", "root", "outside", tree};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unlink(names[i]);
    int r = 0;
    for (size_t i = 0; i < sizeof dirs / sizeof dirs[0]; i++)
        r = rmdir(dirs[i]);
    return r; /* something that should not have been made is still there */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_beneath_the_root_goes_on),
        cmocka_unit_test(device_nodes_are_refused_even_there),
        cmocka_unit_test(a_leaked_directory_leads_nowhere),
        cmocka_unit_test(a_leaked_file_cannot_be_opened_again),
        cmocka_unit_test(pipes_can_be_opened_again),
        cmocka_unit_test(servers_on_loopback_work),
        cmocka_unit_test(signals_stay_inside),
        cmocka_unit_test(abstract_sockets_of_others_are_refused),
        cmocka_unit_test(what_is_mounted_later_is_covered),
        cmocka_unit_test(the_root_directory_is_the_usual_bound),
        cmocka_unit_test(a_failure_names_the_layer),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
