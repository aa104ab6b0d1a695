/* Processes held by descriptor. A number names whoever has it now; a pidfd names one process for
 * ever. So a process that a guest may end at any time is held first and looked at after that; and
 * whatever was found by its number counts only if it still lives when the looking is over: as long
 * as it does, the number is its own.
 *
 * Runs in: supervisor.
 * Hostile: guests, which choose when their processes end and how fast numbers are used up.
 * Tests: tests/hostile/test_x_identity.py
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

int process_hold(pid_t pid);            /* a pidfd, or -errno */
bool process_lives(int pidfd);          /* false for -1, and for a zombie */
int process_signal(int pidfd, int sig); /* 0 or -errno */
pid_t process_inner_pid(pid_t pid);     /* as its own pid namespace numbers it, or 0 */
/* From now on this process, and none of its children, runs as soon as it has something to do. */
void process_be_prompt(void);
/* From now on this process and all of its children leave the processor to whoever wakes up, as soon
 * as they have had it for a moment. */
void process_give_way(void);
