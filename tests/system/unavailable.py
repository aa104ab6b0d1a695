"""Layers made unavailable around retort, without a change to the host: limits hold in user namespaces made for the test,
and system calls are refused by a filter that the test puts around the program."""
import ctypes
import os
import struct
import subprocess

LANDLOCK = (444, 445, 446)
SECCOMP = 317
MOUNT = 165
EPERM, ENOSYS = 1, 38


def in_user_namespace(caller, limits, *arguments, times=1):
    """Runs retort as an ordinary user of a user namespace in whose parent the limits hold."""
    script = "".join(f"echo {value} >/proc/sys/user/{name}; " for name, value in limits.items())
    inner = "exec unshare --user --map-user=1000 --map-group=1000 -- \"$@\"" if times == 2 else "exec \"$@\""
    words = caller.command("unshare", "--user", "--map-root-user", "--", "bash", "-c", script + inner, "bash",
                           caller.retort, *arguments)
    return subprocess.run(words, env=caller.environment(), cwd=caller.home, capture_output=True, check=False, timeout=120)


def filter_that_refuses(calls):
    """A seccomp program: these calls fail as told, all others go on."""
    load_number, equal, give = (0x20, 0, 0), 0x15, 0x06
    program = [(*load_number, 0)]
    for number, error in calls.items():
        program += [(equal, 0, 1, number), (give, 0, 0, 0x50000 | error)]
    program.append((give, 0, 0, 0x7FFF0000))
    return [struct.pack("HBBI", *one) for one in program]


def dockers_filter():
    """What of the profile that Docker and Kubernetes put around a container concerns us: no namespaces, no mounts."""
    flags, equal, any_of, load, give = 0x7E020000, 0x15, 0x45, 0x20, 0x06
    program = [(load, 0, 0, 0), (equal, 0, 1, 435), (give, 0, 0, 0x50000 | ENOSYS)]
    for number in (272, 165, 166, 155, 308, 428, 429):  # unshare, mount, umount2, pivot_root, setns, open_tree, move_mount
        program += [(equal, 0, 1, number), (give, 0, 0, 0x50000 | EPERM)]
    program += [(equal, 0, 3, 56), (load, 0, 0, 16), (any_of, 0, 1, flags), (give, 0, 0, 0x50000 | EPERM)]
    program.append((give, 0, 0, 0x7FFF0000))
    return [struct.pack("HBBI", *one) for one in program]


def with_refused(caller, calls, *arguments):
    """Runs retort with system calls refused around it, as a container may do it."""
    return with_filter(caller, filter_that_refuses(calls), *arguments)


def with_filter(caller, instructions, *arguments):
    code = ctypes.create_string_buffer(b"".join(instructions))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(instructions), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)

    def refuse():
        if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, program, 0, 0) != 0:
            os._exit(99)

    return caller.run(*arguments, preexec_fn=refuse)
