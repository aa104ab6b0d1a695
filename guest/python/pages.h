/* Huge pages for what a zygote has loaded: a fork copies, and an exit takes down, one entry for
 * 2 MB instead of 512.
 *
 * Runs in: a zygote, before it is ready.
 * Hostile: nothing, no guest code has run there.
 * Owns: the address range that CPython's arenas come from until pages_collapse().
 * Tests: tests/system/test_sessions.py
 */
#pragma once

/* From here on CPython's small objects lie side by side. Does nothing where CPython has no arenas.
 */
void pages_gather(void);

/* Once everything is loaded: takes all free memory between what is in use, so that what a session
 * allocates lies side by side instead of on a page of its own each time, which a fork would have to
 * copy. */
void pages_fill(void);

/* After that: ends the gathering and puts huge pages under all private memory that
 * fills them. What a session allocates later comes in small pages again. */
void pages_collapse(void);

/* Libraries have their parts mapped with accesses of their own, five each. Those that lie side by
 * side get the same access, so that a fork copies, and an exit takes down, two instead: constants
 * become executable and relocated pointers writable, as any page of a guest's may be. */
void pages_join(void);

/* Then: puts huge pages under the interpreter's code, of which each child would map some fifty
 * pieces, one fault each. */
void pages_take_code(void);
