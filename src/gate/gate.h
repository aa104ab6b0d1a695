/* The gate: connects on behalf of sessions that may use the network.
 *
 * A session has one listening socket in its own network namespace, which a process of ours has made
 * there. The gate accepts on it, reads whom the guest wants to reach, asks the session's rules, and
 * connects from the host's network. It has one thread for all of it (and some that look names up),
 * no file, no privilege, no socket of the supervisor, and never more memory than its table of flows.
 *
 *   main.c    privilege given up, the loop, the broker's main socket
 *   guest.c   sessions: their rules, limits, listening socket; what is told to the broker
 *   flow.c    one connection of a guest, from its first byte to its last
 *   head.c hello.c   pure decoders of what guests and servers say
 *   end.c     sockets and buffers     resolve.c  names     tls.c  TLS that is read     mask.c  secrets
 *   tape.c    what was read, for the record and from it
 *
 * Runs in: retort-gate.
 * Hostile: guests, name servers, servers.
 * Tests: tests/system/test_network.py, tests/hostile/test_h_rules.py
 */
#pragma once

#include "gate/end.h"
#include "gate/head.h"
#include "gate/mask.h"
#include "gate/resolve.h"
#include "gate/rules/rules.h"
#include "gate/tape.h"
#include "gate/tls.h"
#include "wire/gate.h"

#define MAX_FLOWS 512 /* of all sessions; with four buffers each */

struct guest {
    struct guest *next;
    struct waiter sock, listener;
    struct rules *rules;
    struct identity *identity;     /* with which we read TLS; NULL: no rule asks for that */
    struct masks masks[MAX_RULES]; /* of each rule's secret */
    SSL_CTX *contexts[MAX_RULES];  /* of a client that trusts the authority of the rule */
    struct resumed resumed;
    struct flow *flows;
    unsigned open;    /* flows */
    uint32_t counter; /* numbers the connections */
    uint64_t bytes;
    double tokens; /* how many new connections are allowed now */
    uint64_t refilled;
    bool syncing;           /* the broker waits for GATE_SYNCED */
    bool busy;              /* something happened in this round, */
    unsigned rounds;        /* and rounds since the broker asked */
    bool full;              /* the broker does not read our messages */
    bool more;              /* one of its flows could go on */
    bool shut;              /* no proof covers what would leave it: it reaches nobody */
    bool again;             /* a cell is replayed: it reaches nobody, */
    struct answers answers; /* and gets these answers */
    uint64_t room;          /* how many more bytes of answers we keep of this cell */
    bool gone;
};

enum flow_state {
    FLOW_FIRST,   /* nothing is known of it yet */
    FLOW_SOCKS,   /* greeted; its request has not come yet */
    FLOW_HEAD,    /* we read a request to a proxy */
    FLOW_ASKING,  /* we look the server's name up */
    FLOW_CALLING, /* we connect to the server */
    FLOW_TUNNEL,  /* connected; the client's first bytes show what it is */
    FLOW_INNER,   /* we read a request inside of the tunnel */
    FLOW_ANSWER,  /* the request was sent, its answer is under way */
    FLOW_RECORD,  /* we read a request of a replayed cell, then answer it from the record */
    FLOW_RAW,     /* we do not look at the bytes */
    FLOW_LAST,    /* the client gets the last bytes */
};

/* In which protocol the client gets our answer. */
enum flow_kind { KIND_HTTP, KIND_CONNECT, KIND_SOCKS };

struct flow {
    struct flow *next; /* in the list of the guest, or of the dead */
    struct guest *guest;
    struct end near, far; /* the guest, the server */
    enum flow_state state;
    enum flow_kind kind;
    struct target target;
    struct query *query;
    struct address found[MAX_FOUND]; /* addresses that are allowed and were not tried yet */
    unsigned nfound;
    struct http_body up, down;
    struct buf request; /* the head of the request, until a server gets it */
    bool secure;        /* we speak TLS with the client, and with the server */
    bool masked;        /* we search the answer for a secret, … */
    struct fifo plain;  /* … without what frames it, */
    struct tape tape;
    bool answered;
    bool head_only; /* the answer has no body, whatever its head says */
    uint64_t started, deadline;
    struct gate_event event; /* what the broker will be told of it */
    bool due;                /* it has to be told now */
    bool more;               /* it used up its turn, and could go on */
    bool dead;
};

struct gate_state {
    int epoll;
    struct guest *guests;
    unsigned flows;
    SSL_CTX *context;       /* of a client that trusts the system's authorities */
    struct flow *graveyard; /* freed when a round is over */
};
extern struct gate_state gate;

/* guest.c */
int guest_open(int sock, int listener, int rules_fd); /* takes all three */
void guest_round(void);                               /* after each round of the loop */
void guest_second(uint64_t now);                      /* about every second */
bool guest_tell(struct guest *g, const struct gate_event *e, int fd); /* fd -1: no descriptor */
bool guest_spends(struct guest *g, uint64_t bytes); /* false: the session has used up its bytes */
uint64_t guest_budget(const struct guest *g);       /* bytes that the session may still use */

/* flow.c */
struct flow *flow_new(struct guest *g, int fd, bool allowed);
void flow_free(struct flow *f); /* it stays in the graveyard until the round is over */
void flow_step(struct flow *f);
void flow_found(struct flow *f, const struct address *found, unsigned count);
void flow_report(struct flow *f, bool open);
void flow_expire(struct flow *f, uint64_t now);
