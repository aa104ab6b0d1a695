/* What a session's pid 1 tells the supervisor. */
#pragma once

#include <stdint.h>

struct init_timeval {
    long seconds, micros;
};

struct init_report {
    int pid;    /* inside the session; 0: init has started */
    int status; /* as from waitpid */
    uint64_t cpu_us, maxrss_kb;
};
