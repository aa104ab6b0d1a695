/* Which way a sentence says that something went, and of which statistic it tells. */
#include "agent/ground/derive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Who is faster needs less time, and who is slower more. */
static bool tells_time(const struct judge *j) {
    return scope_piece_has(&j->scope,
                           "second seconds minute minutes min hour hours h s ms days day "
                           "sekunden minuten stunden heures secondes");
}

const char ground_rising[] =
    "rose risen rises rise increase increased increases increasing growth grew grown grows growing "
    "up gain gained gains higher more above exceeds exceeded climbed climbs surged jumped improved "
    "improves larger greater ahead leads outperformed longer older heavier outsold outearned "
    "surplus excess profit beat beats raised raises warmer denser bigger stronger wider taller "
    "richer hotter recovered recovers rebounded added adds lifted lifts expanded uplift overrun "
    "overspent tripled doubled outnumber outnumbers outnumbered surpassed exceeding outpaced "
    "outperforms übertrifft übertraf "
    "extends extended boosts boosted lengthens lengthened widens widened "
    "stieg gestiegen steigt steigen steigert gesteigert wuchs wächst gewachsen erhöht mehr höher "
    "rauf hinauf bergauf höhere zunahme zugenommen überschuss gewann gewonnen größer länger "
    "hausse augmenté augmente augmentation devance dépasse progresse progressé excédent gagné "
    "gagne supérieur supérieure";
const char ground_falling[] =
    "fell fallen falls fall falling decrease decreased decreases decreasing drop dropped drops "
    "decline declined declines declining reduction reduced reduces lower less fewer below down "
    "shrank shrunk lost loses loss losses behind trails trailed lags smaller sank shorter younger "
    "lighter cheaper underperformed underperforms worse negative deficit shortfall colder cooler "
    "weaker narrower "
    "poorer thinner lowered lowers takes away cut cuts slipped slid plunged dipped saved saves "
    "underspent shed sheds eased early "
    "saving "
    "shortens shortened shrinks shrinking trims trimmed narrows narrowed "
    "sinkt sank sinken gesunken fiel fällt fielen gefallen weniger niedriger rückgang verlust "
    "geschrumpft schrumpft schrumpfte verlor verloren verringert reduziert gesenkt kleiner kürzer "
    "günstiger billiger runter hinunter bergab "
    "baisse baissé diminué diminue diminution perte perdu recule reculé perd perdent minus chute "
    "chuté déficit "
    "inférieur inférieure moins";

/* "It lost value on 161 days": what went down is not the days. */
static bool tells_when(const struct judge *j) {
    size_t at = j->claims->list[j->index].start, from = at > 4 ? at - 4 : 0;
    const struct claim *c = &j->claims->list[j->index];
    return from >= j->scope.from && c->unit == CLAIM_PLAIN && c->num.places <= 0 && !c->scale &&
           words_any(j->answer + from, at - from, "on in an during") && scope_noun(&j->scope, c) &&
           !words_any(j->answer + at + c->len, 10, "more less fewer mehr weniger de");
}

/* "makes up 54 %" goes nowhere. */
static bool makes_up(const struct judge *j) {
    const struct scope *s = &j->scope;
    static const char *const phrases[] = {"make up", "makes up", "made up", "making up"};
    size_t at = j->claims->list[j->index].start, from = at > s->from + 24 ? at - 24 : s->from;
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (memmem(s->text + from, at - from, phrases[i], strlen(phrases[i])))
            return true;
    return false;
}

/* "30.55, while transport stayed below": what is told of something else begins there. */
static size_t contrast_at(const struct judge *j) {
    const struct scope *s = &j->scope;
    for (size_t i = j->claims->list[j->index].start; i < s->to; i++) {
        size_t n = strcspn(s->text + i + 1, " ,.;");
        if (s->text[i] == ';' ||
            (s->text[i] == ' ' &&
             words_any(s->text + i + 1, n, "while whereas but während aber tandis mais")))
            return i;
    }
    return s->to;
}

/* "36.35 over budget", "4 short of the goal" */
static int told_beside(const struct judge *j) {
    const struct claim *c = &j->claims->list[j->index];
    size_t at = c->start + c->len, n;
    at += j->answer[at] == ' ';
    n = strcspn(j->answer + at, " .,;\n");
    if (words_any(j->answer + at, n, "over above ahead beyond"))
        return 1;
    return words_any(j->answer + at, n, "under below short behind") ? -1 : 0;
}

int derive_direction(const struct judge *j) {
    const struct scope *s = &j->scope;
    if (tells_when(j) || makes_up(j))
        return 0;
    bool time = tells_time(j);
    bool fast = scope_piece_has(s, "faster quicker sooner"),
         slow = scope_piece_has(s, "slower later");
    if (fast != slow)
        return (time ? slow : fast) ? 1 : -1;
    if (time && scope_piece_has(s, "improved improves improvement beat verbessert"))
        return -1;
    if (scope_piece_has(s, "less fewer weniger moins"))
        return -1;
    int beside = told_beside(j);
    if (beside)
        return beside;
    bool rises = scope_piece_has(s, ground_rising), falls = scope_piece_has(s, ground_falling);
    if (!rises && !falls) {
        size_t from = s->from, to = contrast_at(j);
        rises = words_any(s->text + from, to - from, ground_rising);
        falls = words_any(s->text + from, to - from, ground_falling);
    }
    return rises == falls ? 0 : rises ? 1 : -1;
}

/* --- which of two was first --- */

/* Where the sentence has a word that names this one and not the other; -1: nowhere. */
static long mention_apart(const struct judge *j, const struct evidence_item *x,
                          const struct evidence_item *y) {
    size_t at = 0, start;
    uint32_t hash;
    const struct scope *s = &j->scope;
    while (words_next(s->text + s->from, s->to - s->from, &at, &hash, &start))
        if (hash && !word_statistic(hash) && operand_named_by(j, x, hash, PART_CODE) &&
            !operand_named_by(j, y, hash, PART_CODE))
            return (long)(s->from + start);
    return -1;
}

/* Where the sentence speaks of this one of two: by the column, if they stand in one row. */
static long place_of(const struct judge *j, const struct operand *a, const struct operand *b) {
    const struct evidence_item *x = a->item, *y = b->item;
    if ((a->by == KNOWN_SAID && a->place >= 0) || !x || !y)
        return a->place;
    if (x->table && x->table == y->table && x->label[PART_ROW] == y->label[PART_ROW])
        return derive_mention_of(j, x, PART_COLUMN);
    if (x->cell != y->cell)
        return a->place;
    long apart = mention_apart(j, x, y);
    return apart < 0 && mention_apart(j, y, x) < 0 ? a->place : apart;
}

/* What a later cell showed again, under the same labels. */
static bool shown_again(const struct operand *a, const struct operand *b) {
    const struct evidence_item *x = a->item, *y = b->item;
    return x && y && x->cell != y->cell && x->label[PART_ROW] == y->label[PART_ROW] &&
           x->label[PART_COLUMN] == y->label[PART_COLUMN] &&
           x->label[PART_LINE] == y->label[PART_LINE] &&
           (x->label[PART_ROW] | x->label[PART_COLUMN] | x->label[PART_LINE]);
}

static bool is_older(const struct operand *a, const struct operand *b) {
    return a->item && b->item && a->item->cell < b->item->cell;
}

/* When a label says that it was, in months; 0 if it does not say. Without a year, the months of one
 * year. */
static int label_time(const struct judge *j, const struct evidence_item *i) {
    static const char *const months[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                         "jul", "aug", "sep", "oct", "nov", "dec"};
    char text[8];
    int year = 0, month = 0;
    for (int k = 1950; k < 2050 && !year; k++) {
        snprintf(text, sizeof text, "%d", k);
        year = operand_named_by(j, i, word_hash(text), PART_CODE) ? k : 0;
    }
    for (int k = 0; k < 12 && !month; k++)
        month = operand_named_by(j, i, word_hash(months[k]), PART_CODE) ? k + 1 : 0;
    return year * 12 + month;
}

/* The same for an operand; what has its value and its row may tell what its own labels do not. */
int derive_time_of(const struct judge *j, const struct operand *o) {
    int time = o->item ? label_time(j, o->item) : 0;
    size_t n, at = o->item ? evidence_between(j->e, fabsl(o->value), fabsl(o->value), &n) : 0;
    for (size_t i = at; o->item && !time && i < at + n && i < at + 8; i++) {
        const struct evidence_item *x = evidence_at(j->e, i);
        if (x->label[PART_ROW] && x->label[PART_ROW] == o->item->label[PART_ROW])
            time = label_time(j, x);
    }
    return time;
}

/* -1 for what a label calls the earlier one, 1 for the later one, 0 if it does not say. */
static int age_of(const struct judge *j, const struct operand *o) {
    static const char *const ages[][8] = {
        {"before", "first", "start", "initial", "old", "previou", "begin", "vorher"},
        {"after", "last", "end", "final", "new", "current", "now", "nachher"}};
    bool told[2] = {false, false};
    for (int age = 0; age < 2 && o->item; age++)
        for (int k = 0; k < 8; k++)
            told[age] = told[age] || operand_named_by(j, o->item, word_hash(ages[age][k]), PARTS);
    return told[0] == told[1] ? 0 : told[0] ? -1 : 1;
}

/* "between A and B it rose": the first of them is where it began. */
static bool is_between(const struct judge *j, long at, long before) {
    size_t first = (size_t)(at < before ? at : before);
    return at >= 0 && before >= 0 && at != before &&
           derive_preceded(j->answer, j->scope.from, first, "between zwischen entre");
}

/* "40 more than B": B is taken from what is compared with it, and what is left has that sign. */
bool derive_direction_holds(const struct judge *j, const struct claim *c, enum operation op,
                            const struct operand *a, const struct operand *b) {
    int up = derive_direction(j);
    long at = place_of(j, a, b), before = place_of(j, b, a);
    bool right = (a->value > b->value) == (up > 0);
    if ((op != DIFFERENCE && op != CHANGE) || !up || c->signed_)
        return true;
    bool again = (at == before && at >= 0) || shown_again(a, b);
    if (again && (is_older(a, b) || is_older(b, a))) /* before and after */
        return is_older(b, a) && right;
    bool base_a = at >= 0 && derive_is_base(j, (size_t)at);
    bool base_b = before >= 0 && derive_is_base(j, (size_t)before);
    if (base_a != base_b)
        return base_b && right;
    int year = derive_time_of(j, a), other = derive_time_of(j, b);
    if (year && other && year != other && (year > 12) == (other > 12))
        return year > other && right;
    if ((year != 0) != (other != 0) && a->item && b->item &&
        a->item->label[PART_ROW] == b->item->label[PART_ROW] &&
        scope_has(&j->scope, "today now since seit heute depuis"))
        return other && right; /* "since 2013": the other is of today */
    int age = age_of(j, a), older = age_of(j, b);
    if (age && older && age != older)
        return age > older && right;
    if (is_between(j, at, before))
        return before < at && right;
    bool verb =
        scope_has(&j->scope, "rose fell increased decreased grew dropped declined rise fall "
                             "increase decrease change stieg sank");
    bool one_row = a->item && b->item && a->item->table && a->item->table == b->item->table &&
                   a->item->label[PART_ROW] == b->item->label[PART_ROW];
    bool subject =
        (a->by == KNOWN_SAID) != (b->by == KNOWN_SAID) || operands_one_column(a, b) || one_row;
    if (!verb && (at < 0) != (before < 0) && a->item && b->item && subject)
        return at >= 0 && right; /* "B's rate is 1.3 points higher" */
    if (verb || at < 0 || before < 0)
        return right; /* both orders are tried */
    if ((a->by == KNOWN_SAID) != (b->by == KNOWN_SAID) && !(a->item && b->item && is_older(a, b)))
        return a->by == KNOWN_SAID && right; /* "gains 5.6 points and reaches 76.8" */
    if (!a->item != !b->item && a->by == KNOWN_SAID && b->by == KNOWN_SAID)
        return a->item && right; /* "the plan was 100; 2023 brought 120, 20 more" */
    return (at < before || (at == before && one_row)) && right;
}

/* --- which statistic --- */

static bool stands_before(const struct judge *j, size_t at, const char *list) {
    size_t from = at > j->scope.from + 9 ? at - 9 : j->scope.from;
    return words_any(j->answer + from, at - from, list);
}

/* Is this "from 20 to 65", "between 20 and 65"? */
static bool is_range(const struct judge *j, const struct claim *low, const struct claim *high) {
    size_t end = low->start + low->len;
    return high->start > end && high->start < end + 12 &&
           stands_before(j, low->start, "from between") &&
           words_any(j->answer + end, high->start - end, "to and");
}

/* "ranges from 20 to 65", "half of them lie between 7 and 8": which end of which range it is. */
static unsigned range_end(const struct judge *j, size_t index) {
    const struct claim *c = &j->claims->list[index];
    bool quartiles = scope_has(&j->scope, "interquartile IQR half");
    if (!quartiles && !scope_has(&j->scope, "range ranges ranged ranging span spans vary varies"))
        return 0;
    if (index + 1 < j->claims->count && is_range(j, c, c + 1))
        return quartiles ? STAT_Q1 : STAT_MIN;
    if (index && c[-1].start >= j->scope.from && is_range(j, c - 1, c))
        return quartiles ? STAT_Q3 : STAT_MAX;
    return 0;
}

/* Where the clause of a place begins. */
static size_t clause_of(const struct judge *j, size_t at) {
    size_t from = at;
    while (from > j->scope.from && !strchr(",;(:", j->answer[from - 1]) &&
           !(from >= j->scope.from + 5 && memcmp(j->answer + from - 5, " and ", 5) == 0))
        from--;
    return from;
}

/* "a quarter earns more than 81", "half of them are younger than 29": a bound that is a quantile. */
static unsigned quantile_bound(const struct judge *j, const struct claim *c) {
    size_t from = clause_of(j, c->start), n = c->start - from;
    const char *s = j->answer + from;
    bool more =
             words_any(s, n, "more over above older longer higher larger heavier mehr über plus"),
         less = words_any(s, n,
                          "less fewer under below younger shorter lower smaller within cheaper "
                          "faster weniger unter moins");
    bool three = words_any(s, n, "three drei trois");
    size_t last = n < 18 ? n : 18;
    size_t end = c->start + c->len, rest = j->scope.to - end < 24 ? j->scope.to - end : 24;
    const char *either = memmem(j->answer + end, rest, " or ", 4);
    size_t behind = either ? (size_t)(j->answer + end + rest - either) - 4 : 0;
    if (either && words_any(either + 4, behind, "less fewer lower under")) /* "13 months or less" */
        less = true, more = false;
    else if (either && words_any(either + 4, behind, "more higher longer above"))
        more = true, less = false;
    else if (c->bound == CLAIM_MORE || c->bound == CLAIM_LESS)
        more = c->bound == CLAIM_MORE, less = !more;
    else if (!words_any(s + n - last, last, "than over above under below within als unter über"))
        return 0;
    if (more == less)
        return 0;
    if (memchr(s, '%', n) && words_any(s, n, "of der des"))
        return STAT_QUANTILE;
    if (words_any(s, n, "half hälfte moitié"))
        return STAT_MEDIAN;
    if (!words_any(s, n, "quarter quarters viertel quart quarts"))
        return 0;
    return more != three ? STAT_Q3 : STAT_Q1;
}

/* "up to 36", "as cold as -11" */
static unsigned utmost(const struct judge *j, const struct claim *c) {
    size_t from = c->start > j->scope.from + 14 ? c->start - 14 : j->scope.from;
    size_t n = c->start - from;
    const char *s = j->answer + from;
    bool sums = words_any(s, n, "add adds added adding sum sums come comes amount amounts");
    if ((!sums && memmem(s, n, "up to ", 6)) ||
        (words_any(s, n, "as") && words_any(s, n, "high hot much many long")))
        return STAT_MAX;
    size_t clause = clause_of(j, c->start), m = c->start - clause;
    if (words_any(j->answer + clause, m,
                  "than above over below under exceeds exceeded als über unter de") &&
        words_any(j->answer + clause, m, "never nobody none no nie niemand kein keine jamais"))
        return words_any(j->answer + clause, m, "fewer less below under weniger unter moins")
                   ? STAT_MIN
                   : STAT_MAX;
    bool low = memmem(s, n, "down to ", 8) ||
               (words_any(s, n, "as") && words_any(s, n, "low cold little few short"));
    return low ? STAT_MIN : 0;
}

/* "8.6 % of the total" is no total. */
static bool is_of_total(const struct judge *j, const struct claim *c) {
    size_t end = c->start + c->len, n = j->scope.to - end < 14 ? j->scope.to - end : 14;
    return words_any(j->answer + end, n, "of der des") && words_any(j->answer + end, n, "total");
}

/* "On average the high was 20 and the low 11": it holds for all of the sentence. */
static bool opens_with_average(const struct judge *j) {
    size_t n = j->scope.to - j->scope.from;
    return words_any(j->answer + j->scope.from, n < 14 ? n : 14,
                     "average schnitt mittel durchschnitt moyenne");
}

unsigned ground_stats_asked(const struct judge *j, size_t index) {
    const struct claim *c = &j->claims->list[index];
    unsigned range = range_end(j, index), bound = range ? range : quantile_bound(j, c);
    unsigned named = bound ? bound : scope_stats(&j->scope);
    if (c->unit == CLAIM_PERCENT && (named & STAT_SUM) && is_of_total(j, c))
        named &= ~(unsigned)STAT_SUM;
    if ((named & (STAT_MIN | STAT_MAX)) && !bound && opens_with_average(j))
        named |= STAT_MEAN;
    return named ? named : utmost(j, c);
}
