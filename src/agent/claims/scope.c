#include "agent/claims/scope.h"

#include "agent/text/units.h"

#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define SENTENCE 1000 /* bytes before and after a claim that may belong to its sentence */
#define MAX_PIECES 96 /* of a sentence */
#define LONG_CONTEXT 400

struct piece {
    size_t from, to;
    char mark;     /* what it follows: ( : , or w for a word, l for one that leads to a number */
    bool compared; /* it begins with "than" or the like */
    bool inside;   /* it stands in brackets */
    size_t numbers;
};

struct cutting {
    const char *text;
    const struct claims *claims;
    struct piece list[MAX_PIECES];
    size_t count;
    int depth; /* of brackets, while it is cut */
};

static bool is_one_of(const char *w, size_t len, const char *list) {
    while (*list) {
        size_t n = strcspn(list, " ");
        if (n == len && strncasecmp(list, w, n) == 0)
            return true;
        list += n + (list[n] == ' ');
    }
    return false;
}

static bool ends_sentence(const char *s, size_t i) {
    if (!strchr(".!?", s[i]) || (s[i + 1] && !isspace((unsigned char)s[i + 1])))
        return false;
    size_t next = i + 1, word = i;
    while (s[next] == ' ')
        next++;
    while (word > 0 && (isalpha((unsigned char)s[word - 1]) || s[word - 1] == '.'))
        word--;
    if (is_one_of(s + word, i - word,
                  "i.e e.g approx vs ca z.B d.h bzw Nr No resp incl p.ex c.-à-d Dr Mr Mrs Prof St"))
        return false;
    if (is_one_of(s + word, i - word, "Mio Mrd Tsd mn bn")) /* "1,36 Mio. €" */
        return isupper((unsigned char)s[next]) && strncmp(s + next, "E", 1) != 0;
    return !islower((unsigned char)s[next]);
}

void sentence_at(const char *s, size_t at, size_t *ret_from, size_t *ret_to) {
    size_t from = at, to = at;
    while (from > 0 && at - from < SENTENCE && s[from - 1] != '\n' && !ends_sentence(s, from - 1))
        from--;
    while (s[to] && to - at < SENTENCE && s[to] != '\n' && !ends_sentence(s, to))
        to++;
    *ret_from = from;
    *ret_to = to;
}

static const char joining[] = "and or while whereas but followed then und oder während aber sowie "
                              "et ou tandis mais puis";
static const char comparing[] = "than versus vs compared against unlike relative als gegenüber "
                                "verglichen statt que contre exceeding exceeds above below "
                                "über unter";
static const char leading[] = "to bis auf à";

static bool number_follows(const char *s, size_t i, size_t to) {
    size_t n = 0;
    while (i < to && n++ < 10 && !isdigit((unsigned char)s[i]))
        i++;
    return i < to && isdigit((unsigned char)s[i]);
}

/* Does a piece end at i? How long is what ends it, and what is it? */
static size_t cut_at(const char *s, size_t i, size_t from, size_t to, char *ret_mark) {
    unsigned char c = (unsigned char)s[i];
    *ret_mark = (char)c;
    if (c == '(' || c == ')' || c == ';' || c == '[' || c == ']')
        return 1;
    if (c == ',' || c == ':')
        return i + 1 < to && isspace((unsigned char)s[i + 1]) ? 1 : 0;
    if (c == 0xe2 && i + 2 < to && (unsigned char)s[i + 1] == 0x80) {
        unsigned char d = (unsigned char)s[i + 2];
        bool dash = d == 0x94 || (d == 0x93 && i > from && s[i - 1] == ' ');
        *ret_mark = ',';
        return dash ? 3 : 0;
    }
    if ((i > from && !isspace((unsigned char)s[i - 1])) || !(isalpha(c) || c >= 0xc3))
        return 0;
    size_t n = 0;
    while (i + n < to && (isalpha((unsigned char)s[i + n]) || (unsigned char)s[i + n] >= 0x80))
        n++;
    *ret_mark = 'w';
    if (is_one_of(s + i, n, joining))
        return n;
    *ret_mark = 'c';
    if (is_one_of(s + i, n, comparing))
        return n;
    size_t before = i;
    while (before > from && s[before - 1] == ' ')
        before--;
    if (before > from && s[before - 1] == '%' && is_one_of(s + i, n, "on over from since seit"))
        return n; /* "up 10 % on January" */
    *ret_mark = 'l';
    return is_one_of(s + i, n, leading) && number_follows(s, i + n, to) ? n : 0;
}

static void scope_add_piece(struct cutting *c, size_t from, size_t to, char mark) {
    struct piece p = {.from = from, .to = to, .mark = mark, .compared = mark == 'c'};
    p.inside = c->depth > 0;
    for (size_t i = claims_from(c->claims, from), end = claims_from(c->claims, to); i < end; i++) {
        const struct claim *x = &c->claims->list[i];
        p.numbers += x->class == CLAIM_VALUE;
        p.compared = p.compared && x->class != CLAIM_NAME; /* "above 200": it is called so */
    }
    if (c->count < MAX_PIECES)
        c->list[c->count++] = p;
    else
        c->list[c->count - 1].to = to;
}

static void scope_cut(struct cutting *c, size_t from, size_t to) {
    size_t start = from;
    char mark = 0, next;
    for (size_t i = from; i < to;) {
        size_t n = cut_at(c->text, i, from, to, &next);
        if (!n) {
            i++;
            continue;
        }
        if (i > start || mark == '(')
            scope_add_piece(c, start, i, mark);
        mark = next;
        c->depth += next == '(' ? 1 : next == ')' && c->depth ? -1 : 0;
        i += n;
        start = i;
    }
    scope_add_piece(c, start, to, mark);
}

/* --- words by nearness --- */

static void scope_put(struct scope *s, uint32_t hash, enum nearness near) {
    if (!hash)
        return;
    size_t at = hash & (SCOPE_ROOM - 1);
    while (s->table[at].hash && s->table[at].hash != hash)
        at = (at + 1) & (SCOPE_ROOM - 1);
    if (s->table[at].hash) {
        if (near < s->table[at].near)
            s->table[at].near = (uint8_t)near;
    } else if (s->count < SCOPE_ROOM / 2) {
        s->table[at].hash = hash;
        s->table[at].near = (uint8_t)near;
        s->words[s->count++] = hash;
    }
}

/* Words that stand for others as well: a label may have any of them. */
static const char *const more[][2] = {
    {"weekend", "sat"},  {"weekend", "sun"}, {"min", "lowest"},  {"min", "smallest"},
    {"min", "youngest"}, {"max", "highest"}, {"max", "largest"}, {"max", "oldest"},
    {"peak", "max"},     {"max", "peak"},    {"miss", "fn"},     {"alarm", "fp"},
    {"caught", "tp"},    {"detect", "tp"},   {"wrongly", "fp"},  {"jan", "1"},
    {"feb", "2"},        {"mar", "3"},       {"apr", "4"},       {"may", "5"},
    {"jun", "6"},        {"jul", "7"},       {"aug", "8"},       {"sep", "9"},
    {"oct", "10"},       {"nov", "11"},      {"dec", "12"}};

#define MORE (sizeof more / sizeof *more)

static uint32_t more_hashes[MORE][2]; /* every word of every sentence is held against them */
static pthread_once_t more_once = PTHREAD_ONCE_INIT;

static void more_fill(void) {
    for (size_t i = 0; i < MORE; i++)
        for (int k = 0; k < 2; k++)
            more_hashes[i][k] = word_hash(more[i][k]);
}

static void scope_put_all(struct scope *s, uint32_t hash, enum nearness near) {
    pthread_once(&more_once, more_fill);
    scope_put(s, hash, near);
    for (size_t i = 0; hash && i < MORE; i++)
        if (more_hashes[i][0] == hash)
            scope_put(s, more_hashes[i][1], near);
}

uint32_t scope_root(const char *word, size_t len) {
    static const char *const tails[] = {"ations", "ation", "ated",  "ors",  "or", "ers", "er",
                                        "ions",   "ion",   "ments", "ment", "al", "als", "y"};
    size_t at = 0, start;
    uint32_t hash = 0;
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        size_t n = strlen(tails[i]);
        if (len < n + 4 - (n > 1) || strncasecmp(word + len - n, tails[i], n) != 0)
            continue;
        return words_next(word, len - n, &at, &hash, &start) ? hash : 0;
    }
    return 0;
}

/* Visitors visit, and buyers buy: a label may have the verb. */
static void scope_put_root(struct scope *s, const char *word, size_t len, enum nearness near) {
    scope_put(s, scope_root(word, len), near);
}

static bool is_grouped(const char *s, size_t start, size_t n) {
    return (s[start + n] == '.' || s[start + n] == ',') && isdigit((unsigned char)s[start + n + 1]);
}

/* "200 ms" is measured, and no name of a row. */
static bool is_measured(const struct scope *s, const struct claim *c) {
    size_t at = c->start + c->len, start;
    uint32_t hash;
    return s->text[at] == ' ' && words_next(s->text, s->to, &at, &hash, &start) &&
           start == c->start + c->len + 1 && unit_word(hash);
}

/* "the first 10 levels", "top 5" */
static bool is_so_many(const struct scope *s, const struct claim *c) {
    size_t from = c->start > s->from + 8 ? c->start - 8 : s->from;
    return words_any(s->text + from, c->start - from,
                     "first last top bottom past next letzten ersten premiers");
}

/* Is this a part of a number, such as the 1 of "1.72 million"? That names no row. */
static bool is_part_of_number(const struct scope *s, size_t start) {
    size_t end = isdigit((unsigned char)s->text[start]) ? claims_from(s->claims, start + 1) : 0;
    /* The sign of the last one may be the currency of the one before. */
    for (size_t i = end > 2 ? end - 2 : 0; i < end; i++) {
        const struct claim *c = &s->claims->list[i];
        if (start >= c->start + c->len)
            continue;
        if (c->class == CLAIM_REFERENCE && is_so_many(s, c))
            return true;
        if (c->class != CLAIM_VALUE)
            continue;
        size_t n = 0;
        while (isdigit((unsigned char)s->text[start + n]))
            n++;
        return i == s->index || is_grouped(s->text, start, n) || is_measured(s, c) ||
               (c->scale && !isalpha((unsigned char)s->text[start + n])) || c->num.places > 0 ||
               fabsl(c->value) >= 1000 * num_pow10(c->scale);
    }
    return false;
}

/* The first letters of words that follow each other: labels say GMT and FP. */
struct initials {
    char letters[5];
    unsigned count;
    size_t end; /* of the last word */
};

/* Notes the first letter of the next word; false if it is no word. */
static bool add_initial(struct initials *w, const char *text, size_t start, size_t end) {
    bool follows = start == w->end + 1 && (text[w->end] == ' ' || text[w->end] == '-');
    bool word = isalpha((unsigned char)text[start]) && end >= start + 3;
    if (!follows || !word)
        w->count = 0;
    if (!word)
        return false;
    if (w->count == 4) {
        memmove(w->letters, w->letters + 1, 3);
        w->count = 3;
    }
    w->letters[w->count++] = (char)tolower((unsigned char)text[start]);
    w->letters[w->count] = 0;
    w->end = end;
    return true;
}

/* The word of a number that is a name, without marks between its digits; 0 if there is none. */
static uint32_t scope_name_at(const struct scope *s, size_t start) {
    char digits[24];
    size_t i = claims_from(s->claims, start);
    const struct claim *c = &s->claims->list[i];
    if (i == s->claims->count || c->start != start || c->class != CLAIM_NAME || c->num.places > 0 ||
        c->value >= 1e15L)
        return 0;
    snprintf(digits, sizeof digits, "%.0Lf", c->value);
    return word_hash(digits);
}

static unsigned scope_add(struct scope *s, size_t from, size_t to, enum nearness near) {
    size_t at = from, start;
    uint32_t hash;
    unsigned n = 0;
    bool per = false;                /* "455 per tonne" is no number of tonnes */
    bool not = false, lacks = false; /* "without drag" does not speak of what has drag */
    struct initials initials = {0};
    while (words_next(s->text, to, &at, &hash, &start)) {
        if (is_part_of_number(s, start))
            continue;
        scope_put(s, scope_name_at(s, start), near);
        if (!lacks)
            scope_put_all(s, hash, per && near < NEAR_SENTENCE ? NEAR_SENTENCE : near);
        if ((not || lacks) && hash)
            scope_put(s, word_not(hash), near);
        lacks = words_any(s->text + start, at - start, "without ohne sans");
        not = words_any(s->text + start, at - start, "no not non kein pas");
        scope_put_root(s, s->text + start, at - start, near);
        if (per && hash)
            scope_put(s, word_per(hash), near);
        if (add_initial(&initials, s->text, start, at))
            for (unsigned k = 0; k + 1 < initials.count; k++)
                scope_put(s, word_hash(initials.letters + k), near);
        n += hash != 0 && !isdigit((unsigned char)s->text[start]);
        per = word_is_per(s->text + start, at - start);
    }
    return n;
}

enum nearness scope_near(const struct scope *s, uint32_t word) {
    size_t at = word & (SCOPE_ROOM - 1);
    while (s->table[at].hash && s->table[at].hash != word)
        at = (at + 1) & (SCOPE_ROOM - 1);
    return s->table[at].hash ? (enum nearness)s->table[at].near : NOT_NEAR;
}

unsigned scope_stats(const struct scope *s) {
    unsigned found[NOT_NEAR] = {0};
    if (s->group)
        return 0;
    for (unsigned i = 0; i < s->count; i++)
        found[scope_near(s, s->words[i])] |= word_statistic(s->words[i]) & ~(unsigned)STAT_CHANGE;
    if (found[NEAR_BEFORE] | found[NEAR_BEHIND])
        return s->piece_numbers > 1 && found[NEAR_BEFORE] ? found[NEAR_BEFORE]
                                                          : found[NEAR_BEFORE] | found[NEAR_BEHIND];
    for (int near = NEAR_PIECE; near <= (s->piece_numbers > 1 ? NEAR_BEHIND
                                         : s->numbers > 1     ? NEAR_PIECE
                                                              : NEAR_SENTENCE);
         near++)
        if (found[near])
            return found[near];
    return 0;
}

uint32_t scope_lead(const struct scope *s, size_t at) {
    uint32_t hash = 0;
    for (int words = 0; words < 2 && !hash; words++) { /* "is" and "of" have none */
        size_t end = at, start = 0;
        while (end > s->from && strchr(" =:\t*_(", s->text[end - 1]))
            end--;
        at = end;
        while (at > s->from && (isalnum((unsigned char)s->text[at - 1]) ||
                                (unsigned char)s->text[at - 1] >= 0x80 || s->text[at - 1] == '^'))
            at--;
        if (at == end)
            return 0;
        words_next(s->text + at, end - at, &(size_t){0}, &hash, &start);
        if (!hash &&
            !is_one_of(s->text + at, end - at, "is was are were of at ist war beträgt est"))
            return 0;
    }
    return hash;
}

uint32_t scope_noun(const struct scope *s, const struct claim *c) {
    size_t at = c->start + c->len, start;
    uint32_t hash = 0;
    if (c->unit != CLAIM_PLAIN || at >= s->to || s->text[at] != ' ' ||
        !isalpha((unsigned char)s->text[at + 1]))
        return 0;
    words_next(s->text, s->to, &at, &hash, &start);
    return hash;
}

/* The number before and the one behind, in the piece. */
static void neighbours(const struct claims *claims, size_t index, const struct piece *p,
                       size_t *ret_before, size_t *ret_behind) {
    *ret_before = p->from;
    *ret_behind = p->to;
    const struct claim *self = &claims->list[index];
    for (size_t i = claims_from(claims, p->from), end = claims_from(claims, p->to); i < end; i++) {
        const struct claim *c = &claims->list[i];
        if (c->class != CLAIM_VALUE || i == index)
            continue;
        if (c->start < self->start && c->start + c->len > *ret_before)
            *ret_before = c->start + c->len;
        if (c->start > self->start && c->start < *ret_behind)
            *ret_behind = c->start;
    }
}

/* What stands before a bracket names what is told in it, but is no statistic of it. */
static void add_bracket_names(struct scope *s, size_t from, size_t to) {
    size_t at = from, start;
    uint32_t hash;
    while (words_next(s->text, to, &at, &hash, &start))
        if (hash && !word_statistic(hash) && !is_part_of_number(s, start))
            scope_put(s, hash, NEAR_PIECE);
}

/* What an empty piece in brackets is about: the words just before the bracket. */
static void add_before_bracket(struct scope *s, const struct cutting *c, size_t k,
                               const struct claims *claims) {
    if (k == 0)
        return;
    const struct piece *p = &c->list[k - 1];
    size_t from = p->from;
    for (size_t i = claims_from(claims, p->from), end = claims_from(claims, p->to); i < end; i++) {
        const struct claim *x = &claims->list[i];
        if (x->class == CLAIM_VALUE && x->start + x->len <= p->to)
            from = x->start + x->len;
    }
    if (!scope_add(s, from, p->to, NEAR_BEFORE))
        scope_add(s, p->from, p->to, NEAR_BEFORE);
}

/* The piece that goes on behind a bracket with numbers: "12 (5 %) in the north", or 0. */
static size_t behind_bracket(const struct cutting *c, size_t k) {
    size_t i = k + (c->list[k].mark != '(');
    if (i >= c->count || c->list[i].mark != '(' || !c->list[i].numbers || i == 0)
        return 0;
    while (i < c->count && c->list[i].mark != ')')
        i++;
    return i < c->count && !c->list[i].numbers ? i : 0;
}

/* What stands before and behind a bracket is one piece: "In the south (n = 30) it was 5". */
static void add_around_bracket(struct scope *s, const struct cutting *c, size_t k) {
    size_t behind = behind_bracket(c, k), open = k;
    if (behind)
        scope_add(s, c->list[behind].from, c->list[behind].to, NEAR_BEHIND);
    if (c->list[k].mark != ')')
        return;
    while (open > 0 && c->list[open].mark != '(')
        open--;
    if (open > 0 && !c->list[open - 1].numbers)
        scope_add(s, c->list[open - 1].from, c->list[open - 1].to, NEAR_BEFORE);
}

/* Does the piece go on with what stands before a bracket that has numbers? */
static bool piece_goes_on(const struct cutting *c, size_t i) {
    size_t open = i;
    if (c->list[i].mark != ')')
        return false;
    while (open > 0 && c->list[open].mark != '(')
        open--;
    return open > 0 && c->list[open].numbers && c->list[open - 1].numbers;
}

/* Pieces without a number: those before the first number and those that go on belong to what
 * follows, an afterthought to what it follows. */
static void add_neighbours(struct scope *s, const struct cutting *c, size_t k) {
    add_around_bracket(s, c, k);
    for (size_t i = k; i-- > 0 && !c->list[i].numbers;) {
        bool first = true;
        for (size_t m = 0; m < i; m++)
            first = first && !c->list[m].numbers;
        bool afterthought = !first && (c->list[i + 1].mark == 'w' || c->list[i + 1].mark == ')');
        bool aside = !first && c->list[i].mark == '('; /* "88 % (North), 71 % (South)" */
        if (c->list[i].compared || afterthought || aside || c->list[i + 1].mark == ';' ||
            piece_goes_on(c, i))
            break;
        scope_add(s, c->list[i].from, c->list[i].to, NEAR_BEFORE);
    }
    for (size_t i = k + 1; i < c->count && !c->list[i].numbers; i++) {
        bool last = i + 1 == c->count || c->list[i + 1].mark == 'w' || c->list[i + 1].mark == ')';
        if (c->list[i].mark == '(')
            scope_add(s, c->list[i].from, c->list[i].to, NEAR_BEHIND);
        if (c->list[i].compared || !last || c->list[i].mark == 'w' || c->list[i].mark == ';')
            break;
        scope_add(s, c->list[i].from, c->list[i].to, NEAR_BEHIND);
    }
}

/* Where the first word behind a number ends. */
static size_t behind_unit(const struct scope *s, size_t from, size_t to) {
    size_t i = from;
    while (i < to && s->text[i] == ' ')
        i++;
    while (i < to && (isalpha((unsigned char)s->text[i]) || (unsigned char)s->text[i] >= 0x80))
        i++;
    return i;
}

bool scope_is_partitive(const char *s, size_t from, size_t to) {
    while (from < to && s[from] == ' ')
        from++;
    while (to > from && s[to - 1] == ' ')
        to--;
    static const char *const words[] = {
        "of",      "of the", "of all",  "of all the", "out of", "out of the", "of its", "of our",
        "of your", "von",    "von den", "der",        "sur",    "sur les",    "des",    "de"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == to - from && strncasecmp(words[i], s + from, to - from) == 0)
            return true;
    return false;
}

bool scope_is_whole(const struct scope *s) {
    const struct claim *c = &s->claims->list[s->index];
    const struct claim *part = s->index ? c - 1 : NULL;
    return part && part->class == CLAIM_VALUE && part->start >= s->from &&
           scope_is_partitive(s->text, part->start + part->len, c->start);
}

/* What is said behind the whole, which stands at a place, is said of its part. */
static void add_of_part(struct scope *s, const struct claims *claims, size_t whole,
                        const struct piece *p) {
    size_t i = claims_from(claims, whole), from, to;
    const struct claim *c = &claims->list[i];
    if (i == claims->count || c->start != whole)
        return;
    neighbours(claims, i, p, &from, &to);
    from = behind_unit(s, c->start + c->len, to);
    scope_add(s, from, to, NEAR_BEHIND);
}

/* "the mean rent of the 12 flats is …": the mean is not told of the 12. */
static bool is_group(const struct scope *s, const struct claim *c, size_t from) {
    static const char *const words[] = {" of the ",   " of all ", " of these ",   " of our ",
                                        " for the ",  " across ", " across all ", " among the ",
                                        " over the ", " der ",    " aller ",      " des "};
    if (c->unit != CLAIM_PLAIN || c->scale || c->num.places > 0 || c->bound != CLAIM_EXACT)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (c->start >= from + n && memcmp(s->text + c->start - n, words[i], n) == 0)
            return scope_noun(s, c) != 0;
    }
    return false;
}

static void scope_add_pieces(struct scope *s, const struct claims *claims, size_t index) {
    struct cutting c = {.text = s->text, .claims = claims};
    size_t at = claims->list[index].start, k = 0, before, behind;
    scope_cut(&c, s->from, s->to);
    while (k + 1 < c.count && at >= c.list[k].to)
        k++;
    const struct piece *p = &c.list[k];
    neighbours(claims, index, p, &before, &behind);
    s->piece_from = p->from;
    s->piece_to = p->to;
    s->piece_numbers = (unsigned)p->numbers;
    /* What follows a number at once belongs to it: "58 goals fell in 20 games". */
    size_t end = at + claims->list[index].len;
    size_t from = before > p->from ? behind_unit(s, before, at) : before;
    s->group = is_group(s, &claims->list[index], from);
    if (s->group)
        from = at;
    /* "31 of the 80 people work in Sales": of the whole only the noun is told, the rest of the part.
     */
    if (behind < p->to && scope_is_partitive(s->text, end, behind))
        add_of_part(s, claims, behind, p);
    else if (before > p->from && scope_is_partitive(s->text, before, at))
        behind = behind_unit(s, end, behind);
    unsigned n = scope_add(s, from < at ? from : at, at, NEAR_BEFORE);
    n += scope_add(s, end, behind, NEAR_BEHIND);
    bool alone = k + 1 >= c.count || !c.list[k + 1].numbers || c.list[k + 1].mark == ')';
    if (!n && p->mark == '(' && p->numbers == 1 && alone) /* "A … B (57 versus 4)" */
        add_before_bracket(s, &c, k, claims);
    size_t open = k; /* the bracket that the piece stands in */
    while (p->inside && open > 0 && c.list[open].mark != '(')
        open--;
    if (p->inside && c.list[open].mark == '(' && open > 0 && !c.list[open - 1].compared)
        add_bracket_names(s, c.list[open - 1].from, c.list[open - 1].to);
    if (p->numbers == 1 || before == p->from)
        add_neighbours(s, &c, k);
    scope_add(s, p->from, p->to, NEAR_PIECE);
    for (size_t i = 0; i < c.count; i++)
        scope_add(s, c.list[i].from, c.list[i].to,
                  c.list[i].compared ? NEAR_COMPARED : NEAR_SENTENCE);
}

/* --- tables in the answer --- */

static size_t line_start(const char *s, size_t at) {
    while (at > 0 && s[at - 1] != '\n')
        at--;
    return at;
}

static size_t marks_before(const char *s, size_t from, size_t to) {
    size_t n = 0;
    for (; from < to; from++)
        n += s[from] == '|';
    return n;
}

/* The first line of the table that this line belongs to. */
static size_t table_head(const char *s, size_t line) {
    while (line > 0) {
        size_t above = line_start(s, line - 1);
        if (!memchr(s + above, '|', line - above))
            break;
        line = above;
    }
    return line;
}

static void add_cell(struct scope *s, size_t line, size_t column, enum nearness near) {
    const char *t = s->text;
    size_t i = line;
    while (column && t[i] && t[i] != '\n')
        column -= t[i++] == '|';
    size_t end = i;
    while (t[end] && t[end] != '|' && t[end] != '\n')
        end++;
    scope_add(s, i, end, near);
}

/* The cell that names a row: the first with a word, or else the first. */
static size_t name_cell(const char *t, size_t line, size_t column) {
    size_t first = t[line] == '|' ? 1 : 0, cell = 0;
    for (size_t i = line; t[i] && t[i] != '\n' && cell < column; i++) {
        cell += t[i] == '|';
        if (isalpha((unsigned char)t[i]) || (unsigned char)t[i] >= 0xc3)
            return cell;
    }
    return first;
}

static bool add_table(struct scope *s, size_t at) {
    size_t line = line_start(s->text, at), column = marks_before(s->text, line, at);
    size_t end = at + strcspn(s->text + at, "\n");
    if (!column && !memchr(s->text + at, '|', end - at))
        return false;
    if (marks_before(s->text, line, end) < 2)
        return false;
    size_t head = table_head(s->text, line);
    add_cell(s, head, column, NEAR_BEFORE);
    add_cell(s, line, column, NEAR_BEFORE);
    add_cell(s, line, name_cell(s->text, line, column), NEAR_BEHIND);
    s->piece_from = line;
    s->piece_to = end;
    return true;
}

/* --- the whole --- */

/* The sentence before, and the nearest line that announces something. */
static void add_context(struct scope *s) {
    size_t from, to, at = s->from;
    while (at > 0 && isspace((unsigned char)s->text[at - 1]))
        at--;
    if (at > 1) {
        sentence_at(s->text, at - 2, &from, &to);
        scope_add(s, from, to < s->from ? to : s->from, NEAR_CONTEXT);
    }
    for (size_t line = line_start(s->text, s->from), n = 0; line > 0 && n < 40; n++) {
        size_t above = line_start(s->text, line - 1), end = line - 1;
        while (end > above && strchr(" *\r", s->text[end - 1]))
            end--;
        bool heading = s->text[above] == '#' || (end > above && s->text[end - 1] == ':');
        if (heading) {
            scope_add(s, above, end - above < LONG_CONTEXT ? end : above + LONG_CONTEXT,
                      NEAR_CONTEXT);
            break;
        }
        line = above;
    }
}

void scope_make(struct scope *s, const char *text, const struct claims *claims, size_t index,
                const struct words *question) {
    memset(s->table, 0, sizeof s->table);
    s->count = 0;
    if (s->asked)
        s->asked->count = 0;
    s->text = text;
    s->claims = claims;
    s->index = index;
    s->numbers = s->piece_numbers = 0;
    s->group = false;
    sentence_at(text, claims->list[index].start, &s->from, &s->to);
    for (size_t i = claims_from(claims, s->from), end = claims_from(claims, s->to); i < end; i++)
        s->numbers += claims->list[i].class == CLAIM_VALUE;
    if (!add_table(s, claims->list[index].start))
        scope_add_pieces(s, claims, index);
    add_context(s);
    for (unsigned i = 0; i < question->count; i++)
        scope_put(s, question->hash[i], NEAR_QUESTION);
}

static bool scope_ask(const struct scope *s, const char *list, bool piece) {
    struct scope_asked *a = s->asked;
    for (unsigned i = 0; a && i < a->count; i++)
        if (a->known[i].list == list && a->known[i].piece == piece)
            return a->known[i].found;
    size_t from = piece ? s->piece_from : s->from, to = piece ? s->piece_to : s->to;
    bool found = words_any(s->text + from, to - from, list);
    if (a && a->count < SCOPE_ASKED) {
        a->known[a->count].list = list;
        a->known[a->count].piece = piece;
        a->known[a->count++].found = found;
    }
    return found;
}

bool scope_follows(const struct scope *s, size_t at, const char *list) {
    while (at > s->from && !isalnum((unsigned char)s->text[at - 1]) &&
           !strchr(",.;:()", s->text[at - 1]))
        at--;
    size_t from = at;
    while (from > s->from && !strchr(" (*", s->text[from - 1]))
        from--;
    return words_any(s->text + from, at - from, list);
}

bool scope_piece_has(const struct scope *s, const char *list) {
    return scope_ask(s, list, true);
}

bool scope_has(const struct scope *s, const char *list) {
    return scope_ask(s, list, false);
}
