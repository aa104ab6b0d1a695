/* The host functions of a WebAssembly skill: the part of WASI, preview 1, that programs need. An
 * instance has standard input, output and error, the directories that are declared (files.h), no
 * environment and one argument.
 *
 * Runs in: a session for one skill alone; compiled together with wasm2c's output for the module.
 * Hostile: the module. We check every address; an attack that gets past this is still inside the
 *   session.
 * Tests: tests/system/test_wasm.py
 */
#include <stddef.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* errno of WASI */
enum {
    WASI_OK = 0,
    WASI_BADF = 8,
    WASI_FAULT = 21,
    WASI_INVAL = 28,
    WASI_IO = 29,
    WASI_NOSPC = 51,
    WASI_SPIPE = 70,
    WASI_NOTCAPABLE = 76
};

#define MAX_PARTS 1024

/* Standard input, output or error. */
struct wasi_stream {
    u8 *data;
    u64 len; /* bytes that were read or written */
    u64 max; /* bytes that there are, or for which there is room */
};

/* A directory that is open from the beginning. */
struct wasi_directory {
    const char *name, *path; /* the module's name for it, and ours */
    u64 writable;
};

/* As wasm.py passes them. */
struct streams {
    struct wasi_stream at[3];
    u32 exited, status;
    u64 directory_count;
    const struct wasi_directory *directories;
};

union number {
    u32 u32;
    u64 u64;
    f32 f32;
    f64 f64;
};

static struct streams *streams;

/* --- memory --- */

static u8 *memory_at(u32 address, u64 len) {
    wasm_rt_memory_t *m = memory();
    return m && address <= m->size && len <= m->size - address ? m->data + address : NULL;
}

static u32 store(u32 address, const void *value, size_t len) {
    u8 *to = memory_at(address, len);
    if (!to)
        return WASI_FAULT;
    memcpy(to, value, len);
    return WASI_OK;
}

static u32 store_u32(u32 address, u32 value) {
    return store(address, &value, sizeof value);
}

static u32 store_u64(u32 address, u64 value) {
    return store(address, &value, sizeof value);
}

/* Moves bytes between `with` and one part of the memory: returns how many, or one of our errnos,
 * negative. */
typedef int64_t part_mover(void *with, u8 *part, u64 len);

static u32 wasi_error(int error);

static u32 move_parts(part_mover *move, void *with, u32 parts, u32 count, u32 ret) {
    u64 total = 0;
    if (count > MAX_PARTS)
        return WASI_INVAL;
    for (u32 i = 0; i < count; i++) {
        u32 part[2];
        const u8 *from = memory_at(parts + 8 * i, sizeof part);
        if (!from)
            return WASI_FAULT;
        memcpy(part, from, sizeof part);
        u8 *bytes = memory_at(part[0], part[1]);
        if (!bytes)
            return WASI_FAULT;
        int64_t moved = move(with, bytes, part[1]);
        if (moved < 0 && total == 0)
            return wasi_error((int)-moved);
        total += moved > 0 ? (u64)moved : 0;
        if (moved < (int64_t)part[1])
            break;
    }
    return store_u32(ret, (u32)total);
}

#include "files.h"

/* --- arguments and environment --- */

static u32 wasi_args_sizes_get(u32 count, u32 size) {
    return store_u32(count, 1) || store_u32(size, sizeof "skill") ? WASI_FAULT : WASI_OK;
}

static u32 wasi_args_get(u32 pointers, u32 text) {
    return store_u32(pointers, text) || store(text, "skill", sizeof "skill") ? WASI_FAULT : WASI_OK;
}

static u32 wasi_environ_sizes_get(u32 count, u32 size) {
    return store_u32(count, 0) || store_u32(size, 0) ? WASI_FAULT : WASI_OK;
}

static u32 wasi_environ_get(u32 pointers, u32 text) {
    (void)pointers, (void)text;
    return WASI_OK;
}

/* --- clock and random: linked where they are declared --- */

static u32 wasi_clock_time_get(u32 clock, u64 precision, u32 time) {
    struct timespec now;
    (void)precision;
    if (clock > 1 || clock_gettime(clock ? CLOCK_MONOTONIC : CLOCK_REALTIME, &now) < 0)
        return WASI_INVAL;
    return store_u64(time, (u64)now.tv_sec * 1000000000u + (u64)now.tv_nsec);
}

static u32 wasi_clock_res_get(u32 clock, u32 resolution) {
    return clock > 1 ? WASI_INVAL : store_u64(resolution, 1);
}

static u32 wasi_random_get(u32 address, u32 len) {
    u8 *to = memory_at(address, len);
    for (u32 done = 0; to && done < len;) {
        ssize_t n = getrandom(to + done, len - done, 0);
        if (n <= 0)
            return WASI_IO;
        done += (u32)n;
    }
    return to ? WASI_OK : WASI_FAULT;
}

/* --- standard input, output, error --- */

static int64_t stream_in(void *with, u8 *part, u64 len) {
    struct wasi_stream *s = with;
    u64 left = s->max - s->len, n = len < left ? len : left;
    memcpy(part, s->data + s->len, n);
    s->len += n;
    return (int64_t)n;
}

static int64_t stream_out(void *with, u8 *part, u64 len) {
    struct wasi_stream *s = with;
    u64 left = s->max - s->len, n = len < left ? len : left;
    memcpy(s->data + s->len, part, n);
    s->len += n;
    return (int64_t)n;
}

static u32 wasi_fd_read(u32 fd, u32 parts, u32 count, u32 ret) {
    const struct wasi_open *f = file_at(fd);
    if (f && !f->directory)
        return move_parts(file_in, &(struct file_move){.fd = f->fd}, parts, count, ret);
    return fd == 0 ? move_parts(stream_in, &streams->at[0], parts, count, ret) : WASI_BADF;
}

/* Writing more than there is room for fails; but of messages we just keep the first part. */
static u32 wasi_fd_write(u32 fd, u32 parts, u32 count, u32 ret) {
    const struct wasi_open *f = file_at(fd);
    if (f && !f->directory && f->writable)
        return move_parts(file_out, &(struct file_move){.fd = f->fd}, parts, count, ret);
    if (fd != 1 && fd != 2)
        return WASI_BADF;
    struct wasi_stream *s = &streams->at[fd];
    if (s->len < s->max)
        return move_parts(stream_out, s, parts, count, ret);
    if (fd == 2)
        s->len = 0;
    return fd == 2 ? move_parts(stream_out, s, parts, count, ret) : WASI_NOSPC;
}

static u32 wasi_fd_fdstat_get(u32 fd, u32 ret) {
    const struct wasi_open *f = file_at(fd);
    if (f)
        return files_fdstat(f, ret);
    u8 about[24] = {2}; /* a character device */
    u64 rights = fd == 0 ? 2 : 64;
    memcpy(about + 8, &rights, sizeof rights);
    return fd > 2 ? WASI_BADF : store(ret, about, sizeof about);
}

static u32 wasi_fd_seek(u32 fd, u64 offset, u32 whence, u32 ret) {
    const struct wasi_open *f = file_at(fd);
    if (f)
        return files_seek(f, offset, whence, ret);
    return fd > 2 ? WASI_BADF : WASI_SPIPE;
}

static u32 wasi_fd_close(u32 fd) {
    struct wasi_open *f = file_at(fd);
    if (f) {
        close(f->fd);
        f->used = false;
    }
    return f || fd <= 2 ? WASI_OK : WASI_BADF;
}

/* --- its end --- */

static u32 wasi_sched_yield(void) {
    return WASI_OK;
}

static void wasi_proc_exit(u32 status) {
    streams->exited = 1;
    streams->status = status;
    wasm_rt_trap(WASM_RT_TRAP_UNREACHABLE);
}
