/* A module of node by which an interrupt ends JavaScript, wherever it loops: in a cell's own code,
 * behind an `await`, in a timer, in a callback.
 *
 *   arm()     from here on, once SIGINT has come, a nudge (SIGURG) ends whatever JavaScript runs
 *             then; the event loop goes on and finds the interrupt
 *   asked()   tells whether SIGINT has come since disarm()
 *   disarm()  from here on none does; tells whether one did
 *
 * V8 and Node-API keep these functions stable; those few that are needed are declared here.
 *
 * Runs in: node, in a session, as its user. Whatever cells do to it they do to themselves.
 */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define PUBLIC __attribute__((visibility("default")))
#define V8(name) __asm__("_ZN2v87Isolate" name) __attribute__((weak))

enum { STACK = 64 << 10, HANDLE = 1024 /* more than libuv needs for one */ };
#define HEARD_NS 1000000 /* processor time within which JavaScript notices that it shall end */

typedef struct node_env *node_env;
typedef struct node_value *node_value;
typedef struct node_call *node_call;
typedef node_value (*node_function)(node_env env, node_call call);

extern void *isolate_current(void) V8("10GetCurrentEv");
extern void isolate_terminate(void *isolate) V8("18TerminateExecutionEv");
extern void isolate_go_on(void *isolate) V8("24CancelTerminateExecutionEv");
extern int napi_create_function(node_env env, const char *name, size_t len, node_function function,
                                void *data, node_value *ret);
extern int napi_set_named_property(node_env env, node_value object, const char *name,
                                   node_value value);
extern int napi_get_boolean(node_env env, bool value, node_value *ret);
extern int napi_get_uv_event_loop(node_env env, void **ret);
extern int uv_prepare_init(void *loop, void *handle);
extern int uv_prepare_start(void *handle, void (*call)(void *handle));
extern void uv_ref(void *handle);
extern void uv_unref(void *handle);
extern int uv_loop_alive(const void *loop);

static struct {
    void *isolate; /* of the main thread */
    sem_t nudged;
    pthread_mutex_t lock;
    bool armed, ending; /* ending: we told V8 to end, and not yet to go on */
    bool ended;         /* JavaScript was ended since it was armed */
    clockid_t clock;    /* processor time of the main thread, … */
    uint64_t told_ns;   /* … when we told V8 */
    _Atomic bool interrupted;
    struct sigaction noticed; /* node's own handler of SIGINT */
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *loop;
static _Alignas(max_align_t) char turn[HANDLE]; /* called in each turn of the event loop */

static void on_interrupt(int number) {
    watch.interrupted = true;
    watch.noticed.sa_handler(number);
}

/* A nudge that comes late, when another cell runs, does nothing. */
static void on_node_nudge(int number) {
    (void)number;
    if (watch.interrupted)
        sem_post(&watch.nudged);
}

static uint64_t main_ns(void) {
    struct timespec t = {0};
    clock_gettime(watch.clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Node may catch the termination on its way out, and then V8 runs no JavaScript until we tell it to
 * go on. In its timers node never comes out: it calls JavaScript until that has done something. */
static void end_or_go_on(void) {
    watch.ending = !watch.ending;
    watch.ended = true;
    watch.told_ns = main_ns();
    if (watch.ending)
        isolate_terminate(watch.isolate);
    else
        isolate_go_on(watch.isolate);
}

/* On a busy machine the main thread may not have run since it was told to end. */
static bool main_heard(void) {
    return !watch.ending || main_ns() - watch.told_ns > HEARD_NS;
}

/* A thread, not the handler itself, because V8 takes locks. */
static void *watch_main(void *unused) {
    (void)unused;
    for (;;) {
        if (sem_wait(&watch.nudged) < 0)
            continue;
        pthread_mutex_lock(&watch.lock);
        if (watch.armed && watch.interrupted && main_heard())
            end_or_go_on();
        pthread_mutex_unlock(&watch.lock);
    }
    return NULL;
}

/* Node sets its handler anew if a cell removes all listeners, or runs a script with
 * breakOnSigint. */
static bool follow_node(void) {
    struct sigaction now, ours = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
    if (sigaction(SIGINT, NULL, &now) < 0)
        return false;
    if (now.sa_handler == on_interrupt)
        return true;
    if (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN || (now.sa_flags & SA_SIGINFO))
        return false;
    watch.noticed = now;
    sigfillset(&ours.sa_mask);
    return sigaction(SIGINT, &ours, NULL) == 0;
}

static node_value watch_arm(node_env env, node_call call) {
    (void)env, (void)call;
    pthread_mutex_lock(&watch.lock);
    watch.armed = watch.isolate && follow_node();
    if (watch.armed)
        uv_ref(turn);
    pthread_mutex_unlock(&watch.lock);
    return NULL;
}

static node_value watch_asked(node_env env, node_call call) {
    (void)call;
    node_value ret = NULL;
    napi_get_boolean(env, watch.interrupted || !watch.armed, &ret);
    return ret;
}

/* JavaScript may have ended before it noticed the request: then we take the request back. */
static node_value watch_disarm(node_env env, node_call call) {
    (void)call;
    node_value ret = NULL;
    pthread_mutex_lock(&watch.lock);
    bool ended = watch.ended;
    if (watch.ending)
        isolate_go_on(watch.isolate);
    watch.armed = watch.ending = watch.ended = false;
    watch.interrupted = false;
    if (watch.isolate)
        uv_unref(turn);
    pthread_mutex_unlock(&watch.lock);
    napi_get_boolean(env, ended, &ret);
    return ret;
}

/* Runs in the event loop, before it looks for events. A loop with nothing left to do ends, and node
 * with it, if V8 runs nothing any more: so we always add one more turn, after which there is
 * none. */
static void on_turn(void *handle) {
    pthread_mutex_lock(&watch.lock);
    if (watch.ending)
        end_or_go_on();
    uv_unref(handle);
    if (watch.armed && uv_loop_alive(loop))
        uv_ref(handle);
    pthread_mutex_unlock(&watch.lock);
}

static bool follow_loop(node_env env) {
    if (napi_get_uv_event_loop(env, &loop) != 0 || uv_prepare_init(loop, turn) < 0 ||
        uv_prepare_start(turn, on_turn) < 0)
        return false;
    uv_unref(turn);
    return true;
}

static bool watch_begin(void) {
    pthread_t thread;
    pthread_attr_t small;
    sigset_t all, before;
    if (!isolate_current || !isolate_terminate || !isolate_go_on ||
        sem_init(&watch.nudged, 0, 0) < 0 || pthread_attr_init(&small) != 0 ||
        pthread_getcpuclockid(pthread_self(), &watch.clock) != 0)
        return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool begun = pthread_attr_setstacksize(&small, STACK) == 0 &&
                 pthread_create(&thread, &small, watch_main, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&small);
    return begun &&
           sigaction(SIGURG,
                     &(struct sigaction){.sa_handler = on_node_nudge, .sa_flags = SA_RESTART},
                     NULL) == 0;
}

static void offer_function(node_env env, node_value exports, const char *name,
                           node_function function) {
    node_value made;
    if (napi_create_function(env, name, (size_t)-1, function, NULL, &made) == 0)
        napi_set_named_property(env, exports, name, made);
}

/* node finds it by its name. */
PUBLIC node_value napi_register_module_v1(node_env env, node_value exports);
node_value napi_register_module_v1(node_env env, node_value exports) {
    if (watch_begin() && follow_loop(env))
        watch.isolate = isolate_current();
    offer_function(env, exports, "arm", watch_arm);
    offer_function(env, exports, "asked", watch_asked);
    offer_function(env, exports, "disarm", watch_disarm);
    return exports;
}
