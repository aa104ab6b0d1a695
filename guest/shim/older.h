/* Included before everything that is loaded into interpreters: those of images have their own libc,
 * which may be older than ours. For the numbers of C23 (0b101), glibc from 2.38 on has other names
 * for strtol and sscanf. */
#pragma once

#include <features.h>

#undef __GLIBC_USE_C2X_STRTOL
#define __GLIBC_USE_C2X_STRTOL 0
#undef __GLIBC_USE_C23_STRTOL
#define __GLIBC_USE_C23_STRTOL 0
