/* The device nodes of a session: /dev/null, zero, full, random and urandom; and pseudo terminals for
 * those sessions whose door asks for them.
 *
 * An inode is a channel: who may read it can watch it, and make everybody's use of it slower; who
 * may open it can lock it. So where the host lets us, every session has inodes of its own. That
 * takes root of the host's user namespace: the kernel opens no device on a file system that was
 * mounted in another.
 *
 * Runs in: keeper (devices_make), supervisor (devices_bind) and, before they are locked in, processes
 *   of a session (devices_terminals).
 * Hostile: nothing.
 */
#pragma once

#include <stdbool.h>

/* A detached, read-only mount of a new /dev, with a directory for /dev/shm; or -errno where the
 * caller may not make device nodes, or not use them. */
int devices_make(void);

/* The next best: the host's own nodes, bound below the current directory in an existing `dev`,
 * read-only, which keeps their times and modes, but not writing to the device. 0 or -errno. */
int devices_bind(void);

/* What stands in /dev beside them: links into /proc/self/fd, and the directories shm and
 * pts. In the directory `dir`; 0 or -errno. */
int devices_links(int dir);

/* In a session's mount namespace, with the capabilities of its user namespace: mounts terminals that
 * nobody else has at /dev/pts, over those that are there. 0 or -errno. Async-signal-safe. */
int devices_terminals(void);
bool devices_have_terminals(void);
