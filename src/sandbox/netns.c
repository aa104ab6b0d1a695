#include "sandbox/netns.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "sandbox/ablation/overlook.h"

int netns_raise_loopback(void) {
    int sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    int r = sock < 0 || ioctl(sock, SIOCSIFFLAGS, &request) < 0 ? -errno : 0;
    if (sock >= 0)
        close(sock);
    return r;
}

/* Runs in the child below, which uses the memory and descriptors of the parent, while that
 * waits. */
static int make_inside(void *ret) {
    int r = netns_raise_loopback();
    int fd = r < 0 ? r : open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    *(int *)ret = r < 0 ? r : fd < 0 ? -errno : fd;
    return 0;
}

/* A child makes it, because a process that enters a user namespace cannot come back. The child
 * shares everything with us: nothing is copied, and we get the descriptor that it opens. It never
 * receives our signals. */
int netns_make(void) {
    static char stack[16 << 10] __attribute__((aligned(16)));
    int fd = -ECHILD, flags = CLONE_VM | CLONE_VFORK | CLONE_FILES | CLONE_NEWUSER | CLONE_NEWNET;
    pid_t pid = clone(make_inside, stack + sizeof stack, flags, &fd);
    if (pid < 0)
        return -errno;
    while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
        ;
    return fd;
}

/* If the kernel was built with CONFIG_IP_FIB_TRIE_STATS, as Debian's is, `fib_triestat` counts every
 * route that was looked for; bind() looks for one. Not `netstat`: it counts nothing without a
 * packet through lo, which `dev` counts. The other lines of `sockstat` are about all namespaces
 * together. */
static const struct reading {
    const char *name;
    enum check check;
    bool first_line, optional;
} readings[] = {{"sockstat", CHECK_sockstat, true, false},
                {"dev", CHECK_dev, false, false},
                {"snmp", CHECK_snmp, false, false},
                {"snmp6", CHECK_snmp6, false, true}, /* a kernel may have no IPv6 */
                {"rt6_stats", CHECK_rt6_stats, false, true},
                {"fib_triestat", CHECK_fib_triestat, false, true}};

/* There must be room for the whole text and one byte more, else it was cut. */
static int add_reading(int dir, const struct reading *reading, struct netns_state *s) {
    char *text = s->text + s->len;
    size_t room = sizeof s->text - s->len;
    if (overlooks(reading->check))
        return 0;
    if (room < 2)
        return -ENOSPC;
    ssize_t n = read_file_at(dir, reading->name, text, room);
    if (n == -ENOENT && reading->optional)
        return 0;
    if (n <= 0)
        return n < 0 ? (int)n : -ENODATA;
    if ((size_t)n == room - 1)
        return -ENOSPC;
    const char *line = reading->first_line ? strchr(text, '\n') : NULL;
    s->len += line ? (size_t)(line - text) + 1 : (size_t)n;
    return 0;
}

int netns_read(struct netns_state *ret) {
    ret->len = 0;
    scoped_fd dir = open("/proc/self/net", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return dir < 0 ? -errno : netns_read_at(dir, ret);
}

int netns_read_at(int dir, struct netns_state *ret) {
    int r = 0;
    ret->len = 0;
    for (size_t i = 0; r == 0 && i < sizeof readings / sizeof *readings; i++)
        r = add_reading(dir, &readings[i], ret);
    if (r < 0)
        ret->len = 0;
    return r;
}

bool netns_equal(const struct netns_state *a, const struct netns_state *b) {
    return a->len > 0 && a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

int netns_forget_routes(void) {
    if (overlooks(CHECK_cached_routes))
        return 0;
    return write_file_at(AT_FDCWD, "/proc/sys/net/ipv4/route/flush", "1");
}
