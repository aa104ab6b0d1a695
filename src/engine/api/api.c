#include "engine/api/api.h"

#include <stdio.h>

#include "engine/api/doctor.h"

/* Programs allocate these structures themselves: if one grew, the library would need another
 * soname. */
_Static_assert(sizeof(struct retort_limits) == 104 && sizeof(struct retort_engine_options) == 88 &&
                   sizeof(struct retort_session_options) == 248 &&
                   sizeof(struct retort_callbacks) == 104 &&
                   sizeof(struct retort_execute_options) == 192,
               "members are added in place of reserved ones");

int api_error(struct retort_error *to, const struct retort_error *from, int r) {
    if (to && r < 0) {
        *to = *from;
        if (from->fault == ERR_HOST)
            snprintf(to->hint, sizeof to->hint, "%s",
                     doctor_remedy(layer_by_name(from->layer), from->code));
    }
    return r;
}
