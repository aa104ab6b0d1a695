/* Whole reads and writes, and packets with descriptors. All restart after EINTR. */
#pragma once

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

int write_all(int fd, const void *data, size_t len); /* 0 or -errno */
ssize_t read_full(int fd, void *data, size_t len);   /* bytes read (short at EOF) or -errno */
int write_file_at(int dirfd, const char *path, const char *text); /* opens, writes once, closes */
ssize_t read_file_at(int dirfd, const char *path, char *text, size_t size); /* NUL-terminated */
/* Like mkdir -p. New directories get this mode, whatever the umask is. Returns 0 or -errno, and
 * sets errno. */
int make_path(const char *path, mode_t mode);
DIR *opendir_at(int dirfd, const char *path); /* follows no link at `path`; NULL with errno */
bool tmpfs_dir_is_empty(int fd);              /* false also if it is in another file system */

#define PACKET_MAX_FDS 12

/* Sends one SEQPACKET message with descriptors, which stay the caller's. 0 or -errno. */
int packet_send(int sock, const void *data, size_t len, const int *fds, size_t nfds);
/* The same, with one end of a new socket pair for what follows. Returns the other end, or -errno.
 */
int packet_send_pair(int sock, const void *data, size_t len);

/* Receives one message. Returns its length, 0 at end, or -errno: -EMSGSIZE when the message was
 * cut, -EMFILE when this process could not take all of its descriptors (it then keeps none). All
 * are close-on-exec; those beyond `*nfds` are closed. `*nfds` is the room before the call, the
 * count after it. */
ssize_t packet_recv(int sock, void *data, size_t len, int *fds, size_t *nfds, int flags);

/* Raises the limit of open files to the hard limit. The soft limit protects users of select(), and
 * nothing here uses it. */
void descriptors_raise(void);

/* Random bytes from the kernel, at most 256. */
void random_bytes(void *data, size_t len);

/* What RLIMIT_DATA counts of this process, in bytes; 0 if /proc does not tell. */
uint64_t data_mapped(void);

/* Monotonic time. */
uint64_t now_ns(void);
/* Waits until there is something to read; a signal does not end the wait. False: the time is over.
 */
bool readable_within(int fd, int ms);
/* Whether nobody has the other end of a socket any more. */
bool hung_up(int fd);
