/* One connection of a guest; gate.h has its states. flow_step moves bytes and changes states until
 * nothing moves any more. */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "gate/gate.h"
#include "gate/hello.h"

#define SECOND 1000000000ull
#define HEAD_NS (30 * SECOND)    /* for a request to arrive */
#define CONNECT_NS (10 * SECOND) /* for each address */
#define IDLE_NS (300 * SECOND)   /* without a byte in either direction */
#define LAST_NS (5 * SECOND)     /* for the client to hang up after it got the last byte */

static void on_near(struct waiter *w, uint32_t events) {
    struct flow *f = (struct flow *)(void *)((char *)w - offsetof(struct flow, near.waiter));
    if (events & ~(uint32_t)EPOLLOUT)
        end_wet(&f->near);
    flow_step(f);
}

static void on_far(struct waiter *w, uint32_t events) {
    struct flow *f = (struct flow *)(void *)((char *)w - offsetof(struct flow, far.waiter));
    if (events & ~(uint32_t)EPOLLOUT)
        end_wet(&f->far);
    flow_step(f);
}

struct flow *flow_new(struct guest *g, int fd, bool allowed) {
    struct flow *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->guest = g;
    f->started = now_ns();
    f->deadline = f->started + HEAD_NS;
    f->request = BUF_INIT(MAX_HEAD + 8192);
    f->event = (struct gate_event){.head = {GATE_EVENT, sizeof f->event},
                                   .connection = ++g->counter,
                                   .rule = -1,
                                   .status = allowed ? 0 : 429};
    tape_init(&f->tape, !g->again);
    end_init(&f->near, on_near);
    end_init(&f->far, on_far);
    end_open(&f->near, fd);
    f->next = g->flows;
    g->flows = f;
    g->open++;
    gate.flows++;
    return f;
}

void flow_free(struct flow *f) {
    if (f->dead)
        return;
    f->dead = true;
    for (struct flow **p = &f->guest->flows; *p; p = &(*p)->next)
        if (*p == f) {
            *p = f->next;
            break;
        }
    f->guest->open--;
    gate.flows--;
    resolve_forget(f->query);
    end_done(&f->near);
    end_done(&f->far);
    fifo_done(&f->plain);
    tape_done(&f->tape);
    if (f->request.data)
        explicit_bzero(f->request.data, f->request.cap);
    buf_done(&f->request);
    f->next = gate.graveyard;
    gate.graveyard = f;
}

/* --- reporting to the broker --- */

/* Keeps an answer if it is complete and we know the whole request. */
static void finish_tape(struct flow *f) {
    struct tape *t = &f->tape;
    bool known = t->whole && f->up.done;
    int fd = known ? tape_file(t) : -1;
    f->event.unkept = known && t->spoiled && !f->guest->again;
    if (fd < 0)
        return;
    f->event.body = tape_body(t);
    f->event.kept = t->bytes;
}

static void keep_on_tape(struct flow *f, const void *data, size_t len) {
    tape_add(&f->tape, &f->guest->room, data, len);
}

void flow_report(struct flow *f, bool open) {
    struct gate_event *e = &f->event;
    e->open = open;
    e->port = f->target.port;
    e->us = (uint32_t)((now_ns() - f->started) / 1000);
    memcpy(e->host, f->target.host, sizeof e->host);
    if (!open && !e->kept)
        finish_tape(f);
    if (!guest_tell(f->guest, e, e->kept ? f->tape.fd : -1))
        return;
    f->due = f->near.held = false;
    e->sent = e->received = 0;
}

/* A client may read the last bytes as slowly as those before. */
static void last_deadline(struct flow *f) {
    f->deadline = now_ns() + (end_left(&f->near) ? IDLE_NS : LAST_NS);
}

static void flow_forget(struct flow *f) {
    resolve_forget(f->query);
    f->query = NULL;
}

/* We connect to nobody any more, even if the name is still being looked up. step_last tells the
 * broker. */
static void flow_last(struct flow *f) {
    f->state = FLOW_LAST;
    last_deadline(f);
    f->due = true;
    flow_forget(f);
}

/* The broker hears of a refusal before the client does: so a cell that has seen one has its
 * flag. */
static void flow_last_held(struct flow *f) {
    flow_last(f);
    f->near.held = true;
    end_done(&f->far);
    flow_report(f, false);
}

static void tell_http(struct flow *f, unsigned status) {
    const char *reason = f->event.reason;
    char text[1024];
    int n = snprintf(text, sizeof text,
                     "HTTP/1.1 %u retort: %s\r\nContent-Type: text/plain\r\nConnection: close\r\n"
                     "Content-Length: %zu\r\n\r\nretort: %s\n",
                     status, reason, strlen(reason) + 9, reason);
    fifo_add(&f->near.out, text, (size_t)n);
    keep_on_tape(f, text, f->request.len ? (size_t)n : 0); /* a failure is an answer, too */
    f->tape.whole = f->request.len > 0;
}

static void tell_socks(struct flow *f, char code) {
    const char answer[] = {5, code, 0, 1, 0, 0, 0, 0, 0, 0};
    fifo_add(&f->near.out, answer, sizeof answer);
}

/* A fatal alert, access_denied: in a tunnel that begins with TLS, nothing else can be said. */
static void tell_tls(struct flow *f) {
    fifo_add(&f->near.out, "\x15\x03\x01\x00\x02\x02\x31", 7);
}

static void flow_end(struct flow *f, enum gate_verdict verdict, unsigned status) {
    f->event.verdict = verdict;
    if (!f->answered)
        f->event.status = (uint16_t)status;
    if (f->state == FLOW_RAW || f->answered)
        ; /* something else is being sent: no error can be put into it */
    else if (f->state == FLOW_TUNNEL)
        tell_tls(f);
    else if (f->state == FLOW_INNER || f->request.len || f->kind != KIND_SOCKS)
        tell_http(f, status);
    else
        tell_socks(f, verdict == GATE_REFUSED ? 2 : 4);
    flow_last_held(f);
}

static void flow_refuse(struct flow *f, unsigned status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void flow_refuse(struct flow *f, unsigned status, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(f->event.reason, sizeof f->event.reason, fmt, args);
    va_end(args);
    flow_end(f, GATE_REFUSED, status);
}

static void flow_fail(struct flow *f, const char *why) {
    long proof = f->far.ssl ? SSL_get_verify_result(f->far.ssl) : X509_V_OK;
    if (proof != X509_V_OK)
        why = X509_verify_cert_error_string(proof);
    snprintf(f->event.reason, sizeof f->event.reason, "%.160s (%.80s)", why, f->target.host);
    flow_end(f, GATE_FAILED, 502);
}

static void refuse_host(struct flow *f) {
    char allowed[128];
    rules_text(f->guest->rules, allowed, sizeof allowed);
    flow_refuse(f, 403, "this session may not connect to %.60s:%u; it may connect to: %s",
                f->target.host, f->target.port, allowed[0] ? allowed : "nobody");
}

/* --- whom to connect to --- */

static bool is_this_host(const struct address *a) {
    struct ifaddrs *all = NULL;
    bool own = false;
    if (getifaddrs(&all) < 0)
        return true;
    for (const struct ifaddrs *i = all; i && !own; i = i->ifa_next) {
        struct address one;
        if (!i->ifa_addr)
            continue;
        address_from(i->ifa_addr, &one);
        own = one.family && address_equal(&one, a);
    }
    freeifaddrs(all);
    return own;
}

static void flow_call(struct flow *f) {
    struct sockaddr_storage to;
    if (!f->nfound) {
        flow_fail(f, "the server cannot be reached");
        return;
    }
    struct address a = f->found[0];
    memmove(f->found, f->found + 1, --f->nfound * sizeof *f->found);
    socklen_t len = address_to(&a, f->target.port, &to);
    int on = 1, fd = socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    end_done(&f->far);
    end_init(&f->far, on_far);
    end_open(&f->far, fd);
    f->state = FLOW_CALLING;
    f->deadline = now_ns() + CONNECT_NS;
    f->far.dry = true;
    f->far.broken =
        fd < 0 || (connect(fd, (struct sockaddr *)&to, len) < 0 && errno != EINPROGRESS);
}

static bool start_tls(struct flow *f) {
    const struct rule *rule = &f->guest->rules->list[f->event.rule];
    SSL_CTX **context = rule->authority ? &f->guest->contexts[f->event.rule] : &gate.context;
    if (!f->secure || f->far.ssl)
        return true;
    f->far.ssl = tls_connect(f->target.host, f->far.waiter.fd, rule->authority, context);
    if (f->far.ssl)
        resumed_offer(&f->guest->resumed, f->target.host, f->far.ssl);
    return f->far.ssl;
}

/* The server proves its name while the client is still busy with our certificate. We tell it
 * nothing else until there is a request that the rules allow. */
static void call_ahead(struct flow *f) {
    flow_call(f);
    f->state = FLOW_INNER;
    f->deadline = now_ns() + HEAD_NS;
    f->far.broken = f->far.broken || !start_tls(f);
    end_wet(&f->far); /* the first read starts the handshake */
}

void flow_found(struct flow *f, const struct address *found, unsigned count) {
    f->query = NULL;
    f->guest->busy = true;
    f->nfound = 0;
    for (unsigned i = 0; i < count; i++)
        if (address_is_public(&found[i]) && !is_this_host(&found[i]))
            f->found[f->nfound++] = found[i];
    if (f->state == FLOW_INNER && f->nfound)
        call_ahead(f);
    else if (f->state == FLOW_INNER)
        ; /* the request will report it */
    else if (!count)
        flow_fail(f, "there is no such host");
    else if (!f->nfound)
        flow_refuse(f, 403, "%.80s leads to an address inside of this network, which no rule names",
                    f->target.host);
    else
        flow_call(f);
    flow_step(f);
}

/* Takes the address of the rule, or looks the name up; then flow_found goes on. */
static bool flow_ask(struct flow *f) {
    const struct rule *rule = &f->guest->rules->list[f->event.rule];
    f->found[0] = rule->address;
    f->nfound = rule->address.family != 0;
    if (!f->nfound)
        f->query = resolve_ask(f, f->target.host);
    return f->nfound || f->query;
}

/* Finds the server of the rule that allows the request. */
static void flow_seek(struct flow *f) {
    f->state = f->guest->again ? FLOW_RECORD : FLOW_ASKING;
    f->deadline = now_ns() + HEAD_NS;
    if (f->guest->again || f->query)
        return;
    if (!flow_ask(f))
        flow_fail(f, "the gate has no memory");
    else if (f->nfound)
        flow_call(f);
}

/* False: the request was refused. */
static bool flow_admit(struct flow *f, const char *method, const char *path) {
    const struct rules *rules = f->guest->rules;
    if (f->event.status == 429) {
        flow_refuse(f, 429, "this session has opened %u connections in a minute: wait a little",
                    rules->rate);
        return false;
    }
    if (f->guest->shut) {
        flow_refuse(f, 403, "it is not proved that no data of untrusted origin is in this request");
        return false;
    }
    f->event.rule = rules_find(rules, f->target.host, f->target.port, method, path);
    if (f->event.rule >= 0)
        return true;
    if (method && rules_find(rules, f->target.host, f->target.port, NULL, NULL) >= 0)
        flow_refuse(f, 403, "this session may not %.16s %.100s at %.60s", method, path,
                    f->target.host);
    else
        refuse_host(f);
    return false;
}

/* --- the client's request --- */

static bool step_first(struct flow *f) {
    if (!f->near.in.len)
        return false;
    if (fifo_at(&f->near.in)[0] != 5) {
        f->state = FLOW_HEAD;
        return true;
    }
    long n = socks_greeting(fifo_at(&f->near.in), f->near.in.len);
    f->kind = KIND_SOCKS;
    snprintf(f->event.scheme, sizeof f->event.scheme, "socks");
    if (n < 0)
        flow_refuse(f, 400, "this is no greeting of SOCKS5 without a password");
    if (n <= 0)
        return n < 0;
    fifo_drop(&f->near.in, (size_t)n);
    fifo_add(&f->near.out, "\x05\x00", 2);
    f->state = FLOW_SOCKS;
    return true;
}

static void begin_tunnel(struct flow *f) {
    if (f->kind == KIND_SOCKS)
        tell_socks(f, 0);
    else
        fifo_add(&f->near.out, "HTTP/1.1 200 Connection established\r\n\r\n", 39);
    f->state = f->guest->rules->list[f->event.rule].raw ? FLOW_RAW : FLOW_TUNNEL;
}

/* If we read requests, we connect to the server only when there is one that the rules allow. */
static void flow_open(struct flow *f) {
    const struct guest *g = f->guest;
    bool reads = rules_read(g->rules, f->target.host, f->target.port);
    if (reads || (g->again && answers_know(&g->answers, f->target.host, f->target.port)))
        begin_tunnel(f);
    else if (g->again) {
        f->event.missing = 1;
        flow_refuse(f, 403,
                    "this cell is run again, and reaches nobody: what %.60s:%u said was passed on "
                    "unread and is not on record",
                    f->target.host, f->target.port);
    } else
        flow_seek(f);
}

static bool step_socks(struct flow *f) {
    long n = socks_request(fifo_at(&f->near.in), f->near.in.len, &f->target);
    if (n == 0)
        return false;
    if (n < 0) {
        f->target.host[0] = 0;
        flow_refuse(f, 400, "SOCKS5 is served to connect to a name or an address, nothing else");
        return true;
    }
    fifo_drop(&f->near.in, (size_t)n);
    if (flow_admit(f, NULL, NULL))
        flow_open(f);
    return true;
}

static void take_method(struct flow *f, const struct http_head *h) {
    memcpy(f->event.method, h->method.at, h->method.len);
    f->event.method[h->method.len] = 0;
    f->head_only = strcmp(f->event.method, "HEAD") == 0;
}

/* A secret replaces a header that the client may have set. We send it only to a server that has
 * proved its name, and ask for an answer that is not compressed, because we could not search it. */
static int add_request(struct flow *f, const struct http_head *h) {
    const struct rule *rule = &f->guest->rules->list[f->event.rule];
    int r = head_forward(h, &f->target, f->secure ? 443 : 80, rule->header, &f->request);
    f->masked = f->guest->masks[f->event.rule].texts[0] != NULL;
    if (r == 0 && rule->header)
        r = buf_printf(&f->request, "%s: %s\r\nAccept-Encoding: identity\r\n", rule->header,
                       rule->value);
    return r < 0 ? r : buf_adds(&f->request, "\r\n");
}

/* The head waits until there is a server to send it to. */
static void flow_request(struct flow *f, struct http_head *h) {
    const char *method = f->event.method;
    snprintf(f->event.scheme, sizeof f->event.scheme, f->secure ? "https" : "http");
    memcpy(f->event.path, f->target.path, sizeof f->event.path);
    if (!flow_admit(f, method, f->target.path))
        return;
    const struct rule *rule = &f->guest->rules->list[f->event.rule];
    if (rule->methods[0] || rule->paths[0])
        head_drop_overrides(h);
    if (rule->header) {
        if (!f->secure) {
            flow_refuse(f, 403, "%.60s has a secret, which is sent by https only", f->target.host);
            return;
        }
        head_drop(h, "accept-encoding");
        head_drop(h, "range"); /* we could not recognise a secret that was cut */
    }
    body_begin(&f->up, h->framing, h->length);
    if (add_request(f, h) < 0)
        flow_refuse(f, 431, "the head of the request is too long");
    else if (h->expects)
        fifo_add(&f->near.out, "HTTP/1.1 100 Continue\r\n\r\n", 25);
}

static bool refuse_unread(struct flow *f, const char *what) {
    f->target.host[0] = 0;
    flow_refuse(f, 400, "this is no %s that the gate understands in one way only", what);
    return true;
}

/* Returns what head_end returns. */
static long end_head(struct end *e) {
    long n = head_end(fifo_at(&e->in), e->in.len, &e->seen);
    if (n != 0)
        e->seen = 0;
    return n;
}

static bool step_head(struct flow *f) {
    const char *bytes = fifo_at(&f->near.in);
    long n = end_head(&f->near);
    struct http_head h;
    if (n == 0)
        return false;
    if (n < 0 || !head_request(bytes, (size_t)n, &h) || !target_proxy(&h, &f->target))
        return refuse_unread(f, "request to a proxy");
    take_method(f, &h);
    if (f->target.path[0]) {
        flow_request(f, &h);
        fifo_drop(&f->near.in, (size_t)n);
        if (f->state == FLOW_HEAD)
            flow_seek(f);
        return true;
    }
    f->kind = KIND_CONNECT;
    snprintf(f->event.scheme, sizeof f->event.scheme, "tcp");
    if (h.framing != FRAMING_NONE)
        return refuse_unread(f, "CONNECT");
    fifo_drop(&f->near.in, (size_t)n);
    if (flow_admit(f, NULL, NULL))
        flow_open(f);
    return true;
}

/* --- connected --- */

static void pass_request(struct flow *f) {
    f->state = FLOW_ANSWER;
    if (!fifo_add(&f->far.out, f->request.data, f->request.len))
        flow_fail(f, "the gate has no memory");
}

static void flow_connected(struct flow *f) {
    f->deadline = now_ns() + IDLE_NS;
    if (!f->request.len)
        begin_tunnel(f);
    else if (!start_tls(f))
        flow_fail(f, "the gate cannot speak TLS");
    else
        pass_request(f);
}

static bool has_failed(const struct end *e) {
    int eno = 0;
    socklen_t len = sizeof eno;
    return e->broken || getsockopt(e->waiter.fd, SOL_SOCKET, SO_ERROR, &eno, &len) < 0 || eno;
}

static bool step_calling(struct flow *f) {
    struct sockaddr_storage peer;
    socklen_t len = sizeof peer;
    if (!f->far.broken && getpeername(f->far.waiter.fd, (struct sockaddr *)&peer, &len) == 0)
        flow_connected(f);
    else if (has_failed(&f->far))
        flow_call(f);
    else
        return false;
    return true;
}

#define TLS_RECORD 22

static void read_tls(struct flow *f) {
    struct fifo *in = &f->near.in;
    SSL *ssl = f->guest->identity ? tls_accept(f->guest->identity, f->target.host,
                                               f->near.waiter.fd, fifo_at(in), in->len)
                                  : NULL;
    if (!ssl) {
        flow_refuse(f, 403, "requests by TLS to %.60s cannot be read", f->target.host);
        return;
    }
    fifo_drop(in, in->len);
    end_wet(&f->near); /* TLS has taken what was in the buffer */
    f->near.ssl = ssl;
    f->secure = true;
    f->state = FLOW_INNER;
    if (!f->guest->again && flow_ask(f) && f->nfound)
        call_ahead(f);
}

static bool step_tunnel(struct flow *f) {
    char name[HOST_SIZE];
    const char *bytes = fifo_at(&f->near.in);
    if (!f->near.in.len)
        return false;
    if (bytes[0] != TLS_RECORD) {
        f->state = FLOW_INNER;
        return true;
    }
    snprintf(f->event.scheme, sizeof f->event.scheme, "tls");
    long n = hello_name(bytes, f->near.in.len, name);
    struct address literal;
    /* An address has no name to compare. */
    bool named = name[0] || !address_parse(f->target.host, &literal);
    if (n < 0)
        flow_refuse(f, 403, "the first message of TLS cannot be read");
    else if (n > 0 && named && strcmp(name, f->target.host) != 0)
        flow_refuse(f, 403, "TLS names the server %.60s in a connection to %.60s",
                    name[0] ? name : "(none)", f->target.host);
    else if (n > 0 && f->far.waiter.fd < 0)
        read_tls(f);
    else if (n > 0)
        f->state = FLOW_RAW;
    return n != 0;
}

static bool same_place(const struct rule *a, const struct rule *b) {
    return a == b || (!a->authority && !b->authority && address_equal(&a->address, &b->address));
}

/* The rule `now` allows the request; a server that we connected to ahead had the rule `before`. */
static void flow_go_on(struct flow *f, int before, int now) {
    const struct rule *rules = f->guest->rules->list;
    bool fits = same_place(&rules[before], &rules[now]);
    if (f->far.waiter.fd >= 0 && fits && !f->far.eof && f->far.ssl)
        f->state = FLOW_CALLING;
    else if (f->far.waiter.fd >= 0 && !f->secure)
        pass_request(f);
    else {
        if (!fits)
            flow_forget(f);
        end_done(&f->far);
        end_init(&f->far, on_far);
        flow_seek(f);
    }
}

/* Plain HTTP inside of a tunnel obeys the same rules. */
static bool step_inner(struct flow *f) {
    const char *bytes = fifo_at(&f->near.in);
    long n = end_head(&f->near);
    struct target target;
    struct http_head h;
    if (n == 0)
        return false;
    if (n < 0 || !head_request(bytes, (size_t)n, &h) || !target_origin(&h, &f->target, &target)) {
        flow_refuse(f, 403,
                    "neither TLS nor a request to %.60s: other protocols need a rule with "
                    "\"protocol\": \"tcp\"",
                    f->target.host);
        return true;
    }
    int before = f->event.rule;
    f->target = target;
    take_method(f, &h);
    flow_request(f, &h);
    fifo_drop(&f->near.in, (size_t)n);
    if (f->state == FLOW_INNER)
        flow_go_on(f, before, f->event.rule);
    return true;
}

/* --- bytes --- */

/* Passes as much of `in` as belongs to the body and fits; -1: it is no body. */
static long pass_body(struct flow *f, bool up) {
    struct http_body *b = up ? &f->up : &f->down;
    struct fifo *in = up ? &f->near.in : &f->far.in, *out = up ? &f->far.out : &f->near.out;
    size_t most = in->len < fifo_room(out) ? in->len : fifo_room(out);
    long n = most && !b->done ? body_take(b, fifo_at(in), most) : 0;
    if (n > 0 && up)
        tape_sent(&f->tape, fifo_at(in), (size_t)n);
    else if (n > 0)
        keep_on_tape(f, fifo_at(in), (size_t)n);
    return n > 0 ? (long)fifo_move(in, out, (size_t)n) : n;
}

#define CHUNK_ROOM 32 /* bytes around one chunk, and the last one */

static void answer_with(struct flow *f, const char *text, size_t len) {
    keep_on_tape(f, text, len);
    fifo_add(&f->near.out, text, len);
}

/* Sends `len` bytes that were searched. A chunked answer stays chunked: a client that has not seen
 * the last chunk knows that something is missing. */
static size_t send_masked(struct flow *f, size_t len) {
    char size[16];
    bool chunks = f->down.framing == FRAMING_CHUNKS;
    size_t room = fifo_room(&f->near.out), least = chunks ? CHUNK_ROOM : 0;
    room = room > least ? room - least : 0;
    len = len < room ? len : room;
    if (chunks && len)
        answer_with(f, size, (size_t)snprintf(size, sizeof size, "%zx\r\n", len));
    keep_on_tape(f, fifo_at(&f->plain), len);
    fifo_move(&f->plain, &f->near.out, len);
    if (chunks && len)
        answer_with(f, "\r\n", 2);
    if (chunks && f->down.done && !f->plain.len)
        answer_with(f, "0\r\n\r\n", 5);
    return len;
}

/* The same with the secret masked; bytes that may begin a secret wait for those that follow. */
static long pass_masked(struct flow *f) {
    const struct masks *masks = &f->guest->masks[f->event.rule];
    struct fifo *in = &f->far.in, *plain = &f->plain;
    size_t taken = 0;
    while (in->len && !f->down.done && fifo_room(plain)) {
        size_t frame = 0, most = in->len < fifo_room(plain) ? in->len : fifo_room(plain);
        long n = body_part(&f->down, fifo_at(in), most, &frame);
        if (n < 0)
            return n;
        fifo_add(plain, fifo_at(in) + frame, (size_t)n);
        fifo_drop(in, frame + (size_t)n);
        taken += frame + (size_t)n;
    }
    bool last = f->down.done || (f->far.eof && !in->len);
    masks_apply(masks, plain->data ? plain->data + plain->begin : NULL, plain->len);
    size_t held = last ? 0 : masks_open(masks, fifo_at(plain), plain->len);
    return (long)(taken + send_masked(f, plain->len - held));
}

/* True: there was an answer. */
static bool take_answer(struct flow *f) {
    const char *bytes = fifo_at(&f->far.in);
    long n = end_head(&f->far);
    scoped_buf text = BUF_INIT(MAX_HEAD + 8192);
    struct http_head h;
    if (n == 0)
        return false;
    bool read = n > 0 && head_answer(bytes, (size_t)n, &h) && h.status != 101;
    if (read && f->masked && head_find(&h, "content-encoding")) {
        flow_fail(f, "the server has packed its answer, in which a secret could be");
        return true;
    }
    if (!read || head_return(&h, &text) < 0) {
        flow_fail(f, "the server's answer is no HTTP");
        return true;
    }
    if (f->masked)
        masks_apply(&f->guest->masks[f->event.rule], text.data, text.len);
    bool last = h.status >= 200;
    if (last) {
        f->answered = true;
        f->event.status = (uint16_t)h.status;
        body_begin(&f->down, f->head_only ? FRAMING_NONE : h.framing, h.length);
        if (f->down.framing == FRAMING_LENGTH && h.length > MAX_KEPT_ANSWER)
            tape_spoil(&f->tape);
        keep_on_tape(f, text.data, text.len);
    }
    if (last && !fifo_add(&f->near.out, text.data, text.len))
        flow_fail(f, "the gate has no memory");
    else
        fifo_drop(&f->far.in, (size_t)n);
    return true;
}

static void flow_whole(struct flow *f) {
    f->tape.whole = true;
    if (f->far.ssl)
        resumed_keep(&f->guest->resumed, f->target.host, f->far.ssl);
    flow_last(f);
}

static void refuse_body(struct flow *f) {
    flow_refuse(f, 400, "the body of the request has no clear end");
}

/* We ignore what comes after the request: a connection has one request. */
static bool step_answer(struct flow *f) {
    long up = pass_body(f, true), down = 0;
    if (up < 0) {
        refuse_body(f);
        return true;
    }
    bool head = !f->answered && take_answer(f);
    if (f->state == FLOW_ANSWER && f->answered)
        down = f->masked ? pass_masked(f) : pass_body(f, false);
    bool end = f->far.eof && !f->far.in.len && !f->plain.len;
    if (f->state != FLOW_ANSWER)
        return true;
    bool done = down >= 0 && f->down.done && !f->plain.len;
    bool torn = down < 0 || f->far.broken || (end && f->down.framing != FRAMING_END);
    if (!f->answered && (end || f->far.broken))
        flow_fail(f, "the server has hung up");
    else if (f->answered && (done || (end && !torn)))
        flow_whole(f);
    else if (torn)
        end_tear(&f->near); /* so that the client does not take it for complete */
    return head || up > 0 || down > 0;
}

/* --- from the record --- */

static void find_answer(struct flow *f) {
    struct gate_event *e = &f->event;
    e->body = tape_body(&f->tape);
    e->port = f->target.port;
    memcpy(e->host, f->target.host, sizeof e->host);
    const struct gate_event *found = answers_take(&f->guest->answers, e);
    if (!found) {
        e->missing = 1;
        flow_refuse(
            f, 403,
            "this cell is run again, and reaches nobody: %.16s %.100s at %.60s is not on record",
            e->method, e->path, e->host);
        return;
    }
    e->verdict = found->verdict;
    e->status = found->status;
    memcpy(e->reason, found->reason, sizeof e->reason);
    f->answered = true;
    f->tape.said = (const char *)(found + 1);
    f->tape.left = found->kept;
}

/* Reads the whole request first, because the body is part of what identifies it. */
static bool read_request(struct flow *f) {
    struct fifo *in = &f->near.in;
    long n = in->len && !f->up.done ? body_take(&f->up, fifo_at(in), in->len) : 0;
    if (n < 0) {
        refuse_body(f);
        return true;
    }
    if (n > 0) {
        tape_sent(&f->tape, fifo_at(in), (size_t)n);
        fifo_drop(in, (size_t)n);
    }
    if (f->up.done)
        find_answer(f);
    else if (f->near.eof && !in->len)
        f->near.broken = true;
    return n > 0 || f->up.done;
}

static bool step_record(struct flow *f) {
    if (!f->tape.said)
        return read_request(f);
    size_t room = fifo_room(&f->near.out), n = f->tape.left < room ? f->tape.left : room;
    if (!fifo_add(&f->near.out, f->tape.said, n)) {
        f->near.broken = true;
        return true;
    }
    f->tape.said += n;
    f->tape.left -= n;
    if (!f->tape.left) {
        f->tape.said = NULL;
        flow_last(f);
    }
    return n > 0;
}

static void pass_end(struct end *from, struct end *to) {
    if (from->eof && !from->in.len)
        end_shut(to);
}

static bool step_raw(struct flow *f) {
    size_t up = fifo_move(&f->near.in, &f->far.out, FIFO_SIZE);
    size_t down = fifo_move(&f->far.in, &f->near.out, FIFO_SIZE);
    pass_end(&f->near, &f->far);
    pass_end(&f->far, &f->near);
    if ((f->near.shut && f->far.shut) || f->far.broken)
        flow_last(f);
    return up || down;
}

/* First the client gets its last byte; only then we close the server's connection and tell the
 * broker, so that the client waits for neither. We read and drop what the client still sends:
 * closing a socket with unread bytes resets the connection, and the client would lose what it has
 * not read. */
static bool step_last(struct flow *f) {
    fifo_drop(&f->near.in, f->near.in.len);
    end_write(&f->near);
    if (!f->near.held)
        end_shut(&f->near);
    end_done(&f->far);
    if (f->due)
        flow_report(f, false);
    return false;
}

/* --- steps --- */

static bool step_once(struct flow *f) {
    switch (f->state) {
    case FLOW_FIRST: return step_first(f);
    case FLOW_SOCKS: return step_socks(f);
    case FLOW_HEAD: return step_head(f);
    case FLOW_ASKING: return false;
    case FLOW_CALLING: return step_calling(f);
    case FLOW_TUNNEL: return step_tunnel(f);
    case FLOW_INNER: return step_inner(f);
    case FLOW_ANSWER: return step_answer(f);
    case FLOW_RECORD: return step_record(f);
    case FLOW_RAW: return step_raw(f);
    case FLOW_LAST: return step_last(f);
    }
    return false;
}

static bool is_connected(const struct flow *f) {
    return f->state >= FLOW_TUNNEL && f->state < FLOW_LAST;
}

#define LEAST_PASSED (1u << 20) /* least bytes for which we make a chute */

/* How many of the server's next bytes nobody has to see: they are not in TLS of ours, not kept, and
 * not searched. */
static uint64_t far_unread(const struct flow *f) {
    if (f->near.ssl || f->far.ssl)
        return 0;
    if (f->state == FLOW_RAW)
        return f->event.received >= LEAST_PASSED ? UINT64_MAX : 0;
    bool passed = f->state == FLOW_ANSWER && f->answered && !f->masked && f->tape.spoiled;
    return passed ? body_unread(&f->down) : 0;
}

/* Reads from the server. The chute must be empty before we read anything else. */
static size_t far_read(struct flow *f) {
    uint64_t most = far_unread(f), budget = guest_budget(f->guest);
    size_t n = 0;
    if (f->near.chute.len)
        return 0;
    most = most < budget ? most : budget;
    if (most < (f->near.chute.in < 0 ? LEAST_PASSED : 1) || f->far.in.len ||
        !end_pass(&f->far, &f->near, most, &n))
        return end_read(&f->far);
    if (f->state == FLOW_ANSWER)
        body_pass(&f->down, n);
    return n;
}

/* Reads, makes a step, writes. True: something moved. */
static bool flow_move(struct flow *f) {
    size_t came = end_read(&f->near), answered = is_connected(f) ? far_read(f) : 0;
    if (f->state != FLOW_LAST && !guest_spends(f->guest, came + answered))
        flow_refuse(f, 403, "this session has used all the bytes that it may send and receive");
    f->event.received += answered;
    f->event.sent += came;
    if (came || answered)
        f->deadline = is_connected(f) ? now_ns() + IDLE_NS : f->deadline;
    enum flow_state before = f->state;
    bool stepped = step_once(f) || f->state != before, broken = f->far.broken;
    size_t gone = end_write(&f->near) + (is_connected(f) ? end_write(&f->far) : 0);
    if (gone && f->state == FLOW_LAST)
        last_deadline(f);
    return came || answered || stepped || gone || f->far.broken != broken;
}

static bool is_over(const struct flow *f) {
    return f->near.broken || (f->state == FLOW_LAST && f->near.shut && f->near.eof) ||
           (f->state < FLOW_ANSWER && f->near.eof && !f->near.in.len);
}

#define MOST_MOVES 16 /* at once, so that other flows do not wait */

void flow_step(struct flow *f) {
    if (f->dead)
        return;
    f->guest->busy = true;
    int moves = 0;
    while (moves < MOST_MOVES && flow_move(f) && !f->near.broken)
        moves++;
    f->more = moves == MOST_MOVES; /* no event will come for bytes that are left in buffers */
    f->guest->more = f->guest->more || f->more;
    if (is_over(f)) {
        if (f->state != FLOW_LAST && f->target.host[0]) {
            f->event.verdict = f->near.broken && f->state != FLOW_RAW ? GATE_FAILED : GATE_ALLOWED;
            flow_last_held(f); /* reported, though there is nobody left to write to */
        }
        if (!f->due) {
            flow_free(f);
            return;
        }
    }
    end_arm(&f->near, f->state != FLOW_ASKING && f->state != FLOW_CALLING);
    if (f->state == FLOW_CALLING)
        waiter_arm(&f->far.waiter, EPOLLOUT);
    else if (is_connected(f))
        end_arm(&f->far, !f->near.chute.len);
}

void flow_expire(struct flow *f, uint64_t now) {
    if (now < f->deadline)
        return;
    if (f->state == FLOW_CALLING)
        f->far.broken = true;
    else if (f->state < FLOW_TUNNEL && f->target.host[0])
        flow_fail(f, "it takes too long");
    else if (f->state != FLOW_LAST || end_left(&f->near))
        end_tear(&f->near);
    else
        f->near.broken = true;
    flow_step(f);
}
