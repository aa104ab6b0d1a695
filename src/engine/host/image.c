#include "engine/host/image.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/maxima.h"
#include "base/scope.h"

#define USUAL_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

static int open_root(const char *packages) {
    char path[MAX_PATH];
    snprintf(path, sizeof path, "%s/" IMAGE_ROOT, packages);
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

bool image_is(const char *packages) {
    scoped_fd root = open_root(packages);
    return root >= 0;
}

static int open_inside(int root, const char *path, int flags) {
    struct open_how how = {.flags = (unsigned)flags | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};
    return (int)syscall(SYS_openat2, root, path, &how, sizeof how);
}

int image_open(const char *packages, const char *path, int flags) {
    scoped_fd root = open_root(packages);
    return root < 0 ? -1 : open_inside(root, path, flags);
}

static bool is_program(int root, const char *path) {
    struct stat st;
    scoped_fd fd = open_inside(root, path, O_PATH);
    return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_mode & 0111;
}

static const char *search_path(const char *const *variables) {
    const char *found = USUAL_PATH;
    for (; variables && *variables; variables++)
        if (strncmp(*variables, "PATH=", 5) == 0)
            found = *variables + 5;
    return found;
}

static bool find_in_image(int root, const char *name, const char *path, char *ret, size_t size) {
    for (const char *at = path; *at;) {
        size_t len = strcspn(at, ":");
        int n = snprintf(ret, size, "%.*s/%s", (int)len, at, name);
        if (*at == '/' && n > 0 && (size_t)n < size && is_program(root, ret))
            return true;
        at += len + (at[len] == ':');
    }
    return false;
}

int image_interpreter(enum language language, const char *named, const char *const *variables,
                      struct ctl_environment *env, struct retort_error *err) {
    const char *usual = interpreter_rows[language].program, *name = strrchr(usual, '/') + 1;
    scoped_fd root = open_root(env->packages);
    if (root < 0)
        return err_errno(err, ERR_CALLER, errno, "the image of the environment is not there");
    if (named && language == LANG_PYTHON) {
        if (named[0] != '/' || strlen(named) >= sizeof env->interpreter || !is_program(root, named))
            return err_set(err, ERR_CALLER, ENOENT, "%.200s is no program of the image", named);
        snprintf(env->interpreter, sizeof env->interpreter, "%s", named);
        return 0;
    }
    if (!find_in_image(root, name, search_path(variables), env->interpreter,
                       sizeof env->interpreter)) {
        env->interpreter[0] = 0;
        return err_set(err, ERR_CALLER, ENOENT, "the image has no %s", name);
    }
    return 0;
}
