/* The past of a session: all that made its present state, oldest first, as long as there is room.
 *
 * Code is never given up, because nothing is rebuilt without it: a cell for which there is no room
 * is refused. Answers of host tools and lists of files are, the oldest first. Answers that are in
 * the ledger are read again from there; where they are not, and for lists, those who go back are
 * told what is missing. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/maxima.h"
#include "engine/record.h"

struct past *past_grow(struct retort_session *s) {
    struct past *past = reallocarray(s->past, s->npast + 1, sizeof *past);
    if (!past)
        return NULL;
    s->past = past;
    past[s->npast] = (struct past){0};
    return &past[s->npast++];
}

static uint64_t bytes_of(const struct past *p) {
    return sizeof *p + (p->code ? p->len + 1 : 0) + (p->path ? strlen(p->path) + 1 : 0);
}

static uint64_t bytes_of_calls(const json_t *calls) {
    uint64_t sum = 0;
    size_t i;
    json_t *call;
    json_array_foreach(calls, i, call) sum += call_bytes(call);
    return sum;
}

void past_count(struct retort_session *s, const struct past *p) {
    account_add(&s->account, ACCOUNT_PAST, bytes_of(p));
    account_add(&s->account, ACCOUNT_CALLS, bytes_of_calls(p->calls));
}

int past_check_room(const struct retort_session *s, size_t bytes, struct err *err) {
    if (account_fits(&s->account, ACCOUNT_PAST, sizeof(struct past) + bytes + 1))
        return 0;
    return err_set(
        err, ERR_LIMIT, ENOSPC,
        "the session remembers %u MiB of code and names, and no more: go on in a new one",
        MAX_PAST >> 20);
}

/* --- giving up ----------------------------------------------------------------------------------
 */

static void give_up_calls(struct retort_session *s, struct past *p) {
    if (!p->calls)
        return;
    account_sub(&s->account, ACCOUNT_CALLS, bytes_of_calls(p->calls));
    json_decref(p->calls);
    p->calls = NULL;
    p->calls_lost = p->seq == 0;
    if (p->calls_lost)
        s->given_up |= GAVE_CALLS;
}

void past_make_room(struct retort_session *s, size_t bytes) {
    while (account_used(&s->account, ACCOUNT_CALLS) + bytes > MAX_KEPT_CALLS &&
           s->shed_calls < s->npast)
        give_up_calls(s, &s->past[s->shed_calls++]);
}

/* Of a file that was put in from outside, what it was stays known: no cell makes it again. */
static void give_up_files(struct retort_session *s, struct past *p) {
    struct snapshot *all = p->files;
    if (!all)
        return;
    p->files = p->path ? snapshot_of(s, &all->files, p->path) : NULL;
    p->files_lost = true;
    snapshot_unref(all);
    s->given_up |= GAVE_LISTS;
}

/* There is always room for one more list: that of the next look. */
static void make_room_for_list(struct retort_session *s) {
    while (!account_fits(&s->account, ACCOUNT_LISTS, MAX_FILE_LIST) && s->shed_files + 1 < s->npast)
        give_up_files(s, &s->past[s->shed_files++]);
}

void past_notes(struct retort_session *s, json_t *notes) {
    if (s->given_up & GAVE_CALLS)
        json_array_append_new(
            notes, json_string("there was no room for older answers of host tools: "
                               "cells that had them fail there when they are run again"));
    if (s->given_up & GAVE_LISTS)
        json_array_append_new(
            notes, json_string("there was no room for older lists of files: who goes back that far "
                               "gets the files that the cells make when they are run again"));
    if (s->given_up & GAVE_OUTPUT)
        json_array_append_new(
            notes, json_string("there was no room for older output and plots: they cannot be read "
                               "any more"));
}

/* --- what happens -------------------------------------------------------------------------------
 */

void past_add_cell(struct retort_session *s, struct cell *c, const char *code, size_t len) {
    struct past *p = past_grow(s);
    if (!p)
        return;
    p->cell = c->number;
    p->limits = c->limits;
    p->code = strndup(code, len);
    p->len = p->code ? len : 0;
    p->interrupted = c->interrupted;
    p->ncalls = c->ncalls;
    if (c->ncalls) {
        p->calls = json_incref(c->tools);
        account_sub(&s->account, ACCOUNT_CALLS, c->calls_bytes); /* it is counted as the past's */
        c->calls_bytes = 0;
    }
    if (c->unrecorded.kind == ERR_NONE) {
        p->seq = c->seq;
        memcpy(p->chain, s->id, sizeof p->chain);
    }
    p->files = s->unlisted ? NULL : snapshot_ref(keep_snapshot(s));
    past_count(s, p);
    make_room_for_list(s);
}

/* A file that comes in many pieces is looked at once, when somebody needs to know (state_settle).
 */
void past_add_file(struct retort_session *s, const char *path) {
    const struct past *last = s->npast ? &s->past[s->npast - 1] : NULL;
    s->unsettled = true;
    if (last && last->path && !last->files && !last->write && strcmp(last->path, path) == 0)
        return;
    struct past *p = past_grow(s);
    if (!p)
        return;
    p->path = strdup(path);
    past_count(s, p);
}

void state_settle(struct retort_session *s) {
    if (!s->unsettled)
        return;
    s->unsettled = false;
    if (state_note_files(s) < 0)
        return;
    for (size_t i = s->npast; i-- > 0 && !s->past[i].cell && !s->past[i].files;)
        if (!s->past[i].write)
            s->past[i].files = snapshot_ref(keep_snapshot(s));
    make_room_for_list(s);
}

void past_cut(struct retort_session *s, size_t count) {
    s->heavy = s->heavy || account_heavy(&s->account);
    while (s->npast > count) {
        struct past *p = &s->past[--s->npast];
        account_sub(&s->account, ACCOUNT_PAST, bytes_of(p));
        account_sub(&s->account, ACCOUNT_CALLS, bytes_of_calls(p->calls));
        free(p->code);
        free(p->path);
        snapshot_unref(p->files);
        json_decref(p->calls);
        json_decref(p->was);
        json_decref(p->write);
    }
    s->shed_calls = s->shed_calls < count ? s->shed_calls : count;
    s->shed_files = s->shed_files < count ? s->shed_files : count;
}

void past_done(struct retort_session *s) {
    past_cut(s, 0);
    free(s->past);
    s->past = NULL;
}

size_t past_cells(const struct retort_session *s) {
    size_t cells = 0;
    for (size_t i = 0; i < s->npast; i++)
        cells += s->past[i].cell > 0;
    return cells;
}
