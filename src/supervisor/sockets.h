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

/* A pair whose first socket gets the sender's credentials from the kernel: this is the only way we
 * learn a guest's pid. */
int witness_open(int ret_pair[2]);
/* Never waits: -EAGAIN. If `ret_fd` is not NULL, it takes one descriptor. */
ssize_t witness_recv(int fd, void *data, size_t len, pid_t *ret_pid, int *ret_fd);

/* Whether a message that could not be received is still there, or was never there: then we will be
 * woken again. If the kernel is short of memory, the other end is not gone. */
bool nothing_yet(ssize_t received);

/* Channel and pipes for one generation of an interpreter: the guest's ends and the broker's. */
int generation_open(int guest[3], int host[3]);

void close_all(int *fds, size_t n);

/* A session has descriptors below this number while it is made; when it rests, it has higher ones.
 * A session's first process copies only these (birth.h). */
#define LOW_DESCRIPTORS 512
bool descriptor_is_low(int fd);
void descriptor_raise(int *fd); /* to a number that is not low, if it is open and there is one */
