/* The device nodes of a session: /dev/null, zero, full, random and urandom; and pseudo terminals
 * for those sessions whose door asks for them.
 *
 * A shared inode is a channel: a process that may read it can watch it, and slow everybody's use of
 * it down; one that may open it can lock it. So if the host lets us, every session has inodes of
 * its own. Only root in the host's user namespace can make them: the kernel opens no device on a
 * file system that was mounted in another user namespace.
 *
 * Runs in: keeper (devices_make), supervisor (devices_bind) and, before they are locked in,
 *   processes of a session (devices_terminals).
 * Hostile: nothing.
 */
#pragma once

#include <stdbool.h>

/* A detached, read-only mount of a new /dev, with a directory for /dev/shm; or -errno if the caller
 * may not make or use device nodes. */
int devices_make(void);

/* The next best: binds the host's own nodes into an existing `dev` below the current directory,
 * read-only: that protects their times and modes, but does not prevent writing to the device. 0 or
 * -errno. */
int devices_bind(void);

/* Makes what else is in /dev: links into /proc/self/fd, and the directories shm and pts. In the
 * directory `dir`; 0 or -errno. */
int devices_links(int dir);

/* In a session's mount namespace, with the capabilities of its user namespace: mounts terminals of
 * the session's own at /dev/pts, over those that are there. 0 or -errno. Async-signal-safe. */
int devices_terminals(void);
bool devices_have_terminals(void);
