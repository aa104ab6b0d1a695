/* Host tools that are commands of a file, `--tools FILE`. If the file wants approval, a call is
 * made only after the person at the terminal has allowed it.
 *
 * Runs in: the program, in the thread that executes the cell.
 * Hostile: the arguments of calls come from a guest.
 * Life cycle: the caller fills in the first members; toolfile_read; toolfile_done.
 * Owns: the file's text and the decisions.
 * Tests: tests/system/test_tools_file.py
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/term.h"
#include "retort.h"

struct toolfile {
    const char *door; /* the door that the record names */
    struct term *err; /* where the person is asked */
    bool (*interrupted)(void *user);
    void (*hold)(void *user, bool held); /* tells whether nothing else may be printed on the
                                            terminal */
    void *user;

    json_t *file;      /* or NULL: there are no tools */
    json_t *decided;   /* decisions about calls of the running cell, or NULL */
    uint64_t until_ns; /* when the running cell's time is over */
};

/* 0, or the exit status. */
int toolfile_read(struct toolfile *tools, const char *path);
bool toolfile_has(const struct toolfile *tools, const char *name);
/* {"tools": […], …}, the part that sessions may know: a reference; or NULL. */
json_t *toolfile_shown(const struct toolfile *tools);
int toolfile_offer(const struct toolfile *tools, struct retort_session *session,
                   struct retort_error *error);
/* For `tool` of struct retort_callbacks. */
char *toolfile_call(struct toolfile *tools, const char *name, const char *arguments,
                    char **ret_failure);
/* Call when a cell has ended: writes the decisions of the cell to its record. */
void toolfile_note(struct toolfile *tools, struct retort_session *session);
void toolfile_done(struct toolfile *tools);
