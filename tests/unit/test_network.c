/* The broker's reading of /proc/net: the kernel's lines, and the sockets of this process. */
#include "unit.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/cell/network.h"

#define TCP_HEAD "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid"
#define TCP(state, queues)                                                                        \
    "   1: 0100007F:1F90 0100007F:9C40 " state " " queues " 00:00000000 00000000  1000        0 " \
    "33 1 0000000000000000 20 4 30 10 -1"

static void lines_of_tables(void **state) {
    (void)state;
    assert_int_equal(network_inet(TCP_HEAD), 0);
    assert_int_equal(network_inet(TCP("01", "00000010:00000100")), 4096 + 16 + 256);
    assert_int_equal(network_inet(TCP("08", "00000000:0000FFFF")), 4096 + 65535);
    assert_int_equal(network_inet(TCP("06", "00000000:00000000")), 0); /* TIME_WAIT */
    assert_int_equal(network_inet(TCP("02", "00000001:00000000")), 4096 + 1);
    assert_int_equal(network_inet(TCP("02", "9A3C51F0:5B1E0D77")),
                     4096 + 2 * 65536);                                       /* torn, as … */
    assert_int_equal(network_inet(TCP("01", "FFFFFF00:00000007")), 4096 + 7); /* … this is */
    assert_int_equal(network_inet(""), 0);
    assert_int_equal(network_netlink("sk               Eth Pid        Groups   Rmem     Wmem"), 0);
    assert_int_equal(
        network_netlink("00000000f1 0   4242       00000000 212992   0        0     2   0   99"),
        4096 + 212992);
    assert_int_equal(network_netlink("1 2 3"), 0);
    assert_int_equal(network_unix("Num       RefCount Protocol Flags    Type St Inode Path"), 0);
    assert_int_equal(network_unix("00000000ad: 00000002 00000000 00010000 0001 01 7 @x"),
                     4096 + 212992);
}

/* Datagrams that nobody reads, in more sockets than are overlooked. */
static void what_waits_is_found(void **state) {
    (void)state;
    char data[1000] = "";
    int net = open("/proc/self/net", O_RDONLY | O_DIRECTORY);
    assert_true(net >= 0);
    assert_false(network_holds_more(net, 1ull << 50, false));
    for (int i = 0; i < 16; i++) {
        struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
        socklen_t len = sizeof to;
        int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        assert_true(fd >= 0);
        assert_int_equal(bind(fd, (struct sockaddr *)&to, sizeof to), 0);
        assert_int_equal(getsockname(fd, (struct sockaddr *)&to, &len), 0);
        for (int n = 0; n < 40; n++)
            sendto(fd, data, sizeof data, 0, (struct sockaddr *)&to, sizeof to);
    }
    assert_true(network_holds_more(net, 16 * 40 * sizeof data, true));
    close(net);
}

static void no_network_holds_nothing(void **state) {
    (void)state;
    int elsewhere = open("/", O_RDONLY | O_DIRECTORY);
    assert_false(network_holds_more(-1, 0, false));
    assert_false(network_holds_more(elsewhere, 0, false));
    close(elsewhere);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_tables),
        cmocka_unit_test(what_waits_is_found),
        cmocka_unit_test(no_network_holds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
