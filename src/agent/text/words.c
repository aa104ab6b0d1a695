#include "agent/text/words.h"
#include "base/utf8.h"

#include <ctype.h>
#include <pthread.h>
#include <string.h>
#include <strings.h>

#define LONG_WORD 48

/* Words that could stand in any sentence or any program. */
static const char stop_words[] =
    " the and are for was were with that this from has have had its not but than then all any can "
    "will would into over per out our your their them they you which when what how who there these "
    "those been being also just very only about answer result results value values print import "
    "numpy def return round format str int float list dict lambda true false none self range in of "
    "is to by at on an as it be or if so we he she do no df np pd data dataframe series "
    "index "
    "columns column row rows name dtype object float64 int64 loc iloc head tail join map get "
    "sort by reset to string standard respectively each between both der die das und ist sind ein "
    "eine einer eines den dem des von im am mit für auf zu bei aus nach als auch nur le la les des "
    "du de un une et est sont en au aux par pour sur dans avec qui que ce cette ";

/* Words for the same thing. The second column is a stem. */
static const char *const same[][2] = {
    {"average", "mean"},
    {"averages", "mean"},
    {"averaged", "mean"},
    {"averaging", "mean"},
    {"avg", "mean"},
    {"means", "mean"},
    {"durchschnitt", "mean"},
    {"durchschnittlich", "mean"},
    {"durchschnittliche", "mean"},
    {"mittelwert", "mean"},
    {"mittel", "mean"},
    {"schnitt", "mean"},
    {"moyenne", "mean"},
    {"moyen", "mean"},
    {"medians", "median"},
    {"médiane", "median"},
    {"medianwert", "median"},
    {"50%", "median"},
    {"25%", "q1"},
    {"75%", "q3"},
    {"p25", "q1"},
    {"25th", "q1"},
    {"p50", "median"},
    {"50th", "median"},
    {"p75", "q3"},
    {"75th", "q3"},
    {"5th", "p5"},
    {"90th", "p90"},
    {"95th", "p95"},
    {"99th", "p99"},
    {"maximum", "max"},
    {"maximal", "max"},
    {"maximale", "max"},
    {"minimum", "min"},
    {"minimal", "min"},
    {"minimale", "min"},
    {"total", "sum"},
    {"totals", "sum"},
    {"totalled", "sum"},
    {"totaled", "sum"},
    {"totale", "sum"},
    {"summe", "sum"},
    {"somme", "sum"},
    {"gesamt", "sum"},
    {"insgesamt", "sum"},
    {"number", "count"},
    {"counts", "count"},
    {"len", "count"},
    {"size", "count"},
    {"num", "count"},
    {"anzahl", "count"},
    {"nombre", "count"},
    {"sd", "std"},
    {"stdev", "std"},
    {"deviation", "std"},
    {"standardabweichung", "std"},
    {"variance", "var"},
    {"varianz", "var"},
    {"sem", "stderr"},
    {"pct", "percent"},
    {"percentage", "percent"},
    {"prozent", "percent"},
    {"qty", "quantity"},
    {"amt", "amount"},
    {"temp", "temperatur"},
    {"rev", "revenu"},
    {"dept", "department"},
    {"corr", "correlation"},
    {"coef", "coefficient"},
    {"coeff", "coefficient"},
    {"acc", "accuracy"},
    {"male", "mal"},
    {"men", "mal"},
    {"man", "mal"},
    {"women", "femal"},
    {"woman", "femal"},
    {"old", "age"},
    {"older", "age"},
    {"isnull", "missing"},
    {"isna", "missing"},
    {"null", "missing"},
    {"nulls", "missing"},
    {"nan", "missing"},
    {"nans", "missing"},
    {"duplicated", "duplicat"},
    {"sold", "sale"},
    {"sells", "sale"},
    {"weighed", "weight"},
    {"weighs", "weight"},
    {"grew", "growth"},
    {"grown", "growth"},
    {"diff", "differenc"},
    {"daily", "day"},
    {"weekly", "week"},
    {"monthly", "month"},
    {"yearly", "year"},
    {"annual", "year"},
    {"annually", "year"},
    {"hourly", "hour"},
    {"correlated", "correlation"},
    {"correlates", "correlation"},
    {"correlate", "correlation"},
    {"delta", "differenc"},
    {"january", "jan"},
    {"february", "feb"},
    {"march", "mar"},
    {"april", "apr"},
    {"june", "jun"},
    {"july", "jul"},
    {"august", "aug"},
    {"september", "sep"},
    {"sept", "sep"},
    {"october", "oct"},
    {"november", "nov"},
    {"december", "dec"},
    {"januar", "jan"},
    {"februar", "feb"},
    {"märz", "mar"},
    {"mai", "may"},
    {"juni", "jun"},
    {"juli", "jul"},
    {"oktober", "oct"},
    {"dezember", "dec"},
    {"janvier", "jan"},
    {"février", "feb"},
    {"mars", "mar"},
    {"avril", "apr"},
    {"juin", "jun"},
    {"juillet", "jul"},
    {"août", "aug"},
    {"septembre", "sep"},
    {"octobre", "oct"},
    {"novembre", "nov"},
    {"décembre", "dec"},
    {"wochenende", "weekend"},
    {"weekends", "weekend"},
    {"montag", "mon"},
    {"dienstag", "tue"},
    {"mittwoch", "wed"},
    {"donnerstag", "thu"},
    {"freitag", "fri"},
    {"samstag", "sat"},
    {"sonntag", "sun"},
    {"lundi", "mon"},
    {"mardi", "tue"},
    {"mercredi", "wed"},
    {"jeudi", "thu"},
    {"vendredi", "fri"},
    {"samedi", "sat"},
    {"dimanche", "sun"},
    {"sa", "sat"},
    {"fr", "fri"},
    {"monday", "mon"},
    {"tuesday", "tue"},
    {"wednesday", "wed"},
    {"thursday", "thu"},
    {"friday", "fri"},
    {"saturday", "sat"},
    {"sunday", "sun"},
};

static uint32_t word_hash_bytes(const char *s, size_t len) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)s[i]) * 16777619u;
    return h ? h : 1;
}

uint32_t word_hash(const char *word) {
    return word_hash_bytes(word, strlen(word));
}

static const struct {
    const char *name;
    unsigned stat;
} statistics[] = {{"mean", STAT_MEAN},     {"median", STAT_MEDIAN},    {"max", STAT_MAX},
                  {"min", STAT_MIN},       {"sum", STAT_SUM},          {"count", STAT_COUNT},
                  {"std", STAT_STD},       {"var", STAT_VAR},          {"q1", STAT_Q1},
                  {"q3", STAT_Q3},         {"stderr", STAT_STDERR},    {"chang", STAT_CHANGE},
                  {"growth", STAT_CHANGE}, {"differenc", STAT_CHANGE}, {"p90", STAT_QUANTILE},
                  {"p95", STAT_QUANTILE},  {"p99", STAT_QUANTILE},     {"p10", STAT_QUANTILE},
                  {"p5", STAT_QUANTILE}};

#define STATISTICS (sizeof statistics / sizeof *statistics)

static uint32_t statistic_hashes[STATISTICS];
static pthread_once_t statistics_once = PTHREAD_ONCE_INIT;

static void statistics_fill(void) {
    for (size_t i = 0; i < STATISTICS; i++)
        statistic_hashes[i] = word_hash(statistics[i].name);
}

unsigned word_statistic(uint32_t hash) {
    pthread_once(&statistics_once, statistics_fill);
    for (size_t i = 0; i < STATISTICS; i++)
        if (statistic_hashes[i] == hash)
            return statistics[i].stat;
    return 0;
}

/* --- words that are known --- */

#define KNOWN_ROOM 1024 /* a power of two, more than twice as many as there are */

struct known_word {
    const char *word;
    size_t len;
    const char *stem; /* NULL: a stop word */
};

static struct known_word known_words[KNOWN_ROOM];
static pthread_once_t known_once = PTHREAD_ONCE_INIT;

static struct known_word *known_word_slot(const char *s, size_t len) {
    size_t at = word_hash_bytes(s, len) & (KNOWN_ROOM - 1);
    while (known_words[at].word &&
           (known_words[at].len != len || memcmp(known_words[at].word, s, len) != 0))
        at = (at + 1) & (KNOWN_ROOM - 1);
    return &known_words[at];
}

static void known_put(const char *word, size_t len, const char *stem) {
    struct known_word *slot = known_word_slot(word, len);
    if (!slot->word)
        *slot = (struct known_word){word, len, stem};
}

/* Every word of a text is looked up: a list would be read hundreds of thousands of times. */
static void known_fill(void) {
    for (const char *w = stop_words + 1; *w; w += strcspn(w, " ") + 1)
        known_put(w, strcspn(w, " "), NULL);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        known_put(same[i][0], strlen(same[i][0]), same[i][1]);
}

static const struct known_word *known_word(const char *s, size_t len) {
    pthread_once(&known_once, known_fill);
    const struct known_word *found = known_word_slot(s, len);
    return found->word ? found : NULL;
}

static bool is_stop_word(const char *s, size_t len) {
    const struct known_word *known = known_word(s, len);
    return known && !known->stem;
}

static const char *same_as(const char *s, size_t len) {
    const struct known_word *known = known_word(s, len);
    return known ? known->stem : NULL;
}

/* --- canonical words --- */

static bool ends(const char *s, size_t len, const char *tail) {
    size_t n = strlen(tail);
    return len > n + 2 && memcmp(s + len - n, tail, n) == 0;
}

/* Prices, priced and price are one word, categories and category as well. */
static size_t stem(char *s, size_t len) {
    if (ends(s, len, "ies"))
        s[len - 3] = 'y', len -= 2;
    else if (ends(s, len, "sses") || ends(s, len, "xes") || ends(s, len, "ches"))
        len -= 2;
    else if (ends(s, len, "s") && s[len - 2] != 's' && s[len - 2] != 'u')
        len--;
    size_t had = len;
    if (len > 5 && ends(s, len, "ing"))
        len -= 3;
    else if ((len > 5 && ends(s, len, "en")) || (len > 4 && ends(s, len, "ed")))
        len -= 2; /* Norden is Nord */
    if (len < had && len > 3 && s[len - 1] == s[len - 2] && strchr("bdgmnprt", s[len - 1]))
        len--; /* dropped is drop */
    if (len > 4 && s[len - 1] == 'e')
        len--;
    return len;
}

/* é, ü and their like without their marks: labels are often written so. Returns the length. */
static size_t fold(char *s, size_t len) {
    static const char plain[] = "aaaaaaaceeeeiiiidnooooo/ouuuuypy"; /* from 0xa0 on */
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)s[i], next = i + 1 < len ? (unsigned char)s[i + 1] : 0;
        bool marked = c == 0xc3 && next >= 0xa0 && next <= 0xbf;
        s[n++] = marked ? plain[next - 0xa0] : (char)c;
        i += marked;
    }
    return n;
}

static uint32_t canonical(const char *text, size_t len) {
    char s[LONG_WORD];
    if (len > sizeof s)
        len = sizeof s;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        bool umlaut = i && (unsigned char)text[i - 1] == 0xc3 && c >= 0x80 && c <= 0x9e;
        s[i] = (char)(umlaut ? c + 0x20 : c < 0x80 ? tolower(c) : c);
    }
    bool capitals = len == 2 && isupper((unsigned char)text[0]) && isupper((unsigned char)text[1]);
    if ((is_stop_word(s, len) && !capitals) ||
        (len == 1 && (*text == 'a' || *text == 'i' || *text == 's')))
        return 0;
    const char *known = same_as(s, len);
    if (known)
        return word_hash(known);
    len = stem(s, fold(s, len));
    known = same_as(s, len);
    return known ? word_hash(known) : word_hash_bytes(s, len);
}

/* F and M stand for women and men in columns of data. */
static uint32_t letter_hash(char c) {
    return c == 'F' ? word_hash("femal") : c == 'M' ? word_hash("mal") : 0;
}

static bool word_byte(char c) {
    return isalnum((unsigned char)c) || (unsigned char)c >= 0xc3;
}

static size_t word_length(const char *s, size_t len) {
    size_t n = 0;
    while (n < len && (word_byte(s[n]) || (n && utf8_goes_on(s[n]))) &&
           !(n && isupper((unsigned char)s[n]) && islower((unsigned char)s[n - 1])))
        n++;
    return n;
}

/* R², R^2, R-squared, r_squared: the length of it, 0 if it is not that. */
static size_t r_squared(const char *s, size_t len) {
    static const char *const tails[] = {"\u00b2", "^2", "-squared", "_squared", " squared", "_sq"};
    for (size_t k = 0; (*s == 'r' || *s == 'R') && k < sizeof tails / sizeof *tails; k++) {
        size_t n = strlen(tails[k]);
        if (len > n && memcmp(s + 1, tails[k], n) == 0)
            return n + 1;
    }
    return 0;
}

uint32_t word_month(unsigned n) {
    static const char *const months[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                         "jul", "aug", "sep", "oct", "nov", "dec"};
    return n >= 1 && n <= 12 ? word_hash(months[n - 1]) : 0;
}

uint32_t word_weekday(unsigned n) {
    static const char *const days[] = {"monday", "tuesday",  "wednesday", "thursday",
                                       "friday", "saturday", "sunday"};
    size_t at = 0, start, len = n < 7 ? strlen(days[n]) : 0;
    uint32_t hash = 0;
    return len && words_next(days[n], len, &at, &hash, &start) ? hash : 0;
}

/* The 02 of 2024-02 is February, the 05 of 2024-02-05 is a 5. */
static uint32_t date_hash(const char *text, size_t i) {
    int value = (text[i] - '0') * 10 + (text[i + 1] - '0');
    if (i < 5 || text[i - 1] != '-' || !isdigit((unsigned char)text[i - 2]))
        return 0;
    bool month = isdigit((unsigned char)text[i - 3]) && isdigit((unsigned char)text[i - 4]) &&
                 isdigit((unsigned char)text[i - 5]);
    if (month && word_month((unsigned)value))
        return word_month((unsigned)value);
    return text[i - 4] == '-' && text[i] == '0' ? word_hash_bytes(text + i + 1, 1) : 0;
}

/* "30 min", "(min)" and wait_min are minutes, no minimum. */
static bool is_minutes(const char *text, size_t len, size_t i, size_t n) {
    if (n != 3 || strncasecmp(text + i, "min", n) != 0 || i == 0)
        return false;
    size_t from = i - 1;
    if (text[from] == '(')
        return i + n < len && text[i + n] == ')';
    if (text[from] == '_') {
        while (from > 0 && isalpha((unsigned char)text[from - 1]))
            from--;
        return words_any(text + from, i - 1 - from,
                         "wait waiting duration time delay travel trip walk sleep late runtime "
                         "length elapsed dauer zeit duree delai attente");
    }
    from -= text[from] == ' ' && from > 0;
    return isdigit((unsigned char)text[from]);
}

/* 0.25, 0.5, 0.95: what pandas calls the rows of quantiles; the length of it, or 0. */
static size_t quantile_at(const char *s, size_t len, uint32_t *ret_hash) {
    static const char *const names[][2] = {{"0.25", "q1"},    {"0.50", "median"}, {"0.75", "q3"},
                                           {"0.5", "median"}, {"0.90", "p90"},    {"0.9", "p90"},
                                           {"0.95", "p95"},   {"0.99", "p99"},    {"0.05", "p5"},
                                           {"0.1", "p10"},    {"0.10", "p10"}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        size_t n = strlen(names[k][0]);
        if (len < n || memcmp(s, names[k][0], n) != 0 ||
            (len > n && (isalnum((unsigned char)s[n]) || s[n] == '.')))
            continue;
        *ret_hash = word_hash(names[k][1]);
        return n;
    }
    return 0;
}

bool words_next(const char *text, size_t len, size_t *at, uint32_t *ret_hash, size_t *ret_start) {
    size_t i = *at;
    while (i < len && !word_byte(text[i]))
        i++;
    if (i >= len)
        return false;
    size_t n = word_length(text + i, len - i), digits = 0;
    n = n ? n : 1;
    while (digits < n && isdigit((unsigned char)text[i + digits]))
        digits++;
    bool percentile = digits == 2 && n == 2 && i + 2 < len && text[i + 2] == '%';
    size_t squared = n == 1 ? r_squared(text + i, len - i) : 0;
    uint32_t special = n == 1                                 ? letter_hash(text[i])
                       : digits == 2 && n == 2 && !percentile ? date_hash(text, i)
                                                              : 0;
    size_t quantile = text[i] == '0' ? quantile_at(text + i, len - i, &special) : 0;
    n = percentile ? 3 : squared ? squared : quantile ? quantile : n;
    if (digits == n && i + n + 1 < len && text[i + n] == '.') /* 1.6 is one word */
        for (size_t k = i + n + 1; k < len && isdigit((unsigned char)text[k]); k++)
            n = k + 1 - i;
    *ret_start = i;
    *at = i + n;
    *ret_hash = squared                       ? word_hash("r2")
                : special                     ? special
                : is_minutes(text, len, i, n) ? word_hash("minut")
                                              : canonical(text + i, n);
    return true;
}

bool words_hold(const struct words *w, uint32_t hash) {
    for (unsigned i = 0; i < w->count; i++)
        if (w->hash[i] == hash)
            return true;
    return false;
}

void words_put(struct words *w, uint32_t hash) {
    if (hash && w->count < MAX_WORDS && !words_hold(w, hash))
        w->hash[w->count++] = hash;
}

uint32_t word_per(uint32_t hash) {
    return hash ^ 0x706572u;
}

uint32_t word_not(uint32_t hash) {
    return hash ^ 0x6e6f74u;
}

bool word_is_per(const char *word, size_t len) {
    return len > 1 && len < 4 && words_any(word, len, "per pro je par");
}

void words_add(struct words *w, const char *text, size_t len) {
    words_add_from(w, text, 0, len);
}

void words_add_from(struct words *w, const char *text, size_t at, size_t len) {
    size_t start;
    uint32_t hash;
    bool per = false;
    while (w->count < MAX_WORDS && words_next(text, len, &at, &hash, &start)) {
        words_put(w, hash);
        if (per && hash)
            words_put(w, word_per(hash));
        per = word_is_per(text + start, at - start);
    }
}

/* Is this the joint of "least-loaded" or "low_income"? */
static bool is_joint(const char *text, size_t len, size_t i) {
    return i > 0 && i + 1 < len && (text[i] == '-' || text[i] == '_') &&
           isalpha((unsigned char)text[i - 1]) && isalpha((unsigned char)text[i + 1]);
}

static bool has_word(const char *text, size_t len, const char *word, size_t n) {
    for (size_t i = 0; i + n <= len; i++) {
        if (tolower((unsigned char)text[i]) != tolower((unsigned char)*word) ||
            (i > 0 && (word_byte(text[i - 1]) || utf8_goes_on(text[i - 1]))) ||
            (i + n < len && word_byte(text[i + n])) || (n > 2 && is_joint(text, len, i + n)))
            continue;
        if (strncasecmp(text + i, word, n) == 0)
            return true;
    }
    return false;
}

bool words_any(const char *text, size_t len, const char *list) {
    len = strnlen(text, len);
    while (*list) {
        size_t n = strcspn(list, " ");
        if (n && has_word(text, len, list, n))
            return true;
        list += n + (list[n] == ' ');
    }
    return false;
}
