"""J: namespaces and the rest of the kernel's surface."""
import os
import pathlib

from ring import refused
from test_probe_syscalls import PROBE, ask, differences

NAMESPACES = {"NEWTIME": 0x80, "NEWNS": 0x20000, "NEWCGROUP": 0x2000000, "NEWUTS": 0x4000000, "NEWIPC": 0x8000000,
              "NEWUSER": 0x10000000, "NEWPID": 0x20000000, "NEWNET": 0x40000000}
UNCOUNTED = ("x86_64 29:", "x86_64 64:", "x86_64 68:", "x86_64 319:")  # shmget, semget, msgget, memfd_create


def test_J1_namespaces(box):
    code = f"""
import fcntl
for name, flag in {NAMESPACES!r}.items():
    syscall('unshare ' + name, 272, flag)
    if name != 'NEWTIME': syscall('clone ' + name, 56, flag | 17, 0, 0, 0, 0)
    arguments = (ctypes.c_ulonglong * 11)(flag, 0, 0, 0, 17)
    syscall('clone3 ' + name, 435, arguments, 88)
for name in ('user', 'mnt', 'pid', 'net', 'ipc', 'uts', 'cgroup', 'time'):
    fd = os.open('/proc/self/ns/' + name, os.O_RDONLY)
    syscall('setns ' + name, 308, fd, 0)
    attempt('owner ' + name, fcntl.ioctl, fd, 0xb701)
    attempt('parent ' + name, fcntl.ioctl, fd, 0xb702)
"""
    refused(box.attempts(code), "EPERM", "ENOSYS", "ENOSPC", "ENOTTY", "EACCES")


def test_J2_every_call(box):
    """All numbers, all ABIs, tried in a session, are answered as the table says."""
    probe = box.caller.home / "probe"
    probe.write_bytes(pathlib.Path(PROBE).read_bytes())
    code = "import os, subprocess\nos.chmod('probe', 0o755)\nsubprocess.run(['./probe'], check=True)"
    outcome = box.run(code, "--file", probe, "--output", "1024", "--timeout", "100")
    wrong = list(differences(ask("--expect").stdout, outcome["stdout"]))
    if not box.cgroup:  # nothing would count what they hold
        assert {line for line in wrong if line.startswith(UNCOUNTED)} == {f"{call} ENOSYS, not allowed" for call in UNCOUNTED}
        wrong = [line for line in wrong if not line.startswith(UNCOUNTED)]
    assert wrong == []


def test_J4_asynchronous_input_and_output(box):
    code = """
parameters = ctypes.create_string_buffer(120)
syscall('io_uring_setup', 425, 8, parameters)
syscall('io_uring_enter', 426, 3, 1, 0, 0, None, 0)
syscall('io_uring_register', 427, 3, 0, None, 0)
syscall('io_setup', 206, 8, ctypes.byref(ctypes.c_ulong()))
syscall('io_submit', 209, 0, 0, None)
"""
    refused(box.attempts(code), "ENOSYS")


def test_J5_kernel_facilities(box):
    code = """
b = ctypes.create_string_buffer(256)
syscall('bpf', 321, 5, b, 128)
syscall('perf', 298, b, 0, -1, -1, 0)
syscall('userfaultfd', 323, 0)
syscall('keyctl session', 250, 0, -3, 0)
syscall('keyctl read', 250, 11, -4, b, 256)
syscall('add_key', 248, b'user', b'x', b, 8, -3)
syscall('request_key', 249, b'user', b'x', None, -3)
syscall('kcmp', 312, 1, os.getpid(), 0, 0, 0)
syscall('memfd_secret', 447, 0)
syscall('init_module', 175, b, 8, b'')
syscall('finit_module', 313, 0, b'', 0)
syscall('kexec', 246, 0, 0, None, 0)
syscall('reboot', 169, 0xfee1dead, 672274793, 0x89abcdef, None)
syscall('swapon', 167, b'/work/x', 0)
syscall('acct', 163, b'/work/x')
syscall('quotactl', 179, 0, b'/dev/null', 0, b)
syscall('sethostname', 170, b'x', 1)
syscall('setdomainname', 171, b'x', 1)
syscall('iopl', 172, 3)
syscall('ioperm', 173, 0, 1, 1)
syscall('modify_ldt', 154, 1, b, 16)
syscall('open_by_handle_at', 304, -100, b, 0)
syscall('name_to_handle_at', 303, -100, b'/', b, b, 0)
syscall('fanotify_init', 300, 0, 0)
syscall('vhangup', 153)
syscall('splice', 275, 0, None, 1, None, 1, 0)
syscall('tee', 276, 0, 1, 1, 0)
syscall('vmsplice', 278, 1, b, 1, 0)
syscall('mbind', 237, b, 4096, 0, None, 0, 0)
syscall('move_pages', 279, 0, 0, None, None, None, 0)
syscall('sched_setscheduler', 144, 0, 1, b)
syscall('ioprio_set', 251, 1, 0, 0)
syscall('seccomp', 317, 1, 0, b)
syscall('landlock', 444, b, 8, 0)
syscall('prctl seccomp', 157, 22, 2, b, 0, 0)
syscall('prctl mm', 157, 35, 1, 0, 0, 0)
syscall('prctl ptracer', 157, 0x59616d61, -1, 0, 0, 0)
syscall('prctl dumpable', 157, 4, 0, 0, 0, 0)
syscall('prctl core', 157, 62, 1, 0, 0, 0)
syscall('personality', 135, 0x0040000)
import fcntl
attempt('lease', fcntl.fcntl, os.open('/work', os.O_RDONLY), 1024, 1)
attempt('notify', fcntl.fcntl, os.open('/work', os.O_RDONLY), 1026, 1)
attempt('owner', fcntl.fcntl, 1, fcntl.F_SETOWN, 1)
"""
    refused(box.attempts(code), "EPERM", "ENOSYS", "EINVAL")


def test_J6_terminals(box):
    """As seen by a program that is started from a terminal, too: it has none."""
    code = """
import fcntl, os, struct
attempt('tty', os.open, '/dev/tty', os.O_RDWR)
attempt('console', os.open, '/dev/console', os.O_RDWR)
attempt('ptmx', os.open, '/dev/ptmx', os.O_RDWR)
for fd in (0, 1, 2, 3):
    for name, number in (('TIOCSTI', 0x5412), ('TIOCLINUX', 0x541c), ('TIOCSCTTY', 0x540e), ('TIOCCONS', 0x541d)):
        attempt(f'{name} {fd}', fcntl.ioctl, fd, number, b'x')
        syscall(f'{name} high {fd}', 16, fd, number | 1 << 32, b'x')
"""
    refused(box.attempts(code), "EPERM", "ENXIO", "ENOENT", "EACCES")
    controller, terminal = os.openpty()
    try:
        done = box.caller.run("run", "-c", "import os; print([os.isatty(i) for i in range(3)]); open('/dev/tty')", input=None,
                              stdin=terminal, start_new_session=True)
        assert done.stdout == b"[False, False, False]\n" and b"FileNotFoundError" in done.stderr
    finally:
        os.close(controller)
        os.close(terminal)


def test_J8_cgroups(box):
    code = """
tell('own', open('/proc/self/cgroup').read().replace(chr(10), ' '))
syscall('mount v1', 165, b'c', b'/work', b'cgroup', 0, b'memory')
syscall('mount v2', 165, b'c', b'/work', b'cgroup2', 0, None)
attempt('sys', os.listdir, '/sys/fs/cgroup')
for place, folders, files in os.walk('/'):
    folders[:] = [f for f in folders if os.path.join(place, f) not in ('/usr', '/proc')]
    for name in files:
        if name in ('cgroup.procs', 'release_agent', 'notify_on_release'): tell('found ' + name, place)
attempt('move', lambda: os.write(os.open('/proc/self/cgroup', os.O_WRONLY), b'0'))
"""
    attempts = box.attempts(code)
    own = attempts.pop("own").split()
    if box.cgroup:  # a path of its own root; anything above would begin with /..
        assert all(line.endswith(":/") or "retort" not in line for line in own)
    assert not any("retort" in line for line in own)
    refused(attempts, "EPERM", "ENOENT", "EACCES")
