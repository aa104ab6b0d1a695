/* The services of a sandbox. Many requests ask them at once, over one channel
 * (engine/api/services.h).
 *
 * Runs in: broker: the thread of a connection asks, a thread of its own reads the answers.
 * Hostile: every byte that comes up the channel; a wrong byte ends the channel, and with it all
 *   open calls.
 * Life cycle: services_open; services_ask … ask_unref; services_unref. The reader holds a reference
 *   and ends with the channel.
 * Owns: the channel, and the answers that were not yet taken.
 * Invariants: an ask in the list has not ended.
 * Tests: tests/clients/test_e2b.py
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "retort.h"

struct services;
struct ask;

int services_open(struct retort_session *session, struct services **ret_services,
                  struct retort_error *err);
void services_unref(struct services *services);
/* Whether the services have ended. */
bool services_over(struct services *services);

/* `question` has {op}. With `stream`, the answers are put in envelopes. NULL: the channel has
 * ended. */
struct ask *services_ask(struct services *services, const json_t *question, bool stream);
/* Readable when there is something to take. */
int ask_fd(const struct ask *ask);
/* Moves the bytes that came into `out`, and gives the guest credit for as many more. -EPIPE when
 * all were taken and none follow. */
int ask_take(struct ask *ask, struct buf *out);
/* Waits for the end of a call without events. Returns 0 and the text of its result; -ENOENT and the
 * text of its failure {code, message}; or -EPIPE: the services have ended. */
int ask_wait(struct ask *ask, struct buf *out);
/* The client that asked does not listen any more. */
void ask_leave(struct ask *ask);
