/* The index of the evidence: from sizes, words and labels to items. It grows with the evidence: a
 * session that is asked again and again pays for what its cells have shown since.
 *
 * Runs in: the broker's process.
 * Hostile: how much there is, and how much of it alike.
 * Life cycle: zero, evidence_seal; index_done.
 * Owns: its lists.
 * Invariants: an item is named by its place in the evidence, which does not change; in every list the
 *   newest item is the last.
 * Tests: tests/unit/test_agent_ground.c
 */
#pragma once

#include "agent/evidence/literals.h"
#include "agent/text/words.h"

struct evidence;
struct evidence_item;

/* Where a label of a number comes from. */
enum part { PART_ROW, PART_COLUMN, PART_LINE, PART_CODE, PARTS };

/* Items by |value|. */
struct sizes {
    struct size_key {
        long double size;
        uint32_t item;
    } * list;
    size_t count, room;
    size_t sorted; /* so many from the beginning */
};

struct index_list {
    uint32_t *list;
    uint32_t count, room;
};

/* Items under the same labels. */
struct alike {
    uint32_t label[PARTS];
    struct index_list items;
    bool judged;
};

/* evidence_index.c. Hash tables have room for a power of two. */
struct evidence_index {
    struct sizes all, data; /* data: inputs, tools, the question */
    struct {
        uint32_t word; /* 0: free */
        struct index_list labels;
    } * words;
    size_t word_count, word_room;
    struct index_list *items; /* of each label */
    size_t label_room;
    struct alike *alike;
    size_t alike_count, alike_room;
    uint32_t *alike_table; /* from labels to 1 + place in `alike` */
    size_t table_room;
    uint32_t *literals; /* by their value */
    size_t literal_count;
    size_t labels_read, items_read; /* so many are in the index */
};

void index_done(struct evidence_index *x);
/* Puts what is new into the index. 0 or -ENOMEM. */
int evidence_seal(struct evidence *e);

/* What is added after a mark can be taken back: a question, an expression that an answer has. */
struct evidence_mark {
    size_t items, literals, used, typed;
};
struct evidence_mark evidence_mark(const struct evidence *e);
int evidence_take_back(struct evidence *e, const struct evidence_mark *mark);

/* Items with |value| in [low, high], by size: the index of the first; count in *ret_count. */
size_t evidence_between(const struct evidence *e, long double low, long double high,
                        size_t *ret_count);
const struct evidence_item *evidence_at(const struct evidence *e, size_t index);
/* Does an input, a tool or the question have this number, too? */
bool evidence_in_data(const struct evidence *e, const struct evidence_item *item);
/* Literals with a value in [low, high], in the order of their values: the first, and how many. */
size_t evidence_literals(const struct evidence *e, long double low, long double high,
                         size_t *ret_count);
const struct literal *evidence_literal(const struct evidence *e, size_t at);
/* The labels that have a word; NULL and 0 when there are none. */
const uint32_t *evidence_labels(const struct evidence *e, uint32_t word, size_t *ret_count);
/* The items that have a label, as indices. */
const uint32_t *evidence_items(const struct evidence *e, uint32_t label, size_t *ret_count);
