/* Words as what they mean: what a number is about, and what a sentence is about.
 *
 * A word is a hash of its stem: lower case, split at underscores and case changes, without endings
 * of plural and past. Words for the same thing are one word (average, mean, Durchschnitt; Jan,
 * January); words that could stand in any sentence are none. Numbers are words, too: 2019, q1.
 *
 * Runs in: the broker's process.
 * Hostile: the text.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_ground.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_WORDS 32

struct words {
    uint32_t hash[MAX_WORDS];
    unsigned count;
};

/* What a word says about how a number was made. */
enum word_stat {
    STAT_MEAN = 1,
    STAT_MEDIAN = 2,
    STAT_MAX = 4,
    STAT_MIN = 8,
    STAT_SUM = 16,
    STAT_COUNT = 32,
    STAT_STD = 64,
    STAT_VAR = 128,
    STAT_Q1 = 256,
    STAT_Q3 = 512,
    STAT_STDERR = 1024,
    STAT_CHANGE = 2048,   /* a change, a difference: its sign means something */
    STAT_QUANTILE = 4096, /* any but the median and the quartiles */
};

/* The next word of the text from *at on: its hash, 0 for one that says nothing; false at the end.
 * *ret_start is where it starts, *at where it ends. */
bool words_next(const char *text, size_t len, size_t *at, uint32_t *ret_hash, size_t *ret_start);
void words_add(struct words *w, const char *text,
               size_t len); /* past the maximum the rest is dropped */
/* The words from `at` on; what stands before may say what the first one means, as in "30 min". */
void words_add_from(struct words *w, const char *text, size_t at, size_t len);
void words_put(struct words *w, uint32_t hash);
bool words_hold(const struct words *w, uint32_t hash);
/* Is one of the words (blank-separated list) a whole word of the text? Any case. */
bool words_any(const char *text, size_t len, const char *list);
uint32_t word_hash(const char *word); /* of one canonical word */
uint32_t word_month(unsigned n);      /* 1: January; 0 for what is no month */
uint32_t word_weekday(unsigned n);    /* 0: Monday */
/* What something is told for each of: in "price per tonne" the price is of a tonne, and no tonnes. */
uint32_t word_per(uint32_t hash);
bool word_is_per(const char *word, size_t len);
/* What is not so: "no rain". */
uint32_t word_not(uint32_t hash);
unsigned word_statistic(uint32_t hash); /* enum word_stat, or 0 */
