/* A line on a terminal that says for how long nothing was printed: "⠹ model: 12 s".
 *
 * It appears after a second of silence at the beginning of a line, and is gone before anything else
 * is printed there. Without a terminal nothing is ever printed.
 *
 * Tests: tests/system/test_shell.py
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct elapsed {
    int fd;
    bool tty;
    pthread_t thread;
    pthread_mutex_t lock; /* guards what follows, and the line on the terminal */
    pthread_cond_t changed;
    const char *what; /* what we wait for; NULL: nothing */
    uint64_t since_ns, heard_ns;
    bool mid_line, shown, stop;
};

/* Writes to this descriptor, if it is a terminal. */
void elapsed_init(struct elapsed *e, int fd);
void elapsed_done(struct elapsed *e);

/* A wait for `what` begins ("": without a name), with the cursor at the beginning of a line. */
void elapsed_begin(struct elapsed *e, const char *what);
/* Call before printing; `mid_line`: the text will not end with a newline. */
void elapsed_heard(struct elapsed *e, bool mid_line);
void elapsed_end(struct elapsed *e);
