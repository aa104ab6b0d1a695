/* Configuration: config.json, which holds for every session, and environments/NAME.json, under
 * $XDG_CONFIG_HOME/retort or ~/.config/retort. Both may have the members python, preload, limits,
 * caps and env; an environment wins over config.json, and what a caller asks for over both. An
 * environment that is not configured may have been made by `retort env` (engine/host/packages.h):
 * its file has the member packages as well. `state` is the engine's directory, or NULL.
 *
 * Runs in: broker.
 * Hostile: nothing, the files are the user's own.
 * Life cycle: environment_apply, environment_done.
 * Owns: the strings that the merged options point to.
 * Tests: tests/system/test_config.py
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"
#include "engine/host/limits.h"
#include "ledger/ledger.h"
#include "retort.h"
#include "wire/control.h"

#define ENVIRONMENT_FILES 2

struct configured {
    struct retort_session_options options; /* what the caller asked for, with the gaps filled */
    json_t *files[ENVIRONMENT_FILES];
    char *preload, *packages, *network;
    char **env;
};

/* An error names the file and the member. */
int environment_apply(const struct retort_session_options *asked, const char *state,
                      struct configured *ret, struct retort_error *err);
void environment_done(struct configured *e);

/* The limits that sessions have by default, and the most that a client other than the user may ask
 * for: the members "limits" and "caps" of the files. A limit without a cap is its own cap. 0: the
 * files do not say. `name`: an environment, or NULL. */
int environment_limits(const char *name, struct retort_limits *ret_usual,
                       struct retort_limits *ret_caps, struct retort_error *err);

/* The rules `given`, or those of the files if it is NULL, narrowed to `hosts` (a list): for a
 * client that may ask for less, never for more. The caller frees them. */
int environment_narrow(const char *name, const char *given, const json_t *hosts, char **ret_network,
                       struct retort_error *err);

/* How much the ledger keeps and for how long, as far as config.json says so: its member "ledger",
 * with "quota" in MiB and "age" in days. */
int environment_ledger(struct ledger_options *ret, struct retort_error *err);

/* Where the files are. -ENOENT: no variable says so. */
int environment_directory(char *ret, size_t size);
/* Names of the environments there are: those of the configuration, then those that were made, both
 * sorted. */
json_t *environment_names(const char *state);
/* Whether there is a file of this name in the configuration. */
bool environment_is_configured(const char *name);
/* Whether this may be the name of an environment: no path, and no dot at its beginning. */
int environment_check_name(const char *name, struct retort_error *err);
/* Checks the members of an environment's file; errors name `what`. */
int environment_check(const char *what, const json_t *members, struct retort_error *err);
/* The file of an environment, as it stands; the caller's to give back. */
int environment_read(const char *name, const char *state, json_t **ret, struct retort_error *err);
