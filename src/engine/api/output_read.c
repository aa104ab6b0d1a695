#include "engine/api/output_read.h"

#include <errno.h>
#include <stdio.h>

#include "base/maxima.h"
#include "base/scope.h"
#include "ledger/ledger.h"

struct wanted {
    unsigned cell;
    const char *session; /* whose entries are being read */
    char found[LEDGER_ID_SIZE];
    uint64_t seq; /* of the cell's outcome; 0: none */
};

static int look_at(void *user, const struct ledger_entry *e) {
    struct wanted *w = user;
    if (e->kind == LEDGER_CELL_OUTCOME &&
        json_integer_value(json_object_get(e->body, "cell")) == (json_int_t)w->cell) {
        snprintf(w->found, sizeof w->found, "%s", w->session);
        w->seq = e->seq;
    }
    return 0;
}

/* The cell may be one that the session inherited. */
static int find_outcome(struct ledger *l, const char *id, struct wanted *w,
                        struct retort_error *err) {
    scoped_free struct ledger_part *parts = NULL;
    size_t count = 0;
    int r = ledger_lineage(l, id, &parts, &count, err);
    for (size_t i = 0; r == 0 && i < count; i++) {
        w->session = parts[i].session;
        r = ledger_entries(l, parts[i].session, 1, parts[i].last, look_at, w, err);
    }
    return r;
}

static int gone(struct retort_error *err) {
    return err_set(err, ERR_CALLER, ENODATA, "the output of this cell is not kept any more");
}

static int read_recorded(struct retort_session *s, unsigned cell, enum retort_stream stream,
                         struct range range, struct excerpt *ret, struct retort_error *err) {
    struct ledger *l = s->engine->ledger;
    struct wanted w = {.cell = cell};
    struct output o = {.fd = -1};
    int r = s->recorded ? find_outcome(l, s->id, &w, err) : 0;
    if (r < 0 || !w.seq)
        return r < 0 ? r : gone(err);
    const char *name = stream == RETORT_STDOUT ? "stdout" : "stderr";
    scoped_fd fd = ledger_stream(l, w.found, w.seq, name, &o.len, err);
    if (fd < 0)
        return fd;
    o.fd = fd;
    return output_part(&o, range, ret);
}

int output_read(struct retort_session *s, unsigned cell, enum retort_stream stream,
                struct range range, struct excerpt *ret, struct retort_error *err) {
    static const struct output nothing = {.data = "", .fd = -1};
    if (cell == 0 || cell > s->cells || (stream != RETORT_STDOUT && stream != RETORT_STDERR))
        return err_set(err, ERR_CALLER, EINVAL, "the session has no such cell or stream");
    const struct output *o = outputs_find(&s->outputs, cell, stream, NULL);
    range.length = range.length < MAX_FRAME ? range.length : MAX_FRAME;
    if (!o && cell <= s->outputs.gone)
        return read_recorded(s, cell, stream, range, ret, err);
    if (!o)
        o = &nothing;
    int r = output_part(o, range, ret);
    return r < 0 ? err_errno(err, ERR_HOST, -r, "cannot read the output") : 0;
}
