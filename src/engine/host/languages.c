#include "engine/host/languages.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"

static const struct cell_language languages[] = {
#define INTERPRETER(id, name, names, program, package, guest, comes) \
    {name, names, LANG_##id, comes, name},
#define MODULE(name, names, interpreter, comes) {name, names, LANG_##interpreter, comes, name},
#define SERVICE(id, program, package, guest) {"", "", LANG_##id, COMES_SAVED, ""},
#define FURTHER(id, name, of, read_as, program, package, guest, comes) \
    {name, "", LANG_##id, comes, read_as},
#define FURTHER_MODULE(name, read_as, interpreter, comes) \
    {name, "", LANG_##interpreter, comes, read_as},
#include "wire/languages.def"
#undef INTERPRETER
#undef MODULE
#undef SERVICE
#undef FURTHER
#undef FURTHER_MODULE
};
#define COUNT (sizeof languages / sizeof *languages)

const struct cell_language *language_of(enum language interpreter) {
    size_t i = 0;
    while (languages[i].interpreter != interpreter)
        i++;
    return &languages[i];
}

bool language_is_module(const struct cell_language *l) {
    return l != language_of(l->interpreter);
}

bool language_is_further(const struct cell_language *l) {
    return interpreter_rows[l->interpreter].kind != l->interpreter;
}

static bool among(const char *words, const char *name, size_t len) {
    for (size_t n; *words; words += n + (words[n] == ' ')) {
        n = strcspn(words, " ");
        if (n == len && memcmp(words, name, len) == 0)
            return true;
    }
    return false;
}

const struct cell_language *language_find(const char *name, size_t len) {
    for (size_t i = 0; i < COUNT; i++)
        if (among(languages[i].name, name, len) || among(languages[i].aliases, name, len))
            return &languages[i];
    return NULL;
}

int language_parse(const char *name, const struct cell_language **ret, struct retort_error *err) {
    const struct cell_language *l =
        name ? language_find(name, strlen(name)) : language_of(LANG_PYTHON);
    scoped_buf names = BUF_INIT(200);
    if (l) {
        *ret = l;
        return 0;
    }
    size_t count = 0;
    while (count < COUNT && languages[count].name[0]) /* services have none, and end the list */
        count++;
    for (size_t i = 0; i < count; i++)
        buf_printf(&names, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " and ", languages[i].name);
    return err_set(err, ERR_CALLER, EINVAL, "unknown language %.40s: there are %s", name,
                   names.data ? names.data : "");
}

const struct cell_language *language_magic(const char *code, size_t len, size_t *ret_rest) {
    size_t end = 2, rest;
    if (len < 2 || memcmp(code, "%%", 2) != 0)
        return NULL;
    while (end < len && (code[end] >= 'a' && code[end] <= 'z'))
        end++;
    for (rest = end; rest < len && (code[rest] == ' ' || code[rest] == '\t' || code[rest] == '\r');)
        rest++;
    if (rest < len && code[rest] != '\n')
        return NULL;
    *ret_rest = rest;
    return language_find(code + 2, end - 2);
}

int language_choose(const char *named, const char **code, size_t *len,
                    const struct cell_language **inout, struct retort_error *err) {
    size_t rest = 0;
    const struct cell_language *magic = named ? NULL : language_magic(*code, *len, &rest);
    int r = named ? language_parse(named, inout, err) : 0;
    if (magic && magic != *inout) {
        *inout = magic;
        *code += rest;
        *len -= rest;
    }
    return r;
}
