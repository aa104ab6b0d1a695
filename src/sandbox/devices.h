/* The device nodes of a session: /dev/null, zero, full, random and urandom.
 *
 * An inode is a channel: who may read it can watch it, and make everybody's use of it slower; who
 * may open it can lock it. So where the host lets us, every session has inodes of its own. That
 * takes root of the host's user namespace: the kernel opens no device on a file system that was
 * mounted in another.
 *
 * Runs in: keeper (devices_make) and supervisor (devices_bind).
 * Hostile: nothing.
 */
#pragma once

/* A detached, read-only mount of a new /dev, with a directory for /dev/shm; or -errno where the
 * caller may not make device nodes, or not use them. */
int devices_make(void);

/* The next best: the host's own nodes, bound below the current directory in an existing `dev`,
 * read-only, which keeps their times and modes, but not writing to the device. 0 or -errno. */
int devices_bind(void);

/* What stands in /dev beside them: links into /proc/self/fd, and the directory shm. In the
 * directory `dir`; 0 or -errno. */
int devices_links(int dir);
