/* Grounding: which numbers of an answer are proved, by what, and which are refused. */
#include "agent/ground/ground.h"
#include "base/scope.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct cell {
    const char *code, *output, *value;
};

struct scenario {
    const char *question;
    struct cell cells[4];
    const char *answer;
    const char *verdicts; /* one word for each claim */
};

static void add_cell(struct evidence *e, unsigned number, const struct cell *c) {
    json_t *result = json_pack("{s:i,s:s,s:s}", "cell", (int)number, "status", "ok", "stdout",
                               c->output ? c->output : "");
    if (c->value)
        json_object_set_new(result, "value", json_pack("{s:s}", "text/plain", c->value));
    assert_int_equal(evidence_result(e, c->code, result), 0);
    json_decref(result);
}

static void verdicts_of(struct evidence *e, const char *answer, struct buf *out) {
    struct ground_report report;
    assert_int_equal(ground_answer(e, answer, NULL, &report), 0);
    for (size_t i = 0; i < report.count; i++)
        buf_printf(out, "%s%s", i ? " " : "", ground_verdict_name(report.list[i].verdict));
    ground_done(&report);
}

static const struct scenario scenarios[] = {
    {"Did I fade? Goal was 3:45:00",
     {{"print('finish', hms(total), 'first split', s[0])", "finish 3:47:54 first split 25:51\n",
       NULL}},
     "Your finish was 3:47:54, the first split took 25:51, under 26 minutes. Your finish was "
     "3:45:54. "
     "I looked at it at 10:30.",
     "grounded grounded grounded contradicted"},
    {"How long?",
     {{"print('median', d)", "median 0:07:25\n", NULL}},
     "The median is 7:25. The median is 7:52.",
     "grounded unverified"},
    {"Monthly passengers in thousands: how is the trend?",
     {{"print(yearly)", "       sum   mean\n2022  4307  358.9\n2024  4992  416.0\n", NULL}},
     "There were 4.31 million passengers in 2022 and 4.99 million in 2024, 685,000 more. There "
     "were "
     "4.41 million passengers in 2022.",
     "grounded grounded derived unverified"},
    {"How did they do?",
     {{"print(df)", "   name  passed  pupils\n0  Ash     152     167\n1  Elm     104     116\n",
       NULL}},
     "| School | Passed | Pupils |\n|---|---|---|\n| Ash | 152 | 167 |\n| Elm | 104 | 116 |\n"
     "| All | 256 | 238 |\n",
     "grounded grounded grounded grounded derived unverified"},
    {"Is it real?",
     {{"print('p =', p)", "p = 0.000143837\n", NULL}},
     "It is real: p < 0.001. It is real: p < 0.0001.",
     "method contradicted"},
    {"Does the drug help?",
     {{"arms = {'drug': {'n': 412, 'relapse': 61},\n"
       "        'placebo': {'n': 408, 'relapse': 102}}\n"
       "print(f'RR {rr(arms):.2f}')",
       "RR 0.59\n", NULL}},
     "The drug was given to 412 patients, placebo to 408, which makes 820. The drug was given to "
     "408 "
     "patients. The drug was given to 421 patients.",
     "grounded grounded derived asserted unverified"},
    {"Which library is the fastest?",
     {{"runs = {'json': [41.8, 42.3, 55.9], 'pickle': [12.7, 12.5, 12.9]}\n"
       "mass_g = [250, 300, 350]\n"
       "print('mean of json', m1, 'and of pickle', m2)",
       "mean of json 46.7 and of pickle 12.7\n", NULL}},
     "One run of json took 55.9. One run of pickle took 55.9. The reading at 300 g was dropped.",
     "grounded contradicted grounded"},
    {"How do they do?",
     {{"con.executescript(\"\"\"\nINSERT INTO visit VALUES\n ('Looms', 'child', 412),\n"
       " ('Deep Sea', 'child', 687);\n\"\"\")\nprint(len(rows))",
       "2\n", NULL}},
     "Deep Sea had 687 children. Looms had 687 children.",
     "grounded unverified"},
    {"Half-life? Literature for Ba-137m says 153 s, background is 22 cpm.",
     {{"print(f'half-life = {t:.1f} s')", "half-life = 157.2 s\n", NULL}},
     "Your 157.2 s are 2.7 % above the literature value of 153 s. You are 4.2 s above the "
     "literature. You are 5.3 s above the literature.",
     "grounded derived question derived unverified"},
    {"What is the sum of the squares of the primes below 50?",
     {{"primes = [p for p in range(2, 50) if all(p % d for d in range(2, p))]\n"
       "print(sum(p * p for p in primes))",
       "10466\n", NULL}},
     "The sum of the squares of the primes below 50 is 10466.",
     "question grounded"},
    {"What is the sum of the squares of the primes below 50?",
     {{"primes = [p for p in range(2, 50) if all(p % d for d in range(2, p))]\n"
       "print(sum(p * p for p in primes))",
       "10466\n", NULL}},
     "The sum is 1060.",
     "unverified"},
    {"Who sold what?",
     {{"for r in rows: print('%-8s %5d %9.2f' % r)",
       "Abbott     199  24050.65\nBertram    158  19528.23\nCastell    101  12745.15\n", NULL}},
     "Castell sold for 19,528.23. Bertram sold for 19,528.23.",
     "mismatch grounded"},
    {"How do they differ?",
     {{"print(df.groupby('rain')['rentals'].mean())",
       "rain\nFalse    1745.4\nTrue     1407.2\nName: rentals, dtype: float64\n", NULL}},
     "On rainy days there were 1,407.2 rentals. With rain there were 1,745.4.",
     "grounded mismatch"},
    {"How did it change?",
     {{"print(wide)",
       "year    2022   2023\nsite               \nLeeds  412.6  388.1\nPorto  295.4  301.9\n",
       NULL}},
     "Leeds went from 412.6 to 388.1. Porto went from 301.9 to 295.4.",
     "grounded grounded contradicted contradicted"},
    {"How many are there?",
     {{"print('team:', a, 'all:', n)", "team: 91 all: 600\n", NULL}},
     "They are 15 % (91 of 600).",
     "derived grounded grounded"},
    {"How many are there?",
     {{"print('team:', a, 'pro:', b, 'all:', n)", "team: 91 pro: 198 all: 600\n", NULL}},
     "They are 15 % (198 of 600).",
     "unverified grounded grounded"},
    {"How long does it take?",
     {{"print(table)",
       "algorithm    n=1000  n=100000\ntimsort       0.084      14.9\nheapsort      2.310     "
       "402.6\n",
       NULL}},
     "For 100,000 items timsort takes 14.9 ms. For 100,000 items heapsort takes 2.31 ms.",
     "grounded mismatch"},
    {"How much is it?",
     {{"print('mean titer:', m)\nprint('GMT:', g)", "mean titer: 176.1\nGMT: 151.89\n", NULL}},
     "The geometric mean titer is 151.89.",
     "grounded"},
    {"What did we save?",
     {{"print('bill 2022:', a)\nprint('bill 2023:', b)", "bill 2022: 399162\nbill 2023: 327808\n",
       NULL}},
     "The bill shrank from 399,162 to 327,808, a saving of 71,354 or 17.9 %. It shrank from "
     "399,162 "
     "to 327,808, a saving of 71,354 or 21.8 %.",
     "grounded grounded derived derived grounded grounded derived contradicted"},
    {"How many took part?",
     {{"print(df.sex.value_counts().to_dict())", "{'F': 63, 'M': 57}\n", NULL}},
     "There are 120 patients: 63 women and 57 men.",
     "derived grounded grounded"},
    {"What is it of?",
     {{"for s, n, p in rows: print(f'{s} {n} {p:.1%}')",
       "lime 890 33.0%\nplane 655 24.3%\nbirch 233 8.6%\n", NULL}},
     "The birches are 8.6 % of the total.",
     "grounded"},
    {"How good is it?",
     {{"print('TP', tp, 'FP', fp, 'FN', fn, 'TN', tn)", "TP 159 FP 20 FN 21 TN 800\n", NULL}},
     "There were 20 false positives. There were 21 false positives.",
     "grounded contradicted"},
    {"What is the interval?",
     {{"print('interval of the difference:', lo, 'to', hi)",
       "interval of the difference: 0.0021 to 0.0164\n", NULL}},
     "The interval of the difference is 0.21 to 1.64 %.",
     "grounded grounded"},
    {"How large is the effect?",
     {{"print(f'F(2, 12) = {F:.1f}')", "F(2, 12) = 65.9\n", NULL}},
     "The groups differ (F(2, 12) = 65.9).",
     "grounded"},
    {"What is it?", {{"print(1060)", "1060\n", NULL}}, "It is 1060.", "asserted"},
    {"What is it?", {{"x = 1060\nx", "", "1060"}}, "It is 1060.", "asserted"},
    {"What is it?", {{"print('the sum is 7')", "the sum is 7\n", NULL}}, "It is 7.", "asserted"},
    {"What is it?", {{"print('n:', len(a))", "n: 7\n", NULL}}, "It is 7.", "grounded"},
    {"What is it?", {{"print(f'{0.41234:.1%}')", "41.2%\n", NULL}}, "It is 41.2 %.", "asserted"},
    {"How many?", {{"df.head(5)\nlen(df)", "", "5"}}, "There are 5.", "grounded"},
    {"How many?", {{"n = 5\nn", "", "5"}}, "There are 5.", "asserted"},
    {"Regress [2, 4, 5, 4, 5] on [1, 2, 3, 4, 5].",
     {{"import numpy as np\nx = [1, 2, 3, 4, 5]\ny = [2, 4, 5, 4, 5]\nb, a = np.polyfit(x, y, 1)\n"
       "print('slope', b, 'intercept', a)",
       "slope 0.6000000000000001 intercept 2.2\n", NULL}},
     "The slope is 0.6 and the intercept is 2.2.",
     "grounded grounded"},
    {"Regress [2, 4, 5, 4, 5] on [1, 2, 3, 4, 5].",
     {{"import numpy as np\nb, a = np.polyfit([1, 2, 3, 4, 5], [2, 4, 5, 4, 5], 1)\n"
       "print('slope', b, 'intercept', a)",
       "slope 0.6000000000000001 intercept 2.2\n", NULL}},
     "The slope is 0.6 and the intercept is 1.8.",
     "grounded contradicted"},
    /* A dictionary is a table: its keys are rows, those of inner ones columns. */
    {"How late are they?",
     {{"print(rates)", "{'DHL': 8.44, 'UPS': 4.33, 'GLS': 14.5}\n", NULL}},
     "UPS is late in 8.44 of a hundred cases.",
     "contradicted"},
    {"How late are they?",
     {{"print(stats)", "{'DHL': {'early': 412, 'late': 38}, 'UPS': {'early': 287, 'late': 13}}\n",
       NULL}},
     "DHL had 412 early and 38 late parcels, UPS 287 early ones.",
     "grounded grounded grounded"},
    {"Which planet is densest?",
     {{"for p in planets:\n    print(p)",
       "{'name': '55 Cnc e', 'mass': 7.99, 'density': 6.63}\n"
       "{'name': 'GJ 1214b', 'mass': 8.17, 'density': 2.19}\n",
       NULL}},
     "GJ 1214b has a density of 2.19, 55 Cnc e has a mass of 8.17.",
     "grounded contradicted"},
    /* What stands before a bracket is said of the number in it. */
    {"When do they sell best?",
     {{"for name, units, day, most in rows:\n    print(f'{name}: {units} units, best day {day} "
       "({most})')",
       "croissant: 1086 units, best day Sat (210)\ntart: 246 units, best day Sun (61)\n", NULL}},
     "Tarts sell best on Sunday (61 pieces), croissants on Saturday (210).",
     "grounded grounded"},
    /* A word behind a number is its unit, not what the next one is called. */
    {"How fast are the pages?",
     {{"for page, n, ms in rows:\n    print(f'{page} {n} hits median {ms} ms')",
       "/start 2060 hits median 67.4 ms\n/cart 508 hits median 65.0 ms\n", NULL}},
     "The start page had 2,060 hits and the cart 508.",
     "grounded grounded"},
    /* A year that a line begins with names it. */
    {"How did the level change?",
     {{"for a, b in pairs:\n    print(b, round(levels[b] - levels[a], 1), change(a, b))",
       "2020 -5.2 -7.3\n2021 -7.3 -11.0\n2022 -9.6 -16.3\n2023 4.5 9.1\n", NULL}},
     "The level recovered by 4.5 in 2023.",
     "grounded"},
    /* Numbers of a table may be one blank apart. */
    {"What does each field yield?",
     {{"print(df)",
       "field  tonnes  rate  income\n   A1    91.3   7.3 19356.0\n   B1    61.2   6.0 11444.0\n",
       NULL}},
     "A1 earned an income of 19,356, B1 one of 11,444.",
     "grounded grounded"},
    /* A finer table has no rival: the sentence does not say which of its rows. */
    {"How much was harvested?",
     {{"print(df)\nprint(agg)",
       "field   crop  hectares\n   A1  wheat      12.5\n   A2  wheat       8.0\n"
       "\n        area  harvest\ncrop                \nbarley  16.6     97.7\nwheat   20.5    "
       "145.7\n",
       NULL}},
     "Wheat grew on 20.5 hectares.",
     "grounded"},
    /* Each fits the words of the other. */
    {"What did the crops earn?",
     {{"print(agg)", "        income\ncrop          \nbarley   18270\nrape     23524\n", NULL}},
     "Rape yields little but still earned 18,270, more than barley with 23,524.",
     "mismatch mismatch"},
    {"What did the crops earn?",
     {{"print(agg)", "        income\ncrop          \nbarley   18270\nrape     23524\n", NULL}},
     "Barley and rape earned 18,270 and 23,524.",
     "grounded grounded"},
    /* What stands in brackets behind a number is said of it, and not of the next. */
    {"How good are they?",
     {{"print(acc)", "{'boosting': 0.883, 'forest': 0.871, 'logistic': 0.842}\n", NULL}},
     "Accuracy: 88.3% (boosting), 87.1% (forest), 84.2% (logistic).",
     "grounded grounded grounded"},
    /* A price per tonne is no number of tonnes. */
    {"What does it bring?",
     {{"print(df)", "crop   tonnes  price\nrape     33.7    455\nwheat    91.3    212\n", NULL}},
     "Rape brings 455 per tonne, wheat 212.",
     "grounded grounded"},
    /* So many rows are so. */
    {"How did the branches do?",
     {{"print(loans)",
       "         loans  change\nCentral  51890    7.63\nNorth    16240   -6.40\n"
       "Harbour  10475   14.86\nHill      5395   -1.55\n",
       NULL}},
     "Of the branches two lost. Three lost more than Hill.",
     "derived unverified"},
    /* Accents and words in another order are no difference. */
    {"Combien de voix ?",
     {{"print('suffrages exprimes:', n)", "suffrages exprimes: 20675\n", NULL},
      {"for liste, v in voix:\n    print(f'{liste}: {v} voix')", "Liste Petit: 1208 voix\n", NULL}},
     "On compte 20 675 suffrages exprimés pour la liste Petit et les autres.",
     "grounded"},
    {"How slow is it?",
     {{"for name, x in regions:\n    print(name, 'mean', x.mean(), 'max', x.max())",
       "eu mean 37.2 max 132.4\nasia mean 102.8 max 307.3\n", NULL},
      {"print('asia', 'mean', x.mean(), 'max', x.max())", "asia mean 72.6 max 215.1\n", NULL}},
     "Asia has a mean of 102.8, the EU one of 37.2.",
     "stale grounded"},
    /* Numbers that are part of a name. */
    {"How many were quick?",
     {{"print('under four hours:', under4)", "under four hours: 116\n", NULL}},
     "116 runners needed less than four hours.",
     "grounded"},
    {"What is R squared?",
     {{"print(model)", "{'r2': 0.9812, 'rmse': 0.175}\n", NULL}},
     "R² = 0.175",
     "contradicted"},
    {"How did it develop?",
     {{"for m in mrr:\n    print(f'{m}: {mrr[m]}')", "2024-01: 52480\n2024-02: 57900\n", NULL}},
     "In January 2024 it was 57,900.",
     "contradicted"},
    /* Who is faster needs less time. */
    {"How fast are they?",
     {{"print(times)", "{'men': 245.14, 'women': 266.06}\n", NULL}},
     "Men were 20.92 minutes slower than women.",
     "contradicted"},
    {"How fast are they?",
     {{"print(times)", "{'men': 245.14, 'women': 266.06}\n", NULL}},
     "Men were 20.92 minutes faster than women.",
     "derived"},
    /* What the sentence is about holds on, and what something is compared with is not meant. */
    {"How much do they sleep?",
     {{"print(df.describe())",
       "         age  hours\nmean  45.167  7.336\nstd   13.873  0.709\nmax   65.000  8.880\n",
       NULL}},
     "They sleep 7.336 hours on average, with a standard deviation of 13.873.",
     "grounded contradicted"},
    {"How did it develop?",
     {{"for m in mrr:\n    print(f'{m}: {mrr[m]} ({change[m]}%)')",
       "2024-01: 52480 (13.8%)\n2024-02: 57900 (10.3%)\n", NULL}},
     "In February 2024 it reached 57,900, up 10.3 % on January.",
     "grounded grounded"},
    {"What do they reach of 50 points?",
     {{"print('mean:', m)\nprint('best:', b)", "mean: 34.33\nbest: 48\n", NULL}},
     "The mean is 50 points.",
     "unverified"},
    {"How many are undecided?",
     {{"print(total)", "{'yes': 74, 'undecided': 63, 'asked': 400}\n", NULL}},
     "18.5 % (63 of 400) are undecided.",
     "contradicted grounded grounded"},
    {"How far are they off?",
     {{"print('largest residual:', r)", "largest residual: 0.0094\n", NULL}},
     "No residual is more than 0.0049.",
     "unverified"},
    /* What was computed with, and is called so. */
    {"What was the turnout?",
     {{"eligible = 815\nprint('cast:', cast)\nprint('turnout:', round(100 * cast / eligible, 1))",
       "cast: 550\nturnout: 67.5\n", NULL}},
     "Of 815 eligible students 550 cast a vote, two thirds.",
     "method grounded"},
    {"How old are they?",
     {{"print(df.age.describe())",
       "min    20.0\n25%    34.5\n75%    57.3\nmax    65.0\nName: age, dtype: float64\n", NULL}},
     "Ages range from 34.5 to 65.0. Half of them lie between 34.5 and 57.3.",
     "mismatch grounded grounded grounded"},
    {"How much is used?",
     {{"print(totals)", "{'used_kwh': 4562.0, 'made_kwh': 4270.6}\n", NULL}},
     "4.562 MWh were used. 4.271 GWh were made.",
     "derived contradicted"},
    /* Nobody takes a deviation from a mean. */
    {"What is the pressure?",
     {{"print('mean:', m)\nprint('sd:', sd)", "mean: 51.52\nsd: 3.61\n", NULL}},
     "It is 55.13 in sum.",
     "unverified"},
    {"How many groups?",
     {{"print(df.groupby('category').sum())",
       "          stock\ncategory       \nallergy      77\ncold        218\npain        246\n",
       NULL}},
     "There are 3 categories.",
     "counted"},
    {"What is the average margin?",
     {{"df['margin'].mean()", "", "0.3981"}},
     "The average margin is 41.2 %.",
     "unverified"},
    {"What is the average margin?",
     {{"df['margin'].mean()", "", "0.3981"}},
     "The average margin is 39.8 %.",
     "grounded"},
    {"What is the rate?", {{"rate", "", "0.4"}}, "The rate is 0.4 %.", "unverified"},
    {"What is the rate?", {{"rate", "", "0.4"}}, "The rate is 40 %.", "grounded"},
    {"?", {{"f(x)", "", "0.0025"}}, "It is 25 bp.", "grounded"},
    {"?", {{"f(x)", "", "1234567"}}, "It is 1.2 million.", "grounded"},
    {"?", {{"f(x)", "", "1234567"}}, "It is 1,234,567.", "grounded"},
    {"?", {{"f(x)", "", "1234567"}}, "It is 1,234,568.", "unverified"},
    {"?", {{"f(x)", "", "1234567"}}, "It is about 1,200,000.", "grounded"},
    {"?", {{"f(x)", "", "1234567"}}, "It is 1,200,000.", "unverified"},
    {"?", {{"f(x)", "", "1234567"}}, "It is more than 1,000,000.", "grounded"},
    {"?", {{"f(x)", "", "1234567"}}, "It is more than 1,300,000.", "unverified"},
    {"?", {{"f(x)", "", "-3.2"}}, "It fell by 3.2.", "grounded"},
    {"?", {{"f(x)", "", "-3.2"}}, "It is 3.2.", "unverified"},
    {"?", {{"math.factorial(20)", "", "2432902008176640000"}}, "2432902008176640000", "grounded"},
    {"?", {{"math.factorial(20)", "", "2432902008176640000"}}, "2432902008176640001", "unverified"},
    {"?",
     {{"math.factorial(25)", "", "15511210043330985984000000"}},
     "15511210043330985984000000",
     "grounded"},
    {"?",
     {{"math.factorial(25)", "", "15511210043330985984000000"}},
     "15511210043330985984000001",
     "unverified"},
    {"?", {{"df.head(60)\nlen(df)", "", "60"}}, "There are 60 orders.", "grounded"},
    {"?",
     {{"print('share', x.mean().round(2))\nprint('groups:', len(g))", "share 0.37\ngroups: 2\n",
       NULL}},
     "There are 2 groups with a share of 0.37.",
     "grounded grounded"},
    {"?",
     {{"print('square', x ** 2 * 8)", "square 16.000000000000004\n", NULL}},
     "It is 16.",
     "grounded"},
    {"?", {{"print('rate:', r)", "rate: 0.002939\n", NULL}}, "The rate is 0.29%.", "grounded"},
    {"?",
     {{"print('orders:', n)\nprint('late:', late)", "orders: 640\nlate: 76\n", NULL}},
     "76 of 640 shipments were late.",
     "grounded grounded"},
    {"?",
     {{"print('total length', n)\nprint('N50', n50)", "total length 90041\nN50 48210\n", NULL}},
     "The assembly is 90,041 bp long with an N50 of 48,210.",
     "grounded grounded"},
    {"?",
     {{"print('total length', n)\nprint('N50', n50)", "total length 90041\nN50 48210\n", NULL}},
     "The assembly is 48,210 bp long with an N50 of 90,041.",
     "grounded contradicted"},
    {"?",
     {{"print(t)", "          sales\nNorth  64661.15\nSouth  58893.41\nWest   51002.30\n", NULL}},
     "North and West together make 66.3 % of it, on average 14,546.41 a month.",
     "derived derived"},
    {"?",
     {{"print(t)", "          sales\nNorth  64661.15\nSouth  58893.41\nWest   51002.30\n", NULL}},
     "North and West together make 67.3 % of it.",
     "unverified"},
    {"?",
     {{"print('for it:', a)\nprint('against it:', b)", "for it: 56.25%\nagainst it: 28.0%\n",
       NULL}},
     "56.25 % are for it, 28 % are against it, 15.75 % know nothing.",
     "grounded grounded derived"},
    {"?",
     {{"print(t)", "doctors 360.0\n", NULL}},
     "There are 360.0 doctors per 100,000 people on kernel 6.1.0-18.",
     "grounded method"},
    {"?",
     {{"print(t)", "          sales\nNorth  64661.15\nSouth  58893.41\nWest   51002.30\n", NULL}},
     "West earned 5,767.74 more than South.",
     "unverified"},
    {"?",
     {{"print('late:', a)\nprint('orders:', b)", "late: 76\norders: 640\n", NULL}},
     "That is a late rate of 11.9 %.",
     "derived"},
    {"?", {{"f(x)", "", "298918"}}, "It is close to 300 thousand km.", "grounded"},
    {"?", {{"f(x)", "", "298918"}}, "It is close to 300 million km.", "unverified"},
    {"?", {{"f(x)", "", "298918"}}, "It is about 298,819.", "unverified"},
    {"?", {{"f(x)", "", "298918"}}, "It is over 289,918 km.", "unverified"},
    {"?",
     {{"rate = 1.0843\nprint('a', a)\nprint('b', b)", "a 2.504733\nb 2.31\n", NULL}},
     "The ratio is 1.0843.",
     "asserted"},
    {"?",
     {{"for v in 'AB':\n    print(f'variant {v}: {n[v]} of {m[v]} bought')",
       "variant A: 412 of 8000 bought\nvariant B: 486 of 8000 bought\n", NULL}},
     "486 of 8,000 visitors bought in B, 412 in A.",
     "grounded grounded grounded"},
    {"?", {{"f(x)", "", "64606.5"}}, "A year of that is 775,278.", "derived"},
    {"?",
     {{"print('above 200:', (d.amount > 200).sum())", "above 200: 88\n", NULL}},
     "88 orders were above 200.",
     "grounded"},
    {"?",
     {{"total('a')\n", "", "120"}, {"total('b')", "", "80"}},
     "A is 120 and B is 80, a difference of 40.",
     "grounded grounded derived"},
    {"?",
     {{"total('a')\n", "", "120"}, {"total('b')", "", "80"}},
     "A is 120 and B is 80, a difference of 50.",
     "grounded grounded unverified"},
    {"?",
     {{"total('a')\n", "", "120"}, {"total('b')", "", "80"}},
     "A is 120 and B is 80, which is 50 % more.",
     "grounded grounded derived"},
    {"?",
     {{"total('a')\n", "", "120"}, {"total('b')", "", "80"}},
     "A is 120, 1.5 times B with 80.",
     "grounded derived grounded"},
    {"?",
     {{"total('a')\n", "", "120"}, {"total('b')", "", "80"}},
     "A is 120 and B is 80, in total 200.",
     "grounded grounded derived"},
    {"How many are there?",
     {{"[x for x in data if x > 3]", "", "[4.1, 5.2, 6.3]"}},
     "The number of items is 3.",
     "counted"},
    {"?", {{"a / b", "", "0.75"}}, "It is 3/4.", "grounded"},
    {"?", {{"print(passed, tests)", "3 4\n", NULL}}, "3/4 passed.", "derived"},
    {"?", {{"f(x)", "", "41.25"}}, "In 2023 the 2nd run of step 3 gave 41.3.", "grounded"},
    {"?", {{"f(x)", "", "12"}}, "There are twelve.", "grounded"},
    {"?", {{"f(x)", "", "12"}}, "There are thirteen.", "unverified"},
    {"?", {{"final_answer(f'mean {m:.2f}')", "", "mean 41.25"}}, "mean 41.25", "grounded"},
    {"Take 5 % of it", {{"f(x)", "", "12"}}, "5 % of it is 12.", "question grounded"},
    /* Tables are aligned by characters, not by bytes. */
    {"Wie hoch ist die Quote?",
     {{"print(q)",
       "        2021  2023\nNord    61.2  68.0\nSüd     70.4  75.1\nWest    48.9  59.7\n", NULL}},
     "Im Westen stieg die Quote von 48,9 % (2021) auf 59,7 % (2023).",
     "grounded grounded"},
    {"Wie hoch ist die Quote?",
     {{"print(q)",
       "        2021  2023\nNord    61.2  68.0\nSüd     70.4  75.1\nWest    48.9  59.7\n", NULL}},
     "Im Westen liegt die Quote bei 75,1 %.",
     "mismatch"},
    /* Records on several lines: their texts name them. */
    {"?",
     {{"print(json.dumps(plays, indent=1))",
       "[\n {\n  \"play\": \"Hamlet\",\n  \"shows\": 14,\n  \"sold\": 5233\n },\n"
       " {\n  \"play\": \"Candide\",\n  \"shows\": 11,\n  \"sold\": 3102\n }\n]\n",
       NULL}},
     "Hamlet sold 5,233 tickets in 14 shows.",
     "grounded grounded"},
    {"?",
     {{"print(json.dumps(plays, indent=1))",
       "[\n {\n  \"play\": \"Hamlet\",\n  \"shows\": 14,\n  \"sold\": 5233\n },\n"
       " {\n  \"play\": \"Candide\",\n  \"shows\": 11,\n  \"sold\": 3102\n }\n]\n",
       NULL}},
     "Candide sold 5,233 tickets.",
     "contradicted"},
    /* A minute is no minimum. */
    {"?",
     {{"print(by_day)", "day\nMon    34.67\nFri    40.67\nName: wait_min, dtype: float64\n", NULL}},
     "The highest average wait is that on Friday, 40.67 minutes.",
     "grounded"},
    /* A number in what a line calls another one. */
    {"?",
     {{"print('visits:', len(v))\nprint('over 30 min:', late.sum())",
       "visits: 90\nover 30 min: 42\n", NULL}},
     "42 patients waited for more than 30 minutes.",
     "grounded"},
    /* What stands right before the first number of a line says nothing about the second. */
    {"?",
     {{"print('total honey:', a, 'kg, last year', b, 'kg')",
       "total honey: 142.9 kg, last year 142.0 kg\n", NULL}},
     "The total harvest was 142.0 kg, compared with 142.9 kg last year.",
     "mismatch contradicted"},
    /* How many something is told of is no result of it. */
    {"?",
     {{"print(rent.describe())", "count      12.00\nmean      985.75\nName: rent, dtype: float64\n",
       NULL}},
     "The average rent of the 12 flats is 985.75.",
     "grounded grounded"},
    /* Units are converted, one into the other. */
    {"?",
     {{"print('peak at minute', at)", "peak at minute 240\n", NULL}},
     "The peak was reached after 4 hours.",
     "derived"},
    {"?",
     {{"print('weight', w)", "weight 240\n", NULL}},
     "The weight was reached after 4 hours.",
     "contradicted"},
    /* What was shown may be in millions. */
    {"?",
     {{"print('all amounts in million euros')\nprint('planned', p)\nprint('actual', a)",
       "all amounts in million euros\nplanned 40.0\nactual 42.3\n", NULL}},
     "The actual spending is 2.3 million higher than planned.",
     "derived"},
    /* A small number is no difference or ratio that nobody speaks of. */
    {"?",
     {{"print(g)", "       change   pvalue\nMYC      2.31  0.00002\nGAPDH    0.05  0.81000\n",
       NULL}},
     "Of the genes 4 go down.",
     "unverified"},
    /* A list above the lines of a series; percentage points; what may lie on either side. */
    {"?",
     {{"print(v)\nprint(s)",
       "[875.2, 885.1, 876.3, 867.7]\ncount      4.000000\nmean     876.075000\ndtype: float64\n",
       NULL}},
     "The values are 875.2, 885.1, 876.3 and 867.7, with a mean of 876.1.",
     "grounded grounded grounded grounded grounded"},
    {"?",
     {{"print('diff', d, 'pp')", "diff -0.79 pp\n", NULL}},
     "The difference is -0.79 pp.",
     "grounded"},
    {"?", {{"print(f'RSS +-{x}')", "RSS +-0.1476\n", NULL}}, "RSS gives ±0.15 mm.", "grounded"},
    /* A number that code prints as text and computes with is no assertion. */
    {"?",
     {{"print('predicted for 60 m2:', a + b * 60)", "predicted for 60 m2: 951.9\n", NULL}},
     "A flat of 60 m² costs 951.9.",
     "grounded grounded"},
    /* 4,0478 is surely a decimal comma, so that 9,753 has one. */
    {"?",
     {{"print('g =', g)", "g = 9.753\n", NULL}},
     "La pente vaut 4,05, d'où g = 9,753.",
     "unverified grounded"},
    {"?", {{"print('speed', v, 'm/s^2')", "speed 9.753 m/s^2\n", NULL}}, "It is 2.", "unverified"},
    {"?",
     {{"print('fastest', f)\nprint('mean', m)", "fastest 376\nmean 300\n", NULL}},
     "It is at most 367.",
     "unverified"},
    /* What ran as a loss is no gain of the same size. */
    {"?",
     {{"for n, v in p:\n    print(f'{n}: {v:+.2f} %')", "Alpha: +6.45 %\nGamma: -6.18 %\n", NULL}},
     "Gamma gained 6.18 %.",
     "contradicted"},
    {"?",
     {{"for n, v in p:\n    print(f'{n}: {v:+.2f} %')", "Alpha: +6.45 %\nGamma: -6.18 %\n", NULL}},
     "Gamma lost 6.18 %.",
     "grounded"},
    {"?",
     {{"for n, v in p:\n    print(f'{n}: {v:+.2f} %')", "Alpha: +6.45 %\nGamma: -6.18 %\n", NULL}},
     "Gamma ended at +6.18 %.",
     "contradicted"},
    /* What is called the first was before what is called the last. */
    {"?",
     {{"print('at the start:', a)\nprint('at the end:', b)",
       "at the start: 1520\nat the end: 2042\n", NULL}},
     "That is an increase of 522.",
     "derived"},
    {"?",
     {{"print('at the start:', a)\nprint('at the end:', b)",
       "at the start: 1520\nat the end: 2042\n", NULL}},
     "That is a decrease of 522.",
     "contradicted"},
    {"?",
     {{"for q, s in share:\n    print(f'{q}: {s}%')", "May: 77.5%\nJune: 73.3%\n", NULL}},
     "Between May and June the share drops by 4.2 percentage points.",
     "derived"},
    {"?",
     {{"for q, s in share:\n    print(f'{q}: {s}%')", "May: 77.5%\nJune: 73.3%\n", NULL}},
     "Between May and June the share rises by 4.2 percentage points.",
     "contradicted"},
    /* A whole may stand before its part, and both before their share. */
    {"?",
     {{"print(funnel)\nprint(rate)",
       "          mobile\nvisit      48210\npurchase    1296\n\n"
       "          mobile\nvisit     1.0000\npurchase  0.0269\n",
       NULL}},
     "Of 48,210 mobile visitors only 1,296 bought something, i.e. 2.69 %.",
     "grounded grounded grounded"},
    /* Names of columns that stand one blank apart, under those of an upper level. */
    {"?",
     {{"print(t)",
       "        units              revenue\n         mean median    std    mean\nregion\n"
       "East    23.76   21.0  16.39  444.44\nNorth   31.21   33.5  13.25  604.44\n",
       NULL}},
     "The mean number of units is 31.21 in the North. East has a mean of 21.0 units.",
     "grounded contradicted"},
    /* describe() of groups: "25%" names a column. */
    {"?",
     {{"print(t)",
       "       count  mean   std  25%   50%   75%   max\nward\n"
       "East    21.0  44.4  32.3  14.6  35.9  70.2  104.5\n"
       "North   24.0  60.4  29.6  35.5  62.4  78.0  129.6\n",
       NULL}},
     "East has a median of 35.9 and a mean of 44.4. The mean of North is 62.4.",
     "grounded grounded contradicted"},
    /* A row of texts does not end a table, and a heading holds for one table. */
    {"?",
     {{"print(d)",
       "        city  price\ncount     60  60.00\ntop     Rome    NaN\nmean     NaN  19.58\n"
       "max      NaN  30.19\n",
       NULL}},
     "The mean price is 19.58, the highest 30.19. The mean price is 30.19.",
     "grounded grounded contradicted"},
    /* What stands before a colon is told of the number behind it. */
    {"?",
     {{"print('best day:', a, 'worst day:', b)", "best day: 15620 worst day: 4980\n", NULL}},
     "Best day: 15,620. Worst day: 4,980. The worst day had 15,620.",
     "grounded grounded contradicted"},
    /* A unit belongs to the number before it, and tells one number from another only as a whole. */
    {"?",
     {{"for r in rows:\n    print(f'{r.name} {r.km} km {r.climb} m')",
       "Pass 141.9 km 4320 m\nPlain 203.5 km 910 m\n", NULL}},
     "The Pass stage has 4,320 m of climbing.",
     "grounded"},
    /* "|" cuts a line into cells, the first of which names it. */
    {"?",
     {{"for r in rows:\n    print(*r, sep=' | ')\nprint('cups', n)",
       "morning | 925\nafternoon | 520\ncups 1445\n", NULL}},
     "In the morning you sell 925 cups. In the afternoon you sell 925 cups.",
     "grounded contradicted"},
    /* A bound that nobody passes is the utmost. */
    {"?",
     {{"print('mean', m)\nprint('min', a)\nprint('max', b)", "mean 44.1\nmin 12.5\nmax 101.7\n",
       NULL}},
     "Nobody waited longer than 101.7 s. Nobody waited longer than 44.1 s.",
     "grounded mismatch"},
    /* The later one of two is compared with what is called the first. */
    {"?",
     {{"print('first week:', a)\nprint('second week:', b)",
       "first week: 69482\nsecond week: 73156\n", NULL}},
     "That is 3,674 more than in the first week.",
     "derived"},
    {"?",
     {{"print('first week:', a)\nprint('second week:', b)",
       "first week: 69482\nsecond week: 73156\n", NULL}},
     "That is 3,674 fewer than in the first week.",
     "contradicted"},
    /* "9 hours" of a row that has its hours. */
    {"?",
     {{"print(t)", "        tickets  hours\nalpha        14      3\nbeta          9      5\n",
       NULL}},
     "Beta needs 9 hours.",
     "contradicted"},
    /* In a table of numbers the first column names the rows. */
    {"?",
     {{"print(t)", " level  started   rate\n     4    16874  85.53\n     7    13102  76.42\n",
       NULL}},
     "At level 4 the rate is 76.42.",
     "contradicted"},
    /* What was asked for is no result. */
    {"Did I reach my goal of 10,000 steps?",
     {{"print('mean per day:', m)", "mean per day: 10188.4\n", NULL}},
     "With 10,188.4 per day you met your goal of 10,000 on average.",
     "grounded question"},
    /* So many times what was shown for one; two statistics that the sentence names. */
    {"?",
     {{"print('per square metre', b)", "per square metre 11.371\n", NULL}},
     "Ten more square metres cost 113.71 more.",
     "method derived"},
    {"?",
     {{"print('mean bill', a)\nprint('median bill', b)", "mean bill 79.44\nmedian bill 66.05\n",
       NULL}},
     "Mean and median differ by 13.39.",
     "derived"},
    /* What is without drag is not what has it. */
    {"How far does it fly?",
     {{"for k, v in res.items(): print(k, v)",
       "vacuum {'range_m': 146.37, 'height_m': 32.94}\ndrag {'range_m': 94.01, 'height_m': "
       "25.49}\n",
       NULL}},
     "Without drag the ball flies 146.37 m, with drag only 94.01 m.",
     "grounded grounded"},
    /* A round number that is supposed, and what one of it costs. */
    {"What drives the price?",
     {{"for n, b in zip(names, beta): print(n, round(b, 2))",
       "const 19191.0\nage -700.28\npower 57.42\n", NULL}},
     "A car with 100 hp more costs about 5,742 more. With 100 hp more it would cost 5,472 more.",
     "method derived unverified unverified"},
    /* Lines of one form are compared, whoever printed them. */
    {"Which page is better?",
     {{"print(f'control:   {ca}/{na} = {pa:.4f}')\nprint(f'treatment: {cb}/{nb} = {pb:.4f}')",
       "control:   492/8204 = 0.0600\ntreatment: 568/8177 = 0.0695\n", NULL}},
     "Altogether 16,381 visitors took part. Altogether 16,831 visitors took part.",
     "derived unverified"},
    /* The interval of a share is one of shares. */
    {"Which page is better?",
     {{"print(f'lift: {d:.4f}, interval [{lo:.4f}, {hi:.4f}]')",
       "lift: 0.0095, interval [0.0020, 0.0170]\n", NULL}},
     "The gain is 0.95 percentage points (95 % CI 0.20 to 1.70).",
     "grounded method grounded grounded"},
    /* What is told of something else has another direction. */
    {"Where did the money go?",
     {{"for k in spent: print(f'{k} planned {plan[k]} spent {spent[k]} diff {spent[k] - "
       "plan[k]:+.2f}')",
       "food planned 450.0 spent 486.35 diff +36.35\ntransport planned 140.0 spent 129.9 diff "
       "-10.10\n",
       NULL}},
     "Food was 36.35 over budget, while transport stayed 10.10 below plan.",
     "grounded grounded"},
    {"Wie viele kamen?",
     {{"print('Nord', nord)", "Nord 1357\n", NULL}},
     "Nord hatte 1.357 Besuche weniger als im Vorjahr.",
     "grounded"},
    {"Wie viele kamen?",
     {{"print('Besuche:', alle)", "Besuche: 11104\n", NULL}},
     "Insgesamt wurden 11.104 Besuche gezählt.",
     "grounded"},
    /* Of one row the one that is told of is the subject; each row has its own spread. */
    {"How did it do?",
     {{"print(t)",
       "              strategy   index\ntotal_return    0.0631  0.0088\nsharpe          0.2766  "
       "0.0957\n",
       NULL}},
     "So the strategy beat the index by 5.43 percentage points. So the strategy trailed the index "
     "by 5.43 percentage points.",
     "derived contradicted"},
    {"How are salaries?",
     {{"print(t)", "         lo      hi\nIT     59000   71500\nSales  45500   52500\n", NULL}},
     "The spread within Sales is 7,000, within IT 12,500. The spread within Sales is 12,500, "
     "within IT 7,000.",
     "derived derived unverified unverified"},
    /* What was asked about is what a result is compared with; it has no row. */
    {"The plan was 100. How did 2023 go?",
     {{"for y, n in sales:\n    print(y, n)", "2022 110\n2023 120\n", NULL}},
     "The plan was 100; 2023 brought 120, which is 20 more. 2023 brought 120, 20 more, while 100 "
     "were planned. "
     "The plan was 100; 2023 brought 120, which is 20 less.",
     "question grounded derived grounded derived question question grounded contradicted"},
    /* What is named exactly is not derived from something else. */
    {"Which model?",
     {{"print('precision', p, 'accuracy', a)\nprint('folds', f)",
       "precision 0.864 accuracy 0.9084\nfolds [0.825, 0.842]\n", NULL}},
     "Accuracy is 90.8 %. Accuracy is 98.0 %.",
     "grounded contradicted"},
    /* A part of a whole follows from what was shown of it, and hardly another number does. */
    {"Which school is worst?",
     {{"print(t)", "           sum  size\nschool\nAshford    152   167\nBrookside  112   137\n",
       NULL}},
     "At Brookside 25 of its 137 pupils failed. At Brookside 35 of its 137 pupils failed.",
     "derived grounded unverified grounded"},
    /* Two shares have a ratio; what is told in thousands is. */
    {"Which device converts best?",
     {{"print('desktop rate', a, '%')\nprint('mobile rate', b, '%')\nprint('total', t)",
       "desktop rate 5.23 %\nmobile rate 1.51 %\ntotal 272114\n", NULL}},
     "Desktop has 5.23 % and mobile 1.51 %, i.e. about 3.5 times as much. The total is about "
     "272,000. The total is about 273,000.",
     "grounded grounded derived grounded unverified"},
    {"How did the load change?",
     {{"print(wide.diff_load)",
       "site        Upper  Delta\n2024-03-04  114.1  350.2\n2024-07-01   23.2   75.8\n", NULL}},
     "At Delta the load fell from 350.2 to 75.8. At Upper it fell from 114.1 to 23.2.",
     "grounded grounded grounded grounded"},
    {"How far are they apart?",
     {{"print(scores)",
       "week  drug  placebo  effect\n12    14.2     20.9    -6.7\n24    13.1     21.4    -8.3\n",
       NULL}},
     "In week 24 the difference is 8.3. In week 24 the effect is 8.3.",
     "grounded contradicted"},
    {"How late?",
     {{"print('min', d.min())", "min -11.4\n", NULL}},
     "One bus left 11.4 minutes early.",
     "grounded"},
    {"How engaged are they?",
     {{"print(t)", "device   pages  seconds\nmobile    2.68     23.6\ntablet    2.83     51.6\n",
       NULL}},
     "On mobile they see fewer than 2.7 pages. On mobile they see more than 2.7 pages.",
     "grounded contradicted"},
    {"How was it?",
     {{"print(t)",
       "crop      yield  biochar  revenue\nmaize      9.72    10.20     1904\nwheat      8.13     "
       "8.65     1740\nbarley     6.81     7.05     1300\nrapeseed   3.48     3.70     1560\n",
       NULL}},
     "Harvest:\n\n- maize: 9.72\n- wheat: 8.65\n- barley: 6.81\n- rapeseed: 3.48\n",
     "grounded mismatch grounded grounded"},
    {"How was it?",
     {{"print(t)",
       "crop      yield  biochar  revenue\nmaize      9.72    10.20     1904\nwheat      8.13     "
       "8.65     1740\nbarley     6.81     7.05     1300\nrapeseed   3.48     3.70     1560\n",
       NULL}},
     "Maize leads with 9.72, then wheat (8.13), barley (7.05) and rapeseed (3.48).",
     "grounded grounded mismatch grounded"},
    {"How dependent are we?",
     {{"print(f'{n} donors in total; top 10% = {k} donors gave {x}')",
       "472 donors in total; top 10% = 47 donors gave 25390\n", NULL}},
     "The top donors gave 25,390. In all 472 people gave.",
     "grounded grounded"},
    {"What does it cost?",
     {{"print(d)", "{'roasted': 39.87, 'loss': 8.13, 'cost': 379.8}\n", NULL},
      {"print({'per_kg': x})", "{'per_kg': 9.4}\n", NULL}},
     "Your cost is 9.40 per kg.",
     "grounded"},
    {"How did it grow?",
     {{"print(t)", "town     people  change\nOakley    84112   -4462\nAshby    101200   12300\n",
       NULL}},
     "Oakley lost 5.3 %. Oakley gained 5.3 %.",
     "derived contradicted"},
};

static void scenarios_are_judged(void **state) {
    (void)state;
    size_t failed = 0;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        const struct scenario *s = &scenarios[i];
        struct evidence e;
        scoped_buf got = BUF_INIT(4096);
        evidence_init(&e);
        assert_int_equal(evidence_question(&e, s->question), 0);
        for (unsigned k = 0; k < 4 && s->cells[k].code; k++)
            add_cell(&e, k + 1, &s->cells[k]);
        verdicts_of(&e, s->answer, &got);
        if (strcmp(got.data ? got.data : "", s->verdicts) != 0) {
            print_error("%zu \"%s\": %s, expected %s\n", i, s->answer, got.data ? got.data : "",
                        s->verdicts);
            failed++;
        }
        evidence_done(&e);
    }
    assert_int_equal(failed, 0);
}

/* The commas of a CSV separate; those of a number that stands by itself group. */
static void rows_are_no_numbers(void **state) {
    (void)state;
    struct evidence e;
    scoped_buf row = BUF_INIT(100), printed = BUF_INIT(100), number = BUF_INIT(100);
    const char *csv = "a,b,c\n436,392,377\n12,17,19\n";
    evidence_init(&e);
    assert_int_equal(evidence_input(&e, "x.csv", csv, strlen(csv)), 0);
    verdicts_of(&e, "It is $436 million.", &row);
    assert_string_equal(row.data, "unverified");
    add_cell(&e, 1, &(struct cell){"print(open('x.csv').read())", "436,392,377\n12,17,19\n", NULL});
    verdicts_of(&e, "It is $436 million.", &printed);
    assert_string_equal(printed.data, "unverified");
    add_cell(&e, 2, &(struct cell){"print(f'{total:,}')", "436,392,377\n", NULL});
    verdicts_of(&e, "It is $436 million.", &number);
    assert_string_equal(number.data, "grounded");
    evidence_done(&e);
}

/* A literal that also stands in the data is data. */
static void data_clears_a_literal(void **state) {
    (void)state;
    struct evidence e;
    scoped_buf got = BUF_INIT(100);
    evidence_init(&e);
    const char *csv = "order,price\n1,1060\n2,17\n";
    assert_int_equal(evidence_input(&e, "orders.csv", csv, strlen(csv)), 0);
    add_cell(&e, 1, &(struct cell){"df.price[df.price >= 1060].max()", "", "1060"});
    verdicts_of(&e, "The highest price is 1060.", &got);
    assert_string_equal(got.data, "grounded");
    evidence_done(&e);
}

static void tool_results_are_data(void **state) {
    (void)state;
    struct evidence e;
    scoped_buf got = BUF_INIT(100);
    evidence_init(&e);
    assert_int_equal(evidence_tool(&e, 1, "weather", "{\"temperature\": 21.5}"), 0);
    add_cell(
        &e, 1,
        &(struct cell){"print('temperature', weather('x'), 21.5)", "temperature 21.5\n", NULL});
    verdicts_of(&e, "The temperature is 21.5.", &got);
    assert_string_equal(got.data, "grounded");
    evidence_done(&e);
}

/* In a big table a number has to be named, by its column and its row. */
static void tables_need_names(void **state) {
    (void)state;
    struct evidence e;
    evidence_init(&e);
    json_t *rows = json_array();
    static const char *const cities[] = {"Berlin", "Madrid", "Paris", "Rome", "Vienna"};
    srand(3);
    for (int i = 0; i < 200; i++)
        json_array_append_new(rows, json_pack("[s,f,f]", i < 5 ? cities[i] : "Elsewhere",
                                              i == 0 ? 41.2 : 10 + rand() % 900 / 10.0,
                                              10 + rand() % 900 / 10.0));
    json_t *frame =
        json_pack("{s:s,s:[i,i],s:[{s:s},{s:s},{s:s}],s:o}", "name", "df", "shape", 200, 3,
                  "columns", "name", "city", "name", "margin", "name", "growth", "head", rows);
    json_t *result = json_pack("{s:i,s:s,s:[o]}", "cell", 1, "status", "ok", "dataframes", frame);
    assert_int_equal(evidence_result(&e, "df", result), 0);
    scoped_buf named = BUF_INIT(100), bare = BUF_INIT(100), shape = BUF_INIT(100);
    verdicts_of(&e, "The margin in Berlin is 41.2.", &named);
    verdicts_of(&e, "The mean is 41.2.", &bare);
    verdicts_of(&e, "There are 200 rows.", &shape);
    assert_string_equal(named.data, "grounded");
    assert_string_equal(bare.data, "mismatch");
    assert_string_equal(shape.data, "counted");
    json_decref(result);
    evidence_done(&e);
}

/* The columns of an input file have names, in its first line. */
static void input_tables_have_columns(void **state) {
    (void)state;
    struct evidence e;
    scoped_buf csv = BUF_INIT(100000), good = BUF_INIT(100), bad = BUF_INIT(100);
    evidence_init(&e);
    buf_adds(&csv, "order,region,product,price\n");
    for (int i = 0; i < 60; i++)
        buf_printf(&csv, "%d,%s,%s,%d.5\n", 1001 + i, i == 16 ? "West" : "East",
                   i == 16 ? "desk" : "lamp", 20 + i);
    assert_int_equal(evidence_input(&e, "orders.csv", csv.data, csv.len), 0);
    verdicts_of(&e, "Order 1017 was a desk for the West.", &good);
    verdicts_of(&e, "The mean is 1018.", &bad);
    assert_string_equal(good.data, "grounded");
    assert_string_equal(bad.data, "mismatch");
    evidence_done(&e);
}

static void report_says_where(void **state) {
    (void)state;
    struct evidence e;
    evidence_init(&e);
    add_cell(&e, 4, &(struct cell){"print('rate', rate)", "rate 3.2\n", NULL});
    const char *answer = "The rate is 3.2, not 3.7 %.";
    struct ground_report report;
    assert_int_equal(ground_answer(&e, answer, NULL, &report), 0);
    assert_int_equal(report.unproved, 1);
    json_t *json = ground_json(&report, &e, answer);
    const json_t *first = json_array_get(json, 0), *second = json_array_get(json, 1);
    assert_string_equal(json_string_value(json_object_get(first, "text")), "3.2");
    assert_int_equal(json_integer_value(json_object_get(first, "cell")), 4);
    assert_string_equal(json_string_value(json_object_get(first, "stream")), "stdout");
    assert_int_equal(json_integer_value(json_object_get(first, "position")), 5);
    assert_string_equal(json_string_value(json_object_get(second, "text")), "3.7 %");
    scoped_buf advice = BUF_INIT(1000);
    assert_int_equal(ground_advice(&report, &e, answer, &advice), 0);
    assert_non_null(strstr(advice.data, "3.7 % was not computed; nearest is 3.2 in cell 4"));
    json_decref(json);
    ground_done(&report);
    evidence_done(&e);
}

/* A cell that prints one number over and over must not keep the judge for hours. */
static void many_equal_numbers_are_judged_once(void **state) {
    (void)state;
    struct evidence e;
    scoped_buf printed = BUF_INIT(4 << 20), verdicts = BUF_INIT(1000);

    evidence_init(&e);
    for (int i = 0; i < 150000; i++)
        buf_adds(&printed, "total 7.25\n");
    add_cell(&e, 1, &(struct cell){"print(x)", printed.data, NULL});
    verdicts_of(&e, "The total is 7.25, and the rest is 8.25.", &verdicts);
    assert_string_equal(verdicts.data, "grounded unverified");
    evidence_done(&e);
}

/* An endless sentence of numbers against much evidence. */
static void the_work_for_an_answer_ends(void **state) {
    (void)state;
    struct evidence e;
    struct ground_report report;
    scoped_buf printed = BUF_INIT(4 << 20), answer = BUF_INIT(4 << 20);

    evidence_init(&e);
    for (int i = 0; i < 100000; i++)
        buf_printf(&printed, "total %d.5\n", 100000 + i);
    for (int i = 0; i < 4000; i++)
        buf_printf(&answer, "%sand total %d.5 ", i % 2 ? "word " : "", 100000 + i);
    add_cell(&e, 1, &(struct cell){"print(x)", printed.data, NULL});
    assert_int_equal(ground_answer(&e, answer.data, NULL, &report), 0);
    assert_int_equal(report.count, 4000);
    assert_int_equal(report.list[3999].verdict, GROUND_GROUNDED);
    ground_done(&report);
    evidence_done(&e);
}

static void expect(struct evidence *e, const char *answer, const char *verdicts) {
    scoped_buf said = BUF_INIT(1000);
    verdicts_of(e, answer, &said);
    assert_string_equal(said.data, verdicts);
}

/* What is said of an answer does not depend on how often evidence was asked before, nor on questions
 * and cells that were taken back. */
static void evidence_grows_between_answers(void **state) {
    (void)state;
    struct evidence e;
    evidence_init(&e);
    add_cell(&e, 1, &(struct cell){"print('mean sales:', m)", "mean sales: 81.25\n", NULL});
    expect(&e, "The mean of sales is 81.25.", "grounded");
    struct evidence_mark mark = evidence_mark(&e);
    assert_int_equal(evidence_question(&e, "The target was 312 units: was it met?"), 0);
    add_cell(&e, 2, &(struct cell){"print('mean sales:', m)", "mean sales: 95.5\n", NULL});
    expect(&e, "The mean of sales is 81.25. The target was 312 units.", "stale question");
    assert_int_equal(evidence_take_back(&e, &mark), 0);
    expect(&e, "The mean of sales is 81.25.", "grounded");
    expect(&e, "The mean of sales is 95.5.", "contradicted");
    expect(&e, "The target was 312 units.", "unverified");
    add_cell(&e, 2, &(struct cell){"print('mean sales:', m)", "mean sales: 60.75\n", NULL});
    expect(&e, "The mean of sales is 81.25.", "stale");
    expect(&e, "The mean of sales is 60.75.", "grounded");
    evidence_done(&e);
}

static void missing_values_are_counted(void **state) {
    (void)state;
    struct evidence e;
    json_t *result =
        json_loads("{\"cell\": 1, \"status\": \"ok\", \"dataframes\": [{\"name\": \"df\","
                   " \"shape\": [891, 3], \"columns\": [{\"name\": \"Age\", \"missing\": 2},"
                   " {\"name\": \"Cabin\", \"missing\": 687}, {\"name\": \"Fare\"}],"
                   " \"head\": [[22.0, null, 7.25]], \"change\": \"new\"}]}",
                   0, NULL);
    evidence_init(&e);
    assert_int_equal(evidence_result(&e, "df = pd.read_csv('t.csv')", result), 0);
    expect(&e, "Age has 2 missing values.", "grounded");
    expect(&e, "In Cabin 687 values are missing.", "grounded");
    expect(&e, "Age has 687 missing values.", "mismatch");
    expect(&e, "Age has 3 missing values.", "contradicted");
    expect(&e, "We sold 2.", "unverified");
    evidence_done(&e);
    json_decref(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evidence_grows_between_answers),
        cmocka_unit_test(missing_values_are_counted),
        cmocka_unit_test(many_equal_numbers_are_judged_once),
        cmocka_unit_test(the_work_for_an_answer_ends),
        cmocka_unit_test(scenarios_are_judged),
        cmocka_unit_test(rows_are_no_numbers),
        cmocka_unit_test(data_clears_a_literal),
        cmocka_unit_test(tool_results_are_data),
        cmocka_unit_test(tables_need_names),
        cmocka_unit_test(input_tables_have_columns),
        cmocka_unit_test(report_says_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
