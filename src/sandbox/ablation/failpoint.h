/* Makes a step of the set-up fail, to prove that no guest code runs and nothing is left when it
 * does. Compiled out of release builds: there no step is ever told to fail, and scripts/boundary
 * checks that neither name nor variable is in the binary.
 *
 * Runs in: the supervisor and the first processes of a session, of the ablation build.
 * Owns: a page that all of them share, with the counts of successes and failures that are left.
 * Tests: tests/hostile/test_L10_failpoints.py
 */
#pragma once

#include <stdbool.h>

enum failpoint {
#define FAILPOINT(step, layer, who) FP_##step,
#include "sandbox/ablation/failpoints.def"
#undef FAILPOINT
    FP_COUNT
};

#ifdef RETORT_ABLATION
/* RETORT_FAILPOINT=STEP:ERRNO[:TIMES[:SPARED]]; without TIMES, the step always fails; the first
 * SPARED times it succeeds. Called before the first clone. */
void failpoint_configure(void);
/* True, with errno set, if this step shall fail now. */
bool failpoint(enum failpoint step);
#else
static inline void failpoint_configure(void) {
}
static inline bool failpoint(enum failpoint step) {
    (void)step;
    return false;
}
#endif
