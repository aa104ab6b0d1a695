#include "engine/host/environment.h"

#include <errno.h>

#include "base/buf.h"
#include "serve/hosted/fault.h"
#include "serve/hosted/json.h"
#include "serve/rpc/handlers.h"

int handle_environments_list(struct request *request, struct buf *result,
                             struct retort_error *error) {
    scoped_json *names = environment_names(NULL), *list = json_array();
    json_t *name;
    size_t i;

    (void)request;
    json_array_foreach(names, i, name) {
        json_array_append_new(list, json_pack("{s:O}", "name", name));
    }
    if (buf_adds(result, "{\"environments\":") < 0 || buf_json(result, list) < 0 ||
        buf_adds(result, "}") < 0)
        return err_set(error, ERR_HOST, ENOMEM, "out of memory");
    return 0;
}
