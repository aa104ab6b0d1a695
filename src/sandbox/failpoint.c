#ifndef RETORT_ABLATION
#define RETORT_ABLATION /* this file is in no other build; so tools can look at it alone */
#endif
#include "sandbox/failpoint.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const char *const steps[FP_COUNT] = {
#define FAILPOINT(step, layer, who) #step,
#include "sandbox/failpoints.def"
#undef FAILPOINT
};

static enum failpoint chosen = FP_COUNT;
static int error;
static atomic_int *left; /* shared, so that "once" means once whoever takes the step */

void failpoint_configure(void) {
    const char *text = getenv("RETORT_FAILPOINT");
    char name[64];
    int times = -1;
    if (!text || sscanf(text, "%63[^:]:%d:%d", name, &error, &times) < 2)
        return;
    left = mmap(NULL, sizeof *left, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (left == MAP_FAILED)
        abort();
    atomic_init(left, times);
    for (enum failpoint i = 0; i < FP_COUNT; i++)
        if (strcmp(steps[i], name) == 0)
            chosen = i;
    if (chosen == FP_COUNT)
        abort(); /* a test that names no step would prove nothing */
}

bool failpoint(enum failpoint step) {
    if (step != chosen || atomic_load(left) == 0)
        return false;
    if (atomic_load(left) > 0 && atomic_fetch_sub(left, 1) <= 0)
        return false;
    errno = error;
    return true;
}
