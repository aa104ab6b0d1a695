#include "engine/cell/network.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/scope.h"

#define FEW 8             /* sockets that cannot hold much: most sessions never have as many */
#define SOCKET_BYTES 4096 /* one by itself, with its file */
#define UNIX_BYTES 212992 /* of data in one, unless the host says otherwise */
#define SYN_SENT 2
#define SYN_BYTES 65536 /* of data that go with the first packet */
#define SYN_RECV 3
#define TIME_WAIT 6

static FILE *open_table(int net, const char *name) {
    scoped_fd fd = openat(net, name, O_RDONLY | O_CLOEXEC);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "re");
    if (f)
        take_fd(&fd);
    return f;
}

/* The kernel subtracts two numbers of the stream while others change them: of a socket that connects
 * one may be set and the other not, of any other the second may be ahead of the first. */
static uint64_t queued(unsigned state, uint64_t bytes) {
    if (state == SYN_SENT)
        return bytes < SYN_BYTES ? bytes : SYN_BYTES;
    return bytes <= INT32_MAX ? bytes : 0;
}

uint64_t network_inet(const char *line) {
    unsigned state;
    uint64_t sent, received;
    if (sscanf(line, "%*s %*s %*s %x %" SCNx64 ":%" SCNx64, &state, &sent, &received) != 3 ||
        state == SYN_RECV || state == TIME_WAIT)
        return 0;
    return SOCKET_BYTES + queued(state, sent) + queued(state, received);
}

uint64_t network_netlink(const char *line) {
    uint64_t received;
    return sscanf(line, "%*s %*s %*s %*s %" SCNu64, &received) == 1 ? SOCKET_BYTES + received : 0;
}

uint64_t network_unix(const char *line) {
    unsigned long references;
    return sscanf(line, "%*[0-9a-f]: %lx", &references) == 1 ? SOCKET_BYTES + UNIX_BYTES : 0;
}

static uint64_t sum(int net, const char *name, uint64_t (*bytes)(const char *), uint64_t most) {
    FILE *f = open_table(net, name);
    char line[512];
    uint64_t held = 0;
    while (f && held <= most && fgets(line, sizeof line, f))
        held += bytes(line);
    if (f)
        fclose(f);
    return held;
}

static bool has_few(int net) {
    FILE *f = open_table(net, "sockstat");
    unsigned long used = 0;
    bool known = f && fscanf(f, "sockets: used %lu", &used) == 1;
    if (f)
        fclose(f);
    return !known || used <= FEW;
}

bool network_holds_more(int net, uint64_t most, bool charged) {
    static const char *const tables[] = {"tcp", "tcp6", "udp", "udp6"};
    if (net < 0 || has_few(net))
        return false;
    uint64_t held = sum(net, "netlink", network_netlink, most);
    if (!charged)
        held += sum(net, "unix", network_unix, most);
    for (size_t i = 0; held <= most && i < sizeof tables / sizeof *tables; i++)
        held += sum(net, tables[i], network_inet, most);
    return held > most;
}
