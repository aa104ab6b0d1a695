/* The sandboxes of E2B's clients: each a session, with what its client says of it and when it ends.
 *
 * Runs in: broker, any thread; one thread of its own ends those whose time is over.
 * Hostile: ids, secrets and metadata of clients.
 * Life cycle: sandboxes_new; sandboxes_add … sandbox_unref; sandboxes_free, when nobody uses them.
 * Owns: a reference to the session of each that is not paused; the services.
 * Invariants: a paused sandbox has neither session nor services; a snapshot is paused unless it is
 *   branched.
 * Tests: tests/clients/test_e2b.py
 */
#pragma once

#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "serve/e2b/services.h"
#include "serve/hosted/serve.h"

#define SANDBOX_SECRET 106 /* with the id, which tells any node of a cluster where it belongs */
#define E2B_KINDS 3        /* of interpreters that may stand beside the first of a language */

struct sandbox {
    struct sandbox *next;
    unsigned refs; /* under the lock of the table */
    bool removed;
    char id[64];
    char secret[SANDBOX_SECRET]; /* opens this sandbox and nothing else */
    struct peer peer;            /* its owner's */

    pthread_mutex_t asking; /* of the services; before `lock` */
    struct services *services;

    pthread_mutex_t lock; /* of what follows */
    struct hosted *hosted;
    char template[64];
    json_t *metadata, *env, *contexts;
    time_t started, ends;
    bool auto_pause;
    char snapshot_of[64]; /* under the lock of the table: a sandbox's id; "": this is one itself */
    char name[64];        /* of a snapshot, or "" */
    pthread_mutex_t branching; /* of a snapshot, by one at a time; before `lock` */
    unsigned contexts_made, executions;
    unsigned interpreters[E2B_KINDS]; /* beside the first, that contexts ever had */
};

struct sandboxes;

/* A session's id as clients know it, and the other way round: NULL for NULL. */
json_t *sandbox_id_json(const char *id);
const char *sandbox_id(const char *told, char id[64]);

struct sandboxes *sandboxes_new(struct serve *serve);
void sandboxes_free(struct sandboxes *table);

/* A session becomes a sandbox, with a reference to it; the one to the session is taken over. */
struct sandbox *sandboxes_add(struct sandboxes *table, const struct peer *peer,
                              struct hosted *hosted, const json_t *request);
/* One that another node of a cluster had, as it was kept: it is paused. Whether it is there now. */
bool sandboxes_restore(struct sandboxes *table, const struct peer *peer, const char *id,
                       const json_t *kept);
/* With a reference; NULL: not there, or somebody else's. */
struct sandbox *sandboxes_find(struct sandboxes *table, const char *owner, const char *id);
/* A snapshot, by its id or name; with a reference. NULL: not there, or somebody else's. */
struct sandbox *sandboxes_snapshot(struct sandboxes *table, const char *owner, const char *name);
/* It becomes a snapshot of the one with the id `of`: no client reaches it as a sandbox any more. An
 * earlier one of that name has it no more. */
void sandboxes_keep(struct sandboxes *table, struct sandbox *sandbox, const char *of,
                    const char *name);
/* By a secret that opens it; `id` may be NULL. */
struct sandbox *sandboxes_open_by(struct sandboxes *table, const char *id,
                                  bool (*fits)(const struct sandbox *sandbox, void *user),
                                  void *user);
/* References to those of an owner; free the list. */
size_t sandboxes_list(struct sandboxes *table, const char *owner, struct sandbox ***ret_list);
void sandbox_unref(struct sandboxes *table, struct sandbox *sandbox);

/* A reference to its session, which comes back if it was paused. */
int sandbox_session(struct sandboxes *table, struct sandbox *sandbox, struct hosted **ret_hosted,
                    struct retort_error *err);
/* Its services are asked; they are started if they do not run. */
int sandbox_ask(struct sandboxes *table, struct sandbox *sandbox, const json_t *question,
                bool stream, struct ask **ret_ask, struct retort_error *err);
/* False: it is paused already. */
bool sandbox_pause(struct sandboxes *table, struct sandbox *sandbox);
void sandbox_kill(struct sandboxes *table, struct sandbox *sandbox);
/* Whether the record says that it was killed, or that its time was over. */
bool sandboxes_killed(struct sandboxes *table, const char *id);
void sandbox_extend(struct sandbox *sandbox, double seconds);

/* Whether another node of the cluster has its session: elsewhere.c */
bool e2b_is_elsewhere(struct serve *serve, const char *id);

/* --- its contexts: contexts.c --- */

#define E2B_INTERPRETER 24
struct quiet_cell {
    const char *interpreter, *code;
};
/* The language of a context, and the name of its interpreter in the session. NULL: there is none. */
const char *e2b_find_context(struct sandbox *s, const char *id, char interpreter[E2B_INTERPRETER]);
/* The same for the first one of a language; NULL is Python. */
const char *e2b_find_first(const char *name, char interpreter[E2B_INTERPRETER]);
/* Which interpreters contexts of this sandbox ever had is not known: all of them. */
void e2b_contexts_unknown(struct sandbox *s);
/* A cell of our own, in the session's turn. */
int e2b_run_quietly(struct serve *serve, struct peer *peer, struct hosted *hosted,
                    const struct quiet_cell *cell, struct retort_error *error);
