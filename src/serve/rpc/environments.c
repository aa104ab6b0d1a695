#include "environments/environments.h"

#include <errno.h>

#include "base/buf.h"
#include "engine/host/environment.h"
#include "serve/hosted/fault.h"
#include "serve/hosted/json.h"
#include "serve/rpc/environment_handlers.h"
#include "serve/rpc/handlers.h"

static int environments_reply(struct buf *result, const json_t *reply, struct retort_error *error) {
    return reply && buf_json(result, reply) == 0 ? 0 : err_memory(error);
}

int handle_environments_list(struct request *request, struct buf *result,
                             struct retort_error *error) {
    scoped_json *names = environment_names(NULL), *list = json_array();
    json_t *name;
    size_t i;

    (void)request;
    json_array_foreach(names, i, name) {
        json_array_append_new(list, json_pack("{s:O}", "name", name));
    }
    scoped_json *reply = json_pack("{s:O}", "environments", list);
    return environments_reply(result, reply, error);
}

static int environments_make(struct request *request,
                             int (*make)(const struct environments_job *, json_t **,
                                         struct retort_error *),
                             struct buf *result, struct retort_error *error) {
    scoped_json *recipe = json_deep_copy(request->params), *made = NULL;
    struct environments_job job = {
        .name = json_string_value(json_object_get(request->params, "name")),
        .recipe = recipe,
        .lock = json_object_get(request->params, "lock"),
        .engine = request->serve->engine,
        .timeout = json_number_value(json_object_get(request->params, "install_timeout"))};
    int r = handlers_check_admin(request, error);

    if (r < 0)
        return r;
    json_object_del(recipe, "name");
    json_object_del(recipe, "lock");
    json_object_del(recipe, "install_timeout");
    return make(&job, &made, error) < 0 ? -EINVAL : environments_reply(result, made, error);
}

int handle_environments_create(struct request *request, struct buf *result,
                               struct retort_error *error) {
    return environments_make(request, environments_create, result, error);
}

int handle_environments_update(struct request *request, struct buf *result,
                               struct retort_error *error) {
    return environments_make(request, environments_update, result, error);
}

int handle_environments_show(struct request *request, struct buf *result,
                             struct retort_error *error) {
    scoped_json *shown = NULL;
    int r = handlers_check_admin(request, error);

    if (r < 0)
        return r;
    if (environments_show(NULL, json_string_value(json_object_get(request->params, "name")), &shown,
                          error) < 0)
        return -EINVAL;
    return environments_reply(result, shown, error);
}

int handle_environments_remove(struct request *request, struct buf *result,
                               struct retort_error *error) {
    scoped_json *reply = json_pack("{s:b}", "removed", 1);
    int r = handlers_check_admin(request, error);

    if (r < 0)
        return r;
    if (environments_remove(NULL, json_string_value(json_object_get(request->params, "name")),
                            error) < 0)
        return -EINVAL;
    return environments_reply(result, reply, error);
}
