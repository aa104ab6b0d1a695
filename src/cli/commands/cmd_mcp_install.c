/* retort mcp install: shows what an MCP client needs in its configuration, and writes or removes
 * it.
 *
 * We read a file whole, change it in memory and put it in place by rename, so that a client never
 * sees half of it. A file that we cannot parse (some clients allow comments) is left alone. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/readall.h"
#include "base/scope.h"
#include "cli/cli.h"
#include "cli/upload.h"
#include "serve/hosted/json.h"

#define SECTION "[mcp_servers.retort]"
#define SUBSECTION "[mcp_servers.retort."

struct mcp_client {
    const char *name;
    const char *variable, *below_variable; /* an environment variable may name the folder */
    const char *below_home;
    const char *member; /* member of the JSON object that holds the servers; NULL: the file is
                           TOML */
    bool typed;         /* an entry has to say that it is a server on standard input and output */
};

static const struct mcp_client clients[] = {
    {"claude", "CLAUDE_CONFIG_DIR", ".claude.json", ".claude.json", "mcpServers", true},
    {"codex", "CODEX_HOME", "config.toml", ".codex/config.toml", NULL, false},
    {"vscode", "XDG_CONFIG_HOME", "Code/User/mcp.json", ".config/Code/User/mcp.json", "servers",
     true},
    {"cursor", NULL, NULL, ".cursor/mcp.json", "mcpServers", false},
    {"gemini", NULL, NULL, ".gemini/settings.json", "mcpServers", false},
};

struct install_options {
    struct cli_options server; /* first: the rows of `retort mcp` fill it */
    const char *client;
    bool remove, dry_run;
};

#define INSTALL_AT(field) offsetof(struct install_options, field)

static const struct opt install_rows[] = {
    {"--dry-run", 0, OPT_FLAG, NULL, INSTALL_AT(dry_run), "show it, and write nothing", 0},
    CLI_TOOLS,
    {"--remove", 0, OPT_FLAG, NULL, INSTALL_AT(remove), "take retort out of the configuration", 0},
    OPT_END,
};

static const struct mcp_client *find_client(const char *name) {
    for (size_t i = 0; name && i < sizeof clients / sizeof *clients; i++)
        if (strcmp(clients[i].name, name) == 0)
            return &clients[i];
    return NULL;
}

static int client_config_path(const struct mcp_client *client, char path[PATH_MAX]) {
    const char *folder = client->variable ? getenv(client->variable) : NULL, *home = getenv("HOME");
    char named[PATH_MAX];
    if ((!folder || !*folder) && (!home || !*home))
        return cli_fail("HOME is not set");
    int n = folder && *folder
                ? snprintf(named, sizeof named, "%s/%s", folder, client->below_variable)
                : snprintf(named, sizeof named, "%s/%s", home, client->below_home);
    if (n >= PATH_MAX)
        return cli_fail("the path of the configuration is too long");
    if (!realpath(named, path)) /* we write the file that a link points to, and the link stays */
        snprintf(path, PATH_MAX, "%s", named);
    return 0;
}

/* The program that the client will start: `retort` beside this one, or where it was installed. */
static void client_program(char program[PATH_MAX]) {
    static const char *const places[] = {"/retort", "/../../bin/retort"};
    char self[PATH_MAX], named[PATH_MAX + 32];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(named, sizeof named, "%s%s", self, places[i]);
        if (access(named, X_OK) == 0 && realpath(named, program))
            return;
    }
    snprintf(program, PATH_MAX, "retort");
}

/* Words that are neither the client's name nor options of this command are for the server. */
static json_t *server_arguments(const struct install_options *o, int argc, char **argv) {
    json_t *arguments = json_array();
    json_array_append_new(arguments, json_string("mcp"));
    for (int i = 1; i < argc; i++)
        if (argv[i] != o->client && strcmp(argv[i], "--dry-run") != 0 &&
            strcmp(argv[i], "--remove") != 0)
            json_array_append_new(arguments, json_string(argv[i]));
    return arguments;
}

static json_t *server_entry(const struct mcp_client *client, json_t *arguments) {
    char program[PATH_MAX];
    json_t *entry = json_object();
    client_program(program);
    if (client->typed)
        json_object_set_new(entry, "type", json_string("stdio"));
    json_object_set_new(entry, "command", json_string(program));
    json_object_set(entry, "args", arguments);
    return entry;
}

/* Reads the whole file; empty if there is none. */
static int config_read(const char *path, struct buf *ret) {
    scoped_fd fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR ? 0 : cli_fail("%s: %s", path, strerror(errno));
    int r = read_all(fd, ret);
    if (r == -ENOSPC)
        return cli_fail("%s is too large to be a configuration", path);
    return r < 0 ? cli_fail("%s: %s", path, strerror(-r)) : 0;
}

static int edit_json(const char *path, const struct mcp_client *client, const struct buf *old,
                     json_t *entry, struct buf *ret) {
    bool empty = !old->data || strspn(old->data, " \t\r\n") == old->len;
    json_error_t problem;
    scoped_json *whole =
        empty ? json_object() : json_in(old->data, old->len, JSON_REJECT_DUPLICATES, &problem);
    if (!json_is_object(whole))
        return cli_fail("%s cannot be changed: %s; change it by hand", path,
                        whole ? "it is no object" : problem.text);
    json_t *servers = json_object_get(whole, client->member);
    if (!servers && entry)
        json_object_set_new(whole, client->member, servers = json_object());
    if (servers && !json_is_object(servers))
        return cli_fail("%s cannot be changed: %s is no object", path, client->member);
    if (entry)
        json_object_set(servers, "retort", entry);
    else if (!servers || json_object_del(servers, "retort") < 0)
        return old->data ? buf_add(ret, old->data, old->len) : 0; /* unchanged, to the letter */
    scoped_free char *text = json_whole(whole, JSON_INDENT(2));
    return !text || buf_printf(ret, "%s\n", text) < 0 ? cli_fail("out of memory") : 0;
}

static bool line_begins(const char *line, const char *end, const char *with) {
    size_t len = strlen(with);
    return (size_t)(end - line) >= len && strncmp(line, with, len) == 0;
}

/* Copies everything except the server's section and those below it. */
static int without_section(const struct buf *old, struct buf *ret) {
    bool ours = false;
    int r = 0;
    for (const char *line = old->data, *next; line && *line && r == 0; line = next) {
        const char *text = line + strspn(line, " \t"), *end = strchr(line, '\n');
        next = end ? end + 1 : line + strlen(line);
        if (*text == '[')
            ours = line_begins(text, next, SECTION) || line_begins(text, next, SUBSECTION);
        if (!ours)
            r = buf_add(ret, line, (size_t)(next - line));
    }
    while (ret->len > 1 && ret->data[ret->len - 1] == '\n' && ret->data[ret->len - 2] == '\n')
        ret->data[--ret->len] = 0;
    return r;
}

/* TOML writes a string, or an array of strings, as JSON does. */
static int config_add_section(json_t *entry, struct buf *ret) {
    scoped_free char *command =
        json_whole(json_object_get(entry, "command"), JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    scoped_free char *arguments = json_whole(json_object_get(entry, "args"), JSON_ENSURE_ASCII);
    if (!command || !arguments)
        return -ENOMEM;
    if (ret->len && ret->data[ret->len - 1] != '\n' && buf_adds(ret, "\n") < 0)
        return -ENOMEM;
    return buf_printf(ret, "%s" SECTION "\ncommand = %s\nargs = %s\n", ret->len ? "\n" : "",
                      command, arguments);
}

static int config_edit(const char *path, const struct mcp_client *client, json_t *entry,
                       const struct buf *old, struct buf *ret) {
    if (client->member)
        return edit_json(path, client, old, entry, ret);
    if (without_section(old, ret) < 0 || (entry && config_add_section(entry, ret) < 0))
        return cli_fail("out of memory");
    return 0;
}

static int make_folders(const char *path) {
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(folder, 0700) < 0 && errno != EEXIST)
            return cli_fail("%s: %s", folder, strerror(errno));
        *slash = '/';
    }
    return 0;
}

/* Keeps the owner and mode of the old file: such files hold keys. */
static int config_write(const char *path, const struct buf *text) {
    char temporary[PATH_MAX + 16];
    struct stat st;
    bool there = stat(path, &st) == 0;
    if (make_folders(path))
        return EXIT_OWN_FAILURE;
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    scoped_fd fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0)
        return cli_fail("%s: %s", path, strerror(errno));
    int r = write_all(fd, text->data ? text->data : "", text->len);
    if (r == 0 && there && (fchown(fd, st.st_uid, st.st_gid) < 0 || fchmod(fd, st.st_mode) < 0))
        r = -errno;
    if (r == 0 && (fsync(fd) < 0 || rename(temporary, path) < 0))
        r = -errno;
    if (r < 0)
        unlink(temporary);
    return r < 0 ? cli_fail("%s: %s", path, strerror(-r)) : 0;
}

static int show(const char *path, const struct mcp_client *client, json_t *entry) {
    scoped_buf section = BUF_INIT(MAX_CLIENT_CONFIG);
    if (!entry) {
        printf("%s: without retort\n", path);
        return 0;
    }
    if (!client->member) {
        if (config_add_section(entry, &section) < 0)
            return cli_fail("out of memory");
        printf("%s:\n%s", path, section.data);
        return 0;
    }
    scoped_json *around = json_pack("{s:{s:O}}", client->member, "retort", entry);
    scoped_free char *text = json_whole(around, JSON_INDENT(2));
    printf("%s:\n%s\n", path, text ? text : "");
    return 0;
}

static int install(const struct install_options *o, json_t *arguments) {
    const struct mcp_client *client = find_client(o->client);
    char path[PATH_MAX];
    scoped_buf old = BUF_INIT(MAX_CLIENT_CONFIG), text = BUF_INIT(2 * MAX_CLIENT_CONFIG);
    if (!client)
        return cli_fail("mcp install: which client? claude, codex, vscode, cursor or gemini");
    scoped_json *entry = o->remove ? NULL : server_entry(client, arguments);
    if (client_config_path(client, path) || config_read(path, &old) ||
        config_edit(path, client, entry, &old, &text) || show(path, client, entry))
        return EXIT_OWN_FAILURE;
    if (o->dry_run || (o->remove && !old.data))
        return 0;
    return config_write(path, &text);
}

int cmd_mcp_install(const struct opt *server_rows, int argc, char **argv) {
    const struct opt_table table = {
        .usage = "mcp install claude|codex|vscode|cursor|gemini [options]",
        .about = "Shows and writes what the client has to have in its configuration. All other "
                 "options are for the\nserver that it will start: give files and directories by "
                 "their whole paths.",
        .rows = {install_rows, server_rows, cli_limits, cli_interpreter},
        .operand = INSTALL_AT(client),
    };
    struct install_options o = {0};
    int r;
    if (!cli_take_session(&table, argc, argv, &o.server, &r) || (r = cli_upload_check(&o.server)))
        return r;
    scoped_json *arguments = server_arguments(&o, argc, argv);
    return install(&o, arguments);
}
