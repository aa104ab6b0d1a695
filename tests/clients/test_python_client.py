"""The Python client, over every way to an engine."""
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from serving import serving

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCE = ROOT / "clients/python"
sys.path.insert(0, str(SOURCE))
import retort as client  # noqa: E402


@pytest.fixture(scope="module")
def retort(light):
    return light


@pytest.fixture(scope="module", autouse=True)
def light_engines(retort):
    """Those that the client starts by itself are the caller's, too."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in retort.configured:
            patch.setenv(name, value)
        yield


@pytest.fixture
def session(engine):
    with client.Session(engine=engine) as made:
        yield made


def test_state_stays(session):
    session.run("x = 20")
    result = session.run("x + 22")
    assert (result.ok, result.value, result.cell, repr(result)) == \
        (True, "42", 2, "<retort.Result cell=2 status='ok' value='42'>")


def test_a_session_comes_back_after_its_end(engine):
    with client.Session(engine=engine) as first:
        identifier = first.id
        first.run("x = 20")
        first.write("note.txt", "hello")
    with client.Session.attach(identifier, engine=engine) as again:
        assert (again.id, again.run("x + 22").value, again.read("note.txt")) == (identifier, "42", b"hello")
        assert "user" in again.isolation["layers"]
    with pytest.raises(client.Error):
        client.Session.attach("s_0000000000", engine=engine)


def test_a_failing_cell_is_a_result(session):
    result = session.run("1/0")
    assert (result.ok, result.status, result.error["name"]) == (False, "error", "ZeroDivisionError")
    assert "ZeroDivisionError" in str(result) and "ZeroDivisionError" in result._repr_html_()
    assert session.run("import time; time.sleep(60)", timeout=0.3).status == "timeout"


def test_streams_come_as_they_happen(session):
    events = list(session.stream("import sys\nprint('a', flush=True)\nprint('b', file=sys.stderr, flush=True)\n7"))
    assert [event for event in events if event == client.Output("stdout", "a\n")]
    assert [event for event in events if event == client.Output("stderr", "b\n")]
    assert isinstance(events[-1], client.Result) and events[-1].value == "7"


def test_events_that_come_late_come_before_the_result(engine, monkeypatch):
    """Over HTTP they have a connection of their own."""
    notify, told = engine._notify, []
    late = threading.Event()

    def slow(note):
        late.wait(0.2)
        told.append(note)
        notify(note)

    with client.Session(engine=engine) as first:
        identifier = first.id
        first.run("x = 1")
    monkeypatch.setattr(engine, "_notify", slow)
    for language, code in (None, "print(x)\n7"), ("bash", "echo 1; exit 3"), ("javascript", "console.log(1)"):
        made = client.Session(engine=engine, language=language) if language else client.Session.attach(identifier, engine=engine)
        with made as session:
            *events, result = session.stream(code)
            assert ("".join(event.text for event in events), result.stdout) == ("1\n", "1\n")
    if engine.events_apart:  # the end of each cell was waited for, not given up
        assert [note["method"] for note in told].count("cell.end") == 3


def test_the_last_event_of_an_agent_comes_before_its_answer(engine, monkeypatch):
    notify, late, events = engine._notify, threading.Event(), []

    def slow(note):
        late.wait(0.2)
        notify(note)

    with client.Session(engine=engine) as session:
        session.run("x = 1")
        monkeypatch.setattr(engine, "_notify", slow)
        session.agent("Six?", replies=[{"text": "```python\nprint('six', 6)\n```"}, {"text": "Six is 6."}],
                      on_event=lambda event: events.append(event["event"]))
        assert events[-1] == "stop"


def test_leaving_a_stream_interrupts_the_cell(session):
    session.run("y = 5")
    for event in session.stream("import time\nwhile True: print('tick', flush=True); time.sleep(0.05)"):
        assert event.stream == "stdout" and event.text.startswith("tick\n")  # more than one, if it was slow
        break
    assert session.run("y").value == "5"


def test_files(session):
    data = os.urandom(20_000)
    session.write("deep/data.bin", data)
    session.write("text.txt", "grün")
    assert session.read("deep/data.bin") == data and session.read("text.txt").decode() == "grün"
    assert sorted(file.path for file in session.files()) == ["deep/data.bin", "text.txt"]
    result = session.run("open('made.csv', 'w').write('a,b')")
    assert [(file.path, file.size, file.change) for file in result.files if file.path == "made.csv"] == [("made.csv", 3, "created")]
    session.delete("text.txt")
    with pytest.raises(client.NotFound):
        session.read("text.txt")


def test_files_in_pieces(session, tmp_path, monkeypatch):
    monkeypatch.setattr("retort._session.PIECE", 1000)
    data = os.urandom(12_345)
    (tmp_path / "file").write_bytes(data)
    with open(tmp_path / "file", "rb") as file:
        session.write("from-file", file)
    session.write("from-iterator", (data[i:i + 777] for i in range(0, len(data), 777)))
    session.write("empty", iter(()))
    assert session.read("from-file") == session.read("from-iterator") == data and session.read("empty") == b""
    assert [len(piece) for piece in session.read_pieces("from-file")] == [1000] * 12 + [345]


def test_a_cell_names_its_language(session):
    assert session.run("6 * 7", language="python").value == "42"
    with pytest.raises(client.Error, match="cobol"):
        session.run("DISPLAY 42.", language="cobol")


def test_files_to_begin_with(engine):
    with client.Session(engine=engine, files={"in.txt": b"here"}, limits={"timeout": 5}, env={"COLOUR": "red"}) as made:
        assert made.run("import os; open('in.txt').read(), os.environ['COLOUR']").value == "('here', 'red')"


def test_files_to_begin_with_may_be_text(engine):
    with client.Session(engine=engine, files={"in.txt": "grün", "raw": b"\xff"}) as made:
        assert (made.read("in.txt").decode(), made.read("raw")) == ("grün", b"\xff")


@pytest.mark.few(1)
def test_pictures_and_tables(session):
    result = session.run("import matplotlib.pyplot as plt, pandas as pd\nplt.plot([1, 2])\ndf = pd.DataFrame({'a': [1]})\ndf")
    assert result.images[0].startswith(b"\x89PNG")
    assert (result.dataframes[0].name, result.dataframes[0].shape) == ("df", [1, 1])
    assert "<img src=" in result._repr_html_() and "<table" in result._repr_html_()


def test_questions(session):
    session.run("x = [1]")
    session.run("let order = {amount: 3}", language="javascript")
    assert session.variables() == [{"name": "x", "type": "list", "repr": "[1]"}]
    assert session.variables("javascript") == [{"name": "order", "type": "Object", "repr": "{ amount: 3 }"}]
    assert session.complete("x.app") == (2, ["append"])
    assert session.complete("order.am + 1", 8, "javascript") == (6, ["amount"])


def test_undo(session):
    session.run("x = 1")
    session.run("x = 2")
    session.undo()
    assert session.run("x").value == "1"


def test_branches_go_their_own_ways(session):
    session.run("x = 1")
    with session.branch(2) as (left, right):
        left.run("x = 2")
        assert (session.run("x").value, left.run("x").value, right.run("x").value) == ("1", "2", "1")


def test_branches_are_compared_and_one_is_kept(session):
    session.run("x = [1]; y = 5; open('f.txt', 'w').write('a')")
    left, right = session.branch(2)
    left.run("x.append(2); open('f.txt', 'w').write('b'); x")
    right.run("z = 1; open('g.txt', 'w').write('c'); print('right')")
    seen = session.compare(left, right)
    assert seen["sessions"] == [session.id, left.id, right.id] and seen["same"] == {"files": 0, "variables": 1}
    assert [(v["name"], [one and one["repr"] for one in v["in"]]) for v in seen["variables"]] == \
        [("x", ["[1]", "[1, 2]", "[1]"]), ("z", [None, None, "1"])]
    assert [(f["path"], [one is not None for one in f["in"]]) for f in seen["files"]] == \
        [("f.txt", [True, True, True]), ("g.txt", [False, False, True])]
    assert seen["last"][1]["value"] == "[1, 2]" and seen["last"][2]["stdout"] == "right\n"
    assert left.keep() == [right.id] and left.run("x").value == "[1, 2]" and session.run("x").value == "[1]"
    with pytest.raises(client.Error, match="no such session"):
        right.run("1")


def test_tools_are_functions(session):
    seen = []

    @session.tool
    def price(article: str, amount: int = 1) -> float:
        """Price of an article."""
        seen.append((article, amount))
        if article == "coal":
            raise ValueError("sold out")
        return 9.5 * amount

    assert session.run("import tools\ntools.price('tea', amount=2)").value == "19.0"
    assert session.run("tools.price.__doc__").value == repr("Price of an article.")
    assert session.run("try:\n    tools.price('coal')\nexcept Exception as error:\n    print(error)").stdout.strip() == \
        "ValueError: sold out"
    assert session.run("tools.price(5)").status == "error"
    assert seen == [("tea", 2), ("coal", 1)]


def test_a_database_is_asked_twenty_times_in_one_cell(engine, session):
    """One request for the client, nothing of what was asked in the result, every call in the ledger, replay without asking."""
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.execute("CREATE TABLE sales (month INTEGER, amount INTEGER)")
    database.executemany("INSERT INTO sales VALUES (?, ?)", [(n, 7000 + n) for n in range(20)])
    asked = []

    @session.tool
    def amount(month: int) -> int:
        """Sales of a month."""
        asked.append(month)
        return int(database.execute("SELECT amount FROM sales WHERE month = ?", (month,)).fetchone()[0])

    result = session.run("import tools\nsum(tools.amount(n) for n in range(20))")
    assert result.value == str(20 * 7000 + 190) and asked == list(range(20))
    assert "7013" not in json.dumps(result.raw)
    entries = engine.call("ledger.list", session=session.id)["entries"]
    assert [entry["body"]["name"] for entry in entries if entry["kind"] == "tool_call"] == ["amount"] * 20
    assert engine.call("ledger.replay", session=session.id)["equal"]
    assert len(asked) == 20


def test_a_tool_that_returns_no_json_fails(session):
    @session.tool
    def ratio() -> float:
        return float("nan")

    result = session.run("try:\n    tools.ratio()\nexcept Exception as error:\n    print(error)")
    assert "not JSON compliant" in result.stdout


def test_a_listener_that_fails_stops_nobody(engine, session, capsys):
    stop = engine.listen(session.id, lambda method, params: 1 / 0)
    assert session.run("print('heard')\n6 * 7").value == "42"
    assert session.run("1").value == "1"
    stop()
    with pytest.raises(ValueError):
        engine.call("session.execute", session=session.id, code="1", limits={"timeout": float("nan")})


def test_tools_in_parallel(session):
    @session.tool
    def double(n: int) -> int:
        """Twice n."""
        return 2 * n

    result = session.run("import tools\ntools.parallel([(tools.double, {'n': 1}), (tools.double, {'n': 2})])")
    assert result.value == "[2, 4]"


def test_sessions_run_at_the_same_time(engine):
    with client.Session(engine=engine) as one, client.Session(engine=engine) as two:
        endless = threading.Thread(target=one.run, args=("import time\nwhile True: time.sleep(0.05)",))
        endless.start()
        assert two.run("1 + 1").value == "2"
        while not one.interrupt():
            pass
        endless.join()


def test_errors_say_whose_fault_it_was(engine, session):
    with pytest.raises(client.Error) as caught:
        engine.call("session.create", colour="red")
    assert (caught.value.code, caught.value.fault) == (-32602, "caller")
    session.close()
    with pytest.raises(client.Error):
        session.run("1")


# ---- interrupts, ends, other addresses ----

INTERRUPTED = """
import os, signal, sys, threading, time
import retort

engine = retort.connect(sys.argv[1] if len(sys.argv) > 1 else None)
s, other = retort.Session(engine=engine, limits={"timeout": 100}), retort.Session(engine=engine)
other.run("y = 2")
s.run("x = 1")
running = threading.Event()
engine.listen(s.id, lambda method, params: running.set())

def press():
    running.wait()
    os.killpg(0, signal.SIGINT)  # as a terminal does: to the whole group

threading.Thread(target=press).start()
try:
    s.run("print('on', flush=True)\\nimport time\\nwhile True: time.sleep(0.05)")
except KeyboardInterrupt:
    print("interrupted")
print(s.run("x").value, other.run("y").value)
"""


@pytest.mark.parametrize("way", ["private", "http"])
def test_ctrl_c_interrupts_the_cell_and_nothing_else(retort, way):
    def check(*arguments):
        done = subprocess.run(["/usr/bin/python3", "-c", INTERRUPTED, *arguments], capture_output=True, text=True, check=False, timeout=100,
                              start_new_session=True, env=retort.environment(RETORT_PROGRAM=str(retort.retort), PYTHONPATH=str(SOURCE)))
        assert (done.returncode, done.stdout) == (0, "interrupted\n1 2\n"), done.stderr

    if way == "private":
        check()
        return
    with serving(retort, "--no-auth") as server:
        check(server.url)


@pytest.fixture
def own_state(retort, monkeypatch):
    monkeypatch.setenv("RETORT_PROGRAM", str(retort.retort))
    monkeypatch.setenv("RETORT_STATE", str(retort.home / "state-of-client"))
    monkeypatch.setattr(client._engine, "_default", None)  # which another test may have left, with its state


def kill(engine):
    engine._process.kill()
    engine._process.wait()


def test_a_dead_engine_is_replaced_and_its_sessions_come_back(own_state):
    first, branched = client.Session(), client.Session()
    first.run("x = 20")
    first.write("note.txt", "hello")
    branched.run("y = 1")
    [branch] = branched.branch()
    kill(first.engine)
    assert (first.run("x + 22").value, first.read("note.txt")) == ("42", b"hello")
    assert [event.value for event in branched.stream("y") if isinstance(event, client.Result)] == ["1"]
    assert branch.run("y").value == "1"
    with client.Session() as second, client.Session.attach(first.id) as again:
        assert second.run("1 + 1").value == "2" and second.engine is again.engine is first.engine
        assert again.run("x").value == "20"
        second.engine.close()


def test_what_was_under_way_is_not_done_again(own_state):
    """The engine is killed in the middle of a cell; the next call finds the session as it was before, with its tools."""
    with client.Session(limits={"timeout": 100}) as session:
        @session.tool
        def twice(n: int) -> int:
            return 2 * n

        session.run("x = 20")
        events = session.stream("x = 0\nprint('on', flush=True)\nimport time\nwhile True: time.sleep(0.05)")
        next(events)
        kill(session.engine)
        with pytest.raises(client.Gone, match="comes back with its next call"):
            list(events)
        assert session.run("x + 22").value == "42"
        assert session.run("import tools\ntools.twice(21)").value == "42"
        session.engine.close()


def test_many_threads_bring_a_session_back_once(own_state):
    session = client.Session()
    session.run("x = 0")
    kill(session.engine)
    with ThreadPoolExecutor(8) as pool:
        assert all(result.ok for result in pool.map(session.run, ["x += 1"] * 16))
    assert session.run("x").value == "16"
    session.engine.close()


def test_what_cannot_come_back_says_why(own_state, retort):
    session = client.Session(record=False)
    kill(session.engine)
    for _ in range(2):
        with pytest.raises(client.Gone, match="was not recorded"):
            session.run("1")
    given = client.Session(engine=client.connect(program=str(retort.retort)))
    given.run("x = 1")
    kill(given.engine)
    with pytest.raises(client.Gone, match=r"given to session .*resume\(engine="):
        given.run("x")
    with client.connect(program=str(retort.retort)) as other:
        assert given.resume(engine=other).run("x").value == "1"


def test_a_server_that_comes_back_brings_its_sessions(retort):
    """The engine of HTTP is an address: whoever serves there next has the record."""
    state = retort.home / "state-of-server"
    with serving(retort, "--no-auth", state=state) as server:
        session = client.Session(engine=client.connect(server.url))
        session.run("x = 41")
    with pytest.raises(client.Gone):
        session.run("x")
    with serving(retort, "--no-auth", listen=f"127.0.0.1:{server.port}", state=state):
        assert session.run("x + 1").value == "42"


def test_the_path_of_an_address_counts(retort):
    with serving(retort, "--no-auth") as server:
        with client.connect(server.url + "/") as engine:
            assert engine.call("session.list") == {"sessions": []}
        with client.connect(server.url + "/nope") as engine, pytest.raises(client.Error, match="/nope: no such path"):
            engine.call("session.list")
    for bad in ("ftp://localhost", "http://", "http://localhost/?a=1", "http://user:secret@localhost"):
        with pytest.raises(ValueError):
            client.connect(bad)
    with pytest.raises(client.Gone), client.connect(server.url) as engine:
        engine.call("session.list")


# ---- as a package ----

@pytest.mark.few
def test_types_are_strict(build):
    """Those of the package and of the tests that use it, in one go: most of the time mypy reads the standard library."""
    done = subprocess.run(["/usr/bin/python3", "-m", "mypy", "--strict", "--cache-dir", build / "mypy", "retort", "build_wheel.py",
                           HERE / "test_python_async.py"], cwd=SOURCE, capture_output=True, text=True, check=False)
    if "No module named mypy" in done.stderr:
        pytest.skip("mypy is not installed")
    assert done.returncode == 0, done.stdout + done.stderr


DOCTESTS = """
import doctest, pkgutil, importlib, retort
for module in pkgutil.iter_modules(retort.__path__, "retort."):
    print(doctest.testmod(importlib.import_module(module.name)))
"""


def test_docstrings_are_true(retort):
    done = subprocess.run(["/usr/bin/python3", "-c", DOCTESTS], capture_output=True, text=True, check=True, timeout=100,
                          env=retort.environment(RETORT_PROGRAM=str(retort.retort), PYTHONPATH=str(SOURCE)))
    counts = re.findall(r"failed=(\d+), attempted=(\d+)", done.stdout)
    assert {failed for failed, _ in counts} == {"0"} and sum(int(n) for _, n in counts) > 15, done.stdout


def test_help_reads_well():
    done = subprocess.run([sys.executable, "-c", "import retort; help(retort)"], cwd=SOURCE, capture_output=True, text=True,
                          check=True)
    assert "Run code in sealed, stateful interpreters" in done.stdout
    for name in client.__all__:
        assert getattr(client, name).__doc__, name
        assert name in done.stdout


@pytest.mark.by_turns
@pytest.mark.few
def test_readme_works_in_a_fresh_environment(caller, tmp_path):
    """Installed by pip without network, then each block of both READMEs, as this caller."""
    copy = caller.home / "client-source"
    place = caller.home / "venv"
    subprocess.run(["cp", "-r", str(SOURCE), str(copy)], check=True)
    subprocess.run(["chmod", "-R", "a+rwX", str(copy)], check=True)
    run = lambda *words: subprocess.run(caller.command(*words), capture_output=True, text=True, check=False, timeout=300,
                                        cwd=caller.home, env=caller.environment(RETORT_PROGRAM=str(caller.retort)))
    assert run("/usr/bin/python3", "-m", "venv", "--without-pip", place).returncode == 0
    installed = run("/usr/bin/python3", "-m", "pip", "--python", place / "bin/python", "install", "--no-index", "--disable-pip-version-check", copy)
    assert installed.returncode == 0, installed.stderr
    blocks = [block for folder in (ROOT, SOURCE)
              for block in re.findall(r"```python\n(.*?)```", (folder / "README.md").read_text(), re.DOTALL)]
    front, first, function, tool, third = (run(place / "bin/python", "-c", block) for block in blocks)
    assert front.returncode == 0, front.stderr
    assert "Oslo    8" in front.stdout and "amount" in front.stdout and front.stdout.splitlines()[-1] == "3"
    assert first.returncode == 0, first.stderr
    assert first.stdout.splitlines()[0] == "3.75" and first.stdout.splitlines()[-1] == "19.0"
    assert function.stdout == "42\n", function.stderr
    assert json.loads(tool.stdout.removesuffix(" None False\n"))["stdout"] == "42\n", tool.stderr
    assert third.returncode == 0 and third.stdout.splitlines()[0] == "9 42", third.stderr


def test_agent_works_in_the_session(session):
    """The model is a list of replies; its events come as they happen, and its variables are the session's."""
    replies = [{"text": "```python\nimport csv\nrows = list(csv.DictReader(open('a.csv')))\n"
                        "print('total price', sum(float(row['price']) for row in rows))\n```"},
               {"text": "The total price is 99."}, {"text": "The total price is 12.5."}]
    events = []
    answer = session.agent("What is the total price?", files={"a.csv": b"price\n10\n2.5\n"}, replies=replies,
                           on_event=lambda event: events.append(event["event"]))
    assert (answer["answer"], answer["verified"], answer["steps"]) == ("The total price is 12.5.", True, 3)
    assert {"plan", "model", "action", "observation", "check"} <= set(events)
    assert session.run("len(rows)").value == "2"


def test_the_library_of_skills(retort, tmp_path, monkeypatch):
    monkeypatch.setenv("RETORT_STATE", str(tmp_path / "state"))
    folder = tmp_path / "double"
    folder.mkdir()
    (folder / "SKILL.md").write_text("---\nname: double\ndescription: Doubles a number.\n---\n")
    (folder / "skill.py").write_text("def double(x):\n    return 2 * x\n")
    (folder / "skill.json").write_text(json.dumps({"functions": ["double"], "tests": [{"in": {"x": 3}, "out": 6}, {"in": {"x": 1}, "out": 2}]}))
    with client.connect(program=str(retort.retort)) as engine:
        assert engine.skills.add(folder)["tests"] == 2
        assert engine.skills.list()[0]["name"] == engine.skills.search("double a number")[0]["name"] == "double"
        assert engine.skills.test("double")["tests"] == 2 and engine.skills.show("double@1")["version"] == 1
        assert (engine.skills.export("double", tmp_path / "out") / "skill.py").read_text() == (folder / "skill.py").read_text()
        with client.Session(engine=engine, skills=["double"]) as session:
            assert session.run("from skills import double\ndouble(x=4)").value == "8"
            session.run("def triple(x):\n    'Triples.'\n    return 3 * x\nprint(triple(1), triple(2))")
            learned = engine.skills.learn(session.id, "triple")
        assert (learned["name"], learned["tests"]) == ("triple", 2)
        for name in ("double", "triple"):
            engine.skills.remove(name)
        with pytest.raises(client.NotFound):
            engine.skills.show("double")
