/* A thread beside the one that stores: it hashes a piece while that one writes it.
 *
 * Runs in: broker, for as long as one large blob is stored.
 * Hostile: nothing; the bytes are only hashed.
 * Owns: its thread, which blocks all signals. The hasher stays the caller's, and is not to be
 *   touched between lane_give and lane_wait.
 * Tests: tests/unit/test_ledger_store.c
 */
#pragma once

#include <stddef.h>

#include "base/hash.h"

struct lane;

struct lane *lane_new(struct hasher *hasher); /* or NULL: hash it yourself */
void lane_free(struct lane *lane);            /* takes NULL */
/* The bytes must stay until lane_wait returns, which also says whether all before them were hashed:
 * 0 or -ENOMEM. */
void lane_give(struct lane *lane, const void *data, size_t len);
int lane_wait(struct lane *lane);
