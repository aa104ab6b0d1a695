/* Memory is memory, files are disk. Files lie in a tmpfs, whose pages the kernel charges to the
 * same cgroup; so the limit of that follows what they occupy. Before a cell, and while it runs as
 * often as the time allows in which they could outgrow the room that is left, we look how much that
 * is; only when it has changed by much is the supervisor asked to move the limit. A short cell is
 * not looked at in between: it has the room.
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
/* `peak`: so far. */
void room_look(struct cell *c, uint64_t peak);
uint64_t room_time(const struct cell *c, uint64_t peak); /* until there should be another look */
/* The peak of the cell becomes that of memory without files. */
void room_after(struct cell *c);
bool room_exceeded(const struct cell *c); /* by what the supervisor said last */
uint64_t processors(void);
