/* The log: chains, branches, leases, history. */
#include "ledger/store.h"
#include "ledger/upkeep.h"
#include "ledger_dir.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

static void an_entry_comes_back_as_it_went_in(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    struct ledger_entry e;
    begin(l, "s_1");
    struct ledger_ref ref = cell(l, "s_1", 1, "print(1)", "kept");
    assert_int_equal(ref.seq, 3);
    assert_int_equal(ledger_entry_get(l, "s_1", 3, &e, &err), 0);
    assert_int_equal(e.kind, LEDGER_CELL_OUTCOME);
    assert_string_equal(e.hash, ref.hash);
    assert_string_equal(json_string_value(json_object_get(e.body, "state")), "kept");
    ledger_entry_done(&e);
    assert_int_equal(ledger_entry_get(l, "s_1", 4, &e, &err), -ENOENT);
    ledger_close(l);
}

static void the_log_outlives_the_process_that_wrote_it(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    begin(l, "s_1");
    struct ledger_ref ref = cell(l, "s_1", 1, "print(1)", "kept");
    ledger_close(l);
    l = open_ledger();
    struct ledger_session s;
    assert_int_equal(ledger_session_get(l, "s_1", &s, &err), 0);
    assert_int_equal(s.seq, 3);
    assert_int_equal(s.cells, 1);
    assert_string_equal(s.head, ref.hash);
    assert_verdict(l, "s_1", LEDGER_OK);
    ledger_close(l);
}

static void durable_is_said_only_after_a_sync(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    begin(l, "s_1");
    struct ledger_ref ref = cell(l, "s_1", 1, "x", "kept");
    assert_int_equal(ledger_sync(l, &err), 0);
    assert_true(ledger_durable(l, &ref));
    struct ledger_ref later = ref;
    later.ticket++;
    assert_false(ledger_durable(l, &later));
    ledger_close(l);
}

static void a_reference_needs_its_bytes(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    begin(l, "s_1");
    json_t *body = json_pack(
        "{s:s}", "blob", "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_int_equal(ledger_append(l, "s_1", LEDGER_FILE_WRITE, body, NULL, &err), -ESTALE);
    json_decref(body);
    body = json_pack("{s:[{s:s}]}", "files", "blob", "sha256:no");
    assert_int_equal(ledger_append(l, "s_1", LEDGER_FILE_WRITE, body, NULL, &err), -EINVAL);
    json_decref(body);
    /* Text that only looks like a reference is text. */
    append(l, "s_1", LEDGER_FILE_DELETE,
           json_pack("{s:s}", "path",
                     "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    assert_verdict(l, "s_1", LEDGER_OK);
    ledger_close(l);
}

static void ids_are_checked(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    json_t *body = json_object();
    static const char *const bad[] = {
        "",  "a/b", "a b",
        "ä", "..",  "0123456789012345678901234567890123456789012345678901234567890123x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(ledger_begin(l, bad[i], NULL, body, NULL, &err), -EINVAL);
    assert_int_equal(ledger_begin(l, "s_1", NULL, body, NULL, &err), 0);
    assert_int_equal(ledger_begin(l, "s_1", NULL, body, NULL, &err), -EEXIST);
    assert_int_equal(ledger_begin(l, "s_2", "s_none", body, NULL, &err), -ENOENT);
    assert_int_equal(ledger_append(l, "s_1", LEDGER_FORGET, body, NULL, &err), -EINVAL);
    assert_int_equal(ledger_append(l, "s_none", LEDGER_CLOSE, body, NULL, &err), -ENOENT);
    assert_int_equal(err.fault, ERR_CALLER);
    json_decref(body);
    ledger_close(l);
}

/* --- notes --- */

static uint64_t note(struct ledger *l, const char *session, const json_t *event) {
    struct retort_error err = ERR_INIT;
    struct ledger_ref ref;
    if (ledger_note(l, session, "agent", event, &ref, &err) < 0)
        fail_msg("ledger_note: %s", err.message);
    return ref.seq;
}

static json_t *event_at(struct ledger *l, const char *session, uint64_t seq) {
    struct ledger_entry e;
    assert_int_equal(ledger_entry_get(l, session, seq, &e, NULL), 0);
    assert_int_equal(e.kind, LEDGER_NOTE);
    json_t *event = ledger_note_event(l, e.body);
    ledger_entry_done(&e);
    return event;
}

/* Long text with a NUL and a long list go to the store; a member called "blob" is just a member. */
static json_t *long_event(void) {
    json_t *list = json_array();
    char text[5000];
    memset(text, 'x', sizeof text);
    text[77] = 0;
    for (int i = 0; i < 1000; i++)
        json_array_append_new(list, json_integer(i));
    return json_pack("{s:s, s:s, s:s%, s:o, s:s}", "event", "final", "blob", "sha256:no", "answer",
                     text, sizeof text, "provenance", list, "short", "s");
}

static void a_note_comes_back_whole(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    json_t *event = long_event();
    begin(l, "s_1");
    uint64_t seq = note(l, "s_1", event);
    ledger_close(l);
    l = open_ledger();
    json_t *back = event_at(l, "s_1", seq);
    assert_true(json_equal(back, event));
    assert_true(sql_int("SELECT length(body) FROM entry WHERE kind = 'note'") < 600);
    assert_verdict(l, "s_1", LEDGER_OK);
    json_decref(back);
    json_decref(event);
    ledger_close(l);
}

static void what_expired_of_a_note_is_left_out(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    json_t *event = long_event();
    begin(l, "s_1");
    uint64_t seq = note(l, "s_1", event);
    append(l, "s_1", LEDGER_CLOSE, json_object());
    assert_int_equal(ledger_expire(l, 1, 0, NULL, NULL), 0);
    json_t *back = event_at(l, "s_1", seq);
    assert_int_equal(json_object_size(back), 3);
    assert_string_equal(json_string_value(json_object_get(back, "short")), "s");
    assert_verdict(l, "s_1", LEDGER_EXPIRED);
    json_decref(back);
    json_decref(event);
    ledger_close(l);
}

static void a_note_needs_an_object_and_a_session(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    json_t *event = json_pack("{s:s}", "event", "plan"), *list = json_array();
    begin(l, "s_1");
    assert_int_equal(ledger_note(l, "s_1", "agent", list, NULL, &err), -EINVAL);
    assert_int_equal(ledger_note(l, "s_1", "agent", NULL, NULL, &err), -EINVAL);
    append(l, "s_1", LEDGER_SLEEP, json_object());
    note(l, "s_1", event); /* a model may think for longer than a session stays awake */
    append(l, "s_1", LEDGER_CLOSE, json_object());
    note(l, "s_1", event); /* what is said of it afterwards */
    assert_true(ledger_note(l, "s_2", "agent", event, NULL, &err) < 0);
    json_decref(event);
    json_decref(list);
    ledger_close(l);
}

/* --- branches and history --- */

static void branch(struct ledger *l, const char *child, const char *parent) {
    struct retort_error err = ERR_INIT;
    json_t *body = json_object();
    if (ledger_begin(l, child, parent, body, NULL, &err) < 0)
        fail_msg("branch: %s", err.message);
    json_decref(body);
}

/* The cells of a history, as "parent:1 child:2". */
static void assert_history(struct ledger *l, const char *session, const char *want) {
    struct retort_error err = ERR_INIT;
    struct ledger_history h;
    char got[512] = "";
    if (ledger_history(l, session, &h, &err) < 0)
        fail_msg("ledger_history: %s", err.message);
    for (size_t i = 0; i < h.count; i++) {
        size_t n = strlen(got);
        const struct ledger_step *s = &h.steps[i];
        if (s->kind == LEDGER_CELL_INTENT)
            snprintf(got + n, sizeof got - n, "%s:%d ", s->session,
                     (int)json_integer_value(json_object_get(s->body, "cell")));
        else
            snprintf(got + n, sizeof got - n, "%s(%s) ", ledger_kind_name(s->kind),
                     json_string_value(json_object_get(s->body, "path")));
    }
    ledger_history_done(&h);
    assert_string_equal(got, want);
}

static void undo(struct ledger *l, const char *session, int cells) {
    append(l, session, LEDGER_UNDO, json_pack("{s:i}", "cells", cells));
}

static void write_file(struct ledger *l, const char *session, const char *path) {
    char blob[HASH_TEXT_SIZE];
    put(l, path, strlen(path), blob);
    append(l, session, LEDGER_FILE_WRITE, json_pack("{s:s, s:s}", "path", path, "blob", blob));
}

static void history_leaves_out_what_was_taken_back(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    begin(l, "s_1");
    write_file(l, "s_1", "a");
    cell(l, "s_1", 1, "one", "kept");
    cell(l, "s_1", 2, "two", "rolled_back");
    cell(l, "s_1", 3, "three", "kept");
    write_file(l, "s_1", "b");
    assert_history(l, "s_1", "file_write(a) s_1:1 s_1:3 file_write(b) ");
    undo(l, "s_1", 1);
    assert_history(l, "s_1", "file_write(a) s_1:1 ");
    cell(l, "s_1", 4, "four", "kept");
    assert_history(l, "s_1", "file_write(a) s_1:1 s_1:4 ");
    undo(l, "s_1", 99);
    assert_history(l, "s_1", "file_write(a) ");
    cell(l, "s_1", 5, "five", NULL);
    assert_history(l, "s_1", "file_write(a) ");
    ledger_close(l);
}

static void notes_are_no_part_of_it(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    json_t *event = json_pack("{s:s}", "event", "action");
    begin(l, "s_1");
    cell(l, "s_1", 1, "a", "kept");
    note(l, "s_1", event);
    cell(l, "s_1", 2, "b", "kept");
    note(l, "s_1", event);
    undo(l, "s_1", 1);
    assert_history(l, "s_1", "s_1:1 ");
    json_decref(event);
    ledger_close(l);
}

static void branches_inherit_the_prefix_and_no_more(void **state) {
    (void)state;
    struct ledger *l = open_ledger();
    begin(l, "s_1");
    cell(l, "s_1", 1, "one", "kept");
    cell(l, "s_1", 2, "two", "kept");
    branch(l, "s_2", "s_1");
    cell(l, "s_1", 3, "three", "kept");
    undo(l, "s_1", 2);
    cell(l, "s_2", 3, "other", "kept");
    branch(l, "s_3", "s_2");
    undo(l, "s_3", 2);
    cell(l, "s_3", 4, "deep", "kept");
    assert_history(l, "s_1", "s_1:1 ");
    assert_history(l, "s_2", "s_1:1 s_1:2 s_2:3 ");
    assert_history(l, "s_3", "s_1:1 s_3:4 ");
    for (int i = 1; i <= 3; i++) {
        char id[16];
        snprintf(id, sizeof id, "s_%d", i);
        assert_verdict(l, id, LEDGER_OK);
    }
    ledger_close(l);
}

static int count_entries(void *user, const struct ledger_entry *e) {
    int *count = user;
    assert_int_equal(e->seq, ++*count);
    return 0;
}

static int count_sessions(void *user, const struct ledger_session *s) {
    assert_true(s->cells == 0 && s->seq == 1);
    ++*(int *)user;
    return 0;
}

static void visits_go_over_many_pages(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    int entries = 0, sessions = 0;
    for (int i = 0; i < 150; i++) {
        char id[16];
        snprintf(id, sizeof id, "s_%d", i);
        begin(l, id);
    }
    assert_int_equal(ledger_sessions(l, count_sessions, &sessions, &err), 0);
    assert_int_equal(sessions, 150);
    for (int i = 0; i < 127; i++) /* 128 entries: a multiple of the page */
        undo(l, "s_0", 0);
    assert_int_equal(ledger_entries(l, "s_0", 1, 0, count_entries, &entries, &err), 0);
    assert_int_equal(entries, 128);
    ledger_close(l);
}

/* --- leases --- */

static enum ledger_state state_of(struct ledger *l, const char *session) {
    struct retort_error err = ERR_INIT;
    struct ledger_session s;
    assert_int_equal(ledger_session_get(l, session, &s, &err), 0);
    return s.state;
}

static const char *title_of(struct ledger *l, const char *id) {
    static struct ledger_session s;
    assert_int_equal(ledger_session_get(l, id, &s, NULL), 0);
    return s.title;
}

static void a_name_is_kept_and_forgotten_with_its_session(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    begin(l, "s_1");
    assert_string_equal(title_of(l, "s_1"), "");
    assert_int_equal(ledger_rename(l, "s_1", "orders of May", &err), 0);
    assert_int_equal(ledger_rename(l, "s_9", "nobody", &err), -ENOENT);
    assert_string_equal(title_of(l, "s_1"), "orders of May");
    assert_verdict(l, "s_1", LEDGER_OK);
    append(l, "s_1", LEDGER_CLOSE, json_object());
    assert_int_equal(ledger_forget(l, "s_1", NULL, &err), 0);
    assert_string_equal(title_of(l, "s_1"), "");
    ledger_close(l);
}

static void a_session_has_one_engine(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *a = open_ledger(), *b = open_ledger();
    json_t *body = json_object();
    begin(a, "s_1");
    begin(b, "s_2");
    assert_int_equal(ledger_append(b, "s_1", LEDGER_UNDO, body, NULL, &err), -EBUSY);
    assert_int_equal(ledger_resume(b, "s_1", body, NULL, &err), -EBUSY);
    assert_int_equal(ledger_forget(b, "s_1", NULL, &err), -EBUSY);
    append(a, "s_1", LEDGER_SLEEP, json_object());
    assert_int_equal(state_of(b, "s_1"), LEDGER_ASLEEP);
    assert_int_equal(ledger_append(a, "s_1", LEDGER_UNDO, body, NULL, &err), -ESTALE);
    assert_int_equal(ledger_resume(b, "s_1", body, NULL, &err), 0);
    assert_int_equal(ledger_append(a, "s_1", LEDGER_UNDO, body, NULL, &err), -EBUSY);
    cell(b, "s_1", 1, "mine now", "kept");
    assert_verdict(a, "s_1", LEDGER_OK);
    json_decref(body);
    ledger_close(a);
    ledger_close(b);
}

static void a_dead_engine_leaves_interrupted_sessions(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger_session s;
    struct ledger_entry e;
    struct ledger *alive = open_ledger();
    begin(alive, "s_alive");
    cell(alive, "s_alive", 1, "still running", NULL);
    pid_t pid = fork();
    if (pid == 0) {
        struct ledger *l = open_ledger();
        begin(l, "s_open");
        cell(l, "s_open", 1, "done", "kept");
        cell(l, "s_open", 2, "never done", NULL);
        begin(l, "s_idle");
        cell(l, "s_idle", 1, "done", "kept");
        begin(l, "s_closed");
        append(l, "s_closed", LEDGER_CLOSE, json_object());
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    struct ledger *l = open_ledger();
    assert_int_equal(state_of(l, "s_open"), LEDGER_INTERRUPTED);
    assert_int_equal(state_of(l, "s_idle"), LEDGER_INTERRUPTED);
    assert_int_equal(state_of(l, "s_closed"), LEDGER_CLOSED);
    assert_int_equal(state_of(l, "s_alive"), LEDGER_LIVE);
    assert_int_equal(ledger_session_get(l, "s_open", &s, &err), 0);
    assert_int_equal(ledger_entry_get(l, "s_open", s.seq, &e, &err), 0);
    assert_string_equal(json_string_value(json_object_get(e.body, "status")), "interrupted");
    assert_int_equal(json_integer_value(json_object_get(e.body, "cell")), 2);
    ledger_entry_done(&e);
    assert_int_equal(ledger_session_get(l, "s_idle", &s, &err), 0);
    assert_int_equal(s.seq, 3);
    assert_history(l, "s_open", "s_open:1 ");
    assert_verdict(l, "s_open", LEDGER_OK);
    ledger_close(l);
    ledger_close(alive);
}

/* The engine dies after this ledger was opened: found at the resume. */
static void a_session_of_an_engine_that_dies_later_can_be_resumed(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct ledger *l = open_ledger();
        begin(l, "s_1");
        cell(l, "s_1", 1, "never done", NULL);
        byte = (char)write(ready[1], "x", 1);
        pause();
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    struct ledger *l = open_ledger();
    json_t *body = json_object();
    assert_int_equal(state_of(l, "s_1"), LEDGER_LIVE);
    assert_int_equal(ledger_resume(l, "s_1", body, NULL, &err), -EBUSY);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_int_equal(ledger_resume(l, "s_1", body, NULL, &err), 0);
    assert_history(l, "s_1", "");
    assert_verdict(l, "s_1", LEDGER_OK);
    json_decref(body);
    close(ready[0]);
    ledger_close(l);
}

static int count_files(const char *sub) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", dir, sub);
    DIR *d = opendir(path);
    assert_non_null(d);
    int n = 0;
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_type == DT_REG;
    closedir(d);
    return n;
}

static void leases_do_not_pile_up(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++)
        ledger_close(open_ledger());
    assert_int_equal(count_files("leases"), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct retort_error err = ERR_INIT;
        struct store_writer *w = store_writer_new(open_ledger(), &err);
        static char big[100000];
        store_add(w, big, sizeof big, &err);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_int_equal(count_files("leases"), 1);
    assert_int_equal(count_files("store"), 1);
    struct ledger *l = open_ledger();
    assert_int_equal(count_files("leases"), 1);
    assert_int_equal(count_files("store"), 0);
    ledger_close(l);
}

/* --- many at once --- */

#define THREADS 8
#define CELLS 40

struct worker {
    struct ledger *l;
    int n;
};

static void *work(void *arg) {
    struct worker *w = arg;
    char id[16], code[32];
    snprintf(id, sizeof id, "s_%d", w->n);
    begin(w->l, id);
    for (int i = 1; i <= CELLS; i++) {
        snprintf(code, sizeof code, "shared %d", i);
        cell(w->l, id, i, code, "kept");
    }
    append(w->l, id, LEDGER_CLOSE, json_object());
    return NULL;
}

static void threads_and_engines_share_a_directory(void **state) {
    (void)state;
    struct ledger *ledgers[2] = {open_ledger(), open_ledger()};
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.l = ledgers[i % 2], .n = i};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        char id[16];
        snprintf(id, sizeof id, "s_%d", i);
        struct ledger_report r = verify(ledgers[0], id, NULL);
        assert_int_equal(r.worst.verdict, LEDGER_OK);
        assert_int_equal(r.entries, 2 * CELLS + 2);
        assert_int_equal(r.blobs, CELLS);
    }
    ledger_close(ledgers[0]);
    ledger_close(ledgers[1]);
    assert_int_equal(sql_int("SELECT count(*) FROM blob"), CELLS);
}

static int check_mode(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)ftw;
    if ((st->st_mode & 0777) != (type == FTW_D || type == FTW_DP ? 0700 : 0600))
        fail_msg("%s has mode %o", path, st->st_mode & 0777);
    return 0;
}

static void everything_is_private_whatever_the_umask(void **state) {
    (void)state;
    static const mode_t masks[] = {0, 0777};
    static char big[100000];
    for (size_t i = 0; i < 2; i++) {
        char blob[HASH_TEXT_SIZE];
        mode_t old = umask(masks[i]);
        struct ledger *l = open_ledger();
        begin(l, i ? "s_1" : "s_0");
        big[0] = (char)i;
        put(l, big, sizeof big, blob);
        nftw(dir, check_mode, 16, FTW_PHYS);
        ledger_close(l);
        umask(old);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        LEDGER_TEST(an_entry_comes_back_as_it_went_in),
        LEDGER_TEST(the_log_outlives_the_process_that_wrote_it),
        LEDGER_TEST(durable_is_said_only_after_a_sync),
        LEDGER_TEST(a_reference_needs_its_bytes),
        LEDGER_TEST(ids_are_checked),
        LEDGER_TEST(a_note_comes_back_whole),
        LEDGER_TEST(what_expired_of_a_note_is_left_out),
        LEDGER_TEST(a_note_needs_an_object_and_a_session),
        LEDGER_TEST(notes_are_no_part_of_it),
        LEDGER_TEST(history_leaves_out_what_was_taken_back),
        LEDGER_TEST(branches_inherit_the_prefix_and_no_more),
        LEDGER_TEST(visits_go_over_many_pages),
        LEDGER_TEST(a_name_is_kept_and_forgotten_with_its_session),
        LEDGER_TEST(a_session_has_one_engine),
        LEDGER_TEST(a_dead_engine_leaves_interrupted_sessions),
        LEDGER_TEST(a_session_of_an_engine_that_dies_later_can_be_resumed),
        LEDGER_TEST(leases_do_not_pile_up),
        LEDGER_TEST(threads_and_engines_share_a_directory),
        LEDGER_TEST(everything_is_private_whatever_the_umask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
