/* The numbers that stand in a program's text: what its author asserted and did not compute.
 *
 * Long literals count wherever they stand. Short ones (a 5, a 0.5) are in every program, so they
 * count only where they can flow into a result unchanged: assigned, listed, returned or printed;
 * not as an index, an operand or the argument of some function. A number inside a string counts
 * together with the text around it.
 *
 * Runs in: the broker's process.
 * Hostile: the code.
 * Owns: the list.
 * Tests: tests/unit/test_agent_ground.c
 */
#pragma once

#include "agent/text/number.h"

#define LITERAL_CONTEXT 8

struct literal {
    struct num num;
    unsigned cell;
    bool text;                        /* it stands in a string, … */
    char before[LITERAL_CONTEXT + 1]; /* … after this */
    char after[LITERAL_CONTEXT + 1];  /* … and before this */
};

struct literals {
    struct literal *list;
    size_t count, room;
};

int literals_add(struct literals *l, unsigned cell, const char *code,
                 size_t len); /* 0 or -ENOMEM */
void literals_done(struct literals *l);
