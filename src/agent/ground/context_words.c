#include "agent/ground/context_words.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char stop_words[] =
    " the and are for was were with that this from has have had its not but than then all any can "
    "will would into over per out our your their them they you which when what how who there these "
    "those been being also just very only about answer result value print import numpy def return "
    "round format str int float len list dict lambda true false none self range";

static uint32_t hash_word(const char *s, size_t len) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)tolower((unsigned char)s[i])) * 16777619u;
    return h;
}

static bool is_stop_word(const char *s, size_t len) {
    char word[20];
    if (len < 3 || len + 2 > sizeof word)
        return len < 3;
    word[0] = ' ';
    for (size_t i = 0; i < len; i++)
        word[i + 1] = (char)tolower((unsigned char)s[i]);
    word[len + 1] = 0;
    const char *at = strstr(stop_words, word);
    return at && (at[len + 1] == ' ' || at[len + 1] == 0);
}

static bool holds(const struct words *w, uint32_t h) {
    for (unsigned i = 0; i < w->count; i++)
        if (w->hash[i] == h)
            return true;
    return false;
}

static size_t stem(const char *s, size_t len) {
    return len > 3 && tolower((unsigned char)s[len - 1]) == 's' && s[len - 2] != 's' ? len - 1
                                                                                     : len;
}

static void add_word(struct words *w, const char *s, size_t len) {
    if (is_stop_word(s, len) || w->count == MAX_WORDS)
        return;
    uint32_t h = hash_word(s, stem(s, len));
    if (!holds(w, h))
        w->hash[w->count++] = h;
}

static bool word_byte(char c) {
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

void words_add(struct words *w, const char *text, size_t len) {
    for (size_t i = 0; i < len;) {
        size_t n = 0;
        while (
            i + n < len && word_byte(text[i + n]) &&
            !(n && isupper((unsigned char)text[i + n]) && islower((unsigned char)text[i + n - 1])))
            n++;
        if (n)
            add_word(w, text + i, n);
        i += n ? n : 1;
    }
}

unsigned words_common(const struct words *a, const struct words *b) {
    unsigned n = 0;
    for (unsigned i = 0; i < a->count; i++)
        n += holds(b, a->hash[i]);
    return n;
}

bool words_have(const struct words *w, const char *word) {
    return holds(w, hash_word(word, stem(word, strlen(word))));
}

static bool has_word(const char *text, size_t len, const char *word, size_t n) {
    for (size_t i = 0; i + n <= len; i++) {
        if ((i > 0 && word_byte(text[i - 1])) || (i + n < len && word_byte(text[i + n])))
            continue;
        if (strncasecmp(text + i, word, n) == 0)
            return true;
    }
    return false;
}

bool words_any(const char *text, size_t len, const char *list) {
    while (*list) {
        size_t n = strcspn(list, " ");
        if (n && has_word(text, len, list, n))
            return true;
        list += n + (list[n] == ' ');
    }
    return false;
}
