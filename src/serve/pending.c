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

__attribute__((weak)) int retort_undo(struct retort_session *session, unsigned cells,
                                      char **ret_json, struct retort_error *error) {
    (void)session, (void)cells, (void)ret_json;
    return fault_set(error, RETORT_FAULT_HOST, ENOSYS, "undo is not available yet");
}

__attribute__((weak)) int retort_branch(struct retort_session *session, unsigned count,
                                        struct retort_session **ret_sessions,
                                        struct retort_error *error) {
    (void)session, (void)count, (void)ret_sessions;
    return fault_set(error, RETORT_FAULT_HOST, ENOSYS, "branch is not available yet");
}

__attribute__((weak)) int retort_log(struct retort_engine *engine, const char *id, char **ret_json,
                                     struct retort_error *error) {
    (void)engine, (void)id, (void)ret_json;
    return fault_set(error, RETORT_FAULT_HOST, ENOSYS, "the ledger is not available yet");
}

__attribute__((weak)) int retort_verify(struct retort_engine *engine, const char *id,
                                        const char *head, bool *ret_sound, char **ret_json,
                                        struct retort_error *error) {
    (void)engine, (void)id, (void)head, (void)ret_sound, (void)ret_json;
    return fault_set(error, RETORT_FAULT_HOST, ENOSYS, "the ledger is not available yet");
}

__attribute__((weak)) int retort_replay(struct retort_engine *engine, const char *id,
                                        void (*progress)(void *user, unsigned done, unsigned total),
                                        void *user, bool *ret_equal, char **ret_json,
                                        struct retort_error *error) {
    (void)engine, (void)id, (void)progress, (void)user, (void)ret_equal, (void)ret_json;
    return fault_set(error, RETORT_FAULT_HOST, ENOSYS, "replay is not available yet");
}
