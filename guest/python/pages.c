#include "pages.h"

#include <Python.h>

#include <dlfcn.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_COLLAPSE /* Linux 6.1 */
#define MADV_COLLAPSE 25
#endif

#define HUGE (2ul << 20)
#define POOL (16ul << 10) /* holds objects of one size */
#define POOL_HEADER 48
#define LARGEST_OBJECT 512      /* larger ones come from malloc */
#define MOST_FREE (256ul << 10) /* of one size; the end if there are no pools */
#define ROOM (256ul << 20)      /* of addresses only; pandas and matplotlib use 40 MB of it */

/* As in CPython's headers from 3.4 on; the limited API lacks it. */
struct arena_allocator {
    void *context;
    void *(*alloc)(void *context, size_t size);
    void (*free)(void *context, void *memory, size_t size);
};
typedef void (*arena_allocator_fn)(struct arena_allocator *allocator);

static struct arena_allocator original;
static arena_allocator_fn set_allocator;
static char *next, *end;

/* Gives addresses one after the other. We map the memory as CPython itself would, so that its own
 * munmap() frees it, whichever allocator it has by then. */
static void *gathered_alloc(void *context, size_t size) {
    (void)context;
    if (size > (size_t)(end - next) || mprotect(next, size, PROT_READ | PROT_WRITE) < 0)
        return original.alloc(original.context, size);
    char *memory = next;
    next += size;
    return memory;
}

static void gathered_free(void *context, void *memory, size_t size) {
    (void)context;
    original.free(original.context, memory, size);
}

void pages_gather(void) {
    arena_allocator_fn get_allocator = NULL;
    struct arena_allocator ours = {NULL, gathered_alloc, gathered_free};
    /* Written through a pointer: ISO C has no conversion from an object's address to a
     * function's. */
    *(void **)&get_allocator = dlsym(RTLD_DEFAULT, "PyObject_GetArenaAllocator");
    *(void **)&set_allocator = dlsym(RTLD_DEFAULT, "PyObject_SetArenaAllocator");
    if (!get_allocator || !set_allocator)
        return;
    char *room =
        mmap(NULL, ROOM + HUGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return;
    next = room + (HUGE - (uintptr_t)room % HUGE) % HUGE;
    end = next + ROOM;
    get_allocator(&original);
    set_allocator(&ours);
}

/* Fills everything below the top of the heap, the largest holes first. */
static void fill_heap(void) {
    char *top = (char *)sbrk(0) - mallinfo2().keepcost;
    for (size_t size = 1 << 16; size >= 24; size = size > 1024 ? size / 2 : size - 16) {
        char *memory;
        while ((memory = malloc(size)) && memory < top)
            ;
        free(memory);
    }
}

/* Whether it is the first block of a pool, after its header. Pools of 4 kB (before CPython 3.10)
 * match if they happen to lie so, and then fewer are filled. */
static bool begins_pool(const void *block) {
    return ((uintptr_t)block & (POOL - 1)) == POOL_HEADER;
}

void pages_fill(void) {
    fill_heap();
    for (size_t size = 16; size <= LARGEST_OBJECT; size += 16)
        for (size_t taken = 0; taken < MOST_FREE; taken += size)
            if (begins_pool(PyObject_Malloc(size)))
                break;
}

/* A part of a file in memory, from a line of /proc/self/maps. */
struct part {
    uintptr_t from, to;
    unsigned long offset, inode;
    char access[5], device[16];
};

static bool is_part(const char *line, struct part *ret) {
    return sscanf(line, "%lx-%lx %4s %lx %15s %lu", &ret->from, &ret->to, ret->access, &ret->offset,
                  ret->device, &ret->inode) == 6 &&
           ret->inode != 0 && ret->access[0] == 'r' && ret->access[3] == 'p';
}

static bool continues(const struct part *a, const struct part *b) {
    return a->to == b->from && a->offset + (a->to - a->from) == b->offset && a->inode == b->inode &&
           strcmp(a->device, b->device) == 0;
}

static void allow(const struct part *part, int access) {
    mprotect((void *)part->from, part->to - part->from, PROT_READ | access);
}

static void join(const struct part *a, const struct part *b) {
    bool data = b->access[1] == 'w';
    if (strcmp(a->access, "r--p") == 0)
        allow(a, data ? PROT_WRITE : PROT_EXEC);
    if (strcmp(b->access, "r--p") == 0 && a->access[1] != 'w')
        allow(b, PROT_EXEC);
}

void pages_join(void) {
    char line[512];
    struct part last = {0}, part;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && fgets(line, sizeof line, maps))
        if (is_part(line, &part)) {
            if (continues(&last, &part))
                join(&last, &part);
            last = part;
        }
    if (maps)
        fclose(maps);
}

static bool is_code_of(const char *line, uintptr_t function, uintptr_t *ret_from,
                       uintptr_t *ret_to) {
    struct part part;
    if (!is_part(line, &part) || part.access[2] != 'x' || function < part.from ||
        function >= part.to)
        return false;
    *ret_from = part.from + (HUGE - part.from % HUGE) % HUGE;
    *ret_to = part.to - part.to % HUGE;
    return *ret_from < *ret_to;
}

/* Nobody executes the range meanwhile: this code is elsewhere. */
static void replace_by_huge(uintptr_t from, uintptr_t to) {
    size_t size = to - from;
    char *room = mmap(NULL, size + HUGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return;
    char *copy = room + (HUGE - (uintptr_t)room % HUGE) % HUGE;
    memcpy(copy, (void *)from, size);
    if (madvise(copy, size, MADV_COLLAPSE) == 0 && mprotect(copy, size, PROT_READ | PROT_EXEC) == 0)
        mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)from);
    munmap(room, size + HUGE);
}

void pages_take_code(void) {
    char line[512];
    uintptr_t from = 0, to = 0, function = (uintptr_t)dlsym(RTLD_DEFAULT, "PyEval_EvalCode");
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && !found && fgets(line, sizeof line, maps))
        found = is_code_of(line, function, &from, &to);
    if (maps)
        fclose(maps);
    if (found)
        replace_by_huge(from, to);
}

/* Whether a line of /proc/self/maps is private, writable memory without a file. */
static bool is_memory(const char *line, uintptr_t *ret_from, uintptr_t *ret_to) {
    char access[5], name[32] = "";
    unsigned long from, to, inode;
    if (sscanf(line, "%lx-%lx %4s %*s %*s %lu %31s", &from, &to, access, &inode, name) < 4 ||
        inode != 0 || strcmp(access, "rw-p") != 0 || strcmp(name, "[stack]") == 0)
        return false;
    *ret_from = from;
    *ret_to = to;
    return true;
}

void pages_collapse(void) {
    char line[512];
    uintptr_t from, to;
    if (end) {
        set_allocator(&original);
        next += (HUGE - (uintptr_t)next % HUGE) % HUGE;
        munmap(next, (size_t)(end - next));
    }
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && fgets(line, sizeof line, maps))
        if (is_memory(line, &from, &to)) {
            from += (HUGE - from % HUGE) % HUGE;
            to -= to % HUGE;
            if (from < to) /* if the kernel has no huge pages, small ones stay */
                madvise((void *)from, to - from, MADV_COLLAPSE);
        }
    if (maps)
        fclose(maps);
}
