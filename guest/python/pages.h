/* Huge pages for what a zygote has loaded: a fork copies, and an exit frees, one entry for 2 MB
 * instead of 512.
 *
 * Runs in: a zygote, before it is ready.
 * Hostile: nothing, no guest code has run there.
 * Owns: the address range that CPython's arenas come from until pages_collapse().
 * Tests: tests/system/test_sessions.py
 */
#pragma once

/* From here on CPython's small objects are allocated side by side. Does nothing if CPython has no
 * arenas. */
void pages_gather(void);

/* Once everything is loaded: takes all free memory between used blocks, so that a session's own
 * allocations lie side by side, instead of each on a page that a fork would have to copy. */
void pages_fill(void);

/* After that: ends the gathering and puts huge pages under all private memory that fills them. A
 * session's later allocations use small pages again. */
void pages_collapse(void);

/* Libraries have their parts mapped with accesses of their own, five each. Those that lie side by
 * side get the same access, so that a fork copies, and an exit takes down, two instead: constants
 * become executable and relocated pointers writable, as any page of a guest's may be.
 *
 * That gives up what RELRO is for, and it is no loss: RELRO keeps somebody who can write one wrong
 * word from running code of his own. Everybody here runs code of his own from his first cell on,
 * may map pages that are writable and executable, and may call mprotect() as we do. The wall is
 * around the process (seccomp, namespaces, Landlock) and does not count on what is in its memory. The
 * zygote, whose pages these are too, runs no guest code, and the pages are private: what a session
 * writes there is its own copy. */
void pages_join(void);

/* After that: puts huge pages under the interpreter's code, of which each child would otherwise map
 * some fifty pieces, with one fault each. */
void pages_take_code(void);
