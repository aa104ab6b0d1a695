/* The environment variables that every interpreter starts with: only these, none of the host's. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define VARIABLES_PUBLISHED 18

struct ctl_environment;

/* Fills in the list for a session with these CREATE_… flags; returns how many. */
size_t variables_published(const struct ctl_environment *env, uint32_t flags, char **vars);
