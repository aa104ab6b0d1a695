/* The environment variables that every interpreter starts with: this list and nothing of the
 * host's. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define VARIABLES_PUBLISHED 17

/* Fills in the list for a session with these CREATE_… flags; returns how many. */
size_t variables_published(uint32_t flags, char **vars);
