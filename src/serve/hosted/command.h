/* Host tools that are commands. They come from a file of the person who starts Retort, never from a
 * client.
 *
 * A command gets the arguments of the call as JSON on its standard input, and none of them in its
 * own arguments or environment. What it prints is the result: JSON, or else text. If its exit
 * status is not 0, the call has failed, and the last line of its standard error says why.
 *
 * Runs in: broker, any thread; the command is a process of the caller's, in a group of its own.
 * Hostile: the arguments come from a guest.
 * Tests: tests/system/test_tools_file.py
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "retort.h"

struct tool_command {
    const json_t *argv; /* list of strings */
    uint64_t until_ns;  /* of now_ns */
    bool (*cancelled)(void *user);
    void *user;
};

/* JSON text, or NULL with *ret_failure; both made with malloc. `arguments` are those that were
 * checked and shown, not the guest's own text. */
char *command_call(const struct tool_command *command, const json_t *arguments, char **ret_failure);

/* Reads and checks such a file: {"tools": […], "files", "policy"}. NULL: `error` says why. */
json_t *command_file(const char *path, struct retort_error *error);
/* The same without the commands: what a session may know of it. */
json_t *command_shown(const json_t *file);
