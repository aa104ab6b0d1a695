/* The most that whoever asks may have: of the configuration, of the options with which the server
 * was started, and of a token. Who has the command line in hand has no cap; a client, and the model
 * behind it, has.
 *
 * Runs in: broker.
 * Hostile: what is asked for.
 * Owns: nothing.
 * Tests: tests/system/test_config.py, tests/system/test_serve.py
 */
#pragma once

#include "retort.h"

/* Refuses what is beyond a cap, by name; what was not asked for becomes the default or the cap,
 * whichever is less. `own` are the token's, `usual` and `caps` the configuration's; `caps` becomes
 * what holds for the session's cells. */
int caps_session(const struct retort_limits *own, const struct retort_limits *usual,
                 struct retort_limits *caps, struct retort_limits *asked,
                 struct retort_error *error);
/* The same for a cell of such a session, whose default is the session's. */
int caps_cell(const struct retort_limits *caps, const struct retort_limits *asked,
              struct retort_error *error);
/* What `by` says takes the place of the cap: who started the server has the last word. */
void caps_replace(struct retort_limits *caps, const struct retort_limits *by);
/* NAME=NUMBER of a token file, in the units of the configuration: 0, or -EINVAL. Pure. */
int caps_word(const char *word, struct retort_limits *caps);
