/* The directory /proc/sys/user, with which a process limits what its user namespace may have: a
 * process that looks up a name there finds the file of its own user namespace.
 *
 * The kernel keeps an entry for every file that was found as long as its user namespace lives.
 * Entries of one name are in the same hash chain: so in a procfs that all sessions share, each
 * birth would walk past the entries of all living sessions, for each of ten names. When nobody has
 * a descriptor of a procfs any more, its entries go with it.
 *
 * Runs in: supervisor; the names are looked up by the first process of a session.
 * Owns: nothing; who opens one owns the descriptor.
 * Tests: tests/system/test_many.py
 */
#pragma once

#define QUOTA_DIR "/proc/sys/user"

/* Opens that directory in a new procfs that is mounted nowhere: a descriptor (O_PATH) or -errno.
 * Needs a capability over the pid namespace. */
int quota_open(void);
