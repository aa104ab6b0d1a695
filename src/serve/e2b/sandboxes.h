/* The sandboxes of E2B's clients: each is a session, with what its client said of it and the time
 * at which it ends.
 *
 * Runs in: broker, any thread; a thread of the table ends those whose time is over.
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

/* Has the id at its end, which tells any node of a cluster where the sandbox belongs. */
#define SANDBOX_SECRET 106
#define E2B_KINDS 3 /* languages with interpreters beside the first */

struct sandbox {
    struct sandbox *next;
    unsigned refs; /* under the lock of the table */
    bool removed;
    char id[64];
    char secret[SANDBOX_SECRET]; /* opens this sandbox and nothing else */
    struct peer peer;            /* as whom its owner's calls run */

    pthread_mutex_t asking; /* guards the services; taken before `lock` */
    struct services *services;

    pthread_mutex_t lock; /* guards what follows */
    struct hosted *hosted;
    char template[64];
    json_t *metadata, *env, *contexts;
    time_t started, ends;
    bool auto_pause;
    char snapshot_of[64];      /* under the table's lock: of which sandbox it is a snapshot; "": of
                                  none */
    char name[64];             /* of a snapshot, or "" */
    pthread_mutex_t branching; /* guards a snapshot that is branched, by one thread at a time; taken
                                  before `lock` */
    unsigned contexts_made, executions;
    unsigned interpreters[E2B_KINDS]; /* how many, beside the first, contexts ever had */
};

struct sandboxes;

/* Translates a session's id into one for clients, and back. NULL for NULL. */
json_t *sandbox_id_json(const char *id);
const char *sandbox_id(const char *told, char id[64]);

struct sandboxes *sandboxes_new(struct serve *serve);
void sandboxes_free(struct sandboxes *table);

/* Makes a sandbox of a session, and returns a reference to it; takes over the caller's reference to
 * the session. */
struct sandbox *sandboxes_add(struct sandboxes *table, const struct peer *peer,
                              struct hosted *hosted, const json_t *request);
/* Restores a sandbox that another node of a cluster had, from what was kept of it: as paused.
 * Returns whether it is there now. */
bool sandboxes_restore(struct sandboxes *table, const struct peer *peer, const char *id,
                       const json_t *kept);
/* With a reference; NULL: not there, or somebody else's. */
struct sandbox *sandboxes_find(struct sandboxes *table, const char *owner, const char *id);
/* A snapshot, by its id or name; with a reference. NULL: not there, or somebody else's. */
struct sandbox *sandboxes_snapshot(struct sandboxes *table, const char *owner, const char *name);
/* Makes the sandbox a snapshot of the one with the id `of`: no client reaches it as a sandbox any
 * more. An earlier snapshot of that name loses the name. */
void sandboxes_keep(struct sandboxes *table, struct sandbox *sandbox, const char *of,
                    const char *name);
/* The first sandbox for which `fits` is true; `id` may be NULL. */
struct sandbox *sandboxes_open_by(struct sandboxes *table, const char *id,
                                  bool (*fits)(const struct sandbox *sandbox, void *user),
                                  void *user);
/* References to the sandboxes of an owner; free the list. */
size_t sandboxes_list(struct sandboxes *table, const char *owner, struct sandbox ***ret_list);
void sandbox_unref(struct sandboxes *table, struct sandbox *sandbox);

/* A reference to the sandbox's session, which is brought back first if it was paused. */
int sandbox_session(struct sandboxes *table, struct sandbox *sandbox, struct hosted **ret_hosted,
                    struct retort_error *err);
/* Asks the sandbox's services, and starts them if they do not run. */
int sandbox_ask(struct sandboxes *table, struct sandbox *sandbox, const json_t *question,
                bool stream, struct ask **ret_ask, struct retort_error *err);
/* False: it is paused already. */
bool sandbox_pause(struct sandboxes *table, struct sandbox *sandbox);
void sandbox_kill(struct sandboxes *table, struct sandbox *sandbox);
/* Whether the record says that it was killed, or that its time had ended. */
bool sandboxes_killed(struct sandboxes *table, const char *id);
void sandbox_extend(struct sandbox *sandbox, double seconds);

/* Whether another node of the cluster has its session: elsewhere.c */
bool e2b_is_elsewhere(struct serve *serve, const char *id);

/* --- its contexts: contexts.c --- */

#define E2B_INTERPRETER 24
struct quiet_cell {
    const char *interpreter, *code;
};
/* The language of a context, and the name of its interpreter in the session. NULL: there is
 * none. */
const char *e2b_find_context(struct sandbox *s, const char *id, char interpreter[E2B_INTERPRETER]);
/* The same for the first interpreter of a language; `name` NULL: Python. */
const char *e2b_find_first(const char *name, char interpreter[E2B_INTERPRETER]);
/* Called when nobody knows which interpreters contexts of this sandbox have had: counts all as
 * used. */
void e2b_contexts_unknown(struct sandbox *s);
/* Runs a cell of our own; the caller has the session's turn. */
int e2b_run_quietly(struct serve *serve, struct peer *peer, struct hosted *hosted,
                    const struct quiet_cell *cell, struct retort_error *error);
