"""L: between sessions, and across time."""
import fcntl
import itertools
import os
import resource
import signal
import time

import pytest
import rpc
import traces
from arena import MODES, arena, lab  # noqa: F401 (fixtures)

LIBRARIES = True


def gone(before):
    """Whether every process and cgroup that was not there before has ended, or does so soon."""
    deadline = time.monotonic() + traces.PATIENCE
    while time.monotonic() < deadline:
        traces.reap_orphans(before.processes)
        if not traces.tree() - before.processes and not any(map(traces.is_dead, traces.cgroups() - before.cgroups)):
            return True
        time.sleep(0.02)
    return False


def soon(make):
    """What make() gives once it is not refused: descriptors of a session that was closed are free a moment later."""
    deadline = time.monotonic() + traces.PATIENCE
    while True:
        try:
            return make()
        except rpc.Failure:
            if time.monotonic() > deadline:
                raise
        time.sleep(0.02)


LEAVE = """
import ctypes, os, socket
libc = ctypes.CDLL(None, use_errno=True)
for place in ('/work', '/tmp', '/dev/shm'):
    open(place + '/left', 'w').write('left')
segment = libc.shmget(0x1234, 4096, 0o1666)
queue = libc.msgget(0x1234, 0o1666)
sems = libc.semget(0x1234, 1, 0o1666)
abstract = socket.socket(socket.AF_UNIX); abstract.bind('\\0left'); abstract.listen()
named = socket.socket(socket.AF_UNIX); named.bind('/tmp/left.sock'); named.listen()
tcp = socket.socket(); tcp.bind(('127.0.0.1', 7777)); tcp.listen()
key = libc.syscall(248, b'user', b'left', b'secret', 6, -4)
mq = ctypes.CDLL('librt.so.1', use_errno=True).mq_open(b'/left', os.O_CREAT | os.O_RDWR, 0o666, None)
"""
LOOK = """
import ctypes, os, socket
libc = ctypes.CDLL(None, use_errno=True)
found = [p for p in ('/work/left', '/tmp/left', '/dev/shm/left', '/tmp/left.sock') if os.path.exists(p)]
found += [name for name, got in (('shm', libc.shmget(0x1234, 0, 0)), ('msg', libc.msgget(0x1234, 0)),
          ('sem', libc.semget(0x1234, 0, 0)), ('key', libc.syscall(249, b'user', b'left', None, 0)),
          ('mq', ctypes.CDLL('librt.so.1').mq_open(b'/left', os.O_RDONLY))) if got >= 0]
for name, make, address in (('abstract', lambda: socket.socket(socket.AF_UNIX), '\\0left'), ('tcp', socket.socket, ('127.0.0.1', 7777))):
    try:
        make().connect(address); found.append(name)
    except OSError: pass
for table in ('shm', 'msg', 'sem'):
    try:
        if len(open('/proc/sysvipc/' + table).readlines()) > 1: found.append('/proc/sysvipc/' + table)
    except OSError: pass
found
"""


@pytest.mark.few
def test_L1_nothing_is_found_by_others(arena):
    one, beside = arena.session(), arena.session()
    arena.run(one, LEAVE)
    assert beside.value(LOOK) == "[]"
    one.close()
    arena.sessions.remove(one)
    assert arena.session().value(LOOK) == "[]"


SHARED = "/usr/lib/os-release"


def test_L2_signals_through_shared_files(arena):
    """Both see the same file of the host; neither may tell the other anything by it."""
    one, other = arena.session(), arena.session()
    arena.run(one, f"import fcntl\nf = open('{SHARED}')\ntry: fcntl.flock(f, fcntl.LOCK_EX); held = True\nexcept OSError: held = False")
    seen = other.value(f"import fcntl\ng = open('{SHARED}')\ntry: fcntl.flock(g, fcntl.LOCK_EX | fcntl.LOCK_NB); seen = False\n"
                       "except BlockingIOError: seen = True\nexcept OSError: seen = False\nseen")
    watch = "import ctypes, os\nlibc = ctypes.CDLL(None)\nw = libc.inotify_init1(os.O_NONBLOCK)\n" \
            f"libc.inotify_add_watch(w, b'{SHARED}', 0xfff)"
    got = arena.run(other, watch)["value"]["text/plain"]
    arena.run(one, f"open('{SHARED}').read()")
    events = other.value("try: n = len(os.read(w, 4096))\nexcept OSError: n = 0\nn")
    assert (seen, events) == ("False", "0"), f"flock seen: {seen}, inotify bytes: {events} (watch {got})"


# There are as many processes after the cell as before: what is added takes the checkpoint's place.
HIDE = """
import os, signal, time
ours = {1, os.getpid()}
others = lambda: {int(name) for name in os.listdir('/proc') if name.isdigit()} - ours
before = len(others())
for pid in others(): os.kill(pid, signal.SIGKILL)
while others(): time.sleep(0.001)
hidden = [os.fork() for _ in range(before)]
while 0 in hidden: time.sleep(1000)
before
"""
HIDDEN = "[os.waitpid(pid, os.WNOHANG)[1] for pid in hidden]"


def test_L11_a_process_in_the_place_of_the_checkpoint(arena):
    one = arena.session(checkpoint="always")
    arena.run(one, "x = 1")
    assert arena.run(one, HIDE)["value"]["text/plain"] == "1"
    for idle in (0.5, 1, 2, 4, 8):  # on a busy machine it has to be so for longer
        time.sleep(idle)
        if (found := one.value(HIDDEN)) != "[0]":
            break
    assert found == "[9]"


def test_L11_a_process_in_the_place_of_the_checkpoint_of_a_busy_session(arena):
    one = arena.session()
    arena.run(one, "x = 1")
    time.sleep(0.5)  # its checkpoint
    assert arena.run(one, HIDE)["value"]["text/plain"] == "1"
    patience = time.monotonic() + traces.PATIENCE
    while (found := one.value(HIDDEN)) == "[0]" and time.monotonic() < patience:
        pass  # cell after cell: it is never idle
    assert found == "[9]"


@pytest.mark.parametrize("mode", MODES)
def test_L5_broker_killed(new_caller, lightened, count, mode):
    caller = lightened(new_caller(mode))
    before = traces.Before()
    server = rpc.Server(caller)
    sessions = [server.session(record=False) for _ in range(count(8, 50))]
    busy = [one.start("import subprocess, os, time\nchild = subprocess.Popen(['sleep', '1000'])\nos.setsid() if os.fork() == 0 else 0\n"
                      "print('up', flush=True)\nwhile True: " + doing)
            for one, doing in zip(sessions, itertools.chain(["pass"], itertools.repeat("time.sleep(0.01)")))]
    while sum(len(one.notes("session.output")) > 0 for one in sessions) < len(sessions):
        time.sleep(0.02)
    os.kill(server.pid, signal.SIGKILL)
    for pending in busy:
        with pytest.raises(rpc.Failure):
            pending.answer()
    server.close()
    assert gone(before)


def test_L8_ids(arena):
    one = arena.session()
    ids = {one.id}
    one.close()
    arena.sessions.remove(one)
    for _ in range(10):
        another = arena.server.session(record=False)
        assert another.id not in ids and len(another.id) >= 16
        ids.add(another.id)
        another.close()
    for guess in [*ids, "s_", "", "s_0", "../x", "s_" + "0" * 20, "s_%", "*"]:
        for method, more in (("session.execute", {"code": "1"}), ("session.info", {}), ("session.close", {}),
                             ("files.list", {}), ("session.interrupt", {}), ("files.read", {"path": "x"})):
            with pytest.raises(rpc.Failure) as failure:
                arena.server.call(method, session=guess, **more)
            assert failure.value.code in (-32001, -32602)


def test_L9_prepared_sessions_have_the_limits_asked_for(arena):
    """Sessions wait ready with the default limits; one with others must not be made of them."""
    arena.once("1")  # the pool is warm
    one = arena.session(limits={"pids": 8, "open_files": 64, "disk": 1})
    assert one.value("import resource\nresource.getrlimit(resource.RLIMIT_NOFILE)[1]") == "64"
    full = arena.run(one, "open('f', 'wb').write(bytes(2 << 20))", "error")
    assert "disk_full" in full["flags"]
    bomb = arena.run(one, "import os\nchildren = 0\ntry:\n    while children < 60:\n        if os.fork() == 0: os.read(os.pipe()[0], 1)\n"
                     "        children += 1\nexcept OSError: pass\nchildren")
    assert int(bomb["value"]["text/plain"]) <= 8 + 4  # init, collector and checkpoint are not counted against them


@pytest.mark.few
def test_L10_too_few_descriptors(retort):
    """Set-up fails at whatever step the descriptors run out: an error, no guest code, nothing left."""
    before = traces.Before()
    server = rpc.Server(retort)
    made, failed = [server.session(record=False)], 0
    for pid in [server.pid, *traces.tree(server.pid)]:
        if traces.name_of(pid).startswith("retort"):
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (100, 100))
    for _ in range(24):
        try:
            made.append(server.session(record=False, limits={"pids": 20}))
        except rpc.Failure as failure:
            failed += 1
            assert failure.code in (-32012, -32002, -32011), (failure.code, failure)
    assert failed > 0
    for one in made:
        assert one.value("1 + 1") == "2"
        one.close()
    assert soon(lambda: server.session(record=False)).value("2 + 2") == "4"
    assert server.close() == 0
    assert gone(before)


NODES = ("null", "zero", "full", "random", "urandom")
WATCH_NODES = f"""
import ctypes, os
libc = ctypes.CDLL(None)
w = libc.inotify_init1(os.O_NONBLOCK)
def seen():
    try: return len(os.read(w, 1 << 16))
    except OSError: return 0
# A session's checkpoint opens /dev/null, at a time of its own: there only what is read and written counts.
[libc.inotify_add_watch(w, b'/dev/' + name.encode(), 3 if name == 'null' else 0xfff) for name in {NODES}]
"""


def use_nodes():
    for name in NODES:
        with open(f"/dev/{name}", "rb", buffering=0) as f:
            f.read(0 if name == "null" else 16)
    with open("/dev/null", "wb", buffering=0) as f:
        f.write(b"x")


def test_X6_the_use_of_devices_is_not_seen(arena):
    """Neither the host's nor another session's; where the inodes are a session's own it may watch them."""
    one, other = arena.session(), arena.session()
    watches = arena.run(one, WATCH_NODES)["value"]["text/plain"]
    assert watches == ("[1, 2, 3, 4, 5]" if arena.lab.caller.name == "root" else "[-1, -1, -1, -1, -1]")
    one.value("seen()")  # of its own start
    use_nodes()
    arena.run(other, f"for name in {NODES}: open('/dev/' + name, 'rb', 0).read(16)\nopen('/dev/null', 'wb', 0).write(b'x')")
    assert one.value("seen()") == "0"
    assert (one.value("open('/dev/null', 'wb', 0).write(b'x'); seen()") != "0") == (arena.lab.caller.name == "root")


def test_X6_devices_are_not_changed(arena):
    before = [os.stat(f"/dev/{name}") for name in NODES]
    arena.run(arena.session(), f"""
import fcntl
import os
done = []
for name in {NODES}:
    fd = os.open('/dev/' + name, os.O_RDWR)
    for function, arguments in ((os.utime, ()), (os.utime, ((1, 1),)), (os.chmod, (0o600,)), (os.chown, (1000, 1000))):
        for target in (fd, '/dev/' + name):
            try: done.append((name, function(target, *arguments)))
            except OSError as e: assert e.errno in (1, 30), e
assert not done, done
assert os.write(os.open('/dev/null', os.O_WRONLY), b'x') == 1
""")
    assert [os.stat(f"/dev/{name}")[:9] for name in NODES] == [one[:9] for one in before]


LOCK_NODES = f"""
import fcntl
files = [open('/dev/' + name, 'r+b', 0) for name in {NODES}]
def lock(f, take):
    try: return take(f, fcntl.LOCK_EX | fcntl.LOCK_NB) is None or True
    except OSError: return False
[lock(f, take) for f in files for take in (fcntl.flock, fcntl.lockf)]
"""


@pytest.mark.as_root
@pytest.mark.parametrize("lab", ["root"], indirect=True)
def test_X6_locks_of_devices_do_not_meet(arena):
    """An ordinary user's sessions have the host's inodes: see SECURITY.md."""
    free = str([True] * 10)
    one, other = arena.session(), arena.session()
    (branch,) = one.server.call("session.branch", session=one.id, count=1)["sessions"]
    branch = arena.rpc.Session(one.server, {"session": branch, "isolation": one.isolation})
    arena.sessions.append(branch)
    for session in (one, other, branch):
        assert session.value(LOCK_NODES) == free
    with open("/dev/null", "r+b", buffering=0) as f:
        fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)


BURN = "import threading\nkept = 42\ndef burn():\n    while True: pass\nthreading.Thread(target=burn, daemon=True).start()"
# The interpreter itself, which has said that the cell is over.
BURN_ON = """
import os, struct
kept = 42
fields = b''.join(struct.pack('<IIq', tag, 8, 0) for tag in (19, 20))
os.write(3, struct.pack('<IBBH', len(fields), 4, 0, 0) + fields)
while True: pass
"""
BURN_A_LITTLE = """
import threading, time
kept = 42
def burn():
    while True:
        end = time.thread_time() + 0.02
        while time.thread_time() < end: pass
        time.sleep(0.05)
threading.Thread(target=burn, daemon=True).start()
"""
PATIENCE = 60


def falls_asleep(session):
    patience = time.monotonic() + PATIENCE
    while session.info()["state"] != "asleep" and time.monotonic() < patience:
        time.sleep(0.05)
    return session.info()["state"] == "asleep"


@pytest.mark.parametrize("background", [False, True])
def test_C15_a_thread_that_goes_on_is_counted(arena, background):
    one = arena.session(background=background)
    arena.run(one, BURN_A_LITTLE)
    patience, idle = time.monotonic() + PATIENCE, 0
    while idle < 100 and time.monotonic() < patience:
        time.sleep(2.5)  # without a cgroup, between two looks
        idle = arena.run(one, "kept")["resources"]["idle_cpu_ms"]
    assert idle >= 100
    quiet = arena.session()
    arena.run(quiet, "kept = 42")
    assert arena.run(quiet, "kept")["resources"]["idle_cpu_ms"] < 100


@pytest.mark.parametrize("code", [BURN, BURN_ON], ids=["thread", "interpreter"])
@pytest.mark.few(1)
def test_C15_what_goes_on_has_the_limit_of_a_cell(arena, code):
    one = arena.session(limits={"cpu": 0.5}, background=True)
    arena.run(one, code)
    assert falls_asleep(one), "it goes on for ever"
    if code == BURN:
        result = arena.run(one, "kept")
        assert result["value"]["text/plain"] == "42" and result["state_via"] == "replay"
        assert any("limit cpu" in note for note in result["state_notes"]), result["state_notes"]


# Shared memory, which is no part of RLIMIT_DATA, when no cell runs.
GROW_LATER = """
import mmap, threading, time
def grow():
    time.sleep(0.3)
    for _ in range(6):
        kept.append(mmap.mmap(-1, 64 << 20))
        for i in range(0, 64 << 20, 4096): kept[-1][i] = 1
kept = []
threading.Thread(target=grow, daemon=True).start()
"""


@pytest.mark.parametrize("lab", ["user"], indirect=True)
@pytest.mark.few
def test_X3_memory_between_cells_without_a_cgroup(arena):
    one = arena.session(limits={"memory": 192}, background=True)
    if "cgroup" in one.isolation["layers"]:
        pytest.skip("this user has a cgroup, which holds memory at all times")
    arena.run(one, GROW_LATER)
    assert falls_asleep(one), "it holds more than it may"


@pytest.mark.parametrize("lab", ["user"], indirect=True)
@pytest.mark.few
def test_C15_processor_time_of_earlier_cells_is_not_charged_again(arena):
    """Without a cgroup the tree is measured, and has used what all cells used."""
    one = arena.session(limits={"cpu": 1.3})
    for _ in range(4):
        arena.run(one, "import time\nuntil = time.process_time() + 0.4\nwhile time.process_time() < until: pass", timeout=600)
    assert arena.run(one, "time.sleep(0.5)")["resources"]["cpu_ms"] < 1100  # half a second on two processors
