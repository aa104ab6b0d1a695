/* Checks a proposed answer: the session fills in placeholders, then the checks run. */
#include "agent/run/agent_run.h"

#include "agent/claims/template.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/toolschema.h"
#include "base/unconst.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct finish {
    struct run *run;
    const char *answer;
    struct ground_filled filled; /* filled in by the session; owns its spans */
    struct buf advice;           /* for the model; empty when there is nothing to repair */
    json_t *provenance;
    json_t *unproved; /* the checks that did not pass, whether they are to be repaired or not */
};

static json_t *unproved(const char *check, const char *message) {
    return json_pack("{s:s,s:o}", "check", check, "message", run_text(message, strlen(message)));
}

static void finish_fail(struct finish *f, const char *name, const char *severity,
                        const char *message) {
    run_check(f->run, "after", name, severity, false, message);
    json_array_append_new(f->unproved, unproved(name, message));
    if (strcmp(severity, "warn") != 0)
        buf_printf(&f->advice, "%s\n", message);
}

/* --- placeholders --- */

/* 1: filled in; 0: there were none; -EINVAL: they cannot be filled in; -EIO: the run was
 * stopped. */
static int finish_fill(struct run *run, const char *answer, struct ground_filled *filled,
                       struct buf *out, struct buf *problem) {
    scoped_buf code = BUF_INIT(MAX_CODE);
    int n = template_code(answer, &code);
    if (n <= 0)
        return n;
    run_emit(run, json_pack("{s:s,s:s,s:s}", "event", "action", "language", "python", "code",
                            code.data));
    if (run_review(run, "python", code.data, problem))
        return -EINVAL;
    buf_reset(problem);
    json_t *result = run_cell(run, code.data);
    if (!result)
        return -EIO;
    run_emit(run, json_pack("{s:s,s:O}", "event", "observation", "result", result));
    const json_t *values = json_object_get(result, "final");
    const json_t *e = json_object_get(result, "error");
    const char *message = json_string_value(json_object_get(e, "message"));
    json_t *spans = NULL;
    bool ok =
        json_array_size(values) == (size_t)n && template_fill(answer, values, out, &spans) == 0;
    filled->spans = spans;
    filled->cell = (unsigned)json_integer_value(json_object_get(result, "cell"));
    if (!ok)
        buf_printf(problem, "A {{…}} in the answer could not be evaluated: %s",
                   message ? message : "no value");
    json_decref(result);
    return ok ? 1 : -EINVAL;
}

/* --- checks --- */

static bool file_like(const char *s, size_t len) {
    static const char *const suffixes[] = {".png",  ".jpg",  ".svg",  ".pdf", ".csv",    ".tsv",
                                           ".json", ".xlsx", ".html", ".txt", ".parquet"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t n = strlen(suffixes[i]);
        if (len > n && strncasecmp(s + len - n, suffixes[i], n) == 0)
            return true;
    }
    return false;
}

static bool exists(const json_t *files, const char *name, size_t len) {
    const json_t *f;
    size_t i;
    if (len > 6 && strncmp(name, "/work/", 6) == 0)
        name += 6, len -= 6;
    if (len > 7 && strncmp(name, ".plots/", 7) == 0)
        return true; /* unsaved figures are in the store, not in the workspace */
    json_array_foreach(files, i, f) {
        const char *path = json_string_value(json_object_get(f, "path"));
        if (!path)
            continue;
        size_t n = strlen(path);
        if (n == len && memcmp(path, name, len) == 0)
            return true;
        if (n > len && path[n - len - 1] == '/' && memcmp(path + n - len, name, len) == 0)
            return true;
    }
    return false;
}

static void check_files(struct finish *f) {
    json_t *files = f->run->runner->files(f->run->runner->user);
    size_t named = 0, missing = 0;
    const char *s = f->answer;
    while (files && *s) {
        size_t n = strcspn(s, " \t\r\n()[]{}\"'`<>|*,;");
        size_t len = n;
        while (len && strchr(".:!?", s[len - 1]))
            len--;
        if (file_like(s, len) && !memmem(s, len, "://", 3)) {
            char message[300];
            named++;
            if (!exists(files, s, len)) {
                missing++;
                snprintf(message, sizeof message,
                         "The answer names %.*s, but there is no such file in the workspace.",
                         (int)(len < 200 ? len : 200), s);
                finish_fail(f, "files", "repair", message);
            }
        }
        s += n + (s[n] != 0);
    }
    if (named && !missing)
        run_check(f->run, "after", "files", "repair", true, NULL);
    json_decref(files);
}

/* The schema itself was checked before the run. */
static void finish_check_schema(struct finish *f) {
    char why[200],
        problem[300] = "The answer has to be JSON that fits the schema, and nothing else.";
    if (!f->run->options->schema)
        return;
    json_t *schema = json_in_text(f->run->options->schema, JSON_DECODE_ANY, NULL);
    json_t *value = json_in_text(f->answer, JSON_DECODE_ANY, NULL);
    bool ok = value && toolschema_check(schema, value, why, sizeof why) == 0;
    if (value && !ok)
        snprintf(problem, sizeof problem, "The answer does not fit its schema: %s.", why);
    if (ok)
        run_check(f->run, "after", "schema", "block", true, NULL);
    else
        finish_fail(f, "schema", "block", problem);
    json_decref(schema);
    json_decref(value);
}

static void check_tests(struct finish *f) {
    scoped_buf advice = BUF_INIT(64u << 10);
    if (!f->run->tests)
        return;
    int r = f->run->tests->run(f->run->tests->user, &advice);
    if (r > 0)
        run_check(f->run, "after", "tests", "block", true, NULL);
    else
        finish_fail(f, "tests", "block", advice.data ? advice.data : "The tests could not be run.");
}

static void check_numbers(struct finish *f) {
    static const char *const severities[] = {"repair", "block", "warn"};
    struct run *run = f->run;
    struct ground_report report;
    scoped_buf advice = BUF_INIT(64u << 10);
    if (ground_answer(&run->evidence, f->answer, &f->filled, &report) < 0) {
        finish_fail(f, "numbers", "warn", "The numbers could not be checked.");
        return;
    }
    f->provenance = ground_json(&report, &run->evidence, f->answer);
    const char *severity = severities[run->options->checks.numbers];
    /* Flags go back to the model once, all together; those that remain are marked. */
    if (run->options->checks.numbers == AGENT_REPAIR && run->told.numbers)
        severity = "warn";
    if (!report.unproved) {
        run_check(run, "after", "numbers", severity, true, NULL);
    } else {
        buf_adds(&advice, "Numbers in the answer have no proof:\n");
        ground_advice(&report, &run->evidence, f->answer, &advice);
        buf_adds(
            &advice,
            "Where a variable holds the number, write {{variable}} or {{variable:.2f}} instead.\n");
        finish_fail(f, "numbers", severity, advice.data);
        run->told.numbers = true;
    }
    ground_done(&report);
}

static void check_computed(struct finish *f) {
    if (f->run->good_cells)
        run_check(f->run, "after", "computed", "warn", true, NULL);
    else
        finish_fail(f, "computed", "warn", "Nothing was computed for this answer.");
}

/* If code was refused a question, something may be missing in the answer. */
static void finish_check_limits(struct finish *f) {
    char message[160];
    const char *breached = f->run->spent->breached;
    if (!*breached)
        return;
    snprintf(message, sizeof message, "The limit of %s was reached: the answer may be a part.",
             breached);
    finish_fail(f, "limits", "warn", message);
}

static int finish_settle(struct finish *f, bool last) {
    struct run *run = f->run;
    if (f->advice.len && !last) {
        scoped_buf text = BUF_INIT(128u << 10);
        buf_printf(&text, "The answer was not accepted.\n%sCorrect it, then answer again.",
                   f->advice.data);
        run->errors++;
        run_answer(run, text.data, false, NULL);
        run_propose(run, f->answer, json_incref(f->provenance), json_incref(f->unproved));
        return 0;
    }
    run_propose(run, f->answer, json_incref(f->provenance), json_incref(f->unproved));
    if (json_array_size(f->unproved) || run_lesson(run))
        run_final(run, f->answer, json_incref(f->provenance), json_incref(f->unproved));
    return 1;
}

int run_finish(struct run *run, const char *answer, bool last) {
    scoped_buf filled = BUF_INIT(4u << 20), problem = BUF_INIT(64u << 10);
    struct finish f = {
        .run = run, .answer = answer, .advice = BUF_INIT(128u << 10), .unproved = json_array()};
    /* Until the checks are done, this is an unchecked answer. */
    run_propose(run, answer, NULL,
                json_pack("[o]", unproved("all", "The run ended before the "
                                                 "answer was checked.")));
    int r = finish_fill(run, answer, &f.filled, &filled, &problem);
    if (r < 0 && r != -EIO)
        finish_fail(&f, "placeholders", "repair",
                    problem.len ? problem.data : "{{…}} cannot be filled in");
    if (r > 0)
        f.answer = filled.data;
    int done = 1; /* the session is gone or a budget used up, and run_cell has said so */
    if (r != -EIO) {
        check_files(&f);
        finish_check_schema(&f);
        check_tests(&f);
        check_numbers(&f);
        check_computed(&f);
        finish_check_limits(&f);
        done = finish_settle(&f, last);
    }
    json_decref(unconst(f.filled.spans));
    json_decref(f.provenance);
    json_decref(f.unproved);
    buf_done(&f.advice);
    return done;
}
