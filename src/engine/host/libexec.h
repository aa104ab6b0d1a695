/* Where the programs are that users do not call themselves. */
#pragma once

#include <stddef.h>

#include "base/err.h"

int libexec_find(char *ret, size_t size, struct err *err);
