/* Makes single checks see nothing that ask whether what a session has left is as new, to prove that each is needed.
 * Compiled out of release builds: there nothing is ever overlooked, and scripts/boundary checks that neither name nor
 * variable is in the binary.
 *
 * No layer is off: what gets by is seen by the next session, and by nobody else. So, unlike RETORT_ABLATE, it works
 * outside the virtual machine of tests/vm.
 *
 * Runs in: the supervisor of the ablation build.
 * Tests: tests/hostile/test_h_overlooked.py
 */
#pragma once

#include <stdbool.h>

enum check {
#define CHECK(name) CHECK_##name,
#include "sandbox/ablation/checks.def"
#undef CHECK
    CHECK_COUNT
};

#ifdef RETORT_ABLATION
/* RETORT_OVERLOOK=CHECK,CHECK…; before the first clone. */
void overlook_configure(void);
bool overlooks(enum check check);
#else
static inline void overlook_configure(void) {
}
static inline bool overlooks(enum check check) {
    (void)check;
    return false;
}
#endif

/* Whether it is so, and the check sees it. */
static inline bool notices(enum check check, bool so) {
    return so && !overlooks(check);
}
