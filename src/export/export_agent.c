/* The agent's runs in the page of a session: the task, the steps, and the answer with the source of
 * each number. The agent wrote the notes, but their words are a model's: as hostile as what a guest
 * prints. */
#include <errno.h>
#include <string.h>

#include "export/export_page.h"

static const char *notes_text_at(const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

static json_int_t notes_number_at(const json_t *object, const char *name) {
    return json_integer_value(json_object_get(object, name));
}

static void put_words(struct page *p, const char *text) {
    put_text(p, text, strlen(text));
}

/* The event of a note that the agent wrote, or NULL. */
static json_t *agent_event(struct page *p, const struct ledger_entry *e) {
    if (e->kind != LEDGER_NOTE || !e->body ||
        strcmp(notes_text_at(e->body, "source"), "agent") != 0)
        return NULL;
    return ledger_note_event(p->l, e->body);
}

/* --- numbers --- */

enum proof { PROVED, GIVEN, UNPROVED };

static enum proof proof_of(const json_t *claim) {
    const char *verdict = notes_text_at(claim, "verdict");
    if (strcmp(verdict, "grounded") == 0 || strcmp(verdict, "derived") == 0 ||
        strcmp(verdict, "counted") == 0)
        return PROVED;
    bool given = strcmp(verdict, "question") == 0 || strcmp(verdict, "method") == 0;
    return given ? GIVEN : UNPROVED;
}

static const char *const proof_classes[] = {"ok", "given", "bad"};

/* The cell that had this number when the note was written. */
static const char *anchor_of(const struct page *p, const json_t *place) {
    char key[24];
    snprintf(key, sizeof key, "%lld", (long long)notes_number_at(place, "cell"));
    return json_string_value(json_object_get(p->cells, key));
}

static void put_raised(struct page *p, const char *text, const char *title) {
    fputs("<sup title=\"", p->out);
    put_words(p, title);
    fputs("\">", p->out);
    put_words(p, text);
    fputs("</sup>", p->out);
}

static void put_number(struct page *p, const json_t *claim, const char *text, size_t len) {
    enum proof proof = proof_of(claim);
    const char *anchor = proof == PROVED ? anchor_of(p, claim) : NULL;
    fprintf(p->out, "<span class=\"number %s\">", proof_classes[proof]);
    put_text(p, text, len);
    if (anchor)
        fprintf(p->out, "<sup><a href=\"#%s\">%lld</a></sup>", anchor,
                (long long)notes_number_at(claim, "cell"));
    else if (*notes_text_at(claim, "formula"))
        put_raised(p, "=", notes_text_at(claim, "formula"));
    /* In words, because colour alone does not print, and not everybody sees it. */
    if (proof == UNPROVED)
        put_raised(p, notes_text_at(claim, "verdict"), notes_text_at(claim, "reason"));
    fputs("</span>", p->out);
}

/* The claims must be in order and must not overlap; a claim that is not is left unmarked. */
static void put_answer(struct page *p, const json_t *answer, const json_t *claims) {
    const char *text = json_string_value(answer);
    size_t len = json_string_length(answer), at = 0, i;
    json_t *claim;
    fputs("<p class=\"answer\">", p->out);
    json_array_foreach(claims, i, claim) {
        json_int_t start = notes_number_at(claim, "start"), end = notes_number_at(claim, "end");
        if (start < (json_int_t)at || end <= start || end > (json_int_t)len)
            continue;
        put_text(p, text + at, (size_t)start - at);
        put_number(p, claim, text + start, (size_t)(end - start));
        at = (size_t)end;
    }
    put_text(p, text ? text + at : "", len - at);
    fputs("</p>\n", p->out);
}

static void put_place(struct page *p, const json_t *place) {
    const char *anchor = anchor_of(p, place);
    long long cell = (long long)notes_number_at(place, "cell");
    if (anchor)
        fprintf(p->out, "<a href=\"#%s\">cell %lld</a> ", anchor, cell);
    else if (cell)
        fprintf(p->out, "cell %lld ", cell);
    put_words(p, notes_text_at(place, "stream"));
    if (*notes_text_at(place, "name")) {
        fputs(", ", p->out);
        put_words(p, notes_text_at(place, "name"));
    }
    if (json_is_number(json_object_get(place, "evidence")))
        fprintf(p->out, ": %.10g", json_number_value(json_object_get(place, "evidence")));
}

static void put_claim(struct page *p, const json_t *claim) {
    const json_t *nearest = json_object_get(claim, "nearest");
    enum proof proof = proof_of(claim);
    fputs("<tr><td>", p->out);
    put_words(p, notes_text_at(claim, "text"));
    fprintf(p->out, "<td class=\"verdict %s\">", proof_classes[proof]);
    put_words(p, notes_text_at(claim, "verdict"));
    fputs("<td>", p->out);
    if (*notes_text_at(claim, "formula")) {
        put_words(p, notes_text_at(claim, "formula"));
    } else if (proof == PROVED) {
        put_place(p, claim);
    } else if (proof == GIVEN) {
        fputs("stands in the task", p->out);
    } else if (nearest) {
        fputs("nowhere; nearest: ", p->out);
        put_place(p, nearest);
    } else if (strcmp(notes_text_at(claim, "verdict"), "asserted") == 0) {
        fputs("a literal in the code, not computed", p->out);
    } else {
        fputs("nowhere", p->out);
    }
    fputs("</tr>\n", p->out);
}

static void put_claims(struct page *p, const json_t *claims) {
    json_t *claim;
    size_t i;
    if (!json_array_size(claims))
        return;
    fputs("<table><tr><th>number<th>verdict<th>from</tr>\n", p->out);
    json_array_foreach(claims, i, claim) {
        put_claim(p, claim);
    }
    fputs("</table>\n", p->out);
}

/* --- the top of the page --- */

static void put_final(struct page *p, const char *session, const struct ledger_entry *e,
                      const json_t *event) {
    const json_t *claims = json_object_get(event, "provenance"), *file;
    bool verified = json_is_true(json_object_get(event, "verified"));
    size_t i;
    fputs("<section><h2>Answer", p->out);
    put_mark(p, verified ? "ok" : "bad", verified ? "verified" : "unverified");
    fputs("</h2>\n", p->out);
    put_answer(p, json_object_get(event, "answer"), claims);
    put_claims(p, claims);
    json_array_foreach(json_object_get(event, "artifacts"), i, file) {
        fputs(i ? ", " : "<p class=\"soft\">Files: ", p->out);
        put_words(p, notes_text_at(file, "path"));
    }
    fprintf(p->out, "%s<p class=\"hash\">%s entry %llu · %s</p>\n</section>\n", i ? "</p>\n" : "",
            session, (unsigned long long)e->seq, e->hash);
}

static void put_task(struct page *p, const json_t *event) {
    const char *model = notes_text_at(event, "model");
    fputs("<section><h2>Task</h2>\n<p class=\"answer\">", p->out);
    put_words(p, notes_text_at(event, "task"));
    fputs("</p>\n<p class=\"soft\">", p->out);
    if (json_is_true(json_object_get(event, "cassette")))
        fputs("Replies of the model came from a recording.", p->out);
    else if (*model) {
        fputs("Model: ", p->out);
        put_words(p, model);
    }
    fputs("</p></section>\n", p->out);
}

static void put_stop(struct page *p, const json_t *event) {
    if (strcmp(notes_text_at(event, "reason"), "answered") == 0)
        return;
    bool answered = json_is_true(json_object_get(event, "answer"));
    fputs(answered ? "<section><h2>Stopped" : "<section><h2>No answer", p->out);
    put_mark(p, "bad", notes_text_at(event, "reason"));
    fputs("</h2><p>", p->out);
    put_words(p, notes_text_at(event, "message"));
    fputs("</p></section>\n", p->out);
}

static void drop_end(struct page_end *end) {
    json_decref(end->event);
    *end = (struct page_end){0};
}

void put_ends(struct page *p) {
    if (p->answer.event)
        put_final(p, p->answer.session, &p->answer.entry, p->answer.event);
    if (p->stop.event)
        put_stop(p, p->stop.event);
    drop_end(&p->answer);
    drop_end(&p->stop);
}

/* A run of several tries has two ends: one of the try that was kept, and one of the whole run,
 * which counts. */
static void put_end(struct page *p, const struct ledger_entry *e, json_t *event, bool final) {
    struct page_end *held = final ? &p->answer : &p->stop;
    drop_end(held);
    if (json_object_get(event, "try"))
        *held = (struct page_end){json_incref(event), p->session, *e};
    else if (final)
        put_final(p, p->session, e, event);
    else
        put_stop(p, event);
}

static void note_cell(struct page *p, const struct ledger_entry *e) {
    char key[24];
    snprintf(key, sizeof key, "%lld", (long long)notes_number_at(e->body, "cell"));
    json_object_set_new(p->cells, key,
                        json_sprintf("%s-%llu", p->session, (unsigned long long)e->seq));
}

/* The tries: the result of each, and which of them this session is. */
static void put_tries(struct page *p, const json_t *event) {
    json_int_t kept = notes_number_at(event, "kept");
    const json_t *one;
    size_t i;
    fputs("<section><h2>Tries <span class=\"soft\">judged by ", p->out);
    put_words(p, notes_text_at(event, "judge"));
    fputs("</span></h2>\n<table><tr><th>try<th>verdict<th>score<th>answer<th>session</tr>\n",
          p->out);
    json_array_foreach(json_object_get(event, "tries"), i, one) {
        const json_t *score = json_object_get(one, "score");
        const char *message = notes_text_at(one, "message");
        bool is_kept = notes_number_at(one, "try") == kept;
        fprintf(p->out, "<tr><td>%lld<td class=\"verdict %s\">",
                (long long)notes_number_at(one, "try"), is_kept ? "ok" : "soft");
        put_words(p, is_kept ? "kept" : notes_text_at(one, "verdict"));
        fputs("<td>", p->out);
        if (score)
            fprintf(p->out, "%g", json_number_value(score));
        fputs("<td>", p->out);
        put_words(p, *message ? message : notes_text_at(one, "answer"));
        fputs("<td class=\"hash\">", p->out);
        put_words(p, notes_text_at(one, "session"));
        fputs("</tr>\n", p->out);
    }
    fputs("</table></section>\n", p->out);
}

int put_summary(void *page, const struct ledger_entry *e) {
    struct page *p = page;
    if (e->kind == LEDGER_CELL_OUTCOME && e->body)
        note_cell(p, e);
    json_t *event = agent_event(p, e);
    const char *name = notes_text_at(event, "event");
    bool final = strcmp(name, "final") == 0;
    if (strcmp(name, "plan") == 0) {
        put_ends(p);
        put_task(p, event);
    } else if (final || strcmp(name, "stop") == 0) {
        put_end(p, e, event, final);
    } else if (strcmp(name, "tries") == 0) {
        put_tries(p, event);
    }
    json_decref(event);
    return ferror(p->out) ? -EIO : 0;
}

/* --- steps --- */

static void put_model(struct page *p, const json_t *event) {
    const json_t *usage = json_object_get(event, "usage");
    if (!usage)
        return;
    fprintf(p->out, "<section class=\"step\"><h2>Step %lld",
            (long long)notes_number_at(event, "step"));
    fprintf(p->out, " <span class=\"soft\">%lld + %lld tokens",
            (long long)notes_number_at(usage, "prompt_tokens"),
            (long long)notes_number_at(usage, "completion_tokens"));
    if (json_is_number(json_object_get(usage, "cost")))
        fprintf(p->out, ", cost %.6g", json_number_value(json_object_get(usage, "cost")));
    fputs("</span></h2>\n", p->out);
    put_pre(p, "soft", json_object_get(event, "thought"));
    put_pre(p, "words", json_object_get(event, "text"));
    fputs("</section>\n", p->out);
}

/* Leaves out checks that passed before the answer. */
static void put_check(struct page *p, const json_t *event) {
    bool passed = strcmp(notes_text_at(event, "verdict"), "pass") == 0;
    if (passed && strcmp(notes_text_at(event, "stage"), "after") != 0)
        return;
    fprintf(p->out, "<p class=\"check\"><span class=\"%s\">%s ", passed ? "ok" : "bad",
            passed ? "✓" : "✗");
    put_words(p, notes_text_at(event, "name"));
    fputs("</span> ", p->out);
    put_words(p, notes_text_at(event, "message"));
    fputs("</p>\n", p->out);
}

void put_review(struct page *p, const json_t *event) {
    const json_t *f;
    size_t i;
    json_array_foreach(json_object_get(event, "findings"), i, f) {
        bool note = strcmp(notes_text_at(f, "severity"), "note") == 0;
        fprintf(p->out, "<p class=\"check\"><span class=\"%s\">review: ", note ? "soft" : "bad");
        put_words(p, notes_text_at(f, "rule"));
        fprintf(p->out, "</span> line %lld: ", (long long)notes_number_at(f, "line"));
        put_words(p, notes_text_at(f, "message"));
        fputs("</p>\n", p->out);
    }
}

bool put_note(struct page *p, const struct ledger_entry *e) {
    json_t *event = agent_event(p, e);
    bool found = event != NULL;
    const char *name = notes_text_at(event, "event");
    if (strcmp(name, "model") == 0)
        put_model(p, event);
    else if (strcmp(name, "check") == 0)
        put_check(p, event);
    else if (strcmp(name, "review") == 0)
        put_review(p, event);
    json_decref(event);
    return found;
}
