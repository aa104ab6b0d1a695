"""What `retort doctor` asks from inside a session: each layer is tried, and one JSON object printed.

PORT, set by the caller, is a listener on the loopback device of the host."""
import ctypes
import errno
import json
import os
import signal
import socket

# System call numbers of x86-64; no kernel has the last one.
CALLS = {"mount": 165, "unshare": 272, "keyctl": 250, "bpf": 321, "ptrace": 101, "io_uring_setup": 425, "unknown": 1000}
CLONE_NEWUSER = 0x10000000
AF_ALG = 38


def outcome(function, *arguments):
    """The name of the error that a call ends with, or "ok"."""
    try:
        function(*arguments)
        return "ok"
    except OSError as e:
        return errno.errorcode.get(e.errno, str(e.errno))


def system_call(libc, number, *arguments):
    def attempt():
        if libc.syscall(number, *arguments) == -1:
            raise OSError(ctypes.get_errno(), "")
    return outcome(attempt)


def system_calls():
    libc = ctypes.CDLL(None, use_errno=True)
    arguments = {"mount": (b"none", b"/tmp", b"tmpfs", 0, None), "unshare": (CLONE_NEWUSER,)}
    return {name: system_call(libc, number, *arguments.get(name, (0, 0, 0, 0, 0))) for name, number in CALLS.items()}


def connect(address, port):
    with socket.socket() as s:
        s.settimeout(1)
        s.connect((address, port))


def forks():
    """Forks until the kernel refuses; counters outside show what refused it."""
    children = []
    try:
        while len(children) < 256:
            pid = os.fork()
            if pid == 0:
                signal.pause()
                os._exit(0)
            children.append(pid)
    except OSError:
        pass
    for pid in children:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return len(children)


def status():
    wanted = ("Seccomp", "NoNewPrivs", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")
    with open("/proc/self/status") as f:
        fields = dict(line.rstrip("\n").split(":\t", 1) for line in f if ":\t" in line)
    return {name: int(fields[name], 16) for name in wanted}


def text(path):
    with open(path) as f:
        return f.read()


def namespace(kind):
    return os.readlink(f"/proc/self/ns/{kind}")


print(json.dumps({
    "status": status(),
    "namespaces": {kind: namespace(kind) for kind in ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup")},
    "uid_map": text("/proc/self/uid_map").split(),
    "cgroups": text("/proc/self/cgroup").split("\n")[:-1],
    "groups": os.getgroups(),
    "hostname": os.uname().nodename,
    "interfaces": [name for _, name in socket.if_nameindex()],
    "processes": [name for name in os.listdir("/proc") if name.isdigit()],
    "calls": system_calls(),
    "alg": outcome(socket.socket, AF_ALG, socket.SOCK_SEQPACKET),
    "shadow": outcome(open, "/etc/shadow"),
    "write_root": outcome(os.mkdir, "/usr/doctor"),
    "loopback": outcome(connect, "127.0.0.1", PORT),  # noqa: F821
    "outside": outcome(connect, "192.0.2.1", 80),
    "forks": forks(),
}))
open("/work/doctor", "w").close()
