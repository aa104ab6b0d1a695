/* A second thread for large blobs: it hashes a piece while the first thread writes it.
 *
 * Runs in: broker, for as long as one large blob is stored.
 * Hostile: nothing; the bytes are only hashed.
 * Owns: its thread, which blocks all signals. The hasher stays the caller's, who must not touch it
 *   between hash_thread_give and hash_thread_wait.
 * Tests: tests/unit/test_ledger_store.c
 */
#pragma once

#include <stddef.h>

#include "base/hash.h"

struct hash_thread;

struct hash_thread *hash_thread_new(struct hasher *hasher); /* NULL: hash without it */
void hash_thread_free(struct hash_thread *thread);          /* takes NULL */
/* The bytes must stay until hash_thread_wait returns, which says whether all bytes so far were
 * hashed: 0 or -ENOMEM. */
void hash_thread_give(struct hash_thread *thread, const void *data, size_t len);
int hash_thread_wait(struct hash_thread *thread);
