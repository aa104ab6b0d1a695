/* From sizes, words and labels to items. The index grows with the evidence: a session that is asked
 * again and again pays for what its cells have shown since. */
#include "agent/evidence/evidence.h"

#include "base/list.h"
#include "base/scope.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW_ALIKE 3 /* so many more under the same labels, and they tell nothing of one */

void index_done(struct evidence_index *x) {
    for (size_t i = 0; i < x->word_room; i++)
        free(x->words[i].labels.list);
    for (size_t i = 0; i < x->label_room; i++)
        free(x->items[i].list);
    for (size_t i = 0; i < x->alike_count; i++)
        free(x->alike[i].items.list);
    void *lists[] = {x->all.list, x->data.list,   x->words,   x->items,
                     x->alike,    x->alike_table, x->literals};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        free(lists[i]);
    *x = (struct evidence_index){0};
}

static int index_put(struct index_list *l, uint32_t n) {
    if (l->count == l->room) {
        uint32_t room = l->room ? l->room * 2 : 2;
        uint32_t *list = reallocarray(l->list, room, sizeof *list);
        if (!list)
            return -ENOMEM;
        l->list = list;
        l->room = room;
    }
    l->list[l->count++] = n;
    return 0;
}

/* --- by size --- */

static int sizes_add(struct sizes *s, const struct evidence_item *x, size_t item) {
    struct size_key *list = list_grow(s->list, s->count, &s->room, sizeof *list);
    if (!list)
        return -ENOMEM;
    s->list = list;
    list[s->count++] = (struct size_key){fabsl(x->value), (uint32_t)item};
    return 0;
}

static int by_size(const void *a, const void *b) {
    const struct size_key *x = a, *y = b;
    return x->size != y->size ? (x->size > y->size) - (x->size < y->size)
                              : (x->item > y->item) - (x->item < y->item);
}

/* What is new is sorted by itself and merged from the end, where there is room. */
static int sizes_sort(struct sizes *s) {
    size_t old = s->sorted, more = s->count - old, at = s->count;
    struct size_key *list = s->list;
    if (!more)
        return 0;
    qsort(list + old, more, sizeof *list, by_size);
    scoped_free struct size_key *tail = old ? calloc(more, sizeof *tail) : NULL;
    if (old && !tail)
        return -ENOMEM;
    if (old)
        memcpy(tail, list + old, more * sizeof *tail);
    while (old && more)
        list[--at] = by_size(&list[old - 1], &tail[more - 1]) > 0 ? list[--old] : tail[--more];
    if (tail)
        memcpy(list, tail, more * sizeof *tail);
    s->sorted = s->count;
    return 0;
}

/* The first that is not smaller than x, or that is larger. */
static size_t sizes_bound(const struct sizes *s, long double x, bool larger) {
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (s->list[mid].size < x || (larger && s->list[mid].size == x))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void sizes_cut(struct sizes *s, size_t items) {
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i].item < items)
            s->list[kept++] = s->list[i];
    s->count = s->sorted = kept;
}

static bool same_size(const struct evidence_item *a, const struct evidence_item *b) {
    return fabsl(fabsl(a->value) - fabsl(b->value)) <= 1e-15L * fabsl(b->value);
}

bool evidence_in_data(const struct evidence *e, const struct evidence_item *item) {
    const struct sizes *s = &e->index.data;
    size_t at = sizes_bound(s, fabsl(item->value), false);
    return (at < s->count && same_size(&e->items[s->list[at].item], item)) ||
           (at > 0 && same_size(&e->items[s->list[at - 1].item], item));
}

size_t evidence_between(const struct evidence *e, long double low, long double high,
                        size_t *ret_count) {
    size_t from = sizes_bound(&e->index.all, low, false);
    size_t to = sizes_bound(&e->index.all, high, true);
    *ret_count = to > from ? to - from : 0;
    return from;
}

const struct evidence_item *evidence_at(const struct evidence *e, size_t index) {
    return &e->items[e->index.all.list[index].item];
}

/* --- words and labels --- */

static size_t word_slot(const struct evidence_index *x, uint32_t word) {
    size_t at = word & (x->word_room - 1);
    while (x->words[at].word && x->words[at].word != word)
        at = (at + 1) & (x->word_room - 1);
    return at;
}

static int grow_words(struct evidence_index *x) {
    __typeof__(x->words) old = x->words;
    size_t had = x->word_room, room = had ? had * 2 : 256;
    __typeof__(x->words) words = calloc(room, sizeof *words);
    if (!words)
        return -ENOMEM;
    x->words = words;
    x->word_room = room;
    for (size_t i = 0; i < had; i++)
        if (old[i].word)
            x->words[word_slot(x, old[i].word)] = old[i];
    free(old);
    return 0;
}

static int index_word(struct evidence_index *x, uint32_t word, size_t label) {
    if (x->word_count * 2 >= x->word_room && grow_words(x) < 0)
        return -ENOMEM;
    size_t at = word_slot(x, word);
    x->word_count += !x->words[at].word;
    x->words[at].word = word;
    return index_put(&x->words[at].labels, (uint32_t)label);
}

static int index_labels(struct evidence *e) {
    struct evidence_index *x = &e->index;
    if (x->label_room < e->label_count) {
        size_t room = e->label_room;
        struct index_list *items = reallocarray(x->items, room, sizeof *items);
        if (!items)
            return -ENOMEM;
        memset(items + x->label_room, 0, (room - x->label_room) * sizeof *items);
        x->items = items;
        x->label_room = room;
    }
    for (; x->labels_read < e->label_count; x->labels_read++) {
        const struct label *l = &e->labels[x->labels_read];
        for (size_t k = 0; k < l->count; k++)
            if (index_word(x, e->pool[l->first + k], x->labels_read) < 0)
                return -ENOMEM;
    }
    return 0;
}

const uint32_t *evidence_labels(const struct evidence *e, uint32_t word, size_t *ret_count) {
    const struct evidence_index *x = &e->index;
    size_t at = x->word_room ? word_slot(x, word) : 0;
    bool known = x->word_room && x->words[at].word;
    *ret_count = known ? x->words[at].labels.count : 0;
    return known ? x->words[at].labels.list : NULL;
}

const uint32_t *evidence_items(const struct evidence *e, uint32_t label, size_t *ret_count) {
    *ret_count = e->index.items[label].count;
    return e->index.items[label].list;
}

/* --- literals --- */

static int by_literal(const void *a, const void *b, void *user) {
    const struct literal *list = user;
    const struct literal *x = &list[*(const uint32_t *)a], *y = &list[*(const uint32_t *)b];
    return (x->num.value > y->num.value) - (x->num.value < y->num.value);
}

static int index_literals(struct evidence *e) {
    struct evidence_index *x = &e->index;
    if (x->literals && x->literal_count == e->literals.count)
        return 0;
    uint32_t *list = reallocarray(x->literals, e->literals.count + 1, sizeof *list);
    if (!list)
        return -ENOMEM;
    for (size_t i = 0; i < e->literals.count; i++)
        list[i] = (uint32_t)i;
    qsort_r(list, e->literals.count, sizeof *list, by_literal, e->literals.list);
    x->literals = list;
    x->literal_count = e->literals.count;
    return 0;
}

const struct literal *evidence_literal(const struct evidence *e, size_t at) {
    return &e->literals.list[e->index.literals[at]];
}

size_t evidence_literals(const struct evidence *e, long double low, long double high,
                         size_t *ret_count) {
    size_t from = 0, end = e->literals.count;
    while (from < end) {
        size_t mid = from + (end - from) / 2;
        if (evidence_literal(e, mid)->num.value < low)
            from = mid + 1;
        else
            end = mid;
    }
    for (end = from; end < e->literals.count && evidence_literal(e, end)->num.value <= high;)
        end++;
    *ret_count = end - from;
    return from;
}

/* --- what a later cell replaced --- */

static bool replaces(const struct evidence_item *newer, const struct evidence_item *older) {
    return newer->cell > older->cell && !same_size(newer, older);
}

/* Do the labels tell what it is, whatever code showed it? "mean" alone does not, nor the name of a
 * row without that of a column. */
static bool says_enough(const struct evidence *e, const struct evidence_item *x) {
    for (int part = x->table ? PART_COLUMN : PART_ROW; part < PART_CODE; part++) {
        const struct label *l = x->label[part] ? &e->labels[x->label[part]] : NULL;
        for (size_t k = 0; l && k < l->count; k++)
            if (!word_statistic(e->pool[l->first + k]))
                return true;
    }
    return false;
}

/* Several of a cell under the same labels: a later cell that showed as many replaced each by its own. */
static void judge_in_order(struct evidence *e, const struct alike *a, unsigned cell) {
    const uint32_t *list = a->items.list;
    size_t newest = a->items.count, end;
    while (newest > 0 && e->items[list[newest - 1]].cell == cell)
        newest--;
    size_t as_many = a->items.count - newest;
    for (size_t k = 0; k < newest; k = end) {
        for (end = k; end < newest && e->items[list[end]].cell == e->items[list[k]].cell; end++)
            ;
        for (size_t m = k; m < end && end - k == as_many; m++)
            e->items[list[m]].stale = replaces(&e->items[list[newest + m - k]], &e->items[list[m]]);
    }
}

/* Numbers with the same labels: several of one cell say little, those of earlier cells are replaced.
 * The two readings of "1,234" are one number. */
static void judge_alike(struct evidence *e, struct alike *a) {
    const uint32_t *list = a->items.list;
    size_t in_last = 0, same = 0, count = a->items.count;
    const struct evidence_item *last = count ? &e->items[list[0]] : NULL;
    for (size_t k = 0; k < count; k++)
        if (e->items[list[k]].cell > last->cell)
            last = &e->items[list[k]];
    for (size_t k = 0; k < count; k++) {
        struct evidence_item *x = &e->items[list[k]];
        in_last += x->cell == last->cell && x->position != last->position;
        same = k && e->items[list[k - 1]].cell == x->cell ? same + 1 : 0;
        x->many = same >= FEW_ALIKE;
        x->stale = false;
    }
    for (size_t k = count; k-- > 1;) /* all of them, not only those past the few */
        if (e->items[list[k]].many && e->items[list[k - 1]].cell == e->items[list[k]].cell)
            e->items[list[k - 1]].many = true;
    for (size_t k = 0; k < count && !in_last; k++)
        e->items[list[k]].stale = replaces(last, &e->items[list[k]]);
    if (in_last)
        judge_in_order(e, a, last->cell);
    a->judged = true;
}

/* What all its words are, wherever they stand: a later cell may write the same otherwise. */
static uint64_t all_names_of(const struct evidence *e, const struct evidence_item *x) {
    struct words w = {0};
    uint64_t sum = 0;
    for (int part = 0; part < PART_CODE; part++) {
        const struct label *l = x->label[part] ? &e->labels[x->label[part]] : NULL;
        for (size_t k = 0; l && k < l->count; k++)
            words_put(&w, e->pool[l->first + k]);
    }
    for (unsigned k = 0; k < w.count; k++) {
        uint64_t h = w.hash[k] * 0x9e3779b97f4a7c15u;
        sum += h ^ h >> 29;
    }
    return sum;
}

/* By what a later number would have to agree with it, to replace it; false: nothing replaces it. */
static bool alike_key(const struct evidence *e, const struct evidence_item *x,
                      uint32_t key[PARTS]) {
    bool shape = x->counted && x->stream == EVIDENCE_DATAFRAME;
    if (!x->cell || (x->counted && !shape) || x->stream > EVIDENCE_DATAFRAME ||
        !(x->label[PART_ROW] | x->label[PART_COLUMN] | x->label[PART_LINE] | x->label[PART_CODE]))
        return false;
    uint64_t names = all_names_of(e, x);
    key[PART_ROW] = (uint32_t)names;
    key[PART_COLUMN] = (uint32_t)(names >> 32);
    key[PART_LINE] = x->num.places > 0 && fabsl(x->value) <= 1; /* a share is no amount */
    key[PART_CODE] = x->label[PART_CODE];
    if (!shape && x->statement)
        key[PART_CODE] = says_enough(e, x) ? 0 : x->statement;
    return true;
}

static uint32_t *alike_slot(const struct evidence_index *x, const uint32_t key[PARTS]) {
    uint32_t h = 2166136261u;
    for (int part = 0; part < PARTS; part++)
        h = (h ^ key[part]) * 16777619u;
    size_t at = (h ^ h >> 15) & (x->table_room - 1);
    while (x->alike_table[at] &&
           memcmp(x->alike[x->alike_table[at] - 1].label, key, sizeof x->alike->label) != 0)
        at = (at + 1) & (x->table_room - 1);
    return &x->alike_table[at];
}

static int grow_alike(struct evidence_index *x) {
    struct alike *list = list_grow(x->alike, x->alike_count, &x->alike_room, sizeof *list);
    if (!list)
        return -ENOMEM;
    x->alike = list;
    if (x->alike_count * 2 < x->table_room)
        return 0;
    size_t room = x->table_room ? x->table_room * 2 : 256;
    uint32_t *table = calloc(room, sizeof *table);
    if (!table)
        return -ENOMEM;
    free(x->alike_table);
    x->alike_table = table;
    x->table_room = room;
    for (size_t i = 0; i < x->alike_count; i++)
        *alike_slot(x, x->alike[i].label) = (uint32_t)i + 1;
    return 0;
}

static int index_alike(struct evidence *e, size_t item) {
    struct evidence_index *x = &e->index;
    uint32_t key[PARTS];
    e->items[item].stale = e->items[item].many = false;
    if (!alike_key(e, &e->items[item], key))
        return 0;
    if (grow_alike(x) < 0)
        return -ENOMEM;
    uint32_t *slot = alike_slot(x, key);
    if (!*slot) {
        x->alike[x->alike_count] = (struct alike){.judged = true};
        memcpy(x->alike[x->alike_count].label, key, sizeof key);
        *slot = (uint32_t)++x->alike_count;
    }
    x->alike[*slot - 1].judged = false;
    return index_put(&x->alike[*slot - 1].items, (uint32_t)item);
}

static void judge_all_alike(struct evidence *e) {
    for (size_t i = 0; i < e->index.alike_count; i++)
        if (!e->index.alike[i].judged)
            judge_alike(e, &e->index.alike[i]);
}

/* --- the whole --- */

static int index_item(struct evidence *e, size_t item) {
    struct evidence_index *x = &e->index;
    const struct evidence_item *i = &e->items[item];
    int r = sizes_add(&x->all, i, item);
    if (r == 0 && i->stream >= EVIDENCE_TOOL)
        r = sizes_add(&x->data, i, item);
    for (int part = 0; r == 0 && part < PARTS; part++)
        if (i->label[part])
            r = index_put(&x->items[i->label[part]], (uint32_t)item);
    return r == 0 ? index_alike(e, item) : r;
}

int evidence_seal(struct evidence *e) {
    struct evidence_index *x = &e->index;
    if (e->sealed)
        return 0;
    int r = index_labels(e);
    for (; r == 0 && x->items_read < e->count; x->items_read++)
        r = index_item(e, x->items_read);
    if (r == 0)
        r = sizes_sort(&x->all);
    if (r == 0)
        r = sizes_sort(&x->data);
    if (r == 0)
        r = index_literals(e);
    if (r == 0)
        judge_all_alike(e);
    else
        index_done(x); /* half an index: made anew next time */
    e->sealed = r == 0;
    return r;
}

struct evidence_mark evidence_mark(const struct evidence *e) {
    return (struct evidence_mark){e->count, e->literals.count, e->code.used_count, e->typed.count};
}

/* The newest of every list it is in. */
static void index_drop(struct evidence *e, size_t item) {
    struct evidence_index *x = &e->index;
    const struct evidence_item *i = &e->items[item];
    uint32_t key[PARTS];
    for (int part = 0; part < PARTS; part++)
        if (i->label[part])
            x->items[i->label[part]].count--;
    if (!alike_key(e, i, key))
        return;
    struct alike *a = &x->alike[*alike_slot(x, key) - 1];
    a->items.count--;
    a->judged = false;
}

int evidence_take_back(struct evidence *e, const struct evidence_mark *mark) {
    struct evidence_index *x = &e->index;
    while (x->items_read > mark->items)
        index_drop(e, --x->items_read);
    sizes_cut(&x->all, mark->items);
    sizes_cut(&x->data, mark->items);
    evidence_unask(e, mark->items);
    e->count = mark->items;
    e->literals.count = mark->literals;
    e->code.used_count = mark->used;
    e->typed.count = mark->typed;
    x->literal_count = SIZE_MAX; /* sort them again */
    free(e->question_text);
    e->question_text = NULL;
    e->question = (struct words){0};
    e->sealed = false;
    return evidence_seal(e);
}
