"""D: memory."""
import pathlib
import re

import pytest
import traces
from arena import arena, lab  # noqa: F401 (fixtures)
from ring import refused

LIBRARIES = True
MEMORY = ("oom", "error")  # killed, or told by MemoryError

GREEDY = {
    "bytes": "x = b'x' * 10**11",
    "list": "x = [0]\nwhile True: x += x",
    "touched": "import mmap\nm = mmap.mmap(-1, 4 << 30)\nfor i in range(0, len(m), 4096): m[i] = 1",
    "numpy": "import numpy\nx = [numpy.ones(1 << 20) for _ in range(10**5)]",
    "children": "import os, signal\nfor _ in range(16):\n    if os.fork() == 0:\n        x = bytearray(b'x') * (64 << 20)\n"
                "        signal.pause()\nos.wait()",
}


@pytest.mark.few
def test_D1_allocate(box):
    done = box.run_all(GREEDY, "--memory", "96", "--disk", "8", "--timeout", "30", status=(*MEMORY, "ok"))
    for how, outcome in done.items():
        if outcome["status"] == "error":
            assert outcome["error"]["name"].endswith("MemoryError"), how
        elif outcome["status"] == "ok":
            assert how == "children" and "oom_child" in outcome["flags"]


ALLOWANCE = 80  # MiB beyond the limit, for what is not the code's own and for files that grow between two looks
ROOT = pathlib.Path(__file__).parents[2]
WRITES = "f = open('a', 'wb')\nfor _ in range({}): f.write(bytes(1 << 20))\nf.close()\n"

# Memory is memory, files are disk: each is refused at its own limit, and neither lends the other any.
LENDING = {
    "memory": "x = bytearray(250 << 20)",
    "shared": "import mmap\nm = mmap.mmap(-1, 250 << 20)\nfor i in range(0, len(m), 4096): m[i] = 1",
    "after files": WRITES.format(200) + "import os, time\nos.unlink('a')\ntime.sleep(0.5)\nx = bytearray(250 << 20)",
    "beside files": WRITES.format(100) + "x = bytearray(200 << 20)",
    "files": WRITES.format(200) + "print('written')",
    "files, twice": (WRITES.format(200) + "import os\nos.unlink('a')\n") * 2 + "print('written')",
    "too many files": WRITES.format(300),
}


@pytest.mark.few
def test_D2_memory_is_memory_and_files_are_disk(box):
    done = box.run_all(LENDING, "--memory", "64", "--disk", "256", "--timeout", "30", status=("ok", *MEMORY))
    for how, outcome in done.items():
        assert outcome["resources"]["peak_memory_mb"] <= 64 + ALLOWANCE, (how, outcome["resources"])
        if how.startswith("files"):
            assert (outcome["status"], outcome["stdout"]) == ("ok", "written\n"), outcome
        elif how == "too many files":
            assert (outcome["error"]["message"], outcome["flags"]) == ("[Errno 28] No space left on device", ["disk_full"])
        else:
            assert outcome["status"] == "oom" or outcome["error"]["name"] == "MemoryError", (how, outcome)
        if outcome["status"] == "oom":
            said = re.fullmatch(r"memory ran out: 64 MiB limit, peak (\d+) MiB \(limit `memory`\)", outcome["error"]["message"])
            assert said and abs(int(said[1]) - outcome["resources"]["peak_memory_mb"]) <= 1, outcome["error"]


IN_OTHERS = {"bash": "x=a; while :; do x=$x$x; done",
             "javascript": "const kept = []; while (true) kept.push(Buffer.alloc(1 << 20, 1));",
             "sql": "WITH RECURSIVE a(x) AS (SELECT randomblob(1000000) UNION ALL SELECT randomblob(1000000) FROM a LIMIT 300) SELECT group_concat(hex(x)) FROM a"}


@pytest.mark.few
def test_D2_other_languages_have_the_same_allowance(box):
    cases = {language: (language, code) for language, code in IN_OTHERS.items()}
    for language, outcome in box.run_all(cases, "--memory", "64", status=(*MEMORY, "exit", "signal")).items():
        assert 4 < outcome["resources"]["peak_memory_mb"] <= 64 + ALLOWANCE, (language, outcome["resources"])


def test_D2_the_allowance_is_what_is_stated():
    """One number, in the code and in every document that names it."""
    parts = re.findall(r"#define MEMORY_(?:ALLOWANCE|ROOM) \((\d+)ull << 20\)", (ROOT / "src/wire/control.h").read_text())
    assert sum(map(int, parts)) == ALLOWANCE and len(parts) == 2
    for name in ("docs/result.md", "SECURITY.md", "man/retort-run.1", "man/retort.h.3", "docs/rpc.md"):
        assert f"{ALLOWANCE} MiB" in (ROOT / name).read_text(), name
    assert all(f"| {part} MiB" in (ROOT / "SECURITY.md").read_text() for part in parts)


def test_D2_over_many_cells(arena):
    """What files take is given back with them; what a checkpoint holds, and what came from outside, does not end it."""
    one = arena.session(limits={"memory": 64, "disk": 256}, checkpoint="always")
    assert one.run(WRITES.format(200))["status"] == "ok"
    assert one.run("import os; os.unlink('a'); x = bytearray(30 << 20)")["status"] == "ok"
    if "cgroup" in one.isolation["layers"]:  # else a checkpoint's pages are the session's, once somebody looks
        assert one.run("for i in range(0, len(x), 4096): x[i] = 1\nimport time; time.sleep(0.5)")["status"] == "ok"  # copies
    one.write("given", bytes(1 << 18))
    died = one.run("y = bytearray(250 << 20)")
    assert died["status"] == "oom" or died["error"]["name"] == "MemoryError", died
    assert died["resources"]["peak_memory_mb"] <= 64 + 64 + ALLOWANCE
    assert one.run("len(x), os.path.getsize('given')")["value"]["text/plain"] == f"({30 << 20}, {1 << 18})"


# Things that are not the process's own pages. Each stops at some limit, and the session is told which. (Without a cgroup
# the buffers of sockets are bounded by the number of descriptors and net.core.wmem_max alone.)
HOARDS = {
    "pipes": """
import os
kept = []
while True:
    r, w = os.pipe(); kept.append((r, w)); os.set_blocking(w, False)
    try:
        while True: os.write(w, bytes(65536))
    except BlockingIOError: pass
""",
    "sockets": """
import socket
kept = []
while True:
    a, b = socket.socketpair(); kept.append((a, b)); a.setblocking(False)
    try:
        while True: a.send(bytes(65536))
    except BlockingIOError: pass
""",
    "memfd": "import os\nkept = []\nwhile True:\n    f = os.memfd_create('x'); kept.append(f)\n    os.posix_fallocate(f, 0, 32 << 20)",
    "sysv": """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
while True:
    i = libc.shmget(0, 32 << 20, 0o1600)
    if i < 0: raise OSError(ctypes.get_errno(), 'shmget')
    at = libc.shmat(i, None, 0)
    if at in (None, ctypes.c_void_p(-1).value): raise OSError(ctypes.get_errno(), 'shmat')
    ctypes.memset(at, 1, 32 << 20)
""",
    "mq": """
import ctypes, os
libc = ctypes.CDLL('librt.so.1', use_errno=True)
i = 0
while True:
    q = libc.mq_open(b'/q%d' % i, 0o102, 0o600, None); i += 1
    if q < 0: raise OSError(ctypes.get_errno(), 'mq_open')
""",
    "tmpfs": "i = 0\nwhile True:\n    open(f'/dev/shm/{i}', 'wb').write(bytes(1 << 20)); i += 1",
    "page tables": """
import mmap
kept = []
while True:
    m = mmap.mmap(-1, 1 << 36, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000); kept.append(m)
    for i in range(0, len(m), 2 << 20): m[i] = 1
""",
    "mappings": """
import mmap
kept = []
while True: kept.append(mmap.mmap(-1, 4096, prot=mmap.PROT_READ if len(kept) % 2 else mmap.PROT_WRITE))
""",
    "epoll": "import select\nkept = []\nwhile True: kept.append(select.epoll())",
    "inotify": """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
while True:
    if libc.inotify_init() < 0: raise OSError(ctypes.get_errno(), 'inotify')
""",
    "timers": """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
t = ctypes.c_void_p()
while True:
    if libc.timer_create(1, None, ctypes.byref(t)) < 0: raise OSError(ctypes.get_errno(), 'timer_create')
""",
    "queued signals": """
import ctypes, os, signal
libc = ctypes.CDLL(None, use_errno=True)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
while True:
    if libc.sigqueue(os.getpid(), int(signal.SIGRTMIN), ctypes.c_void_p(1)) < 0: raise OSError(ctypes.get_errno(), 'sigqueue')
""",
}


@pytest.mark.few
def test_D3_hoard(box):
    done = box.run_all(HOARDS, "--memory", "96", "--disk", "8", "--timeout", "30", at_once=3, status=MEMORY)
    for what, outcome in done.items():
        if outcome["status"] == "error":
            known = ("OSError", "BlockingIOError", "PermissionError", "MemoryError")
            assert outcome["error"]["name"] in known, what


def test_D3_a_process_without_its_first_thread(box):
    """Its files in /proc show nothing of the memory that its other threads hold."""
    code = """
import ctypes, mmap, threading, time
def grow():
    kept = mmap.mmap(-1, 600 << 20)
    for i in range(0, len(kept), 4096): kept[i] = 1
    time.sleep(600)
threading.Thread(target=grow).start()
ctypes.CDLL(None).syscall(60, 0)
"""
    box.run(code, "--memory", "128", "--disk", "8", "--timeout", "20", status="oom")


def test_D4_locked_memory(box):
    code = """
import mmap
size = 16 << 20
m = mmap.mmap(-1, size)
address = ctypes.addressof(ctypes.c_char.from_buffer(m))
syscall('mlock', 149, ctypes.c_void_p(address), size)
syscall('mlock2', 325, ctypes.c_void_p(address), size, 1)
syscall('mlockall', 151, 3)
attempt('MAP_LOCKED', mmap.mmap, -1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x2000)
attempt('hugepages', mmap.mmap, -1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000)
import resource
attempt('raise', resource.setrlimit, resource.RLIMIT_MEMLOCK, (-1, -1))
"""
    refused(box.attempts(code), "ENOMEM", "EPERM", "EAGAIN", "ValueError")


def test_D6_the_reaper_survives(box):
    """A child that eats everything is killed; the interpreter may go on, and daemons are still reaped."""
    code = """
import os, sys
open('/proc/self/oom_score_adj', 'w').write('1000')
if os.fork() == 0:
    os.setsid()
    x = []
    while True: x.append(bytearray(b'x') * (8 << 20))
try: os.wait()
except BaseException: pass
print('waited', flush=True)
"""
    outcome = box.run(code, "--memory", "96", "--disk", "8", "--timeout", "20", status=("ok", "oom"))
    if box.cgroup:
        assert outcome["status"] == "oom" or "oom_child" in outcome["flags"]


def test_D7_no_swap(box):
    """Where memory and swap are limited together the sum is that of memory alone. Without a cgroup RLIMIT_DATA holds, which
    counts pages wherever they are."""
    if not box.cgroup:
        code = "import resource; print(resource.getrlimit(resource.RLIMIT_DATA)[0] >> 20)"
        assert 64 <= int(box.run(code, "--memory", "64")["stdout"]) < 64 + 512
        return
    child = box.caller.popen("run", "-c", "print('up', flush=True)\nimport time; time.sleep(600)", stdout=-1)
    try:
        child.stdout.readline()
        mine = {str(pid) for pid in traces.tree(child.pid) | {child.pid}}
        groups = [path for path in traces.cgroups() if path.name.split("-")[1] in mine]
        assert groups
        for path in groups:
            for memory in path.glob("[0-9]*/memory.limit_in_bytes"):
                both = memory.with_name("memory.memsw.limit_in_bytes")
                assert not both.exists() or both.read_text() == memory.read_text()
            for swap in path.glob("[0-9]*/memory.swap.max"):
                assert swap.read_text() == "0\n"
    finally:
        child.kill()
        child.communicate()
    assert pathlib.Path("/proc/swaps").exists()


RECURSION = {
    "python": ("def f(): f()\nf()", ("error",), "RecursionError"),
    "repr": ("x = []\nfor _ in range(10**5): x = [x]\nrepr(x)", ("error", "signal"), "RecursionError"),
    "json": ("import json\nx = []\nfor _ in range(10**5): x = [x]\njson.dumps(x)", ("error", "signal"), "RecursionError"),
    "parser": ("eval('(' * 10**5)", ("error", "signal"), None),
    "unlimited": ("import sys; sys.setrecursionlimit(10**6)\ndef f(n): return [f(n) for _ in '1']\nf(0)",
                  ("error", "signal", "oom"), None),
    "native": ("import ctypes\nT = ctypes.CFUNCTYPE(ctypes.c_int)\n@T\ndef f(): return f()\nf()", ("error", "signal", "ok"),
               None),
}


@pytest.mark.by_turns
@pytest.mark.few
def test_D8_recursion(box):
    done = box.run_all({how: code for how, (code, _, _) in RECURSION.items()}, "--timeout", "300", status=("error", "signal", "oom", "ok"))
    for how, outcome in done.items():
        _, statuses, name = RECURSION[how]
        assert outcome["status"] in statuses, how
        if name and outcome["status"] == "error":
            assert outcome["error"]["name"] == name
        if outcome["status"] == "signal":
            assert outcome["signal"] in (6, 11)


BOMBS = {
    "gzip": "import gzip, zlib\nc = zlib.compressobj(1, 8, 31)\nb = b''.join(c.compress(bytes(1 << 20)) for _ in range(160)) "
            "+ c.flush()\nx = gzip.decompress(b)",
    "zip": "import zipfile\nwith zipfile.ZipFile('b.zip', 'w', 8) as z:\n    with z.open('x', 'w', force_zip64=True) as f:\n"
           "        for _ in range(64): f.write(bytes(1 << 20))\nzipfile.ZipFile('b.zip').extractall('/work/out')",
    "pickle": "import pickle\nx = pickle.loads(b'\\x8c\\x01x' + b'\\x85' * 10**6 + b'.')\nx = [x] * 10**9",
    "npy": "import numpy\nm = numpy.lib.format.open_memmap('x.npy', 'w+', shape=(1 << 30,))\nm[:] = 1",
}


@pytest.mark.few
def test_D10_bombs(box):
    done = box.run_all(BOMBS, "--memory", "96", "--disk", "32", "--timeout", "30", status=("oom", "error", "signal"))
    for what, outcome in done.items():
        if outcome["status"] == "error":
            assert outcome["error"]["name"] in ("MemoryError", "OSError"), what
        if outcome["status"] == "signal":
            assert outcome["signal"] == 7, what  # a mapped file that the disk has no room for
