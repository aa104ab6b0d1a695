"""Y: kernel objects that no cgroup counts, or that the kernel counts for others as well."""
import dataclasses
import subprocess

import pytest

# What waits in sockets is charged to a cgroup in part only: not the answers of netlink, not what came for a connection that
# nobody has accepted (which has no descriptor either), with version 1 neither TCP nor UDP; and TCP has one limit for the host.
SOCKETS = {
    "netlink": """
import socket, struct
kept = []
for i in range(480):
    s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0); kept.append(s)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 30); s.bind((0, 0)); s.setblocking(False)
    try:
        for _ in range(400): s.send(struct.pack('IHHIIBBHiII', 32, 18, 1, 1, 0, 0, 0, 0, 1, 0, 0))
    except OSError: pass
""",
    "unaccepted": """
import socket
door = socket.socket(); door.bind(('127.0.0.1', 0)); door.listen(4096)
for i in range(4000):
    c = socket.socket(); c.connect(door.getsockname()); c.setblocking(False)
    try:
        while True: c.send(bytes(65536))
    except BlockingIOError: pass
    c.close()
""",
    "tcp": """
import socket
door = socket.socket(); door.bind(('127.0.0.1', 0)); door.listen(128)
held, kept = 0, []
for i in range(200):
    a = socket.socket(); a.connect(door.getsockname()); b, _ = door.accept(); kept += [a, b]
    a.setblocking(False)
    try:
        while True: held += a.send(bytes(1 << 20))
    except BlockingIOError: pass
""",
    "udp": """
import socket
kept = []
for i in range(200):
    a, b = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in 'ab')
    b.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 30); b.bind(('127.0.0.1', 0)); a.connect(b.getsockname())
    kept += [a, b]
    for _ in range(400): a.send(bytes(1000))
""",
    "unix": """
import socket
door = socket.socket(socket.AF_UNIX); door.bind('door'); door.listen(4096)
for i in range(2000):
    c = socket.socket(socket.AF_UNIX); c.connect('door'); c.setblocking(False)
    try:
        while True: c.send(bytes(65536))
    except BlockingIOError: pass
    c.close()
""",
}


@pytest.mark.few
def test_Y1_what_waits_in_sockets_is_memory(box):
    stay = "\nimport time\nprint(globals().get('held', 0) >> 20, flush=True)\ntime.sleep(20)"
    cases = {name: code + stay for name, code in SOCKETS.items()}
    outcomes = box.run_all(cases, "--memory", "64", "--timeout", "60", at_once=2, status=("ok", "oom"))
    ends = {name: outcome["status"] for name, outcome in outcomes.items()}
    if ends["tcp"] == "ok":  # held back by the kernel, a little before the limit
        assert int(outcomes["tcp"]["stdout"]) <= 64
        ends["tcp"] = "oom"
    assert set(ends.values()) == {"oom"}, ends


UNDER_WAY = """
import array, socket, time
kept, sent = [], 0
try:
    while True:
        kept.append(socket.socketpair())
        kept[-1][0].sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [0] * 253))])
        sent += 253
except OSError as e: print(sent, e.errno, flush=True)
"""
PASS_ONE = """
import array, socket
a, b = socket.socketpair()
a.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [0]))])
print('passed')
"""


def few_files(caller):
    """With the limit that users have by default."""
    return dataclasses.replace(caller, prefix=(*caller.prefix, "/usr/bin/prlimit", "--nofile=1024:1024"))


def test_Y2_descriptors_under_way_are_counted_by_user(lonely_user):
    """In plain mode the caller is that user: his programs, and other sessions, still pass descriptors."""
    user = few_files(lonely_user)
    child = user.popen("run", "-c", UNDER_WAY + "time.sleep(600)", stdout=-1)
    try:
        sent, errno = child.stdout.readline().split()
        assert errno == b"109" and int(sent) > 253
        done = subprocess.run(user.command("/usr/bin/python3", "-c", PASS_ONE), capture_output=True, check=False)
        assert done.stdout == b"passed\n", done.stderr
        result = user.result("open('made', 'w').write('x')")
        assert result["status"] == "ok" and [f["path"] for f in result["files"]] == ["made"]
    finally:
        child.kill()
        child.communicate()


def test_Y2_files_are_seen_all_the_same(box):
    """The collector has the session's uid, and passes a descriptor for each file."""
    outcome = box.run(UNDER_WAY + "open('made', 'w').write('x' * 3000000)")
    assert [f["path"] for f in outcome["files"]] == ["made"] and outcome["flags"] == []


WAITING_SIGNALS = """
import ctypes, os, signal, time
signal.pthread_sigmask(signal.SIG_BLOCK, [39])
value = ctypes.c_void_p(1)
libc, sent = ctypes.CDLL(None), 0
while sent < 2000 and libc.sigqueue(os.getpid(), 39, value) == 0: sent += 1
print(sent, flush=True)
"""


@pytest.mark.parametrize("who", ["root", "lonely_user"])
def test_Y3_signals_that_wait_are_counted_upwards(request, light, who):
    """Up to whoever started Retort, root too: sessions have half of what he has, all together."""
    caller = light if who == "root" else request.getfixturevalue(who)
    if who == "root" and not light.root:
        caller = request.getfixturevalue("lonely_user")
    limit = 3000
    if caller.root:  # others of root's have signals waiting meanwhile
        limit += int(open("/proc/self/status").read().split("SigQ:")[1].split("/")[0])
    caller = dataclasses.replace(caller, prefix=(*caller.prefix, "/usr/bin/prlimit", f"--sigpending={limit}:{limit}"))
    children = [caller.popen("run", "-c", WAITING_SIGNALS + "time.sleep(600)", stdout=-1) for _ in range(4)]
    try:
        sent = [int(child.stdout.readline()) for child in children]
        assert max(sent) <= 1024 and sum(sent) <= limit // 2 + 100
        done = subprocess.run(caller.command("/usr/bin/python3", "-c", WAITING_SIGNALS), capture_output=True, check=False)
        assert int(done.stdout) > 1000
    finally:
        for child in children:
            child.kill()
            child.communicate()
