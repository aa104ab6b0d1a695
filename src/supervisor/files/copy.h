/* Copies of directories.
 *
 * Runs in: the first process of a branch, and a zygote before it is one.
 * Hostile: the files, which a guest may be changing meanwhile.
 * Tests: tests/system/test_branch.py
 */
#pragma once

/* Copies the files beneath `from` into the empty directory `to`. */
int copy_tree(int from, int to);
