/* The public result object. */
#pragma once

#include <jansson.h>

#include "retort.h"

struct retort_result *result_new(json_t *json); /* takes json; NULL when memory is out */
