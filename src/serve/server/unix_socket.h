/* The Unix socket of retort serve: JSON-RPC lines for those whom the file's mode lets in.
 *
 * Runs in: broker. One thread takes connections, each connection has threads of its own
 *   (serve/rpc/lines.h).
 * A connection of the server's own user that begins with a byte 0 goes to own_door
 * (serve/hosted/serve.h).
 * Hostile: clients; each uid (SO_PEERCRED) is an owner, and none is the owner of a token.
 * Owns: the socket file, removed at the end.
 * Tests: tests/system/test_serve.py
 */
#pragma once

#include "base/err.h"
#include "serve/hosted/serve.h"

struct unix_socket;

/* `fd` listens there already, and then the file is not ours to remove; 0: we open the socket. */
int unix_socket_open(struct serve *serve, const char *path, int fd, struct unix_socket **ret_socket,
                     struct retort_error *err);
/* For how many seconds nobody has used it. */
double unix_socket_idle(struct unix_socket *listening);
/* Takes no new connections; open ones are answered and closed. Waits for them. */
void unix_socket_close(struct unix_socket *listening);
