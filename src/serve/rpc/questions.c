#include "serve/rpc/questions.h"

#include <errno.h>
#include <string.h>

#include "serve/hosted/fault.h"

static int give_answer(struct buf *result, char *text, struct retort_error *error) {
    int r = buf_adds(result, text);

    retort_free(text);
    return r < 0 ? err_memory(error) : 0;
}

static const char *language_param(const struct request *request) {
    return json_string_value(json_object_get(request->params, "language"));
}

int handle_session_complete(struct request *request, struct buf *result,
                            struct retort_error *error) {
    const char *code = json_string_value(json_object_get(request->params, "code"));
    const json_t *at = json_object_get(request->params, "cursor");
    json_int_t cursor = at ? json_integer_value(at) : (json_int_t)strlen(code);
    char *text = NULL;
    int r = retort_complete_in(request->hosted->session, language_param(request), code,
                               cursor < 0 ? 0 : (size_t)cursor, &text, error);

    return r < 0 ? r : give_answer(result, text, error);
}

int handle_session_variables(struct request *request, struct buf *result,
                             struct retort_error *error) {
    char *text = NULL;
    int r = retort_variables(request->hosted->session, language_param(request), &text, error);

    return r < 0 ? r : give_answer(result, text, error);
}
