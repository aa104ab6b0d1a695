/* A quiet session beside one that does its worst, in one engine. One request a line (server.h):
 *
 *   quiet N US [recorded]    cells `1+1` of the quiet session, US microseconds apart
 *   attack KIND THREADS FILE from now on, as each of THREADS clients, do this with the code in FILE:
 *                            cells, recorded: cells of one session; sessions: the first cell of a
 *                            new one, which is closed; branches: of a session that has run it;
 *                            requests: lists, completions, information of such a session
 *   calm                     ends that; how often it was done
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "bench/server.h"
#include "retort.h"

#define POOL 4
#define CLIENTS 8
#define BRANCHES 4
#define START_MS 20000.0
#define CODE_MAX 65536

struct client {
    pthread_t thread;
    struct retort_session *_Atomic session; /* the one that an interrupt goes to, if any */
};

static struct retort_engine *engine;
static struct retort_session *quiet[2]; /* not recorded, recorded */
static char code[CODE_MAX];
static struct client clients[CLIENTS];
static long nclients;
static atomic_bool over, under_way;
static atomic_long rounds;

static void die(const char *what, const struct retort_error *error) {
    fprintf(stderr, "bench_peers: %s: %s\n", what, error->message);
    exit(1);
}

static struct retort_session *begin(bool recorded) {
    struct retort_session_options o = {.no_record = !recorded};
    struct retort_session *s;
    struct retort_error error;
    if (retort_session_new(engine, &o, &s, &error) < 0)
        die("retort_session_new", &error);
    return s;
}

/* --- the quiet one ------------------------------------------------------------------------------
 */

static void cell(struct retort_session *s) {
    struct retort_result *result;
    struct retort_error error;
    if (retort_execute(s, "1+1", 3, NULL, &result, &error) < 0)
        die("the quiet session", &error);
    if (strcmp(retort_result_status(result), "ok") != 0) {
        fprintf(stderr, "bench_peers: the quiet session: %s\n", retort_result_json(result, NULL));
        exit(1);
    }
    retort_result_free(result);
}

static void quiet_cells(char **words) {
    bool recorded = *words[3];
    struct retort_session **s = &quiet[recorded];
    if (!*s) {
        *s = begin(recorded);
        for (int i = 0; i < 20; i++)
            cell(*s);
    }
    for (long n = number(words[1], 1), us = number(words[2], 0); n > 0; n--) {
        pause_us(us);
        double start = now_ms();
        cell(*s);
        sample(now_ms() - start);
    }
}

/* --- the other one ------------------------------------------------------------------------------
 */

static void heard(void *user, enum retort_stream stream, const char *text, size_t len,
                  uint64_t time_ns) {
    (void)user, (void)stream, (void)text, (void)len, (void)time_ns;
    under_way = true;
}

static char *answer(void *user, const char *name, const char *arguments, char **ret_failure) {
    (void)user, (void)name, (void)arguments, (void)ret_failure;
    under_way = true;
    return strdup("1");
}

/* Whatever comes of it: it may die, break the protocol, or end its session. False: there is no
 * going on. */
static bool attack_cell(struct retort_session *s) {
    static const struct retort_callbacks callbacks = {.output = heard, .tool = answer};
    struct retort_execute_options o = {.callbacks = &callbacks};
    struct retort_result *result;
    struct retort_error error;
    if (retort_execute(s, code, strlen(code), &o, &result, &error) < 0)
        return false;
    bool lost = strcmp(retort_result_status(result), "lost") == 0;
    retort_result_free(result);
    return !lost;
}

static void by_cells(struct client *c, bool recorded) {
    static const char tools[] =
        "[{\"name\": \"one\", \"description\": \"1\", \"parameters\": {\"type\": \"object\"}}]";
    c->session = begin(recorded);
    retort_tools(c->session, tools, NULL);
    for (bool alive = true; !over && alive; rounds++)
        alive = attack_cell(c->session);
}

static void by_sessions(struct client *c) {
    for (; !over; rounds++) {
        struct retort_session *s = begin(false);
        attack_cell(s);
        retort_session_close(s);
        under_way = true;
    }
    (void)c;
}

static void by_branches(struct client *c) {
    struct retort_session *others[BRANCHES];
    struct retort_error error;
    c->session = begin(false);
    attack_cell(c->session);
    for (; !over && retort_branch(c->session, BRANCHES, others, &error) == 0; rounds++) {
        for (int i = 0; i < BRANCHES; i++) {
            attack_cell(others[i]);
            retort_session_close(others[i]);
        }
        under_way = true;
    }
}

static void by_requests(struct client *c) {
    struct retort_error error;
    c->session = begin(false);
    attack_cell(c->session);
    for (; !over; rounds++) {
        char *json = NULL;
        if (retort_file_list(c->session, &json, &error) >= 0)
            retort_free(json);
        if (retort_complete(c->session, "os.pa", 5, &json, &error) >= 0)
            retort_free(json);
        retort_free(retort_session_info(c->session));
        under_way = true;
    }
}

static char kind[32];

static void *attacker(void *argument) {
    struct client *c = argument;
    if (strcmp(kind, "sessions") == 0)
        by_sessions(c);
    else if (strcmp(kind, "branches") == 0)
        by_branches(c);
    else if (strcmp(kind, "requests") == 0)
        by_requests(c);
    else
        by_cells(c, strcmp(kind, "recorded") == 0);
    return NULL;
}

static bool read_code(const char *path) {
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    code[fread(code, 1, sizeof code - 1, f)] = 0;
    fclose(f);
    return true;
}

static void attack(char **words) {
    over = under_way = false;
    rounds = 0;
    snprintf(kind, sizeof kind, "%s", words[1]);
    nclients = number(words[2], 1) < CLIENTS ? number(words[2], 1) : CLIENTS;
    if (!read_code(words[3])) {
        printf("error: cannot read %s", words[3]);
        return;
    }
    for (long i = 0; i < nclients; i++) {
        clients[i] = (struct client){0};
        pthread_create(&clients[i].thread, NULL, attacker, &clients[i]);
    }
    for (double start = now_ms(); !under_way && now_ms() - start < START_MS;)
        pause_us(1000);
    if (under_way)
        sample(1);
    else
        printf("error: the attack does not begin");
}

/* An interrupt that comes between two cells is forgotten: it is sent until it has been heard. */
static void calm(char **words) {
    (void)words;
    over = true;
    for (long i = 0; i < nclients; i++) {
        struct timespec t = {0};
        do {
            if (clients[i].session)
                retort_interrupt(clients[i].session);
            clock_gettime(CLOCK_REALTIME, &t);
            t.tv_sec += 1;
        } while (pthread_timedjoin_np(clients[i].thread, NULL, &t) != 0);
        retort_session_close(clients[i].session);
    }
    nclients = 0;
    sample((double)rounds);
}

int main(void) {
    static const struct request table[] = {
        {"quiet", quiet_cells}, {"attack", attack}, {"calm", calm}};
    struct retort_engine_options o = {.pool = POOL};
    struct retort_error error;
    if (retort_open(&o, &engine, &error) < 0)
        die("retort_open", &error);
    int r = serve_requests(table, sizeof table / sizeof *table);
    retort_close(engine);
    return r;
}
