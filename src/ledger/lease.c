/* Leases: each engine process has one locked file, which shows whether it lives.
 *
 * The kernel gives the lock back when the process ends, however it ends. We lock a lease before it
 * gets its name, so nobody ever sees an unlocked lease of a live process. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "ledger/db.h"

static void new_id(char ret[LEDGER_ID_SIZE]) {
    unsigned char bytes[8];
    random_bytes(bytes, sizeof bytes);
    int n = snprintf(ret, LEDGER_ID_SIZE, "e_");
    for (size_t i = 0; i < sizeof bytes; i++)
        n += snprintf(ret + n, LEDGER_ID_SIZE - (size_t)n, "%02x", bytes[i]);
}

static int lease_fail(const struct ledger *l, int eno, struct retort_error *err) {
    return err_errno(err, ERR_HOST, eno, "cannot make a lease in %.160s/leases", l->place);
}

int lease_take(struct ledger *l, struct retort_error *err) {
    char tmp[LEDGER_ID_SIZE + 1], text[32];
    new_id(l->engine);
    snprintf(tmp, sizeof tmp, ".%s", l->engine);
    scoped_fd fd = openat(l->leasesfd, tmp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 || fchmod(fd, 0600) < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)
        return lease_fail(l, errno, err);
    snprintf(text, sizeof text, "%d\n", (int)getpid()); /* for people who read the file */
    int r = write_all(fd, text, strlen(text));
    if (r == 0)
        r = give_file(l, l->leasesfd, tmp);
    if (r == 0 && renameat(l->leasesfd, tmp, l->leasesfd, l->engine) < 0)
        r = -errno;
    if (r < 0) {
        unlinkat(l->leasesfd, tmp, 0);
        return lease_fail(l, -r, err);
    }
    l->leasefd = take_fd(&fd);
    return 0;
}

void lease_drop(struct ledger *l) {
    if (l->leasefd < 0)
        return;
    /* The process that opens the ledger next declares a session that was left live interrupted. */
    unlinkat(l->leasesfd, l->engine, 0);
    fd_done(&l->leasefd);
}

bool lease_is_free(const struct ledger *l, const char *engine) {
    scoped_fd fd = openat(l->leasesfd, engine, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return errno == ENOENT;
    /* A shared lock: two processes that look do not take each other for the owner. */
    return flock(fd, LOCK_SH | LOCK_NB) == 0;
}

int lease_interrupt_cell(struct ledger *l, struct session_row *row, bool lost,
                         struct retort_error *err) {
    sqlite3_stmt *s = db_stmt(l, ST_LAST_CELL);
    json_int_t cell = 0;
    bool open = false;
    if (!s)
        return db_error(l, l->db.handle, sqlite3_errcode(l->db.handle), err);
    sqlite3_bind_int64(s, 1, row->n);
    int rc = sqlite3_step(s);
    if (rc == SQLITE_ROW && !strcmp((const char *)sqlite3_column_text(s, 0), "cell_intent")) {
        json_t *body = json_in_text((const char *)sqlite3_column_text(s, 1), JSON_ALLOW_NUL, NULL);
        cell = json_integer_value(json_object_get(body, "cell"));
        json_decref(body);
        open = true;
    }
    sqlite3_reset(s);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        return db_error(l, l->db.handle, rc, err);
    if (!open)
        return 0;
    scoped_json *body =
        json_pack("{s:I, s:s, s:s, s:s}", "cell", cell, "status", lost ? "lost" : "interrupted",
                  "state", lost ? "rolled_back" : "lost", "reason",
                  lost ? "the node that ran the cell was lost; the session is as before it"
                       : "the engine ended before the cell did");
    return body ? log_append(l, row, LEDGER_CELL_OUTCOME, body, err) : -ENOMEM;
}

/* Declares one session of a dead engine interrupted, in a transaction of its own. 0 when there is
 * none left. */
static int interrupt_one(struct ledger *l, const char *engine, struct retort_error *err) {
    struct session_row row;
    int r = db_begin(l, err);
    if (r < 0)
        return r;
    sqlite3_stmt *s = db_stmt(l, ST_LIVE_OF);
    sqlite3_bind_text(s, 1, engine, -1, SQLITE_STATIC);
    int rc = s ? sqlite3_step(s) : SQLITE_ERROR;
    int64_t n = rc == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
    sqlite3_reset(s);
    if (rc != SQLITE_ROW)
        r = rc == SQLITE_DONE ? 0 : db_error(l, l->db.handle, rc, err);
    else if ((r = row_find_n(l, n, &row, err)) == 0 &&
             (r = lease_interrupt_cell(l, &row, false, err)) == 0)
        r = row_set_state(l, &row, LEDGER_INTERRUPTED, err);
    if (r < 0 || rc == SQLITE_DONE) {
        db_rollback(l);
        return r;
    }
    r = db_commit(l, err);
    return r < 0 ? r : 1;
}

static int next_dead(struct ledger *l, char ret[LEDGER_ID_SIZE], struct retort_error *err) {
    sqlite3_stmt *s = db_stmt(l, ST_LIVE_ENGINES);
    int rc = s ? sqlite3_step(s) : SQLITE_ERROR;
    int found = 0;
    for (; rc == SQLITE_ROW && !found; rc = found ? rc : sqlite3_step(s)) {
        const char *engine = (const char *)sqlite3_column_text(s, 0);
        if (engine && strcmp(engine, l->engine) != 0 && lease_is_free(l, engine)) {
            snprintf(ret, LEDGER_ID_SIZE, "%s", engine);
            found = 1;
        }
    }
    sqlite3_reset(s);
    return found || rc == SQLITE_DONE ? found : db_error(l, l->db.handle, rc, err);
}

/* Removes leases of dead engines, or temporary files ENGINE.N that they left. */
static void lease_sweep(const struct ledger *l, int dirfd) {
    scoped_dir dir = opendir_at(dirfd, ".");
    for (struct dirent *e; dir && (e = readdir(dir));) {
        char engine[LEDGER_ID_SIZE];
        size_t len = strcspn(e->d_name, ".");
        if (strncmp(e->d_name, "e_", 2) != 0 || len >= sizeof engine)
            continue;
        snprintf(engine, sizeof engine, "%.*s", (int)len, e->d_name);
        if (strcmp(engine, l->engine) != 0 && lease_is_free(l, engine))
            unlinkat(dirfd, e->d_name, 0);
    }
}

/* Looks after what engines of this disk left. This is not mirrored: in a cluster, the node that
 * takes such a session next decides what became of it. */
int lease_recover(struct ledger *l, struct retort_error *err) {
    char engine[LEDGER_ID_SIZE];
    int r;
    l->unmirrored = true;
    while ((r = next_dead(l, engine, err)) > 0) {
        while ((r = interrupt_one(l, engine, err)) > 0)
            ;
        if (r < 0)
            break;
    }
    l->unmirrored = false;
    if (r < 0)
        return r;
    lease_sweep(l, l->leasesfd);
    lease_sweep(l, l->storefd);
    return 0;
}
