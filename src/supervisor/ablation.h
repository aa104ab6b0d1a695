/* Switching single layers off, to prove that each one holds alone. Compiled out of release builds:
 * there the mask is a constant zero, and scripts/boundary checks that neither name nor variable is
 * in the binary. */
#pragma once

#include <stdint.h>

#ifdef RETORT_ABLATION
uint32_t ablation_mask(void);
#else
static inline uint32_t ablation_mask(void) {
    return 0;
}
#endif
