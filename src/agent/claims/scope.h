/* What a sentence says about one of its numbers: its words, by how near they stand to it.
 *
 * A sentence is cut into pieces at commas, brackets and words like "and", "while", "than"; a piece
 * without a number belongs to its neighbour. So in "North earned 120 and South 80" the nearest words
 * of 80 are those of "South".
 *
 * Runs in: the broker's process.
 * Hostile: the answer.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_ground.c
 */
#pragma once

#include "agent/claims/claims.h"
#include "agent/text/words.h"

enum nearness {
    NEAR_BEFORE,   /* between the number before and this one */
    NEAR_BEHIND,   /* up to the next number */
    NEAR_PIECE,    /* in the same piece of the sentence */
    NEAR_SENTENCE, /* in the same sentence, … */
    NEAR_COMPARED, /* … but only in what something is compared with */
    NEAR_CONTEXT,  /* in the sentence or the heading before */
    NEAR_QUESTION, /* in what was asked */
    NOT_NEAR,
};

#define SCOPE_ROOM 1024 /* a power of two */
#define SCOPE_ASKED 32

/* Lists of words that were looked for already, by their address: the same few are asked for with
 * every number that a claim could mean. */
struct scope_asked {
    struct {
        const char *list;
        bool piece, found;
    } known[SCOPE_ASKED];
    unsigned count;
};

struct scope {
    const char *text;
    const struct claims *claims; /* of the text, … */
    size_t index;                /* … and which of them it is */
    size_t from, to;             /* the sentence */
    size_t piece_from, piece_to; /* the piece that has the number */
    struct {
        uint32_t hash;
        uint8_t near;
    } table[SCOPE_ROOM];
    unsigned count;
    unsigned numbers;               /* claims in the sentence, … */
    unsigned piece_numbers;         /* … and in the piece */
    bool group;                     /* the number tells how many something else is told of */
    uint32_t words[SCOPE_ROOM / 2]; /* all of them, in no order */
    struct scope_asked *asked;      /* of the owner; or NULL */
};

void scope_make(struct scope *s, const char *text, const struct claims *claims, size_t index,
                const struct words *question);
enum nearness scope_near(const struct scope *s, uint32_t word);
/* The statistics that are named where any is, the nearest first: bits of enum word_stat. */
unsigned scope_stats(const struct scope *s);
/* The word that the number at a place is the value of, as in "p = 0.01" or "the slope is 2"; or 0. */
uint32_t scope_lead(const struct scope *s, size_t at);
/* What a word is made of, as visitors of visit; 0 if of nothing. */
uint32_t scope_root(const char *word, size_t len);
/* The word right behind a plain number, as in "6 shows"; or 0. */
uint32_t scope_noun(const struct scope *s, const struct claim *c);
/* Is the word right before a place one of the list? */
bool scope_follows(const struct scope *s, size_t at, const char *list);
/* Is this what stands between a part and its whole, as in "31 of the 80"? */
bool scope_is_partitive(const char *text, size_t from, size_t to);
/* Is the number what a part was taken of, as the 80 in "31 of the 80"? */
bool scope_is_whole(const struct scope *s);
/* The sentence around a place. */
void sentence_at(const char *text, size_t at, size_t *ret_from, size_t *ret_to);
/* Is one of the words in the number's piece, or in its sentence? The list is a constant. */
bool scope_piece_has(const struct scope *s, const char *list);
bool scope_has(const struct scope *s, const char *list);
