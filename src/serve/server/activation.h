/* Sockets that a service manager has opened for us, as sd_listen_fds(3) describes it: the manager
 * listens before the server runs, and the first client starts the server. The protocol is two
 * variables and descriptors from 3 on, which need no library.
 *
 * Runs in: broker, before the supervisor is started, which must not inherit them.
 * Hostile: nothing; the variables come from the program that started us.
 * Invariants: sockets that were taken are closed on exec, and the variables are gone.
 * Tests: tests/system/test_activation.py
 */
#pragma once

#include <sys/un.h>

#include "base/err.h"
#include "serve/server/server.h"

struct activation {
    char listen[80]; /* ADDR:PORT of the socket for HTTP */
    char socket[sizeof((struct sockaddr_un){0}.sun_path) + 1]; /* path of the Unix socket */
};

/* Puts at most one socket for HTTP and one Unix socket into the options. These are checked
 * afterwards as if they had been given by address. 0 also if there are none. */
int activation_take(struct activation *at, struct server_options *options,
                    struct retort_error *err);
