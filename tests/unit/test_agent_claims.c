/* The claim lexer: what is a number that must be proved, and how many digits it shows. */
#include "agent/claims/claims.h"
#include "base/buf.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Expected: claims as [~<>]value/places[%|bp]; other classes by name. */
static const struct {
    const char *text, *expected;
} cases[] = {
    {"42", "42/0"},
    {"The answer is 42.", "42/0"},
    {"It is -7 degrees", "-7/0"},
    {"It is \u22127.5 degrees", "-7.5/1"},
    {"a change of +3.2", "3.2/1"},
    {"$1,234.50", "1234.5/2"},
    {"-$1,234", "-1234/0"},
    {"\u20ac1.234,50", "1234.5/2"},
    {"1.234,5 kg", "1234.5/1"},
    {"1 234 items", "1234/0"},
    {"12\u00a0345,6", "12345.6/1"},
    {"1\u202f234\u202f567", "1234567/0"},
    {"1'234'567", "1234567/0"},
    {"1,234,567", "1234567/0"},
    {"1.234.567", "1234567/0"},
    {"pi is 3.14159", "3.14159/5"},
    {"0.50", "0.5/2"},
    {".75 of it", "0.75/2"},
    {"3,5 Liter", "3.5/1"},
    {"1.2e6", "1200000/-5"},
    {"1.2E-5", "1.2e-05/6"},
    {"1.2\u00d710^6", "1200000/-5"},
    {"1.2 x 10^-3", "0.0012/4"},
    {"6.02\u00b710\u00b2\u00b3", "6.02e+23/-21"},
    {"41.2%", "41.2/1%"},
    {"41.2 %", "41.2/1%"},
    {"3 percent", "3/0%"},
    {"3 per cent", "3/0%"},
    {"2.5 percentage points", "2.5/1%"},
    {"25 bp", "25/0bp"},
    {"25 basis points", "25/0bp"},
    {"12k users", "12000/-3"},
    {"$3.4M", "3400000/-5"},
    {"3.4 million", "3400000/-5"},
    {"1.2bn", "1200000000/-8"},
    {"5 thousand", "5000/-3"},
    {"$3.4m", "3400000/-5"},
    {"5 m tall", "5/0"},
    {"3/4 of them", "0.75/0"},
    {"\u00bd of it", "0.5/1"},
    {"3\u20135 days", "3/0 5/0"},
    {"between 3 and 5", "3/0 5/0"},
    {"3.2 \u00b1 0.1", "3.2/1 0.1/1"},
    {"forty-seven orders", "47/0"},
    {"two hundred and five", "205/0"},
    {"twelve thousand three hundred", "12300/0"},
    {"three million", "3000000/0"},
    {"one of them", ""},
    {"the two groups", ""},
    {"about 40", "~40/0"},
    {"roughly 1,200", "~1200/0"},
    {"~3.5", "~3.5/1"},
    {"more than 1,000", ">1000/0"},
    {"at least 5", ">5/0"},
    {"less than 3 %", "<3/0%"},
    {"**10466**", "10466/0"},
    {"`10466`", "10466/0"},
    {"`x[3] = 5`", ""},
    {"```python\nprint(5)\n```", ""},
    {"| margin | 0.398 |", "0.398/3"},
    {"[1,2,3]", "1/0 2/0 3/0"},
    {"on 2024-01-05", "date"},
    {"on 5 January 2024", "date year"},
    {"on January 5, 2024", "date year"},
    {"at 10:30", "date"},
    {"12/31/2024", "date"},
    {"05.01.2024", "date"},
    {"2024-01-05T10:30:00", "date"},
    {"in 2023", "year"},
    {"(2023)", "year"},
    {"since 2019-2023", "year"},
    {"the 1990s", "year"},
    {"2023 orders", "2023/0"},
    {"the 3rd", "ordinal"},
    {"21st", "ordinal"},
    {"Python 3.11", "version"},
    {"3.11.2", "version"},
    {"127.0.0.1", "version"},
    {"1. first\n2. second", "marker marker"},
    {"(1) first", "marker"},
    {"| 1 | Kings |\n| 2 | Wolves |", "marker marker"},
    {"| 5 | Kings |\n| 9 | Wolves |", "5/0 9/0"},
    {"close to 1:2:4", "name"},
    {"the 1991-2020 normal", "year"},
    {"failed with a 5xx", "name"},
    {"Three things stand out", ""},
    {"Nine in ten stay", ""},
    {"see step 3", "reference"},
    {"Figure 2 shows 7", "reference 7/0"},
    {"cell 4", "reference"},
    {"issue #12", "reference"},
    {"chart1.png", ""},
    {"data_2023.csv has 47 rows", "47/0"},
    {"see https://example.org/a/12?b=5", ""},
    {"/out/3/plot.png", ""},
    {"utf-8 and GPT-4", "name name"},
    {"x1 and y2", "name name"},
    {"a 3D plot", "name"},
    {"sha 3f2a9", "name"},
    {"5km", "5/0"},
    {"100MB", "100/0"},
    {"2x faster", "2/0"},
    {"12345678901234567890", "1.234567890123456789e+19/0"},
    {"\u516147\u4e2a", "47/0"},
    {"price: 5\u20ac", "5/0"},
    {"", ""},
    {"no number", ""},
    {"...", ""},
    {"5.", "5/0"},
    {"5, 6 and 7", "5/0 6/0 7/0"},
    {"10^6 is big", "10/0 6/0"},
    {"$x = 5$", "5/0"},
    {"Q3 2024", "name year"},
    {"1,23,4", "1/0 23/0 4/0"},
    {"They add up to 76,127", "76127/0"},
    {"up to 76,127", "<76127/0"},
    {"on page 29.7 seconds", "29.7/1"},
    {"the top 88.5 percent", "88.5/1%"},
    {"top 5", "reference"},
    {"class 10A", "name"},
    {"10V and 12W", "10/0 12/0"},
    {"310.500 \u20ac", "310500/0"},
    {"310.500 kg", "310.5/3"},
    {"Der Umsatz ist 310.500 und die Kosten sind 1.200 im Jahr", "310500/0 1200/0"},
    {"1.234,5 kg and 310.500 kg", "1234.5/1 310500/0"},
    {"Hotelling's T^2 is 7.1", "name 7.1/1"},
    {"$R^{2}$ = 0.93", "name 0.93/2"},
};

/* 19 digits would show the binary error of 41.2; only the long integer needs them. */
static void render(const struct claims *claims, struct buf *out) {
    static const char *const bounds[] = {"", "~", ">", "<"}, *const units[] = {"", "%", "bp"};
    for (size_t i = 0; i < claims->count; i++) {
        const struct claim *c = &claims->list[i];
        assert_int_equal(buf_adds(out, i ? " " : ""), 0);
        if (c->class == CLAIM_VALUE)
            buf_printf(out, "%s%.*Lg/%d%s", bounds[c->bound], c->num.digits ? 19 : 10, c->value,
                       c->num.places, units[c->unit]);
        else
            buf_adds(out, claim_class_name(c->class));
    }
}

static void formats(void **state) {
    (void)state;
    int failed = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct claims claims;
        scoped_buf got = BUF_INIT(4096);
        assert_int_equal(claims_read(cases[i].text, strlen(cases[i].text), &claims), 0);
        render(&claims, &got);
        for (size_t k = 1; k < claims.count;
             k++) /* whoever looks for one of a place relies on it */
            assert_true(claims.list[k].start > claims.list[k - 1].start);
        if (strcmp(got.data ? got.data : "", cases[i].expected) != 0) {
            print_error("%s: got \"%s\", expected \"%s\"\n", cases[i].text,
                        got.data ? got.data : "", cases[i].expected);
            failed++;
        }
        claims_done(&claims);
    }
    assert_int_equal(failed, 0);
    assert_true(sizeof cases / sizeof *cases >= 60);
}

static void span_covers_sign_and_unit(void **state) {
    (void)state;
    const char *text = "a loss of -$1,234.5M today";
    struct claims claims;
    assert_int_equal(claims_read(text, strlen(text), &claims), 0);
    assert_int_equal(claims.count, 1);
    assert_memory_equal(text + claims.list[0].start, "-$1,234.5M", claims.list[0].len);
    claims_done(&claims);
}

/* A sign may be taken for the currency before it, and is of both then. */
static void spans_overlap_by_a_sign_at_most(void **state) {
    (void)state;
    const char *text = "5 \u20ac-3, 10 million \u20ac-$7 k, 1-2, 3 % \u00b14, -5-6, 7bps+8";
    struct claims claims;
    assert_int_equal(claims_read(text, strlen(text), &claims), 0);
    assert_true(claims.count >= 8);
    for (size_t k = 1; k < claims.count; k++) {
        const struct claim *before = &claims.list[k - 1], *c = &claims.list[k];
        assert_true(c->start > before->start);
        for (size_t i = c->start; i < before->start + before->len; i++)
            assert_false(isdigit((unsigned char)text[i]));
    }
    claims_done(&claims);
}

static void rounding(void **state) {
    (void)state;
    assert_true(num_rounds_to(0.39812L, 0.398L, 3));
    assert_false(num_rounds_to(0.39812L, 0.399L, 3));
    assert_true(num_rounds_to(2.5L, 3, 0));
    assert_true(num_rounds_to(2.5L, 2, 0));
    assert_true(num_rounds_to(3.5L, 4, 0));
    assert_false(num_rounds_to(3.5L, 3, 0));
    assert_true(num_rounds_to(1234567, 1200000, -5));
    assert_false(num_rounds_to(1274567, 1200000, -5));
    assert_true(num_rounds_to(-2.675L, -2.68L, 2));
}

/* Every prefix and every byte must be survivable. */
static void hostile_bytes(void **state) {
    (void)state;
    srand(7);
    for (int round = 0; round < 3000; round++) {
        char text[80];
        size_t len = (size_t)rand() % sizeof text;
        static const char alphabet[] = "0123456789.,'/%$-+eE `\n:()[]kM\xe2\x82\xac\xc2\xbd";
        for (size_t i = 0; i < len; i++)
            text[i] = rand() % 4 ? alphabet[(size_t)rand() % (sizeof alphabet - 1)] : (char)rand();
        char *exact = malloc(len ? len : 1);
        assert_non_null(exact);
        memcpy(exact, text, len);
        struct claims claims;
        assert_int_equal(claims_read(exact, len, &claims), 0);
        for (size_t i = 0; i < claims.count; i++)
            assert_true(claims.list[i].start + claims.list[i].len <= len);
        claims_done(&claims);
        free(exact);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats),
        cmocka_unit_test(span_covers_sign_and_unit),
        cmocka_unit_test(spans_overlap_by_a_sign_at_most),
        cmocka_unit_test(rounding),
        cmocka_unit_test(hostile_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
