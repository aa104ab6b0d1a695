#include "engine/host/interpreter.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "base/unconst.h"

/* Already part of every session's root. */
static bool in_system(const char *path) {
    static const char *const dirs[] = {"/usr/",   "/bin/",   "/sbin/",  "/lib/",
                                       "/lib32/", "/lib64/", "/libx32/"};
    for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
        if (strncmp(path, dirs[i], strlen(dirs[i])) == 0)
            return true;
    return false;
}

static bool beneath(const char *dir, const char *path) {
    size_t len = strlen(dir);
    return strncmp(dir, path, len) == 0 && (path[len] == '/' || !path[len]);
}

static int add_prefix(struct ctl_environment *env, const char *path, struct retort_error *err) {
    char slashed[PATH_MAX];
    snprintf(slashed, sizeof slashed, "%s/", path);
    if (in_system(slashed))
        return 0;
    for (unsigned i = 0; i < ENV_PREFIXES; i++) {
        if (env->prefix[i][0] && beneath(env->prefix[i], path))
            return 0;
        if (env->prefix[i][0])
            continue;
        if (strlen(path) >= sizeof env->prefix[i])
            return err_set(err, ERR_CALLER, ENAMETOOLONG, "the interpreter's path is too long");
        snprintf(env->prefix[i], sizeof env->prefix[i], "%s", path);
        return 0;
    }
    return err_set(err, ERR_CALLER, E2BIG, "the interpreter is spread over too many directories");
}

/* The directory above the one that holds `program`: its prefix. */
static bool prefix_of(const char *program, char *ret, size_t size) {
    snprintf(ret, size, "%s", program);
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(ret, '/');
        if (!slash || slash == ret)
            return false;
        *slash = 0;
    }
    return true;
}

/* A directory is taken for a prefix only if it looks like one: a Python in ~/bin must not bring in
 * all of ~. */
static bool is_prefix(const char *dir) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/pyvenv.cfg", dir);
    if (access(path, F_OK) == 0)
        return true;
    snprintf(path, sizeof path, "%s/lib", dir);
    scoped_dir lib = opendir(path);
    for (struct dirent *e; lib && (e = readdir(lib));)
        if (strncmp(e->d_name, "python", 6) == 0 || strncmp(e->d_name, "node_modules", 12) == 0)
            return true;
    return false;
}

static int add_program(struct ctl_environment *env, const char *program, struct retort_error *err) {
    char dir[PATH_MAX];
    if (prefix_of(program, dir, sizeof dir) && is_prefix(dir))
        return add_prefix(env, dir, err);
    return in_system(program) ? 0 : add_prefix(env, program, err);
}

/* "home = /opt/python/bin" of a virtual environment names its base. */
static int add_venv_home(struct ctl_environment *env, const char *program,
                         struct retort_error *err) {
    char dir[PATH_MAX], path[PATH_MAX + 16], text[4096], real[PATH_MAX];
    if (!prefix_of(program, dir, sizeof dir))
        return 0;
    snprintf(path, sizeof path, "%s/pyvenv.cfg", dir);
    if (read_file_at(AT_FDCWD, path, text, sizeof text) < 0)
        return 0;
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        char home[PATH_MAX];
        if (sscanf(line, "home = %4000s", home) != 1)
            continue;
        snprintf(path, sizeof path, "%s/python3", home);
        int r = add_program(env, path, err);
        if (r == 0 && realpath(path, real))
            r = add_program(env, real, err);
        return r;
    }
    return 0;
}

/* The end of a pipe from which to read what the program prints, or -errno. */
static int spawn_printing(char *const argv[], char *const vars[], pid_t *ret_pid) {
    int pair[2];
    posix_spawn_file_actions_t actions;
    if (pipe2(pair, O_CLOEXEC) < 0)
        return -errno;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pair[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    int r = posix_spawn(ret_pid, argv[0], &actions, NULL, argv, vars);
    posix_spawn_file_actions_destroy(&actions);
    close(pair[1]);
    if (r)
        close(pair[0]);
    return r ? -r : pair[0];
}

/* Libraries outside of /usr and the prefixes, as the dynamic linker finds them; that runs none of
 * their code. */
static int add_libraries(struct ctl_environment *env, const char *program,
                         struct retort_error *err) {
    char *argv[] = {"/lib64/ld-linux-x86-64.so.2", "--list", unconst(program), NULL},
         *vars[] = {NULL};
    pid_t pid = 0;
    char text[16384];
    int r = 0;
    scoped_fd in = spawn_printing(argv, vars, &pid);
    if (in < 0)
        return 0; /* another architecture or libc: execution will tell */
    ssize_t n = read_full(in, text, sizeof text - 1);
    waitpid(pid, NULL, 0);
    text[n > 0 ? n : 0] = 0;
    for (char *line = text, *next; r == 0 && line; line = next) {
        char path[PATH_MAX], real[PATH_MAX];
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        const char *arrow = strstr(line, "=> /");
        if (!arrow || sscanf(arrow + 3, "%4000s", path) != 1 || in_system(path))
            continue;
        r = add_prefix(env, path, err);
        if (r == 0 && realpath(path, real) && strcmp(real, path) != 0 && !in_system(real))
            r = add_prefix(env, real, err);
    }
    return r;
}

static int check_program(const char *path, struct retort_error *err) {
    char magic[4] = "";
    struct stat st;
    scoped_fd fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return err_errno(err, ERR_CALLER, errno, "cannot read the interpreter %s", path);
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || !(st.st_mode & 0111))
        return err_set(err, ERR_CALLER, 0, "%s is not an executable file", path);
    if (read(fd, magic, 4) != 4 || memcmp(magic, "\177ELF", 4) != 0)
        return err_set(
            err, ERR_CALLER, 0,
            "%s is not an interpreter but a script (a shim?); name the program it starts", path);
    return 0;
}

static bool is_executable(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* As a shell finds it. */
static bool find_on_path(const char *name, char ret[PATH_MAX]) {
    const char *dirs = secure_getenv("PATH");
    for (const char *at = dirs ? dirs : "/usr/local/bin:/usr/bin:/bin"; *at;) {
        size_t len = strcspn(at, ":");
        if (*at == '/' && snprintf(ret, PATH_MAX, "%.*s/%s", (int)len, at, name) < PATH_MAX &&
            is_executable(ret))
            return true;
        at += len + (at[len] == ':');
    }
    return false;
}

/* A virtual environment may be named by its directory, an interpreter by its name alone. */
static int absolute_path(const char *path, char ret[PATH_MAX], struct retort_error *err) {
    char cwd[PATH_MAX] = "";
    struct stat st;
    bool venv = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    if (!venv && !strchr(path, '/') && find_on_path(path, ret))
        return 0;
    if ((path[0] != '/' && !getcwd(cwd, sizeof cwd)) ||
        snprintf(ret, PATH_MAX, "%s%s%s%s", cwd, path[0] == '/' ? "" : "/", path,
                 venv ? "/bin/python3" : "") >= PATH_MAX)
        return err_set(err, ERR_CALLER, ENAMETOOLONG, "the interpreter's path is too long");
    return 0;
}

/* Version managers (pyenv, asdf) put a folder of this name first on PATH. We run no other script,
 * and none that another user could have written. */
static bool is_shim(const char *path) {
    const char *name = strrchr(path, '/');
    struct stat st;
    return name - path >= 6 && strncmp(name - 6, "/shims", 6) == 0 &&
           strncmp(name, "/python", 7) == 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
           (st.st_uid == geteuid() || st.st_uid == 0) && !(st.st_mode & S_IWOTH);
}

#define SHIM_MS 10000

/* Only the shim knows which interpreter it stands for: it chooses by the caller's folder, variables
 * and files. */
static void ask_shim(char path[PATH_MAX]) {
    char *argv[] = {path, "-c", "import sys; print(sys.executable)", NULL};
    char text[PATH_MAX] = "";
    pid_t pid = 0;
    scoped_fd in = spawn_printing(argv, environ, &pid);
    if (in < 0)
        return;
    if (!readable_within(in, SHIM_MS) || read(in, text, sizeof text - 1) < 0)
        text[0] = 0;
    kill(pid, SIGKILL); /* it has said all there is to say */
    waitpid(pid, NULL, 0);
    text[strcspn(text, "\n")] = 0;
    if (text[0] == '/')
        snprintf(path, PATH_MAX, "%s", text);
}

static int find_program(const char *path, char ret[PATH_MAX], struct retort_error *err) {
    int r = absolute_path(path, ret, err);
    if (r == 0 && is_shim(ret))
        ask_shim(ret);
    return r < 0 ? r : check_program(ret, err);
}

int interpreter_check(const char *path, struct retort_error *err) {
    char absolute[PATH_MAX];
    return find_program(path, absolute, err);
}

static int resolve(const char *path, struct ctl_environment *env, struct retort_error *err) {
    char absolute[PATH_MAX], real[PATH_MAX];
    int r = find_program(path, absolute, err);
    if (r < 0)
        return r;
    if (!realpath(absolute, real))
        return err_errno(err, ERR_CALLER, errno, "cannot resolve the interpreter %s", path);
    /* The directory as it really is, the program as it was named: bin/python of a virtual
     * environment is a link, and is known by its own place. */
    char *slash = strrchr(absolute, '/'), dir[PATH_MAX], named[PATH_MAX];
    *slash = 0;
    if (!realpath(absolute[0] ? absolute : "/", dir) ||
        snprintf(named, sizeof named, "%s/%s", dir, slash + 1) >= (int)sizeof named)
        return err_errno(err, ERR_CALLER, errno, "cannot resolve the interpreter");
    char prefix[PATH_MAX];
    bool venv = prefix_of(named, prefix, sizeof prefix) && is_prefix(prefix);
    const char *chosen = venv ? named : real;
    if (strlen(chosen) >= sizeof env->interpreter)
        return err_set(err, ERR_CALLER, ENAMETOOLONG, "the interpreter's path is too long");
    snprintf(env->interpreter, sizeof env->interpreter, "%s", chosen);
    if (venv)
        r = add_program(env, named, err);
    if (r == 0 && venv)
        r = add_venv_home(env, named, err);
    if (r == 0)
        r = add_program(env, real, err);
    return r < 0 ? r : add_libraries(env, real, err);
}

/* Container images and version managers have their interpreter somewhere on PATH. */
int interpreter_choose(enum language language, const char *named, struct ctl_environment *env,
                       struct retort_error *err) {
    const char *system = interpreter_rows[language].program;
    char found[PATH_MAX];
    if (named && language == LANG_PYTHON)
        return resolve(named, env, err);
    if (access(system, X_OK) == 0 || !find_on_path(strrchr(system, '/') + 1, found))
        return 0;
    return resolve(found, env, err);
}
