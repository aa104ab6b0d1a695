/* `retort run`, by itself or in an engine of the same user that is running already.
 *
 * Such an engine listens on a socket in the runtime directory (`retort serve --socket` or
 * `--resident`). The program sends it the words of its command line, which the same table of
 * options reads there, the code, and a descriptor for each file that goes in; what comes back is
 * output as it happens, the result, and a descriptor for each file that is wanted out. So files of
 * the host are opened here, with the rights, the directory and the umask of whoever called.
 *
 * Nothing that goes wrong before the first piece of an answer is told: the code has no way to the
 * world outside of its session, so that it can run again, in an engine of its own.
 *
 * Runs in: broker, on both sides of the socket.
 * Hostile: nobody; both are one user's, as the kernel tells of the other (SO_PEERCRED).
 * Tests: tests/system/test_resident.py
 */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "cli/cli.h"
#include "cli/outdir.h"

extern const struct opt_table once_table;

/* What came of a run, whoever made it. */
struct once_outcome {
    const char *status, *json;
    size_t len;
    int code; /* exit status */
};

/* Makes the cell of a run of the code. */
int once_cell(struct retort_session *session, const struct cli_options *options,
              const struct buf *code, const struct retort_callbacks *callbacks,
              struct retort_result **ret_result, struct retort_error *error);
/* Tells what is to be told of it, brings files out, and gives the exit status. */
int once_finish(const struct once_outcome *outcome, const struct cli_options *options,
                const struct outdir_source *files);
/* Output of the code becomes ours. */
void once_pass_through(void *user, enum retort_stream stream, const char *text, size_t len,
                       uint64_t time_ns);

/* --- the place where the two meet --- */

#define ONCE_SOCKET "engine" /* in the runtime directory */

/* $XDG_RUNTIME_DIR/retort; without it /run/retort for root, /tmp/retort-UID for others. -errno. */
int once_place(char *ret_path, size_t size);
/* The same, made if it is not there: nobody else may look into it. -errno. */
int once_place_make(char *ret_path, size_t size);
/* An open connection to an engine of this user; -errno if there is none. */
int once_connect(void);

/* What has to be the same on both sides for the same outcome: version and build, configuration,
 * state directory, namespaces. -errno. */
int once_likeness(struct buf *ret);

/* --- messages --- */

enum once_message {
    ONCE_ASK,      /* likeness and the words of the command line, each with a NUL behind it */
    ONCE_FILE,     /* name below /work; with a descriptor */
    ONCE_CODE,     /* the code: all has been said */
    ONCE_ACCEPTED, /* the answer: it will be tried */
    ONCE_STDOUT,   /* bytes */
    ONCE_STDERR,   /* bytes */
    ONCE_RESULT,   /* exit status, a space, status, a newline, the result as JSON */
    ONCE_OPEN,     /* path below /work, which is wanted */
    ONCE_OPENED,   /* with a descriptor */
    ONCE_FAILED,   /* why it is not there */
};

struct once_letter {
    enum once_message type;
    struct buf data;
    int fd; /* or -1 */
};

#define ONCE_LETTER_INIT ((struct once_letter){.data = BUF_INIT(MAX_REPLY), .fd = -1})

/* Every message begins with a byte 0, which no line of JSON does. `fd` may be -1. -errno. */
int once_send(int sock, enum once_message type, const void *data, size_t len, int fd);
/* 0, or -errno: -EPIPE at the end. Closes the descriptor of the last one. */
int once_receive(int sock, struct once_letter *letter);
void once_letter_done(struct once_letter *letter);

/* --- both sides --- */

enum once_asked {
    ONCE_ABSENT, /* there is no engine */
    ONCE_ALONE,  /* there is one, but not for this */
    ONCE_DONE,   /* it is over, and *ret_status is the exit status */
};

/* `argv` is what the options were read from. */
enum once_asked once_ask(const struct cli_options *options, char **argv, const struct buf *code,
                         int *ret_status);
/* Starts an engine that ends when nobody has used it for a while. If that fails nobody hears of it.
 */
void once_start_resident(void);
