/* Output and unsaved plots of past cells, so that they can be read by range afterwards. The last
 * few dozen are kept here, as far as they have room on the session's account; those of a recorded
 * session are found in its ledger. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/maxima.h"
#include "base/scope.h"
#include "engine/cell.h"
#include "ledger/ledger.h"

static enum account_kind kind_of(const struct output *o) {
    return o->fd >= 0 ? ACCOUNT_STORED_OUTPUT : ACCOUNT_OUTPUT;
}

static void output_clear(struct retort_session *s, struct output *o) {
    if (o->cell > s->outputs_gone)
        s->outputs_gone = o->cell;
    if (o->cell)
        account_sub(&s->account, kind_of(o), o->len);
    free(o->name);
    free(o->data);
    if (o->cell)
        fd_done(&o->fd);
    *o = (struct output){.fd = -1};
}

void output_done(struct retort_session *s) {
    for (unsigned i = 0; i < OUTPUTS; i++)
        output_clear(s, &s->outputs[i]);
}

static struct output *output_next(struct retort_session *s) {
    struct output *o = &s->outputs[s->noutputs++ % OUTPUTS];
    output_clear(s, o);
    return o;
}

static unsigned long_ones(const struct retort_session *s) {
    unsigned n = 0;
    for (unsigned i = 0; i < OUTPUTS; i++)
        n += s->outputs[i].fd >= 0;
    return n;
}

/* The other half is for the cell that runs next. */
static bool too_much(const struct retort_session *s) {
    const struct account *a = &s->account;
    return account_used(a, ACCOUNT_OUTPUT) > a->limit[ACCOUNT_OUTPUT] ||
           account_used(a, ACCOUNT_STORED_OUTPUT) > a->limit[ACCOUNT_STORED_OUTPUT] / 2 ||
           long_ones(s) > KEPT_STREAMS;
}

/* The oldest go first, and the new one too if there is no other way. */
static void make_room(struct retort_session *s) {
    for (unsigned i = 0; i < OUTPUTS && too_much(s); i++) {
        struct output *o = &s->outputs[(s->noutputs + i) % OUTPUTS];
        if (o->cell && !s->recorded)
            s->given_up |= GAVE_OUTPUT;
        output_clear(s, o);
    }
}

void output_keep(struct retort_session *s, unsigned cell, enum retort_stream stream,
                 struct stream *from) {
    if (!from->total)
        return;
    struct output *o = output_next(s);
    *o = (struct output){.cell = cell, .stream = stream, .fd = -1};
    if (from->store >= 0) { /* which is counted already */
        o->fd = take_fd(&from->store);
        o->len = from->stored;
        make_room(s);
        return;
    }
    /* All of it is in head and tail, unless there was no room to store more than those. */
    size_t head = from->head.len, tail = stream_truncated(from) ? 0 : from->tail_len;
    if (!(o->data = malloc(head + tail + 1)))
        return;
    if (head)
        memcpy(o->data, from->head.data, head);
    if (tail)
        memcpy(o->data + head, from->tail, tail);
    o->len = head + tail;
    account_add(&s->account, ACCOUNT_OUTPUT, o->len);
    make_room(s);
}

void output_keep_plot(struct retort_session *s, unsigned cell, const char *name, const char *data,
                      size_t len) {
    struct output *o = output_next(s);
    *o = (struct output){.cell = cell, .fd = -1, .name = strdup(name), .data = malloc(len + 1)};
    if (o->data) {
        memcpy(o->data, data, len);
        o->len = len;
    }
    account_add(&s->account, ACCOUNT_OUTPUT, o->len);
    make_room(s);
}

bool output_plot_gone(const struct retort_session *s, const char *name) {
    unsigned cell;
    return sscanf(name, ".plots/cell%u-", &cell) == 1 && cell <= s->outputs_gone;
}

const struct output *output_find(const struct retort_session *s, unsigned cell,
                                 enum retort_stream stream, const char *name) {
    for (unsigned i = 0; i < OUTPUTS; i++) {
        const struct output *o = &s->outputs[i];
        if (name ? o->name && strcmp(o->name, name) == 0
                 : o->cell == cell && o->stream == stream && !o->name)
            return o;
    }
    return NULL;
}

int output_part(const struct output *o, uint64_t offset, size_t length, char **ret_data,
                size_t *ret_len) {
    uint64_t left = offset < o->len ? o->len - offset : 0;
    size_t want = left < length ? (size_t)left : length;
    char *data = malloc(want + 1);
    if (!data)
        return -ENOMEM;
    ssize_t n = (ssize_t)want;
    if (o->data)
        memcpy(data, o->data + (want ? offset : 0), want);
    else
        n = pread(o->fd, data, want, (off_t)offset);
    data[n > 0 ? n : 0] = 0;
    *ret_data = data;
    *ret_len = n > 0 ? (size_t)n : 0;
    return 0;
}

/* --- from the ledger --- */

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
static int find_outcome(struct ledger *l, const char *id, struct wanted *w, struct err *err) {
    scoped_free struct ledger_part *parts = NULL;
    size_t count = 0;
    int r = ledger_lineage(l, id, &parts, &count, err);
    for (size_t i = 0; r == 0 && i < count; i++) {
        w->session = parts[i].session;
        r = ledger_entries(l, parts[i].session, 1, parts[i].last, look_at, w, err);
    }
    return r;
}

static int gone(struct err *err) {
    return err_set(err, ERR_CALLER, ENODATA, "the output of this cell is not kept any more");
}

static int read_recorded(struct retort_session *s, unsigned cell, enum retort_stream stream,
                         uint64_t offset, size_t length, char **ret_data, size_t *ret_len,
                         uint64_t *ret_total, struct err *err) {
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
    *ret_total = o.len;
    return output_part(&o, offset, length, ret_data, ret_len);
}

static int output_read(struct retort_session *s, unsigned cell, enum retort_stream stream,
                       uint64_t offset, size_t length, char **ret_data, size_t *ret_len,
                       uint64_t *ret_total, struct err *err) {
    static const struct output nothing = {.data = "", .fd = -1};
    if (cell == 0 || cell > s->cells || (stream != RETORT_STDOUT && stream != RETORT_STDERR))
        return err_set(err, ERR_CALLER, EINVAL, "the session has no such cell or stream");
    const struct output *o = output_find(s, cell, stream, NULL);
    length = length < MAX_FRAME ? length : MAX_FRAME;
    if (!o && cell <= s->outputs_gone)
        return read_recorded(s, cell, stream, offset, length, ret_data, ret_len, ret_total, err);
    if (!o)
        o = &nothing;
    *ret_total = o->len;
    int r = output_part(o, offset, length, ret_data, ret_len);
    return r < 0 ? err_set(err, ERR_HOST, -r, "cannot read the output") : 0;
}

int retort_output_read(struct retort_session *s, unsigned cell, enum retort_stream stream,
                       uint64_t offset, size_t length, char **ret_data, size_t *ret_len,
                       uint64_t *ret_total, struct retort_error *error) {
    struct err err = ERR_INIT;
    pthread_mutex_lock(&s->lock);
    int r = output_read(s, cell, stream, offset, length, ret_data, ret_len, ret_total, &err);
    pthread_mutex_unlock(&s->lock);
    return api_error(error, &err, r);
}
