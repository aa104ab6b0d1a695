/* The files of a skill, in memory: read from somebody's folder, written into one of ours.
 *
 * Runs in: broker.
 * Hostile: the folder. We follow no link, and refuse links, everything that is no regular file, and
 *   names that another system would read differently.
 * Life cycle: zero; skillfiles_read; skillfiles_done.
 * Owns: paths and bytes.
 * Tests: tests/system/test_skills.py
 */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "base/err.h"
#include "base/hash.h"

#define SKILL_FILES 256
#define SKILL_BYTES (16u << 20)
/* The program built from a WebAssembly module. Its name is hidden, so that no folder can bring
 * one. */
#define SKILL_BUILT ".built.so"

struct skill_file {
    char *path; /* beneath the folder */
    char *data;
    size_t len;
};

struct skill_files {
    struct skill_file at[SKILL_FILES];
    size_t n, bytes;
};

/* All files except hidden ones and Python's compiled ones, in no order. */
int skillfiles_read(int dir, struct skill_files *ret, struct retort_error *err);
/* Reads the built program, if it has this hash. */
int skillfiles_read_built(int dir, struct skill_files *ret, const char *hash,
                          struct retort_error *err);
/* Drops the built program: nobody else gets it. */
void skillfiles_drop_built(struct skill_files *files);
/* Writes into an empty directory; each file is read-only and on the disk when this returns. */
int skillfiles_write(int dir, const struct skill_files *files, struct retort_error *err);
/* Adds a file, or replaces its bytes. Takes `data` over, also when it fails. */
int skillfiles_put(struct skill_files *files, const char *path, char *data, size_t len,
                   struct retort_error *err);
/* The same for a file that a client has sent: its path is checked like those in a folder. */
int skillfiles_take(struct skill_files *files, const char *path, char *data, size_t len,
                    struct retort_error *err);
/* Copies into an empty `to`. After -ENOMEM `to` has some of the files, for skillfiles_done. */
int skillfiles_copy(struct skill_files *to, const struct skill_files *from);
const struct skill_file *skillfiles_find(const struct skill_files *files, const char *path);
/* {path: "sha256:…"} of all files except skill.json and the built program; NULL when memory is
 * out. */
json_t *skillfiles_hashes(const struct skill_files *files);
/* "sha256:…" */
int skillfiles_hash(const struct skill_file *file, char ret[HASH_TEXT_SIZE]);
void skillfiles_done(struct skill_files *files);
