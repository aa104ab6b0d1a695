"""H: what is left of an ended session, its first process with all namespaces and mounts, is the next session's. One session
leaves in it what it can; the next one must see exactly what the first session of a new engine sees. Where anything was done that
lasts, none gets it."""
import os
import time

import pytest
from heirs import MODES, Engine

# Its /proc, and when that was mounted: no other has the same, and no guest can change it.
WHERE = "import os\nst = os.stat('/proc'); (st.st_dev, st.st_ctime_ns)"

LOOK = r"""
import ctypes, fcntl, os, re, socket, struct, subprocess, threading
libc = ctypes.CDLL(None, use_errno=True)
def of(path):
    st = os.stat(path)
    return st.st_mode, st.st_nlink, st.st_size, st.st_uid, st.st_gid, st.st_mtime_ns <= st.st_ctime_ns, os.listxattr(path)
def child():
    pid = os.fork()
    if pid == 0: os._exit(0)
    os.waitpid(pid, 0)
    return pid
def lock(path):
    with open(path) as f: return fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
def queue(): return libc.mq_open(b'/left', os.O_RDWR) < 0 and ctypes.get_errno()
def look():
    seen = {'processes': [name for name in os.listdir('/proc') if name.isdigit()], 'ids': (os.getpid(), os.getppid(), os.getsid(0))}
    seen['directories'] = [(path, of(path), os.listdir(path)) for path in ('/work', '/tmp', '/dev/shm', '/dev', '/', '/dev/pts')]
    seen['room'] = [(v.f_blocks - v.f_bfree, v.f_files - v.f_ffree) for v in map(os.statvfs, ('/work', '/tmp', '/dev/shm'))]
    seen['first process'] = os.getpriority(os.PRIO_PROCESS, 1), sorted(os.sched_getaffinity(1))
    seen['itself'] = os.getpriority(os.PRIO_PROCESS, 0), sorted(os.sched_getaffinity(0)), os.umask(18), os.getcwd(), os.uname().nodename
    seen['queues'] = queue(), libc.shmget(0, 64, 0o600), libc.msgget(0, 0o600), libc.semget(0, 1, 0o600)
    seen['locks'] = [lock(path) for path in ('/usr/bin/env', '/etc/passwd', '/opt/retort/init')]
    seen['threads'] = threading.active_count(), len(os.listdir('/proc/self/task')), sorted(os.listdir('/proc/self/fd'))
    seen['children'] = child(), child()
    mounts = [re.sub('[ug]id=[0-9]+', '', line).split() for line in open('/proc/self/mountinfo')]
    seen['mounts'] = sorted(words[4:6] + words[-3:] for words in mounts)
    return seen
look()
"""

TRY = r"""
import contextlib, ctypes, fcntl, mmap, os, signal, socket, subprocess, sys, tempfile, threading, time
quiet = contextlib.suppress(OSError)
libc = ctypes.CDLL(None, use_errno=True)
"""

# What a session does, and whether another gets what is left of it; None: perhaps.
LEFT = {
    "nothing": ("", True),
    "a look at its directories": ("[os.listdir(d) for d in ('/', '/work', '/tmp', '/dev', '/dev/shm')]; os.stat('/work')", True),
    "memory": ("x = bytearray(100 << 20)", True),
    "a mapping that was shared": ("m = mmap.mmap(-1, 1 << 20); m[:5] = b'left!'", True),
    "a file in memory": ("with quiet: fd = os.memfd_create('left'); os.write(fd, b'left')", True),
    "children": ("for _ in range(7): subprocess.run(['true'])", True),
    "threads": ("t = [threading.Thread(target=time.sleep, args=(0.01,)) for _ in range(9)]\nfor one in t: one.start()\nfor one in t: one.join()", True),
    "a thread": ("threading.Thread(target=time.sleep, args=(99,), daemon=True).start()", False),
    "a child that is not waited for": ("if os.fork() == 0: os._exit(0)", False),
    "a child that stays": ("subprocess.Popen(['sleep', '99'], start_new_session=True)", None),  # which the broker ends
    "an orphan that stays": ("if os.fork() == 0:\n  if os.fork() == 0:\n    os.setsid(); time.sleep(99)\n  os._exit(0)\nos.wait()", None),
    "signals to the first process": ("for n in range(1, 65):\n with quiet: os.kill(1, n)", True),
    "its own priority, processors, mask, limits": ("""
import resource
os.nice(5); os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); os.umask(0o77)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))""", True),
    "the first process's priority": ("os.setpriority(os.PRIO_PROCESS, 1, 9)", False),
    "everybody's priority": ("os.setpriority(os.PRIO_USER, 0, 9)", False),
    "the first process's processors": ("os.sched_setaffinity(1, {min(os.sched_getaffinity(0))})", False),
    "limits of the first process": ("""
import resource
with quiet: resource.prlimit(1, resource.RLIMIT_NOFILE, (3, 3))""", True),
    "files of the first process": ("""
for name in ('oom_score_adj', 'timerslack_ns', 'autogroup', 'coredump_filter', 'comm', 'mem', 'clear_refs', 'loginuid', 'uid_map'):
    with quiet: open('/proc/1/' + name, 'w').write('1')""", True),
    "a name of the host": ("with quiet: socket.sethostname('left')", True),
    "locks": ("kept = [open(p) for p in ('/usr/bin/env', '/etc/passwd', '/opt/retort/init')]\nfor f in kept: fcntl.flock(f, fcntl.LOCK_EX)", True),
    "watches": ("fd = libc.inotify_init1(0)\nfor d in (b'/work', b'/tmp', b'/usr'): libc.inotify_add_watch(fd, d, 0xfff)", True),
    "a file": ("open('/work/left', 'w').write('left')", False),
    "a file of another directory": ("open('/tmp/left', 'w').write('left')", False),
    "a file in shared memory": ("open('/dev/shm/left', 'w').write('left')", False),
    "a file, removed again": ("open('/tmp/left', 'w').close(); os.unlink('/tmp/left')", False),
    "a file, removed again, and the time set back": ("""
was = os.stat('/tmp'); open('/tmp/left', 'w').close(); os.unlink('/tmp/left'); os.utime('/tmp', ns=(was.st_atime_ns, was.st_mtime_ns))""", False),
    "files without a name": ("kept = [os.open('/work', os.O_TMPFILE | os.O_RDWR) for _ in range(5)]", False),
    "files without a name, by another call": ("""
how = (ctypes.c_uint64 * 3)(os.O_TMPFILE | os.O_RDWR, 0o600, 0)
assert libc.syscall(437, -100, b'/dev/shm', how, 24) >= 0""", False),
    "a directory": ("os.mkdir('/tmp/left'); os.rmdir('/tmp/left')", False),
    "a link": ("os.symlink('left', '/dev/shm/left')", False),
    "a pipe and a socket": ("os.mkfifo('/tmp/left'); socket.socket(socket.AF_UNIX).bind('/tmp/other')", False),
    "rights of a directory": ("os.chmod('/work', 0o711)", False),
    "times of a directory": ("os.utime('/tmp', (1, 1))", False),
    "attributes of a directory": ("with quiet: os.setxattr('/dev/shm', 'user.left', b'left')", None),  # where there are some (Linux 6.6)
    "shared memory": ("libc.shmget(1, 4096, 0o1600)", False),
    "shared memory, removed again": ("libc.shmctl(libc.shmget(0, 4096, 0o1600), 0, None)", False),
    "a queue": ("libc.msgget(1, 0o1600)", False),
    "a queue, removed again": ("libc.msgctl(libc.msgget(0, 0o1600), 0, None)", False),
    "semaphores": ("libc.semget(1, 3, 0o1600)", False),
    "semaphores of a child": ("""
if os.fork() == 0:
    libc.semget(1, 3, 0o1600); os._exit(0)
os.wait()""", False),
    "a queue with a name": ("libc.mq_open(b'/left', os.O_RDWR | os.O_CREAT, 0o600, None)", False),
    "terminals": ("with quiet: os.openpty()", None),
    "keys": ("for n in (248, 249, 250):\n libc.syscall(n, b'user', b'left', b'left', 4, -4)", True),
}


@pytest.fixture(scope="module", params=MODES)
def engine(request, new_caller, lightened):
    made = Engine(lightened(new_caller(request.param)), LOOK, WHERE, 38)
    yield made
    assert made.server.close() == 0


@pytest.fixture(scope="module")
def kept(engine):
    """Whether remains are used again at all: without a cgroup nobody knows who is left, and before Linux 6.12 the peak of memory
    of a cgroup of version 2 cannot be set back."""
    one = engine.session()
    layers = one.isolation["layers"]
    one.close()
    young = tuple(map(int, os.uname().release.split(".")[:2])) >= (6, 12)
    return "cgroup" in layers and (young or os.path.exists("/sys/fs/cgroup/memory"))


@pytest.mark.parametrize("what", LEFT)
@pytest.mark.few(10)
def test_H11_nothing_is_left_of_a_session(engine, kept, what):
    code, again = LEFT[what]
    if "processors" in what and len(os.sched_getaffinity(0)) == 1:
        again = None
    engine.leave(TRY + code, again if kept else again and None)


def test_H11_who_looks_sees_what_is_there(engine):
    """Or the comparison would prove nothing."""
    one = engine.session()
    one.run("import os\nos.setpriority(os.PRIO_PROCESS, 1, 9)\nif os.fork() == 0: os._exit(0)\nos.wait(); open('/dev/shm/left', 'w').close()")
    seen, new = engine.seen(one), engine.reference
    assert {name for name in seen if seen[name] != new[name]} >= {"directories", "room", "first process", "children"}
    one.close()


def test_H11_after_checkpoints_and_a_roll_back(engine, kept):
    """Which leave numbers of processes behind, and an interpreter that is another's child."""
    one = engine.session(checkpoint="auto")
    place = one.value(WHERE)
    for i in range(3):
        assert one.run(f"import time; time.sleep(0.03); x = {i}")["status"] == "ok"
    assert one.run("import os; os._exit(3)")["state"] == "rolled_back"
    assert one.value("x") == "2"
    one.close()
    heir = engine.next_in(place)
    if heir:
        assert engine.seen(heir) == engine.reference
        heir.close()


FORKS = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
def fork(*_):
    if os.fork() == 0:
        signal.setitimer(signal.ITIMER_REAL, 0); time.sleep(0.001); os._exit(0)
signal.signal(signal.SIGALRM, fork)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.0015 * SLOWNESS)
""".replace("SLOWNESS", os.environ.get("RETORT_SLOWNESS", "1"))  # or an emulated interpreter does nothing but fork


def test_H11_ended_while_it_forks(engine):
    """Who is born between the count and the kill does not become the next session's neighbour."""
    for _ in range(20):
        one = engine.session()
        assert one.run(FORKS)["status"] == "ok"
        one.close()
        fresh = engine.session()
        assert engine.seen(fresh)["processes"] == ["2"]
        fresh.close()


def branch(session):
    """Which is gone some time before its parent: then it does not keep that from being used again."""
    other, = session.server.call("session.branch", session=session.id, count=1)["sessions"]
    session.server.call("session.close", session=other)
    time.sleep(0.3)


def test_H11_a_branched_session_is_not_used_again(engine):
    assert engine.inherited(branch) is None


def test_H11_two_live_sessions_never_share_one(engine):
    for _ in range(3):
        live = [engine.session() for _ in range(12)]
        assert len({one.value(WHERE) for one in live}) == len(live)
        for one in live:
            one.close()
