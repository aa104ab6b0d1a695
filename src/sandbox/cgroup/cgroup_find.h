/* Finds where this process is in the cgroup hierarchies, from the text of /proc/self/cgroup and
 * /proc/self/mountinfo. Pure functions: text in, a path out.
 *
 * Runs in: supervisor.
 * Hostile: nothing; the kernel wrote the text.
 * Tests: tests/unit/test_cgroup.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The directory of the process's own cgroup in the version 1 hierarchy that has `controller`, or in
 * the version 2 hierarchy if that is NULL. -ENOENT: not mounted; -EXDEV: the process's cgroup lies
 * outside of what is mounted here (a container without a cgroup namespace); -ENAMETOOLONG.
 * `ret_top`, if not NULL, is the length of the mount point in the path: look for no ancestor above
 * it. */
int cgroup_find(const char *cgroup_text, const char *mountinfo_text, const char *controller,
                char *ret_path, size_t size, size_t *ret_top);

/* Whether `word` stands in a list separated by blanks, commas or newlines. */
bool cgroup_listed(const char *list, const char *word);
