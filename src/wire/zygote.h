/* Messages between supervisor and zygote. Fixed structs over a SEQPACKET socket; the zygote parses
 * nothing else. */
#pragma once

#include <stdint.h>

enum {
    ZYGOTE_CHANNEL,
    ZYGOTE_STDOUT,
    ZYGOTE_STDERR,
    ZYGOTE_SETUP,
    ZYGOTE_INIT, /* pidfd of the session's init */
    ZYGOTE_FDS   /* then the cgroup files that the child writes itself into */
};

struct zygote_request {
    uint32_t namespaces; /* CLONE_NEW… to join */
    uint32_t pids, open_files;
    uint32_t skip;
    uint32_t waited; /* do not rehearse: somebody is already waiting for the session */
    uint64_t data;
};

struct zygote_report {
    int32_t pid; /* as the supervisor sees it; 0: warm and ready; -1: a fork failed */
    int32_t status;
};
