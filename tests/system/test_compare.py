"""Undo and branches as a user sees them: worlds taken back, put side by side, and one of them kept."""
import pytest
import rpc

pytestmark = pytest.mark.by_turns
BEFORE = "rows = ['a']; open('table.csv', 'w').write('x,y\\n1,2\\n'); open('doomed.txt', 'w').write('still here') and None"
CHANGE = "import os; rows.append('b'); open('table.csv', 'w').write('x,y\\n3,4\\n'); os.remove('doomed.txt')"
LOOK = "import os; rows, open('table.csv').read(), os.path.exists('doomed.txt') and open('doomed.txt').read()"
OLD, NEW = "(['a'], 'x,y\\n1,2\\n', 'still here')", "(['a', 'b'], 'x,y\\n3,4\\n', False)"


def value(server, session, code):
    result = server.call("session.execute", session=session, code=code)
    assert result["status"] == "ok", result["error"]
    return result.get("value", {}).get("text/plain") if result.get("value") else None


@pytest.mark.few
def test_memory_a_rewritten_and_a_deleted_file_come_back_together(server):
    session = server.call("session.create")["session"]
    value(server, session, BEFORE)
    value(server, session, CHANGE)
    assert value(server, session, LOOK) == NEW
    server.call("session.undo", session=session, cells=2)
    assert value(server, session, LOOK) == OLD


@pytest.mark.few
def test_two_branches_are_two_worlds_side_by_side(server):
    session = server.call("session.create")["session"]
    value(server, session, BEFORE)
    left, right = server.call("session.branch", session=session, count=2)["sessions"]
    value(server, left, CHANGE)
    assert [value(server, one, LOOK) for one in (session, left, right)] == [OLD, NEW, OLD]
    seen = server.call("session.compare", sessions=[left, right])
    files = {file["path"]: file["in"] for file in seen["files"]}
    assert set(files) == {"table.csv", "doomed.txt"} and files["doomed.txt"][0] is None
    assert files["table.csv"][0]["sha256"] != files["table.csv"][1]["sha256"]
    assert [v["name"] for v in seen["variables"]] == ["rows"]
    assert [one["repr"] for one in seen["variables"][0]["in"]] == ["['a', 'b']", "['a']"]
    assert [last["value"] for last in seen["last"]] == [NEW, OLD]


def test_what_kinds_of_values_differ(server):
    session = server.call("session.create")["session"]
    value(server, session, "import numpy as np, pandas as pd\nclass Point: pass\na = np.arange(5)\nframe = pd.DataFrame({'n': [1, 2, 3]})\n"
          "def f(x): return x + 1\np, same = Point(), {'k': [1, 2]}\nbig = list(range(50000))")
    other, = server.call("session.branch", session=session)["sessions"]
    assert server.call("session.compare", sessions=[session, other])["variables"] == []
    value(server, other, "a[3] = 7; frame.loc[1, 'n'] = 9\ndef f(x): return x + 2\nbig[7] = 0; new = 1")
    seen = server.call("session.compare", sessions=[session, other])
    assert [v["name"] for v in seen["variables"]] == ["a", "big", "f", "frame", "new"]
    assert seen["variables"][4]["in"][0] is None and seen["variables"][0]["in"][0]["type"] == "ndarray"
    assert seen["notes"] == []


def test_looking_runs_no_code_in_the_session_itself(server):
    """What a repr does stays in the child that asks; one that hangs or dies costs its session nothing but the answer."""
    session = server.call("session.create")["session"]
    value(server, session, "calls = []\nclass Loud:\n    def __repr__(self):\n        calls.append(1); print('heard'); return 'loud'\nx = Loud()")
    other, = server.call("session.branch", session=session)["sessions"]
    assert server.call("session.compare", sessions=[session, other])["variables"] == []
    result = server.call("session.execute", session=session, code="calls")
    assert result["value"]["text/plain"] == "[]" and result["stdout"] == ""
    for deadly in ("import os; os._exit(0)", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "import time; time.sleep(600)"):
        value(server, other, f"class Loud:\n    def __repr__(self):\n        {deadly}\nx = Loud(); y = 6")
        seen = server.call("session.compare", sessions=[session, other])
        assert seen["notes"] == [f"{other}: its variables could not be looked at"]
        assert value(server, other, "y * 7") == "42"


def test_keeping_one_ends_its_siblings_and_their_records_say_so(server):
    session = server.call("session.create")["session"]
    early, = server.call("session.branch", session=session)["sessions"]
    first, second, third = server.call("session.branch", session=session, count=3)["sessions"]
    busy = server.start("session.execute", session=third, code="while True: pass")
    done = server.call("session.keep", session=second)
    assert done["kept"] == second and set(done["closed"]) == {first, third}
    try:
        assert busy.answer()["status"] in ("interrupted", "lost", "signal")
    except rpc.Failure:
        pass  # it had not begun
    alive = {one["session"] for one in server.call("session.list")["sessions"]}
    assert alive & {session, early, first, second, third} == {session, early, second}
    entries = server.call("ledger.list", session=first)["entries"]
    assert (entries[-1]["kind"], entries[-1]["body"]["kept"]) == ("close", second)
    assert server.call("ledger.verify", session=first)["sound"]
    with pytest.raises(rpc.Failure):
        server.call("session.execute", session=first, code="1")
