/* A printed text while its numbers are read, line by line: tables, series, brackets, plain lines.
 *
 * Runs in: the broker's process.
 * Hostile: the text.
 * Owns: nothing; the numbers go into the evidence.
 * Tests: tests/unit/test_agent_ground.c
 */
#pragma once

#include "agent/evidence/evidence.h"

#define MAX_COLUMNS 64
#define MAX_NESTING 8

struct text_column {
    size_t start, end; /* in its line */
    size_t edge;       /* its end in characters: by these tables are aligned */
    uint32_t label;
};

/* An open bracket: what stands before it, where it is, and how many commas are in it so far. */
struct page_bracket {
    struct words key;
    size_t at, commas;
};

/* A plain line. */
struct page_line {
    struct words last; /* of the number before */
    struct words cell; /* of the first cell, if marks cut the line */
    struct words key;  /* dates, years and the like that name the line */
    uint32_t numbers;  /* so far */
    uint32_t shape;    /* so many, behind a name, if a neighbour has as many; else 0 */
    size_t name_end;   /* where that name ends, or the line's first cell; else its beginning */
    bool several;      /* it has more than one number, … */
    bool bare;         /* … and nothing else, as a line beside it */
    bool own_code;     /* the code's words are of the number that is read alone */
};

enum layout { LAYOUT_TEXT, LAYOUT_TABLE, LAYOUT_SERIES, LAYOUT_MARKS };

struct text_page {
    struct text_reading *r;
    size_t line, end; /* of the line that is read */
    enum layout layout;
    struct text_column columns[MAX_COLUMNS];
    size_t column_count;
    char mark;            /* of LAYOUT_MARKS */
    size_t rows, lines;   /* of the table so far: without and with those of statistics */
    uint32_t table, name; /* the table, and its label if it has only one column, … */
    struct {
        uint32_t label; /* … and what its rows are called, … */
        bool truth;     /* … by 1 or 0, as with "churned" */
        size_t level;   /* where the inner of two levels begins */
        bool none;      /* the first column has a name, and texts */
    } index;
    struct words outer; /* of the row before: what its left part says, … */
    size_t outer_end;   /* … and where that ends */
    struct words heading;
    struct page_bracket brackets[MAX_NESTING]; /* that are open, … */
    size_t depth, entries;                     /* … and what the outermost has at its own level */
    uint32_t bracket, printed;                 /* their table, and the print that wrote it */
    uint32_t code;
    size_t open;        /* behind the last bracket or number of a plain line, … */
    size_t before_open; /* … and behind what stands before that bracket */
    struct page_line words;
    size_t count;
};

/* evidence_text.c */
size_t page_line_end(const struct text_reading *r, size_t i);
bool page_starts_number(const struct text_reading *r, size_t i);
size_t page_name_at(const struct text_page *p, size_t i);
int page_push(struct text_page *p, size_t i, size_t *ret_len, const uint32_t label[PARTS]);

/* evidence_table.c */
int table_end(struct text_page *p);
void table_take_index(struct text_page *p);
bool table_try_head(struct text_page *p);
bool table_has_columns(const struct text_page *p);
int table_row(struct text_page *p);
bool table_try_series(struct text_page *p);
int table_series_row(struct text_page *p);
size_t table_marks_in(const struct text_reading *r, size_t from, size_t to, char mark);
bool table_try_marks(struct text_page *p);
int table_marks_row(struct text_page *p);

/* evidence_line.c */
int page_plain_line(struct text_page *p);
size_t page_numbers_in_line(const struct text_page *p);
