/* Numbers that are smaller where programs are tested than where they are used. A test meets every
 * boundary then, and need not wait.
 *
 * TINY: sizes that no user sees: how much is read at once, the first size of what grows, rows of a
 *   page. In asan, tsan and ablation.
 * SOON: counts and times after which something is made anew or given up. In ablation alone: programs
 *   with a sanitizer are slow, and would give up what goes well.
 */
#pragma once

#ifdef RETORT_CHECKED
#define TINY(usual, tiny) (tiny)
#else
#define TINY(usual, tiny) (usual)
#endif

#ifdef RETORT_ABLATION
#define SOON(usual, soon) (soon)
#else
#define SOON(usual, soon) (usual)
#endif
