/* Makes the n-th allocation of a program fail, of those that it and its libraries for JSON and SQL make: preloaded by
 * tests/hostile/test_L10_allocations.py. What libc and other libraries allocate for themselves never fails.
 *
 * NTH_MALLOC=FIRST:STEP. A SIGUSR2 arms it: the first one makes the FIRST allocation from then on fail, each further one
 * that which is STEP further away. Then nothing fails until the next one; nor after a SIGUSR1. */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);

#define OBJECTS 16

static struct { uintptr_t from, to; } objects[OBJECTS];
static size_t nobjects;
static int target, step;
static atomic_int left;

static int add_object(struct dl_phdr_info *info, size_t size, void *arg) {
    (void)size, (void)arg;
    const char *name = info->dlpi_name;
    if (name[0] && !strstr(name, "libretort") && !strstr(name, "libjansson") &&
        !strstr(name, "libsqlite3"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum && nobjects < OBJECTS; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
            continue;
        objects[nobjects].from = info->dlpi_addr + p->p_vaddr;
        objects[nobjects++].to = info->dlpi_addr + p->p_vaddr + p->p_memsz;
    }
    return 0;
}

static void arm(int sig) {
    (void)sig;
    atomic_store(&left, target);
    target += step;
}

static void disarm(int sig) {
    (void)sig;
    atomic_store(&left, 0);
}

__attribute__((constructor)) static void configure(void) {
    const char *text = getenv("NTH_MALLOC");
    struct sigaction on = {.sa_handler = arm, .sa_flags = SA_RESTART};
    struct sigaction off = {.sa_handler = disarm, .sa_flags = SA_RESTART};
    dl_iterate_phdr(add_object, NULL);
    if (!text || sscanf(text, "%d:%d", &target, &step) != 2 || sigaction(SIGUSR2, &on, NULL) < 0 ||
        sigaction(SIGUSR1, &off, NULL) < 0)
        abort(); /* a test in which nothing fails would prove nothing */
}

static bool fails(const void *caller) {
    bool ours = false;
    for (size_t i = 0; i < nobjects; i++)
        ours = ours || ((uintptr_t)caller >= objects[i].from && (uintptr_t)caller < objects[i].to);
    if (!ours || atomic_load(&left) <= 0 || atomic_fetch_sub(&left, 1) != 1)
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

static char *copy(const void *caller, const char *text, size_t len) {
    char *made = fails(caller) ? NULL : __libc_malloc(len + 1);
    if (made)
        *(char *)mempcpy(made, text, len) = 0;
    return made;
}

char *strdup(const char *text) {
    return copy(__builtin_return_address(0), text, strlen(text));
}

char *strndup(const char *text, size_t most) {
    return copy(__builtin_return_address(0), text, strnlen(text, most));
}
