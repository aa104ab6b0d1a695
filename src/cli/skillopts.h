/* Options that say which skills sessions have.
 *
 * Runs in: the command line.
 * Life cycle: none.
 * Owns: nothing; what is returned is the caller's.
 * Tests: tests/system/test_mcp_skills.py
 */
#pragma once

#include <jansson.h>

#include "cli/opt.h"

struct cli_skills {
    struct opt_list names;
    bool every; /* every skill of the library */
};

#define CLI_SKILLS(at)                                                            \
    {"--skill",                                                                   \
     0,                                                                           \
     OPT_LIST,                                                                    \
     "NAME",                                                                      \
     (at) + offsetof(struct cli_skills, names),                                   \
     "the code may call this skill, NAME or NAME@VERSION; may be repeated",       \
     0},                                                                          \
    {                                                                             \
        "--skills", 0, OPT_FLAG, NULL, (at) + offsetof(struct cli_skills, every), \
            "the code may call every skill there is, up to 32", 0                 \
    }

/* For struct serve: a list; "*" stands for all. */
json_t *cli_skill_names(const struct cli_skills *asked);
