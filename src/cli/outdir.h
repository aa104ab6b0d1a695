/* Copies files of a session into a directory of the host. */
#pragma once

#include "retort.h"

/* Where the files come from: `open` returns a descriptor to read from, or -errno and the reason. */
struct outdir_source {
    int (*open)(void *user, const char *path, struct retort_error *error);
    void *user;
};
/* The files of a session. */
struct outdir_source outdir_session(struct retort_session *session);

/* 0, or the exit status after one line about the error. */
int outdir_check(const char *dir);

/* Copies the files that the result lists as created or modified. The guest's names are untrusted:
 * we open each part by descriptor, follow no link, and write bytes that are not printable as
 * %XX. */
int outdir_fetch(const struct outdir_source *from, const char *result_json, const char *dir);

/* Copies one of them, by the name in the list. */
int outdir_get(const struct outdir_source *from, const char *name, const char *dir);
