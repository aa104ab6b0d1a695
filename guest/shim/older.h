/* Included ahead of everything that is loaded into interpreters: those of images have their own
 * libc, which may be older than the one that we were built with. The numbers of C23 (0b101) came
 * with other names for strtol and sscanf, which glibc has from 2.38 on. */
#pragma once

#include <features.h>

#undef __GLIBC_USE_C2X_STRTOL
#define __GLIBC_USE_C2X_STRTOL 0
#undef __GLIBC_USE_C23_STRTOL
#define __GLIBC_USE_C23_STRTOL 0
