/* Parts of retort.h that the engine does not have yet: weak, so that the engine's own take their
 * place. */
#include <errno.h>

#include "serve/fault.h"

__attribute__((weak)) int retort_branch(struct retort_session *session, unsigned count,
                                        struct retort_session **ret_sessions,
                                        struct retort_error *error) {
    (void)session, (void)count, (void)ret_sessions;
    return fault_set(error, RETORT_FAULT_HOST, ENOSYS, "branch is not available yet");
}
