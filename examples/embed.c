/* A program that runs Python in sealed sessions.
 *
 *     cc embed.c -o embed -lretort -lpthread && ./embed
 *
 * One session keeps its state from cell to cell, streams what it prints, is interrupted from
 * another thread, and takes and gives files. When the library is not installed, RETORT_LIBEXEC
 * names the directory of its programs.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <retort.h>

struct watch {
    struct retort_session *session;
    pthread_mutex_t lock;
    pthread_cond_t heard;
    int started;
};

static void die(const char *what, const struct retort_error *error) {
    fprintf(stderr, "%s: %s\n", what, error->message);
    exit(1);
}

/* Called by the thread that executes the cell, while it runs. */
static void on_output(void *user, enum retort_stream stream, const char *text, size_t len,
                      uint64_t time_ns) {
    struct watch *watch = user;
    (void)time_ns;
    fprintf(stream == RETORT_STDOUT ? stdout : stderr, "%.*s", (int)len, text);
    pthread_mutex_lock(&watch->lock);
    watch->started = 1;
    pthread_cond_signal(&watch->heard);
    pthread_mutex_unlock(&watch->lock);
}

static void *interrupt(void *user) {
    struct watch *watch = user;
    pthread_mutex_lock(&watch->lock);
    while (!watch->started)
        pthread_cond_wait(&watch->heard, &watch->lock);
    pthread_mutex_unlock(&watch->lock);
    retort_interrupt(watch->session);
    return NULL;
}

static void run(struct watch *watch, const char *code) {
    struct retort_callbacks callbacks = {.user = watch, .output = on_output};
    struct retort_execute_options options = {.limits = {.timeout = 10}, .callbacks = &callbacks};
    struct retort_result *result;
    struct retort_error error;
    if (retort_execute(watch->session, code, strlen(code), &options, &result, &error) < 0)
        die("execute", &error);
    printf("[%s]\n", retort_result_status(result));
    retort_result_free(result);
}

static void show_file(struct retort_session *session, const char *path) {
    struct retort_error error;
    char *data;
    size_t len;
    uint64_t size;
    if (retort_file_read(session, path, 0, 4096, &data, &len, &size, &error) < 0)
        die("read", &error);
    printf("%s has %llu bytes: %.*s\n", path, (unsigned long long)size, (int)len, data);
    retort_free(data);
}

int main(void) {
    struct retort_engine_options options = {.pool = 1, .no_state = true};
    struct watch watch = {.lock = PTHREAD_MUTEX_INITIALIZER, .heard = PTHREAD_COND_INITIALIZER};
    struct retort_engine *engine;
    struct retort_error error;
    pthread_t thread;

    if (retort_open(&options, &engine, &error) < 0)
        die("open", &error);
    if (retort_session_new(engine, NULL, &watch.session, &error) < 0)
        die("session", &error);

    if (retort_file_write(watch.session, "in.txt", 0, "3 4 5", 5, true, &error) < 0)
        die("write", &error);
    run(&watch,
        "numbers = [int(n) for n in open('in.txt').read().split()]\nprint('read', numbers)");
    run(&watch, "open('out.txt', 'w').write(str(sum(numbers)))");
    show_file(watch.session, "out.txt");

    watch.started = 0;
    if (pthread_create(&thread, NULL, interrupt, &watch) != 0)
        return 1;
    run(&watch, "print('looping', flush=True)\nwhile True: pass");
    pthread_join(thread, NULL);
    run(&watch, "import os\nos._exit(1)");
    run(&watch, "print('still there:', numbers)");

    retort_session_close(watch.session);
    retort_close(engine);
    return 0;
}
