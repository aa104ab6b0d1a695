/* Messages between broker and collector: SEQPACKET, one request at a time.
 *
 * The collector is a process of the session's user in the session's mount namespace, outside of its
 * pid namespace: it reaches the session's files and nothing else, and the guest can neither see nor
 * signal it. It opens what the guest made by descriptor, beneath /work, without following any link,
 * and hands read-only descriptors to the broker. Hostile: file names, kinds, sizes. The broker
 * takes paths as opaque bytes.
 */
#pragma once

#include <stdint.h>

#include "base/maxima.h"

enum collect_op {
    COLLECT_LIST =
        1, /* struct collect_entry + path, many in a packet; an empty packet head ends the list */
    COLLECT_OPEN,   /* + fd, read-only, regular files only */
    COLLECT_CREATE, /* + fd, write-only; parents are made; COLLECT_TRUNCATE, COLLECT_EXCLUSIVE */
    COLLECT_DELETE, /* file, link or directory with all in it */
    COLLECT_MKDIR,
    COLLECT_SYMLINK, /* path, then the target */
    COLLECT_LINK,    /* path, then another path of the same file */
    COLLECT_RENAME,  /* path, then its new one, where a regular file or nothing may be */
};

enum { COLLECT_TRUNCATE = 1, COLLECT_EXCLUSIVE = 2 };

struct collect_request {
    uint32_t op, flags, mode;      /* mode: 0 for the usual one, else with the bits of its kind */
    uint32_t path_len, target_len; /* the bytes follow, path first, neither with a NUL */
};

#define COLLECT_REQUEST_MAX (sizeof(struct collect_request) + 2 * MAX_PATH)
#define COLLECT_PACKET 32768

/* A collector that could not be set up answers every request with -(COLLECT_UNMADE + errno). */
#define COLLECT_UNMADE 65536

struct collect_reply {
    int32_t status;   /* 0 or -errno; -ELOOP, -EXDEV, -EINVAL: not a plain file beneath /work */
    uint32_t entries; /* LIST: how many follow in this packet; 0: the list is complete */
    uint64_t size;    /* OPEN */
};

struct collect_entry {
    uint64_t size, ctime_ns, inode;
    uint32_t mode;
    uint32_t settled;              /* a change after this look has another ctime */
    uint32_t path_len, target_len; /* target: of a symbolic link */
};
