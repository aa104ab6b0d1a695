/* Evidence: every number that something other than the model put into the run, and what each is
 * about.
 *
 * The numbers of result objects, input files, tool results and the question, each with its place,
 * the digits it shows, and its labels: of the row and the column it stands in, of the line it was
 * printed on, of the code that showed it. Literals of the model's own code are kept beside them: a
 * number that is one of those, and in no data, is asserted and proves nothing.
 *
 * Runs in: the broker's process.
 * Hostile: all texts.
 * Owns: its items, labels and names.
 * Invariants: after evidence_seal the index (by size, from words to labels, from labels to items) has
 *   all items. It grows with them: to seal again costs what was added.
 * Tests: tests/unit/test_agent_ground.c
 */
#pragma once

#include "agent/evidence/evidence_index.h"
#include "agent/text/words.h"

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
    EVIDENCE_CODE, /* data in the text of a program, kept beside the others */
};

/* Words, in the pool; no two labels have the same ones in the same order. */
struct label {
    uint32_t first;
    uint16_t count;
    uint16_t stats; /* enum word_stat */
};

#define EVIDENCE_CONTEXT 40 /* bytes before a number, for people to find it by */

struct evidence_item {
    long double value; /* with sign */
    struct num num;
    enum evidence_stream stream;
    unsigned cell, order; /* later is larger */
    uint32_t source;      /* which text, see evidence_place */
    uint32_t table;       /* the same for all numbers of one table */
    uint32_t label[PARTS];
    uint32_t statement; /* which print wrote it, by its text; 0 if that is not clear */
    uint32_t nth;       /* number of its line of plain text, from 1; 0 in a table of columns */
    size_t position;    /* in bytes of the stream, or the number of the table cell */
    bool percent;       /* a % stood behind it */
    bool bulk;          /* one of many: a table, a long print, an input file */
    bool counted;       /* how many there are of something, not a number that was shown */
    bool several;       /* its line of plain text has other numbers, too */
    bool own_code;      /* … and the words of the code are of this one alone */
    bool many;          /* sealed: its cell has others under the same labels */
    bool stale;         /* sealed: a later cell showed another number under these labels */
    char before[EVIDENCE_CONTEXT + 1], after[LITERAL_CONTEXT + 1];
};

struct variable {
    char *name;
    uint32_t label; /* the words of what it was made of */
};

/* What the code so far has named. */
struct code_names {
    struct variable *variables;
    size_t variable_count, variable_room;
    uint32_t *used; /* names that something was computed with */
    size_t used_count, used_room;
};

struct evidence_list {
    struct evidence_item *list;
    size_t count, room;
};

/* Items that are asked for by what they are. */
struct evidence_asked {
    uint32_t *list; /* those of the question, in order */
    size_t count, room;
    size_t clocks; /* how many of the others are times */
};

struct evidence {
    struct evidence_item *items;
    size_t count, room;
    struct label *labels; /* the first has no words */
    size_t label_count, label_room;
    uint32_t *pool;
    size_t pool_count, pool_room;
    uint32_t *known; /* hash table of labels */
    size_t known_room;
    struct code_names code;
    struct literals literals;
    struct evidence_list typed; /* data that the code has in its own text, not in the index */
    struct evidence_asked asked;
    struct words question;
    char *question_text;
    char **names; /* of data frames, files and tools */
    size_t name_count;
    uint32_t tables;
    unsigned order;
    struct evidence_index index;
    bool sealed;
};

void evidence_init(struct evidence *e);
void evidence_done(struct evidence *e);

/* Each returns 0 or -ENOMEM. Past 200,000 numbers more are dropped. */
int evidence_question(struct evidence *e, const char *text);
int evidence_input(struct evidence *e, const char *name, const char *data, size_t len);
int evidence_tool(struct evidence *e, unsigned cell, const char *name, const char *json);
/* The result object of a cell and the code that ran in it. */
int evidence_result(struct evidence *e, const char *code, const json_t *result);
/* Cells after this one were undone: their numbers prove nothing any more. */
void evidence_forget(struct evidence *e, unsigned cell);

/* Was something computed with what has this literal_name? */
bool evidence_used(const struct evidence *e, uint32_t name);
/* Is the item nothing but a literal of the model's own code? */
bool evidence_asserted(const struct evidence *e, const struct evidence_item *item);
const char *evidence_stream_name(enum evidence_stream stream);
const char *evidence_place(const struct evidence *e, const struct evidence_item *item);

/* For the readers: the label of these words; 0 when there are none or no memory. */
uint32_t evidence_label(struct evidence *e, const struct words *w);
int evidence_push(struct evidence *e, const struct evidence_item *item);
void evidence_unask(struct evidence *e, size_t from); /* before items from there on go */
int evidence_name(struct evidence *e, const char *name, uint32_t *ret);

/* evidence_code.c: what code shows. */
struct shown; /* the prints of a cell, in order */
struct shown *shown_new(struct evidence *e, const char *code, unsigned cell);
void shown_free(struct shown *s);
/* The label of the code that printed this line, 0 if that is not clear. */
uint32_t shown_line(struct shown *s, const char *line, size_t len);
/* The words that are not in the text of that print, in the first bytes of the line: they were filled
 * in, and name what the line is about. */
void shown_filled(const struct shown *s, const char *line, size_t len, struct words *w);
/* The words of what the print was given for the number at a place of the last line: with those of the
 * variables in it, and its own. False: that is not clear. */
struct shown_words {
    uint32_t all, own; /* labels */
};
bool shown_number(const struct shown *s, const char *line, size_t len, size_t at,
                  struct shown_words *ret);
uint32_t shown_statement(const struct shown *s); /* of the last line */
uint32_t shown_value(const struct shown *s);

/* typed.c: the data that code has in its own text. 0 or -ENOMEM. */
int typed_add(struct evidence *e, unsigned cell, const char *code);

/* evidence_text.c: numbers in text. */
struct text_reading {
    struct evidence *e;
    const char *s;
    size_t len;
    struct evidence_item like; /* what every item of this text has in common */
    struct shown *shown;       /* or NULL */
};

int evidence_text(struct text_reading *r, size_t *ret_count);
