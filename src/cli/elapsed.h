/* A line on a terminal that tells for how long nothing has been heard: "⠹ model: 12 s".
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
    pthread_mutex_t lock; /* of what follows, and of the line on the terminal */
    pthread_cond_t changed;
    const char *what; /* what is waited for; NULL: nothing */
    uint64_t since_ns, heard_ns;
    bool mid_line, shown, stop;
};

/* Tells on this descriptor, if it is a terminal. */
void elapsed_init(struct elapsed *e, int fd);
void elapsed_done(struct elapsed *e);

/* Something begins, called `what` ("": it needs no name), at the beginning of a line. */
void elapsed_begin(struct elapsed *e, const char *what);
/* Something is about to be printed; `mid_line`: and it does not end with a newline. */
void elapsed_heard(struct elapsed *e, bool mid_line);
void elapsed_end(struct elapsed *e);
