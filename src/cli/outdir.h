/* Bringing files out of a session into a directory of the host. */
#pragma once

#include "retort.h"

/* Where the files are: `open` gives a descriptor to read from, or -errno and why. */
struct outdir_source {
    int (*open)(void *user, const char *path, struct retort_error *error);
    void *user;
};
/* Those of a session. */
struct outdir_source outdir_session(struct retort_session *session);

/* 0, or the exit status after one clear line. */
int outdir_check(const char *dir);

/* Fetches what the result lists as created or modified. The guest's names are untrusted: each part
 * is opened by descriptor, no link is followed, and bytes that are not printable are written as
 * %XX. */
int outdir_fetch(const struct outdir_source *from, const char *result_json, const char *dir);

/* One of them, by the name it is listed under. */
int outdir_get(const struct outdir_source *from, const char *name, const char *dir);
