/* Counts locks on files. The kernel keeps as many as code asks for, charges their memory to nobody,
 * and walks over all locks on an inode when a file is closed. All processes share some inodes: that
 * of all event and timer descriptors and, without root, those of devices.
 *
 * Runs in: a child of the supervisor, because reading /proc/locks may block.
 * Hostile: guests decide how many lines there are; the kernel writes the text. It leaves out locks
 *   whose process is gone, but the filter lets no process take a lock that outlives it.
 * Owns: nothing.
 * Tests: tests/hostile/test_y_objects.py
 */
#pragma once

#include "sandbox/proctree.h"

/* Counts the locks of its processes, up to `most` and one more. */
uint64_t locks_count(const struct proctree *tree, uint64_t most);
