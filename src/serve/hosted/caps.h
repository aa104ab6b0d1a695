/* The most that a client may ask for. The configuration, the options of the server and the client's
 * token each set caps. The user of the command line has no cap; a client, and the model behind it,
 * has.
 *
 * Runs in: broker.
 * Hostile: what is asked for.
 * Owns: nothing.
 * Tests: tests/system/test_config.py, tests/system/test_serve.py
 */
#pragma once

#include "retort.h"

/* Refuses a limit beyond its cap, by name. A limit that was not asked for becomes the default or
 * the cap, whichever is less. `own` are the token's caps, `usual` and `caps` the configuration's;
 * `caps` becomes what holds for the session's cells. */
int caps_session(const struct retort_limits *own, const struct retort_limits *usual,
                 struct retort_limits *caps, struct retort_limits *asked,
                 struct retort_error *error);
/* The same for a cell of such a session; the defaults are the session's limits. */
int caps_cell(const struct retort_limits *caps, const struct retort_limits *asked,
              struct retort_error *error);
/* Caps in `by` replace those in `caps`: whoever started the server has the last word. */
void caps_replace(struct retort_limits *caps, const struct retort_limits *by);
/* NAME=NUMBER of a token file, in the units of the configuration: 0, or -EINVAL. Pure. */
int caps_word(const char *word, struct retort_limits *caps);
