/* A builtin of the bash that runs a session's cells, by which it reads and writes frames:
 *
 *   __retort begin        waits for HELLO; memory file 62 is then what brings back a saved state
 *   __retort own          memory file 63 has the variables that every bash has
 *   __retort next         waits for a cell, whose code is then in memory file 61
 *   __retort asked        whether that is not a cell but a question: its answer belongs into memory file 62
 *   __retort told         sends the answer
 *   __retort pages        what is printed is written in pages; bash would write line by line
 *   __retort lines        what is left is written, and lines are again
 *   __retort done STATUS  says that it has ended; memory files 62 and 63 have the state
 *   __retort gone STATUS  the same, and that this bash ends with it: the next cell gets another
 *
 * Loaded by live.sh. bash keeps the structures of loadable builtins stable; those few that are needed
 * are declared here.
 *
 * Runs in: bash, in a session, as its user. Whatever cells do to it they do to themselves.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "asked.h"
#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "wire/frame.h"

enum { CHANNEL = 3, OWN = 61, CODE = OWN, STATE, OPTIONS, INTERRUPTED = 128 + SIGINT };

static struct {
    struct buf in;
    int64_t cell, start;
    enum { ASKED_NOTHING, ASKED_NAMES, ASKED_VARIABLES } asked;
    struct buf own; /* variables that every bash has */
} live = {.in = {.max = MAX_FRAME + FRAME_HEAD}, .own = {.max = 1 << 20}};

/* --- memory files: only we have them open, and bash while it reads or writes one --- */

/* If no cgroup counts memory, memfd_create is refused: then the file is one in /tmp. */
static int bash_file(const char *name, int number) {
    int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd < 0)
        fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 || dup3(fd, number, O_CLOEXEC) < 0)
        return -1;
    return close(fd);
}

static int bash_file_set(int fd, const char *data, size_t len) {
    return ftruncate(fd, 0) < 0 || lseek(fd, 0, SEEK_SET) < 0 ? -1 : write_all(fd, data, len);
}

/* --- frames --- */

/* The next frame; it stays until it is dropped. Without a broker, the process ends. */
static int64_t await_frame(struct frame *f) {
    char chunk[65536];
    for (;;) {
        int64_t size = frame_peek(live.in.data, live.in.len, f);
        if (size > 0 && (uint64_t)size <= live.in.len)
            return size;
        ssize_t n = size < 0 ? 0 : read(CHANNEL, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0 || buf_add(&live.in, chunk, (size_t)n) < 0)
            _exit(0);
    }
}

static void bash_say(struct buf *b) {
    if (frame_end(b, 0) < 0 || write_all(CHANNEL, b->data, b->len) < 0)
        _exit(0);
}

static void say_ready(void) {
    scoped_buf b = BUF_INIT(4096);
    frame_begin(&b, FRAME_READY);
    frame_put_text(&b, F_VERSION, "bash");
    frame_put_int(&b, F_PID, getpid());
    bash_say(&b);
}

static void bash_add_file(struct buf *b, int fd) {
    char chunk[65536];
    off_t at = 0;
    for (ssize_t n; (n = pread(fd, chunk, sizeof chunk, at)) > 0; at += n)
        buf_add(b, chunk, (size_t)n);
}

/* Sends all of the state, or nothing. It may be large, so we free what we do not need any more. */
static void bash_put_state(struct buf *b) {
    scoped_buf options = BUF_INIT(65536);
    struct stat st;
    bash_add_file(&options, OPTIONS);
    if (options.lost || lseek(STATE, 0, SEEK_END) < 0 ||
        write_all(STATE, options.data, options.len) < 0 || fstat(STATE, &st) < 0 ||
        st.st_size > MAX_SAVED_STATE)
        return;
    void *state = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, STATE, 0);
    if (state == MAP_FAILED)
        return;
    frame_put(b, F_STATE, state, (size_t)st.st_size);
    munmap(state, (size_t)st.st_size);
}

static void bash_say_result(int status, bool gone) {
    scoped_buf b = BUF_INIT(MAX_SAVED_STATE + 65536);
    bool interrupted = gone && status == INTERRUPTED;
    frame_begin(&b, FRAME_RESULT);
    frame_put_int(&b, F_CELL, live.cell);
    frame_put_int(&b, F_KIND, interrupted ? RESULT_INTERRUPTED : status ? RESULT_EXIT : RESULT_OK);
    frame_put_int(&b, F_EXIT_CODE, status);
    if (interrupted) {
        frame_put_text(&b, F_ERROR_NAME, "Interrupted");
        frame_put_text(&b, F_ERROR_MESSAGE, "the cell was interrupted");
    }
    if (gone)
        frame_put_text(&b, F_NOTE, "this bash has ended: its jobs and open files are gone");
    bash_put_state(&b);
    bash_file_set(STATE, NULL, 0);
    bash_say(&b);
}

/* --- requests --- */

/* SIGINT reaches only bash; the nudge that follows says that bash still waits for a command. */
static void on_nudge(int number) {
    (void)number;
    kill(0, SIGINT);
}

static int take_hello(const struct frame *f) {
    scoped_buf b = BUF_INIT(MAX_SAVED_STATE + 4 * MAX_ENV_BYTES);
    size_t pos = 0;
    for (struct field field; frame_next(f, &pos, &field) > 0;) {
        if (field.tag == F_NAME)
            buf_printf(&b, "export %.*s=", (int)field.len, field.data);
        if (field.tag == F_DATA)
            asked_quote(&b, field.data, field.len);
        if (field.tag == F_STATE)
            buf_add(&b, field.data, field.len);
    }
    return b.lost ? -ENOMEM : bash_file_set(STATE, b.data, b.len);
}

static int bash_begin(void) {
    struct frame f;
    setpgid(0, 0); /* so that on_nudge reaches only ourselves and our commands */
    sigaction(SIGURG, &(struct sigaction){.sa_handler = on_nudge, .sa_flags = SA_RESTART}, NULL);
    if (fcntl(CHANNEL, F_SETFD, FD_CLOEXEC) < 0 || bash_file("code", CODE) < 0 ||
        bash_file("state", STATE) < 0 || bash_file("options", OPTIONS) < 0)
        return 1;
    say_ready();
    int64_t size = await_frame(&f);
    int r = f.type == FRAME_HELLO ? take_hello(&f) : -1;
    buf_drop(&live.in, (size_t)size);
    return r < 0;
}

static int bash_take_cell(const struct frame *f) {
    size_t pos = 0;
    for (struct field field; frame_next(f, &pos, &field) > 0;) {
        if (field.tag == F_CELL)
            field_int(&field, &live.cell);
        if (field.tag == F_CODE && bash_file_set(CODE, field.data, field.len) < 0)
            return 1;
    }
    return 0;
}

/* A question becomes commands, too, because only bash knows its variables. */
static int bash_take_question(const struct frame *f) {
    scoped_buf command = BUF_INIT(MAX_FRAME);
    struct field field, code = {0};
    int64_t cursor = 0;
    for (size_t pos = 0; frame_next(f, &pos, &field) > 0;) {
        if (field.tag == F_CODE)
            code = field;
        if (field.tag == F_START)
            field_int(&field, &cursor);
    }
    live.asked = f->type == FRAME_COMPLETE ? ASKED_NAMES : ASKED_VARIABLES;
    if (live.asked == ASKED_NAMES)
        asked_word(code.data, code.len, (size_t)cursor, &command, &live.start);
    else
        buf_adds(&command, ASKED_ALL);
    return command.lost || bash_file_set(CODE, command.data, command.len) < 0;
}

static void bash_tell(void) {
    scoped_buf printed = BUF_INIT(MAX_FRAME), b = BUF_INIT(MAX_FRAME), json = BUF_INIT(MAX_VALUES);
    bash_add_file(&printed, STATE);
    frame_begin(&b, live.asked == ASKED_NAMES ? FRAME_COMPLETIONS : FRAME_LISTING);
    if (live.asked == ASKED_NAMES) {
        frame_put_int(&b, F_START, live.start);
        asked_names(&printed, &b);
    } else {
        asked_variables(&printed, &live.own, &json);
        frame_put(&b, F_VARIABLES, json.data, json.len);
    }
    bash_say(&b);
}

/* If a file was removed and made again, replaces our descriptor by one of the new file. */
static void open_anew(int fd, const char *path) {
    int flags = fcntl(fd, F_GETFL), kept = fcntl(fd, F_GETFD);
    off_t at = lseek(fd, 0, SEEK_CUR);
    scoped_fd made = open(path, flags & ~(O_CREAT | O_EXCL | O_TRUNC));
    if (made < 0 || lseek(made, at, SEEK_SET) < 0)
        return;
    dup3(made, fd, kept & FD_CLOEXEC ? O_CLOEXEC : 0);
}

static void follow(const char *path, uint64_t inode) {
    struct stat st, all;
    if (stat("/work", &all) < 0)
        return;
    if (stat(".", &st) == 0 && st.st_dev == all.st_dev && st.st_ino == inode && chdir(path) < 0)
        return;
    for (int fd = 0; fd < OWN; fd++)
        if (fd != CHANNEL && fstat(fd, &st) == 0 && st.st_dev == all.st_dev && st.st_ino == inode)
            open_anew(fd, path);
}

static void take_anew(const struct frame *f) {
    size_t pos = 0;
    int64_t inode = 0;
    char path[MAX_WORK_PATH + 16];
    for (struct field field; frame_next(f, &pos, &field) > 0;) {
        if (field.tag == F_INODE)
            field_int(&field, &inode);
        else if (field.tag == F_PATH && field.len < MAX_WORK_PATH) {
            snprintf(path, sizeof path, "/work/%.*s", (int)field.len, field.data);
            follow(path, (uint64_t)inode);
        }
    }
}

/* bash's own count of loops: `break` outside of a loop in a cell must not end our loop. */
extern int loop_level __attribute__((weak));

static int bash_next(void) {
    if (&loop_level)
        loop_level = 0;
    live.asked = ASKED_NOTHING;
    for (;;) {
        struct frame f;
        int64_t size = await_frame(&f);
        bool question = f.type == FRAME_COMPLETE || f.type == FRAME_VARIABLES;
        int r = f.type == FRAME_CELL ? bash_take_cell(&f) : question ? bash_take_question(&f) : -1;
        if (f.type == FRAME_ANEW)
            take_anew(&f);
        buf_drop(&live.in, (size_t)size);
        if (r >= 0)
            return r;
    }
}

static void bash_print_by(int mode) {
    fflush(stdout);
    setvbuf(stdout, NULL, mode, BUFSIZ);
}

/* --- bash's side --- */

struct bash_word {
    char *text;
    int flags;
};

struct bash_words {
    struct bash_words *next;
    struct bash_word *word;
};

static int retort(struct bash_words *words) {
    const char *verb = words ? words->word->text : "";
    const char *number = words && words->next ? words->next->word->text : "0";
    int status = (int)strtol(number, NULL, 10) & 255;
    if (strcmp(verb, "begin") == 0)
        return bash_begin();
    if (strcmp(verb, "next") == 0)
        return bash_next();
    if (strcmp(verb, "asked") == 0)
        return live.asked == ASKED_NOTHING;
    if (strcmp(verb, "own") == 0)
        bash_add_file(&live.own, OPTIONS);
    else if (strcmp(verb, "pages") == 0 || strcmp(verb, "lines") == 0)
        bash_print_by(verb[0] == 'p' ? _IOFBF : _IOLBF);
    else if (strcmp(verb, "told") == 0)
        bash_tell();
    else
        bash_say_result(status, strcmp(verb, "gone") == 0);
    return 0;
}

static char *const description[] = {"Speaks with the session.", NULL};

struct loadable {
    const char *name;
    int (*run)(struct bash_words *words);
    int flags;
    char *const *description;
    const char *usage;
    void *reserved;
};

/* bash finds it by its name. */
extern struct loadable __retort_struct __attribute__((visibility("default")));
struct loadable __retort_struct = {"__retort", retort, 1, description, "__retort VERB [STATUS]",
                                   NULL};
