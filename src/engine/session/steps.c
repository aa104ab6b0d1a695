/* The past of a session: all that made its present state, oldest first, as long as there is room.
 *
 * Code is never given up, because nothing is rebuilt without it: a cell for which there is no room
 * is refused. Answers of host tools and lists of files are given up, the oldest first. Answers that
 * are in the ledger are read from there again. For other answers, and for lists, whoever goes back
 * is told what is missing. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/maxima.h"
#include "engine/session/record.h"
#include "engine/session/session.h"

struct step *timeline_grow(struct retort_session *s) {
    struct step *past = reallocarray(s->timeline.steps, s->timeline.nsteps + 1, sizeof *past);
    if (!past)
        return NULL;
    s->timeline.steps = past;
    past[s->timeline.nsteps] = (struct step){0};
    return &past[s->timeline.nsteps++];
}

/* The interpreter needs only the state of its last cell, so those of older cells may go. */
static bool saves(const struct step *p) {
    return p->cell && language_of(p->language->interpreter)->comes == COMES_SAVED;
}

static uint64_t bytes_saved(const struct step *p) {
    return saves(p) ? p->state_len : 0;
}

static uint64_t bytes_of(const struct step *p) {
    return sizeof *p + (p->code ? p->len + 1 : 0) + (p->path ? strlen(p->path) + 1 : 0) +
           p->state_len - bytes_saved(p);
}

static uint64_t bytes_of_calls(const json_t *calls) {
    uint64_t sum = 0;
    size_t i;
    json_t *call;
    json_array_foreach(calls, i, call) {
        sum += step_call_bytes(call);
    }
    return sum;
}

void timeline_count(struct retort_session *s, const struct step *p) {
    account_add(&s->account, ACCOUNT_PAST, bytes_of(p));
    account_add(&s->account, ACCOUNT_SAVED, bytes_saved(p));
    account_add(&s->account, ACCOUNT_CALLS, bytes_of_calls(p->calls));
}

int timeline_check_room(const struct retort_session *s, size_t bytes, struct retort_error *err) {
    if (account_fits(&s->account, ACCOUNT_PAST, sizeof(struct step) + bytes + 1))
        return 0;
    return err_set(
        err, ERR_LIMIT, ENOSPC,
        "the session remembers %u MiB of code and names, and no more: go on in a new one",
        MAX_PAST >> 20);
}

/* --- giving up --- */

static void give_up_calls(struct retort_session *s, struct step *p) {
    if (!p->calls)
        return;
    account_sub(&s->account, ACCOUNT_CALLS, bytes_of_calls(p->calls));
    json_decref(p->calls);
    p->calls = NULL;
    p->calls_lost = p->seq == 0;
    if (p->calls_lost)
        s->timeline.given_up |= GAVE_CALLS;
}

void timeline_make_room(struct retort_session *s, size_t bytes) {
    while (account_used(&s->account, ACCOUNT_CALLS) + bytes > MAX_KEPT_CALLS &&
           s->timeline.shed_calls < s->timeline.nsteps)
        give_up_calls(s, &s->timeline.steps[s->timeline.shed_calls++]);
}

/* The list of a file that came from outside stays: no cell would make that file again. */
static void give_up_files(struct retort_session *s, struct step *p) {
    struct snapshot *all = p->files;
    if (!all)
        return;
    p->files = p->path ? snapshot_of(&s->files.snapshots, &s->account, &all->files, p->path) : NULL;
    p->files_lost = true;
    snapshot_unref(all);
    s->timeline.given_up |= GAVE_LISTS;
}

/* There is always room for one more list: that of the next look. */
void timeline_make_room_for_list(struct retort_session *s) {
    while (!account_fits(&s->account, ACCOUNT_LISTS, MAX_FILE_LIST) &&
           s->timeline.shed_files + 1 < s->timeline.nsteps)
        give_up_files(s, &s->timeline.steps[s->timeline.shed_files++]);
}

static void give_up_state(struct retort_session *s, struct step *p) {
    if (!p->state || !saves(p))
        return;
    account_sub(&s->account, ACCOUNT_SAVED, p->state_len);
    free(p->state);
    p->state = NULL;
    p->state_len = 0;
    if (p->seq == 0)
        s->timeline.given_up |= GAVE_STATES;
}

/* As for lists. The account has room for several states, so the last one is never given up. */
void timeline_make_room_for_state(struct retort_session *s) {
    while (!account_fits(&s->account, ACCOUNT_SAVED, MAX_SAVED_STATE) &&
           s->timeline.shed_states + 1 < s->timeline.nsteps)
        give_up_state(s, &s->timeline.steps[s->timeline.shed_states++]);
}

void timeline_tell(struct retort_session *s, json_t *notes) {
    if (s->timeline.given_up & GAVE_CALLS)
        json_array_append_new(
            notes, json_string("there was no room for older answers of host tools: "
                               "cells that had them fail there when they are run again"));
    if (s->timeline.given_up & GAVE_LISTS)
        json_array_append_new(
            notes, json_string("there was no room for older lists of files: who goes back that far "
                               "gets the files that the cells make when they are run again"));
    if (s->timeline.given_up & GAVE_STATES)
        json_array_append_new(
            notes, json_string("there was no room for older states of interpreters that save them: "
                               "who goes back that far gets one that is older still"));
    if (s->outputs.lost)
        json_array_append_new(
            notes, json_string("there was no room for older output and plots: they cannot be read "
                               "any more"));
}

/* --- what happens --- */

/* A file that comes in many pieces is looked at once, when somebody needs to know
 * (timeline_settle).
 */
void timeline_add_file(struct retort_session *s, const char *path) {
    const struct step *last =
        s->timeline.nsteps ? &s->timeline.steps[s->timeline.nsteps - 1] : NULL;
    s->files.unsettled = true;
    if (last && last->path && !last->files && !last->write && strcmp(last->path, path) == 0)
        return;
    struct step *p = timeline_grow(s);
    if (!p)
        return;
    p->path = strdup(path);
    timeline_count(s, p);
}

int timeline_note_files(struct retort_session *s) {
    struct manifest now = {0};
    bool rejected = false;
    int r = files_list(&s->files, &now, NULL);
    s->files.unlisted = r < 0;
    if (r == 0)
        json_decref(files_changes(&s->files, &now, &rejected));
    else
        s->files.incomplete = true;
    return r;
}

void timeline_settle(struct retort_session *s) {
    if (!s->files.unsettled)
        return;
    s->files.unsettled = false;
    if (timeline_note_files(s) < 0)
        return;
    for (size_t i = s->timeline.nsteps;
         i-- > 0 && !s->timeline.steps[i].cell && !s->timeline.steps[i].files;)
        if (!s->timeline.steps[i].write)
            s->timeline.steps[i].files = snapshot_ref(files_snapshot(&s->files));
    timeline_make_room_for_list(s);
}

void timeline_cut(struct retort_session *s, size_t count) {
    s->usage.heavy = s->usage.heavy || account_heavy(&s->account);
    while (s->timeline.nsteps > count) {
        struct step *p = &s->timeline.steps[--s->timeline.nsteps];
        account_sub(&s->account, ACCOUNT_PAST, bytes_of(p));
        account_sub(&s->account, ACCOUNT_SAVED, bytes_saved(p));
        account_sub(&s->account, ACCOUNT_CALLS, bytes_of_calls(p->calls));
        free(p->code);
        free(p->state);
        free(p->path);
        snapshot_unref(p->files);
        json_decref(p->calls);
        json_decref(p->outcome);
        json_decref(p->write);
    }
    s->timeline.shed_calls = s->timeline.shed_calls < count ? s->timeline.shed_calls : count;
    s->timeline.shed_files = s->timeline.shed_files < count ? s->timeline.shed_files : count;
    s->timeline.shed_states = s->timeline.shed_states < count ? s->timeline.shed_states : count;
}

void timeline_done(struct retort_session *s) {
    timeline_clear(s);
    json_decref(s->timeline.notes);
    s->timeline.notes = NULL;
}

void timeline_clear(struct retort_session *s) {
    timeline_cut(s, 0);
    free(s->timeline.steps);
    s->timeline.steps = NULL;
    s->timeline.replay_us = 0;
}

static bool take_saved(struct retort_session *s, const struct step *p, struct saved_state *to) {
    to->data = p->state;
    to->len = p->state_len;
    if (!p->state)
        to->data = to->read = record_state(s, p, &to->len);
    if (to->data)
        to->cell = p->cell;
    else if (!to->missing)
        to->missing = p->cell;
    return to->data;
}

void timeline_saved(struct retort_session *s, enum language interpreter, unsigned cell,
                    struct saved_state *ret) {
    *ret = (struct saved_state){0};
    if (language_of(interpreter)->comes != COMES_SAVED)
        return;
    for (size_t i = s->timeline.nsteps; i-- > 0;) {
        const struct step *p = &s->timeline.steps[i];
        if (p->cell && p->cell < cell && p->language->interpreter == interpreter &&
            take_saved(s, p, ret))
            return;
    }
}

void saved_state_done(struct saved_state *saved) {
    free(saved->read);
}

void saved_state_tell(const struct saved_state *saved, enum language interpreter, json_t *notes) {
    const char *name = language_of(interpreter)->name;
    if (saved->missing && saved->cell)
        json_array_append_new(notes,
                              json_sprintf("%s is as it was after cell %u: what it held after cell "
                                           "%u could not be kept",
                                           name, saved->cell, saved->missing));
    else if (saved->missing)
        json_array_append_new(
            notes, json_sprintf("%s begins anew: what it held after cell %u could not be kept",
                                name, saved->missing));
}

uint32_t timeline_ran(const struct retort_session *s, size_t from) {
    uint32_t ran = 0;
    for (size_t i = from; i < s->timeline.nsteps; i++)
        if (s->timeline.steps[i].cell)
            ran |= 1u << s->timeline.steps[i].language->interpreter;
    return ran;
}

size_t timeline_cells(const struct retort_session *s) {
    size_t cells = 0;
    for (size_t i = 0; i < s->timeline.nsteps; i++)
        cells += s->timeline.steps[i].cell > 0;
    return cells;
}

size_t timeline_before(const struct retort_session *s, unsigned cells) {
    size_t n = s->timeline.nsteps;
    while (n > 0 && cells > 0)
        cells -= s->timeline.steps[--n].cell > 0;
    return n;
}

void timeline_bytes(const struct timeline *t, uint64_t *ret_past, uint64_t *ret_saved,
                    uint64_t *ret_calls) {
    *ret_past = *ret_saved = *ret_calls = 0;
    for (size_t i = 0; i < t->nsteps; i++) {
        *ret_past += bytes_of(&t->steps[i]);
        *ret_saved += bytes_saved(&t->steps[i]);
        *ret_calls += bytes_of_calls(t->steps[i].calls);
    }
}
