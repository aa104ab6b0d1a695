/* Votes are counted as the answers mean them, and a search ends when nothing can change any more. */
#include "agent/run/judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *key_of(const char *answer, const char *provenance) {
    json_t *list = json_loads(provenance, 0, NULL);
    assert_non_null(list);
    char *key = judge_key(answer, list);
    json_decref(list);
    assert_non_null(key);
    return key;
}

static void same(bool expected, const char *a, const char *claims_a, const char *b,
                 const char *claims_b) {
    char *one = key_of(a, claims_a), *other = key_of(b, claims_b);
    assert_int_equal(strcmp(one, other) == 0, expected);
    free(one);
    free(other);
}

static void answers_have_keys(void **state) {
    static const char n55[] = "[{\"text\":\"55\",\"verdict\":\"grounded\"}]";
    static const char n10[] = "[{\"text\":\"10\",\"verdict\":\"question\"},"
                              "{\"text\":\"55\",\"verdict\":\"derived\"}]";
    static const char large[] = "[{\"text\":\"1,234\",\"verdict\":\"counted\"}]";
    static const char plain[] = "[{\"text\":\"1234\",\"verdict\":\"grounded\"}]";
    static const char guess[] = "[{\"text\":\"55\",\"verdict\":\"asserted\"}]";
    (void)state;
    same(true, "It is 55.", n55, "The sum to 10 is 55", n10);
    same(true, "1,234 rows", large, "There are 1234.", plain);
    same(false, "It is 55.", n55, "It is 55.", guess);
    same(true, "North  sold most.", "[]", "north sold most", "[]");
    same(false, "North sold most.", "[]", "South sold most.", "[]");
    same(true, "{\"a\": 1, \"b\": 2}", "[]", "{\"b\":2,\"a\":1}", "[]");
    same(false, "{\"a\": 1}", "[]", "{\"a\": 2}", "[]");
}

/* Tries by what they vote for; '.' has not answered, capitals are verified. */
static unsigned make(const char *votes, struct judged *ret, char (*keys)[2]) {
    unsigned n = (unsigned)strlen(votes);
    for (unsigned i = 0; i < n; i++) {
        keys[i][0] = (char)(votes[i] | 32), keys[i][1] = 0;
        bool answered = votes[i] != '.';
        ret[i] = (struct judged){.answered = answered,
                                 .verified = answered && votes[i] < 'a',
                                 .key = answered ? keys[i] : NULL};
    }
    judge_count(ret, n);
    return n;
}

static void winner(const char *votes, unsigned expected) {
    struct judged tries[16];
    char keys[16][2];
    unsigned n = make(votes, tries, keys);
    assert_int_equal(judge_best(tries, n), expected);
}

static void winners(void **state) {
    (void)state;
    winner("....", 4);
    winner("abb", 1);
    winner(".ba", 1);
    winner("aBbA", 1); /* as many votes: the first that is verified */
    winner("abab", 0);
    winner("Abbb", 1);
}

static void settled(const char *votes, bool expected) {
    struct judged tries[16];
    char keys[16][2];
    unsigned n = make(votes, tries, keys), running = 0;
    for (unsigned i = 0; i < n; i++)
        running += votes[i] == '.';
    assert_int_equal(judge_settled(AGENT_JUDGE_VOTE, tries, n, running), expected);
}

static void early_ends(void **state) {
    struct judged tries[2] = {{.answered = true, .score = 0.5}, {0}};
    (void)state;
    settled("aa.", true);
    settled("ab.", false);
    settled("aa..", false);
    settled("aab..", false);
    settled("aaab..", false);
    settled("aaaab..", true);
    assert_false(judge_settled(AGENT_JUDGE_CODE, tries, 2, 1));
    tries[0].score = 1;
    assert_true(judge_settled(AGENT_JUDGE_CODE, tries, 2, 1));
    tries[0].failed = true;
    assert_false(judge_settled(AGENT_JUDGE_CODE, tries, 2, 1));
}

/* The judge's own verdicts stay as they are. */
static void most_votes(void **state) {
    struct judged tries[4];
    char keys[4][2];
    (void)state;
    unsigned n = make("abb.", tries, keys);
    for (unsigned i = 0; i < n; i++)
        tries[i].score = 0, tries[i].failed = i == 2;
    assert_int_equal(judge_best(tries, n), 0);
    assert_false(judge_accepted(&tries[0]));
    assert_int_equal(judge_most_votes(tries, n), 1);
    assert_true(tries[2].failed && !(tries[1].score > 0));
    tries[1].score = 1;
    assert_true(judge_accepted(&tries[1]));
    tries[1].failed = true;
    assert_false(judge_accepted(&tries[1]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_have_keys),
        cmocka_unit_test(winners),
        cmocka_unit_test(early_ends),
        cmocka_unit_test(most_votes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
