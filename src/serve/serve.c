#include "serve/serve.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "base/io.h"
#include "serve/handlers.h"
#include "serve/tools.h"

#define LARGE (128 << 10)

int serve_init(struct serve *serve, struct retort_engine *engine) {
    /* A thread that has served one large frame would keep its memory for as long as the server
     * runs. */
    mallopt(M_MMAP_THRESHOLD, LARGE);
    mallopt(M_TRIM_THRESHOLD, LARGE);
    *serve = (struct serve){.engine = engine, .started_ns = now_ns()};
    serve->registry = registry_new();
    serve->hub = hub_new();
    serve->tools = tools_new();
    if (serve->registry && serve->hub && serve->tools)
        return 0;
    serve_done(serve);
    return -ENOMEM;
}

void serve_stop(struct serve *serve) {
    struct live **list;
    size_t n;

    atomic_store(&serve->stopping, true);
    n = registry_list(serve->registry, NULL, &list);
    for (size_t i = 0; i < n; i++) {
        session_stop(serve, list[i]);
        registry_unref(serve->registry, list[i]);
    }
    free(list);
    tools_cancel(serve->tools, NULL, NULL, "the server is stopping");
}

void serve_done(struct serve *serve) {
    registry_free(serve->registry);
    hub_free(serve->hub);
    tools_free(serve->tools);
}

void serve_notify(struct serve *serve, struct peer *peer, struct live *live, const char *text,
                  size_t len) {
    atomic_fetch_add(&serve->metrics.notifications, 1);
    pthread_mutex_lock(&live->lock);
    if (buf_reserve(&live->backlog, len + 1) >= 0) {
        buf_add(&live->backlog, text, len);
        buf_add(&live->backlog, "\n", 1);
    }
    hub_publish(serve->hub, live->owner, live->id, text, len);
    pthread_mutex_unlock(&live->lock);
    if (peer->send)
        peer->send(peer, text, len);
}
