/* What the ledger costs: intent and outcome of a small cell, and the store against plain write +
 * fsync.
 *
 * bench_ledger DIR [ROUNDS]: DIR is made, and should be on the disk in question; ROUNDS of the
 * store, 10 if not given. Prints one line of JSON. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "ledger/ledger.h"
#include "ledger/store.h"

#define CELLS 4000
#define FILES 12
#define FILE_BYTES (8u << 20)
#define ROUNDS 10

static struct retort_error err;

static void need(int r, const char *what) {
    if (r >= 0)
        return;
    fprintf(stderr, "bench_ledger: %s: %s\n", what, err.message);
    exit(1);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A result as small cells give it: about 1.2 KB of JSON. */
static json_t *result_of(int n) {
    char out[64];
    snprintf(out, sizeof out, "%d\n", n);
    json_t *layers = json_pack("[s,s,s,s,s,s,s,s,s,s,s]", "user", "mount", "pid", "net", "ipc",
                               "uts", "cgroup", "seccomp", "landlock", "caps", "uid");
    return json_pack(
        "{s:s, s:s, s:i, s:s, s:n, s:n, s:[], s:s, s:s, s:{}, s:{s:s}, s:[], s:n, s:[], s:[],"
        " s:[], s:[{s:s, s:s, s:s}], s:{s:f, s:f, s:f, s:i}, s:s, s:n, s:[],"
        " s:{s:s, s:o, s:[]}}",
        "schema", "retort.result/1", "session", "s_bench", "cell", n, "status", "ok", "exit_code",
        "signal", "flags", "stdout", out, "stderr", "", "truncated", "value", "text/plain", out,
        "displays", "error", "files", "plots", "dataframes", "variables", "name", "x", "type",
        "int", "change", "new", "resources", "wall_ms", 0.41, "cpu_ms", 0.22, "peak_memory_mb",
        71.25, "processes", 1, "state", "kept", "state_via", "state_notes", "isolation", "tier",
        "process", "layers", layers, "missing");
}

static double one_cell(struct ledger *l, int n) {
    char code[64], text[HASH_TEXT_SIZE];
    struct hash h;
    json_t *result = result_of(n);
    snprintf(code, sizeof code, "x = %d; print(x)", n);
    uint64_t start = now_ns();
    need(store_put(l, code, strlen(code), &h, &err), "store_put");
    hash_text(&h, text);
    json_t *intent = json_pack("{s:i, s:{s:s}}", "cell", n, "blobs", "code", text);
    need(ledger_append(l, "s_bench", LEDGER_CELL_INTENT, intent, NULL, &err), "intent");
    json_decref(intent);
    need(ledger_outcome(l, "s_bench", result, NULL, NULL, &err), "outcome");
    double ms = (double)(now_ns() - start) / 1e6;
    json_decref(result);
    return ms;
}

/* Data that is new in every round, so that nothing is there already. */
static void fill(char *data, unsigned round, unsigned file) {
    uint64_t x = 88172645463325252ull + round * 1000003ull + file;
    for (size_t i = 0; i + 8 <= FILE_BYTES; i += 8) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        memcpy(data + i, &x, 8);
    }
}

/* Its files stay, as those of the store do: memory that was just freed takes the next file faster.
 */
static double plain(const char *dir, unsigned round, char *const *data) {
    char path[4096];
    uint64_t start = now_ns();
    for (unsigned i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "%s/plain-%u-%u", dir, round, i);
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        need(fd, "open");
        need(write_all(fd, data[i], FILE_BYTES), "write");
        need(fsync(fd), "fsync");
        close(fd);
    }
    return (double)(now_ns() - start) / 1e9;
}

static double store(struct ledger *l, char *const *data) {
    struct hash h;
    uint64_t start = now_ns();
    for (unsigned i = 0; i < FILES; i++)
        need(store_put(l, data[i], FILE_BYTES, &h, &err), "store_put");
    need(ledger_sync(l, &err), "ledger_sync");
    return (double)(now_ns() - start) / 1e9;
}

static double median(double *values, unsigned n) {
    qsort(values, n, sizeof *values, compare);
    return n ? (values[(n - 1) / 2] + values[n / 2]) / 2 : 0;
}

/* In turns, because disks with a burst allowance favour whoever comes first. */
static void rounds(struct ledger *l, const char *dir, unsigned count, double *ratio,
                   double *speed) {
    char *data[FILES];
    for (unsigned i = 0; i < FILES; i++)
        data[i] = malloc(FILE_BYTES);
    for (unsigned r = 0; r < count; r++) {
        for (unsigned i = 0; i < FILES; i++)
            fill(data[i], r, i);
        double first = r % 2 ? store(l, data) : plain(dir, r, data);
        double second = r % 2 ? plain(dir, r, data) : store(l, data);
        ratio[r] = r % 2 ? second / first : first / second;
        speed[r] = FILES * (FILE_BYTES / 1e6) / (r % 2 ? first : second);
    }
    for (unsigned i = 0; i < FILES; i++)
        free(data[i]);
}

int main(int argc, char **argv) {
    struct ledger *l;
    static double cell[CELLS], ratio[ROUNDS], speed[ROUNDS];
    unsigned count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : ROUNDS;
    if (argc < 2 || argc > 3 || count > ROUNDS) {
        fprintf(stderr, "usage: bench_ledger DIR [ROUNDS]\n");
        return 2;
    }
    need(ledger_open(argv[1], NULL, &l, &err), "ledger_open");
    json_t *body = json_object();
    need(ledger_begin(l, "s_bench", NULL, body, NULL, &err), "ledger_begin");
    json_decref(body);
    for (int i = 0; i < CELLS; i++)
        cell[i] = one_cell(l, i);
    double middle = median(cell, CELLS); /* which sorts them */
    rounds(l, argv[1], count, ratio, speed);
    printf("{\"cell_ms_median\": %.4f, \"cell_ms_p99\": %.4f, \"store_mb_s\": %.0f,"
           " \"store_to_plain\": %.2f}\n",
           middle, cell[CELLS * 99 / 100], median(speed, count), median(ratio, count));
    ledger_close(l);
    return 0;
}
