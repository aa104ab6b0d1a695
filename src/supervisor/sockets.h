/* Sockets and pipes as the supervisor makes them: closed at exec, whole or not at all.
 *
 * Runs in: supervisor.
 * Hostile: what arrives at a witness may come from any process that a guest has handed the other
 * end to; the kernel names the sender.
 * Owns: nothing; the caller closes what it gets. After a failure there is nothing to close.
 * Tests: tests/hostile/test_L10_failpoints.py, tests/hostile/test_x_identity.py
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

int pair_open(int ret_pair[2], int type); /* a pair of Unix sockets */
int pipe_open(int ret_pipe[2]);

/* A pair whose first socket is told by the kernel who sent: the only way we learn a guest's pid. */
int witness_open(int ret_pair[2]);
/* Never waits: -EAGAIN. Where `ret_fd` is not NULL, it takes one descriptor. */
ssize_t witness_recv(int fd, void *data, size_t len, pid_t *ret_pid, int *ret_fd);

/* Whether a message that could not be received is there still, or was never: we are told again. Short
 * of memory is no reason to take the other end for gone. */
bool nothing_yet(ssize_t received);

/* Channel and pipes of one generation of an interpreter: the guest's ends and the broker's. */
int generation_open(int guest[3], int host[3]);

void close_all(int *fds, size_t n);

/* Numbers that a session has while it is made; when it rests it has higher ones. A session's first
 * process may copy these and no others (birth.h). */
#define LOW_DESCRIPTORS 512
bool descriptor_is_low(int fd);
void descriptor_raise(int *fd); /* to one that is not, if it is open and there is one */
