#include "cli/skillopts.h"

json_t *cli_skill_names(const struct cli_skills *asked) {
    json_t *names = json_array();
    for (size_t i = 0; i < asked->names.n; i++)
        json_array_append_new(names, json_string(asked->names.at[i]));
    if (asked->every)
        json_array_append_new(names, json_string("*"));
    return names;
}
