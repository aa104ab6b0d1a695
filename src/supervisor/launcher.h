/* The launcher: starts supervisors for a broker that has given up its rights since.
 *
 * A server that is started as root becomes another user before it serves anybody. But supervisors
 * that start later need root, or they would isolate less. So one process stays root, and can only
 * start supervisors. What it starts them with was fixed while the broker was root; a request says
 * no more than "another one". There are never more at a time than the engine has.
 *
 * Runs in: a process of its own, with the rights of the process that started the engine.
 * Hostile: the broker, in case somebody has taken it over; requests have no content.
 * Owns: the supervisors that it has started; it waits for them, and ends with the broker's socket.
 * Tests: tests/system/test_pairs.py
 */
#pragma once

#include "wire/control.h"

/* `sock` is the broker's, `hello` its first message there. Returns when the socket ends. */
void launcher_serve(int sock, const struct ctl_hello *hello);
