/* Processes held by descriptor. A pid names the process that has it now; a pidfd names one process
 * for ever. So if a guest may end a process at any time, we hold it first and then look at it. What
 * we find by its pid counts only if the process still lives afterwards: as long as it does, the pid
 * is its own.
 *
 * Runs in: supervisor.
 * Hostile: guests, which choose when their processes end and how fast pids are reused.
 * Tests: tests/hostile/test_x_identity.py
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

int process_hold(pid_t pid);            /* a pidfd, or -errno */
bool process_lives(int pidfd);          /* false for -1, and for a zombie */
int process_signal(int pidfd, int sig); /* 0 or -errno */
pid_t process_inner_pid(pid_t pid);     /* its pid in its own pid namespace, or 0 */
/* From now on this process, but none of its children, runs as soon as it has something to do. */
void process_be_prompt(void);
/* From now on this process and all of its children leave the processor to any process that wakes
 * up, after a short moment. */
void process_give_way(void);
