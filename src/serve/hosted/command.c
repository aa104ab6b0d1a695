#include "serve/hosted/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/readall.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "serve/hosted/fault.h"
#include "serve/hosted/json.h"
#include "serve/hosted/tools.h"

#define LOOK_MS 100 /* how often we look whether the call was given up */
#define MAX_COMPLAINT 4096
#define MAX_TOOLS_FILE (1u << 20)

extern char **environ;

/* --- the file --- */

static int check_command(const json_t *tool, size_t i, struct retort_error *error) {
    const json_t *argv = json_object_get(tool, "command"), *word;
    const char *approval = json_string_value(json_object_get(tool, "approval"));
    size_t n;

    if (!json_array_size(argv))
        return err_set(error, ERR_CALLER, EINVAL, "tools[%zu].command must be a list of words", i);
    json_array_foreach(argv, n, word) {
        if (!json_is_string(word) || strlen(json_string_value(word)) != json_string_length(word))
            return err_set(error, ERR_CALLER, EINVAL, "tools[%zu].command must be a list of words",
                           i);
    }
    if (json_object_get(tool, "approval") &&
        (!approval || (strcmp(approval, "ask") != 0 && strcmp(approval, "none") != 0)))
        return err_set(error, ERR_CALLER, EINVAL, "tools[%zu].approval must be ask or none", i);
    return 0;
}

json_t *command_file(const char *path, struct retort_error *error) {
    scoped_fd fd = open(path, O_RDONLY | O_CLOEXEC);
    scoped_buf text = BUF_INIT(MAX_TOOLS_FILE);
    int r = fd < 0 ? -errno : read_all(fd, &text);
    size_t i;
    json_t *tool;

    if (r < 0) {
        err_set(error, ERR_CALLER, -r, "%s", r == -ENOSPC ? "more than a megabyte" : strerror(-r));
        return NULL;
    }
    scoped_json *file = json_in_text(text.data ? text.data : "", 0, NULL);
    if (!json_is_array(json_object_get(file, "tools"))) {
        err_set(error, ERR_CALLER, EINVAL, "no JSON object with a list of tools");
        return NULL;
    }
    if (tools_check(json_object_get(file, "tools"), error) < 0)
        return NULL;
    json_array_foreach(json_object_get(file, "tools"), i, tool) {
        if (check_command(tool, i, error) < 0)
            return NULL;
    }
    return TAKE(file);
}

json_t *command_shown(const json_t *file) {
    json_t *shown = json_deep_copy(file), *tool;
    size_t i;

    json_array_foreach(json_object_get(shown, "tools"), i, tool) {
        json_object_del(tool, "command");
    }
    return shown;
}

/* --- a call --- */

struct command_run {
    pid_t pid;
    int in, out, err;
    struct buf said, complaint;
    const char *left; /* arguments that the command has not read yet */
    size_t nleft;
};

/* Sockets, not pipes: writing to a command that does not read must not raise SIGPIPE in us.
 * pairs[i][1] is the command's end. */
static int command_spawn(struct command_run *run, char *const *argv, int pairs[3][2]) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    int r;

    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int i = 0; i < 3; i++)
        posix_spawn_file_actions_adddup2(&actions, pairs[i][1], i);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    r = posix_spawnp(&run->pid, argv[0], &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return -r;
}

static int command_start(struct command_run *run, const json_t *words) {
    size_t n = json_array_size(words);
    scoped_free char **argv = calloc(n + 1, sizeof *argv);
    int pairs[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}}, r = 0;

    if (!argv)
        r = -ENOMEM;
    else if (n == 0)
        r = -EINVAL; /* command_file() takes no such list */
    for (size_t i = 0; i < n && argv; i++)
        argv[i] = unconst(json_string_value(json_array_get(words, i)));
    for (int i = 0; i < 3 && r == 0; i++)
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pairs[i]) < 0)
            r = -errno;
    if (r == 0)
        r = command_spawn(run, argv, pairs);
    for (int i = 0; i < 3; i++) {
        fd_done(&pairs[i][1]);
        if (r < 0)
            fd_done(&pairs[i][0]);
    }
    run->in = pairs[0][0];
    run->out = pairs[1][0];
    run->err = pairs[2][0];
    return r;
}

static void command_feed(struct command_run *run) {
    ssize_t n = send(run->in, run->left, run->nleft, MSG_NOSIGNAL | MSG_DONTWAIT);

    if (n > 0) {
        run->left += n;
        run->nleft -= (size_t)n;
    }
    if (run->nleft == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        fd_done(&run->in);
}

/* False: the command prints more than it may. */
static bool command_hear(int *fd, struct buf *into, bool cut) {
    char part[16384];
    ssize_t n = recv(*fd, part, sizeof part, MSG_DONTWAIT);

    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        fd_done(fd);
    if (n <= 0 || buf_add(into, part, (size_t)n) == 0)
        return true;
    if (cut) /* the end of standard error says why the command failed */
        buf_reset(into);
    return cut;
}

/* Waits until the command has closed its output; NULL, or why we did not wait on. */
static const char *command_watch(const struct tool_command *command, struct command_run *run) {
    while (run->out >= 0 || run->err >= 0) {
        struct pollfd fds[] = {{run->in, POLLOUT, 0}, {run->out, POLLIN, 0}, {run->err, POLLIN, 0}};

        if (now_ns() >= command->until_ns)
            return "it did not answer in time";
        if (command->cancelled && command->cancelled(command->user))
            return "interrupted";
        if (poll(fds, 3, LOOK_MS) < 0 && errno != EINTR)
            return strerror(errno);
        if (fds[0].revents)
            command_feed(run);
        if (fds[1].revents && !command_hear(&run->out, &run->said, false))
            return "its result is too large";
        if (fds[2].revents)
            command_hear(&run->err, &run->complaint, true);
    }
    return NULL;
}

/* The last line of standard error that is not empty. */
static const char *command_complaint(struct command_run *run, char *text, size_t size) {
    size_t end = run->complaint.len, begin;

    while (end > 0 && strchr(" \t\r\n", run->complaint.data[end - 1]))
        end--;
    for (begin = end; begin > 0 && run->complaint.data[begin - 1] != '\n';)
        begin--;
    snprintf(text, size, "%.*s", (int)(end - begin),
             run->complaint.data ? run->complaint.data + begin : "");
    return text;
}

static char *command_result(const struct buf *said) {
    const char *text = said->data ? said->data : "";
    size_t len = said->len;
    scoped_json *value = strlen(text) == len ? json_in_text(text, JSON_DECODE_ANY, NULL) : NULL;

    while (len > 0 && strchr(" \t\r\n", text[len - 1]))
        len--;
    if (!value)
        value = serve_json_stringn(text, len);
    return value ? serve_json_text(value) : NULL;
}

/* The command has closed its output; it may still run for a moment. */
static const char *command_await(const struct tool_command *command,
                                 const struct command_run *run) {
    siginfo_t ended = {0};

    while (waitid(P_PID, (id_t)run->pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0) {
        if (now_ns() >= command->until_ns)
            return "it did not end in time";
        if (command->cancelled && command->cancelled(command->user))
            return "interrupted";
        poll(NULL, 0, 5);
    }
    return NULL;
}

static char *command_end(const struct tool_command *command, struct command_run *run,
                         char **ret_failure) {
    const char *name = json_string_value(json_array_get(command->argv, 0));
    const char *why = command_watch(command, run);
    char text[512];
    int status = 0;

    fd_done(&run->in);
    fd_done(&run->out);
    fd_done(&run->err);
    if (!why)
        why = command_await(command, run);
    kill(-run->pid, SIGKILL); /* the command, or processes that it left behind */
    while (waitpid(run->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (why)
        return tools_refuse(ret_failure, "%s: %s", name, why);
    if (status != 0) {
        command_complaint(run, text, sizeof text);
        return tools_refuse(ret_failure, "%s: %s", name, text[0] ? text : "the command has failed");
    }
    return command_result(&run->said);
}

char *command_call(const struct tool_command *command, const json_t *arguments,
                   char **ret_failure) {
    scoped_free char *text = serve_json_text(arguments);
    struct command_run run = {.said = BUF_INIT(MAX_TOOL_BYTES),
                              .complaint = BUF_INIT(MAX_COMPLAINT),
                              .left = text,
                              .nleft = text ? strlen(text) : 0};
    const char *name = json_string_value(json_array_get(command->argv, 0));
    int r = text ? command_start(&run, command->argv) : -ENOMEM;

    if (r < 0)
        return tools_refuse(ret_failure, "%s: %s", name, strerror(-r));
    char *value = command_end(command, &run, ret_failure);
    buf_done(&run.said);
    buf_done(&run.complaint);
    return value;
}
