/* Prepares the namespaces of an ended session for the next one. Only its first process is left in
 * them. What can change without a capability is reset or checked: process numbers begin anew, and
 * the number of the next file shows whether any file was made. ARCHITECTURE.md ("Sessions that are
 * used again") explains why that is enough.
 *
 * Runs in: supervisor.
 * Hostile: the session that was there before; none of its processes is left.
 * Owns: nothing.
 * Tests: tests/hostile/test_h_remains.py
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/* Makes the next process in the pid namespace number 2. `init`: pidfd of its first process. 0 or
 * -errno. */
int renew_pids(int init);

/* The inode number that the next file of this user in this directory would have had. */
int renew_inode(int dir, uid_t uid, uint64_t *ret);
