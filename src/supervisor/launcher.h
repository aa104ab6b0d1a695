/* The launcher: starts supervisors for a broker that has given up its rights since.
 *
 * A server that is started as root becomes somebody else before it hears from anybody. Supervisors that
 * begin later need root all the same, or they would isolate less. So one process stays behind that
 * can do nothing but start them. What it starts them with was fixed while the broker was root; a
 * request says no more than "another one". There are never more at a time than the engine has.
 *
 * Runs in: a process of its own, with the rights of who started the engine.
 * Hostile: the broker, should somebody have taken it over; requests have no content.
 * Owns: the supervisors that it has started; it waits for them, and ends when the broker's socket does.
 * Tests: tests/system/test_pairs.py
 */
#pragma once

#include "wire/control.h"

/* `sock` is the broker's, `hello` what it said there. Returns at the end. */
void launcher_serve(int sock, const struct ctl_hello *hello);
