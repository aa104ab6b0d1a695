/* What waits in the sockets of a session's network, read from its /proc/PID/net.
 *
 * The kernel does not charge all of it to a cgroup: not the answers that wait in a netlink socket,
 * not what has come for a TCP connection that nobody has accepted (which needs no descriptor), and
 * with version 1 neither TCP nor UDP. And the memory of TCP and UDP has one limit for the whole
 * host.
 *
 * Runs in: the broker.
 * Hostile: the numbers are the guest's doing, the text is the kernel's.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/unit/test_network.c, tests/hostile/test_y_kernel.py
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Whether more than `most` bytes wait. False if the descriptor is -1, or the network is gone.
 * `charged`: a cgroup counts what waits in Unix sockets; otherwise each of them is taken to be
 * full, because the kernel does not say. */
bool network_holds_more(int net, uint64_t most, bool charged);

/* Bytes behind one line of tcp, tcp6, udp, udp6; of netlink; of unix. 0: a heading, or what holds
 * nothing. */
uint64_t network_inet(const char *line);
uint64_t network_netlink(const char *line);
uint64_t network_unix(const char *line);
