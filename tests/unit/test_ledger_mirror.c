/* A second place for entries: what goes there, what counts when it is refused, and how it comes back. */
#include "ledger/mirror/mirror.h"
#include "ledger_dir.h"

#include <errno.h>

#include "base/jsonscope.h"

#define MOST 32

/* A mirror in memory. */
static struct kept {
    struct ledger_record records[MOST];
    char *bodies[MOST];
    size_t count;
    bool refuses, forbids;
} kept;

static int keep_permit(void *user, const char *session, enum ledger_kind kind,
                       struct retort_error *err) {
    (void)user, (void)session, (void)kind;
    return kept.forbids ? err_set(err, ERR_HOST, ESTALE, "not ours") : 0;
}

static int keep_append(void *user, const struct ledger_record *record, struct retort_error *err) {
    (void)user;
    if (kept.refuses)
        return err_set(err, ERR_HOST, ESTALE, "refused");
    struct ledger_record *r = &kept.records[kept.count];
    *r = *record;
    r->body = kept.bodies[kept.count] = strndup(record->body, record->len);
    r->refs = (struct refs){.count = 0};
    for (size_t i = 0; i < record->refs.count; i++) {
        assert_int_equal(refs_room(&r->refs), 0);
        r->refs.hashes[r->refs.count++] = record->refs.hashes[i];
    }
    kept.count++;
    return 0;
}

/* What announces a cell waits until somebody asks for it. */
static struct outgoing *announced;

static int keep_announced(void *user, struct outgoing *entry) {
    (void)user;
    if (announced)
        return -EBUSY;
    announced = entry;
    return 0;
}

static int keep_settled(void *user, const char *session, uint64_t seq, struct retort_error *err) {
    assert_string_equal(announced->record.session, session);
    assert_int_equal(announced->record.seq, seq);
    int r = keep_append(user, &announced->record, err);
    outgoing_free(announced);
    announced = NULL;
    return r;
}

static const struct ledger_mirror announcing = {.permit = keep_permit,
                                                .append = keep_append,
                                                .announce = keep_announced,
                                                .settled = keep_settled};

static const struct ledger_mirror mirror = {.permit = keep_permit, .append = keep_append};

static struct ledger *open_mirrored(void) {
    struct ledger *l = open_ledger();
    ledger_mirror(l, &mirror);
    return l;
}

static struct ledger *open_second(void) {
    struct retort_error err = ERR_INIT;
    struct ledger *l = NULL;
    char path[80];
    snprintf(path, sizeof path, "%s/second", dir);
    if (ledger_open(path, &(struct ledger_options){.busy_ms = 3000}, &l, &err) < 0)
        fail_msg("ledger_open: %s", err.message);
    return l;
}

static int forget_kept(void **state) {
    for (size_t i = 0; i < kept.count; i++) {
        free(kept.bodies[i]);
        refs_done(&kept.records[i].refs);
    }
    kept = (struct kept){.count = 0};
    return remove_dir(state);
}

static int import_kept(struct ledger *l, struct retort_error *err) {
    char ignored[HASH_TEXT_SIZE];
    put(l, "x = 1", 5, ignored);
    return ledger_import(l, kept.records, kept.count, err);
}

static struct ledger_session session_of(struct ledger *l, const char *id) {
    struct retort_error err = ERR_INIT;
    struct ledger_session s;
    if (ledger_session_get(l, id, &s, &err) < 0)
        fail_msg("ledger_session_get: %s", err.message);
    return s;
}

static void a_log_comes_back_elsewhere_entry_for_entry(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_mirrored(), *other = open_second();
    begin(l, "s_1");
    struct ledger_ref ref = cell(l, "s_1", 1, "x = 1", "kept");
    assert_int_equal(kept.count, 3);
    assert_int_equal(import_kept(other, &err), 0);
    struct ledger_session s = session_of(other, "s_1");
    assert_string_equal(s.head, ref.hash);
    assert_int_equal(s.cells, 1);
    assert_int_equal(s.state, LEDGER_INTERRUPTED);
    assert_verdict(other, "s_1", LEDGER_OK);
    /* Once more, with what came since: only that is added. */
    append(l, "s_1", LEDGER_SLEEP, json_object());
    assert_int_equal(import_kept(other, &err), 0);
    assert_int_equal(session_of(other, "s_1").state, LEDGER_ASLEEP);
    assert_verdict(other, "s_1", LEDGER_OK);
    ledger_close(other);
    ledger_close(l);
}

static void what_the_mirror_refused_never_counted(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_mirrored();
    struct ledger_ref ref;
    begin(l, "s_1");
    cell(l, "s_1", 1, "x = 1", "kept");
    kept.refuses = true;
    scoped_json *body = json_pack("{s:i}", "cells", 1);
    assert_int_equal(ledger_append(l, "s_1", LEDGER_UNDO, body, &ref, &err), -ESTALE);
    assert_int_equal(session_of(l, "s_1").seq,
                     4); /* on this disk it is, until the log is read again */
    assert_int_equal(import_kept(l, &err), 0);
    assert_int_equal(session_of(l, "s_1").seq, 3);
    assert_verdict(l, "s_1", LEDGER_OK);
    ledger_close(l);
}

static void who_may_not_write_writes_nothing(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_mirrored();
    struct ledger_ref ref;
    begin(l, "s_1");
    kept.forbids = true;
    scoped_json *body = json_object();
    assert_int_equal(ledger_append(l, "s_1", LEDGER_CLOSE, body, &ref, &err), -ESTALE);
    assert_int_equal(session_of(l, "s_1").seq, 1);
    assert_int_equal(kept.count, 1);
    ledger_close(l);
}

static void what_is_no_chain_is_refused_and_changes_nothing(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_mirrored(), *other = open_second();
    begin(l, "s_1");
    cell(l, "s_1", 1, "x = 1", "kept");
    char *was = kept.bodies[2], *changed = strdup(was);
    changed[strlen(changed) - 3] ^= 1;
    kept.records[2].body = changed;
    assert_int_equal(import_kept(other, &err), -EBADMSG);
    struct ledger_session s;
    assert_int_equal(ledger_session_get(other, "s_1", &s, &err), -ENOENT);
    kept.records[2].body = was;
    kept.records[1].seq = 3;
    assert_int_equal(import_kept(other, &err), -EBADMSG);
    kept.records[1].seq = 2;
    assert_int_equal(import_kept(other, &err), 0);
    free(changed);
    ledger_close(other);
    ledger_close(l);
}

static void a_cell_without_an_outcome_is_lost_where_the_session_is_taken(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_mirrored(), *other = open_second();
    begin(l, "s_1");
    cell(l, "s_1", 1, "x = 1", NULL);
    assert_int_equal(import_kept(other, &err), 0);
    ledger_mirror(other, &mirror);
    assert_int_equal(ledger_abandon(other, "s_1", &err), 0);
    assert_int_equal(kept.count, 3);
    assert_int_equal(kept.records[2].kind, LEDGER_CELL_OUTCOME);
    assert_non_null(strstr(kept.bodies[2], "\"status\":\"lost\""));
    assert_int_equal(ledger_abandon(other, "s_1", &err), 0); /* once */
    assert_int_equal(kept.count, 3);
    assert_verdict(other, "s_1", LEDGER_OK);
    ledger_close(other);
    ledger_close(l);
}

static void a_branch_comes_back_behind_its_parent(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_mirrored(), *other = open_second();
    struct ledger_ref ref;
    begin(l, "s_1");
    scoped_json *body = json_object();
    assert_int_equal(ledger_begin(l, "s_2", "s_1", body, &ref, &err), 0);
    assert_int_equal(kept.count, 3); /* s_1: create, branch; s_2: create */
    assert_string_equal(kept.records[2].parent, "s_1");
    assert_int_equal(kept.records[2].parent_seq, 2);
    assert_int_equal(ledger_import(other, &kept.records[2], 1, &err), -ENOENT);
    assert_int_equal(ledger_import(other, kept.records, 2, &err), 0);
    assert_int_equal(ledger_import(other, &kept.records[2], 1, &err), 0);
    assert_verdict(other, "s_2", LEDGER_OK);
    ledger_close(other);
    ledger_close(l);
}

static void a_cell_that_is_announced_waits_until_somebody_asks(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    assert_int_equal(ledger_settled(l, "s_1", 1, &err), 0); /* where there is no mirror */
    ledger_mirror(l, &announcing);
    begin(l, "s_1");
    append(l, "s_1", LEDGER_CELL_INTENT, json_pack("{s:i}", "cell", 1));
    assert_int_equal(kept.count, 1);
    assert_int_equal(announced->record.kind, LEDGER_CELL_INTENT);
    /* One that it does not take is appended. */
    append(l, "s_1", LEDGER_CELL_INTENT, json_pack("{s:i}", "cell", 2));
    assert_int_equal(kept.count, 2);
    assert_int_equal(ledger_settled(l, "s_1", 2, &err), 0);
    assert_int_equal(kept.count, 3);
    append(l, "s_1", LEDGER_CELL_INTENT, json_pack("{s:i}", "cell", 3));
    kept.refuses = true;
    assert_int_equal(ledger_settled(l, "s_1", 4, &err), -ESTALE);
    ledger_close(l);
}

static void a_request_is_found_by_its_name(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    uint64_t seq;
    begin(l, "s_1");
    append(l, "s_1", LEDGER_CELL_INTENT, json_pack("{s:i, s:s}", "cell", 1, "request", "r-1"));
    assert_int_equal(ledger_requested(l, "s_1", "r-1", &seq, &err), 1);
    assert_int_equal(seq, 0);
    append(l, "s_1", LEDGER_CELL_OUTCOME, json_pack("{s:i, s:s}", "cell", 1, "status", "ok"));
    assert_int_equal(ledger_requested(l, "s_1", "r-1", &seq, &err), 1);
    assert_int_equal(seq, 3);
    /* A part of it, or the same text elsewhere, is not it. */
    append(l, "s_1", LEDGER_CELL_INTENT,
           json_pack("{s:i, s:[{s:s}]}", "cell", 2, "tools", "request", "r-2"));
    assert_int_equal(ledger_requested(l, "s_1", "r-", &seq, &err), 0);
    assert_int_equal(ledger_requested(l, "s_1", "r-2", &seq, &err), 0);
    assert_int_equal(ledger_requested(l, "s_none", "r-1", &seq, &err), -ENOENT);
    ledger_close(l);
}

#define MIRROR_TEST(name) cmocka_unit_test_setup_teardown(name, make_dir, forget_kept)

int main(void) {
    const struct CMUnitTest tests[] = {
        MIRROR_TEST(a_log_comes_back_elsewhere_entry_for_entry),
        MIRROR_TEST(what_the_mirror_refused_never_counted),
        MIRROR_TEST(who_may_not_write_writes_nothing),
        MIRROR_TEST(what_is_no_chain_is_refused_and_changes_nothing),
        MIRROR_TEST(a_cell_without_an_outcome_is_lost_where_the_session_is_taken),
        MIRROR_TEST(a_branch_comes_back_behind_its_parent),
        MIRROR_TEST(a_cell_that_is_announced_waits_until_somebody_asks),
        MIRROR_TEST(a_request_is_found_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
