#include "skills/learn.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "skills/library.h"

#define LEARN_BYTES (256 << 10)

static const char *learn_text(const json_t *value, const char *member) {
    return json_string_value(json_object_get(value, member));
}

/* --- whether the answer of the run says what the function computed --- */

/* The next number in a text, and the size of its last decimal; *text moves behind it. */
static bool next_number(const char **text, double *ret, double *ret_unit) {
    const char *s = *text;
    char digits[64];
    size_t n = 0;
    while (*s && !isdigit((unsigned char)*s))
        s++;
    bool negative = s > *text && s[-1] == '-';
    int decimals = -1;
    for (; isdigit((unsigned char)*s) ||
           (n && (*s == ',' || *s == '.') && isdigit((unsigned char)s[1]));
         s++) {
        if (*s == ',')
            continue;
        decimals = *s == '.' ? 0 : decimals >= 0 ? decimals + 1 : -1;
        if (n < sizeof digits - 1)
            digits[n++] = *s;
    }
    digits[n] = 0;
    *text = s;
    *ret = (negative ? -1 : 1) * strtod(digits, NULL);
    *ret_unit = decimals > 0 ? pow(10, -decimals) : 1;
    return n > 0;
}

/* As the number itself, or in percent. */
static bool says_number(const char *answer, double value) {
    double said, unit;
    while (next_number(&answer, &said, &unit)) {
        double most = unit / 2 + 1e-9 * fabs(value);
        if (fabs(fabs(said) - fabs(value)) <= most || fabs(said - 100 * value) <= most)
            return true;
    }
    return false;
}

static bool says_some_of(const char *answer, const json_t *value) {
    const char *key;
    json_t *one;
    size_t i;
    if (json_is_number(value))
        return says_number(answer, json_number_value(value));
    if (json_is_string(value))
        return json_string_length(value) > 1 && strstr(answer, json_string_value(value));
    json_array_foreach(value, i, one) {
        if (says_some_of(answer, one))
            return true;
    }
    json_object_foreach(unconst(value), key, one) {
        if (says_some_of(answer, one))
            return true;
    }
    return false;
}

static bool answer_says(const char *answer, const json_t *calls) {
    json_t *call;
    size_t i;
    if (!answer)
        return true;
    json_array_foreach(calls, i, call) {
        if (says_some_of(answer, json_object_get(call, "out")))
            return true;
    }
    return false;
}

/* --- which function --- */

static bool is_different(const json_t *report, const json_t *cell) {
    json_t *one;
    size_t i;
    json_array_foreach(json_object_get(report, "different"), i, one) {
        if (json_equal(json_object_get(one, "cell"), cell))
            return true;
    }
    return false;
}

/* A call of a cell that came out differently this time proves nothing. */
static void drop_different(const json_t *report, json_t *function) {
    json_t *calls = json_object_get(function, "calls");
    for (size_t i = json_array_size(calls); i-- > 0;)
        if (is_different(report, json_object_get(json_array_get(calls, i), "cell")))
            json_array_remove(calls, i);
}

static bool answers_differ(const json_t *calls) {
    const json_t *first = json_object_get(json_array_get(calls, 0), "out");
    for (size_t i = 1; i < json_array_size(calls); i++)
        if (!json_equal(first, json_object_get(json_array_get(calls, i), "out")))
            return true;
    return false;
}

/* NULL: the function can be kept. */
static const char *why_not(const struct skills_lesson *lesson, const json_t *function) {
    const json_t *calls = json_object_get(function, "calls");
    const char *about = learn_text(function, "description");
    if (!learn_text(function, "source"))
        return "it needs what is no function, import or constant of the session";
    if (!json_is_true(json_object_get(function, "steady")))
        return "it answered differently to the same arguments";
    if (!answers_differ(calls))
        return "it was not called twice with different answers that can be written as JSON";
    if (!lesson->description && (!about || !about[0]))
        return "it has no docstring that says what it is for";
    return answer_says(lesson->answer, calls) ? NULL : "the answer says nothing that it computed";
}

static int none_fits(const struct skills_lesson *lesson, const struct buf *reasons,
                     struct retort_error *err) {
    if (!reasons->len)
        return err_set(err, ERR_CALLER, ENOENT, "no function%s%.60s of %.60s was called",
                       lesson->function ? " " : "", lesson->function ? lesson->function : "",
                       lesson->session);
    return err_set(err, ERR_CALLER, EINVAL, "no function can be kept: %s", reasons->data);
}

/* The function that is named, or the last one that can be kept. */
static int choose_function(const struct skills_lesson *lesson, const json_t *report, json_t **ret,
                           struct retort_error *err) {
    scoped_buf reasons = BUF_INIT(400);
    json_t *list = json_object_get(report, "functions");
    for (size_t i = json_array_size(list); i-- > 0;) {
        json_t *one = json_array_get(list, i);
        const char *name = learn_text(one, "name"), *missing = learn_text(one, "missing");
        if (!name || (lesson->function && strcmp(name, lesson->function) != 0))
            continue;
        drop_different(report, one);
        const char *why = why_not(lesson, one);
        if (!why) {
            *ret = one;
            return 0;
        }
        buf_printf(&reasons, "%s%.60s: %s%s%.60s%s", reasons.len ? "; " : "", name, why,
                   missing ? " (" : "", missing ? missing : "", missing ? ")" : "");
    }
    return none_fits(lesson, &reasons, err);
}

/* --- its folder --- */

/* a_b becomes a-b. */
static int learn_name(const struct skills_lesson *lesson, const char *function,
                      char ret[SKILL_NAME], struct retort_error *err) {
    size_t n = 0;
    for (const char *c = lesson->name ? lesson->name : function; *c && n < SKILL_NAME - 1; c++)
        if (lesson->name || *c != '_' || (n && ret[n - 1] != '-'))
            ret[n++] = !lesson->name && *c == '_' ? '-' : (char)tolower((unsigned char)*c);
    while (n && !lesson->name && ret[n - 1] == '-')
        n--;
    ret[n] = 0;
    return library_is_name(ret) ? 0
                                : err_set(err, ERR_CALLER, EINVAL,
                                          "'%.60s' is no name for a skill: --name gives one", ret);
}

static int put_learned(struct skill_files *files, const char *path, const char *text,
                       struct retort_error *err) {
    char *copy = strdup(text);
    return copy ? skillfiles_put(files, path, copy, strlen(copy), err) : err_memory(err);
}

static int put_front(struct skill_files *files, const struct skills_lesson *lesson,
                     const char *name, const json_t *function, struct retort_error *err) {
    scoped_buf text = BUF_INIT(LEARN_BYTES);
    scoped_json *about = json_string(lesson->description ? lesson->description
                                                         : learn_text(function, "description"));
    scoped_free char *quoted = json_whole(about, JSON_ENCODE_ANY);
    int r = buf_printf(&text,
                       "---\nname: %s\ndescription: %s\n---\nThe function `%s`, as it ran in the "
                       "session %s (cell %d). Its tests are calls that were made there.\n",
                       name, quoted ? quoted : "\"\"", learn_text(function, "name"),
                       lesson->session, (int)json_integer_value(json_object_get(function, "cell")));
    return r < 0 ? err_set(err, ERR_LIMIT, EFBIG, "the description is too long")
                 : put_learned(files, "SKILL.md", text.data, err);
}

static int put_declared(struct skill_files *files, const json_t *function,
                        struct retort_error *err) {
    scoped_json *declared =
        json_pack("{s:[s],s:[]}", "functions", learn_text(function, "name"), "tests");
    json_t *call;
    size_t i;
    json_array_foreach(json_object_get(function, "calls"), i, call) {
        json_array_append_new(json_object_get(declared, "tests"),
                              json_pack("{s:O,s:O}", "in", json_object_get(call, "in"), "out",
                                        json_object_get(call, "out")));
    }
    scoped_free char *text = json_whole(declared, JSON_INDENT(2));
    return text ? put_learned(files, "skill.json", text, err) : err_memory(err);
}

/* --- the whole --- */

/* A function that the library has already is not added again. */
static int check_unknown(const struct skills_job *job, const char *name,
                         const struct skill_files *files, struct retort_error *err) {
    scoped_json *shown = NULL;
    char hash[HASH_TEXT_SIZE];
    if (skills_show(job->state, name, &shown, NULL) < 0)
        return 0;
    const char *had = learn_text(json_object_get(shown, "files"), "skill.py");
    if (!had || skillfiles_hash(skillfiles_find(files, "skill.py"), hash) < 0 ||
        strcmp(had, hash) != 0)
        return 0;
    return err_set(err, ERR_CALLER, EEXIST, "%s@%d is this function already", name,
                   (int)json_integer_value(json_object_get(shown, "version")));
}

static json_t *learn_provenance(const struct skills_lesson *lesson, const json_t *function) {
    json_t *cells = json_array(), *call;
    size_t i;
    json_array_foreach(json_object_get(function, "calls"), i, call) {
        json_array_append(cells, json_object_get(call, "cell"));
    }
    return json_pack("{s:s,s:O,s:o,s:s,s:s}", "session", lesson->session, "cell",
                     json_object_get(function, "cell"), "calls", cells, "function",
                     learn_text(function, "name"), "by", lesson->by);
}

static int add_learned(const struct skills_job *job, const struct skills_lesson *lesson,
                       const json_t *function, json_t **ret, struct retort_error *err) {
    char name[SKILL_NAME];
    struct skill_files files = {.n = 0};
    scoped_json *provenance = learn_provenance(lesson, function);
    struct skills_job with = *job;
    with.provenance = provenance;
    TRY(learn_name(lesson, learn_text(function, "name"), name, err));
    int r = put_front(&files, lesson, name, function, err);
    if (r == 0)
        r = put_declared(&files, function, err);
    if (r == 0)
        r = put_learned(&files, "skill.py", learn_text(function, "source"), err);
    if (r == 0)
        r = check_unknown(job, name, &files, err);
    if (r == 0)
        r = skills_add(&with, name, &files, ret, err);
    skillfiles_done(&files);
    return r;
}

int skills_learn(const struct skills_job *job, const struct skills_lesson *lesson, json_t **ret,
                 struct retort_error *err) {
    char *text = NULL;
    json_t *function = NULL;
    TRY(retort_calls(job->engine, lesson->session, &text, err));
    scoped_json *report = json_in_text(text, JSON_ALLOW_NUL, NULL);
    retort_free(text);
    TRY(choose_function(lesson, report, &function, err));
    TRY(add_learned(job, lesson, function, ret, err));
    json_object_set_new(*ret, "session", json_string(lesson->session));
    json_object_set(*ret, "function", json_object_get(function, "name"));
    return 0;
}

json_t *skills_learn_event(const struct skills_job *job, const struct skills_lesson *lesson,
                           struct retort_session *session) {
    struct retort_error err = ERR_INIT, unrecorded = ERR_INIT;
    json_t *learned = NULL;
    if (skills_learn(job, lesson, &learned, &err) < 0)
        learned = json_pack("{s:s}", "problem", err.message);
    scoped_json *event = learned;
    json_object_set_new(event, "event", json_string("skill"));
    scoped_free char *text = event ? json_whole(event, JSON_COMPACT) : NULL;
    if (!text)
        return NULL;
    retort_note(session, "skill", text, &unrecorded);
    return TAKE(event);
}
