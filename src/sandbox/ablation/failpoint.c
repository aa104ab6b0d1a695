#ifndef RETORT_ABLATION
/* Only this build has this file; defined here so that tools can read it alone. */
#define RETORT_ABLATION
#endif
#include "sandbox/ablation/failpoint.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const char *const steps[FP_COUNT] = {
#define FAILPOINT(step, layer, who) #step,
#include "sandbox/ablation/failpoints.def"
#undef FAILPOINT
};

static enum failpoint chosen = FP_COUNT;
static int error;
/* Shared, so that "once" means once for all processes. */
static struct counts {
    atomic_int spared; /* how often the step still succeeds before it fails */
    atomic_int left;   /* how often it then fails; negative: always */
} * counts;

void failpoint_configure(void) {
    const char *text = getenv("RETORT_FAILPOINT");
    char name[64];
    int times = -1, spared = 0;
    if (!text || strncmp(text, "nth:", 4) == 0 ||
        sscanf(text, "%63[^:]:%d:%d:%d", name, &error, &times, &spared) < 2)
        return;
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED)
        abort();
    atomic_init(&counts->left, times);
    atomic_init(&counts->spared, spared);
    for (enum failpoint i = 0; i < FP_COUNT; i++)
        if (strcmp(steps[i], name) == 0)
            chosen = i;
    if (chosen == FP_COUNT)
        abort(); /* a test that names no step would prove nothing */
}

bool failpoint(enum failpoint step) {
    if (step != chosen || atomic_load(&counts->left) == 0)
        return false;
    if (atomic_load(&counts->spared) > 0 && atomic_fetch_sub(&counts->spared, 1) > 0)
        return false;
    if (atomic_load(&counts->left) > 0 && atomic_fetch_sub(&counts->left, 1) <= 0)
        return false;
    errno = error;
    return true;
}
