/* The numbers that stand in a program's text: what its author asserted and did not compute.
 *
 * A number that is assigned, returned, printed or the value of a key can flow into a result
 * unchanged; one that is compared with, an index or the argument of some function cannot, and is
 * kept as an operand: it may be the constant of a method. Numbers in a list, or in a string of many
 * lines, are data. A number inside a string counts together with the text around it.
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
    bool operand;                     /* it is an operand, an index or an argument */
    uint32_t name;                    /* literal_name of what it is assigned to, or 0 */
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
/* Is the string a table that is typed into the code? */
bool literal_is_table(const char *s, size_t len);
/* A name of the code as a word that no sentence has. */
uint32_t literal_name(const char *name, size_t len);
