/* The namespaces of an ended session, made ready for the next one. Nobody but its first process is
 * left in them, and what can have changed without a capability is set back, or looked at: the numbers
 * of processes begin anew, and the number of the next file tells whether there ever was one.
 * ARCHITECTURE.md ("Sessions that are used again") has the argument.
 *
 * Runs in: supervisor.
 * Hostile: the session that was there before; none of its processes is left.
 * Owns: nothing.
 * Tests: tests/hostile/test_h_remains.py
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/* The next process in the pid namespace is number 2. `init`: pidfd of the first one. 0 or -errno. */
int renew_pids(int init);

/* The number that the next file in this directory, of this user's, would have had. */
int renew_inode(int dir, uid_t uid, uint64_t *ret);
