/* Where the claims of an answer stand in its tables and lists.
 *
 * Runs in: the broker's process.
 * Hostile: the text.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_claims.c
 */
#pragma once

#include "agent/claims/claims.h"

struct place {
    size_t line;        /* where its line begins */
    uint32_t paragraph; /* so many blank lines stand before it */
    uint32_t column;    /* of a table: so many of its marks stand before it in the line; or 0 */
    uint32_t nth;       /* of the values of its line, from 1 on */
    uint32_t before;    /* so many values stand before it in all */
    bool table;         /* the line begins with such a mark */
    bool item;          /* the line is an item of a list */
};

/* Of each claim, in one walk over the text. */
void places_read(const char *text, const struct claims *claims, struct place *ret);
