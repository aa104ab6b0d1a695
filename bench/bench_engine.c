/* Measures the engine through its public C interface. Sessions are recorded only where it says so:
 * what the ledger costs is measured apart. `bench_engine N` has N supervisors. One request a line
 * (server.h):
 *
 *   fresh bare|pandas N           a new session and its first result; the pool had time to fill
 *   fresh DIR N                   the same in an environment with the packages in DIR
 *   warm N US                     cells `1+1` in one session, US microseconds apart
 *   sql N                         the ten largest of 100,000 rows, in SQL, in one session
 *   first javascript N            a new session in JavaScript and its first result; as above
 *   beside NAME N                 the first cell of another language in a new session for Python
 *   again NAME N                  small cells of another language in one session
 *   stream MB                     one cell that prints MB megabytes
 *   interrupt N                   from the interrupt to the result
 *   rollback|undo|branch MB N     at MB megabytes of resident memory
 *   rate bare|pandas MS THREADS   milliseconds per session, begun and ended one after the other
 *   begin bare|pandas MS THREADS  the same without a cell: the interpreter has answered, no more
 *   cells MS THREADS              milliseconds per cell `1+1`, of threads with a session each
 *   noted MS THREADS              the same, each cell in the ledger: commits of a group are one fsync
 *   … MS THREADS timed            these four, then median and 99th percentile of one in its thread
 *   memory fresh|describe N       MiB of proportional memory per additional idle session
 *   live N [fresh|bare]           has N sessions live from now on, of which each has run a cell, or none;
 *                                 bare: none, and as those that `begin bare` begins
 *   crowd N US                    cells in live sessions chosen at random, US microseconds apart
 *   replay N                      per cell: running N recorded cells, then replaying them from
 *                                 the ledger
 *   check N                       an answer of 2,000 words with 200 numbers against 100 cells that have
 *                                 shown 100,000: the first time, then N times, each after one more cell
 */
#include <ctype.h>
#include <dirent.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "bench/server.h"
#include "retort.h"

#define POOL 4
#define MAX_LIVE 5000
#define MAX_THREADS 64
#define REFILL_US 40000 /* the pool makes one session at a time, in 5 to 10 ms */
#define NODE_REFILL_US 600000
#define SETTLE_US 60000 /* a checkpoint is taken after 5 ms of idleness */

static const char print_one[] = "print(1)";
static const char describe[] =
    "import pandas as pd\n"
    "df = pd.DataFrame({'a': range(100), 'b': [x * 0.5 for x in range(100)]})\n"
    "print(df.describe())";

static struct retort_engine *engine;
static struct retort_session *live[MAX_LIVE], *warm[2]; /* not recorded, recorded */
static unsigned nlive;

static void die(const char *what, const struct retort_error *error) {
    fprintf(stderr, "bench_engine: %s: %s\n", what, error->message);
    exit(1);
}

static struct retort_session *begin_with(const struct retort_session_options *o) {
    struct retort_session *s;
    struct retort_error error;
    if (retort_session_new(engine, o, &s, &error) < 0)
        die("retort_session_new", &error);
    return s;
}

static struct retort_session *begin_as(const char *preload, uint64_t memory, bool recorded) {
    struct retort_session_options o = {
        .preload = preload, .limits.memory = memory, .no_record = !recorded};
    return begin_with(&o);
}

static struct retort_session *begin(const char *preload, uint64_t memory) {
    return begin_as(preload, memory, false);
}

/* `wanted` is the status that the measure needs in order to mean anything. */
static void run(struct retort_session *s, const char *code, const char *wanted) {
    struct retort_result *result;
    struct retort_error error;
    if (retort_execute(s, code, strlen(code), NULL, &result, &error) < 0)
        die(code, &error);
    if (strcmp(retort_result_status(result), wanted) != 0) {
        fprintf(stderr, "bench_engine: %s: %s\n", code, retort_result_json(result, NULL));
        exit(1);
    }
    retort_result_free(result);
}

static bool is_pandas(const char *word) {
    return strcmp(word, "pandas") == 0;
}

static void fresh(char **words) {
    bool pandas = is_pandas(words[1]);
    for (long i = number(words[2], 1); i > 0; i--) {
        double start = now_ms();
        struct retort_session_options o = {.preload = pandas ? NULL : "",
                                           .packages = words[1][0] == '/' ? words[1] : NULL,
                                           .no_record = true};
        struct retort_session *s = begin_with(&o);
        run(s, pandas ? describe : print_one, "ok");
        sample(now_ms() - start);
        retort_session_close(s);
        pause_us(REFILL_US);
    }
}

static void cells(struct retort_session *const *among, unsigned count, long n, long us) {
    while (n-- > 0) {
        pause_us(us);
        struct retort_session *s = among[(unsigned)rand() % count];
        double start = now_ms();
        run(s, "1+1", "ok");
        sample(now_ms() - start);
    }
}

static void warm_cells(char **words) {
    int recorded = strcmp(words[0], "recorded") == 0;
    struct retort_session **s = &warm[recorded];
    if (!*s) {
        *s = begin_as(NULL, 0, recorded);
        for (int i = 0; i < 20; i++)
            run(*s, "1+1", "ok");
    }
    cells(s, 1, number(words[1], 1), number(words[2], 0));
}

/* The table and the question of bench/sqlite.py. */
static void sql_cells(char **words) {
    static struct retort_session *s;
    if (!s) {
        s = begin(NULL, 0);
        run(s,
            "%%sql\nCREATE TABLE t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM "
            "n "
            "WHERE i < 100000) SELECT i AS id, i * 7919 % 100003 AS amount, 'name ' || i AS name "
            "FROM n",
            "ok");
    }
    for (long n = number(words[1], 1); n > 0; n--) {
        double start = now_ms();
        run(s, "%%sql\nSELECT * FROM t ORDER BY amount DESC LIMIT 10", "ok");
        sample(now_ms() - start);
    }
}

/* The smallest cell of a language. */
static const char *small_cell(const char *language) {
    return strcmp(language, "bash") == 0 ? "%%bash\ntrue" : "%%javascript\n1+1";
}

static struct retort_session *begin_in(const char *language) {
    struct retort_session_options o = {.language = language, .no_record = true};
    struct retort_session *s;
    struct retort_error error;
    if (retort_session_new(engine, &o, &s, &error) < 0)
        die("retort_session_new", &error);
    return s;
}

static void first_cells(char **words) {
    for (long i = number(words[2], 1); i > 0; i--) {
        double start = now_ms();
        struct retort_session *s = begin_in("javascript");
        run(s, "1+1", "ok");
        sample(now_ms() - start);
        retort_session_close(s);
        pause_us(NODE_REFILL_US);
    }
}

static void beside_cells(char **words) {
    for (long i = number(words[2], 1); i > 0; i--) {
        struct retort_session *s = begin("", 0);
        double start = now_ms();
        run(s, small_cell(words[1]), "ok");
        sample(now_ms() - start);
        retort_session_close(s);
        pause_us(REFILL_US);
    }
}

static void again_cells(char **words) {
    struct retort_session *s = begin("", 0);
    for (int i = 0; i < 20; i++)
        run(s, small_cell(words[1]), "ok");
    for (long i = number(words[2], 1); i > 0; i--) {
        double start = now_ms();
        run(s, small_cell(words[1]), "ok");
        sample(now_ms() - start);
    }
    retort_session_close(s);
}

static void stream(char **words) {
    char code[120];
    long mb = number(words[1], 8);
    snprintf(code, sizeof code, "for _ in range(%ld): print('x' * 999)", mb * 1000);
    struct retort_session *s = begin("", 0);
    run(s, print_one, "ok");
    double start = now_ms();
    run(s, code, "ok");
    sample(now_ms() - start);
    retort_session_close(s);
}

static double interrupted_at;

static void *interrupter(void *session) {
    pause_us(30000);
    interrupted_at = now_ms();
    retort_interrupt(session);
    return NULL;
}

static void interrupt(char **words) {
    struct retort_session *s = begin("", 0);
    run(s, print_one, "ok");
    for (long i = number(words[1], 1); i > 0; i--) {
        pthread_t thread;
        pthread_create(&thread, NULL, interrupter, s);
        run(s, "while True: pass", "interrupted");
        sample(now_ms() - interrupted_at);
        pthread_join(thread, NULL);
    }
    retort_session_close(s);
}

/* --- state --- */

#define LOADED_MB 90 /* resident with numpy, pandas and matplotlib */

static struct retort_session *grown(long mb) {
    char code[120];
    struct retort_session *s = begin(NULL, (uint64_t)(mb + 512) << 20);
    snprintf(code, sizeof code, "data = b'x' * (%ld << 20)", mb > LOADED_MB ? mb - LOADED_MB : 0);
    run(s, code, "ok");
    pause_us(SETTLE_US + mb * 100);
    return s;
}

static void rollback(char **words) {
    long mb = number(words[1], LOADED_MB);
    struct retort_session *s = grown(mb);
    for (long i = number(words[2], 1); i > 0; i--) {
        double start = now_ms();
        run(s, "import os; os._exit(3)", "exit");
        sample(now_ms() - start);
        run(s, "len(data)", "ok"); /* and so that another checkpoint is due */
        pause_us(SETTLE_US + mb * 100);
    }
    retort_session_close(s);
}

static void undo(char **words) {
    long mb = number(words[1], LOADED_MB);
    struct retort_session *s = grown(mb);
    for (long i = number(words[2], 1); i > 0; i--) {
        struct retort_error error;
        char *json;
        run(s, "y = 1", "ok");
        double start = now_ms();
        if (retort_undo(s, 1, &json, &error) < 0)
            die("retort_undo", &error);
        sample(now_ms() - start);
        retort_free(json);
        run(s, "z = 1", "ok");
        pause_us(SETTLE_US + mb * 100);
    }
    retort_session_close(s);
}

#define BRANCHES 8

static void branch(char **words) {
    struct retort_session *s = grown(number(words[1], LOADED_MB));
    for (long i = number(words[2], 1); i > 0; i--) {
        struct retort_error error;
        struct retort_session *others[BRANCHES];
        double start = now_ms();
        if (retort_branch(s, BRANCHES, others, &error) < 0)
            die("retort_branch", &error);
        for (int b = 0; b < BRANCHES; b++)
            run(others[b], "1+1", "ok");
        sample((now_ms() - start) / BRANCHES);
        for (int b = 0; b < BRANCHES; b++)
            retort_session_close(others[b]);
        pause_us(REFILL_US);
    }
    retort_session_close(s);
}

/* --- many --- */

struct rate {
    pthread_t thread;
    struct retort_session *session; /* of a thread that runs cells in one */
    const char *preload;
    bool cell;
    double until;
    unsigned done;
    float *took; /* milliseconds of each, in the order in which they were done; or NULL */
};

#define MOST_TIMES (1u << 16) /* of one thread; the rest is only counted */

static void rate_count(struct rate *r, double start) {
    if (r->took && r->done < MOST_TIMES)
        r->took[r->done] = (float)(now_ms() - start);
    r->done++;
}

/* A session may be had before its interpreter is up: to complete nothing takes one that answers. */
static void await_ready(struct retort_session *s) {
    struct retort_error error;
    char *json;
    if (retort_complete(s, "", 0, &json, &error) < 0)
        die("retort_complete", &error);
    retort_free(json);
}

static void *cells_thread(void *argument) {
    struct rate *r = argument;
    for (double start; (start = now_ms()) < r->until; rate_count(r, start))
        run(r->session, "1+1", "ok");
    return NULL;
}

static void *rate_thread(void *argument) {
    struct rate *r = argument;
    for (double start; (start = now_ms()) < r->until; rate_count(r, start)) {
        struct retort_session *s = begin(r->preload, 0);
        if (r->cell)
            run(s, print_one, "ok");
        else
            await_ready(s);
        retort_session_close(s);
    }
    return NULL;
}

static int by_size(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Median and 99th percentile of all that were timed. */
static void percentiles(struct rate *threads, long count) {
    float *all = malloc((size_t)count * MOST_TIMES * sizeof *all);
    size_t n = 0;
    for (long i = 0; all && i < count; i++) {
        size_t own = threads[i].done < MOST_TIMES ? threads[i].done : MOST_TIMES;
        memcpy(all + n, threads[i].took, own * sizeof *all);
        n += own;
    }
    if (n) {
        qsort(all, n, sizeof *all, by_size);
        sample(all[n / 2]);
        sample(all[n * 99 / 100]);
    }
    free(all);
}

/* What threads with this work have done in this time. */
static void together(struct rate *threads, long count, void *(*main)(void *), char **words) {
    bool timed = strcmp(words[2], "timed") == 0;
    long ms = number(words[0], 1000);
    double start = now_ms();
    unsigned done = 0;
    for (long i = 0; i < count; i++) {
        threads[i].took = timed ? malloc(MOST_TIMES * sizeof *threads[i].took) : NULL;
        threads[i].until = start + (double)ms;
        pthread_create(&threads[i].thread, NULL, main, &threads[i]);
    }
    for (long i = 0; i < count; i++) {
        pthread_join(threads[i].thread, NULL);
        done += threads[i].done;
    }
    sample((now_ms() - start) / done);
    if (timed)
        percentiles(threads, count);
    for (long i = 0; i < count; i++)
        free(threads[i].took);
}

static long threads_of(const char *word) {
    long count = number(word, 1);
    return count > MAX_THREADS ? MAX_THREADS : count;
}

static void rate(char **words) {
    struct rate threads[MAX_THREADS];
    long count = threads_of(words[3]);
    for (long i = 0; i < count; i++)
        threads[i] = (struct rate){.preload = is_pandas(words[1]) ? NULL : "",
                                   .cell = strcmp(words[0], "rate") == 0};
    together(threads, count, rate_thread, words + 2);
}

static void many_cells(char **words) {
    struct rate threads[MAX_THREADS];
    long count = threads_of(words[2]);
    for (long i = 0; i < count; i++) {
        threads[i] = (struct rate){.session = begin_as("", 0, strcmp(words[0], "noted") == 0)};
        run(threads[i].session, "1+1", "ok");
    }
    together(threads, count, cells_thread, words + 1);
    for (long i = 0; i < count; i++)
        retort_session_close(threads[i].session);
}

static void have_live(unsigned n, const char *how) {
    bool bare = strcmp(how, "bare") == 0;
    while (nlive < n && nlive < MAX_LIVE) {
        live[nlive++] = begin(bare ? "" : NULL, 0);
        if (!bare && strcmp(how, "fresh") != 0)
            run(live[nlive - 1], "1+1", "ok");
    }
    while (nlive > n)
        retort_session_close(live[--nlive]);
}

static void keep_live(char **words) {
    have_live((unsigned)number(words[1], 1), words[2]);
    pause_us(SETTLE_US);
    sample(nlive);
}

static void crowd(char **words) {
    have_live(nlive ? nlive : 1, "");
    cells(live, nlive, number(words[1], 1), number(words[2], 0));
}

static void replay(char **words) {
    struct retort_session *s = begin_as("", 0, true);
    struct retort_error error;
    long n = number(words[1], 50);
    char code[64], *json, *id = strdup(retort_session_id(s));
    bool equal;
    double start = now_ms();
    for (long i = 0; i < n; i++) {
        snprintf(code, sizeof code, "x = %ld; print(x)", i);
        run(s, code, "ok");
    }
    sample((now_ms() - start) / (double)n);
    retort_session_close(s);
    start = now_ms();
    if (retort_replay(engine, id, NULL, NULL, &equal, &json, &error) < 0 || !equal)
        die("retort_replay", &error);
    sample((now_ms() - start) / (double)n);
    retort_free(json);
    free(id);
}

/* --- checks of answers --- */

#define CHECK_CELLS 100
#define CHECK_QUOTED 2 /* numbers of each cell that the answer has */

/* A thousand numbers: of tables most, the rest in lines that say what they are. */
static void show_numbers(struct retort_session *s, unsigned n, char *answer, size_t size) {
    static const char code[] =
        "import random\n"
        "rows = [(f'{kind}_{i}', *(random.uniform(10, 99999) for _ in range(4)))\n"
        "        for i in range(45) for kind in ('north', 'south', 'east', 'west', 'centre')]\n"
        "print(f\"{'store':12s}{'sales':>10s}{'cost':>10s}{'margin':>10s}{'visits':>10s}\")\n"
        "for row in rows:\n"
        "    print(f'{row[0]:12s}' + ''.join(f'{x:10.2f}' for x in row[1:]))\n"
        "def name(i): return 'ABCDEFGHIJ'[i // 100] + 'aeioubrstl'[i // 10 % 10] + 'nopqmdfghk'[i "
        "% 10] + 'on'\n"
        "for i in range(100):\n"
        "    print(f'mean sales of {name(i)} in {name(week)}: {random.uniform(10, 99999):.2f}')\n";
    char text[sizeof code + 32];
    struct retort_result *result;
    struct retort_error error;
    snprintf(text, sizeof text, "week = %u\n%s", n, code);
    if (retort_execute(s, text, strlen(text), NULL, &result, &error) < 0)
        die("show_numbers", &error);
    const char *at = retort_result_json(result, NULL);
    for (unsigned i = 0; i < CHECK_QUOTED && answer && (at = strstr(at, "mean sales of")); i++) {
        size_t len = strlen(answer);
        int line = (int)(strstr(at, "\\n") - at);
        snprintf(answer + len, size - len, "As far as we know the %.*s.\n", line, at);
        at += line;
    }
    retort_result_free(result);
}

static void check(char **words) {
    static char answer[64 << 10];
    struct retort_session *s = begin_as("", 0, true);
    struct retort_error error;
    char *json;
    answer[0] = 0;
    for (unsigned i = 1; i <= CHECK_CELLS; i++)
        show_numbers(s, i, answer, sizeof answer);
    pause_us(SETTLE_US);
    for (long n = number(words[1], 1); n >= 0; n--) {
        double start = now_ms();
        if (retort_check(engine, retort_session_id(s), NULL, answer, &json, &error) < 0)
            die("retort_check", &error);
        sample(now_ms() - start);
        retort_free(json);
        show_numbers(s, CHECK_CELLS + 1, NULL, 0);
        pause_us(SETTLE_US);
    }
    retort_session_close(s);
}

/* --- memory --- */

static pid_t parent_of(pid_t pid) {
    char path[48], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = 0;
    char *close = strrchr(text, ')');
    return close ? (pid_t)strtol(close + 4, NULL, 10) : 0;
}

static double pss_mib(pid_t pid) {
    char path[48], line[256];
    double kib = 0;
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", pid);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "Pss:", 4) == 0)
            kib = strtod(line + 4, NULL);
    if (f)
        fclose(f);
    return kib / 1024;
}

static bool descends(pid_t pid) {
    for (int depth = 0; pid > 1 && depth < 16; depth++) {
        if (pid == getpid())
            return true;
        pid = parent_of(pid);
    }
    return false;
}

/* Of this process and all below it: what one more session adds, wherever it is accounted. */
static double everything_mib(void) {
    double mib = 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *e; proc && (e = readdir(proc));) {
        pid_t pid = isdigit((unsigned char)e->d_name[0]) ? (pid_t)strtol(e->d_name, NULL, 10) : 0;
        if (pid && descends(pid))
            mib += pss_mib(pid);
    }
    closedir(proc);
    return mib;
}

static void memory(char **words) {
    struct retort_session *s[64];
    long n = number(words[2], 16);
    bool used = strcmp(words[1], "describe") == 0;
    n = n > 64 ? 64 : n;
    for (long i = 0; i < n; i++) {
        if (i == n / 2) {
            pause_us(20 * SETTLE_US);
            sample(-everything_mib());
        }
        s[i] = begin(NULL, 0);
        if (used)
            run(s[i], describe, "ok");
    }
    pause_us(20 * SETTLE_US);
    sample(everything_mib());
    sample((double)(n - n / 2));
    for (long i = 0; i < n; i++)
        retort_session_close(s[i]);
}

int main(int argc, char **argv) {
    static const struct request table[] = {
        {"fresh", fresh},         {"warm", warm_cells},     {"recorded", warm_cells},
        {"stream", stream},       {"interrupt", interrupt}, {"rollback", rollback},
        {"undo", undo},           {"branch", branch},       {"rate", rate},
        {"memory", memory},       {"live", keep_live},      {"crowd", crowd},
        {"replay", replay},       {"begin", rate},          {"sql", sql_cells},
        {"check", check},         {"first", first_cells},   {"again", again_cells},
        {"beside", beside_cells}, {"cells", many_cells},    {"noted", many_cells}};
    struct retort_engine_options o = {.pool = POOL,
                                      .max_sessions = MAX_LIVE + MAX_THREADS,
                                      .supervisors = argc > 1 ? (size_t)number(argv[1], 1) : 1};
    struct retort_error error;
    if (retort_open(&o, &engine, &error) < 0)
        die("retort_open", &error);
    int r = serve_requests(table, sizeof table / sizeof *table);
    have_live(0, "");
    retort_close(engine);
    return r;
}
