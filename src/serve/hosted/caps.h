/* The most that whoever asks may have: of the configuration, and of a token. Who has the command
 * line in hand has no cap; a client, and the model behind it, has.
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
/* Caps that are below `to` become that. */
void caps_raise(struct retort_limits *caps, const struct retort_limits *to);
/* NAME=NUMBER of a token file, in the units of the configuration: 0, or -EINVAL. Pure. */
int caps_word(const char *word, struct retort_limits *caps);
