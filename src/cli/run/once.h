/* `retort run`, by itself or in an engine of the same user that is running already.
 *
 * Such an engine listens on a socket in the runtime directory (`retort serve --socket` or
 * `--resident`). The program sends the engine its command line, which the engine parses with the
 * same table of options, the code, and a descriptor for each file that goes in. The engine sends
 * output as it happens, the result, and a descriptor for each file that the program asks for. So
 * the program itself opens files of the host, with its own rights, directory and umask.
 *
 * An error before the first piece of an answer is not reported. The code could not reach anything
 * outside of its session, so the program just runs it again, in an engine of its own.
 *
 * Runs in: broker, on both sides of the socket.
 * Hostile: nothing; both sides belong to one user, as the kernel says (SO_PEERCRED).
 * Tests: tests/system/test_resident.py
 */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "cli/cli.h"
#include "cli/outdir.h"

extern const struct opt_table once_table;

/* The outcome of a run, in whichever engine. */
struct once_outcome {
    const char *status, *json;
    size_t len;
    int code; /* exit status */
};

/* Runs the code as a cell. */
int once_cell(struct retort_session *session, const struct cli_options *options,
              const struct buf *code, const struct retort_callbacks *callbacks,
              struct retort_result **ret_result, struct retort_error *error);
/* Prints the result as the options ask, copies files out, and returns the exit status. */
int once_finish(const struct once_outcome *outcome, const struct cli_options *options,
                const struct outdir_source *files);
/* Writes the code's output to ours. */
void once_pass_through(void *user, enum retort_stream stream, const char *text, size_t len,
                       uint64_t time_ns);

/* --- where the two sides meet --- */

#define ONCE_SOCKET "engine" /* in the runtime directory */

/* $XDG_RUNTIME_DIR/retort; without it /run/retort for root, /tmp/retort-UID for others. -errno. */
int once_place(char *ret_path, size_t size);
/* The same, made if it is not there; only this user can look into it. -errno. */
int once_place_make(char *ret_path, size_t size);
/* An open connection to an engine of this user; -errno if there is none. */
int once_connect(void);

/* What must be equal on both sides for an equal outcome: version and build, configuration, state
 * directory, namespaces. -errno. */
int once_likeness(struct buf *ret);

/* --- messages --- */

enum once_message {
    ONCE_ASK,      /* likeness and the words of the command line, each followed by a NUL */
    ONCE_FILE,     /* name below /work; with a descriptor */
    ONCE_CODE,     /* the code; the request is complete */
    ONCE_ACCEPTED, /* the answer: the engine will try */
    ONCE_STDOUT,   /* bytes */
    ONCE_STDERR,   /* bytes */
    ONCE_RESULT,   /* exit status, a space, status, a newline, the result as JSON */
    ONCE_OPEN,     /* path below /work of a file that the program wants */
    ONCE_OPENED,   /* with a descriptor */
    ONCE_FAILED,   /* why the file is not there */
};

struct once_letter {
    enum once_message type;
    struct buf data;
    int fd; /* or -1 */
};

#define ONCE_LETTER_INIT ((struct once_letter){.data = BUF_INIT(MAX_REPLY), .fd = -1})

/* Every message begins with a byte 0, which no line of JSON does. `fd` may be -1. -errno. */
int once_send(int sock, enum once_message type, const void *data, size_t len, int fd);
/* 0, or -errno: -EPIPE at the end. Closes the descriptor of the previous letter. */
int once_receive(int sock, struct once_letter *letter);
void once_letter_done(struct once_letter *letter);

/* --- both sides --- */

enum once_asked {
    ONCE_ABSENT, /* there is no engine to ask */
    ONCE_ALONE,  /* there is one, but it cannot do this run */
    ONCE_DONE,   /* the run is over, and *ret_status is the exit status */
};

/* `argv`: the words that the options were read from. */
enum once_asked once_ask(const struct cli_options *options, char **argv, const struct buf *code,
                         int *ret_status);
/* Starts an engine that ends when nobody has used it for a while. A failure is not reported. */
void once_start_resident(void);
