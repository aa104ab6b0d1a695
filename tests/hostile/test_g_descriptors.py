"""G: descriptors."""
import subprocess

import pytest
from ring import refused

LIST = """
import os
for fd in sorted(map(int, os.listdir('/proc/self/fd'))):
    try: print(fd, os.readlink(f'/proc/self/fd/{fd}').split(':')[0])
    except FileNotFoundError: pass  # that of the listing itself
"""


def test_G2_open_at_the_first_instruction(box):
    assert box.run(LIST)["stdout"] == "0 /dev/null\n1 pipe\n2 pipe\n3 socket\n"
    bash = box.run("ls -l /proc/$$/fd > /tmp/list; awk 'NR > 1 { sub(/:.*/, \"\", $11); print $9, $11 }' /tmp/list",
                   language="bash")
    assert bash["stdout"] == "0 /dev/null\n1 pipe\n2 pipe\n"
    long = box.run("#" + "x" * 200000 + "\nls /proc/$$/fd > /tmp/list; cat /tmp/list", language="bash")["stdout"].split()
    assert set(long) <= {"0", "1", "2", "3", "255"}


def test_G3_what_descriptors_lead_to(box):
    code = """
import fcntl, socket, stat, struct
for fd in range(65536):
    try: mode = os.fstat(fd).st_mode
    except OSError: continue
    if '/libffi.so' in os.readlink('/proc/self/fd/%d' % fd): continue  # some versions keep their own library open
    kind = 'socket' if stat.S_ISSOCK(mode) else 'pipe' if stat.S_ISFIFO(mode) else 'device' if stat.S_ISCHR(mode) else 'file'
    tell(str(fd), kind)
channel = socket.socket(fileno=os.dup(3))
tell('family', channel.family == socket.AF_UNIX)
tell('name', repr(channel.getsockname()) + repr(channel.getpeername()))
pid, uid, gid = struct.unpack('3i', channel.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
tell('peer', (pid, uid in (65534, 1000, 0), gid in (65534, 1000, 0)))
for fd in (0, 1, 2, 3):
    for flags in (os.O_RDONLY, os.O_RDWR): attempt(f'reopen {fd} {flags}', os.open, f'/proc/self/fd/{fd}/..', flags)
attempt('pidfd_getfd', lambda: libc.syscall(438, os.pidfd_open(1), 3, 0) >= 0 or (_ for _ in ()).throw(PermissionError(1, 'x')))
"""
    seen = box.attempts(code)
    assert {seen.pop(str(fd)) for fd in (0,)} == {"device"} and (seen.pop("1"), seen.pop("2")) == ("pipe", "pipe")
    assert seen.pop("3") == "socket" and seen.pop("family") == "True" and seen.pop("name") == "''''"
    assert seen.pop("peer") == "(0, True, True)"  # pid 0: whoever is there is not in this namespace
    refused(seen, "ENOTDIR", "ENOENT", "EACCES", "EPERM")


@pytest.mark.parametrize("count_of_descriptors", [1, 253])
def test_G4_descriptors_for_the_broker(box, count_of_descriptors):
    """Sent over the channel by SCM_RIGHTS they are dropped by the kernel: nobody there has room for them."""
    code = f"""
import array, os, socket
channel = socket.socket(fileno=3)
fds = [os.open('/work', os.O_PATH) for _ in range({count_of_descriptors})]
for _ in range(50):
    try: channel.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', fds))])
    except OSError: break
a, b = socket.socketpair()
for _ in range(200):  # sockets that hold each other in flight
    try: a.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [a.fileno(), b.fileno()]))], [], socket.MSG_DONTWAIT)
    except OSError: break
os._exit(0)
"""
    box.run(code, status=("exit", "lost"))


def test_G4_nonsense_on_the_channel(box):
    for nonsense in ("b'\\0' * 8", "b'\\xff' * 65536", "os.urandom(4096)", "b'x'"):
        outcome = box.run(f"import os\nfor _ in range(100):\n    try: os.write(3, {nonsense})\n    except OSError: break\n"
                          "print('went on', flush=True)\nos._exit(5)", status=("exit", "lost"))
        assert outcome["status"] == "exit" or "protocol_error" in outcome["flags"]


def test_G6_per_user_limits(box):
    """One session has eaten up what the kernel counts by user; another one finds what it needs."""
    greedy = """
import os, select, socket, time, fcntl
kept = []
try:
    while True:
        r, w = os.pipe(); kept += [r, w]
        fcntl.fcntl(w, 1031, 1 << 20)
except OSError: pass
print('full', flush=True)
time.sleep(600)
"""
    victim = """
import ctypes, os, select
pairs = [os.pipe() for _ in range(20)]
for r, w in pairs: os.set_blocking(w, False)
written = sum(os.write(w, bytes(4096)) for r, w in pairs)
libc = ctypes.CDLL(None)
print(written, select.epoll().fileno() >= 0)
"""
    child = box.caller.popen("run", "-c", greedy, stdout=-1)
    try:
        assert child.stdout.readline() == b"full\n"
        assert box.run(victim)["stdout"] == "81920 True\n"
    finally:
        child.kill()
        child.communicate()


def test_G6_inotify(box):
    """The kernel counts instances and watches for the owners of user namespaces too: one session must not use up the host's.
    Where device nodes are the host's, a session has none at all."""
    greedy = """
import ctypes, os, time
libc = ctypes.CDLL(None)
kept = []
while len(kept) < 500 and (fd := libc.inotify_init()) >= 0: kept.append(fd)
os.mkdir('d')
kept.append(-1)
watches = 0
for i in range(5000):
    open(f'd/{i}', 'w').close()
    if libc.inotify_add_watch(kept[0], b'd/%d' % i, 0xfff) < 0: break
    watches += 1
print(len(kept) - 1, watches, flush=True)
time.sleep(600)
"""
    victim = "import ctypes; print(ctypes.CDLL(None).inotify_init() >= 0)"
    child = box.caller.popen("run", "--disk", "64", "-c", greedy, stdout=-1)
    try:
        assert child.stdout.readline() == (b"8 1024\n" if box.mode == "root" else b"0 0\n")
        assert box.run(victim)["stdout"] == f"{box.mode == 'root'}\n"
        command = [*box.caller.prefix, "/usr/bin/python3", "-c", f"{victim}"]
        assert subprocess.run(command, capture_output=True, check=True).stdout == b"True\n"
    finally:
        child.kill()
        child.communicate()
