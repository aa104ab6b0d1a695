/* Locks on files, of which the kernel keeps as many as code asks for: it charges their memory to
 * nobody, and whoever closes a file walks over all locks on its inode. Some inodes are everybody's:
 * that of all event and timer descriptors, and without rights of root those of devices.
 *
 * Runs in: a child of the supervisor, because the kernel lets the reader of /proc/locks wait.
 * Hostile: guests decide how many lines there are, the text is the kernel's. It leaves out locks
 *   whose taker is gone: the filter lets no process take one that outlives it.
 * Owns: nothing.
 * Tests: tests/hostile/test_y_objects.py
 */
#pragma once

#include "sandbox/proctree.h"

/* Those of its processes, as far as `most` and one more. */
uint64_t locks_count(const struct proctree *tree, uint64_t most);
