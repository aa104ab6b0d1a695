/* A process of a session's own, beside its interpreters, that a door asks for other processes and
 * for files (guest/python/services.py, frames ASK and SAID).
 *
 * Runs in: broker, any thread.
 * Hostile: every byte of the channel.
 * Life cycle: started by the first call, ended with the session's processes; then the channel ends,
 *   and the next call starts another.
 * Owns: nothing; the channel is the caller's to close.
 * Tests: tests/clients/test_e2b.py
 */
#pragma once

#include "retort.h"

/* Waits for the cell that runs. Only one caller may read the channel. */
int session_services(struct retort_session *session, int *ret_channel, struct retort_error *error);
