/* Evidence: every number that something other than the model put into the run.
 *
 * The numbers of result objects, input files, tool results and the question, each with its place,
 * its rank, the digits it shows, and the words it stands with. Literals of the model's own code are
 * kept beside them: a number that is one of those, and in no data, is asserted and proves nothing.
 *
 * Runs in: the broker's process.
 * Hostile: all texts.
 * Owns: its items.
 * Invariants: after evidence_seal the items are sorted by absolute value.
 * Tests: tests/unit/test_agent_ground.c
 */
#pragma once

#include "agent/ground/context_words.h"
#include "agent/ground/literals.h"

#include <jansson.h>

/* Best rank first. */
enum evidence_stream {
    EVIDENCE_VALUE,
    EVIDENCE_STDOUT,
    EVIDENCE_STDERR,
    EVIDENCE_DATAFRAME,
    EVIDENCE_CHART,
    EVIDENCE_TOOL,
    EVIDENCE_INPUT,
    EVIDENCE_QUESTION,
};

struct evidence_item {
    long double value; /* with sign */
    struct num num;
    bool percent; /* a % stood behind it */
    bool bulk;    /* one of many: a table, a long print, an input file */
    bool counted; /* the length of a list, not a number that was shown */
    bool in_data; /* sealed: an input, a tool or the question has this number, too */
    bool rows;    /* how many a data frame has: answers call them orders, people, … */
    enum evidence_stream stream;
    unsigned cell;
    uint32_t source; /* which text, see evidence_place */
    size_t position; /* in bytes of the stream, or the number of the table cell */
    struct words words;
    char before[LITERAL_CONTEXT + 1], after[LITERAL_CONTEXT + 1];
};

struct evidence {
    struct evidence_item *items;
    size_t count, room;
    struct literals literals;
    struct words question;
    char **names; /* of data frames, files and tools */
    size_t name_count;
    unsigned last_cell; /* the last one that ended well and showed few numbers */
    bool sealed;
};

#define EVIDENCE_FEW 8 /* numbers that one cell may show and still speak for itself */

void evidence_init(struct evidence *e);
void evidence_done(struct evidence *e);

/* Each returns 0 or -ENOMEM. Past 200,000 numbers more are dropped. */
int evidence_question(struct evidence *e, const char *text);
int evidence_input(struct evidence *e, const char *name, const char *data, size_t len);
int evidence_tool(struct evidence *e, unsigned cell, const char *name, const char *json);
/* The result object of a cell and the code that ran in it. */
int evidence_result(struct evidence *e, const char *code, const json_t *result);
void evidence_seal(struct evidence *e);
/* Cells after this one were undone: their numbers prove nothing any more. */
void evidence_forget(struct evidence *e, unsigned cell);

/* Items with |value| in [low, high]: the index of the first; count in *ret_count. */
size_t evidence_between(const struct evidence *e, long double low, long double high,
                        size_t *ret_count);
/* Is the item nothing but a literal of the model's own code? */
bool evidence_asserted(const struct evidence *e, const struct evidence_item *item);
/* Is this number a literal of the code? */
bool evidence_literal(const struct evidence *e, long double value, int places);

const char *evidence_stream_name(enum evidence_stream stream);
const char *evidence_place(const struct evidence *e, const struct evidence_item *item);
