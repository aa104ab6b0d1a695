/* Parts of retort.h that the engine does not have yet: weak, so that the engine's own take their
 * place. */
#include <errno.h>

#include "serve/fault.h"

__attribute__((weak)) int retort_output_read(struct retort_session *session, unsigned cell,
                                             enum retort_stream stream, uint64_t offset,
                                             size_t length, char **ret_data, size_t *ret_len,
                                             uint64_t *ret_total, struct retort_error *error) {
    (void)session, (void)cell, (void)stream, (void)offset, (void)length;
    (void)ret_data, (void)ret_len, (void)ret_total;
    return fault_set(error, RETORT_FAULT_HOST, ENOSYS, "stored output cannot be read yet");
}

__attribute__((weak)) int retort_tools(struct retort_session *session, const char *tools_json,
                                       struct retort_error *error) {
    (void)session, (void)tools_json;
    return fault_set(error, RETORT_FAULT_HOST, ENOSYS, "host tools are not available yet");
}
