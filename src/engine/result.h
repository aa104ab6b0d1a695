/* The public result object. */
#pragma once

#include <jansson.h>

#include "retort.h"

/* 15 digits: 2.2 stays 2.2, and cents of a trillion are not lost. */
#define RESULT_JSON (JSON_COMPACT | JSON_REAL_PRECISION(15))

struct retort_result *result_new(json_t *json); /* takes json; NULL when memory is out */
