/* The output of a past cell, by range: what the session holds, or else what the ledger has.
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: nothing is parsed; the bytes are a guest's.
 * Life cycle: none.
 * Owns: nothing; the bytes that are read are the caller's.
 * Tests: tests/system/test_sessions.py, tests/hostile/test_o_output.py
 */
#pragma once

#include "engine/session/session.h"

int output_read(struct retort_session *s, unsigned cell, enum retort_stream stream,
                struct range range, struct excerpt *ret, struct retort_error *err);
