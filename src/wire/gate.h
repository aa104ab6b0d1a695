/* Messages between broker and gate: fixed structs over SEQPACKET sockets, with descriptors.
 *
 * As with the supervisor there is a *main* socket, on which the broker opens sessions, and one
 * socket for each session. When that one ends, the gate closes everything that the session has
 * open.
 *
 * Hostile: names, methods and paths in an event are what a guest has asked for, as bytes; the gate
 *   itself reads what guests and the internet say, so the broker checks sizes and ends of texts.
 */
#pragma once

#include <stdint.h>

#include "base/hash.h"
#include "wire/control.h"

enum gate_type {
    /* main socket */
    GATE_SESSION = 1,   /* + fds: GATE_FD_…; the gate reaches the session through these alone */
    GATE_AUTHORITY = 2, /* + fd: a file for {"key", "certificate"}; the same head answers */
    /* session socket, broker to gate */
    GATE_SYNC = 10,  /* tell everything that happened until now, then send GATE_SYNCED */
    GATE_AGAIN = 11, /* + fd: a cell of the past runs again. The gate connects to nobody; a request
                        that is in the file (struct gate_event, then the bytes that it kept, one
                        event after the other) is answered from there, once */
    GATE_LIVE = 12,  /* no longer */
    GATE_SHUT = 13,  /* until one of the two above comes: connections end, and nothing is let
                        through */
    /* session socket, gate to broker */
    GATE_EVENT = 20, /* struct gate_event; + fd: the answer, if it was kept */
    GATE_SYNCED = 21,
};

enum { GATE_FD_SOCKET, GATE_FD_LISTENER, GATE_FD_RULES, GATE_FDS };

enum gate_verdict {
    GATE_ALLOWED,
    GATE_REFUSED, /* by a rule, because of the address, or because no rule allows it */
    GATE_FAILED   /* allowed, but there was no answer */
};

/* A connection, or one request in it. If it is still open, the numbers are those so far. */
struct gate_event {
    struct ctl_head head;
    uint32_t connection; /* counts from 1 in each session */
    uint32_t verdict;
    int32_t rule; /* the rule's place in the list, from 0; -1: none */
    uint16_t port, status;
    uint32_t open; /* more may come */
    uint32_t us;
    uint64_t sent, received;
    struct hash body; /* SHA-256 of what was sent with the request */
    uint32_t kept;    /* bytes of the answer, as the client got it; 0: it is not kept, … */
    uint32_t unkept;  /* … because it is too large */
    uint32_t missing; /* a cell of the past asked for something that is not on record */
    char scheme[8];   /* "http", "https", "tls", "tcp", "socks" */
    char method[16], host[256], path[2048];
    char reason[256]; /* why it was refused or failed, for people and models */
};

/* In the file of GATE_AGAIN each event begins at a multiple of this. */
#define GATE_ALIGN 8

/* Where guests find the gate: port of the listening socket on 127.0.0.1. */
#define GATE_PORT 3128
#define GATE_BACKLOG 64
/* The file of authorities that programs trust in a session whose requests the gate reads. */
#define GATE_TRUST "/tmp/.retort-authorities.pem"
