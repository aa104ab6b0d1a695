/* Messages between broker and collector: SEQPACKET, one request at a time.
 *
 * The collector is a process of the session's user in the session's mount namespace, outside of its
 * pid namespace: it reaches the session's files and nothing else, and the guest can neither see nor
 * signal it. It opens what the guest made by descriptor, beneath /work, without following any link,
 * and hands read-only descriptors to the broker.
 *
 * Hostile: file names, kinds, sizes. The broker takes paths as opaque bytes. Both sides decode with
 *   the pure functions below (fuzz_collect).
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "base/maxima.h"

enum collect_op {
    COLLECT_LIST =
        1, /* struct collect_entry + path, many in a packet; an empty packet head ends the list */
    COLLECT_OPEN,   /* + fd, read-only, regular files only */
    COLLECT_CREATE, /* + fd, write-only; parents are made; COLLECT_TRUNCATE, COLLECT_EXCLUSIVE */
    COLLECT_DELETE, /* removes a file, a link, or a directory with everything in it */
    COLLECT_MKDIR,  /* an empty path means /work itself, which gets the mode */
    COLLECT_MKFIFO,
    COLLECT_SYMLINK, /* path, then the target */
    COLLECT_LINK,    /* path, then another path of the same file */
    COLLECT_RENAME,  /* path, then the new path, at which there may be a regular file or nothing */
    COLLECT_TRUST,   /* + fd, write-only, to an empty file of authorities, which is not in /work */
    COLLECT_LISTEN,  /* + fd: a socket in the session's network, on which its gate accepts */
};

enum { COLLECT_TRUNCATE = 1, COLLECT_EXCLUSIVE = 2 };

struct collect_request {
    uint32_t op, flags, mode;      /* mode: 0 for the usual one, else with the bits of its kind */
    uint32_t path_len, target_len; /* the bytes follow, path first, neither with a NUL */
};

#define COLLECT_REQUEST_MAX (sizeof(struct collect_request) + 2 * MAX_WORK_PATH)
#define COLLECT_PACKET 65536

/* A collector that could not be set up answers every request with -(COLLECT_UNMADE + errno). */
#define COLLECT_UNMADE 65536

struct collect_reply {
    int32_t status;   /* 0 or -errno; -ELOOP, -EXDEV, -EINVAL: not a plain file beneath /work */
    uint32_t entries; /* LIST: how many follow in this packet; 0: the list ends */
    uint64_t size;    /* OPEN */
    int32_t missing;  /* at the end of a list: 0, or why it is not complete: E2BIG (more than
                         MAX_FILE_LIST), ENAMETOOLONG, ESTALE (moved meanwhile) or another errno */
    uint32_t mode;    /* at the end of a list: of /work itself */
};

struct collect_entry {
    uint64_t size, ctime_ns, inode;
    uint32_t mode;
    uint32_t settled;              /* whether a later change is sure to have another ctime */
    uint32_t path_len, target_len; /* target: of a symbolic link */
};

/* How much of MAX_FILE_LIST an entry uses: its strings, and the struct that holds them. */
#define COLLECT_ENTRY_COST 224
static inline uint64_t collect_cost(const struct collect_entry *e) {
    return COLLECT_ENTRY_COST + (uint64_t)e->path_len + e->target_len;
}

/* The strings of a request; not terminated. 0, or -EPROTO. */
int collect_request_read(const char *bytes, size_t len, struct collect_request *ret,
                         const char **ret_path, const char **ret_target);

/* Walks the entries of a packet, from *pos on. 1 for one; 0 at the end of the bytes; -EPROTO.
 * The strings are not terminated, and contain no NUL. */
int collect_entry_read(const char *bytes, size_t len, size_t *pos, struct collect_entry *ret,
                       const char **ret_path, const char **ret_target);
