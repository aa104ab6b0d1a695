"""X: what a session makes the broker hold stays within its account, and goes with the session.

The arena sees to it that the broker is as large after each case as it was before."""
import base64
import os
import statistics

import arena as arenas
import pytest
import rpc
import traces
from arena import RAW, arena, lab  # noqa: F401 (fixtures)

pytestmark = pytest.mark.by_turns  # the account is the broker's, whoever started it
MIB = 1 << 20
FORGED = RAW + "THREADS, LINE, SOURCE, HINT, NAME_OF, MESSAGE, TRACEBACK = 31, 25, 26, 28, 22, 23, 24\n"
STAY = "\nimport time\ntime.sleep(60)"  # or its own result would come after the forged one


def memory(arena):
    return arenas.broker_state(arena.pid)["memory"] << 10


def grown_since(arena, before):
    """By how many bytes the broker has grown; what a sanitizer may hold back is not the broker's."""
    return memory(arena) - before - traces.HELD_BACK


def account(one):
    found = one.info()["account"]
    for kind, entry in found.items():
        assert 0 <= entry["used"] <= entry["limit"], (kind, entry)
    return {kind: entry["used"] for kind, entry in found.items()}


@pytest.mark.few
def test_X1_calls_of_tools_that_there_are_not(arena, count):
    """A call that is refused leaves its name, not its arguments."""
    one, before = arena.session(), memory(arena)
    cells, calls = count((1, 50), (3, 90))
    call = f"for i in range({calls}): raw(frame(TOOL_CALL, (CALL, i), (NAME, 'no such'), (JSON, json.dumps({{'x': 'y' * 1000000}}))))"
    for _ in range(cells):
        result = arena.run(one, f"{RAW}\n{call}", timeout=600)
        assert "denied" in result["flags"] and "account_full" not in result["flags"]
    assert account(one)["tool_calls"] < MIB
    assert grown_since(arena, before) < 48 * MIB


def with_tool(arena, **options):
    one = arena.session(**options)
    one.offer(fetch=fetch)
    return one


FETCH = "got = [tools.fetch(n='%s' + str(i)) for i in range(%d)]\nlen(got)"


def fetch(n):
    return [n, "z" * 1_000_000]


@pytest.mark.few
def test_X1_answers_of_tools(arena):
    """Beyond the account the oldest answers go, which is said at once and again when they would be needed."""
    one = with_tool(arena, checkpoint="off")
    arena.run(one, FETCH % ("a", 20), timeout=600)
    flagged = arena.run(one, FETCH % ("b", 20), timeout=600)
    assert "account_full" in flagged["flags"] and "answers of host tools" in str(flagged["state_notes"])
    assert account(one)["tool_calls"] < 33 * MIB
    undone = arena.server.call("session.undo", session=one.id, cells=1)
    assert [note for note in undone["state_notes"] if note.startswith("cell 1 called host tools, and their answers are not")]
    assert one.value("'got' in globals()") == "False"  # the cell could not come to its end again


@pytest.mark.few
def test_X1_answers_of_tools_are_read_from_the_record(arena):
    one = with_tool(arena, checkpoint="off", record=True)
    arena.run(one, FETCH % ("a", 20), timeout=600)
    result = arena.run(one, FETCH % ("b", 20), timeout=600)
    assert "account_full" not in result["flags"] and account(one)["tool_calls"] < 33 * MIB
    undone = arena.server.call("session.undo", session=one.id, cells=1)
    assert undone["state_via"] == "replay" and undone["state_notes"] == []
    assert one.value("got[19][0]") == "'a19'"


@pytest.mark.few
def test_X1_bytes_of_calls_in_one_cell(arena):
    one = with_tool(arena, checkpoint="off")
    result = arena.run(one, FETCH % ("a", 60), "error", timeout=600)
    assert "too many bytes" in result["error"]["message"] and "denied" in result["flags"]
    assert account(one)["tool_calls"] < 33 * MIB


STATES = "printf -v big '%9000000s' x; n={}"


@pytest.mark.parametrize("record", [False, True])
@pytest.mark.few(1)
def test_X1_states_of_bash(arena, record):
    """The oldest go, and are read from the record."""
    one, before = arena.session(record=record), memory(arena)
    flags = [arena.server.call("session.execute", session=one.id, language="bash", code=STATES.format(n))["flags"] for n in range(8)]
    assert (["account_full"] in flags) == (not record)
    assert 40 * MIB < account(one)["saved_states"] <= 64 * MIB and grown_since(arena, before) < 160 * MIB
    assert account(one)["past"] < MIB
    undone = arena.server.call("session.undo", session=one.id, cells=7)
    assert undone["state_notes"] == ([] if record else ["bash begins anew: what it held after cell 1 could not be kept"])
    told = arena.server.call("session.execute", session=one.id, language="bash", code="echo $n ${#big}")
    assert told["stdout"] == ("0 9000000\n" if record else "0\n")


NAMES = """
import os
def make(n, tag):
    for i in range(n): os.symlink('t' * 4000 + tag, f'/work/{i:05}')
"""


def test_X1_a_list_of_long_names(arena):
    """One that is too long is cut, and says so; those of the cells that follow have the same room together."""
    one, before = arena.session(), memory(arena)
    one.run("x = 1; open('a', 'w').write('a')")
    assert "files_incomplete" in arena.run(one, NAMES + "make(16000, '')")["flags"]
    for i in range(5):
        arena.run(one, f"open('b', 'w').write('{i}')")
    # Besides, two lists of 64 MiB while they are compared, in an allocator's holes.
    assert account(one)["file_lists"] <= 80 * MIB and grown_since(arena, before) < 208 * MIB


@pytest.mark.few
def test_X1_a_list_each_cell(arena):
    """3,000 links with long names, one byte changed per cell."""
    one, before = arena.session(checkpoint="off"), memory(arena)
    arena.run(one, NAMES + "make(3000, '')")
    flags = [arena.run(one, f"open('b', 'w').write('{i}')")["flags"] for i in range(12)]
    assert ["account_full"] in flags and account(one)["file_lists"] < 80 * MIB
    assert grown_since(arena, before) < 176 * MIB  # and two lists of 12 MiB while they are compared, in an allocator's holes
    undone = arena.server.call("session.undo", session=one.id, cells=11)
    assert "no list" in str(undone["state_notes"]) and one.value("open('b').read()") == "'0'"
    arena.server.call("session.undo", session=one.id, cells=2)
    assert one.value("os.path.exists('b')") == "False"


@pytest.mark.few
def test_X1_plots(arena):
    one, before = arena.session(), memory(arena)
    flags = [arena.run(one, RAW + "for i in range(3): raw(frame(PLOT, (DATA, bytes(5 << 20))))")["flags"] for _ in range(4)]
    assert flags[2] == ["account_full"] and account(one)["output"] <= 32 * MIB
    assert grown_since(arena, before) < 128 * MIB  # what is kept, and one result as it came and as it is sent, in an allocator's holes
    assert len(one.read(".plots/cell4-3.png", length=100)) == 100
    with pytest.raises(rpc.Failure, match="not kept any more"):
        one.read(".plots/cell1-1.png")


def spooled(arena):
    """Bytes in files without a name that the broker has open."""
    sizes = {}
    for fd in os.listdir(f"/proc/{arena.pid}/fd"):
        try:
            place = f"/proc/{arena.pid}/fd/{fd}"
            if "(deleted)" in os.readlink(place) and not os.readlink(place).startswith("/memfd:"):
                found = os.stat(place)
                sizes[found.st_ino] = found.st_blocks * 512
        except OSError:
            pass
    return sum(sizes.values())


def test_X8_stored_output(arena):
    one, before = arena.session(limits={"output_stored": 4 * MIB}), spooled(arena)
    write = "import os\nfor _ in range(6): os.write(1, b'o' * (1 << 20)); os.write(2, b'e' * (1 << 20))"
    for _ in range(6):
        arena.run(one, write)
    assert account(one)["stored_output"] <= 8 * MIB and spooled(arena) - before <= 16 * MIB
    part = arena.server.call("output.read", session=one.id, cell=6, stream="stderr", offset=4 * MIB - 2, length=10)
    assert part["size"] == 4 * MIB and part["text"] == "ee"
    with pytest.raises(rpc.Failure, match="not kept any more"):
        arena.server.call("output.read", session=one.id, cell=1, stream="stdout", offset=0, length=10)
    assert "account_full" in arena.run(one, "1")["flags"]


def test_X8_recorded_output_is_still_read(arena):
    one = arena.session(limits={"output_stored": 2 * MIB}, record=True)
    for i in range(4):
        arena.run(one, f"import os\nos.write(1, b'{i}' * (2 << 20)); os.write(2, b'{i}' * (2 << 20))")
    assert account(one)["stored_output"] <= 4 * MIB
    part = arena.server.call("output.read", session=one.id, cell=1, stream="stderr", offset=MIB, length=3)
    assert part["text"] == "000"
    assert "account_full" not in arena.run(one, "1")["flags"]


def test_X8_descriptors(arena):
    """Output that is just too long for the result has a file each."""
    one = arena.session()
    one.value("1")
    before = arena.lab.settled()["descriptors"]
    for _ in range(12):
        arena.run(one, "import os\nos.write(1, b'o' * 70000); os.write(2, b'e' * 70000)")
    assert arena.lab.settled()["descriptors"] - before <= 16 + 1
    own = account(arena.session())["descriptors"]
    assert account(one)["descriptors"] <= own + 16 + 1


def test_X13_long_fields(arena):
    fields = "(KIND, 1), (MESSAGE, b'm' * (4 << 20)), (TRACEBACK, b't' * (20 << 20)), (NAME_OF, b'n' * 100000), " \
             "(LINE, 1 << 60), (SOURCE, b's' * 1000000), (HINT, b'h' * 1000000), (THREADS, 1 << 60)"
    result = arena.run(arena.session(), FORGED + f"raw(frame(RESULT, {fields}))" + STAY, "error")
    error = result["error"]
    assert "truncated" in result["flags"] and error["line"] is None
    assert [len(error[name]) for name in ("name", "message", "source", "hint", "traceback")] == \
        [1024, 32768, 32768, 32768, 1 << 20]
    assert result["resources"]["threads"] <= 64


@pytest.mark.every_caller
def test_X13_threads_are_the_kernels(arena):
    one = arena.session()
    result = arena.run(one, FORGED + "raw(frame(RESULT, (KIND, 0), (THREADS, 40)))" + STAY)
    assert result["resources"]["threads"] <= (0 if "cgroup" in result["isolation"]["layers"] else 64)


def test_X13_text_is_cut_between_characters(arena):
    result = arena.run(arena.session(), FORGED + "raw(frame(RESULT, (KIND, 1), (MESSAGE, 'x' + '\\u20ac' * 40000)))" + STAY, "error")
    assert result["error"]["message"] == "x" + "\u20ac" * 10922


@pytest.mark.few
def test_X1_code_is_refused_when_there_is_no_room(arena):
    """Nothing is rebuilt without code, so none is given up."""
    one = arena.session(checkpoint="off")
    code = "#" + "x" * (15 * MIB) + "\n1"
    for _ in range(4):
        arena.run(one, code)
    with pytest.raises(rpc.Failure, match="64 MiB of code") as refused:
        one.run(code)
    assert refused.value.code == -32011
    with pytest.raises(rpc.Failure, match="64 MiB of code"):
        for i in range(2000):
            arena.server.call("files.write", session=one.id, path="/".join(["d" * 200] * 19) + f"/{i}", base64="")


@pytest.mark.few
def test_X1_branches_have_accounts_of_their_own(arena):
    one = with_tool(arena)
    arena.run(one, FETCH % ("a", 20), timeout=600)
    arena.run(one, NAMES + "make(500, '')")
    created = arena.server.call("session.branch", session=one.id, count=2)
    ids = [b["session"] if isinstance(b, dict) else b for b in created.get("sessions", created.get("branches"))]
    branches = [rpc.Session(arena.server, {"session": i, "isolation": one.isolation}) for i in ids]
    arena.sessions += branches
    for branch in branches:
        assert account(branch)["tool_calls"] == account(one)["tool_calls"] > 19 * MIB
        assert account(branch)["file_lists"] > 2 * MIB
        assert branch.value("len(got)") == "20"
    branches[0].run("import os\nfor name in os.listdir('/work'): os.unlink('/work/' + name)")
    assert account(branches[1])["file_lists"] > 2 * MIB


@pytest.mark.few
def test_X1_a_sleeping_session_holds_its_past_only(arena):
    one = with_tool(arena, limits={"idle": 0.3}, record=True)
    arena.run(one, FETCH % ("a", 20), timeout=600)
    arena.run(one, RAW + "raw(frame(PLOT, (DATA, bytes(8 << 20))))")
    while one.info()["state"] != "asleep":
        arena.pause()
    held = account(one)
    assert held["descriptors"] <= 3 and held["frames"] <= MIB and held["result"] == 0
    assert one.value("got[3][0]") == "'a3'"


@pytest.mark.few
def test_X1_interrupted_cells_leave_nothing(arena):
    """A cell that never happened has no place in the account."""
    one = with_tool(arena)
    one.value("1")
    before = account(one)
    for _ in range(3):
        arena.run(one, FETCH % ("a", 10) + "\nimport os\nos.kill(os.getpid(), 9)", "signal", timeout=600)
    after = account(one)
    assert after["tool_calls"] == before["tool_calls"] and after["past"] == before["past"]


def test_X1_half_a_message(arena):
    """The rest of which never comes: the session ends, and what it had sent goes."""
    one = arena.session()
    arena.run(one, RAW + "raw(frame(DISPLAY, (MIME, 'text/plain'), (DATA, bytes(30 << 20)))[:-1])\nimport os\nos._exit(0)", "exit")
    held = account(one)
    assert held["frames"] <= MIB and held["result"] == 0


def test_account_of_an_owner(arena):
    one, two = arena.session(), arena.session()
    for each in (one, two):
        each.value("'x'\n#" + "y" * 100000)
    total = arena.server.call("server.info")["account"]
    assert total["past"]["used"] >= account(one)["past"] + account(two)["past"] > 200000
    assert total["past"]["limit"] == total["sessions"] * 64 * MIB
    told = arena.server.call("metrics")["account"]["past"]
    assert told["limit"] == total["past"]["limit"] and told["used"] >= total["past"]["used"]  # the victim goes on working


def test_locks_and_processor_time_are_on_the_account(arena):
    """Of the running cell while it runs, and between cells of what goes on."""
    one = arena.session()
    assert account(one)["locks"] == account(one)["cpu_ms"] == 0
    running = one.start("""
import fcntl, os, struct, threading
held = os.open('held', os.O_RDWR | os.O_CREAT)
for i in range(500): fcntl.fcntl(held, fcntl.F_SETLK, struct.pack('hhqqi', 1, 0, i * 2, 1, 0))
def burn():
    while True: pass
burn()""")
    while account(one)["cpu_ms"] < 300:
        arena.pause()
    one.interrupt()
    assert running.answer()["status"] == "interrupted" and account(one)["cpu_ms"] == 0
    arena.run(one, "threading.Thread(target=burn, daemon=True).start()")
    while account(one)["idle_cpu_ms"] < 100 or account(one)["locks"] != 500:
        arena.pause()


WORST = [
    RAW + "for i in range(20): raw(frame(TOOL_CALL, (CALL, i), (NAME, 'x'), (JSON, json.dumps({'x': 'y' * 1000000}))))",
    NAMES + "make(1000, 'a')",
    "open('b', 'w').write('1')",
    "open('b', 'w').write('2')",
    RAW + "for i in range(3): raw(frame(PLOT, (DATA, bytes(2 << 20))))",
    RAW + "raw(frame(DISPLAY, (MIME, 'application/json'), (DATA, json.dumps([[]] * 100000))))",
    "import os\nfor _ in range(4): os.write(1, b'o' * (1 << 20)); os.write(2, b'e' * (1 << 20))",
    FORGED + "raw(frame(RESULT, (KIND, 1), (TRACEBACK, b't' * (8 << 20))))" + STAY,
]


def worst(arena, one):
    for code in WORST:
        arena.run(one, code, ("ok", "error"), timeout=600)
    arena.raw.clear()
    arena.server.notes.clear()


def test_X1_one_after_the_other(arena, count, record_property):
    """Hostile sessions leave nothing behind: the broker is not larger after many than before the first."""
    before, after = arena.before["memory"], []
    for _ in range(count(2, 1000)):
        one = arena.session()
        worst(arena, one)
        one.close()
        arena.sessions.remove(one)
        after.append(arena.lab.settled()["memory"] - before - (traces.HELD_BACK >> 10))
    grown = statistics.median(after[-5:])
    record_property("grown_kib", grown)
    assert grown < 20 << 10


@pytest.mark.few
def test_X1_at_once(arena, count, record_property):
    """The broker grows by no more than their accounts say that they hold."""
    sessions = [arena.session() for _ in range(count(4, 100))]
    before = memory(arena)
    for one in sessions:
        worst(arena, one)
    kinds = ("past", "saved_states", "tool_calls", "file_lists", "output", "frames", "result", "proof")
    held = sum(account(one)[kind] for one in sessions for kind in kinds)
    grown = grown_since(arena, before)
    record_property("grown_mib", grown >> 20)
    record_property("held_mib", held >> 20)
    assert grown < held + 20 * MIB + held // 4
