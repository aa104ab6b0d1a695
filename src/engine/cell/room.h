/* Keeps the limits of memory and of files apart. Files lie in a tmpfs, whose pages the kernel
 * charges to the same cgroup as memory; so the cgroup's limit has to follow what files occupy. We
 * look at that before a cell, and while it runs before files could have outgrown the room that is
 * left. We ask the supervisor to move the limit only when the size has changed by much. During a
 * short cell nobody looks: its room is large enough.
 *
 * Runs in: the thread that waits for the cell, where there is a cgroup.
 * Hostile: nothing; the kernel says how much there is.
 * Life cycle: room_before, room_look as often as room_time says, room_after.
 * Owns: nothing; what is known is in struct room of the session's usage.
 * Tests: tests/hostile/test_d_memory.py, tests/hostile/test_b_disk.py
 */
#pragma once

#include "engine/cell/cell.h"

void room_before(struct cell *c);
/* `peak`: the cell's peak of memory so far. */
void room_look(struct cell *c, uint64_t peak);
uint64_t room_time(const struct cell *c, uint64_t peak); /* until there should be another look */
/* The peak of the cell becomes that of memory without files. */
void room_after(struct cell *c);
bool room_exceeded(const struct cell *c); /* by what the supervisor said last */
uint64_t processors(void);
