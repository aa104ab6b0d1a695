/* A grounding report in JSON, and in words for the model that has to repair its answer. */
#include "agent/ground/ground.h"

#include <math.h>
#include <stdio.h>

const char *ground_verdict_name(enum ground_verdict verdict) {
    static const char *const names[] = {"grounded", "derived", "question", "asserted",
                                        "unverified"};
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

static json_t *claim_json(const struct grounding *g, const struct evidence *e, const char *answer) {
    json_t *o = json_object();
    json_t *text = json_stringn(answer + g->claim.start, g->claim.len);
    json_object_set_new(o, "text", text ? text : json_string("?"));
    json_object_set_new(o, "value", json_real((double)g->claim.value));
    json_object_set_new(o, "start", json_integer((json_int_t)g->claim.start));
    json_object_set_new(o, "end",
                        json_integer((json_int_t)g->claim.start + (json_int_t)g->claim.len));
    json_object_set_new(o, "verdict", json_string(ground_verdict_name(g->verdict)));
    if (g->item)
        set_place(o, e, g->item);
    if (g->formula[0])
        json_object_set_new(o, "formula", json_string(g->formula));
    if (g->nearest) {
        json_t *near = json_object();
        set_place(near, e, g->nearest);
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

static int advise(const struct grounding *g, const struct evidence *e, const char *answer,
                  struct buf *out) {
    int len = (int)g->claim.len;
    const char *text = answer + g->claim.start;
    if (g->verdict == GROUND_ASSERTED)
        return buf_printf(out,
                          "- %.*s stands as a literal in your code and was not computed; compute "
                          "it from the data.\n",
                          len, text);
    const struct evidence_item *n = g->nearest;
    if (n && num_rounds_to(n->value, g->claim.value, g->claim.num.places))
        return buf_printf(
            out,
            "- %.*s could be one of many numbers by chance; print it with a label, and "
            "use the words of the label in the answer.\n",
            len, text);
    int r = buf_printf(out, "- %.*s was not computed", len, text);
    if (r == 0 && n && n->cell)
        r = buf_printf(out, "; nearest is %.10Lg in cell %u (%s)", n->value, n->cell,
                       evidence_stream_name(n->stream));
    else if (r == 0 && n)
        r = buf_printf(out, "; nearest is %.10Lg in %s", n->value, evidence_place(e, n));
    return r == 0 ? buf_adds(out, "; compute it in code and print it with a label.\n") : r;
}

int ground_advice(const struct ground_report *report, const struct evidence *e, const char *answer,
                  struct buf *out) {
    for (size_t i = 0; i < report->count; i++) {
        if (report->list[i].verdict <= GROUND_QUESTION)
            continue;
        int r = advise(&report->list[i], e, answer, out);
        if (r < 0)
            return r;
    }
    return 0;
}
