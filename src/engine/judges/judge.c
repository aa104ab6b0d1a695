/* Making a judge, and asking it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/scope.h"
#include "engine/judges/judges.h"

static const char *or_nothing(const char *text) {
    return text ? text : "";
}

static char *key_of(const char *owner, const struct reviewer_options *o) {
    char *key;
    int r = asprintf(&key, "%s\n%s\n%s\n%s", owner, or_nothing(o->python), or_nothing(o->packages),
                     or_nothing(o->rules));
    return r < 0 ? NULL : key;
}

/* Two threads that want the same judge at the same time may make two of them. That does no harm, and
 * so nobody waits while another's rules are read. */
int judges_take(struct judges *j, struct retort_engine *e, const char *owner,
                const struct reviewer_options *o, struct code_judge **ret,
                struct retort_error *err) {
    scoped_free char *key = key_of(owner, o);
    struct code_judge *judge = key ? judges_find(j, key) : NULL;
    int r = 0;
    if (!judge) {
        judge = key ? calloc(1, sizeof *judge) : NULL;
        r = judge ? reviewer_new(e, o, &judge->reviewer, err)
                  : err_errno(err, ERR_HOST, ENOMEM, "cannot hold a judge");
        if (r < 0) {
            free(judge);
            return r;
        }
        judge->key = TAKE(key);
        judge->end = reviewer_free;
        judges_add(j, judge);
    }
    *ret = judge;
    return 0;
}

json_t *judge_review(struct code_judge *judge, const char *language, const char *code,
                     struct retort_error *err) {
    return reviewer_judge(judge->reviewer, language, code, err);
}

json_t *judge_follow(struct code_judge *judge, const char *tools, const char *cells,
                     struct retort_error *err) {
    return reviewer_follow(judge->reviewer, tools, cells, err);
}
