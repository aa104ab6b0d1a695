/* Replaces dlopen() in the static program (ld --wrap). SQLite would call it to load extensions,
 * which nobody asks for, and the linker warns about that. */
#include <stddef.h>

void *__wrap_dlopen(const char *path, int flags);
void *__wrap_dlopen(const char *path, int flags) {
    (void)path;
    (void)flags;
    return NULL;
}
