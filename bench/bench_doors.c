/* Round trips of `1+1` through the doors, as a client sees them that costs nothing itself.
 *
 *   bench_doors http PORT       JSON-RPC over HTTP, on one connection that is kept
 *   bench_doors mcp PROGRAM     MCP over the standard input and output of `PROGRAM mcp`
 *   bench_doors rpc PROGRAM     JSON-RPC over those of `PROGRAM rpc`
 *
 * One request a line (server.h): cells N US.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/unconst.h"
#include "bench/server.h"

static int to = -1, from = -1;
static char reply[1 << 20], session[80];
static void (*ask)(const char *body);
static size_t len;

static _Noreturn void die(const char *what) {
    fprintf(stderr, "bench_doors: %s: %.300s\n", what, reply);
    exit(1);
}

static void put(const char *text) {
    size_t n = strlen(text);
    if (write(to, text, n) != (ssize_t)n)
        die("cannot write");
}

/* Reads until the reply, which begins at the buffer's start, is whole. */
static void get(bool (*whole)(void)) {
    len = 0;
    do {
        ssize_t n = read(from, reply + len, sizeof reply - 1 - len);
        if (n <= 0)
            die("the server hung up");
        len += (size_t)n;
        reply[len] = 0;
    } while (!whole());
}

static bool http_whole(void) {
    const char *end = strstr(reply, "\r\n\r\n");
    const char *length = end ? strcasestr(reply, "Content-Length:") : NULL;
    return length && len >= (size_t)(end + 4 - reply) + strtoul(length + 15, NULL, 10);
}

static void http(const char *body) {
    char text[2048];
    snprintf(text, sizeof text,
             "POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
             "Content-Length: %zu\r\n\r\n%s",
             strlen(body), body);
    put(text);
    get(http_whole);
}

static bool line_whole(void) {
    return len && reply[len - 1] == '\n' && strstr(reply, "\"id\":7");
}

static void line(const char *body) {
    put(body);
    put("\n");
    get(line_whole);
}

static void http_open(const char *port) {
    int on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)strtoul(port, NULL, 10)),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    to = from = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(to, (struct sockaddr *)&address, sizeof address) < 0)
        die("cannot connect");
    setsockopt(to, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ask = http;
}

static void create_session(void) {
    ask("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"session.create\",\"params\":{}}");
    const char *found = strstr(reply, "\"session\":\"");
    if (!found || sscanf(found + 11, "%79[^\"]", session) != 1)
        die("no session");
}

static void pipes_open(const char *program, const char *door) {
    extern char **environ;
    int in[2], out[2];
    pid_t pid;
    char *argv[] = {unconst(program), unconst(door), NULL};
    posix_spawn_file_actions_t actions;
    if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0)
        die("cannot make pipes");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    if (posix_spawn(&pid, program, &actions, NULL, argv, environ) != 0)
        die("cannot start the server");
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    to = in[1];
    from = out[0];
    ask = line;
}

static void mcp_begin(void) {
    line("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
         "\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}"
         "}");
    put("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
}

static void cell(void) {
    char body[400];
    if (session[0]) {
        snprintf(body, sizeof body,
                 "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"session.execute\",\"params\":"
                 "{\"session\":\"%s\",\"code\":\"1+1\"}}",
                 session);
        ask(body);
    } else
        line("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":"
             "\"run_code\",\"arguments\":{\"code\":\"1+1\"}}}");
    if (!strstr(reply, session[0] ? "\"status\":\"ok\"" : "\"text\":\"2\""))
        die("the cell failed");
}

static void cells(char **words) {
    for (long n = number(words[1], 1); n > 0; n--) {
        pause_us(number(words[2], 0));
        double start = now_ms();
        cell();
        sample(now_ms() - start);
    }
}

int main(int argc, char **argv) {
    static const struct request table[] = {{"cells", cells}};
    if (argc != 3) {
        fprintf(stderr, "usage: bench_doors http PORT | mcp PROGRAM | rpc PROGRAM\n");
        return 2;
    }
    if (strcmp(argv[1], "http") == 0)
        http_open(argv[2]);
    else
        pipes_open(argv[2], argv[1]);
    if (strcmp(argv[1], "mcp") == 0)
        mcp_begin();
    else
        create_session();
    for (int i = 0; i < 20; i++)
        cell();
    return serve_requests(table, 1);
}
