/* What the numbers of a session are labelled with: rows, columns, the words of a line, and those of the
 * code that showed them. */
#include "agent/evidence/evidence.h"
#include "unit.h"

#include <string.h>

struct labelled {
    const char *code, *output;
    double value;
    enum part part;
    const char *words; /* all that the label has; of code, some of them */
};

static const struct labelled labelled[] = {
    /* A print of several: each has the words of what it was given. */
    {"mean_ms = x.mean()\nprint(mean_ms, p95, err)", "155.12 430.99 0.0129\n", 430.99, PART_LINE,
     "p95"},
    {"print(mean_ms, p95, err)", "155.12 430.99 0.0129\n", 155.12, PART_LINE, "mean ms"},
    {"print('last', total.max(), 'first', total.min())", "last 5.5 first 2.5\n", 2.5, PART_CODE,
     "total min"},
    {"print('on time: %.1f, cancelled: %.2f' % (punctual, dropped))",
     "on time: 87.6, cancelled: 1.76\n", 1.76, PART_CODE, "dropped"},
    {"print('ratio {:.2f} of {}'.format(share, parts))", "ratio 0.25 of 8\n", 8, PART_CODE,
     "parts"},
    {"print(f'{zone} {calls}')", "East 3\nWest 5\n", 5, PART_LINE, "West"},
    /* Keys that are numbers, and tuples in dictionaries. */
    {"print(index)", "{41: 308.4, 43: 367.68, 46: 519.36}\n", 367.68, PART_ROW, "43"},
    {"print(fits)", "{'Corsa': (23468, -13.5, 0.994), 'Golf': (34613, -13.1, 0.999)}\n", 0.999,
     PART_ROW, "Golf"},
    {"print(top)", "[(178, 'Market'), (158, 'Harbour')]\n", 158, PART_ROW, "Harbour"},
    {"print(n, d)", "2 agents {'wait': 6.39}\n3 agents {'wait': 0.77}\n", 0.77, PART_ROW, "wait 3"},
    /* Lines that are rows: names with digits, times, years, a number in front. */
    {"print(day, n, m, at)", "Tue 03 Sep 5 2 08:00\nWed 04 Sep 5 0 08:30\n", 510, PART_ROW,
     "Wed 04 Sep"},
    {"show()", "P-104 | Head torch | 22 | 690.2\nP-112 | Dry bag | 31 | 676.2\n", 676.2, PART_ROW,
     "P-112 Dry bag"},
    {"show()", "Centre  2023  loss  63500\nCentre  2024  loss  47400\n", 47400, PART_ROW, "2024"},
    {"show()", "01 used  336.6  PV   98.2\n02 used  295.7  PV  176.5\n", 176.5, PART_ROW, "02"},
    {"print(y)", "  month  made  used\n2023-01 247.1 531.7\n2023-02 372.3 492.3\n", 372.3, PART_ROW,
     "2023-02"},
    /* Columns of True and False, of numbers, and under a long name of a row. */
    {"print(t)", "free     False    True\nvisits  1872.3  3355.0\nsales    101.5    90.1\n", 3355,
     PART_COLUMN, "free"},
    {"print(t)",
     "month       0      1      2\ncohort                     \nMay     840.0  409.0  "
     "331.0\nJune    700.0  350.0  280.0\n",
     350, PART_COLUMN, "1"},
    {"print(t)",
     "                fund   bench\nsharpe        1.0385  1.1453\nmax_drawdown -0.0799 "
     "-0.0829\n",
     -0.0829, PART_COLUMN, "bench"},
    {"print(t)",
     "        episodes  downloads\nseason                     \n1              6      "
     "66011\n2              7     118138\n",
     118138, PART_ROW, "2"},
    /* Cells that are one blank apart, below one head; heads of two lines; heads with digits. */
    {"print(t)", " batch  yeast    og  abv\n   106  US-05 1.069 6.96\n   107 BE-134 1.056 6.83\n",
     1.056, PART_COLUMN, "og"},
    {"print(t)", "     name  profit\n       Q2 8538.57\n  Pale Ale 9384.99\n", 8538.57, PART_ROW,
     "Q2"},
    {"print(t)",
     "       tip       total_bill      \n      mean   std       mean   std\nSat   2.99  1.63      "
     "20.44  9.48\nSun   3.26  1.23      21.41  8.83\n",
     9.48, PART_COLUMN, "total bill std"},
    {"show()", "| area | p95 | 2023 |\n|---|---|---|\n| North | 12.5 | 300 |\n", 300, PART_COLUMN,
     "2023"},
    {"show()", "| ages | n |\n|---|---|\n| 30-39 | 74 |\n", 74, PART_ROW, "30-39"},
    /* An index of two levels of which the outer is long; months; bands; numbers that name a row. */
    {"print(t)",
     "                rate\narea    sex         \nHarbour female  12.5\n        male    "
     "11.5\n",
     11.5, PART_ROW, "Harbour male"},
    {"print(t)", "       trips\nmonth       \n1      12502\n2      13729\n", 13729, PART_ROW,
     "2 February"},
    {"print(t)", "           mean\ndayofweek      \n0          87.5\n6          67.7\n", 67.7,
     PART_ROW, "6 Sunday"},
    {"print(t)", "        n  share\n<30    98   0.25\n60+    82   0.21\n", 82, PART_ROW, "60+"},
    {"show()", "<30: 98 runners\n30-39: 74 runners\n", 74, PART_ROW, "30-39"},
    {"print(t)", "r0   peak  infected\n1.4    44       470\n1.6    78       589\n", 589, PART_ROW,
     "1.6"},
    {"show()", "{'<30': {'n': 98, 'share': 0.25}, '60+': {'n': 82, 'share': 0.21}}\n", 82, PART_ROW,
     "60+"},
    /* A name before pairs, names with digits, and a remark in a name. */
    {"show()", "Stout     p95 0.75  units 292\nPale Ale  p95 0.18  units 514\n", 514, PART_ROW,
     "Pale Ale"},
    {"show()", "Stout     p95 0.75  units 292  n 7\nPale Ale  p95 0.18  units 514  n 9\n", 292,
     PART_LINE, "units"},
    {"show()", "US-05   12\nBE-134  31\n", 31, PART_ROW, "BE-134"},
    {"show()", "North: units 5, cost (EUR) 230.5\n", 230.5, PART_LINE, "cost EUR"},
    /* Two tables without a blank line between them, the second with a head of two lines. */
    {"print(a)\nprint(b)",
     "        rent   size\nmean  1000.5  73.15\nstd    360.8  23.47\n       rent                "
     "size "
     "             \n      count   mean median  count  mean median\narea                        "
     "                 \nEast     55  111.2  110.2     55  69.2   67.0\nWest     46  128.8  109.5 "
     "    46  77.1   76.3\n",
     77.1, PART_COLUMN, "mean size"},
};

static bool has_label(const struct evidence *e, const struct labelled *l) {
    struct words w = {0};
    words_add(&w, l->words, strlen(l->words));
    for (size_t i = 0; i < e->count; i++) {
        const struct evidence_item *x = &e->items[i];
        const struct label *label = x->label[l->part] ? &e->labels[x->label[l->part]] : NULL;
        unsigned held = 0;
        if (!label || (double)x->value != l->value)
            continue;
        for (size_t k = 0; k < label->count; k++)
            held += words_hold(&w, e->pool[label->first + k]);
        if (held == w.count && (l->part == PART_CODE || label->count == w.count))
            return true;
    }
    return false;
}

static void labels_are_found(void **state) {
    (void)state;
    size_t failed = 0;
    for (size_t i = 0; i < sizeof labelled / sizeof *labelled; i++) {
        const struct labelled *l = &labelled[i];
        struct evidence e;
        evidence_init(&e);
        json_t *result = json_pack("{s:i,s:s,s:s}", "cell", 1, "status", "ok", "stdout", l->output);
        assert_int_equal(evidence_result(&e, l->code, result), 0);
        if (!has_label(&e, l)) {
            print_error("%zu: %g is not called \"%s\"\n", i, l->value, l->words);
            failed++;
        }
        json_decref(result);
        evidence_done(&e);
    }
    assert_int_equal(failed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
