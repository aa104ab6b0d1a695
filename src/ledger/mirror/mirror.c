#include "ledger/mirror/mirror.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/db.h"
#include "ledger/upkeep.h"

void ledger_mirror(struct ledger *l, const struct ledger_mirror *mirror) {
    pthread_mutex_lock(&l->lock);
    l->mirror = mirror;
    pthread_mutex_unlock(&l->lock);
}

int mirror_permit(struct ledger *l, const char *session, enum ledger_kind kind,
                  struct retort_error *err) {
    const struct ledger_mirror *m = l->mirror;
    return m ? m->permit(m->user, session, kind, err) : 0;
}

/* Names the session that it branched off, and the entry. */
static int name_parent(struct ledger *l, const struct session_row *row, struct ledger_record *r,
                       struct retort_error *err) {
    struct session_row parent;
    if (!row->parent)
        return 0;
    int found = row_find_n(l, row->parent, &parent, err);
    if (found < 0)
        return found;
    memcpy(r->parent, parent.id, sizeof r->parent);
    r->parent_seq = row->parent_seq;
    return 0;
}

static int copy_refs(const struct refs *from, struct refs *to) {
    for (size_t i = 0; i < from->count; i++) {
        if (refs_room(to) < 0)
            return -ENOMEM;
        to->hashes[to->count++] = from->hashes[i];
    }
    return 0;
}

int mirror_queue(struct ledger *l, const struct session_row *row, const struct draft *d,
                 struct retort_error *err) {
    struct outgoing *o, **end = &l->outgoing;
    if (!l->mirror || l->unmirrored)
        return 0;
    o = calloc(1, sizeof *o + d->len + 1);
    if (!o)
        return err_memory(err);
    o->record = (struct ledger_record){.seq = row->seq,
                                       .kind = d->kind,
                                       .time = d->time,
                                       .body = o->text,
                                       .len = d->len,
                                       .hash = row->head};
    memcpy(o->text, d->text, d->len);
    memcpy(o->record.salt, d->salt, SALT_SIZE);
    memcpy(o->record.session, row->id, sizeof row->id);
    while (*end)
        end = &(*end)->next;
    *end = o; /* the queue frees it from here on */
    if (copy_refs(&d->refs, &o->record.refs) < 0)
        return err_memory(err);
    return name_parent(l, row, &o->record, err);
}

struct outgoing *mirror_take(struct ledger *l) {
    struct outgoing *list = l->outgoing;
    l->outgoing = NULL;
    return list;
}

void outgoing_free(struct outgoing *entry) {
    refs_done(&entry->record.refs);
    free(entry);
}

/* True: the mirror has it. */
static bool only_announced(const struct ledger_mirror *m, struct outgoing *entry) {
    return entry->record.kind == LEDGER_CELL_INTENT && m->announce &&
           m->announce(m->user, entry) == 0;
}

int mirror_send(struct ledger *l, struct outgoing *list, int r, struct retort_error *err) {
    const struct ledger_mirror *m = l->mirror;
    while (list) {
        struct outgoing *next = list->next;
        if (r < 0 || !only_announced(m, list)) {
            if (r == 0)
                r = m->append(m->user, &list->record, err);
            outgoing_free(list);
        }
        list = next;
    }
    return r;
}

int ledger_settled(struct ledger *l, const char *session, uint64_t seq, struct retort_error *err) {
    const struct ledger_mirror *m = l->mirror;
    return m && m->settled ? m->settled(m->user, session, seq, err) : 0;
}
