#!/usr/bin/python3
"""Layer ablation: proves that every layer said to stop a case does so alone. Runs as root, in the virtual machine only.

For each case three kinds of run: with all layers on it is contained; with one of its layers on and the others off it
is contained; with all of its layers off the canary notices. `aside` names layers that are off in the last two kinds
without being on trial: they do not stop the case alone, or are tied to one that is (a filter cannot be loaded without
no_new_privs or a capability; without a root of its own the supervisor finds no /proc of its own pid namespace)."""
import ctypes
import dataclasses
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import textwrap

BUILD = pathlib.Path(__file__).resolve().parents[2] / "build/ablation"
TOKEN = "canary-5f21c9"
SECRET = pathlib.Path("/etc/canary")  # readable for root only
TARGET = pathlib.Path("/etc/canary-target")  # writable for root only, not in a session's root
SYSTEM_TARGET = pathlib.Path("/usr/share/canary-target")  # in a session's root too
SETUID_CAT = pathlib.Path("/usr/local/bin/canary-cat")
SHM_KEY = 0xCAFE
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p


def in_test_machine():
    return os.geteuid() == 0 and "retort.only=" in pathlib.Path("/proc/cmdline").read_text()


# ---- what the host has ------------------------------------------------------------------------------------------


def prepare():
    """Files that canaries are, and what a session without a root of its own finds instead of it."""
    shutil.copytree(BUILD / "guest", "/opt/retort", dirs_exist_ok=True)
    pathlib.Path("/work").mkdir(exist_ok=True)
    os.chmod("/work", 0o777)
    SECRET.write_text(TOKEN)
    SECRET.chmod(0o600)
    SETUID_CAT.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy("/usr/bin/cat", SETUID_CAT)
    SETUID_CAT.chmod(0o4755)


class Host:
    """What a case may reach for, made anew for each run."""

    def __init__(self):
        for target in (TARGET, SYSTEM_TARGET):
            target.write_text("untouched")
            target.chmod(0o644)
        socket.sethostname("vm")
        self.victim = subprocess.Popen(["sleep", "600"], env={"SECRET": TOKEN})
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.setblocking(False)
        self.key = make_key()
        self.segment = make_segment()

    def names(self):
        """What the code of a case may be told."""
        return {"VICTIM": self.victim.pid, "PORT": self.listener.getsockname()[1], "DISK": os.stat("/dev/vda").st_rdev}

    def close(self):
        self.victim.kill()
        self.victim.wait()
        self.listener.close()
        libc.shmctl(self.segment, 0, None)
        subprocess.run(["umount", "-q", "/tmp/canary-mount"], check=False, stderr=subprocess.DEVNULL)
        shutil.rmtree("/work", ignore_errors=True)
        pathlib.Path("/work").mkdir(exist_ok=True)
        os.chmod("/work", 0o777)


def make_key():
    add_key, keyctl, user_keyring, setperm, all_for_owner = 248, 250, -4, 5, 0x3F3F0000
    key = libc.syscall(add_key, b"user", b"canary", TOKEN.encode(), len(TOKEN), user_keyring)
    libc.syscall(keyctl, setperm, key, all_for_owner)
    return key


def make_segment():
    ipc_creat = 0o1000
    segment = libc.shmget(SHM_KEY, 64, ipc_creat | 0o666)
    address = libc.shmat(segment, None, 0)
    ctypes.memmove(address, TOKEN.encode(), len(TOKEN))
    libc.shmdt(ctypes.c_void_p(address))
    return segment


# ---- how a canary notices ---------------------------------------------------------------------------------------


def token_came_out(_, output):
    return TOKEN in output


def said(words):
    return lambda _, output: words in output


def changed(path):
    return lambda *_: path.read_text() != "untouched"


def was_called(host, _):
    try:
        host.listener.accept()[0].close()
        return True
    except BlockingIOError:
        return False


def victim_died(host, _):
    return host.victim.poll() is not None


def name_changed(*_):
    return socket.gethostname() != "vm"


def mount_is_seen(*_):
    return " canary " in pathlib.Path("/proc/self/mountinfo").read_text()


# ---- the cases --------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Case:
    id: str
    layers: str  # each of which stops it
    noticed: object
    code: str
    aside: str = ""


CASES = [
    Case("A1 read a host file", "mount user uid", token_came_out, "print(open('/etc/canary').read())", aside="pid"),
    Case("A3 write a host file", "mount user uid", changed(TARGET), "open('/etc/canary-target', 'w').write('x')",
         aside="pid"),
    Case("A3 write a system file", "readonly user uid", changed(SYSTEM_TARGET),
         "open('/usr/share/canary-target', 'w').write('x')"),
    Case("A7 make a device and read it", "seccomp caps user landlock mount", said("the disk was read"), """
         os.mknod('/work/disk', 0o60600, DISK)
         if os.read(os.open('/work/disk', os.O_RDONLY), 512):
             print('the disk was read')""", aside="uid pid"),
    Case("A9 mount", "seccomp caps user mount landlock", mount_is_seen, """
         os.makedirs('/tmp/canary-mount', exist_ok=True)
         libc.mount(b'canary', b'/tmp/canary-mount', b'tmpfs', 0, None)""", aside="uid pid"),
    Case("C4 kill a host process", "pid user uid", victim_died, "os.kill(VICTIM, 9)", aside="landlock"),
    Case("C10 run a set-uid program", "nnp mount user", token_came_out, """
         import subprocess
         subprocess.run(['/usr/local/bin/canary-cat', '/etc/canary'])""", aside="seccomp landlock pid"),
    Case("C12 trace a host process", "pid seccomp user landlock", said("attached"), """
         if libc.ptrace(16, VICTIM, None, None) == 0:
             print('attached')""", aside="uid caps"),
    Case("H1 call the host's loopback", "net", was_called, """
         import socket
         socket.create_connection(('127.0.0.1', PORT), 5).send(b'x')"""),
    Case("J1 make a namespace", "seccomp user", said("in a namespace of its own"), """
         if libc.unshare(0x10000000) == 0:
             print('in a namespace of its own')"""),
    Case("J5 read a host key", "seccomp user uid", token_came_out, """
         key = libc.syscall(250, 10, -4, b'user', b'canary', 0)
         text = ctypes.create_string_buffer(64)
         if libc.syscall(250, 11, key, text, 64) > 0:
             print(text.value.decode())"""),
    Case("J5 make a bpf map", "seccomp caps user", said("a map was made"), """
         import struct
         attributes = struct.pack('5I', 2, 4, 4, 1, 0) + bytes(100)
         if libc.syscall(321, 0, attributes, len(attributes)) >= 0:
             print('a map was made')""", aside="uid"),
    Case("J8 see the host's cgroup", "cgroup", said("slice"), "print(open('/proc/self/cgroup').read())"),
    Case("K1 read a host environment", "pid user landlock", token_came_out,
         "print(open(f'/proc/{VICTIM}/environ').read())", aside="uid caps"),
    Case("K5 rename the host", "uts seccomp caps user", name_changed, "libc.sethostname(b'canary', 6)", aside="uid"),
    Case("L1 read shared memory", "ipc", token_came_out, """
         libc.shmat.restype = ctypes.c_void_p
         segment = libc.shmget(0xCAFE, 64, 0)
         if segment >= 0:
             print(ctypes.string_at(libc.shmat(segment, None, 0o10000)).decode())"""),
]

PREAMBLE = "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nprint('here', flush=True)\n"


def run(case, off):
    """Runs the case with those layers off. True: the canary noticed."""
    host = Host()
    names = "".join(f"{name} = {value}\n" for name, value in host.names().items())
    code = names + PREAMBLE + textwrap.dedent(case.code)
    try:
        done = subprocess.run([BUILD / "retort", "run", "-c", code], capture_output=True, text=True, check=False,
                              env={"PATH": "/usr/bin", "RETORT_ABLATE": ",".join(sorted(off))}, timeout=120)
        output = done.stdout + done.stderr
        if "here" not in done.stdout:
            raise RuntimeError(f"it did not run at all: {output}")
        return case.noticed(host, output), output
    finally:
        host.close()


def trials(case):
    """(what is tried, layers off, whether the canary should notice)."""
    listed, aside = set(case.layers.split()), set(case.aside.split())
    yield "all on", set(), False
    for layer in case.layers.split():
        yield f"{layer} alone", listed - {layer} | aside, False
    yield "all off", listed | aside, True


def main():
    if not in_test_machine():
        sys.exit("layers are switched off only in the machine of tests/vm/run, as root")
    prepare()
    failures = 0
    for case in CASES:
        for what, off, expected in trials(case):
            try:
                noticed, output = run(case, off)
            except (RuntimeError, subprocess.TimeoutExpired) as e:
                noticed, output = None, str(e)
            verdict = "ok" if noticed == expected else "FAIL"
            print(f"{verdict:4} {case.id}, {what}: {'noticed' if noticed else 'contained' if noticed is False else 'no run'}",
                  flush=True)
            if noticed != expected:
                failures += 1
                print(textwrap.indent(output[-800:], "     "), flush=True)
    print(f"{len(CASES)} cases, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
