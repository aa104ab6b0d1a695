/* What is needed to read the table of system calls (syscalls.def), and everything in it that
 * depends on the architecture.
 *
 * Runs in: supervisor, zygotes, the programs and tests that read the table.
 * Hostile: nothing here.
 * Owns: the names of constants that the oldest supported headers lack.
 * Tests: tests/unit/test_seccomp.c
 */
#pragma once

#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/fs.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <linux/securebits.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

/* The architecture. Another one needs its own audit number, and calls that it lacks (aarch64 has no
 * open, fork, poll, …) must be left out of the table. */
#ifndef __x86_64__
#error "the table of system calls is written for x86_64"
#endif
#define SYSCALLS_AUDIT_ARCH AUDIT_ARCH_X86_64
#define SYSCALLS_FOREIGN_BIT 0x40000000u /* x32 shares the audit number of x86_64 */
#define SYSCALLS_COUNT 512               /* every number in the table is below */

#define SYSCALLS_MAX_TESTS 3 /* tests of one WHEN */

/* Not CLONE_NEWTIME: its bit lies in the byte of clone's exit signal. */
#define SYSCALLS_CLONE_NEW                                                                     \
    (CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | \
     CLONE_NEWCGROUP)

/* An argument that the kernel ignores. Dropping capabilities harms nobody, and a branch needs it;
 * but programs that try to sandbox themselves must find it refused, as before. */
#define SYSCALLS_MARK 0x6272616eu

/* The securebits of a guest, which never change. */
#define SYSCALLS_SECUREBITS                                                 \
    (SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP_LOCKED | \
     SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED)

#define SYSCALLS_IOC_TYPE 0xff00 /* the "type" byte of an ioctl number */
#define SYSCALLS_IPT_SO_SET 64   /* and 65; the same in IPv4 and IPv6 */
#define SYSCALLS_SOL_NETLINK 270 /* not in libc's headers */
#define SYSCALLS_FLOWLABEL_MGR 32
#define SYSCALLS_TCP_FASTOPEN 23
#define SYSCALLS_PR_SET_MDWE 65 /* Linux 6.3 */
#define SYSCALLS_PR_GET_MDWE 66

/* uretprobe and uprobe: the kernel uses them itself, on the return path of traced functions, and
 * runs no filter for them (Linux 6.14 and 6.18). If any other code calls them, they fail with ENXIO
 * or a signal. */
#define SYSCALLS_UNFILTERED(nr) ((nr) == 335 || (nr) == 336)
