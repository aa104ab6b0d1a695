/* Switches single layers off, to prove that each one holds alone. Compiled out of release builds:
 * there the mask is a constant zero, and scripts/boundary checks that neither name nor variable is
 * in the binary.
 *
 * Runs in: the supervisor and the first processes of a session, of the ablation build, in the
 *   virtual machine of tests/vm and nowhere else.
 * Tests: tests/vm/ablation
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "wire/control.h"

/* Not a layer of the reports, but half of one: system directories are bind-mounted instead of
 * overlaid. */
#define ABLATE_READONLY LAYER_BIT(LAYER_COUNT)

#ifdef RETORT_ABLATION
/* RETORT_ABLATE=LAYER,LAYER…; called before the first clone. Outside of the test machine, ends the
 * process. */
void ablation_configure(void);
uint32_t ablation_mask(void);
/* Without a user namespace there are no ids to map: chooses the id of the next session. */
void ablation_choose(uid_t id);
int ablation_become(void);
/* Keeps them across exec, too. */
int ablation_keep_caps(void);
void nth_configure(void); /* nth.c */
#else
static inline void ablation_configure(void) {
}
static inline uint32_t ablation_mask(void) {
    return 0;
}
static inline void ablation_choose(uid_t id) {
    (void)id;
}
static inline int ablation_become(void) {
    return 0;
}
static inline int ablation_keep_caps(void) {
    return 0;
}
static inline void nth_configure(void) {
}
#endif
