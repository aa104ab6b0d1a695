"""The same things done in each language: one status, one set of flags, one fate of the state."""
import time

import pytest
import rpc
from serving import Client, serving

LANGUAGES = "python", "javascript", "bash", "sql"
STATE = {"python": "kept = 5", "javascript": "let kept = 5", "bash": "kept=5", "sql": "CREATE TABLE kept AS SELECT 5 AS n"}
HELD = {"python": "print(kept)", "javascript": "console.log(kept)", "bash": "echo $kept", "sql": "SELECT n FROM kept"}
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
BUSY = {"python": "while True: pass", "javascript": "while (true);", "bash": "while :; do :; done", "sql": ENDLESS}
pytestmark = pytest.mark.by_turns
ANNOUNCED = {"python": "print('on', flush=True)\n", "javascript": "console.log('on');", "bash": "echo on;", "sql": "SELECT 1;"}


@pytest.fixture(scope="module")
def server(light_caller):
    running = rpc.Server(light_caller)
    yield running
    assert running.close() == 0


@pytest.fixture(params=LANGUAGES)
def one(request, server):
    session = server.session(limits={"memory": 200, "pids": 64, "disk": 64})
    session.language = request.param
    assert cell(session, STATE[request.param])["status"] == "ok"
    yield session
    told = cell(session, HELD[session.language])  # whatever was done
    assert told["status"] == "ok", told
    assert "5" in (told["stdout"] or told["value"]["text/plain"]), told
    session.close()


def cell(session, code, **limits):
    return session.server.call("session.execute", session=session.id, code=code, language=session.language,
                               **({"limits": limits} if limits else {}))


def fate(result):
    return result["status"], result["state"], result["flags"]


def only(**codes):
    """Cases of those languages that have such a thing."""
    return pytest.mark.parametrize("one", list(codes), indirect=True), codes


@pytest.mark.every_caller
@pytest.mark.few(1)
def test_a_busy_loop_runs_out_of_time(one):
    assert fate(cell(one, BUSY[one.language], timeout=0.3)) == ("timeout", "rolled_back", [])


@pytest.mark.every_caller
def test_a_busy_loop_is_interrupted(one):
    one.server.notes.clear()
    running = one.server.start("session.execute", session=one.id, code=ANNOUNCED[one.language] + BUSY[one.language],
                               language=one.language)
    while not any(m in ("session.output", "session.display") and p["session"] == one.id for m, p in one.server.notes):
        time.sleep(0.01)
    one.server.call("session.interrupt", session=one.id)
    done = running.answer()
    assert fate(done) == ("interrupted", "rolled_back" if came_late(done) else "kept", [])


def came_late(done):
    """Whether a busy machine did not let it end within the second that it has."""
    return done["state"] == "rolled_back" and done["resources"]["wall_ms"] > 1000


TOO_MUCH = {17: "code is larger than 16777216 bytes", 50: "a message may have 33554432 bytes"}


@pytest.mark.few(1)
def test_too_much_code_is_refused(one):
    with pytest.raises(rpc.Failure, match=TOO_MUCH[17]):
        cell(one, " " * (17 << 20))


MARK, _ = only(python="")


@MARK
def test_a_message_that_is_too_long_is_refused(one):
    """Before anybody asks for the language of what is in it."""
    with pytest.raises(rpc.Failure, match=TOO_MUCH[50]):
        cell(one, " " * (50 << 20))


@pytest.mark.few
def test_too_much_code_is_refused_by_every_door(light_caller):
    """With one line and the status of a failure that is not the code's, or the error of the protocol."""
    large = light_caller.home / "large"
    large.write_bytes(b" " * (50 << 20))
    runs = {language: light_caller.run("run", "-l", language, "--json", large) for language in (*LANGUAGES, "typescript")}
    assert {(done.returncode, done.stdout, done.stderr) for done in runs.values()} == \
        {(125, b"", b"retort: the code is longer than 16777216 bytes\n")}
    with serving(light_caller, "--no-auth") as running:
        client = Client(running, None)
        session = client.rpc("session.create")[1]["result"]["session"]
        status, _, answer = client.request("POST", "/rpc", headers={"Content-Type": "application/json", "Content-Length": str(50 << 20)})
        assert status == 413 and answer  # before a byte of it has come
        for language in LANGUAGES:
            status, answer = client.rpc("session.execute", session=session, code=" " * (17 << 20), language=language)
            assert (status, answer["error"]["message"]) == (413, TOO_MUCH[17])
        assert client.rpc("session.execute", session=session, code="6 * 7")[1]["result"]["value"]["text/plain"] == "42"
    large.unlink()


MARK, EXITS = only(python="import sys; sys.exit(3)", javascript="process.exit(3)", bash="exit 3")


@MARK
def test_an_exit_keeps_the_state(one):
    result = cell(one, EXITS[one.language])
    assert (*fate(result), result["exit_code"]) == ("exit", "kept", [], 3)


MARK, DEATHS = only(python="import os; os.kill(os.getpid(), 9)", javascript="process.kill(process.pid, 9)", bash="kill -9 $$")


@MARK
@pytest.mark.every_caller
def test_a_death_takes_the_cell_back(one):
    result = cell(one, DEATHS[one.language])
    assert (*fate(result), result["signal"]) == ("signal", "rolled_back", [], 9)


MARK, HOARDS = only(python="hoard = []\nwhile True: hoard.append(bytearray(b'x') * (8 << 20))",
                    javascript="const hoard = []; while (true) hoard.push(Buffer.alloc(8 << 20, 1))",
                    bash="hoard=$(printf %65536s); while :; do hoard+=$hoard; done")


@MARK
@pytest.mark.every_caller
def test_memory_runs_out(one):
    result = cell(one, HOARDS[one.language], timeout=60)
    if "cgroup" in one.isolation["layers"]:
        assert fate(result) == ("oom", "rolled_back", [])
    else:  # an allocation fails, which each language says in its own way
        assert result["status"] not in ("ok", "timeout", "lost") and result["state"] in ("kept", "rolled_back"), result


MARK, BOMBS = only(python="import os\nwhile True: os.fork()",
                   javascript="const {spawn} = require('child_process'); while (true) spawn('sleep', ['60'])",
                   bash="bomb() { bomb | bomb & }; while :; do bomb; done")


@MARK
@pytest.mark.every_caller
def test_a_fork_bomb_stays_inside(one):
    result = cell(one, BOMBS[one.language], timeout=1)
    assert result["status"] in ("error", "timeout", "exit", "oom", "signal"), result


MARK, FLOODS = only(python="for _ in range(8000): print('x' * 999)", javascript="for (let i = 0; i < 8000; i++) console.log('x'.repeat(999))",
                    bash="line=$(printf %999s x); for ((i = 0; i < 8000; i++)); do echo \"$line\"; done")


@MARK
@pytest.mark.every_caller
def test_a_flood_of_output_is_cut(one):
    result = cell(one, FLOODS[one.language], timeout=60, output=1)
    assert (result["status"], result["flags"]) == ("output_limit", []) or result["truncated"], result
    assert len(result["stdout"]) < 2 << 20


MARK, BYTES = only(python=r"import sys; _ = sys.stdout.buffer.write(b'a\xff\xfeb\n')",
                   javascript="process.stdout.write(Buffer.from([97, 255, 254, 98, 10])); undefined", bash=r"printf 'a\xff\xfeb\n'")


@MARK
def test_bytes_that_are_no_text(one):
    result = cell(one, BYTES[one.language])
    assert (*fate(result), result["stdout"]) == ("ok", "kept", [], "a��b\n")


MARK, WRONG = only(python="keptt + 1", javascript="keptt + 1", sql="SELECT n FROM keptt")


@MARK
def test_an_error_has_its_line_and_a_hint(one):
    result = cell(one, WRONG[one.language])
    assert fate(result) == ("error", "kept", [])
    assert "kept" in result["error"]["hint"] and result["error"]["line"] == 1


MARK, TABLES = only(python="import pandas; pandas.DataFrame([{'n': 1, 'm': 'a'}])", javascript="[{n: 1, m: 'a'}]", sql="SELECT 1 AS n, 'a' AS m")


@MARK
@pytest.mark.few(1)
def test_a_table(one):
    result = cell(one, TABLES[one.language])
    assert fate(result) == ("ok", "kept", []) and "<td>1</td>" in result["value"]["text/html"]
