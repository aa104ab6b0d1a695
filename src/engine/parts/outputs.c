#include "engine/parts/outputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/scope.h"

void outputs_init(struct outputs *all, struct account *account) {
    *all = (struct outputs){.account = account};
    for (unsigned i = 0; i < OUTPUTS; i++)
        all->ring[i].fd = -1;
}

static enum account_kind kind_of(const struct output *o) {
    return o->fd >= 0 ? ACCOUNT_STORED_OUTPUT : ACCOUNT_OUTPUT;
}

static void output_clear(struct outputs *all, struct output *o) {
    if (o->cell > all->gone)
        all->gone = o->cell;
    if (o->cell)
        account_sub(all->account, kind_of(o), o->len);
    free(o->name);
    free(o->data);
    if (o->cell)
        fd_done(&o->fd);
    *o = (struct output){.fd = -1};
}

void outputs_done(struct outputs *all) {
    for (unsigned i = 0; i < OUTPUTS; i++)
        output_clear(all, &all->ring[i]);
}

static struct output *output_next(struct outputs *all) {
    struct output *o = &all->ring[all->count++ % OUTPUTS];
    output_clear(all, o);
    return o;
}

static unsigned long_ones(const struct outputs *all) {
    unsigned n = 0;
    for (unsigned i = 0; i < OUTPUTS; i++)
        n += all->ring[i].fd >= 0;
    return n;
}

/* The other half is for the cell that runs next. */
static bool too_much(const struct outputs *all) {
    const struct account *a = all->account;
    return account_used(a, ACCOUNT_OUTPUT) > a->limit[ACCOUNT_OUTPUT] ||
           account_used(a, ACCOUNT_STORED_OUTPUT) > a->limit[ACCOUNT_STORED_OUTPUT] / 2 ||
           long_ones(all) > KEPT_STREAMS;
}

/* Gives up the oldest first, and the new one too if that is not enough. */
static void outputs_make_room(struct outputs *all, bool recorded) {
    for (unsigned i = 0; i < OUTPUTS && too_much(all); i++) {
        struct output *o = &all->ring[(all->count + i) % OUTPUTS];
        if (o->cell && !recorded)
            all->lost = true;
        output_clear(all, o);
    }
}

void outputs_keep(struct outputs *all, unsigned cell, enum retort_stream stream,
                  struct stream *from, bool recorded) {
    if (!from->total)
        return;
    struct output *o = output_next(all);
    *o = (struct output){.cell = cell, .stream = stream, .fd = -1};
    if (from->store >= 0) { /* which is counted already */
        o->fd = take_fd(&from->store);
        o->len = from->stored;
        outputs_make_room(all, recorded);
        return;
    }
    /* Head and tail are all of it, unless there was no room to store the middle. */
    size_t head = from->head.len, tail = stream_truncated(from) ? 0 : from->tail_len;
    if (!(o->data = malloc(head + tail + 1)))
        return;
    if (head)
        memcpy(o->data, from->head.data, head);
    if (tail)
        memcpy(o->data + head, from->tail, tail);
    o->len = head + tail;
    account_add(all->account, ACCOUNT_OUTPUT, o->len);
    outputs_make_room(all, recorded);
}

void outputs_keep_plot(struct outputs *all, unsigned cell, const char *name, const char *data,
                       size_t len, bool recorded) {
    struct output *o = output_next(all);
    *o = (struct output){.cell = cell, .fd = -1, .name = strdup(name), .data = malloc(len + 1)};
    if (o->data) {
        memcpy(o->data, data, len);
        o->len = len;
    }
    account_add(all->account, ACCOUNT_OUTPUT, o->len);
    outputs_make_room(all, recorded);
}

bool outputs_plot_gone(const struct outputs *all, const char *name) {
    unsigned cell;
    return sscanf(name, ".plots/cell%u-", &cell) == 1 && cell <= all->gone;
}

const struct output *outputs_find(const struct outputs *all, unsigned cell,
                                  enum retort_stream stream, const char *name) {
    for (unsigned i = 0; i < OUTPUTS; i++) {
        const struct output *o = &all->ring[i];
        if (name ? o->name && strcmp(o->name, name) == 0
                 : o->cell == cell && o->stream == stream && !o->name)
            return o;
    }
    return NULL;
}

size_t range_within(struct range r, uint64_t total) {
    uint64_t left = r.offset < total ? total - r.offset : 0;
    return left < r.length ? (size_t)left : r.length;
}

int output_part(const struct output *o, struct range range, struct excerpt *ret) {
    size_t want = range_within(range, o->len);
    char *data = malloc(want + 1);
    if (!data)
        return -ENOMEM;
    ssize_t n = (ssize_t)want;
    if (o->data)
        memcpy(data, o->data + (want ? range.offset : 0), want);
    else
        n = pread(o->fd, data, want, (off_t)range.offset);
    data[n > 0 ? n : 0] = 0;
    *ret = (struct excerpt){.data = data, .len = n > 0 ? (size_t)n : 0, .total = o->len};
    return 0;
}
