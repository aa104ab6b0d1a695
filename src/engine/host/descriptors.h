/* Descriptors that ran out, told so that the caller knows what to do.
 *
 * Runs in: the broker.
 * Hostile: nothing.
 * Owns: nothing.
 * Tests: tests/system/test_rpc.py
 */
#pragma once

#include "base/err.h"

/* Returns `r`, or -EBUSY where `err` says that a process may open no more files. Any step may be the
 * first to find that, here or in the supervisor, which may have as many. What it was about does not
 * help the caller: that other sessions end does. */
int descriptors_named(int r, struct retort_error *err);
