/* The files of a session: what is known of them, and where their bytes are kept.
 *
 * Runs in: the broker, with the session's lock held. The broker never resolves a name that a
 *   guest chose: it passes bytes to the collector and gets descriptors back.
 * Hostile: names, contents and times of files; wire/collect.h decodes what the collector says.
 * Life cycle: files_init; a process brings `collector` and `work`, files_close takes them away;
 *   files_done, after all snapshots but its own have been given back.
 * Owns: the descriptors, the manifest, the spool; uploads belong to who began them.
 * Invariants: the manifest is on the account; `nuploads` counts `uploads`; without a spool nothing
 *   is kept at an offset of it.
 * Tests: tests/system/test_sessions.py, tests/system/test_model.py
 */
#pragma once

#include <jansson.h>

#include "base/err.h"
#include "engine/files/collector.h"
#include "engine/files/manifest.h"
#include "ledger/ledger.h"

/* A file that arrives in pieces (upload.c). */
struct retort_upload {
    struct retort_upload *next;
    struct retort_session *session;
    char *path, *staged; /* where it will be, and where it is meanwhile: beside it */
    int fd;
    uint64_t written;
};

struct files {
    struct collector collector; /* reaches the files, also after the interpreter has ended */
    int work;                   /* the directory /work, to see whether it is empty or full */
    struct manifest manifest;
    struct snapshot *snapshot;     /* a copy of the manifest, unless `changed` is set */
    struct snapshot *checkpoint;   /* the files with which the checkpoint goes on */
    struct snapshot *snapshots;    /* all of this session */
    bool changed;                  /* the manifest, since the last snapshot */
    bool incomplete;               /* since the last result, files may have changed that we have not
                                      looked at */
    bool unsettled;                /* changed from outside since the manifest was made */
    bool unlisted;                 /* files could not be listed, so the manifest is old */
    struct retort_upload *uploads; /* not complete yet, and seen by nobody */
    unsigned nuploads;
    int spool; /* unlinked file with the bytes of files; -1: none */
    uint64_t spool_len;
    bool keeps;            /* bytes, to restore files from */
    struct ledger *ledger; /* its store may have the bytes of files; or NULL */
    bool in_store;         /* new bytes go there, not into the spool */
    uint64_t disk;         /* the session's limit */
    struct account *account;
};

void files_init(struct files *f, struct account *account);
void files_close(struct files *f);
void files_done(struct files *f);

bool files_gone(const struct files *f); /* with the session's process */
int files_list(struct files *f, struct manifest *ret, struct retort_error *err);
/* Compares with the manifest, hashes and keeps what is new or changed, and lists it: [{path, size,
 * sha256, mime, change}]. The manifest becomes `now`. Sets *ret_rejected if something new or
 * changed is neither a regular file nor a directory. */
json_t *files_changes(struct files *f, struct manifest *now, bool *ret_rejected);
/* The manifest becomes `now`, which is taken. */
void files_take(struct files *f, struct manifest *now);
bool files_full(const struct files *f);      /* the disk has no page or no inode left */
uint64_t files_bytes(const struct files *f); /* that they occupy */
/* The files as they are now, shared with the last time if nothing changed. */
struct snapshot *files_snapshot(struct files *f);
/* Whether an upload that is under way goes to this path. */
bool files_hide(const struct files *f, const char *path);
/* Why a list of files is not complete, for people. */
const char *files_missing_text(int missing);
