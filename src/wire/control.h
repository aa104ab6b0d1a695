/* Messages between broker and supervisor: fixed structs over SEQPACKET sockets, with descriptors.
 *
 * There are two kinds of socket. On the *main* socket the broker sends CTL_HELLO and CTL_SESSION;
 * the supervisor answers with CTL_STANDS, if CTL_HELLO asked for it, or with CTL_FAILED, its last
 * message. CTL_SESSION passes one end of a new socketpair: the session's *own* socket, on which
 * everything about that session travels both ways. The socket is the session's identity, and
 * closing it ends the session: a broker that dies leaves nothing behind, and no reply ever has to
 * be matched to a request of another thread.
 *
 * Hostile: nothing here comes from a guest. Both sides check sizes, types and texts all the same.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define CTL_VERSION 9

enum ctl_type {
    /* main socket */
    CTL_HELLO = 1, /* struct ctl_hello + fd: the keeper's, for paths that sessions need mounted */
    CTL_SESSION =
        2, /* struct ctl_create + fd: the session's socket, + fd: memfd with NAME=VALUE\0… */
    CTL_STANDS = 3, /* struct ctl_stands: it has taken its ids and cgroups */
    /* to a launcher (supervisor/launcher.h), and its answer */
    CTL_LAUNCHER = 4, /* struct ctl_hello: be a launcher; greet every supervisor that you start with
                         this */
    CTL_LAUNCH = 5,   /* struct ctl_head + fd: a socket for the answer */
    CTL_LAUNCHED = 6, /* struct ctl_head + fds: LAUNCHED_FDS of them */
    /* session socket, broker to supervisor */
    CTL_INTERRUPT = 10,   /* struct ctl_which: SIGINT to this interpreter */
    CTL_POKE = 11,        /* struct ctl_which: SIGURG, in case the SIGINT came just before a
                             wait */
    CTL_KILL_CELL = 12,   /* struct ctl_which: kills all but init, the checkpoint and the other
                             interpreters; CTL_KILLED follows */
    CTL_CHECKPOINT = 13,  /* CTL_WAKE follows, with the wake socket for the guest */
    CTL_KILL_STRAYS = 14, /* kills what the cell left running; CTL_KILLED follows */
    CTL_MEASURE = 15,     /* CTL_MEASURED follows (only where there is no cgroup to read) */
    CTL_RUN_BASH = 16,    /* + fd: a memfd with the program of bash, which begins now */
    CTL_RESUME =
        17, /* after CTL_KILL_CELL: the checkpoint goes on; CTL_RESUMED or CTL_GONE follows */
    CTL_BRANCH = 18, /* + fd: the socket of a new session, forked from this one; there, CTL_NEST
                        or CTL_FAILED follows */
    CTL_END = 19,    /* + fd: the channel. Hanging up would also end it, but wake the interpreter
                        first */
    CTL_ROOM = 20,   /* struct ctl_room: adapt the memory limit to the files; CTL_ROOMED follows */
    CTL_LIVE_BASH = 22, /* bash takes cells; sent instead of CTL_RUN_BASH */
    CTL_LOCKS = 23,     /* CTL_LOCKED follows, some milliseconds later */
    CTL_COLLECT = 24,   /* + fd: a socket, on which a collector answers from now on; once */
    CTL_START = 21, /* struct ctl_start: another interpreter; CTL_STARTED or CTL_FAILED follows */
    /* session socket, supervisor to broker */
    CTL_CREATED = 30,  /* struct ctl_created + fds: see CREATED_FD_… */
    CTL_FAILED = 31,   /* struct ctl_failed: set-up failed, nothing ran */
    CTL_EXITED = 32,   /* struct ctl_exited: the interpreter is gone */
    CTL_RESUMED = 33,  /* + fds channel, stdout, stderr: the checkpoint goes on */
    CTL_WAKE = 34,     /* + fd */
    CTL_KILLED = 35,   /* struct ctl_killed */
    CTL_MEASURED = 36, /* struct ctl_measured */
    CTL_GONE = 37,     /* there is no checkpoint */
    CTL_NEST = 38,     /* + fd for the parent's interpreter, which forks; CTL_CREATED follows */
    CTL_ROOMED = 39,   /* struct ctl_roomed */
    CTL_STARTED = 40,  /* struct ctl_started + fds channel, stdout, stderr */
    CTL_LOCKED = 41,   /* struct ctl_locked */
};

/* The languages that have an interpreter. */
enum language {
#define INTERPRETER(id, name, names, program, package, guest, comes) LANG_##id,
#define MODULE(name, names, interpreter, comes)
#define SERVICE(id, program, package, guest) LANG_##id,
#define FURTHER(id, name, of, read_as, program, package, guest, comes) LANG_##id,
#define FURTHER_MODULE(name, read_as, interpreter, comes)
#include "wire/languages.def"
#undef INTERPRETER
#undef MODULE
#undef SERVICE
#undef FURTHER
#undef FURTHER_MODULE
    LANG_COUNT
};
#define LANG_CELLS LANG_SERVICES /* interpreters that take cells come first */
#ifdef RETORT_PYTHON_ONLY        /* no interpreter has these numbers */
#define LANG_BASH (LANG_COUNT + 1)
#define LANG_JAVASCRIPT (LANG_COUNT + 2)
#endif

struct interpreter_row {
    const char *program, *package, *guest;
    enum language kind; /* the language itself, or the first one of its kind */
};
extern const struct interpreter_row interpreter_rows[LANG_COUNT];

/* Isolation layers, in the order in which reports list them. */
enum layer {
    LAYER_USER,
    LAYER_MOUNT,
    LAYER_PID,
    LAYER_NET,
    LAYER_IPC,
    LAYER_UTS,
    LAYER_CGROUP, /* limits held by a cgroup, and its namespace */
    LAYER_SECCOMP,
    LAYER_LANDLOCK,
    LAYER_CAPS,
    LAYER_NNP,
    LAYER_UID, /* a host uid of the session's own */
    LAYER_COUNT
};
extern const char *const layer_names[LAYER_COUNT];
int layer_by_name(const char *name); /* or -1 */
#define LAYER_BIT(l) (1u << (l))
#define LAYERS_ALL (LAYER_BIT(LAYER_COUNT) - 1)
/* Layers that an ordinary user may be unable to have. The others are never optional. */
#define LAYERS_SOFT (LAYER_BIT(LAYER_CGROUP) | LAYER_BIT(LAYER_UID))

struct ctl_head {
    uint32_t type;
    uint32_t size;
};

struct ctl_hello {
    struct ctl_head head;
    uint32_t version;
    uint32_t pool;  /* ready sessions to keep for each environment; 0: no zygotes */
    uint32_t home;  /* /work is also /home/user */
    uint32_t count; /* number of supervisors that share the caller's ids and cgroups */
    uint32_t needs; /* the LAYERS_SOFT that the first supervisor has: with fewer this one refuses to
                       start */
    uint32_t tell;  /* answer with CTL_STANDS */
    char guest_dir[512]; /* the directory that holds retort-init and guest/ */
};

/* Descriptors of a supervisor that a launcher has started: the broker's ends, and the process. */
enum { LAUNCHED_MAIN, LAUNCHED_NAMES, LAUNCHED_PIDFD, LAUNCHED_FDS };

struct ctl_stands {
    struct ctl_head head;
    uint32_t layers; /* of LAYERS_SOFT */
};

#define MAX_OPEN_FILES 65536

/* One struct for sessions and cells. */
struct limits {
#define LIMIT_TIME(name, ...) uint64_t name##_ms;
#define LIMIT_SIZE(name, ...) uint64_t name;
#define LIMIT_COUNT(name, ...) uint32_t name;
#include "base/limits.def"
};

enum {
    CREATE_STRICT = 1,       /* soft layers are required, too */
    CREATE_FRESH = 2,        /* a cold interpreter of its own, not a fork of a zygote */
    CREATE_DETERMINISTIC = 4 /* its own zygote: fixed hash seed, no address randomisation, shim */
};

#define ENV_PREFIXES 6

/* Where sessions see their environment's packages: python/ is searched by Python, node_modules/ by
 * node. */
#define PACKAGES_MOUNT "/opt/packages"

#define IMAGE_ROOT "root"

/* An interpreter and what must be mounted for it. All paths absolute; empty = the system's own. */
struct ctl_environment {
    char interpreter[512];
    char prefix[ENV_PREFIXES]
               [512];   /* directories or files outside /usr, mounted read-only where they stand */
    char preload[1024]; /* modules, separated by commas */
    char packages[512]; /* a directory, mounted read-only at PACKAGES_MOUNT; empty: none */
    uint32_t directory; /* which directory that is: after two updates there may be another one with
                           the same name, and the first is gone */
    /* 1: `packages` holds an image. Its directory IMAGE_ROOT is the root of sessions in place of the
     * host's system, and `interpreter` is a path in it. */
    uint32_t image;
};

struct ctl_create {
    struct ctl_head head;
    uint32_t language;
    uint32_t flags;
    uint32_t allow_missing; /* LAYER_BIT()s that the caller gave up by name */
    struct limits limits;
    struct ctl_environment env;
};

/* Tells whether the bytes are a valid request for a session: type, sizes, terminated strings,
 * absolute paths, a language and layers that exist. Pure: fuzz_control. */
bool ctl_create_ok(const void *bytes, size_t len);

enum {
    CREATED_CHANNEL,
    CREATED_STDOUT,
    CREATED_STDERR,
    CREATED_WORK,   /* the directory /work, to see whether it is empty */
    CREATED_NET,    /* /proc/PID/net of its init, to see what waits in its sockets */
    CREATED_CPU,    /* from here on: cgroup files to read, only with a cgroup */
    CREATED_MEMORY, /* its peak, which may be set back by writing "0" */
    CREATED_MEMORY_EVENTS,
    CREATED_PIDS_EVENTS,
    CREATED_PIDS,
    CREATED_FDS
};
#define CREATED_OWN CREATED_CPU /* what every session has */
#define CREATED_MEASURES (CREATED_FDS - CREATED_CPU)

struct ctl_created {
    struct ctl_head head;
    uint32_t layers;  /* in force */
    uint32_t missing; /* not in force */
    uint32_t cgroup;  /* 0 none, 1, 2: which version the measuring descriptors speak */
    uint32_t warm;    /* forked from a zygote */
    char cgroup_why[160], uid_why[160]; /* why those two are missing, and what would help */
};

struct ctl_failed {
    struct ctl_head head;
    struct retort_error err;
};

struct ctl_exited {
    struct ctl_head head;
    int32_t status;      /* as from waitpid */
    uint32_t generation; /* of the interpreter: how often a checkpoint was resumed before it, or how
                            often one was started for this language */
    uint32_t language;   /* of the interpreter */
    uint64_t cpu_us;     /* of the whole session, from rusage; 0 if unknown */
    uint64_t peak_kb;
};

struct ctl_which {
    struct ctl_head head;
    uint32_t language;
};

struct ctl_start {
    struct ctl_head head;
    uint32_t language;     /* not the session's own */
    char interpreter[512]; /* a path that the session has; empty: the usual one */
};

/* Tells whether the request is valid: a language that exists, a terminated path. Pure. */
bool ctl_start_ok(const struct ctl_start *start);

/* Tells whether the bytes are a valid message of the supervisor: a type that exists, of its size,
 * with terminated texts. The broker uses no other. Pure: fuzz_control. */
bool ctl_answer_ok(const void *bytes, size_t len);

struct ctl_started {
    struct ctl_head head;
    uint32_t language, generation;
};

struct ctl_killed {
    struct ctl_head head;
    uint32_t killed;
    uint32_t living; /* tasks that are left, without zombies; 0: unknown */
};

struct ctl_measured {
    struct ctl_head head;
    uint64_t cpu_us, memory, peak;
    uint32_t processes;
};

/* Files lie in a tmpfs, whose pages the kernel charges to the same cgroup as memory. So the
 * cgroup's limit is the sum of the memory limit, an allowance, what files occupy, and room for them
 * to grow until somebody looks again. Both sides use these constants. */
#define MEMORY_ALLOWANCE (32ull << 20) /* init, collector, page tables, inodes, pipes, sockets */
#define MEMORY_ROOM (48ull << 20)
#define MEMORY_SLACK (16ull << 20) /* below this change of the files' size nobody has to be told */

struct ctl_room {
    struct ctl_head head;
    uint64_t files; /* bytes that the session's files occupy */
};

struct ctl_roomed {
    struct ctl_head head;
    uint64_t
        files; /* bytes of files that are charged to the session (those that the broker wrote are
                  not) */
    uint64_t memory; /* other bytes that are charged to it and cannot be reclaimed */
    uint64_t copies; /* allowed beyond the limit, for pages that a checkpoint or a branch still
                        holds */
};

#define LOCKS_MAX 1024 /* on files, of one session */

struct ctl_locked {
    struct ctl_head head;
    uint64_t locks; /* at most one more than LOCKS_MAX */
};

uint64_t memory_ceiling(const struct limits *limits, uint64_t files);
