/* What live branches have in common with checkpoints: an idle interpreter is asked to fork. */
#pragma once

#include "engine/engine.h"
#include "wire/frame.h"

/* A frame without fields, and after it a byte with a descriptor. */
int state_send_socket(struct retort_session *s, enum frame_type type, int fd);
/* The next frame of an idle interpreter, which must be of this type; it stays until it is consumed.
 */
int state_await_frame(struct retort_session *s, enum frame_type type, uint64_t patience_ns,
                      struct frame *ret);
void state_consume(struct retort_session *s, const struct frame *f);
bool state_fork_failed(const struct frame *f);
void state_take_notes(const struct frame *f, json_t *notes);
