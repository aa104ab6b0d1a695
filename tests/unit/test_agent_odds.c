/* How often true numbers are accepted and wrong ones are, on generated programs with 20, 100 and
 * 1,000 numbers about. The bounds are the promise: true ones 99 in 100, wrong ones at most 1 in
 * 100. */
#include "agent/ground/ground.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed;

static uint64_t next_random(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static unsigned below(unsigned n) {
    return (unsigned)(next_random() % n);
}

static double uniform(void) {
    return (double)(next_random() >> 11) / 9007199254740992.0;
}

static const char *const subjects[] = {"revenue", "margin", "weight",  "latency", "distance",
                                       "score",   "yield",  "voltage", "height",  "duration"};
static const char *const measures[] = {"mean", "median", "maximum", "minimum", "deviation"};
static const char *const places[] = {"Berlin", "Madrid", "Vienna", "Oslo",   "Lisbon", "Dublin",
                                     "Prague", "Athens", "Zurich", "Warsaw", "Riga",   "Tallinn"};

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct statistic {
    char label[40];
    double value;
};

struct program {
    struct evidence evidence;
    struct statistic printed[6]; /* by the last cells, labelled */
    size_t printed_count;
    struct statistic cell; /* of the table, named by row and column */
};

static double any_value(void) {
    return pow(10, 1 + below(4)) * (0.1 + 0.9 * uniform());
}

/* A table with n numbers: the bulk that wrong numbers could hit by chance. */
static json_t *table(size_t n, struct statistic *ret_cell) {
    const char *subject = subjects[below(COUNT(subjects))];
    double scale = any_value();
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        double v = round(scale * (0.3 + 1.4 * uniform()) * 100) / 100;
        const char *place = i < COUNT(places) ? places[i] : "elsewhere";
        json_array_append_new(rows, json_pack("[s,f]", place, v));
        if (i == 3) {
            snprintf(ret_cell->label, sizeof ret_cell->label, "%s in %s", subject, place);
            ret_cell->value = v;
        }
    }
    json_t *frame = json_pack("{s:s,s:[i,i],s:[{s:s},{s:s}],s:o}", "name", "df", "shape", (int)n, 2,
                              "columns", "name", "place", "name", subject, "head", rows);
    return json_pack("{s:i,s:s,s:[o]}", "cell", 1, "status", "ok", "dataframes", frame);
}

static void make_program(struct program *p, size_t n) {
    *p = (struct program){0};
    evidence_init(&p->evidence);
    evidence_question(&p->evidence, "Describe the table.");
    json_t *result = table(n, &p->cell);
    assert_int_equal(evidence_result(&p->evidence, "df = pd.read_csv('a.csv')\ndf", result), 0);
    json_decref(result);
    scoped_buf out = BUF_INIT(4096), code = BUF_INIT(4096);
    size_t subject = below(COUNT(subjects));
    p->printed_count = 3 + below(3);
    for (size_t i = 0; i < p->printed_count; i++) {
        struct statistic *s = &p->printed[i];
        s->value = any_value();
        snprintf(s->label, sizeof s->label, "%s %s", measures[i % COUNT(measures)],
                 subjects[subject]);
        buf_printf(&code, "print('%s:', df.%s.%s())\n", s->label, subjects[subject],
                   measures[i % COUNT(measures)]);
        buf_printf(&out, "%s: %.10g\n", s->label, s->value);
    }
    result = json_pack("{s:i,s:s,s:s}", "cell", 2, "status", "ok", "stdout", out.data);
    assert_int_equal(evidence_result(&p->evidence, code.data, result), 0);
    json_decref(result);
}

static bool accepted(struct program *p, const char *label, const char *number) {
    char answer[200];
    struct ground_report report;
    snprintf(answer, sizeof answer, "The %s is %s.", label, number);
    assert_int_equal(ground_answer(&p->evidence, answer, NULL, &report), 0);
    assert_int_equal(report.count, 1);
    bool ok = report.unproved == 0;
    ground_done(&report);
    return ok;
}

/* Shows a value with two to four digits more than a guess would have. */
static void show(double v, char *out, size_t size) {
    int digits = 3 + (int)below(3), decade = (int)floor(log10(fabs(v)));
    int decimals = digits - 1 - decade;
    snprintf(out, size, "%.*f", decimals > 0 ? decimals : 0, v);
}

enum fault { ONE_DIGIT, SWAPPED, HALF_PERCENT, TENFOLD, INVENTED, FAULTS };
static const char *const fault_names[] = {"one digit", "swapped digits", "+0.5 %", "times ten",
                                          "invented"};

static void change_digit(char *s) {
    size_t at;
    do
        at = below((unsigned)strlen(s));
    while (s[at] < '0' || s[at] > '9');
    char old = s[at];
    do
        s[at] = (char)('0' + below(10));
    while (s[at] == old || (at == 0 && s[at] == '0'));
}

static bool swap_digits(char *s) {
    for (int tries = 0; tries < 20; tries++) {
        size_t at = below((unsigned)strlen(s) - 1);
        char a = s[at], b = s[at + 1];
        if (a == '.' || b == '.' || a == b || (at == 0 && b == '0'))
            continue;
        s[at] = b;
        s[at + 1] = a;
        return true;
    }
    return false;
}

/* Makes a wrong number of a true one; false if it came out the same. */
static bool spoil(enum fault fault, double v, char *s, size_t size) {
    char before[64];
    snprintf(before, sizeof before, "%s", s);
    const char *point = strchr(s, '.');
    int decimals = point ? (int)strlen(point + 1) : 0;
    if (fault == ONE_DIGIT)
        change_digit(s);
    else if (fault == SWAPPED && !swap_digits(s))
        return false;
    else if (fault == HALF_PERCENT)
        snprintf(s, size, "%.*f", decimals, v * 1.005);
    else if (fault == TENFOLD)
        snprintf(s, size, "%.*f", decimals, v * 10);
    else if (fault == INVENTED)
        for (char *c = s; *c; c++)
            *c = *c == '.' ? '.' : (char)('0' + (c == s ? 1 + below(9) : below(10)));
    return strcmp(s, before) != 0;
}

static void measure(size_t about) {
    size_t good = 0, good_of = 0, bad[FAULTS] = {0}, bad_of[FAULTS] = {0};
    int rounds = getenv("RETORT_SOAK") ? 300 : 75;
    for (int round = 0; round < rounds; round++) {
        struct program p;
        make_program(&p, about);
        for (size_t i = 0; i <= p.printed_count; i++) {
            const struct statistic *s = i < p.printed_count ? &p.printed[i] : &p.cell;
            char number[64];
            show(s->value, number, sizeof number);
            good_of++;
            good += accepted(&p, s->label, number);
            for (int f = 0; f < FAULTS; f++) {
                char wrong[64];
                memcpy(wrong, number, sizeof wrong);
                if (!spoil((enum fault)f, s->value, wrong, sizeof wrong))
                    continue;
                bad_of[f]++;
                bad[f] += accepted(&p, s->label, wrong);
            }
        }
        evidence_done(&p.evidence);
    }
    print_message("%zu numbers: true %.2f %%", about, 100.0 * (double)good / (double)good_of);
    for (int f = 0; f < FAULTS; f++)
        print_message(", %s %.2f %%", fault_names[f], 100.0 * (double)bad[f] / (double)bad_of[f]);
    print_message("\n");
    assert_true(good * 100 >= good_of * 99);
    for (int f = 0; f < FAULTS; f++)
        assert_true(bad[f] * 100 <= bad_of[f]);
}

static void odds(void **state) {
    (void)state;
    seed = 88172645463325252ull;
    static const size_t about[] = {20, 100, 1000};
    for (size_t i = 0; i < COUNT(about); i++)
        measure(about[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(odds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
