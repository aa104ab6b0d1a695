/* Functions that may not be used, included before every source file by the Makefile.
 *
 * The headers that declare them come first, because a poisoned name may not even be declared again.
 * `signal` and `system` are fair names for struct fields, so only calls of them are caught. */
#pragma once

#include <alloca.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#undef alloca
#undef sprintf /* clang with _FORTIFY_SOURCE makes macros of these two */
#undef vsprintf
#pragma GCC poison strcpy strcat sprintf vsprintf strtok gets
#pragma GCC poison atoi atol atoll atof
#pragma GCC poison popen alloca tmpnam tempnam mktemp

#define signal(...) signal_is_banned_use_sigaction(__VA_ARGS__)
#define system(...) system_is_banned_use_posix_spawn(__VA_ARGS__)
