/* Verify: every kind of damage is found and located; forgetting removes bytes and keeps the chain.
 */
#include "ledger_dir.h"

#include <errno.h>
#include <pthread.h>

#include "base/scope.h"
#include "ledger/upkeep.h"

static char big[30000];
static char head[HASH_TEXT_SIZE]; /* after the second cell */
static char big_blob[HASH_TEXT_SIZE];

/* s_1: create, file_write (a file blob), two cells, branch; s_2 branches off and has a cell of its
 * own. */
static void make_history(struct ledger *l) {
    struct retort_error err = ERR_INIT;
    json_t *body = json_object();
    memset(big, 'b', sizeof big);
    begin(l, "s_1");
    put(l, big, sizeof big, big_blob);
    append(l, "s_1", LEDGER_FILE_WRITE,
           json_pack("{s:s, s:s}", "path", "secret-path.csv", "blob", big_blob));
    cell(l, "s_1", 1, "secret_code_one()", "kept");
    struct ledger_ref ref = cell(l, "s_1", 2, "secret_code_two()", "kept");
    memcpy(head, ref.hash, sizeof head);
    assert_int_equal(ledger_begin(l, "s_2", "s_1", body, NULL, &err), 0);
    cell(l, "s_2", 3, "three()", "kept");
    json_decref(body);
}

struct found {
    int count;
    struct ledger_finding last;
};

static void note(void *user, const struct ledger_finding *f) {
    struct found *found = user;
    found->count++;
    found->last = *f;
}

/* Damage done by `text` is one finding, in the same place for the session and its branch. */
static void assert_damage(const char *text, enum ledger_verdict verdict, uint64_t seq,
                          const char *blob) {
    struct ledger *l = open_ledger();
    make_history(l);
    ledger_close(l);
    sql(text);
    l = open_ledger();
    for (int i = 1; i <= 2; i++) {
        struct retort_error err = ERR_INIT;
        struct ledger_report r;
        struct found found = {.count = 0};
        assert_int_equal(ledger_verify(l, i == 1 ? "s_1" : "s_2", NULL, note, &found, &r, &err), 0);
        if (r.worst.verdict != verdict || r.worst.seq != seq || found.count != 1)
            fail_msg("after %s: %s at %s %llu (%s), %d findings", text,
                     ledger_verdict_name(r.worst.verdict), r.worst.session,
                     (unsigned long long)r.worst.seq, r.worst.text, found.count);
        assert_string_equal(r.worst.session, "s_1");
        assert_string_equal(r.worst.blob, blob);
    }
    ledger_close(l);
    remove_dir(NULL);
    make_dir(NULL);
}

static void every_changed_column_is_found_and_located(void **state) {
    (void)state;
    assert_damage("UPDATE entry SET body = replace(body, '\"cell\":1', '\"cell\":7')"
                  " WHERE session = 1 AND seq = 3",
                  LEDGER_CORRUPT, 3, "");
    assert_damage("UPDATE entry SET kind = 'tool_call' WHERE session = 1 AND seq = 4",
                  LEDGER_CORRUPT, 4, "");
    assert_damage("UPDATE entry SET time = time + 1 WHERE session = 1 AND seq = 2", LEDGER_CORRUPT,
                  2, "");
    assert_damage("UPDATE entry SET salt = zeroblob(16) WHERE session = 1 AND seq = 1",
                  LEDGER_CORRUPT, 1, "");
    assert_damage("UPDATE entry SET body = NULL WHERE session = 1 AND seq = 5", LEDGER_CORRUPT, 5,
                  "");
    assert_damage("DELETE FROM entry WHERE session = 1 AND seq = 3", LEDGER_MISSING, 3, "");
}

static void a_changed_hash_is_found(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    make_history(l);
    sql("UPDATE session SET head = randomblob(32) WHERE id = 's_2'");
    struct ledger_report r = verify(l, "s_2", NULL);
    assert_int_equal(r.worst.verdict, LEDGER_CORRUPT);
    assert_string_equal(r.worst.session, "s_2");
    sql("UPDATE entry SET hash = randomblob(32) WHERE session = 1 AND seq = 3");
    r = verify(l, "s_1", NULL);
    assert_int_equal(r.worst.verdict, LEDGER_CORRUPT);
    assert_int_equal(r.worst.seq, 3);
    ledger_close(l);
}

static void a_cut_tail_and_a_false_parent_are_found(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    make_history(l);
    begin(l, "s_3");
    sql("DELETE FROM entry WHERE session = 2 AND seq = 3");
    assert_verdict(l, "s_2", LEDGER_MISSING);
    sql("UPDATE session SET seq = 2, head = (SELECT hash FROM entry WHERE session = 1 AND seq = 2)"
        " WHERE n = 1");
    assert_verdict(l, "s_1", LEDGER_CORRUPT); /* entries after the head */
    sql("UPDATE session SET parent = 1, parent_seq = 2 WHERE id = 's_3'");
    struct ledger_report r = verify(l, "s_3", NULL);
    assert_int_equal(r.worst.verdict, LEDGER_CORRUPT);
    assert_string_equal(r.worst.session, "s_3");
    assert_int_equal(r.worst.seq, 0);
    ledger_close(l);
}

/* Whoever rewrites the whole chain is found out by the head that the client kept. */
static void the_kept_head_must_be_in_the_history(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger_report r;
    struct ledger *l = open_ledger();
    make_history(l);
    r = verify(l, "s_1", head);
    assert_int_equal(r.worst.verdict, LEDGER_OK);
    assert_int_equal(r.head_seq, 6);
    assert_int_equal(verify(l, "s_2", head + 7).worst.verdict, LEDGER_OK);
    assert_int_equal(ledger_verify(l, "s_1", "sha256:12", NULL, NULL, &r, &err), -EINVAL);
    sql("DELETE FROM entry WHERE session = 1 AND seq > 4;"
        "UPDATE session SET seq = 4, head = (SELECT hash FROM entry WHERE session = 1 AND seq = 4)"
        " WHERE n = 1");
    assert_int_equal(verify(l, "s_1", NULL).worst.verdict, LEDGER_OK);
    assert_int_equal(verify(l, "s_1", head).worst.verdict, LEDGER_HEAD_MISMATCH);
    ledger_close(l);
}

static void damage_of_stored_bytes_is_located(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    char path[192];
    struct ledger_report r;
    make_history(l);
    r = verify(l, "s_1", NULL);
    assert_int_equal(r.blobs, 3);
    assert_int_equal(r.bytes, sizeof big + 2 * strlen("secret_code_one()"));
    blob_path(big_blob, path);
    scoped_fd fd = open(path, O_WRONLY | O_CLOEXEC);
    for (off_t at = 0; at < (off_t)sizeof big; at += 9999) {
        assert_int_equal(pwrite(fd, "!", 1, at), 1);
        r = verify(l, "s_2", NULL);
        assert_int_equal(r.worst.verdict, LEDGER_CORRUPT);
        assert_int_equal(r.worst.seq, 2);
        assert_string_equal(r.worst.blob, big_blob);
        assert_int_equal(pwrite(fd, "b", 1, at), 1);
        assert_verdict(l, "s_2", LEDGER_OK);
    }
    assert_int_equal(unlink(path), 0);
    r = verify(l, "s_1", NULL);
    assert_int_equal(r.worst.verdict, LEDGER_MISSING);
    assert_string_equal(r.worst.blob, big_blob);
    ledger_close(l);
}

static void damage_of_small_blobs_is_located(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    make_history(l);
    sql("UPDATE blob SET data = CAST('secret_code_2wo()' AS BLOB)"
        " WHERE data = CAST('secret_code_two()' AS BLOB)");
    struct ledger_report r = verify(l, "s_1", NULL);
    assert_int_equal(r.worst.verdict, LEDGER_CORRUPT);
    assert_int_equal(r.worst.seq, 5);
    sql("DELETE FROM blob WHERE size < 100");
    r = verify(l, "s_1", NULL);
    assert_int_equal(r.worst.verdict, LEDGER_MISSING);
    assert_int_equal(r.worst.seq, 3);
    ledger_close(l);
}

struct expiring {
    struct ledger *l;
    int findings[LEDGER_VERDICTS];
};

static void expire_all(void *user, const struct ledger_finding *f) {
    struct expiring *e = user;
    if (e->findings[f->verdict]++ == 0 && f->verdict == LEDGER_CORRUPT)
        assert_int_equal(ledger_expire(e->l, 1, 0, NULL, NULL), 0);
}

/* The first blob of the entry is damaged; when that is told, the second one expires. */
static void bytes_that_expire_meanwhile_are_not_missing(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger_report r;
    char small[HASH_TEXT_SIZE], large[HASH_TEXT_SIZE];
    struct ledger *l = open_ledger();
    struct expiring e = {.l = l};
    memset(big, 'b', sizeof big);
    begin(l, "s_1");
    put(l, "small", 5, small);
    put(l, big, sizeof big, large);
    append(l, "s_1", LEDGER_FILE_WRITE,
           json_pack("{s:s, s:[{s:s}]}", "blob", small, "files", "blob", large));
    assert_verdict(l, "s_1", LEDGER_OK);
    sql("UPDATE blob SET data = CAST('smell' AS BLOB) WHERE size = 5");
    assert_int_equal(ledger_verify(l, "s_1", NULL, expire_all, &e, &r, &err), 0);
    assert_int_equal(e.findings[LEDGER_CORRUPT], 1);
    assert_int_equal(e.findings[LEDGER_EXPIRED], 1);
    assert_int_equal(e.findings[LEDGER_MISSING], 0);
    ledger_close(l);
}

/* One changed byte of the database file, anywhere in what it holds of the session. */
static void a_changed_byte_of_the_file_never_passes_for_another_history(void **state) {
    (void)state;
    char path[96];
    struct ledger *l = open_ledger();
    make_history(l);
    ledger_close(l);
    snprintf(path, sizeof path, "%s/ledger.db", dir);
    scoped_fd fd = open(path, O_RDWR | O_CLOEXEC);
    off_t size = lseek(fd, 0, SEEK_END);
    scoped_free char *whole = malloc((size_t)size);
    assert_int_equal(pread(fd, whole, (size_t)size, 0), size);
    for (off_t at = 0; at < size; at++) {
        /* The text of bodies: where a change must be found, not only survived. */
        if (memcmp(whole + at, "\"cell\":", 7 < size - at ? 7 : (size_t)(size - at)) != 0 ||
            size - at < 8)
            continue;
        struct retort_error err = ERR_INIT;
        struct ledger_report r = {.entries = 0};
        char changed = (char)(whole[at + 7] ^ 1);
        assert_int_equal(pwrite(fd, &changed, 1, at + 7), 1);
        l = open_ledger();
        assert_int_equal(ledger_verify(l, "s_2", NULL, NULL, NULL, &r, &err), 0);
        assert_int_equal(r.worst.verdict, LEDGER_CORRUPT);
        ledger_close(l);
        assert_int_equal(pwrite(fd, whole, (size_t)size, 0), size);
    }
}

static void *append_many(void *l) {
    for (int i = 0; i < 300; i++)
        append(l, "s_1", LEDGER_UNDO, json_pack("{s:i}", "cells", 0));
    return NULL;
}

static void verify_and_append_do_not_disturb_each_other(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    pthread_t thread;
    uint64_t entries = 0;
    begin(l, "s_1");
    assert_int_equal(pthread_create(&thread, NULL, append_many, l), 0);
    while (entries < 301) {
        struct ledger_report r = verify(l, "s_1", NULL);
        assert_int_equal(r.worst.verdict, LEDGER_OK);
        assert_true(r.entries >= entries);
        entries = r.entries;
    }
    pthread_join(thread, NULL);
    ledger_close(l);
}

/* --- forget --- */

static const char *needle;
static int hits;

static int look_for_needle(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)ftw;
    if (type != FTW_F)
        return 0;
    scoped_free char *data = malloc((size_t)st->st_size + 1);
    scoped_fd fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = read(fd, data, (size_t)st->st_size);
    if (n > 0 && memmem(data, (size_t)n, needle, strlen(needle)))
        hits++;
    return 0;
}

static int files_with(const char *text) {
    needle = text;
    hits = 0;
    nftw(dir, look_for_needle, 16, FTW_PHYS);
    return hits;
}

static void forgetting_removes_the_bytes_and_keeps_the_chain(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger_freed freed;
    struct ledger_entry e;
    struct ledger *l = open_ledger();
    make_history(l);
    begin(l, "s_other");
    cell(l, "s_other", 1, "secret_code_two()", "kept");
    assert_int_equal(ledger_sync(l, &err), 0);
    assert_true(files_with("secret_code_one") > 0 && files_with("secret-path") > 0 &&
                files_with("bbbbbbbbbbbbbbbbbbbbbbbb") > 0);
    assert_int_equal(ledger_forget(l, "s_1", &freed, &err), -EBUSY);
    append(l, "s_1", LEDGER_CLOSE, json_object());
    assert_int_equal(ledger_forget(l, "s_1", &freed, &err), 0);
    assert_int_equal(freed.blobs, 2);
    assert_int_equal(freed.bytes, sizeof big + strlen("secret_code_one()"));
    assert_int_equal(files_with("secret_code_one"), 0);
    assert_int_equal(files_with("secret-path"), 0);
    assert_int_equal(files_with("bbbbbbbbbbbbbbbbbbbbbbbb"), 0);
    assert_verdict(l, "s_1", LEDGER_WAS_FORGOTTEN);
    assert_verdict(l, "s_2", LEDGER_WAS_FORGOTTEN);
    /* What another session refers to stays with it, also when that one goes later. */
    assert_verdict(l, "s_other", LEDGER_OK);
    assert_int_equal(verify(l, "s_1", head).worst.verdict, LEDGER_WAS_FORGOTTEN);
    assert_int_equal(verify(l, "s_1", head).head_seq, 6);
    assert_int_equal(ledger_entry_get(l, "s_1", 3, &e, &err), 0);
    assert_null(e.body);
    struct ledger_history h;
    assert_int_equal(ledger_history(l, "s_2", &h, &err), -ENODATA);
    json_t *body = json_object();
    assert_int_equal(ledger_resume(l, "s_1", body, NULL, &err), -ENODATA);
    json_decref(body);
    assert_int_equal(ledger_forget(l, "s_1", &freed, &err), -EALREADY);
    append(l, "s_other", LEDGER_CLOSE, json_object());
    assert_int_equal(ledger_forget(l, "s_other", &freed, &err), 0);
    assert_int_equal(freed.blobs, 1);
    assert_int_equal(files_with("secret_code_two"), 0);
    ledger_close(l);
}

static void a_forgotten_chain_is_still_checked(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    make_history(l);
    append(l, "s_1", LEDGER_CLOSE, json_object());
    assert_int_equal(ledger_forget(l, "s_1", NULL, &err), 0);
    sql("UPDATE entry SET digest = randomblob(32) WHERE session = 1 AND seq = 4");
    struct ledger_report r = verify(l, "s_1", NULL);
    assert_int_equal(r.worst.verdict, LEDGER_CORRUPT);
    assert_int_equal(r.worst.seq, 4);
    ledger_close(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        LEDGER_TEST(every_changed_column_is_found_and_located),
        LEDGER_TEST(a_changed_hash_is_found),
        LEDGER_TEST(a_cut_tail_and_a_false_parent_are_found),
        LEDGER_TEST(the_kept_head_must_be_in_the_history),
        LEDGER_TEST(damage_of_stored_bytes_is_located),
        LEDGER_TEST(damage_of_small_blobs_is_located),
        LEDGER_TEST(bytes_that_expire_meanwhile_are_not_missing),
        LEDGER_TEST(a_changed_byte_of_the_file_never_passes_for_another_history),
        LEDGER_TEST(verify_and_append_do_not_disturb_each_other),
        LEDGER_TEST(forgetting_removes_the_bytes_and_keeps_the_chain),
        LEDGER_TEST(a_forgotten_chain_is_still_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
