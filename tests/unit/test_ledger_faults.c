/* What goes wrong around a ledger: disks, permissions, locks, damage, sudden death. Each gives a
 * clear error, and nothing that was reported as recorded is lost. */
#include "ledger_dir.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/io.h"
#include "base/scope.h"
#include "ledger/store.h"
#include "ledger/upkeep.h"

/* Runs a part of a test in a process of its own; it returns 0, or the line of what went wrong. */
static void in_child(int (*part)(void)) {
    int status;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(part());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFEXITED(status))
        fail_msg("killed by signal %d", WTERMSIG(status));
    if (WEXITSTATUS(status))
        fail_msg("failed in line %d (modulo 256)", WEXITSTATUS(status));
}

#define NEED(condition)                                     \
    do {                                                    \
        if (!(condition))                                   \
            return (__LINE__ & 255) ? (__LINE__ & 255) : 1; \
    } while (0)

static int opens(struct retort_error *err) {
    struct ledger *l = NULL;
    struct ledger_options options = {.busy_ms = 50};
    *err = ERR_INIT;
    int r = ledger_open(dir, &options, &l, err);
    ledger_close(l);
    return r;
}

static int append_n(struct ledger *l, int n, size_t blob_size, struct retort_error *err) {
    static char data[20000];
    char text[HASH_TEXT_SIZE];
    struct hash h;
    snprintf(data, sizeof data, "blob %d", n);
    int r = store_put(l, data, blob_size, &h, err);
    if (r < 0)
        return r;
    hash_text(&h, text);
    json_t *body = json_pack("{s:i, s:s}", "n", n, "blob", text);
    r = ledger_append(l, "s_1", LEDGER_FILE_WRITE, body, NULL, err);
    json_decref(body);
    return r;
}

/* Appends until it fails; returns how many entries were recorded after the first. */
static int fill(struct ledger *l, struct retort_error *err) {
    int n = 0;
    while (n < 100000 && append_n(l, n, n % 2 ? 20000 : 300, err) == 0)
        n++;
    return n;
}

static bool is_whole(struct ledger *l, uint64_t entries) {
    struct retort_error err = ERR_INIT;
    struct ledger_report r;
    return ledger_verify(l, "s_1", NULL, NULL, NULL, &r, &err) == 0 &&
           r.worst.verdict == LEDGER_OK && r.entries == entries;
}

static bool begins(struct ledger *l) {
    json_t *body = json_object();
    int r = ledger_begin(l, "s_1", NULL, body, NULL, NULL);
    json_decref(body);
    return r == 0;
}

static bool mounts_tmpfs(void) {
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", dir, "tmpfs", 0, "size=2m,mode=700") == 0;
}

static int full_disk(void) {
    char filler[96];
    struct retort_error err = ERR_INIT;
    struct ledger *l = NULL;
    NEED(mounts_tmpfs());
    snprintf(filler, sizeof filler, "%s/filler", dir);
    scoped_fd fd = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    NEED(posix_fallocate(fd, 0, 700000) == 0);
    NEED(ledger_open(dir, NULL, &l, &err) == 0 && begins(l));
    int n = fill(l, &err);
    NEED(n > 5 && err.code == ENOSPC && err.fault == ERR_HOST &&
         strstr(err.message, "free some space"));
    NEED(append_n(l, 100000, 300, &err) == -ENOSPC || append_n(l, 100001, 20000, &err) == -ENOSPC);
    NEED(unlink(filler) == 0 && ftruncate(fd, 0) == 0);
    /* There is room again, and nothing of what was recorded is missing. */
    err = ERR_INIT;
    struct ledger_session s;
    NEED(append_n(l, 100002, 20000, &err) == 0);
    NEED(ledger_session_get(l, "s_1", &s, &err) == 0 && s.seq >= (uint64_t)n + 2);
    NEED(is_whole(l, s.seq));
    ledger_close(l);
    NEED(ledger_open(dir, NULL, &l, &err) == 0 && is_whole(l, s.seq));
    ledger_close(l);
    return 0;
}

static int full_disk_at_birth(void) {
    char filler[96];
    struct retort_error err = ERR_INIT;
    NEED(mounts_tmpfs());
    snprintf(filler, sizeof filler, "%s/filler", dir);
    scoped_fd fd = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    static char zeros[4096];
    while (write(fd, zeros, sizeof zeros) > 0)
        ;
    NEED(opens(&err) == -ENOSPC && err.fault == ERR_HOST);
    NEED(unlink(filler) == 0 && ftruncate(fd, 0) == 0);
    NEED(opens(&err) == 0);
    return 0;
}

static int read_only_mount(void) {
    struct retort_error err = ERR_INIT;
    NEED(mounts_tmpfs());
    NEED(opens(&err) == 0);
    NEED(mount("none", dir, NULL, MS_REMOUNT | MS_RDONLY, NULL) == 0);
    NEED(opens(&err) == -EROFS && err.fault == ERR_HOST && strstr(err.message, "RETORT_STATE"));
    return 0;
}

/* Skipped by hand, because cmocka's skip() would end the test without a reason. */
static bool is_root(const char *what) {
    if (geteuid() != 0)
        print_message("SKIP %s: needs root to mount a small disk\n", what);
    return geteuid() == 0;
}

static void a_full_disk_is_an_error_and_loses_nothing(void **state) {
    (void)state;
    if (is_root(__func__))
        in_child(full_disk);
}

static void a_disk_that_was_full_from_the_start_is_an_error(void **state) {
    (void)state;
    if (is_root(__func__))
        in_child(full_disk_at_birth);
}

static void a_read_only_mount_is_an_error(void **state) {
    (void)state;
    if (is_root(__func__))
        in_child(read_only_mount);
}

static int file_size_limit(void) {
    struct retort_error err = ERR_INIT;
    struct ledger *l = NULL;
    struct rlimit limit = {.rlim_cur = 200000, .rlim_max = 200000};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    NEED(sigaction(SIGXFSZ, &ignore, NULL) == 0);
    NEED(ledger_open(dir, NULL, &l, &err) == 0 && begins(l));
    NEED(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    int n = fill(l, &err);
    NEED(n > 5 && n < 100000 && err.fault == ERR_HOST && err.message[0]);
    NEED(is_whole(l, (uint64_t)n + 1));
    ledger_close(l);
    return 0;
}

static void a_file_size_limit_is_an_error_and_loses_nothing(void **state) {
    (void)state;
    in_child(file_size_limit);
    struct ledger *l = open_ledger();
    assert_verdict(l, "s_1", LEDGER_OK);
    ledger_close(l);
}

static int as_nobody(void) {
    struct retort_error err = ERR_INIT;
    NEED(geteuid() != 0 || setresuid(65534, 65534, 65534) == 0);
    NEED(opens(&err) == -EACCES && err.fault == ERR_HOST && strstr(err.message, "RETORT_STATE"));
    return 0;
}

static void a_directory_without_permission_is_an_error(void **state) {
    (void)state;
    if (geteuid() == 0)
        assert_int_equal(chown(dir, 65534, 65534), 0);
    assert_int_equal(chmod(dir, 0500), 0);
    in_child(as_nobody);
    assert_int_equal(chmod(dir, 0700), 0);
}

static int in_a_directory_of_root(void) {
    struct retort_error err = ERR_INIT;
    NEED(setresuid(65534, 65534, 65534) == 0);
    NEED(opens(&err) == -EPERM && strstr(err.message, "belongs to user 0"));
    return 0;
}

static void a_directory_that_others_control_is_refused(void **state) {
    (void)state;
    struct retort_error err;
    assert_int_equal(chmod(dir, 0770), 0);
    assert_int_equal(opens(&err), -EPERM);
    assert_non_null(strstr(err.message, "chmod go-w"));
    assert_int_equal(chmod(dir, 0755), 0);
    assert_int_equal(opens(&err), 0);
    if (geteuid() == 0)
        in_child(in_a_directory_of_root);
}

static int runs(const char *program, char *const argv[]) {
    pid_t pid;
    int status = -1;
    if (posix_spawn(&pid, program, NULL, NULL, argv, environ) == 0)
        waitpid(pid, &status, 0);
    return status;
}

static int goes_on_as_owner(void) {
    struct retort_error err = ERR_INIT;
    struct ledger *l = NULL;
    struct hash h;
    char *data = calloc(1, 200000);
    NEED(setresgid(65534, 65534, 65534) == 0 && setresuid(65534, 65534, 65534) == 0);
    NEED(data && ledger_open(dir, NULL, &l, &err) == 0);
    data[0] = 'x'; /* in the same directory of the store as root's */
    NEED(store_put(l, data, 200000, &h, &err) == 0 && is_whole(l, 1));
    ledger_close(l);
    free(data);
    return 0;
}

/* What root makes in a directory of somebody else's is theirs. */
static void root_works_in_anybodys_directory_and_keeps_nothing(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    struct ledger *l = NULL;
    struct hash h;
    scoped_free char *data = calloc(1, 200000);
    if (!is_root(__func__))
        return;
    assert_int_equal(chown(dir, 65534, 65534), 0);
    assert_int_equal(ledger_open(dir, NULL, &l, &err), 0);
    assert_true(begins(l));
    assert_int_equal(store_put(l, data, 200000, &h, &err), 0);
    assert_int_equal(ledger_sync(l, &err), 0);
    scoped_free char *find = NULL;
    assert_true(asprintf(&find, "test -z \"$(find %s ! -uid 65534)\"", dir) > 0);
    char *const argv[] = {"sh", "-c", find, NULL};
    assert_int_equal(runs("/bin/sh", argv), 0);
    ledger_close(l);
    assert_int_equal(runs("/bin/sh", argv), 0);
    in_child(goes_on_as_owner);
}

static void a_locked_database_is_an_error_until_it_is_free(void **state) {
    (void)state;
    char path[96];
    struct retort_error err = ERR_INIT;
    sqlite3 *other;
    struct ledger *l = NULL;
    struct ledger_options options = {.busy_ms = 30};
    assert_int_equal(ledger_open(dir, &options, &l, &err), 0);
    begin(l, "s_1");
    snprintf(path, sizeof path, "%s/ledger.db", dir);
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(append_n(l, 1, 300, &err), -EBUSY);
    assert_int_equal(err.fault, ERR_HOST);
    assert_non_null(strstr(err.message, "locked by another program"));
    /* Reading goes on. */
    assert_verdict(l, "s_1", LEDGER_OK);
    assert_int_equal(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(append_n(l, 1, 300, &err), 0);
    assert_int_equal(verify(l, "s_1", NULL).entries, 2);
    sqlite3_close(other);
    ledger_close(l);
}

static void write_db(const char *text) {
    char path[96];
    snprintf(path, sizeof path, "%s/ledger.db", dir);
    scoped_fd fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_int_equal(write_all(fd, text, strlen(text)), 0);
}

static void what_is_no_ledger_is_left_alone(void **state) {
    (void)state;
    struct retort_error err;
    char path[96];
    write_db(
        "Dear diary, this is long enough to be taken for the header of a database, but is none, "
        "whatever the name of the file may say about it.");
    assert_int_equal(opens(&err), -EBADMSG);
    assert_int_equal(err.fault, ERR_HOST);
    assert_non_null(strstr(err.message, "not a ledger"));
    snprintf(path, sizeof path, "%s/ledger.db", dir);
    assert_int_equal(unlink(path), 0);
    sql("CREATE TABLE mine (x)");
    assert_int_equal(opens(&err), -EBADMSG);
    assert_int_equal(sql_int("SELECT count(*) FROM sqlite_schema"), 1);
    assert_int_equal(unlink(path), 0);
    ledger_close(open_ledger());
    sql("UPDATE schema SET version = 1000");
    assert_int_equal(opens(&err), -EPROTO);
    assert_non_null(strstr(err.message, "newer"));
}

/* Every page of the database in turn becomes rubbish: errors and verdicts, never a crash, and never
 * an "ok" for a session with fewer entries than were recorded. */
static void a_damaged_database_never_passes_and_never_crashes(void **state) {
    (void)state;
    char path[96];
    struct retort_error err = ERR_INIT;
    struct ledger *l = open_ledger();
    begin(l, "s_1");
    for (int i = 0; i < 30; i++)
        assert_int_equal(append_n(l, i, 300, &err), 0);
    ledger_close(l);
    snprintf(path, sizeof path, "%s/ledger.db", dir);
    scoped_fd fd = open(path, O_RDWR | O_CLOEXEC);
    off_t size = lseek(fd, 0, SEEK_END);
    scoped_free char *whole = malloc((size_t)size);
    static char rubbish[2048];
    memset(rubbish, 0xa5, sizeof rubbish);
    assert_int_equal(pread(fd, whole, (size_t)size, 0), size);
    for (off_t at = 0; at < size; at += 2048) {
        struct ledger_report r;
        assert_int_equal(pwrite(fd, rubbish, sizeof rubbish, at), sizeof rubbish);
        l = NULL;
        err = ERR_INIT;
        int e = ledger_open(dir, NULL, &l, &err);
        if (e == 0)
            e = ledger_verify(l, "s_1", NULL, NULL, NULL, &r, &err);
        if (e == 0 && r.worst.verdict == LEDGER_OK)
            assert_int_equal(r.entries, 31);
        if (e < 0)
            assert_true(err.message[0] != 0);
        ledger_close(l);
        assert_int_equal(ftruncate(fd, 0), 0);
        assert_int_equal(pwrite(fd, whole, (size_t)size, 0), size);
    }
    l = open_ledger();
    assert_verdict(l, "s_1", LEDGER_OK);
    ledger_close(l);
}

/* --- sudden death --- */

#define WRITERS 3

struct told {
    uint64_t seq;
    char session[16];
    char hash[HASH_TEXT_SIZE];
};

static void tell(int fd, const char *session, const struct ledger_ref *ref) {
    struct told t = {.seq = ref->seq};
    snprintf(t.session, sizeof t.session, "%s", session);
    memcpy(t.hash, ref->hash, sizeof t.hash);
    if (write_all(fd, &t, sizeof t) < 0)
        _exit(1);
}

struct writer {
    struct ledger *l;
    int fd, round, n;
};

/* Cells with small and large bytes, told to the parent only after they were recorded. */
static void *write_cells(void *arg) {
    struct writer *w = arg;
    char id[16];
    snprintf(id, sizeof id, "s_%d_%d", w->round, w->n);
    begin(w->l, id);
    for (int i = 1;; i++) {
        static const char padding[12000] = {'x'};
        char code[64], blob[HASH_TEXT_SIZE], large[sizeof padding];
        snprintf(code, sizeof code, "cell %d of %s", i, id);
        memcpy(large, padding, sizeof large);
        memcpy(large, code, strlen(code));
        struct ledger_ref ref = cell(w->l, id, i, code, NULL);
        tell(w->fd, id, &ref);
        put(w->l, large, i % 3 ? 500 : sizeof large, blob);
        ref = append(w->l, id, LEDGER_CELL_OUTCOME,
                     json_pack("{s:i, s:s, s:s, s:{s:s}}", "cell", i, "status", "ok", "state",
                               "kept", "blobs", "result", blob));
        tell(w->fd, id, &ref);
    }
    return NULL;
}

static void writer_process(int fd, int round) {
    struct ledger *l = open_ledger();
    pthread_t threads[WRITERS];
    struct writer writers[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (struct writer){.l = l, .fd = fd, .round = round, .n = i};
        pthread_create(&threads[i], NULL, write_cells, &writers[i]);
    }
    pthread_join(threads[0], NULL);
}

/* An intent is followed by its outcome; the one that is not must say "interrupted". */
static int check_order(void *user, const struct ledger_entry *e) {
    json_int_t *open = user;
    json_int_t n = json_integer_value(json_object_get(e->body, "cell"));
    if (e->kind == LEDGER_CELL_INTENT) {
        assert_int_equal(*open, 0);
        *open = n;
    } else if (e->kind == LEDGER_CELL_OUTCOME) {
        const char *status = json_string_value(json_object_get(e->body, "status"));
        assert_int_equal(*open, n);
        assert_true(!strcmp(status, "interrupted") ==
                    !json_object_get(json_object_get(e->body, "blobs"), "result"));
        *open = 0;
    }
    return 0;
}

static int check_session(void *user, const struct ledger_session *s) {
    struct ledger *l = user;
    struct retort_error err = ERR_INIT;
    json_int_t open = 0;
    assert_int_equal(s->state, LEDGER_INTERRUPTED);
    assert_verdict(l, s->id, LEDGER_OK);
    assert_int_equal(ledger_entries(l, s->id, 1, 0, check_order, &open, &err), 0);
    assert_int_equal(open, 0);
    return 0;
}

static void kill_at_random(int round, unsigned reports) {
    struct retort_error err = ERR_INIT;
    struct told *told = calloc(reports, sizeof *told);
    unsigned n = 0;
    int fds[2];
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(fds[0]);
        writer_process(fds[1], round);
        _exit(1);
    }
    close(fds[1]);
    while (n < reports && read_full(fds[0], &told[n], sizeof *told) == sizeof *told)
        n++;
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    close(fds[0]);
    assert_int_equal(n, reports);
    struct ledger *l = open_ledger();
    for (unsigned i = 0; i < n; i++) {
        struct ledger_entry e;
        assert_int_equal(ledger_entry_get(l, told[i].session, told[i].seq, &e, &err), 0);
        assert_string_equal(e.hash, told[i].hash);
        ledger_entry_done(&e);
    }
    assert_int_equal(ledger_sessions(l, check_session, l, &err), 0);
    ledger_close(l);
    free(told);
}

/* Killed after a random number of reports, that is, anywhere in whatever comes next. */
static void a_killed_writer_loses_nothing_it_has_told(void **state) {
    (void)state;
    int rounds = getenv("RETORT_SOAK") ? 250 : 20;
    unsigned seed = (unsigned)getpid();
    print_message("seed %u\n", seed);
    for (int i = 0; i < rounds; i++) {
        kill_at_random(i, 1 + (unsigned)rand_r(&seed) % 120);
        if (i % 10 == 9) { /* keeps the check of all sessions short */
            remove_dir(NULL);
            make_dir(NULL);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        LEDGER_TEST(a_full_disk_is_an_error_and_loses_nothing),
        LEDGER_TEST(a_disk_that_was_full_from_the_start_is_an_error),
        LEDGER_TEST(a_read_only_mount_is_an_error),
        LEDGER_TEST(a_file_size_limit_is_an_error_and_loses_nothing),
        LEDGER_TEST(a_directory_without_permission_is_an_error),
        LEDGER_TEST(a_directory_that_others_control_is_refused),
        LEDGER_TEST(root_works_in_anybodys_directory_and_keeps_nothing),
        LEDGER_TEST(a_locked_database_is_an_error_until_it_is_free),
        LEDGER_TEST(what_is_no_ledger_is_left_alone),
        LEDGER_TEST(a_damaged_database_never_passes_and_never_crashes),
        LEDGER_TEST(a_killed_writer_loses_nothing_it_has_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
