/* Loaded by run.js before it reads a cell: lowers RLIMIT_DATA to $RETORT_MEMORY above what node has
 * mapped so far. V8 maps far more than it uses, and node cannot set a limit itself.
 *
 * Runs in: node, before any code of the user. It removes the variable when the limit is set; run.js
 *   checks that.
 */
#include <stdlib.h>
#include <sys/resource.h>

#include "base/io.h"

__attribute__((constructor)) static void lower(void) {
    const char *text = getenv("RETORT_MEMORY");
    uint64_t memory = text ? strtoull(text, NULL, 10) : 0, mapped = data_mapped();
    struct rlimit now;
    if (memory == 0 || mapped == 0 || getrlimit(RLIMIT_DATA, &now) < 0)
        return;
    rlim_t limit = mapped + memory < now.rlim_max ? mapped + memory : now.rlim_max;
    if (setrlimit(RLIMIT_DATA, &(struct rlimit){limit, limit}) == 0)
        unsetenv("RETORT_MEMORY");
}
