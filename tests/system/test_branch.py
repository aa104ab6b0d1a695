"""Branches: one session becomes several, each with the memory and files of that moment and everything of its own."""
import os
import time

import pytest
import rpc
import traces

NAMESPACES = ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup")
LINKS = "import os\n[os.readlink('/proc/self/ns/' + kind) for kind in %r]" % (NAMESPACES,)
AGAIN = "made by running its cells again"


@pytest.fixture(scope="module")
def rooted(light):
    """As whoever runs the tests; live branches need a cgroup."""
    running = rpc.Server(light)
    yield running
    assert running.close() == 0


def branch(session, count=1):
    made = session.server.call("session.branch", session=session.id, count=count)["sessions"]
    return [rpc.Session(session.server, {"session": one, "isolation": session.isolation}) for one in made]


def is_live(session):
    """Of a new branch: its interpreter was forked from its parent's."""
    result = session.run("None")
    assert result["status"] == "ok" and result["state"] == "kept"
    again = [note for note in result["state_notes"] if AGAIN in note]
    assert (result["state_via"] == "replay") == bool(again)
    return not again


@pytest.fixture
def live(rooted):
    one = rooted.session()
    if "cgroup" not in one.isolation["layers"]:
        pytest.skip("live branches need a cgroup of their own")
    yield one
    one.close()


@pytest.mark.few
def test_a_branch_goes_on_from_the_present_state(session):
    session.run("log = [1]\nf = open('a.txt', 'w'); f.write('one,'); f.flush()\nimport random, os\nos.mkdir('d'); os.chdir('d')")
    session.run("open('/tmp/t', 'w').write('t'); g = open('/work/a.txt'); g.read(2)\nos.symlink('../a.txt', 'link'); os.chmod('/work/a.txt', 0o640)")
    session.write("given.txt", b"from outside")
    one, two = branch(session, 2)
    for name, each in (("x", one), ("y", two)):
        each.run(f"log.append({name!r}); f.write({name!r}); f.flush()")
    drawn = [each.value("(log, g.read(), open('/work/a.txt').read(), open('link').read()[:4], os.getcwd(),"
                        " oct(os.stat('/work/a.txt').st_mode), open('/work/given.txt').read(), random.random())")
             for each in (session, one, two)]
    values = [eval(text) for text in drawn]
    assert [v[:3] for v in values] == [([1], "e,", "one,"), ([1, "x"], "e,x", "one,x"), ([1, "y"], "e,y", "one,y")]
    assert {v[3:7] for v in values} == {("one,", "/work/d", "0o100640", "from outside")}
    assert len({v[7] for v in values}) == 1, "branches draw the numbers that their parent would have drawn"
    assert session.read("a.txt") == b"one," and one.read("a.txt") == b"one,x" and two.read("a.txt") == b"one,y"
    for each in (one, two):
        each.close()


def test_it_says_when_the_cells_were_run_again(session):
    session.run("x = 1")
    (one,) = branch(session)
    assert is_live(one) == ("cgroup" in session.isolation["layers"])
    assert one.run("x")["state_notes"] == []
    one.close()


@pytest.mark.few
def test_eight_branches_of_a_large_table(live, count):
    pytest.importorskip("pandas")
    numbers = count(5_000_000, 25_000_000)
    live.run(f"import pandas, numpy\ndf = pandas.DataFrame(numpy.arange({numbers}).reshape(-1, 5), columns=list('abcde'))\n"
             "log = open('log', 'a'); log.write('begun '); log.flush()")
    assert live.value("int(df.memory_usage().sum()) // 10**6") == str(8 * numbers // 10**6)
    branches = branch(live, 8)
    pending = [one.start(f"df['a'] *= {i}; log.write('{i}'); log.flush()\nint(df['a'].sum()), open('log').read()")
               for i, one in enumerate(branches)]
    results = [one.answer() for one in pending]
    assert [r["status"] for r in results] == ["ok"] * 8, results
    whole = sum(range(0, numbers, 5))
    assert [r["value"]["text/plain"] for r in results] == [str((whole * i, f"begun {i}")) for i in range(8)]
    assert live.value("int(df['a'].sum()), open('log').read()") == str((whole, "begun "))
    assert [note for r in results for note in r["state_notes"]] == []
    for one in branches:
        one.close()


def test_everything_is_a_branchs_own(live):
    live.run("import os, socket\nx = 1")
    branches = branch(live, 3)
    links = [eval(one.value(LINKS)) for one in (live, *branches)]
    for i, kind in enumerate(NAMESPACES):
        assert len({each[i] for each in links}) == 4, f"{kind} namespaces are shared"
    for one in branches:
        status = dict(line.split(":\t", 1) for line in eval(one.value("open('/proc/self/status').read()")).splitlines())
        assert {status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {"0" * 16}
        assert (status["NoNewPrivs"], status["Seccomp"], status["Uid"].split()[0]) == ("1", "2", "1000")
        assert one.value("os.stat('/proc/self/status').st_uid") == "1000", "not dumpable"
        assert one.value("sorted(os.listdir('/proc/1/')) if os.access('/proc/1/fd', os.R_OK) else 'closed'") == "'closed'"
    here = branches[0].value("s = socket.socket(); s.bind(('127.0.0.1', 7000)); s.listen(); os.getpid()")
    assert branches[1].value("s = socket.socket(); s.connect_ex(('127.0.0.1', 7000)) != 0") == "True"
    seen = eval(branches[1].value("[int(p) for p in os.listdir('/proc') if p.isdigit()]"))
    assert len(seen) <= 2, "its own interpreter and checkpoint, and no process of another"
    assert branches[1].run(f"import signal\nfor pid in range(1, 400):\n    if pid not in {seen}:\n"
                           "        try: os.kill(pid, signal.SIGKILL)\n        except OSError: pass")["state"] == "kept"
    assert branches[0].value("os.getpid()") == here and live.value("x") == "1"
    for one in branches:
        one.close()


def test_limits_are_a_branchs_own(rooted):
    parent = rooted.session(limits={"memory": 200 << 20, "disk": 8 << 20})
    parent.run("x = bytearray(60 << 20)\nopen('f', 'wb').write(bytes(5 << 20))")
    one, two = branch(parent, 2)
    full = one.run("open('g', 'wb').write(bytes(5 << 20))")
    assert full["error"]["name"] == "OSError" and "disk_full" in full["flags"]
    assert two.run("import os\nos.remove('f'); open('g', 'wb').write(bytes(5 << 20))")["status"] == "ok"
    dead = one.run("y = bytearray(900 << 20)\ny[::4096] = bytes(len(y[::4096]))")
    assert dead["status"] in ("oom", "error") and one.value("len(x)") == str(60 << 20)
    slow = two.run("while True: pass", timeout=1)
    assert slow["status"] == "timeout" and slow["state"] == "rolled_back" and two.value("len(x)") == str(60 << 20)
    assert parent.value("import os; len(x), os.path.getsize('f')") == str((60 << 20, 5 << 20))
    for each in (one, two, parent):
        each.close()


def test_branches_outlive_their_parent(rooted):
    parent = rooted.session()
    parent.run("x = 'alive'; f = open('f', 'w+'); f.write(x); f.flush()")
    one, two = branch(parent, 2)
    parent.close()
    (three,) = branch(one)
    one.close()
    for each in (two, three):
        assert each.value("f.seek(0); x, f.read()") == "('alive', 'alive')"
        assert each.run("import os; os._exit(3)")["state"] == "rolled_back"
        assert each.value("x") == "'alive'"
        each.close()


def test_a_branch_can_be_taken_back(rooted):
    parent = rooted.session()
    parent.run("x = [1]; open('f', 'w').write('1')")
    parent.write("given", b"given")
    parent.run("x.append(2); open('f', 'w').write('2'); open('given', 'a').write('+')")
    (one,) = branch(parent)
    one.run("x.append(3); open('f', 'w').write('3')")
    rooted.call("session.undo", session=one.id, cells=1)
    assert one.value("x, open('f').read(), open('given').read()") == "([1, 2], '2', 'given+')"
    rooted.call("session.undo", session=one.id, cells=2)
    assert one.value("x, open('f').read(), open('given').read()") == "([1], '1', 'given')"
    assert parent.value("x, open('f').read(), open('given').read()") == "([1, 2], '2', 'given+')"
    crashed = one.run("import os, signal; x.append(9); os.kill(os.getpid(), signal.SIGKILL)")
    assert crashed["state"] == "rolled_back" and one.value("x") == "[1]"
    assert rooted.call("ledger.verify", session=one.id)["sound"]
    for each in (one, parent):
        each.close()


def test_what_a_fork_cannot_carry_is_listed(live):
    live.run("import threading, socket, time\nt = threading.Thread(target=time.sleep, args=(30,), daemon=True); t.start()\n"
             "a, b = socket.socketpair()\nimport asyncio\nawait asyncio.sleep(0)")
    (one,) = branch(live)
    notes = " ".join(one.run("1")["state_notes"])
    assert "1 thread(s)" in notes and "socket is shared with the parent" in notes and "event loop" in notes
    assert one.value("await asyncio.sleep(0, 5)") == "5" and live.value("await asyncio.sleep(0, 6)") == "6"
    one.close()


def test_a_branch_of_a_branch_knows_what_was_lost(live):
    live.run("import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()")
    (first,) = branch(live)
    (second,) = branch(first)  # which nobody has told yet
    for one in (second, first):
        assert one.run("1")["state_notes"] == ["not carried over: 1 thread(s)"]
        one.close()


def test_nesting_ends_in_a_replay(live):
    live.run("depth = [0]")
    chain, kinds = [live], []
    for i in range(1, 36):
        (deeper,) = branch(chain[-1])
        kinds.append(is_live(deeper))
        assert deeper.value(f"depth.append({i}); len(depth)") == str(i + 1)
        chain.append(deeper)
    assert kinds[0] and not all(kinds), "the kernel allows no 35 namespaces inside each other"
    last = kinds.index(False)
    assert last >= 20 and kinds[last + 1], "a replayed branch is a session like any other"
    for one in chain[1:]:
        one.close()


def test_sessions_that_cannot_fork_are_branched_by_replay(rooted):
    fresh = rooted.session()
    (one,) = branch(fresh)  # before its first cell there is nothing to carry over
    assert one.run("1")["state_notes"] == []
    for each in (one, fresh):
        each.close()


def descriptors(pid):
    """How many, or 0 where the caller may not look: a supervisor is not its caller's to see."""
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def memory(pid):
    """In KiB; none of one that has just ended."""
    try:
        return next((int(line.split()[1]) for line in open(f"/proc/{pid}/status") if line.startswith("VmRSS")), 0)
    except OSError:
        return 0


def supervisor_state(pid):
    """Descriptors and memory of the supervisor, which has the most of the processes of that name."""
    family = [p for p in traces.tree(pid) if traces.name_of(p) == "retort-supervis"]
    return max((descriptors(p), memory(p)) for p in family)


@pytest.mark.few
def test_nothing_is_left_of_many_branches(rooted, count):
    parent = rooted.session(record=False)
    parent.run("x = list(range(1000))")

    def round_of(n):
        branches = branch(parent, n)
        assert [one.value("len(x)") for one in branches] == ["1000"] * n
        for one in branches:
            one.close()

    def settled():
        seen, patience = None, time.monotonic() + 20
        while time.monotonic() < patience:
            tree = traces.tree(rooted.pid)
            groups = [g for g in traces.cgroups() if int(g.name.split("-")[1]) in tree]
            now = (len(tree), sum(len(os.listdir(g)) for g in groups), len(os.listdir(f"/proc/{rooted.pid}/fd")),
                   supervisor_state(rooted.pid)[0])
            if now == seen:
                break
            seen = now
            time.sleep(1.2)  # a session that stays gives descriptors up after a second
        return seen

    round_of(8)
    before, held = settled(), supervisor_state(rooted.pid)[1]
    for _ in range(count(4, 125)):
        round_of(8)
    assert settled() == before
    assert traces.growth(held, supervisor_state(rooted.pid)[1]) < 512, "the supervisor has grown"
    assert parent.value("len(x)") == "1000"
    parent.close()
