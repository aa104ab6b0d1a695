#include "export/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "ledger/store.h"

/* The first line of a cell in another language than the session's names its language, as in every
 * notebook. */
static char *with_magic(char *code, size_t *len, const char *language) {
    char *whole = NULL;
    if (!code || !language)
        return code;
    int n = asprintf(&whole, "%%%%%s%s%.*s", language, *len && code[0] == '\n' ? "" : "\n",
                     (int)*len, code);
    free(code);
    *len = n < 0 ? 0 : (size_t)n;
    return n < 0 ? NULL : whole;
}

char *export_code(struct ledger *l, const json_t *intent, size_t *ret_len) {
    const char *text = json_string_value(json_object_get(intent, "blob"));
    struct hash h;
    char *code = NULL;
    if (!text)
        text = json_string_value(json_object_get(json_object_get(intent, "blobs"), "code"));
    if (!text || hash_parse(text, &h) < 0 || store_get(l, &h, MAX_CODE, &code, ret_len, NULL) < 0)
        return NULL;
    return with_magic(code, ret_len, json_string_value(json_object_get(intent, "language")));
}

json_t *export_origin(struct ledger *l, const char *session, struct retort_error *err) {
    scoped_free struct ledger_part *parts = NULL;
    struct ledger_entry e;
    size_t count;
    if (ledger_lineage(l, session, &parts, &count, err) < 0 ||
        ledger_entry_get(l, parts[0].session, 1, &e, err) < 0)
        return NULL;
    return e.body;
}

json_t *export_result(struct ledger *l, const char *session, uint64_t seq) {
    json_t *result = NULL;
    return ledger_result(l, session, seq, &result, NULL) < 0 ? NULL : result;
}

bool export_is_base64(const json_t *value) {
    char *data = NULL;
    size_t len;
    bool yes = json_is_string(value) &&
               base64_bytes(json_string_value(value), json_string_length(value), &data, &len) == 0;
    free(data);
    return yes;
}

/* The length of ESC [ parameters letter; 0 if the text does not begin with one. */
static size_t colour_sequence(const char *text, size_t len) {
    size_t i = 2;
    if (len < 3 || text[0] != 27 || text[1] != '[')
        return 0;
    while (i < len && i < 32 && strchr("0123456789;:?", text[i]) && text[i])
        i++;
    return i < len && text[i] >= '@' && text[i] <= '~' ? i + 1 : 0;
}

/* U+200E, U+200F, U+202A … U+202E, U+2066 … U+2069 reverse text; all have three bytes. */
static bool turns_text(const unsigned char *t, size_t len) {
    if (len < 3 || t[0] != 0xe2)
        return false;
    return (t[1] == 0x80 && (t[2] == 0x8e || t[2] == 0x8f || (t[2] >= 0xaa && t[2] <= 0xae))) ||
           (t[1] == 0x81 && t[2] >= 0xa6 && t[2] <= 0xa9);
}

char *export_clean(const char *text, size_t len) {
    char *clean = malloc(len * 3 + 1), *out = clean;
    if (!clean)
        return NULL;
    for (size_t i = 0; i < len;) {
        const unsigned char *t = (const unsigned char *)text + i;
        size_t skip = colour_sequence(text + i, len - i), n = utf8_length(t, len - i);
        bool control = t[0] < 32 && t[0] != '\n' && t[0] != '\t';
        if (skip) {
            i += skip;
        } else if (n == 0 || control || t[0] == 127 || turns_text(t, len - i)) {
            memcpy(out, "\xef\xbf\xbd", 3);
            out += 3;
            i += n ? n : 1;
        } else {
            memcpy(out, t, n);
            out += n;
            i += n;
        }
    }
    *out = '\0';
    return clean;
}
