#include "serve/server/mcp_http.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/maxima.h"
#include "base/thread.h"
#include "serve/http/outbox.h"
#include "serve/rpc/rpc.h"

/* If the reply takes longer, an event stream begins, which keeps the connection alive. */
#define STACK_SIZE (2u << 20)
#define SILENCE_MS 10000

/* One streamed call: shared by its thread and the thread of the connection. */
struct post {
    struct mcp_link link; /* first: link->send finds the post by it */
    struct outbox *outbox;
    struct mcp_call *call;
    pthread_mutex_t lock;
    unsigned refs;
    bool streaming; /* a message was sent, or will be */
    bool done;      /* the reply is in `reply` */
    int status;
    struct buf reply;
};

static struct mcp *layer(const struct http_request *request) {
    return ((struct mcp_http *)http_user(request))->mcp;
}

static void post_unref(struct post *post) {
    if (!last_reference(&post->lock, &post->refs))
        return;
    mcp_call_free(post->call);
    outbox_unref(post->outbox);
    buf_done(&post->reply);
    pthread_mutex_destroy(&post->lock);
    free(post);
}

static void answer_send(struct mcp_link *link, const char *text, size_t len) {
    struct post *post = (struct post *)link;

    pthread_mutex_lock(&post->lock);
    post->streaming = true;
    pthread_mutex_unlock(&post->lock);
    outbox_note(post->outbox, text, len);
}

static void *run_post(void *arg) {
    struct post *post = arg;
    bool streaming;

    post->status = mcp_call_run(post->call, &post->reply);
    pthread_mutex_lock(&post->lock);
    post->done = true;
    streaming = post->streaming;
    pthread_mutex_unlock(&post->lock);
    if (streaming && post->reply.len) {
        outbox_reply(post->outbox, post->reply.data, post->reply.len);
        buf_done(&post->reply);
    }
    outbox_end(post->outbox);
    post_unref(post);
    return NULL;
}

static int post_take(void *cls, struct buf *out) {
    return outbox_take(((struct post *)cls)->outbox, out);
}

/* The stream is over. In the modern era, a client that closes it cancels its call. */
static void post_gone(void *cls) {
    struct post *post = cls;

    if (mcp_is_modern(post->call))
        mcp_call_cancel(post->call);
    post_unref(post);
}

/* True if the reply came before any other message, so that no stream is needed. */
static bool wait_for_reply(struct http_request *request, struct post *post) {
    bool gone, plain;

    http_wait(request, outbox_fd(post->outbox), SILENCE_MS, &gone);
    pthread_mutex_lock(&post->lock);
    plain = post->done && !post->streaming;
    if (!plain)
        post->streaming = true;
    pthread_mutex_unlock(&post->lock);
    return plain;
}

static enum http_result reply_text(struct http_request *request, int status,
                                   const struct buf *reply, const struct mcp_call *call) {
    const struct mcp_session *session = mcp_call_session(call);
    bool begins = mcp_call_is_initialize(call) && session;

    const struct mcp_http *user = http_user(request);

    if (begins && user->began)
        user->began(user, session);
    if (reply->len == 0)
        return http_reply(request, status == 200 ? 202 : status, NULL, "", 0);
    return http_reply_json(request, status, reply, "Mcp-Session-Id",
                           begins ? mcp_session_id(session) : NULL);
}

static enum http_result run_inline(struct http_request *request, struct mcp_call *call) {
    struct buf reply = BUF_INIT(MAX_REPLY);
    int status = mcp_call_run(call, &reply);
    enum http_result r = reply_text(request, status, &reply, call);

    buf_done(&reply);
    mcp_call_free(call);
    return r;
}

static enum http_result run_streaming(struct http_request *request, struct post *post) {
    struct http_events events = {
        .fd = outbox_fd(post->outbox), .take = post_take, .free = post_gone, .cls = post};
    enum http_result r;

    post->refs = 2;
    if (thread_start_detached(STACK_SIZE, run_post, post) < 0) {
        post->refs = 1;
        post_unref(post);
        return http_reply_error(request, 503, "no thread could be started");
    }
    if (!wait_for_reply(request, post))
        return http_stream(request, &events);
    r = reply_text(request, post->status, &post->reply, post->call);
    post_unref(post);
    return r;
}

static struct post *post_new(void) {
    struct post *post = calloc(1, sizeof *post);

    if (!post)
        return NULL;
    post->link.send = answer_send;
    post->refs = 1;
    post->reply = BUF_INIT(MAX_REPLY);
    pthread_mutex_init(&post->lock, NULL);
    post->outbox = outbox_new();
    if (!post->outbox) {
        post_unref(post);
        return NULL;
    }
    return post;
}

static enum http_result mcp_http_dispatch(struct http_request *request,
                                          struct mcp_session *session) {
    struct mcp_headers headers = {.version = http_header(request, "MCP-Protocol-Version"),
                                  .method = http_header(request, "Mcp-Method"),
                                  .name = http_header(request, "Mcp-Name")};
    struct mcp_origin from = {.session = session, .peer = &request->peer, .headers = &headers};
    struct post *post = post_new();

    if (!post)
        return http_reply_error(request, 503, "out of memory");
    from.link = &post->link;
    post->call = mcp_call_new(layer(request), &from, request->body.data ? request->body.data : "",
                              request->body.len);
    if (!post->call) {
        post_unref(post);
        return http_reply_error(request, 503, "out of memory");
    }
    if (!mcp_is_modern(post->call) && !session && mcp_call_needs_session(post->call)) {
        post_unref(post);
        return http_reply_error(request, 400,
                                "the header Mcp-Session-Id is missing: initialize first");
    }
    if (mcp_call_may_stream(post->call))
        return run_streaming(request, post);
    struct mcp_call *call = post->call;
    post->call = NULL;
    enum http_result r = run_inline(request, call);
    post_unref(post);
    return r;
}

static bool has_json_body(const struct http_request *request) {
    const char *type = http_header(request, "Content-Type");

    return type && strncasecmp(type, "application/json", 16) == 0;
}

enum http_result mcp_http_post(struct http_request *request) {
    const char *id = http_header(request, "Mcp-Session-Id");
    struct mcp_session *session = NULL;
    enum http_result r;

    if (!has_json_body(request))
        return http_reply_error(request, 415, "Content-Type must be application/json");
    if (id) {
        session = mcp_session_find(layer(request), request->peer.owner, id);
        if (!session)
            return http_reply_error(request, 404, "no such MCP session");
    }
    r = mcp_http_dispatch(request, session);
    mcp_session_unref(layer(request), session);
    return r;
}

/* --- the legacy stream of unsolicited messages, and the end of a session --- */

struct mcp_listener {
    struct mcp_link link;
    struct outbox *outbox;
    struct mcp *mcp;
    struct mcp_session *session;
};

static void listener_send(struct mcp_link *link, const char *text, size_t len) {
    outbox_note(((struct mcp_listener *)link)->outbox, text, len);
}

static int listener_take(void *cls, struct buf *out) {
    struct mcp_listener *listener = cls;

    if (mcp_session_is_over(listener->mcp, listener->session))
        return -EPIPE;
    return outbox_take(listener->outbox, out);
}

static void listener_gone(void *cls) {
    struct mcp_listener *listener = cls;

    mcp_session_attach(listener->mcp, listener->session, NULL);
    mcp_session_unref(listener->mcp, listener->session);
    outbox_unref(listener->outbox);
    free(listener);
}

static enum http_result listen_to(struct http_request *request, struct mcp_session *session) {
    struct mcp_listener *listener = calloc(1, sizeof *listener);
    struct http_events events = {
        .take = listener_take, .free = listener_gone, .cls = listener, .listens = true};

    if (!listener || !(listener->outbox = outbox_new())) {
        free(listener);
        mcp_session_unref(layer(request), session);
        return http_reply_error(request, 503, "out of memory");
    }
    listener->link.send = listener_send;
    listener->mcp = layer(request);
    listener->session = session;
    events.fd = outbox_fd(listener->outbox);
    if (mcp_session_attach(layer(request), session, &listener->link))
        return http_stream(request, &events);
    outbox_unref(listener->outbox);
    free(listener);
    mcp_session_unref(layer(request), session);
    return http_reply_error(request, 409, "this session has a stream already");
}

static struct mcp_session *session_of(struct http_request *request) {
    const char *id = http_header(request, "Mcp-Session-Id");
    struct mcp_session *session;

    if (!id) {
        http_reply_error(request, 405, "without a session there is only POST");
        return NULL;
    }
    session = mcp_session_find(layer(request), request->peer.owner, id);
    if (!session)
        http_reply_error(request, 404, "no such MCP session");
    return session;
}

enum http_result mcp_http_get(struct http_request *request) {
    struct mcp_session *session = session_of(request);

    return session ? listen_to(request, session) : HTTP_DONE;
}

enum http_result mcp_http_delete(struct http_request *request) {
    struct mcp_session *session = session_of(request);

    if (!session)
        return HTTP_DONE;
    mcp_session_end(layer(request), session);
    mcp_session_unref(layer(request), session);
    return http_reply(request, 204, NULL, "", 0);
}
