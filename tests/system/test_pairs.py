"""Several supervisors in one engine, and those that die: only their sessions are concerned, and those come back."""
import base64
import collections
import contextlib
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import tempfile
import threading
import time

import pytest
import rpc
import traces
from serving import Client, serving

pytestmark = pytest.mark.by_turns


def status_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return ""


def parent_of(pid):
    return int(re.search(r"^PPid:\t(\d+)$", status_of(pid), re.MULTILINE)[1])


def keeper_above(pid, server):
    """Root's keeper is the parent of its supervisor, whoever has started it; a user's first process is the server's child."""
    above = parent_of(pid)
    while not re.search(r"^Uid:\t0\t", status_of(above), re.MULTILINE) and parent_of(above) != server.process.pid:
        above = parent_of(above)
    return above


def supervisors(server):
    """Of each pair (keeper, supervisor): the one that was started, and pid 1 of the namespace that it made."""
    found = {}
    for pid in traces.tree(server.process.pid):
        status = status_of(pid)
        if re.search(r"^Name:\tretort-super", status) and re.search(r"^NSpid:\t\d+\t1$", status, re.MULTILINE):
            with contextlib.suppress(TypeError):  # one of them ends just now
                found[keeper_above(pid, server)] = pid
    return sorted(found.items())


def launcher(server):
    """The child that has made no namespace: it keeps root's rights for supervisors to come."""
    keepers = [keeper for keeper, _ in supervisors(server)]
    only, = [pid for pid in traces.children(server.process.pid)
             if traces.name_of(pid).startswith("retort-super") and pid not in keepers]
    return only


@pytest.fixture
def server(light_caller):
    before = traces.Before()
    one = rpc.Server(light_caller)
    yield one
    assert one.close() == 0
    assert before.left() == []


def die(pair, which=1):
    """Kills the keeper (0) or the supervisor (1), and waits until all of that pair has ended; when that was."""
    members, start = {pair[0]} | traces.tree(pair[0]), time.monotonic()
    os.kill(pair[which], signal.SIGKILL)
    while any("\nState:\tZ" not in status for status in map(status_of, members) if status):
        time.sleep(0.01)
    return start


@pytest.mark.parametrize("which", [0, 1], ids=["keeper", "supervisor"])
@pytest.mark.few(1)
def test_sessions_come_back_when_their_supervisor_dies(server, which):
    """Between two cells; another takes its place, as often as that happens."""
    one = server.session(record=False)
    one.value("x = 1\nopen('kept', 'w').write('file')")
    for turn in range(1, 4):
        die(supervisors(server)[0], which)
        back = one.run("x += 1\nx, open('kept').read()")
        assert back["value"]["text/plain"] == f"({turn + 1}, 'file')"
        assert back["state_via"] == "replay"
        assert "the session had no process and was rebuilt by replay" in back["state_notes"]
        other = server.session(record=False)
        assert other.value("6 * 7") == "42"
        other.close()
    assert one.isolation == server.call("session.info", session=one.id)["isolation"]


def test_files_that_came_in_before_their_supervisor_died_are_there(server):
    """Which no cell has seen yet: whole ones, in pieces, over older ones, and one that was deleted."""
    one = server.session()
    def put(path, data, **where):
        one.server.call("files.write", session=one.id, path=path, base64=base64.b64encode(data).decode(), **where)
    put("old", b"1")
    put("gone", b"2")
    one.value("x = open('old').read()")
    put("old", b"new")
    put("whole", b"all of it")
    put("pieces", b"one")
    put("pieces", b"two", offset=3)
    one.server.call("files.delete", session=one.id, path="gone")
    die(supervisors(server)[0])
    read = "import os\nx, {name: open(name).read() for name in sorted(os.listdir())}"
    assert one.value(read) == "('1', {'old': 'new', 'pieces': 'onetwo', 'whole': 'all of it'})"
    assert one.server.call("ledger.verify", session=one.id)["sound"]


def test_bytes_that_nobody_has_any_more_are_named(server):
    """Unless somebody had looked at them before."""
    one = server.session(record=False)
    one.server.call("files.write", session=one.id, path="f", base64=base64.b64encode(b"lost").decode())
    die(supervisors(server)[0])
    back = one.run("import os\nos.listdir()")
    named = any(note.startswith("f: was put in from outside, and its bytes are gone") for note in back["state_notes"])
    assert back["value"]["text/plain"] == ("[]" if named else "['f']")


def test_a_cell_whose_supervisor_dies_never_happened(server):
    one = server.session(record=False)
    one.value("x = 1")
    cell = one.start("import time\nx = 2\nprint(1, flush=True)\ntime.sleep(1000)")
    while not one.notes("session.output"):
        time.sleep(0.01)
    die(supervisors(server)[0])
    result = cell.answer()
    assert (result["status"], result["state"], result["state_via"]) == ("lost", "rolled_back", "replay")
    assert one.value("x") == "1"


def test_a_session_that_stays_gives_descriptors_up(server):
    """Its supervisor opens again what is needed, for another interpreter, a branch, or the next session in its cgroup."""
    def held():
        return len(list(pathlib.Path(f"/proc/{supervisors(server)[0][1]}/fd").iterdir()))
    first = server.session(record=False)
    first.value("x = 1")
    more = [server.session(record=False) for _ in range(10)]
    most = held()
    end = time.monotonic() + 60
    while "cgroup" in first.isolation["layers"] and held() > most - 60 and time.monotonic() < end:
        time.sleep(0.1)
    assert held() <= most - 60 or "cgroup" not in first.isolation["layers"]
    assert first.run("%%bash\necho $((6 * 7))")["stdout"] == "42\n"
    branch, = server.call("session.branch", session=first.id, count=1)["sessions"]
    assert rpc.Session(server, {"session": branch, "isolation": None}).value("x + 1") == "2"
    for session in more:
        session.close()
    assert [server.session(record=False).value("6 * 7") for _ in range(6)] == ["42"] * 6


# --- as many as there are processors for ---

PRETEND = r"""
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set) {
    CPU_ZERO(set);
    for (int i = 0; i < atoi(getenv("PROCESSORS")); i++)
        CPU_SET(i, set);
    return 0;
}
"""


@pytest.fixture
def processors():
    """The environment of a program that takes its machine for one with so many processors."""
    with tempfile.TemporaryDirectory(prefix="retort-pretend-") as folder:
        os.chmod(folder, 0o755)  # for other callers
        library = f"{folder}/pretend.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, "-x", "c", "-"], input=PRETEND, text=True, check=True)
        yield lambda number: {"LD_PRELOAD": library, "PROCESSORS": str(number), "ASAN_OPTIONS": "verify_asan_link_order=0"}


@pytest.mark.every_caller
@pytest.mark.parametrize("number, expected", [(1, 1), (3, 1), (4, 2), (16, 6)])
def test_their_number_follows_the_processors(light_caller, processors, number, expected):
    before = traces.Before()
    with serving(light_caller, "--no-auth", env=processors(number)) as server:
        client = Client(server)
        shells = [client.session(language="bash") for _ in range(2 * expected)]
        rows = client.result("metrics")["account"]["supervisors"]
        assert [row["sessions"] for row in rows] == [2] * expected and len(supervisors(server)) == expected
        assert [client.run(shell, "echo 42")["stdout"] for shell in shells] == ["42\n"] * len(shells)
    server.process.stderr.close()
    assert before.left() == []


def test_the_doctor_knows_their_number(light_caller):
    own = os.sched_getaffinity(0)
    for processors in ({min(own)}, own):
        done = light_caller.run("doctor", "--json", preexec_fn=lambda these=processors: os.sched_setaffinity(0, these))
        assert json.loads(done.stdout)["supervisors"] == {"usual": min(8, -(-len(processors) // 3)), "processors": len(processors)}
    assert f" in one engine, for {len(own)} processors\n" in light_caller.run("doctor").stdout.decode()


# --- two of them ---


@pytest.fixture
def two(light_caller):
    before = traces.Before()
    server = rpc.Server(light_caller, ["--supervisors", "2", "--no-record"])
    yield server
    assert server.close() == 0
    assert before.left() == []


def placed(server):
    return [each["sessions"] for each in server.call("metrics")["account"]["supervisors"]]


def at_once(server, count, **options):
    """Sessions that are wanted at the same moment."""
    pending = [server.start("session.create", **options) for _ in range(count)]
    return [rpc.Session(server, each.answer()) for each in pending]


def spread(server):
    """Sessions of Python of both supervisors: the second one is made warm when two are wanted of the first at once."""
    while True:
        sessions = at_once(server, 4)
        if all(placed(server)):
            return sessions
        for session in sessions:
            session.close()


def keeper_of(server, session):
    """Of the pair that has it, found by a process that sleeps in it."""
    seconds = str(10000 + int(session.id[2:8], 16))
    cell = session.start(f"import subprocess; print(1, flush=True); subprocess.run(['sleep', '{seconds}'])")
    while True:
        for keeper, _ in supervisors(server):
            for pid in traces.tree(keeper):
                try:
                    words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue
                if words[:2] == [b"sleep", seconds.encode()]:
                    session.interrupt()
                    cell.answer()
                    return keeper
        time.sleep(0.01)


def test_sessions_are_spread_over_supervisors(two):
    """Those that need no warm interpreter at once; the others when there is demand. All do what sessions do."""
    shells = [two.session(language="bash") for _ in range(4)]
    assert placed(two) == [2, 2]
    assert len(supervisors(two)) == 2
    assert [shell.run("echo $((6 * 7))")["stdout"] for shell in shells] == ["42\n"] * 4
    for shell in shells:
        shell.close()
    assert placed(two) == [0, 0]
    sessions = spread(two)
    for session in sessions:
        assert session.value("x = 40\nopen('f', 'w').write('abc')\nx + 2") == "42"
        assert session.run("x = 0\nimport os\nos._exit(3)")["state"] == "rolled_back"
        assert session.value("x, open('f').read()") == "(40, 'abc')"
        branches = two.call("session.branch", session=session.id, count=2)["sessions"]
        for each in branches:
            branch = rpc.Session(two, {"session": each, "isolation": None})
            assert branch.value("x += 1\nx") == "41"
            branch.close()
        session.value("x = 7")
        two.call("session.undo", session=session.id)
        assert session.value("x") == "40"
        assert session.isolation == sessions[0].isolation
        session.close()
    assert placed(two) == [0, 0]


def await_replaced(server, times):
    while sum(each["replaced"] for each in server.call("metrics")["account"]["supervisors"]) < times:
        time.sleep(0.01)


@pytest.mark.every_caller
@pytest.mark.parametrize("which", [0, 1], ids=["keeper", "supervisor"])
@pytest.mark.few(1)
def test_a_supervisor_that_dies_takes_its_own_sessions_alone(two, which):
    sessions = spread(two)
    for number, session in enumerate(sessions):
        session.value(f"x = {number}")
    homes = [keeper_of(two, session) for session in sessions]
    pair = next(each for each in supervisors(two) if each[0] == homes[0])
    others = [session for session, home in zip(sessions, homes, strict=True) if home != pair[0]]
    running = [session.start("import time\nprint(1, flush=True)\ntime.sleep(0.5)\nx") for session in others]
    die(pair, which)
    results = [each.answer() for each in running]
    assert others and [(each["status"], each["state"], each["state_via"]) for each in results] == [("ok", "kept", None)] * len(others)
    for number, session in enumerate(sessions):
        back = session.run("x")
        assert (back["value"]["text/plain"], back["state_via"]) == (str(number), None if session in others else "replay")
    await_replaced(two, 1)
    assert [two.session(language="bash").run("echo 42")["stdout"] for _ in range(6)] == ["42\n"] * 6
    assert len(supervisors(two)) == 2


def test_deaths_under_load(two, count):
    """Whoever begins and ends sessions all the while sees no error; each session that was kept comes back."""
    kept = spread(two)
    for session in kept:
        session.value("x = 41")
    made, failures, over = [], [], threading.Event()

    def make():
        while not over.is_set():
            try:
                other = two.session()
                result = other.run("6 * 7")
                made.append((result["status"], result["state"]))
                other.close()
            except rpc.Failure as failure:
                failures.append(str(failure))
    makers = [threading.Thread(target=make) for _ in range(2)]
    for maker in makers:
        maker.start()
    for turn in range(count(4, 50)):
        pairs = supervisors(two)
        if len(pairs) < 2:  # the last one is being replaced
            time.sleep(0.05)
            continue
        die(pairs[turn % 2], turn // 2 % 2)
        seen = len(made)
        while len(made) < seen + 4 and not failures:
            time.sleep(0.01)
    over.set()
    for maker in makers:
        maker.join()
    assert failures == []
    assert set(made) <= {("ok", "kept"), ("lost", "rolled_back")}
    assert [session.value("x + 1") for session in kept] == ["42"] * len(kept)


class Walker(threading.Thread):
    """Does at random what clients do with a session, and knows what its x must be; `wrong` is what was otherwise."""

    def __init__(self, server, seed, over):
        super().__init__(daemon=True)
        self.server, self.random, self.over, self.wrong = server, random.Random(seed), over, []
        self.done, self.told = collections.Counter(), collections.Counter()
        self.begin()

    def begin(self):
        self.session, self.past = self.server.session(), []
        self.cell("x = 0", 0)

    def cell(self, code, then):
        """It has run, or it never happened, and says so; x is `then` from now on, or what it was."""
        result = self.session.run(code + "\nx")
        said = (result["status"], result["state"])
        self.told[said + (result["state_via"],)] += 1
        if said == ("lost", "rolled_back"):
            if not self.past:
                self.cell(code, then)
        elif said != ("ok", "kept") or result["value"]["text/plain"] != str(then):
            self.wrong.append(f"{code}: {said}, {result.get('value')}, and not {then}")
        else:
            self.past.append(then)

    def count(self):
        self.cell("x += 1", self.past[-1] + 1)

    def long(self):
        self.cell("import time; time.sleep(0.05); x += 1", self.past[-1] + 1)

    def die(self):
        result = self.session.run("import os; x = -1; os._exit(3)")
        if result["state"] != "rolled_back":
            self.wrong.append(f"os._exit: {result['status']}, {result['state']}")

    def undo(self):
        if len(self.past) > 1:
            self.server.call("session.undo", session=self.session.id)
            self.past.pop()

    def branch(self):
        made, = self.server.call("session.branch", session=self.session.id, count=1)["sessions"]
        branch = rpc.Session(self.server, {"session": made, "isolation": None})
        result = branch.run("x += 5\nx")
        if result["status"] == "lost":
            result = branch.run("x += 5\nx")
        if result["status"] not in ("ok", "lost") or (result["status"] == "ok" and result["value"]["text/plain"] != str(self.past[-1] + 5)):
            self.wrong.append(f"branch: {result['status']}, {result.get('value')}, and not {self.past[-1] + 5}")
        branch.close()

    def renew(self):
        self.session.close()
        self.begin()

    def run(self):
        while not self.over.is_set():
            what = self.random.choices([self.count, self.long, self.die, self.undo, self.branch, self.renew], [8, 3, 1, 2, 2, 1])[0]
            try:
                what()
                self.done[what.__name__] += 1
            except rpc.Failure as failure:
                self.wrong.append(f"{what.__name__}: {failure}")
                return
            if self.wrong:
                return


def await_progress(walkers):
    """Until each has done one thing more: who dies as soon as it lives brings nobody back."""
    before = [walker.done.total() for walker in walkers]
    while any(walker.is_alive() and walker.done.total() == then for walker, then in zip(walkers, before, strict=True)):
        time.sleep(0.01)


def test_deaths_at_any_moment(two, count):
    """In a cell, between two, in births, undos, branches and replays, and of both supervisors: every session is what it should be,
    and says what became of a cell that met a death."""
    over, moment = threading.Event(), random.Random(18)
    walkers = [Walker(two, seed, over) for seed in range(6)]
    for walker in walkers:
        walker.start()
    for _ in range(count(12, 300)):
        await_progress(walkers)
        time.sleep(moment.random() * 0.2)
        pairs = supervisors(two)
        for pair in moment.sample(pairs, min(len(pairs), moment.choice([1, 1, 2]))):
            with contextlib.suppress(ProcessLookupError):  # it is not through with the last one
                os.kill(pair[moment.randrange(2)], signal.SIGKILL)
    over.set()
    for walker in walkers:
        walker.join()
    assert [text for walker in walkers for text in walker.wrong] == []
    assert sum(walker.told["lost", "rolled_back", "replay"] + walker.told["ok", "kept", "replay"] for walker in walkers) > 0
    assert [walker.session.value("x") for walker in walkers] == [str(walker.past[-1]) for walker in walkers]


def test_limits_hold_over_all_supervisors(two):
    """One account, and one limit of sessions, however many make them."""
    sessions = [two.session(language="bash") for _ in range(6)]
    assert placed(two) == [3, 3]
    account = two.call("metrics")["account"]
    assert account["sessions"] == 6
    alone = sessions[0].info()["account"]
    assert account["descriptors"]["used"] >= 6 * alone["descriptors"]["used"] > 0


def weights(server):
    """Of each supervisor's sessions together, where they compete with the host's processes; by the path of the file."""
    found = {}
    for keeper, _ in supervisors(server):
        for pid in traces.tree(keeper):
            try:
                lines = pathlib.Path(f"/proc/{pid}/cgroup").read_text().splitlines()
            except OSError:
                continue
            for controllers, path in re.findall(r"^\d+:([^:]*):(.*/retort-[^/]+)/", "\n".join(lines), re.MULTILINE):
                file = (pathlib.Path(f"/sys/fs/cgroup{path}/cpu.weight") if controllers == "" else
                        pathlib.Path(f"/sys/fs/cgroup/cpu{path}/cpu.shares"))
                if controllers in ("", "cpu") or "cpu" in controllers.split(","):
                    found.update({str(file): int(file.read_text())} if file.exists() else {})
    return found


@pytest.mark.every_caller
def test_supervisors_share_what_one_would_have(two):
    """Of the processors and of inotify; so more of them take no more from the host."""
    shells = [two.session(language="bash") for _ in range(2)]
    assert placed(two) == [1, 1]
    found = weights(two)
    assert len(found) in (0, 2) and (found or "cgroup" not in shells[0].isolation["layers"] or os.geteuid())
    whole = 100 if any(name.endswith("weight") for name in found) else 1024 * os.sysconf("SC_NPROCESSORS_ONLN")
    assert not found or sum(found.values()) == whole
    for name in ("instances", "watches"):
        host = int(pathlib.Path(f"/proc/sys/fs/inotify/max_user_{name}").read_text())
        for _, supervisor in supervisors(two):
            # Nobody but root may look at that one; its parent is in the same namespace.
            target = parent_of(supervisor) if os.geteuid() else supervisor
            seen = subprocess.run(["nsenter", "--user", f"--target={target}", "cat", f"/proc/sys/user/max_inotify_{name}"],
                                  check=True, capture_output=True, text=True).stdout
            assert int(seen) == host // 4


# --- a server that has given up root ---


def shells(client, number):
    """So many sessions, each with a value of its own, and how they are isolated."""
    sessions = [client.session(language="bash") for _ in range(number)]
    for value, session in enumerate(sessions):
        assert client.run(session, f"x={value}")["status"] == "ok"
    return sessions, client.result("session.info", session=sessions[0])["isolation"]


def check_shells(client, sessions, isolation):
    for value, session in enumerate(sessions):
        assert client.run(session, "echo $x")["stdout"] == f"{value}\n"
        assert client.result("session.info", session=session)["isolation"] == isolation


def rows_when(client, true):
    """Of its supervisors, when this is true of them: what is dead is replaced when its sessions may be back already."""
    while True:
        rows = client.result("metrics")["account"]["supervisors"]
        if true(rows):
            return rows
        time.sleep(0.01)


@pytest.mark.as_root
@pytest.mark.parametrize("which", [0, 1], ids=["keeper", "supervisor"])
@pytest.mark.parametrize("number", [1, 2])
def test_a_server_that_has_given_up_root_replaces_supervisors(light, number, which):
    """As isolated as the first, as often as that happens; nothing but the launcher has kept root."""
    before = traces.Before()
    with serving(light, "--no-auth", "--supervisors", str(number)) as server:
        client = Client(server)
        sessions, isolation = shells(client, 2 * number)
        for turn in range(1, 4):
            die(supervisors(server)[0], which)
            check_shells(client, sessions, isolation)
            rows = rows_when(client, lambda rows, turn=turn: sum(row["replaced"] for row in rows) == turn)
            assert (len(rows), any(row["off"] for row in rows)) == (number, False)
        assert not re.search(r"^Uid:.*\b0\b", status_of(server.process.pid), re.MULTILINE)
        assert len(supervisors(server)) == number and set(traces.children(launcher(server))) <= dict(supervisors(server)).keys()
    server.process.stderr.close()
    assert before.left() == []


@pytest.mark.as_root
def test_a_server_that_has_given_up_root_goes_on_with_the_others(light):
    """Without its launcher it could start another only with fewer rights, so it starts none; what the dead one had comes back
    beside the rest."""
    before = traces.Before()
    with serving(light, "--no-auth", "--supervisors", "2") as server:
        client = Client(server)
        sessions, isolation = shells(client, 4)
        os.kill(launcher(server), signal.SIGKILL)
        die(supervisors(server)[0])
        check_shells(client, sessions, isolation)
        rows = rows_when(client, lambda rows: any(row["off"] for row in rows))
        assert sorted((row["sessions"], row["off"]) for row in rows) == [(0, True), (4, False)]
        _, _, text = client.request("GET", "/metrics")
        assert sorted(line for line in text.decode().splitlines() if line.startswith("retort_supervisor_sessions{")) == [
            f'retort_supervisor_sessions{{supervisor="{number}"}} {row["sessions"]}' for number, row in enumerate(rows)]
    server.process.stderr.close()
    assert before.left() == []
