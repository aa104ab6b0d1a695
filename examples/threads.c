/* Sessions in the threads of one program: each thread has a session of its own, all share one
 * engine.
 *
 *     cc threads.c -o threads -lretort -lpthread && ./threads
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <retort.h>

enum { THREADS = 4, CELLS = 10 };

struct job {
    struct retort_engine *engine;
    int number, failed;
};

static int run(struct retort_session *session, const char *code) {
    struct retort_result *result;
    if (retort_execute(session, code, strlen(code), NULL, &result, NULL) < 0)
        return -1;
    int ok = strcmp(retort_result_status(result), "ok") == 0;
    retort_result_free(result);
    return ok ? 0 : -1;
}

static void *work(void *user) {
    struct job *job = user;
    struct retort_session *session;
    char code[128];
    if (retort_session_new(job->engine, NULL, &session, NULL) < 0) {
        job->failed = 1;
        return NULL;
    }
    snprintf(code, sizeof code, "total = %d", job->number);
    job->failed = run(session, code) < 0;
    for (int i = 0; i < CELLS && !job->failed; i++)
        job->failed = run(session, "total += 1") < 0;
    snprintf(code, sizeof code, "assert total == %d", job->number + CELLS);
    job->failed = job->failed || run(session, code) < 0;
    retort_session_close(session);
    return NULL;
}

int main(void) {
    struct retort_engine_options options = {.pool = THREADS, .no_state = true};
    struct retort_engine *engine;
    struct retort_error error;
    struct job jobs[THREADS];
    pthread_t threads[THREADS];
    int failed = 0;

    if (retort_open(&options, &engine, &error) < 0) {
        fprintf(stderr, "open: %s\n", error.message);
        return 1;
    }
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (struct job){.engine = engine, .number = 100 * i};
        if (pthread_create(&threads[i], NULL, work, &jobs[i]) != 0)
            return 1;
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        failed += jobs[i].failed;
    }
    printf("%d sessions, %d failed\n", THREADS, failed);
    retort_close(engine);
    return failed ? 1 : 0;
}
