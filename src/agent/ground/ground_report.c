/* A grounding report in JSON, and in words for the model that has to repair its answer. */
#include "agent/ground/ground.h"

#include <stdio.h>

const char *ground_verdict_name(enum ground_verdict verdict) {
    static const char *const names[] = {"grounded", "derived",      "counted",  "question",
                                        "method",   "contradicted", "mismatch", "stale",
                                        "asserted", "unverified"};
    return names[verdict];
}

static void set_place(json_t *o, const struct evidence *e, const struct evidence_item *i) {
    if (i->cell)
        json_object_set_new(o, "cell", json_integer(i->cell));
    json_object_set_new(o, "stream", json_string(evidence_stream_name(i->stream)));
    json_object_set_new(o, "position", json_integer((json_int_t)i->position));
    if (*evidence_place(e, i))
        json_object_set_new(o, "name", json_string(evidence_place(e, i)));
    json_object_set_new(o, "evidence", json_real((double)i->value));
}

/* What stood before it on its line, with the blanks of a table as one each. */
static int report_before(const struct evidence_item *i, struct buf *out) {
    const char *line = strrchr(i->before, '\n');
    const char *s = line ? line + 1 : i->before;
    bool cut = !line && strlen(i->before) == EVIDENCE_CONTEXT;
    int r = 0;
    while (cut && *s && *s != ' ') /* half a word */
        s++;
    s += strspn(s, " ");
    if (strlen(s) < 2)
        return 0;
    r = buf_printf(out, ", after \"%s", cut ? "… " : "");
    for (; r == 0 && *s; s++)
        if (*s != ' ' || s[1] != ' ')
            r = buf_add(out, s, 1);
    return r < 0 ? r : buf_adds(out, "\"");
}

/* "32.5 in cell 2, after "mean price: "" */
static int report_describe(const struct evidence *e, const struct evidence_item *i,
                           long double factor, struct buf *out) {
    int r = buf_printf(out, "%.10Lg%s", i->value * factor, factor == 1 ? "" : " (in this unit)");
    if (r == 0 && i->cell)
        r = buf_printf(out, " in cell %u", i->cell);
    else if (r == 0 && *evidence_place(e, i))
        r = buf_printf(out, " in %s", evidence_place(e, i));
    return r < 0 ? r : report_before(i, out);
}

static int reason(const struct grounding *g, const struct evidence *e, struct buf *out) {
    static const char *const texts[] = {
        [GROUND_GROUNDED] = "ran: ",
        [GROUND_DERIVED] = "follows: ",
        [GROUND_COUNTED] = "so many are there: ",
        [GROUND_QUESTION] = "stands in the question",
        [GROUND_METHOD] = "a constant of the method",
        [GROUND_CONTRADICTED] = "is not what the evidence about this says: ",
        [GROUND_MISMATCH] = "ran as something else: ",
        [GROUND_STALE] = "was replaced by a later cell: ",
        [GROUND_ASSERTED] = "stands as a literal in the code and was not computed",
        [GROUND_UNVERIFIED] = "was not computed",
    };
    if (g->expression && !ground_flagged(g->verdict))
        return buf_printf(out, "filled in by the session: %s is %.10Lg", g->expression,
                          g->item->value);
    bool data = g->verdict == GROUND_GROUNDED && g->item && g->item->stream == EVIDENCE_CODE;
    int r = buf_adds(out, data ? "stands in the code as data: " : texts[g->verdict]);
    const struct evidence_item *shown = g->verdict == GROUND_CONTRADICTED ? g->rival : g->item;
    if (r < 0 || g->verdict == GROUND_QUESTION || g->verdict == GROUND_METHOD ||
        g->verdict == GROUND_ASSERTED)
        return r;
    if (g->formula[0])
        return buf_adds(out, g->formula);
    if (shown)
        return report_describe(e, shown, g->factor != 0 ? g->factor : 1, out);
    if (g->verdict == GROUND_UNVERIFIED && g->rival) {
        r = buf_adds(out, "; nearest is ");
        return r < 0 ? r : report_describe(e, g->rival, g->factor != 0 ? g->factor : 1, out);
    }
    return 0;
}

static json_t *claim_json(const struct grounding *g, const struct evidence *e, const char *answer) {
    json_t *o = json_object();
    json_t *text = json_stringn(answer + g->claim.start, g->claim.len);
    scoped_buf why = BUF_INIT(1000);
    json_object_set_new(o, "text", text ? text : json_string("?"));
    json_object_set_new(o, "value", json_real((double)g->claim.value));
    json_object_set_new(o, "start", json_integer((json_int_t)g->claim.start));
    json_object_set_new(o, "end",
                        json_integer((json_int_t)g->claim.start + (json_int_t)g->claim.len));
    json_object_set_new(o, "verdict", json_string(ground_verdict_name(g->verdict)));
    if (g->verdict == GROUND_GROUNDED)
        json_object_set_new(o, "strength", json_string(g->meaning ? "meaning" : "value"));
    if (reason(g, e, &why) == 0 && why.data) {
        json_t *words = json_string(why.data);
        json_object_set_new(o, "reason", words ? words : json_string("?"));
    }
    if (g->expression)
        json_object_set_new(o, "expression", json_string(g->expression));
    if (g->item)
        set_place(o, e, g->item);
    if (g->formula[0])
        json_object_set_new(o, "formula", json_string(g->formula));
    if (g->rival) {
        json_t *near = json_object();
        set_place(near, e, g->rival);
        json_object_set_new(o, "nearest", near);
    }
    return o;
}

json_t *ground_json(const struct ground_report *report, const struct evidence *e,
                    const char *answer) {
    json_t *list = json_array();
    for (size_t i = 0; i < report->count; i++)
        json_array_append_new(list, claim_json(&report->list[i], e, answer));
    return list;
}

/* What helps: to print it with a label, to say what it is, or to take the newer one. */
static const char *report_help(const struct grounding *g) {
    switch (g->verdict) {
    case GROUND_CONTRADICTED:
    case GROUND_MISMATCH: return "; say what it is in the words it was printed with, or correct it";
    case GROUND_STALE: return "; take the newer number";
    case GROUND_ASSERTED: return "; compute it from the data";
    default: return "; compute it in code and print it with a label";
    }
}

int ground_advice(const struct ground_report *report, const struct evidence *e, const char *answer,
                  struct buf *out) {
    for (size_t i = 0; i < report->count; i++) {
        const struct grounding *g = &report->list[i];
        if (!ground_flagged(g->verdict))
            continue;
        int r = buf_printf(out, "- %.*s ", (int)g->claim.len, answer + g->claim.start);
        if (r == 0)
            r = reason(g, e, out);
        if (r == 0)
            r = buf_printf(out, "%s.\n", report_help(g));
        if (r < 0)
            return r;
    }
    return 0;
}
