/* The content-addressed store: sizes around every threshold, deduplication, quota, expiry, results.
 */
#include "ledger_dir.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "ledger/store.h"
#include "ledger/upkeep.h"

static const size_t sizes[] = {0,     1,     8191,    8192,    8193,          40000,
                               65536, 65537, 1 << 20, 1000001, (1 << 20) + 1, (9 << 20) + 5};
#define SIZES (sizeof sizes / sizeof sizes[0])

static char *pattern(size_t len, unsigned seed) {
    char *data = malloc(len + 1);
    assert_non_null(data);
    for (size_t i = 0; i < len; i++)
        data[i] = (char)((seed = seed * 1103515245 + 12345) >> 16);
    return data;
}

static void assert_stored(struct ledger *l, const struct hash *h, const char *data, size_t len) {
    struct retort_error err = ERR_INIT;
    scoped_free char *got = NULL;
    size_t got_len;
    uint64_t size;
    if (store_get(l, h, 1 << 24, &got, &got_len, &err) < 0)
        fail_msg("store_get: %s", err.message);
    assert_int_equal(got_len, len);
    assert_memory_equal(got, data, len);
    scoped_fd fd = store_open(l, h, true, &size, &err);
    assert_true(fd >= 0);
    assert_int_equal(size, len);
    scoped_free char *again = malloc(len + 1);
    assert_int_equal(read_full(fd, again, len + 1), len);
    assert_memory_equal(again, data, len);
}

static void every_size_comes_back_by_every_way(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    for (unsigned i = 0; i < SIZES; i++) {
        scoped_free char *data = pattern(sizes[i], i);
        struct hash put, streamed, pieces;
        uint64_t size;
        assert_int_equal(store_put(l, data, sizes[i], &put, &err), 0);
        assert_stored(l, &put, data, sizes[i]);
        scoped_fd fd = memfd_create("data", MFD_CLOEXEC);
        assert_int_equal(write_all(fd, data, sizes[i]), 0);
        assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
        assert_int_equal(store_put_fd(l, fd, sizes[i], &streamed, &size, &err), 0);
        assert_int_equal(size, sizes[i]);
        assert_true(hash_equal(&put, &streamed));
        struct store_writer *w = store_writer_new(l, &err);
        for (size_t at = 0; at < sizes[i]; at += 5000)
            assert_int_equal(
                store_add(w, data + at, sizes[i] - at < 5000 ? sizes[i] - at : 5000, &err), 0);
        assert_int_equal(store_finish(w, &pieces, &size, &err), 0);
        assert_true(hash_equal(&put, &pieces));
    }
    ledger_close(l);
    l = open_ledger();
    for (unsigned i = 0; i < SIZES; i++) {
        scoped_free char *data = pattern(sizes[i], i);
        struct hash h;
        hash_bytes(data, sizes[i], &h);
        assert_true(store_has(l, &h));
        assert_stored(l, &h, data, sizes[i]);
    }
    ledger_close(l);
}

static void more_than_the_cap_stores_nothing(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    scoped_free char *data = pattern(100001, 1), *got = NULL;
    struct hash h;
    scoped_fd fd = memfd_create("data", MFD_CLOEXEC);
    assert_int_equal(write_all(fd, data, 100001), 0);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    assert_int_equal(store_put_fd(l, fd, 100000, &h, NULL, &err), -EFBIG);
    assert_int_equal(err.fault, ERR_LIMIT);
    hash_bytes(data, 100001, &h);
    assert_false(store_has(l, &h));
    assert_int_equal(store_get(l, &h, 1 << 20, &got, NULL, &err), -ENOENT);
    assert_int_equal(store_put(l, data, 100001, &h, &err), 0);
    assert_int_equal(store_get(l, &h, 100000, &got, NULL, &err), -EFBIG);
    ledger_close(l);
}

static void the_same_bytes_are_kept_once(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    scoped_free char *data = pattern(200000, 7);
    char first[HASH_TEXT_SIZE], second[HASH_TEXT_SIZE], path[192];
    struct stat a, b;
    put(l, data, 200000, first);
    blob_path(first, path);
    assert_int_equal(stat(path, &a), 0);
    put(l, data, 200000, second);
    assert_string_equal(first, second);
    assert_int_equal(stat(path, &b), 0);
    assert_int_equal(a.st_ino, b.st_ino);
    /* A file that went missing is written again, whatever the row says. */
    assert_int_equal(unlink(path), 0);
    put(l, data, 200000, second);
    assert_int_equal(stat(path, &b), 0);
    ledger_close(l);
}

static void damage_is_noticed_when_reading(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    scoped_free char *data = pattern(50000, 3), *got = NULL;
    char text[HASH_TEXT_SIZE], path[192];
    struct hash h;
    put(l, data, 50000, text);
    hash_parse(text, &h);
    blob_path(text, path);
    scoped_fd fd = open(path, O_WRONLY | O_CLOEXEC);
    assert_int_equal(pwrite(fd, "?", 1, 49999), 1);
    assert_int_equal(store_get(l, &h, 1 << 20, &got, NULL, &err), -EBADMSG);
    assert_int_equal(store_open(l, &h, true, NULL, &err), -EBADMSG);
    ledger_close(l);
}

/* --- expiry --- */

static void refer(struct ledger *l, const char *session, const char *blob) {
    append(l, session, LEDGER_FILE_WRITE, json_pack("{s:s, s:s}", "path", "f", "blob", blob));
}

/* Three files of 20,000 bytes, the oldest first; s_live is open, the others are closed. */
static void three_blobs(struct ledger *l, char blobs[3][HASH_TEXT_SIZE]) {
    static const char *const ids[] = {"s_live", "s_old", "s_new"};
    char text[160];
    for (unsigned i = 0; i < 3; i++) {
        scoped_free char *data = pattern(20000, i);
        put(l, data, 20000, blobs[i]);
        begin(l, ids[i]);
        refer(l, ids[i], blobs[i]);
        if (i)
            append(l, ids[i], LEDGER_CLOSE, json_object());
        snprintf(text, sizeof text, "UPDATE blob SET used = used - %u WHERE hash = x'%s'",
                 (3 - i) * 7200000, blobs[i] + 7);
        sql(text);
    }
}

static bool has(struct ledger *l, const char *blob) {
    struct hash h;
    char path[192];
    blob_path(blob, path);
    hash_parse(blob, &h);
    bool stored = store_has(l, &h);
    assert_int_equal(stored, access(path, F_OK) == 0);
    return stored;
}

static void quota_takes_the_least_recently_used_and_the_living_last(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger_freed freed;
    struct ledger *l = open_ledger();
    char blobs[3][HASH_TEXT_SIZE];
    three_blobs(l, blobs);
    assert_int_equal(ledger_expire(l, 60000, 0, &freed, &err), 0);
    assert_int_equal(freed.blobs, 0);
    assert_int_equal(ledger_expire(l, 59999, 0, &freed, &err), 0);
    assert_int_equal(freed.bytes, 20000);
    assert_true(has(l, blobs[0]) && !has(l, blobs[1]) && has(l, blobs[2]));
    assert_verdict(l, "s_old", LEDGER_EXPIRED);
    assert_verdict(l, "s_new", LEDGER_OK);
    assert_int_equal(ledger_expire(l, 1, 0, &freed, &err), 0);
    assert_int_equal(freed.blobs, 2);
    assert_false(has(l, blobs[0]) || has(l, blobs[2]));
    assert_verdict(l, "s_live", LEDGER_EXPIRED);
    ledger_close(l);
}

/* Many large ones of one owner, younger than the one of another. */
static void an_owner_loses_none_to_the_greed_of_another(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger_freed freed;
    struct ledger *l = open_ledger();
    char modest[HASH_TEXT_SIZE], shared[HASH_TEXT_SIZE], greedy[4][HASH_TEXT_SIZE];
    scoped_free char *mine = pattern(20000, 90), *both = pattern(20000, 91);
    append(l, "s_modest", LEDGER_CREATE, json_pack("{s:s}", "owner", "modest"));
    append(l, "s_greedy", LEDGER_CREATE, json_pack("{s:s}", "owner", "greedy"));
    begin(l, "s_nobody");
    put(l, mine, 20000, modest);
    refer(l, "s_modest", modest);
    append(l, "s_modest", LEDGER_CLOSE, json_object());
    put(l, both, 20000, shared); /* who had it first has it on his account, until it is too much */
    refer(l, "s_greedy", shared);
    refer(l, "s_nobody", shared);
    sql("UPDATE blob SET used = used - 7200000");
    for (unsigned i = 0; i < 4; i++) {
        scoped_free char *data = pattern(20000, i);
        put(l, data, 20000, greedy[i]);
        refer(l, "s_greedy", greedy[i]);
    }
    assert_int_equal(ledger_expire(l, 60000, 0, &freed, &err), 0);
    assert_true(has(l, modest) && has(l, shared));
    assert_int_equal(freed.bytes, 60000);
    assert_verdict(l, "s_modest", LEDGER_OK);
    assert_verdict(l, "s_nobody", LEDGER_OK);
    assert_verdict(l, "s_greedy", LEDGER_EXPIRED);
    assert_int_equal(ledger_expire(l, 1, 0, &freed, &err), 0);
    assert_false(has(l, modest) || has(l, shared)); /* no share is this small */
    ledger_close(l);
}

/* An entry of so many bytes; its error, or 0. */
static int write_entry(struct ledger *l, const char *session, size_t size) {
    struct retort_error err = ERR_INIT;
    scoped_free char *text = pattern(size + 1, 7);
    for (size_t i = 0; i < size; i++)
        text[i] = 'x';
    json_t *body = json_pack("{s:s#}", "path", text, (int)size);
    int r = ledger_append(l, session, LEDGER_FILE_DELETE, body, NULL, &err);
    json_decref(body);
    return r;
}

static void session_of(struct ledger *l, const char *owner, const char *session, size_t size) {
    append(l, session, LEDGER_CREATE, json_pack("{s:s}", "owner", owner));
    assert_int_equal(write_entry(l, session, size), 0);
}

static bool is_there(struct ledger *l, const char *session) {
    struct ledger_session s;
    return ledger_session_get(l, session, &s, NULL) == 0;
}

/* Bytes in the store have a quota; so have those in the database, of which there is 1 MiB here. */
static void sessions_that_ended_go_when_entries_are_too_many(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    char blob[HASH_TEXT_SIZE];
    scoped_free char *data = pattern(20000, 1);
    session_of(l, "modest", "s_modest", 300000);
    session_of(l, "greedy", "s_parent", 300000);
    append(l, "s_modest", LEDGER_CLOSE, json_object());
    json_t *body = json_pack("{s:s}", "owner", "greedy");
    assert_int_equal(ledger_begin(l, "s_child", "s_parent", body, NULL, &err), 0);
    json_decref(body);
    append(l, "s_parent", LEDGER_CLOSE, json_object());
    session_of(l, "greedy", "s_first", 300000);
    put(l, data, 20000, blob);
    refer(l, "s_first", blob);
    append(l, "s_first", LEDGER_CLOSE, json_object());
    session_of(l, "greedy", "s_second", 300000);
    append(l, "s_second", LEDGER_CLOSE, json_object());
    assert_int_equal(ledger_expire(l, 4 << 20, 0, NULL, &err), 0);
    assert_false(is_there(l, "s_first") || has(l, blob));
    assert_true(is_there(l, "s_second"));
    assert_int_equal(
        sql_int("SELECT count(*) FROM entry WHERE session NOT IN (SELECT n FROM session)"), 0);
    assert_verdict(l, "s_child", LEDGER_OK); /* it begins with the cells of its parent */
    assert_verdict(l, "s_modest", LEDGER_OK);
    ledger_close(l);
}

static void who_uses_all_that_he_may_have_begins_nothing_more(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    session_of(l, "modest", "s_modest", 100000);
    session_of(l, "greedy", "s_one", 700000);
    session_of(l, "greedy", "s_two", 700000);
    assert_int_equal(ledger_expire(l, 4 << 20, 0, NULL, &err), 0);
    assert_int_equal(write_entry(l, "s_one", 10), -EDQUOT);
    json_t *body = json_pack("{s:s}", "owner", "greedy");
    assert_int_equal(ledger_begin(l, "s_three", NULL, body, NULL, &err), -EDQUOT);
    json_decref(body);
    assert_false(is_there(l, "s_three"));
    assert_int_equal(write_entry(l, "s_modest", 10), 0);
    append(l, "s_one", LEDGER_CLOSE, json_object()); /* what ends may end */
    assert_int_equal(ledger_expire(l, 4 << 20, 0, NULL, &err), 0);
    assert_false(is_there(l, "s_one"));
    assert_int_equal(write_entry(l, "s_two", 10), 0);
    assert_verdict(l, "s_two", LEDGER_OK);
    ledger_close(l);
}

static void age_takes_the_old_but_not_from_the_living(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger_freed freed;
    struct ledger *l = open_ledger();
    char blobs[3][HASH_TEXT_SIZE];
    three_blobs(l, blobs);
    assert_int_equal(ledger_expire(l, 0, 3 * 3600, &freed, &err), 0);
    assert_int_equal(freed.blobs, 1);
    assert_true(has(l, blobs[0]) && !has(l, blobs[1]) && has(l, blobs[2]));
    ledger_close(l);
}

static void expired_bytes_heal_when_stored_again(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    char blobs[3][HASH_TEXT_SIZE], small[HASH_TEXT_SIZE], again[HASH_TEXT_SIZE];
    three_blobs(l, blobs);
    put(l, "small", 5, small);
    begin(l, "s_small");
    refer(l, "s_small", small);
    assert_int_equal(ledger_expire(l, 1, 0, NULL, &err), 0);
    assert_verdict(l, "s_new", LEDGER_EXPIRED);
    assert_verdict(l, "s_small", LEDGER_EXPIRED);
    scoped_free char *data = pattern(20000, 2);
    put(l, data, 20000, again);
    assert_string_equal(again, blobs[2]);
    put(l, "small", 5, small);
    begin(l, "s_more");
    refer(l, "s_more", small);
    assert_verdict(l, "s_new", LEDGER_OK);
    assert_verdict(l, "s_small", LEDGER_OK);
    ledger_close(l);
}

static void bytes_that_nobody_refers_to_yet_are_spared(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger_freed freed;
    struct ledger *l = open_ledger();
    scoped_free char *data = pattern(30000, 1);
    char blob[HASH_TEXT_SIZE];
    put(l, data, 30000, blob);
    assert_int_equal(ledger_expire(l, 1, 0, &freed, &err), 0);
    assert_true(has(l, blob));
    sql("UPDATE blob SET used = used - 61000");
    assert_int_equal(ledger_expire(l, 1, 0, &freed, &err), 0);
    assert_false(has(l, blob));
    assert_int_equal(sql_int("SELECT count(*) FROM blob"), 0);
    ledger_close(l);
}

static void files_that_no_row_speaks_for_are_swept(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    scoped_free char *data = pattern(30000, 1);
    char stray[HASH_TEXT_SIZE], kept[HASH_TEXT_SIZE], path[192];
    struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    put(l, data, 30000, stray);
    put(l, data, 29999, kept);
    char text[160];
    snprintf(text, sizeof text, "DELETE FROM blob WHERE hash = x'%s'", stray + 7);
    sql(text);
    blob_path(kept, path);
    assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
    blob_path(stray, path);
    assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
    for (int i = 0; i < 256; i++)
        assert_int_equal(ledger_expire(l, 0, 0, NULL, &err), 0);
    assert_int_equal(access(path, F_OK), -1);
    assert_true(has(l, kept));
    ledger_close(l);
}

static void the_flusher_holds_the_quota(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger_options options = {.max_bytes = 300000};
    struct ledger *l = NULL;
    char blob[HASH_TEXT_SIZE];
    assert_int_equal(ledger_open(dir, &options, &l, &err), 0);
    begin(l, "s_1");
    for (unsigned i = 0; i < 20; i++) {
        scoped_free char *data = pattern(50000, i);
        put(l, data, 50000, blob);
        refer(l, "s_1", blob);
    }
    ledger_close(l);
    long long kept = sql_int("SELECT total(size) FROM blob WHERE state < 2");
    assert_true(kept >= 1 && kept <= 300000);
}

/* --- power loss --- */

/* The rows say that the files were not synced yet; one of them lost its bytes. */
static void bytes_lost_with_the_power_have_a_verdict_of_their_own(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    scoped_free char *data = pattern(60000, 1);
    char lost[HASH_TEXT_SIZE], whole[HASH_TEXT_SIZE], path[192];
    put(l, data, 60000, lost);
    put(l, data, 50000, whole);
    begin(l, "s_lost");
    refer(l, "s_lost", lost);
    begin(l, "s_whole");
    refer(l, "s_whole", whole);
    ledger_close(l);
    assert_int_equal(sql_int("SELECT count(*) FROM blob WHERE state = 1"), 2);
    sql("UPDATE blob SET state = 0");
    blob_path(lost, path);
    assert_int_equal(truncate(path, 0), 0);
    l = open_ledger();
    assert_verdict(l, "s_lost", LEDGER_LOST);
    assert_verdict(l, "s_whole", LEDGER_OK);
    ledger_close(l);
    assert_int_equal(sql_int("SELECT count(*) FROM blob WHERE state = 0"), 0);
}

/* --- results --- */

static json_t *sample_result(const char *image) {
    return json_pack(
        "{s:s, s:s, s:i, s:s, s:s, s:s, s:{s:s}, s:[{s:{s:s, s:s, s:{s:s}}, s:n}], s:s, s:n}",
        "schema", "retort.result/1", "session", "s_1", "cell", 1, "status", "ok", "stdout",
        "héllo\n", "stderr", "", "value", "text/plain", "42", "displays", "mime", "image/png",
        image, "text/plain", "<Figure>", "application/json", "blob", "sha256:guest", "id", "state",
        "kept", "error");
}

static void a_result_comes_back_whole(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    struct ledger_ref ref;
    static char image[4001];
    memset(image, 'A', 4000);
    json_t *result = sample_result(image), *got = NULL;
    begin(l, "s_1");
    cell(l, "s_1", 1, "plot()", NULL);
    assert_int_equal(ledger_outcome(l, "s_1", result, NULL, &ref, &err), 0);
    assert_int_equal(ledger_result(l, "s_1", ref.seq, &got, &err), 0);
    assert_string_equal(json_string_value(json_object_get(json_object_get(got, "ledger"), "hash")),
                        ref.hash);
    json_object_del(got, "ledger");
    assert_true(json_equal(result, got));
    json_decref(got);
    /* The image is a blob of its own: code, result, image. */
    struct ledger_report r = verify(l, "s_1", NULL);
    assert_int_equal(r.worst.verdict, LEDGER_OK);
    assert_int_equal(r.blobs, 3);
    json_decref(result);
    ledger_close(l);
}

static void a_result_that_grew_by_its_escapes_comes_back(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    struct ledger_ref ref;
    size_t len = MAX_RESULT / 6 + 1000;
    char *text = malloc(len);
    memset(text, 1, len);
    json_t *result = sample_result("AAAA"), *got = NULL;
    json_object_set_new(result, "stdout", json_stringn(text, len));
    begin(l, "s_1");
    cell(l, "s_1", 1, "plot()", NULL);
    assert_int_equal(ledger_outcome(l, "s_1", result, NULL, &ref, &err), 0);
    assert_int_equal(ledger_result(l, "s_1", ref.seq, &got, &err), 0);
    assert_int_equal(json_string_length(json_object_get(got, "stdout")), len);
    json_decref(got);
    json_decref(result);
    free(text);
    ledger_close(l);
}

static void what_is_not_base64_stays_as_it_is(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    struct ledger_ref ref;
    static char image[4002];
    static const char bad[] = "\"=- \n";
    begin(l, "s_1");
    for (size_t i = 0; i < sizeof bad - 1; i++) {
        memset(image, 'A', 4000);
        image[1999] = bad[i];
        json_t *result = sample_result(image), *got = NULL;
        assert_int_equal(ledger_outcome(l, "s_1", result, NULL, &ref, &err), 0);
        assert_int_equal(ledger_result(l, "s_1", ref.seq, &got, &err), 0);
        json_object_del(got, "ledger");
        assert_true(json_equal(result, got));
        json_decref(got);
        json_decref(result);
    }
    ledger_close(l);
}

static void streams_come_from_the_result_or_the_store(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    struct ledger_ref ref;
    char blob[HASH_TEXT_SIZE], text[16] = "";
    uint64_t size;
    json_t *result = sample_result("AAAA");
    scoped_free char *data = pattern(70000, 5);
    begin(l, "s_1");
    put(l, data, 70000, blob);
    json_t *extra = json_pack("{s:{s:s}}", "blobs", "stderr", blob);
    assert_int_equal(ledger_outcome(l, "s_1", result, extra, &ref, &err), 0);
    scoped_fd out = ledger_stream(l, "s_1", ref.seq, "stdout", &size, &err);
    assert_int_equal(size, strlen("héllo\n"));
    assert_int_equal(read_full(out, text, sizeof text), size);
    assert_string_equal(text, "héllo\n");
    scoped_fd big = ledger_stream(l, "s_1", ref.seq, "stderr", &size, &err);
    assert_true(big >= 0);
    assert_int_equal(size, 70000);
    json_decref(extra);
    json_decref(result);
    ledger_close(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        LEDGER_TEST(every_size_comes_back_by_every_way),
        LEDGER_TEST(more_than_the_cap_stores_nothing),
        LEDGER_TEST(the_same_bytes_are_kept_once),
        LEDGER_TEST(damage_is_noticed_when_reading),
        LEDGER_TEST(quota_takes_the_least_recently_used_and_the_living_last),
        LEDGER_TEST(age_takes_the_old_but_not_from_the_living),
        LEDGER_TEST(an_owner_loses_none_to_the_greed_of_another),
        LEDGER_TEST(sessions_that_ended_go_when_entries_are_too_many),
        LEDGER_TEST(who_uses_all_that_he_may_have_begins_nothing_more),
        LEDGER_TEST(expired_bytes_heal_when_stored_again),
        LEDGER_TEST(bytes_that_nobody_refers_to_yet_are_spared),
        LEDGER_TEST(files_that_no_row_speaks_for_are_swept),
        LEDGER_TEST(the_flusher_holds_the_quota),
        LEDGER_TEST(bytes_lost_with_the_power_have_a_verdict_of_their_own),
        LEDGER_TEST(a_result_comes_back_whole),
        LEDGER_TEST(a_result_that_grew_by_its_escapes_comes_back),
        LEDGER_TEST(what_is_not_base64_stays_as_it_is),
        LEDGER_TEST(streams_come_from_the_result_or_the_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
