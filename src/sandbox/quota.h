/* The directory /proc/sys/user, by which whoever stands in a user namespace limits what there can be
 * in it: each who looks a name up there finds the file of his own user namespace.
 *
 * The kernel remembers every file that was found for as long as its user namespace lives. Files of one
 * name lie in the same chain, so that in a procfs that all sessions share each birth would walk past
 * those of all that live, for each of ten names. A procfs of which nobody has a descriptor any more
 * takes what it remembers along.
 *
 * Runs in: supervisor; the names are looked up by the first process of a session.
 * Owns: nothing; who opens one owns the descriptor.
 * Tests: tests/system/test_many.py
 */
#pragma once

#define QUOTA_DIR "/proc/sys/user"

/* That directory in a procfs that is new and mounted nowhere: a descriptor (O_PATH) or -errno. Takes a
 * right over the pid namespace. */
int quota_open(void);
