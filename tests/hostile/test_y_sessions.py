"""Y: branches, sleeping sessions, host tools and zygotes: what one session does with them is its own affair."""
import os
import signal
import threading

import pytest
import rpc
import traces
from arena import RAW, arena, lab  # noqa: F401 (fixtures)

MIB = 1 << 20


def account(one):
    return {kind: entry["used"] for kind, entry in one.info()["account"].items()}


def branches_of(arena, one, count):
    made = one.server.call("session.branch", session=one.id, count=count)["sessions"]
    branches = [rpc.Session(one.server, {"session": i, "isolation": one.isolation}) for i in made]
    arena.sessions += branches
    return branches


# ---- branches ----

def test_Y4_a_branch_of_a_branch_has_the_limits_of_a_session(arena):
    """Limits are each one's own, however deep: neither lent nor multiplied within one of them."""
    one = arena.session(limits={"memory": 64 * MIB, "disk": 8 * MIB, "pids": 12})
    arena.run(one, "import os\nopen('a', 'wb').write(bytes(3 << 20))")
    for _ in range(3):
        (one,) = branches_of(arena, one, 1)
    result = arena.run(one, "x = [bytearray(1 << 20) for _ in range(400)]", ("oom", "error"))
    assert result["status"] == "oom" or result["error"]["name"] == "MemoryError"
    full = arena.run(one, "for i in range(9): open(f'b{i}', 'wb').write(bytes(1 << 20))", "error")
    assert "disk_full" in full["flags"]
    many = arena.run(one, "while os.fork(): pass\nimport time; time.sleep(60)", "error", timeout=20)
    assert many["error"]["name"] == "BlockingIOError"


def test_Y4_a_parent_that_ends_takes_nothing_of_its_branches(arena):
    """Its init stays as a hull: neither the parent's death nor its neighbours' reach a branch."""
    one = arena.session()
    arena.run(one, "x = 7")
    first, second = branches_of(arena, one, 2)
    arena.run(one, "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "signal")
    arena.run(first, "import os, signal\nos.kill(-1, signal.SIGKILL)", ("signal", "lost", "error", "ok"))
    for ended in (one, first):
        ended.close()
        arena.sessions.remove(ended)
    assert second.value("x") == "7"


# ---- sleeping sessions ----

def asleep(arena, one):
    while one.info()["state"] != "asleep":
        arena.pause()


def test_Y5_a_sleeping_session_takes_no_room(arena):
    """Files that are written into it wake it or are refused; the account says what it holds."""
    one = arena.session(limits={"idle": 0.2, "disk": 4 * MIB})
    arena.run(one, "import os; x = bytearray(50 << 20); open('a', 'wb').write(os.urandom(1 << 20))")
    asleep(arena, one)
    held = account(one)
    assert held["descriptors"] <= 4 and held["frames"] <= MIB
    for i in range(3):
        one.write(f"b{i}", os.urandom(MIB))
    with pytest.raises(rpc.Failure):
        one.write("c", os.urandom(2 * MIB))
    assert one.value("len(x) >> 20, sorted(open(n, 'rb').seek(0, 2) for n in ('a', 'b0', 'b2'))") == \
        "(50, [1048576, 1048576, 1048576])"


def test_Y5_what_wakes_it_at_once_wakes_it_once(arena):
    """Eight clients at the same moment; it comes back by replay, which must not happen twice."""
    one = arena.session(limits={"idle": 0.2})
    arena.run(one, "n = 0\nopen('log', 'a').write('made ')")
    asleep(arena, one)
    waiting = [one.start("n += 1") for _ in range(8)]
    assert [each.answer()["status"] for each in waiting] == ["ok"] * 8
    assert one.value("n, open('log').read()") == "(8, 'made ')"


def test_Y5_sockets_that_a_thread_fills_between_cells(arena):
    """The cell was over before anybody looked."""
    one = arena.session(limits={"memory": 64 * MIB})
    arena.run(one, """
import socket, threading, time
def fill():
    time.sleep(0.3)
    door = socket.socket(); door.bind(('127.0.0.1', 0)); door.listen(4096)
    for i in range(3000):
        c = socket.socket(); c.connect(door.getsockname()); c.setblocking(False)
        try:
            while True: c.send(bytes(65536))
        except BlockingIOError: pass
        c.close()
    time.sleep(600)
threading.Thread(target=fill, daemon=True).start()
x = 7""")
    asleep(arena, one)
    result = arena.run(one, "x")
    assert result["value"]["text/plain"] == "7" and "memory" in str(result["state_notes"])


def test_Y5_locks_that_a_thread_takes_between_cells(arena):
    one = arena.session()
    arena.run(one, """
import fcntl, os, struct, threading, time
def take():
    time.sleep(0.3)
    held = os.open('held', os.O_RDWR | os.O_CREAT)
    for i in range(1 << 30): fcntl.fcntl(held, fcntl.F_SETLK, struct.pack('hhqqi', 1, 0, i * 2, 1, 0))
threading.Thread(target=take, daemon=True).start()
x = 7""")
    asleep(arena, one)
    result = arena.run(one, "x")
    assert result["value"]["text/plain"] == "7" and "memory" in str(result["state_notes"])


LOCKS = """
import fcntl, os, struct
held = os.open('held', os.O_RDWR | os.O_CREAT)
def take(n):
    for i in range(n): fcntl.fcntl(held, fcntl.F_SETLK, struct.pack('hhqqi', 1, 0, i * 2, 1, 0))
"""


@pytest.mark.few
def test_Y5_locks_are_not_counted_twice_while_a_neighbour_takes_some(arena, count):
    """The kernel's list grows at its front while it is read, and shows the same ones again."""
    victim, neighbour = arena.session(), arena.session(background=True)
    arena.run(victim, LOCKS + "take(1000)")
    arena.run(neighbour, LOCKS + """
import threading
def churn():
    while True:
        take(900)
        fcntl.fcntl(held, fcntl.F_SETLK, struct.pack('hhqqi', 2, 0, 0, 0, 0))
threading.Thread(target=churn, daemon=True).start()
""")
    for _ in range(count(6, 12)):
        arena.run(victim, "import time\nbegun = time.process_time()\nwhile time.process_time() < begun + 0.25: pass")


def test_Y5_locks_of_a_branch_are_not_its_parents(arena):
    """Who holds too many is ended, and nobody else, although the parent's namespace has the processes of its branches."""
    parent = arena.session()
    arena.run(parent, "x = 7")
    (branch,) = branches_of(arena, parent, 1)
    arena.run(branch, LOCKS + "take(1000)")
    arena.run(parent, LOCKS + "take(1000)\nimport time\nbegun = time.process_time()\nwhile time.process_time() < begun + 0.5: pass")
    arena.run(branch, "take(100000)", "oom")
    assert parent.value("x") == "7"


# ---- host tools ----

def with_tools(arena, **tools):
    one = arena.session()
    one.offer(**tools)
    return one


def test_Y6_answers_that_are_too_large(arena):
    """A result, and a failure, which is often the text of an exception that the guest has made up."""
    def large(n):
        return "x" * n

    def fails(n):
        raise ValueError("y" * n)
    one = with_tools(arena, large=large, fails=fails)
    result = arena.run(one, """
def told(f, n):
    try: return len(f(n=n))
    except Exception as e: return type(e).__name__, len(str(e))
a, b, c = told(tools.large, 3_000_000), told(tools.fails, 3_000_000), told(tools.large, 1000)
a[1] < 1000, b[1] <= 40000, c""")
    assert result["value"]["text/plain"] == "(True, True, 1000)"
    assert account(one)["tool_calls"] < MIB


def test_Y6_a_tool_that_never_answers(arena):
    """Costs the cell its time, and the answer that comes late goes to nobody."""
    calls = []
    one = with_tools(arena, waits=lambda: calls.append(1) or threading.Event().wait(600))
    late = arena.session()
    arena.run(one, "tools.waits()", "timeout", timeout=1)
    (call,) = [note["call"] for note in one.notes("tools.call")]
    with pytest.raises(rpc.Failure, match="no such tool call"):
        one.server.call("tools.result", call=call, result=1)
    assert late.value("6 * 7") == "42" and one.value("1") == "1"


def test_Y6_calls_of_threads_and_children(arena):
    """By a thread when its cell is over, by a forked child at the same time: nobody gets another's answer, and the next cell
    is not confused."""
    one = with_tools(arena, twice=lambda n: 2 * n)
    arena.run(one, """
import os, threading, time
seen = []
def later():
    time.sleep(0.2)
    try: seen.append(tools.twice(n=1))
    except BaseException as e: seen.append(type(e).__name__)
threading.Thread(target=later).start()
tools.twice(n=4)""")
    for n in range(4):
        assert one.value(f"tools.twice(n={n})") == str(2 * n)
    one.value("time.sleep(0.4)")
    assert one.value("seen and (seen == [2] or isinstance(seen[0], str))") == "True"
    forked = arena.run(one, """
child = os.fork()
for n in range(20):
    try: got = tools.twice(n=n)
    except BaseException: got = None
    if got is not None and got % 2: os._exit(9)
if child == 0: os._exit(0)
os.waitpid(child, 0)[1]""", ("ok", "lost", "error", "exit"), timeout=20)
    assert forked["status"] != "ok" or forked["value"]["text/plain"] == "0"


def test_Y6_forged_calls(arena):
    """Ids that are none, twice the same, of no call; names of other tools; answers are the caller's own."""
    one = with_tools(arena, twice=lambda n: 2 * n)
    arena.run(one, RAW + """
for call in (0, 1, 1, 2**62):
    raw(frame(TOOL_CALL, (CALL, call), (NAME, 'twice'), (JSON, '{"n": 1}')))
raw(frame(TOOL_CALL, (CALL, 5), (NAME, 'twice\\0x'), (JSON, '{}')))
raw(frame(TOOL_CALL, (CALL, 6), (NAME, 'other'), (JSON, '[' * 5000)))
""", ("ok", "lost", "error"))
    assert with_tools(arena, thrice=lambda n: 3 * n).value("tools.thrice(n=5)") == "15"


# ---- the zygote ----

def zygotes(server):
    """Those warm interpreters that are in no session's pid namespace."""
    found = []
    for pid in traces.tree(server.pid):
        try:
            status = open(f"/proc/{pid}/status").read()
            command = open(f"/proc/{pid}/cmdline").read()
        except OSError:
            continue
        inside = len(status.split("NSpid:")[1].split("\n")[0].split())
        if "warm.py" in command and inside == len(open("/proc/self/status").read().split("NSpid:")[1].split("\n")[0].split()) + 1:
            found.append(int(pid))
    return found


def test_Y7_a_zygote_that_is_killed_while_it_forks(light_caller):
    """As the kernel does when the host has no memory: who waits for it is told so or served by the next; sessions that it has
    made go on, with their checkpoints; nothing is left."""
    server = rpc.Server(light_caller)
    one = server.session(record=False)
    one.value("x = 41")
    made, refused, over = [], [], threading.Event()

    def make():
        while not over.is_set():
            try:
                other = server.session(record=False)
                made.append(other.value("6 * 7"))
                other.close()
            except rpc.Failure as failure:
                refused.append(str(failure))
    makers = [threading.Thread(target=make) for _ in range(3)]
    for maker in makers:
        maker.start()
    killed = 0
    while killed < 2:
        for pid in zygotes(server):
            os.kill(pid, signal.SIGKILL)
            killed += 1
        over.wait(0.2)
    seen = len(made)
    while len(made) < seen + 3:
        over.wait(0.05)
    over.set()
    for maker in makers:
        maker.join()
    assert set(made) == {"42"}
    assert {text for text in refused if "warm interpreter" not in text} == set()
    died = one.run("import os\nos._exit(3)")
    assert died["state"] == "rolled_back" and one.value("x") == "41"
    one.close()
    assert server.session(record=False).value("6 * 7") == "42"
    supervised = traces.tree(server.pid)
    assert server.close() == 0
    assert not [pid for pid in supervised if os.path.exists(f"/proc/{pid}")]
