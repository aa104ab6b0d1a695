/* In the place of dlopen() in the static program (ld --wrap), which loads no code: SQLite would,
 * for extensions, which nobody asks for, and the linker warns of it. */
#include <stddef.h>

void *__wrap_dlopen(const char *path, int flags);
void *__wrap_dlopen(const char *path, int flags) {
    (void)path;
    (void)flags;
    return NULL;
}
