/* A sandbox's services, asked by many requests at once over one channel (engine/api/services.h).
 *
 * Runs in: broker: the thread of a connection asks, a thread of its own reads the answers.
 * Hostile: every byte that comes up the channel; what is wrong ends the channel, and with it all
 *   open calls.
 * Life cycle: services_open; services_ask … ask_unref; services_unref. The reader holds a reference
 *   and ends with the channel.
 * Owns: the channel and what was said and not yet taken.
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
/* Whether nobody answers any more. */
bool services_over(struct services *services);

/* `question` has {op}. The answers of a stream are put in envelopes. NULL: the channel has ended. */
struct ask *services_ask(struct services *services, const json_t *question, bool stream);
/* Readable when there is something to take. */
int ask_fd(const struct ask *ask);
/* Moves what was said into `out`, and lets as much more follow. -EPIPE when everything was taken and nothing follows. */
int ask_take(struct ask *ask, struct buf *out);
/* Waits for the end of a call without events. 0 and the text of its result; -ENOENT and that of its
 * failure {code, message}; -EPIPE: the services have ended. */
int ask_wait(struct ask *ask, struct buf *out);
/* Who asked does not listen any more. */
void ask_leave(struct ask *ask);
