/* Decisions about numbers: the tables of weights are whole, and what speaks for a number and against it
 * is weighed. */
#include "agent/ground/decide.h"
#include "unit.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static void the_trees_ask_for_features_that_there_are(void **state) {
    (void)state;
    assert_true(decide_tree_count > 0);
    for (size_t i = 0; i < decide_tree_count; i++)
        for (int k = 0; k < TREE_NODES; k++)
            assert_true(decide_trees[i].feature[k] < FEATURES);
}

static void trust_is_a_probability(void **state) {
    (void)state;
    float f[FEATURES] = {0};
    for (int round = 0; round < 400; round++) {
        double trust = decide_trust(f);
        assert_true(trust > 0 && trust < 1);
        for (int k = 0; k < FEATURES; k++)
            f[k] = (float)((round * 31 + k * 17) % 61) - 25;
    }
}

static void weights_are_finite(void **state) {
    (void)state;
    for (int k = 0; k < ITEM_TERMS; k++)
        assert_true(fabsf(item_weights[k]) < 20);
    for (int k = 0; k < COMBINE_TERMS; k++)
        assert_true(fabsf(combine_weights[k]) < 20);
}

/* Near words speak for a number, and a word that is nowhere speaks against it. */
static void near_words_weigh_more(void **state) {
    (void)state;
    const float *row = item_weights + ITEM_NEAR + PART_ROW * (NOT_NEAR + 1);
    assert_true(row[NEAR_BEFORE] > row[NEAR_SENTENCE]);
    assert_true(row[NEAR_BEFORE] > row[NOT_NEAR]);
    assert_true(item_weights[ITEM_STAT_AGREE] > item_weights[ITEM_STAT_CONFLICT]);
    assert_true(item_weights[ITEM_TOLD] < 0);
    assert_true(combine_weights[TERM_SOURCE + SOURCE_HERE] >
                combine_weights[TERM_SOURCE + SOURCE_FAR]);
}

struct tried {
    const char *code, *output, *answer, *verdicts;
    const char *again; /* what the same code shows in a second cell; or NULL */
};

static const char names[] = "     trips\nJan  12502\nFeb  14010\nMar  21233\nApr  27654\n"
                            "May  36071\nJun  38922\nJul  41929\nAug  39823\nSep  33456\n";

static const struct tried answers[] = {
    /* Two rows of a column, and their sum, difference and share. */
    {"print(visits)",
     "      saturday  sunday\nNorth      410     448\nEast       402     407\nWest       861     "
     "854\n",
     "On Sunday North and East had 855 visits together.", "derived", NULL},
    {"print(visits)",
     "      saturday  sunday\nNorth      410     448\nEast       402     407\nWest       861     "
     "854\n",
     "On Sunday North and East had 872 visits together.", "flag", NULL},
    /* What goes the other way is no proof. */
    {"print('visits 2022:', a)\nprint('visits 2023:', b)", "visits 2022: 9412\nvisits 2023: 7630\n",
     "From 2022 to 2023 the visits fell by 1,782.", "derived", NULL},
    {"print('visits 2022:', a)\nprint('visits 2023:', b)", "visits 2022: 9412\nvisits 2023: 7630\n",
     "From 2022 to 2023 the visits rose by 1,782.", "flag", NULL},
    /* All words name a number that was shown: what differs from it by chance is another one. */
    {"print('mean yield:', a)\nprint('mean loss:', b)",
     "mean yield: 164.6775489\nmean loss: 8.530891249\n", "The mean yield is 156.15.", "flag",
     NULL},
    {"print('mean yield:', a)\nprint('mean loss:', b)",
     "mean yield: 164.6775489\nmean loss: 8.530891249\n",
     "The mean yield is 156.15 higher than the mean loss.", "derived", NULL},
    /* A hundredth less is no result of its own. */
    {"print('revenue:', a)\nprint('fee:', b)", "revenue: 215016.78\nfee: 1.27\n",
     "Monthly recurring revenue comes to 215,016.", "flag", NULL},
    /* What two cells showed of one thing: before and after. */
    {"print('mean delay:', d.mean())", "mean delay: 155.12136\n",
     "Without the test traffic the mean delay rose by 27.8.", "derived", "mean delay: 182.87742\n"},
    {"print('mean delay:', d.mean())", "mean delay: 155.12136\n",
     "Without the test traffic the mean delay rose by 28.7.", "flag", "mean delay: 182.87742\n"},
    /* Some rows of a column. */
    {"print(trips)", names, "In June, July and August there were 120,674 trips.", "derived", NULL},
    {"print(trips)", names, "In June, July and August there were 126,074 trips.", "flag", NULL},
};

static enum ground_verdict verdict_of(const struct tried *t) {
    struct evidence e;
    struct ground_report report;
    evidence_init(&e);
    json_t *result = json_pack("{s:i,s:s,s:s}", "cell", 1, "status", "ok", "stdout", t->output);
    assert_int_equal(evidence_result(&e, t->code, result), 0);
    json_object_set_new(result, "cell", json_integer(2));
    json_object_set_new(result, "stdout", json_string(t->again ? t->again : ""));
    assert_int_equal(t->again ? evidence_result(&e, t->code, result) : 0, 0);
    assert_int_equal(ground_answer(&e, t->answer, NULL, &report), 0);
    assert_int_equal(report.count, 1);
    enum ground_verdict v = report.list[0].verdict;
    ground_done(&report);
    evidence_done(&e);
    json_decref(result);
    return v;
}

static void what_follows_by_one_step(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        enum ground_verdict v = verdict_of(&answers[i]);
        if (strcmp(answers[i].verdicts, "flag") == 0 ? !ground_flagged(v) : v != GROUND_DERIVED)
            fail_msg("%s: %s", answers[i].answer, ground_verdict_name(v));
    }
}

/* Each share is of the number before it and the same whole: the one that is not stands out. */
static void numbers_that_follow_likewise(void **state) {
    (void)state;
    static const char shown[] = "            sales\nNorth      264166\nSouth      872188\n"
                                "Coast     1545804\nall       2682158\n";
    static const struct {
        const char *answer;
        bool right;
    } tried[] = {
        {"North contributes 264,166 (9.8 %), South 872,188 (32.5 %) and Coast 1,545,804 (57.6 %).",
         true},
        {"North contributes 264,166 (9.8 %), South 872,188 (35.2 %) and Coast 1,545,804 (57.6 %).",
         false}};
    struct evidence e;
    evidence_init(&e);
    json_t *result = json_pack("{s:i,s:s,s:s}", "cell", 1, "status", "ok", "stdout", shown);
    assert_int_equal(evidence_result(&e, "print(sales)", result), 0);
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        struct ground_report report;
        assert_int_equal(ground_answer(&e, tried[i].answer, NULL, &report), 0);
        assert_int_equal(report.count, 6);
        assert_int_equal(report.list[1].verdict, GROUND_DERIVED);
        assert_int_equal(report.list[5].verdict, GROUND_DERIVED);
        assert_int_equal(!ground_flagged(report.list[3].verdict), tried[i].right);
        ground_done(&report);
    }
    evidence_done(&e);
    json_decref(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_trees_ask_for_features_that_there_are),
        cmocka_unit_test(trust_is_a_probability),
        cmocka_unit_test(weights_are_finite),
        cmocka_unit_test(near_words_weigh_more),
        cmocka_unit_test(what_follows_by_one_step),
        cmocka_unit_test(numbers_that_follow_likewise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
