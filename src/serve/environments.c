#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/maxima.h"
#include "base/scope.h"
#include "serve/fault.h"
#include "serve/handlers.h"
#include "serve/json.h"

static int environments_dir(char *path, size_t size) {
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int n = config && config[0]
                ? snprintf(path, size, "%s/retort/environments", config)
                : snprintf(path, size, "%s/.config/retort/environments", home ? home : "");

    return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

static int is_environment(const struct dirent *entry) {
    size_t len = strlen(entry->d_name);

    return entry->d_name[0] != '.' && len > 5 && strcmp(entry->d_name + len - 5, ".json") == 0;
}

int handle_environments_list(struct request *request, struct buf *result,
                             struct retort_error *error) {
    scoped_json *list = json_array();
    scoped_free struct dirent **names = NULL;
    char path[MAX_PATH];
    int n;

    (void)request;
    n = environments_dir(path, sizeof path) < 0 ? 0
                                                : scandir(path, &names, is_environment, alphasort);
    for (int i = 0; i < n; i++) {
        json_t *name = json_stringn(names[i]->d_name, strlen(names[i]->d_name) - 5);

        json_array_append_new(list, json_pack("{s:o}", "name", name));
        free(names[i]);
    }
    if (buf_adds(result, "{\"environments\":") < 0 || buf_json(result, list) < 0 ||
        buf_adds(result, "}") < 0)
        return fault_set(error, RETORT_FAULT_HOST, ENOMEM, "out of memory");
    return 0;
}
