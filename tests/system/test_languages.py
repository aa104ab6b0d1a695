"""Cells in several languages in one session, as a client of `retort rpc` sees them."""
import dataclasses
import time

import pytest
import rpc

pytestmark = pytest.mark.by_turns


class Mixed(rpc.Session):
    """A session whose cells are called by language: one.js("1 + 1")."""

    def cell(self, language, code, **limits):
        return self.server.call("session.execute", session=self.id, code=code, language=language,
                                **({"limits": limits} if limits else {}))

    def js(self, code, **limits):
        return self.cell("javascript", code, **limits)

    def sh(self, code, **limits):
        return self.cell("bash", code, **limits)

    def py(self, code, **limits):
        return self.cell("python", code, **limits)

    def text(self, language, code):
        result = self.cell(language, code)
        assert result["status"] == "ok", result["error"]
        return result["value"]["text/plain"]


@pytest.fixture(scope="module")
def server(light_caller):
    running = rpc.Server(light_caller)
    yield running
    assert running.close() == 0


@pytest.fixture
def make(server):
    made = []

    def create(**options):
        made.append(Mixed(server, server.call("session.create", **options)))
        return made[-1]

    yield create
    for one in made:
        one.close()


@pytest.fixture
def session(make):
    return make()


def test_a_cell_has_a_language(session):
    for name in ("python", "py", "python3"):
        assert session.text(name, "6 * 7") == "42"
    with pytest.raises(rpc.Failure) as refused:
        session.cell("cobol", "1")
    assert "cobol" in str(refused.value) and "python, sql, bash, javascript and typescript" in str(refused.value)


def test_further_interpreters_have_a_state_of_their_own(session):
    """They come back by themselves, in a branch, and after a resume; nothing of one is seen in another."""
    for language, code in (("python", "x = 'first'"), ("python-2", "import json; json.mark = x = 'second'"), ("javascript-2", "let x = 'third'"),
                           ("bash", "x=fourth"), ("bash-2", "x=fifth; mkdir -p d; cd d; echo once >> log")):
        assert session.cell(language, code)["status"] == "ok"
    assert session.cell("python-2", "import os; x = 'dead'; os._exit(1)")["status"] == "exit"
    (branch,) = session.server.call("session.branch", session=session.id)["sessions"]
    for one in (session, Mixed(session.server, session.server.call("session.info", session=branch))):
        assert [one.text(language, "x") for language in ("python", "python-2", "javascript-2")] == ["'first'", "'second'", "'third'"]
        assert one.text("python", "import json; hasattr(json, 'mark')") == "False"
        assert [one.cell(language, "echo $x $PWD; cat log 2>/dev/null || :")["stdout"] for language in ("bash", "bash-2")] == \
            ["fourth /work\n", "fifth /work/d\nonce\n"]
        assert one.cell("python-3", "x")["error"]["name"] == "NameError"
    session.server.call("session.undo", session=session.id, cells=6)
    assert session.cell("python-2", "x = x.upper(); x")["value"]["text/plain"] == "'SECOND'"


def test_a_session_begins_with_the_first_interpreter(light_caller):
    done = light_caller.run("run", "-l", "python-2", "-c", "1")
    assert done.returncode == 125 and b"a session begins with python" in done.stderr


# ---- questions ----

def variables(session, language):
    found = session.server.call("session.variables", session=session.id, language=language)["variables"]
    return {one["name"]: (one["type"], one["repr"]) for one in found}


def names(session, code, **given):
    return session.server.call("session.complete", session=session.id, code=code, **given)


def test_variables_of_each_language(session):
    for language in ("python", "sql", "bash", "javascript"):
        assert variables(session, language) == {}
    session.py("x = [1, 2]; import os")
    session.cell("sql", "CREATE TABLE t (id, amount); INSERT INTO t VALUES (1, 2)")
    session.sh("""a=5; list=(1 "x y"); declare -A map=([k]=v); f() { :; }; declare -i n=3; text=$'it\\'s "two\nlines'""")
    session.js("let q = 1; const order = {amount: 3}; function g() {}; class Box {}")
    assert variables(session, "python") == {"x": ("list", "[1, 2]")}
    assert variables(session, "sql") == {"t": ("table", "1 rows: id, amount")}
    found = variables(session, "bash")
    assert {name: kind for name, (kind, _) in found.items()} == {
        "a": "string", "list": "array", "map": "associative array", "n": "integer", "text": "string", "f": "function"}
    assert (found["a"][1], found["list"][1]) == ('"5"', '([0]="1" [1]="x y")') and "two" in found["text"][1]
    found = variables(session, "js")
    assert {name: kind for name, (kind, _) in found.items()} == {"q": "number", "order": "Object", "g": "function", "Box": "class"}
    assert found["order"][1] == "{ amount: 3 }"
    with pytest.raises(rpc.Failure):
        variables(session, "cobol")


def test_names_are_completed_in_each_language(session):
    """Also before the first cell, and after one that left options behind; a question changes nothing."""
    assert names(session, "%%bash\nech") == {"start": 7, "names": ["echo"]}
    assert names(session, "Math.flo", language="javascript") == {"start": 5, "names": ["floor"]}
    session.sh("first=1; firm=2; it_works() { :; }; touch some.txt; set -euf")
    session.js("let order = {amount: 3}")
    session.cell("sql", "CREATE TABLE orders (id, amount)")
    assert names(session, "echo é $fir", language="bash") == {"start": 8, "names": ["firm", "first"]}
    assert names(session, "%%bash\necho ${firs") == {"start": 14, "names": ["first"]}
    assert names(session, "cd . && it_", language="bash")["names"] == ["it_works"]
    assert names(session, "cat so", language="bash")["names"] == ["some.txt"]
    assert names(session, "cat nosuch", language="bash")["names"] == []
    assert names(session, "order.am + 1", cursor=8, language="js") == {"start": 6, "names": ["amount"]}
    assert names(session, "%%sql\nSELECT orders.am") == {"start": 20, "names": ["amount"]}
    assert names(session, "SELECT * FROM ord", language="sql")["names"] == ["order", "orders"]
    assert session.sh("echo $first $-; echo $?")["stdout"].startswith("1 ") and session.text("javascript", "order.amount") == "3"


def test_a_branch_answers_for_all_languages(session, server):
    session.sh("a=5")
    session.js("let q = 1")
    branch = Mixed(server, {"session": server.call("session.branch", session=session.id, count=1)["sessions"][0], "isolation": None})
    assert (variables(branch, "bash"), variables(branch, "javascript")) == ({"a": ("string", '"5"')}, {"q": ("number", "1")})
    assert branch.sh("echo $a")["stdout"] == "5\n"
    branch.close()


# ---- bash ----

STATE = """a=5; list=(1 2 "x y"); declare -A map=([k]=v); f() { echo "f $a"; }; export E=exported
mkdir -p dir; cd dir; alias hello='echo hello'; shopt -s extglob; set -f; umask 027; trap 'echo usr1' USR1"""
TOLD = ("echo $a ${list[2]} ${map[k]} $E $PWD; f; hello; shopt -q extglob && echo extglob; [[ $- == *f* ]] && echo noglob\n"
        "umask; kill -USR1 $$; bash -c 'echo $E'")
LINES = ["5 x y v exported /work/dir", "f 5", "hello", "extglob", "noglob", "0027", "usr1", "exported"]


def test_bash_lives(session):
    assert session.sh(STATE)["status"] == "ok"
    result = session.sh(TOLD)
    assert (result["stdout"].splitlines(), result["status"]) == (LINES, "ok")
    result = session.sh("false")
    assert (result["status"], result["exit_code"], result["state"]) == ("exit", 1, "kept")
    assert session.run("%%bash\necho $a")["stdout"] == "5\n"
    assert session.sh("break; continue; echo on")["stdout"] == "on\n"
    assert session.sh("read -r line; echo \"got:$line\"")["stdout"] == "got:\n"
    assert "line 2: nosuch: command not found" in session.sh("\nnosuch")["stderr"]


@pytest.mark.parametrize("end, status, state", [
    ("exit 7", "exit", "kept"), ("set -e; false", "exit", "kept"), ("set -u; echo $nothing", "exit", "kept"),
    ("a=6; kill -9 $$", "signal", "rolled_back"), ("a=6; while :; do :; done", "timeout", "rolled_back"),
    ("a=6; sleep 60", "timeout", "rolled_back"), ("a=6; exec true", "exit", "rolled_back")])
def test_a_bash_that_ends_goes_on_with_its_state(session, end, status, state):
    session.py("x = object(); where = id(x)")
    session.js("let j = 1")
    session.sh(STATE)
    session.sh("echo first >> /work/log")
    result = session.sh("echo second >> /work/log; " + end, timeout=2)
    assert (result["status"], result["state"]) == (status, state), result
    assert result["state_via"] == ("saved" if state == "rolled_back" else None)
    session.sh("set +eu")
    assert session.sh(TOLD)["stdout"].splitlines() == LINES
    # No command runs twice.
    assert session.sh("cat /work/log")["stdout"] == "first\n" + "second\n" * (state == "kept")
    assert (session.value("id(x) == where"), session.text("javascript", "j")) == ("True", "1")


def test_an_interrupted_bash_keeps_its_state(session):
    session.sh("a=1")
    for code in ("a=2; echo on; sleep 60", "a=3; echo on; while :; do :; done"):
        session.server.notes.clear()
        running = session.server.start("session.execute", session=session.id, code=code, language="bash")
        while not any(m == "session.output" and p["session"] == session.id for m, p in session.server.notes):
            time.sleep(0.01)
        session.server.call("session.interrupt", session=session.id)
        result = running.answer()
        assert (result["status"], result["state"]) == ("interrupted", "kept")
    assert session.sh("echo $a")["stdout"] == "3\n"


LARGE = "printf -v big '%%%ds' x"  # as many characters


@pytest.mark.few
def test_a_large_state_of_bash_comes_back(make, server):
    one = make()
    assert one.sh("a=1; " + LARGE % 6_000_000)["state_notes"] == []
    ended = one.sh("a=2; kill -9 $$")
    assert (ended["state_via"], ended["state_notes"]) == ("saved", [])
    assert one.sh("echo $a ${#big}; a=3; big=")["stdout"] == "1 6000000\n"
    server.call("session.undo", session=one.id, cells=1)
    branch = Mixed(server, {"session": server.call("session.branch", session=one.id, count=1)["sessions"][0], "isolation": None})
    assert branch.sh("echo $a ${#big}")["stdout"] == "1 6000000\n"
    branch.close()
    one.close()
    server.call("session.resume", session=one.id)
    assert one.sh("echo $a ${#big}")["stdout"] == "1 6000000\n"


def test_what_is_not_saved_of_bash_is_named(make, server):
    one = make()
    one.sh("a=1")
    kept = one.sh("a=2; " + LARGE % 17_000_000)
    assert (kept["status"], kept["state"]) == ("ok", "kept") and "bash holds more than the 16 MiB" in kept["state_notes"][0]
    assert one.sh("echo $a ${#big}")["stdout"] == "2 17000000\n"
    named = "bash is as it was after cell 1: what it held after cell 3 could not be kept"
    ended = one.sh("kill -9 $$")
    assert (ended["state_via"], ended["state_notes"]) == ("saved", [named])
    again = one.sh("echo $a ${#big}")
    assert (again["stdout"], again["state_notes"]) == ("1 0\n", [named])
    assert one.sh("a=4")["state_notes"] == []
    undone = server.call("session.undo", session=one.id, cells=2)
    assert undone["state_notes"] == [named]


def test_a_session_may_be_in_bash(make, server):
    one = make(language="bash")
    one.run(STATE)
    assert one.run(TOLD)["stdout"].splitlines() == LINES
    result = one.run("a=6; kill -9 $$")
    assert (result["state"], result["state_via"]) == ("rolled_back", "saved")
    assert one.run(TOLD)["stdout"].splitlines() == LINES
    assert one.run("a=7; exit 2")["state"] == "kept"
    assert one.run("echo $a $PWD")["stdout"] == "7 /work/dir\n"
    branch = Mixed(server, {"session": server.call("session.branch", session=one.id, count=1)["sessions"][0], "isolation": None})
    assert branch.run("echo $a $PWD")["stdout"] == "7 /work/dir\n"
    branch.close()
    server.call("session.undo", session=one.id, cells=2)
    assert one.run("echo $a")["stdout"] == "5\n"
    one.close()
    replayed = server.call("ledger.replay", session=one.id)
    assert replayed["equal"], replayed
    server.call("session.resume", session=one.id)
    assert one.run(TOLD)["stdout"].splitlines() == LINES


def test_a_replay_of_bash_begins_where_it_began(make, server):
    """Not with what its later cells have saved."""
    one = make()
    one.sh("echo ${a-none}; a=1")
    assert one.sh("echo $a; a=2; exit 3")["state"] == "kept"
    one.sh("echo $a")
    one.close()
    replayed = server.call("ledger.replay", session=one.id)
    assert replayed["equal"], replayed
    server.call("session.resume", session=one.id)
    assert one.sh("echo $a")["stdout"] == "2\n"


def test_a_resumed_session_knows_all_files_of_each_cell(make, server):
    one = make()
    one.py("x = 1")
    one.js("let j = 1")
    one.sh("echo a > a")
    one.py("open('b', 'w').write('b')")
    one.js("j = 2")
    one.close()
    server.call("session.resume", session=one.id)
    assert one.sh("ls")["stdout"] == "a\nb\n"
    server.call("session.undo", session=one.id, cells=2)
    assert (one.sh("ls")["stdout"], one.text("javascript", "j")) == ("a\nb\n", "1")


def test_all_languages_in_one_session(make, server):
    one = make()
    one.sh("printf 'city,n\\nParis,3\\nOslo,4\\nParis,5\\n' > in.csv; done=yes")
    one.py("import csv\nrows = list(csv.DictReader(open('in.csv')))\nopen('n', 'w').write(str(len(rows)))")
    assert one.text("javascript", "let n = Number(require('fs').readFileSync('n', 'utf8')); [{n}]") == "[ { n: 3 } ]"
    one.sh("rm n; done=$done-again")
    one.js("n += 1; require('fs').writeFileSync('m', String(n))")
    server.call("session.undo", session=one.id, cells=2)
    assert one.text("javascript", "[n, require('fs').existsSync('n'), require('fs').existsSync('m')]") == "[ 3, true, false ]"
    assert one.sh("echo $done; ls")["stdout"] == "yes\nin.csv\nn\n"
    for name in server.call("session.branch", session=one.id, count=3)["sessions"]:
        branch = Mixed(server, {"session": name, "isolation": None})
        assert (branch.value("len(rows)"), branch.text("javascript", "n"), branch.sh("echo $done")["stdout"]) == ("3", "3", "yes\n")
        branch.close()
    one.close()
    replayed = server.call("ledger.replay", session=one.id)
    assert replayed["equal"], replayed
    server.call("session.resume", session=one.id)
    assert (one.value("len(rows)"), one.text("javascript", "n"), one.sh("echo $done; ls")["stdout"]) == ("3", "3", "yes\nin.csv\nn\n")


PLOT = """import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt
plt.bar([str(c) for c in _sql['city']], [float(n) for n in _sql['total']])
plt.savefig('totals.png')
_sql.to_json('totals.json', orient='records')"""
TABLE = "[\n  { city: 'Oslo', total: 40 },\n  { city: 'Paris', total: 33 },\n  { city: 'Rome', total: 2 }\n]"


def test_four_languages_work_on_one_table(caller):
    """bash makes it, SQL sums it up, Python draws it, JavaScript reads what Python wrote; then undo, branches, sleep,
    a resumed session and a replay."""
    server = rpc.Server(caller)
    one = Mixed(server, server.call("session.create", limits={"idle": 1}))
    assert one.sh("for i in 1 2 3 4; do echo Paris,$((i * 3)); echo Oslo,10; done > rest; "
                  "{ echo city,n; cat rest; echo Paris,3; echo Rome,2; } > in.csv; rm rest; made=yes")["files"][0]["path"] == "in.csv"
    summed = one.cell("sql", "CREATE TABLE cities AS SELECT * FROM 'in.csv';\n"
                      "SELECT city, sum(n) AS total FROM cities GROUP BY city ORDER BY city")
    assert summed["value"]["text/plain"].endswith("[3 rows: city TEXT, total INTEGER]")
    drawn = one.py(PLOT)
    assert drawn["plots"][0]["chart"]["y"] == [40, 33, 2] and {f["path"] for f in drawn["files"]} == {"totals.png", "totals.json"}
    table = one.js("const rows = JSON.parse(require('fs').readFileSync('totals.json')); rows")
    assert table["value"]["text/plain"] == TABLE and "<td>33</td>" in table["value"]["text/html"]

    one.sh("rm totals.*; made=no")
    one.js("rows.length = 0")
    server.call("session.undo", session=one.id, cells=2)
    check_all(one)
    for name in server.call("session.branch", session=one.id, count=3)["sessions"]:
        branch = Mixed(server, {"session": name, "isolation": None})
        check_all(branch)
        branch.close()
    while one.info()["state"] != "asleep":
        time.sleep(0.05)
    check_all(one)
    one.close()
    assert server.call("ledger.verify", session=one.id)["sound"]
    server.call("session.resume", session=one.id)
    check_all(one)
    one.close()
    assert server.close() == 0
    replayed = caller.run("replay", one.id)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


def check_all(one):
    """That each language of the session above holds what it made, and sees the files of all."""
    assert one.sh("echo $made; ls")["stdout"] == "yes\nin.csv\ntotals.json\ntotals.png\n"
    assert one.text("sql", "SELECT sum(n) AS n FROM cities").split() == ["n", "75", "[1", "row:", "n", "INTEGER]"]
    assert one.value("plt.gca() is not None, open('totals.png', 'rb').read(4)") == "(True, b'\\x89PNG')"
    assert one.text("javascript", "rows") == TABLE


# ---- JavaScript ----

def test_javascript_keeps_what_cells_made(session):
    session.js("let a = 1; const b = [1, 2]; class Box { size() { return 3 } }; function f() { return a }; var v = 5")
    assert session.text("javascript", "a + b.length + new Box().size() + f() + v") == "12"
    assert session.text("javascript", "const b = [7]; let a = 2; a + b[0]") == "9"  # declared again
    assert session.text("js", "const got = await new Promise(r => setTimeout(r, 5, 'x')); got") == "'x'"
    assert session.text("node", "import { join } from 'node:path'\nimport fs, * as all from 'fs'\n"
                        "[join('p', 'q'), fs === all.default, (await import('os')).EOL]") == r"[ 'p/q', true, '\n' ]"
    assert session.text("javascript", "require('os').EOL.length") == "1"
    assert session.value("%%javascript\n\nf()") == "2"


def test_values_of_javascript(session):
    value = session.js("[{n: 1, m: '<b>'}, {n: 2}]")["value"]
    assert value["text/plain"] == "[ { n: 1, m: '<b>' }, { n: 2 } ]"
    assert value["application/json"] == [{"n": 1, "m": "<b>"}, {"n": 2}]
    assert "<td>&#60;b&#62;</td>" in value["text/html"]
    for code, text in (("2n ** 70n", "1180591620717411303424n"), ("-0", "-0"), ("null", "null"), ("Symbol('s')", "Symbol(s)"),
                       ("NaN", "NaN"), ("new Map([[1, 2]])", "Map(1) { 1 => 2 }")):
        assert session.text("javascript", code) == text
    assert session.js("undefined")["value"] is None and session.js("let x = 1")["value"] is None
    shown = session.js("console.log(1); display.html('<i>'); console.log(2); display({a: 1})")
    assert shown["stdout"] == "1\n2\n" and shown["displays"][0]["mime"]["text/html"] == "<i>"
    assert shown["displays"][1]["mime"]["application/json"] == {"a": 1}
    assert "│0│1│" in session.js("console.table([{a: 1}])")["stdout"].replace(" ", "")


def test_errors_of_javascript_help(session):
    session.js("let order = {amount: 3}")
    error = session.js("function f(o) {\n  return o.amuont()\n}\nf(order)")["error"]
    assert (error["name"], error["line"]) == ("TypeError", 2)
    assert error["source"].splitlines()[1:3] == [">    2 |   return o.amuont()", "       |            ^"]
    assert error["traceback"].splitlines()[1].strip() == "at f (<cell-2>:2:12)"
    assert "live.js" not in error["traceback"] and "node:" not in error["traceback"]
    error = session.js("ordr.amount + 1")["error"]
    assert (error["name"], error["hint"]) == ("ReferenceError", "did you mean order?")
    assert session.js("order.amuont()")["error"]["hint"] == "did you mean amount?"
    error = session.js("1\nlet b = = 2")["error"]
    assert (error["name"], error["line"]) == ("SyntaxError", 2) and error["source"].endswith("^")
    assert "order" in session.js("order.amount.x.y")["error"]["values"]
    assert session.js("setTimeout(() => { throw new RangeError('late') }, 5)")["error"]["name"] == "RangeError"
    assert session.js("Promise.reject(new Error('lost'))")["error"]["message"] == "lost"
    assert "nothing is left" in session.js("await new Promise(() => {})")["error"]["message"]
    assert "is not installed" in session.js("require('leftpad')")["error"]["hint"]
    assert session.text("javascript", "order.amount") == "3"


def test_javascript_waits_for_late_work_but_not_for_what_repeats(session):
    assert session.js("setTimeout(() => console.log('late'), 30)")["stdout"] == "late\n"
    assert session.js("let n = 0; setInterval(() => n++, 5); require('net').createServer().listen(0)")["status"] == "ok"
    assert session.js("await new Promise(r => setTimeout(r, 40)); n > 1")["value"]["text/plain"] == "true"


def test_exit_and_interrupt_of_javascript(session):
    session.js("let kept = 1")
    result = session.js("kept = 2; process.exit(3)")
    assert (result["status"], result["exit_code"], result["state"]) == ("exit", 3, "kept")
    for code in ("console.log('on'); while (true) kept++", "await new Promise(r => setTimeout(r, 30)); console.log('on'); await new Promise(r => setTimeout(r, 60000))"):
        running = session.server.start("session.execute", session=session.id, code=code, language="javascript")
        while not any(m == "session.output" and p["session"] == session.id for m, p in session.server.notes):
            time.sleep(0.01)
        session.server.call("session.interrupt", session=session.id)
        result = running.answer()
        assert (result["status"], result["state"]) == ("interrupted", "kept")
        session.server.notes.clear()
    assert session.text("javascript", "kept >= 2") == "true"  # the first may have been stopped before it began to count


LOOP = "console.log('on'); for (;;);"
LATE = {
    "at once": LOOP,
    "await": f"await 0; {LOOP}",
    "awaits": "console.log('on'); for (;;) await null",
    "timer": f"setTimeout(() => {{ {LOOP} }}, 1)",
    "repeated": f"const again = setInterval(() => {{ {LOOP} }}, 1); await new Promise(r => setTimeout(r, 60000))",
    "after a timer": f"await new Promise(r => setTimeout(r, 5)); {LOOP}",
    "immediate": f"setImmediate(() => {{ {LOOP} }})",
    "tick": f"process.nextTick(() => {{ {LOOP} }})",
    "callback": f"require('fs').stat('/', () => {{ {LOOP} }})",
    "expression": "await 0; console.log('on'); /^(a+)+$/.test('a'.repeat(40) + 'b')",
    "import": f"await import(`data:text/javascript,{LOOP}//${{Math.random()}}`)",
    "printing": "await 0; console.log('on'); for (;;) process.stdout.write('')",
}


@pytest.mark.parametrize("case", LATE)
def test_an_interrupt_ends_javascript_wherever_it_loops(session, case):
    """Which can do everything afterwards. A busy machine may need more than the second that there is."""
    session.js("let kept = 5")
    for turn in range(2):
        session.server.notes.clear()
        running = session.server.start("session.execute", session=session.id, code=LATE[case], language="javascript")
        while not any(m == "session.output" and p["session"] == session.id for m, p in session.server.notes):
            time.sleep(0.01)
        session.server.call("session.interrupt", session=session.id)
        result = running.answer()
        late = result["state"] == "rolled_back" and result["resources"]["wall_ms"] > 1000
        assert (result["status"], result["state"]) == ("interrupted", "rolled_back" if late else "kept"), result
        after = session.js("await new Promise(r => setTimeout(r, 5)); setImmediate(() => console.log('done')); kept++")
        assert after["value"], after
        assert (after["stdout"], after["value"]["text/plain"]) == ("done\n", str(5 + turn))


@pytest.mark.parametrize("death, status", [("process.reallyExit(4)", "exit"), ("process.abort()", "signal"),
                                           ("while (true) {}", "timeout"), ("process.kill(process.pid, 9)", "signal")])
@pytest.mark.few(1)
def test_a_dead_javascript_comes_back_and_python_never_notices(session, death, status):
    session.py("import os; x = [os.getpid()]")
    session.js("let a = 1; require('fs').writeFileSync('log', 'one')")
    session.py("open('log', 'a').write(' two'); y = object(); z = id(y)")
    session.js("let text = require('fs').readFileSync('log', 'utf8'); a = Math.random()")
    a = session.text("javascript", "a")
    result = session.js("a = 5; require('fs').writeFileSync('log', 'bad'); " + death, timeout=2)
    assert (result["status"], result["state"], result["state_via"]) == (status, "rolled_back", "replay")
    assert session.text("javascript", "[a, text, require('fs').readFileSync('log', 'utf8')]") == f"[ {a}, 'one two', 'one two' ]"
    assert session.value("x == [os.getpid()], id(y) == z, open('log').read()") == "(True, True, 'one two')"


def test_others_keep_their_directories_and_open_files(session):
    """Also those that came after the cells that are run again, for which they are taken away and put back."""
    session.js("let a = 1")
    session.sh("mkdir -p d/e; cd d/e; echo first > f; echo old > gone; exec 5< f 6>> f 7< gone; rm gone; echo new > gone")
    session.py("import os; os.chdir('d/e'); text = open('f'); text.readline(); gone = open('gone'); os.rename('gone', 'g'); os.remove('g')")
    session.sh("echo again > gone")
    assert session.js("process.reallyExit(1)")["state"] == "rolled_back"
    assert session.sh("pwd -P; read -r line <&5; echo $line; echo second >&6; cat <&7; cat f; ls")["stdout"].split() == [
        "/work/d/e", "first", "old", "first", "second", "f", "gone"]
    assert session.value("os.getcwd(), text.readline(), gone.read(), open('gone').read()") == r"('/work/d/e', 'second\n', 'new\n', 'again\n')"


def test_processes_in_the_background_end_with_a_dead_interpreter_which_is_told(make):
    one = make(background=True)
    one.py("import subprocess; child = subprocess.Popen(['sleep', '1000'])")
    one.js("let a = 1")
    assert one.value("child.poll() is None") == "True"
    assert "processes that were left running in the background, if any, have ended" in one.js("process.reallyExit(1)")["state_notes"]
    assert one.value("child.wait()") == "-9"


def test_a_dead_python_leaves_javascript_alone(session):
    session.py("x = 1")
    pid = session.text("javascript", "let a = 7; process.pid")
    session.py("x = 2; open('f', 'w').write('f')")
    result = session.py("x = 3; import os; os._exit(1)")
    assert (result["status"], result["state"]) == ("exit", "rolled_back")
    assert session.value("x, open('f').read()") == "(2, 'f')"
    if result["state_via"] == "checkpoint":
        assert session.text("javascript", "process.pid") == pid
    assert session.text("javascript", "a") == "7"


def test_undo_takes_back_the_languages_that_ran(session):
    session.py("x = 1")
    session.js("let a = 1")
    session.py("x = 2")
    session.js("a = 2; require('fs').writeFileSync('f', 'two')")
    session.js("a = 3; require('fs').writeFileSync('f', 'three')")
    session.server.call("session.undo", session=session.id, cells=1)
    assert session.text("javascript", "a + require('fs').readFileSync('f', 'utf8')") == "'2two'"
    session.server.call("session.undo", session=session.id, cells=3)
    assert (session.value("x"), session.text("javascript", "a")) == ("1", "1")


SLEEPERS = "[p for p in os.listdir('/proc') if p.isdigit() and b'sleep' in open(f'/proc/{p}/cmdline', 'rb').read()]"


@pytest.mark.parametrize("language", ["bash", "javascript", "python-2"])
def test_a_process_ends_with_its_cell_though_one_before_it_was_not_waited_for(session, language):
    """Which the kernel counts until then, and which the next one may take the place of."""
    session.py("import os, subprocess; left = subprocess.Popen(['sleep', '1000']); del left")
    for _ in range(2):
        assert session.cell(language, "1" if language != "bash" else ":")["status"] == "ok"
        session.py("1")
        session.py("left = subprocess.Popen(['sleep', '1000']); del left")
        assert session.value(SLEEPERS) == "[]"


def test_an_interpreter_that_was_just_ended_is_followed_by_another(session):
    """Whether or not the supervisor has heard of its end by then."""
    session.js("let a = 1")
    for _ in range(12):
        session.js("a = 2")
        session.server.call("session.undo", session=session.id, cells=1)
    assert session.text("javascript", "a") == "1"


def test_branches_have_the_state_of_all_languages(session, server):
    session.py("x = 1")
    session.js("let a = 1; require('fs').writeFileSync('f', 'one')")
    session.py("open('f', 'a').write('+')")
    ids = server.call("session.branch", session=session.id, count=2)["sessions"]
    for n, name in enumerate(ids):
        branch = Mixed(server, {"session": name, "isolation": None})
        branch.py(f"x += {n}; open('f', 'a').write('{n}')")
        branch.js(f"a += {n + 1}")
        assert branch.text("javascript", "a + require('fs').readFileSync('f', 'utf8')") == f"'{n + 2}one+{n}'"
        assert branch.value("x") == str(1 + n)
        branch.close()
    assert session.text("javascript", "a + require('fs').readFileSync('f', 'utf8')") == "'1one+'"


def test_a_mixed_session_comes_back_and_repeats(make, server):
    one = make()
    one.py("open('n', 'w').write('1')")
    one.js("let n = Number(require('fs').readFileSync('n', 'utf8')); let r = Math.random(); require('fs').writeFileSync('n', '2'); n")
    one.py("m = int(open('n').read()); open('n', 'w').write('3')")
    one.js("console.log(n, r)")
    was = one.text("javascript", "[n, r]")
    one.close()
    replayed = server.call("ledger.replay", session=one.id)
    assert replayed["equal"], replayed
    assert server.call("ledger.verify", session=one.id)["sound"]
    server.call("session.resume", session=one.id)
    result = one.js("[n, r]")
    assert result["value"]["text/plain"] == was and result["state_via"] == "replay"
    assert one.value("m, open('n').read()") == "(2, '3')"


def test_a_session_may_be_in_javascript(make, server):
    one = make(language="javascript")
    one.run("let a = [1, 2, 3]")
    assert one.value("a.length") == "3"
    result = one.run("a = null; process.reallyExit(1)")
    assert (result["status"], result["state"], result["state_via"]) == ("exit", "rolled_back", "replay")
    assert one.value("a.pop()") == "3"
    assert one.value("%%python\n1 + 1") == "2"
    server.call("session.undo", session=one.id, cells=2)
    assert one.value("a") == "[ 1, 2, 3 ]"
    branch = Mixed(server, {"session": server.call("session.branch", session=one.id, count=1)["sessions"][0], "isolation": None})
    assert branch.value("a") == "[ 1, 2, 3 ]"
    branch.close()
    one.close()
    server.call("session.resume", session=one.id)
    assert one.value("a") == "[ 1, 2, 3 ]"


def test_sessions_in_javascript_are_prepared(make):
    """Once somebody has asked for one: then node is older than its session. Those for Python are what they were."""
    def older():
        began = time.monotonic()
        age = float(make(language="javascript").value("process.uptime()"))
        return age > time.monotonic() - began

    deadline = time.monotonic() + 60
    while not older():
        assert time.monotonic() < deadline, "no node was started ahead"
        time.sleep(0.2)
    assert make().value("1 // 1") == "1"
    own = make(language="javascript", env={"A": "mine", "NODE_PATH": "/work/lib"})
    own.run("require('fs').mkdirSync('lib'); require('fs').writeFileSync('lib/given.js', 'module.exports = 7')")
    assert own.value("[process.env.A, require('given')]") == "[ 'mine', 7 ]"
    assert make(language="javascript").value("[process.env.A, process.argv.length]") == "[ undefined, 2 ]"


def test_tools_answer_javascript_and_once_only(make, server):
    one = make()
    asked = []
    server.tools["add"] = lambda a, b: asked.append(1) or a + b
    server.call("tools.register", session=one.id, tools=[
        {"name": "add", "description": "adds", "parameters": rpc.schema_of(server.tools["add"])}])
    assert one.text("javascript", "let sum = tools.add({a: 1, b: 2}); sum") == "3"
    assert one.js("process.reallyExit(1)")["state"] == "rolled_back"
    assert one.text("javascript", "sum") == "3" and len(asked) == 1


FROM_OUTSIDE = """const c = require('node:crypto'), { promisify } = require('util'), web = c.webcrypto;
import { randomUUID } from 'crypto'
let seen = [Date.now(), new Date().getTime(), Date().length, performance.now(), performance.timeOrigin, process.uptime(),
  process.hrtime(), String(process.hrtime.bigint()), new (class extends Date {})().getTime(),
  c.randomBytes(5).toString('hex'), c.randomBytes(100000).toString('hex').slice(-9), c.randomInt(1e9), c.randomInt(5, 1e9),
  c.randomUUID(), randomUUID(), web.randomUUID(), [...web.getRandomValues(new Uint32Array(3))],
  [...c.randomFillSync(new Uint16Array(4), 1, 2)], new DataView(c.randomFillSync(new ArrayBuffer(8))).getFloat64(0),
  (await promisify(c.randomBytes)(4)).toString('hex'), (await promisify(c.randomFill)(Buffer.alloc(4), 1)).toString('hex'),
  await promisify(c.randomInt)(1e9), Math.random()]
for (const until = Date.now() + 5; Date.now() < until;);
seen.push(Date.now())"""


def test_cells_of_javascript_that_run_again_get_the_same_from_outside(make, server):
    """Clock and entropy: after a death, in a branch, after undo, in a resumed session and in a replay."""
    one = make()
    assert one.js(FROM_OUTSIDE)["status"] == "ok"
    one.js("console.log(seen); Date.now()")
    was = one.js("JSON.stringify(seen)")
    assert one.js("seen = null; process.reallyExit(1)")["state_via"] == "replay"
    asked = one.js("JSON.stringify(seen)")
    assert asked["value"] == was["value"]
    branch = Mixed(server, {"session": server.call("session.branch", session=one.id, count=1)["sessions"][0], "isolation": None})
    result = branch.js("JSON.stringify(seen)")
    assert result["value"] == was["value"] and not any("otherwise" in note for note in result["state_notes"])
    branch.close()
    one.js("seen.length = 0")
    server.call("session.undo", session=one.id, cells=1)
    assert one.js("JSON.stringify(seen)")["value"] == was["value"]
    one.close()
    replayed = server.call("ledger.replay", session=one.id)
    assert replayed["equal"], replayed
    server.call("session.resume", session=one.id)
    assert one.js("JSON.stringify(seen)")["value"] == was["value"]


def test_what_javascript_cannot_be_told_again_is_named(session):
    session.js("let n = 0; for (let i = 0; i < 5000; i++) n += performance.now()")
    session.js("for (let i = 0; i < process.pid; i++) process.uptime()")
    session.js("require('crypto').generateKeyPairSync('ed25519')")
    notes = "\n".join(session.js("process.reallyExit(1)")["state_notes"])
    assert "cell 1 was run again: it looked at the clock or drew random bytes more often than is written down" in notes
    assert "cell 2 was run again: it looked at the clock or drew random bytes otherwise than when it ran first" in notes
    assert "cell 3 was run again: it made keys or primes" in notes


def test_clock_and_entropy_of_javascript_are_those_of_node(session):
    """They are others' functions, and nobody sees it."""
    assert session.js("""const c = require('crypto'), same = (a, b) => { if (a !== b) throw new Error(`${a}, ${b}`) };
    const thrown = (f) => { try { f() } catch (e) { return e.code } };
    same(new Date() instanceof Date, true); same(new Date().constructor, Date); same(Date.name + Date.length, 'Date7');
    same(Date.UTC(2024, 1), new Date('2024-02-01').getTime()); same(typeof Date(), 'string'); same(Date.now.name, 'now');
    same(Math.abs(Date.now() - performance.timeOrigin - performance.now()) < 60000, true);
    same(process.hrtime([0, 0]).length, 2); same(thrown(() => process.hrtime(1)), 'ERR_INVALID_ARG_TYPE');
    same(thrown(() => c.randomBytes(-1)), 'ERR_OUT_OF_RANGE'); same(thrown(() => c.randomInt(0)), 'ERR_OUT_OF_RANGE');
    same(thrown(() => c.randomFillSync(5)), 'ERR_INVALID_ARG_TYPE'); same(thrown(() => c.randomFill(Buffer.alloc(1))), 'ERR_INVALID_ARG_TYPE');
    same(thrown(() => c.webcrypto.getRandomValues(new Float32Array(1))), 17);
    same(c.randomBytes(70).length, 70); same(c.randomBytes(0).length, 0); same(/^[0-9a-f-]{36}$/.test(c.randomUUID()), true);
    same(new Set(Array.from({ length: 100 }, () => c.randomBytes(40).toString('hex'))).size, 100);
    await require('util').promisify(c.generateKeyPair)('ed25519')""")["error"] is None


# ---- one more ----

@pytest.mark.few
def test_a_language_is_a_guest_and_a_row(caller, ablation_programs):
    tester = dataclasses.replace(caller, programs=ablation_programs)
    server = rpc.Server(tester)
    one = Mixed(server, server.call("session.create"))
    one.py("x = 1")
    assert one.text("perl", "$n = 6; @list = (1, 2); $n * 7") == "42"
    assert one.cell("perl", "print \"out\\n\"; open(F, '>', 'f'); print F 'perl'; close F; $n++; undef")["stdout"] == "out\n"
    assert one.cell("perl", "die 'no'")["error"]["message"].startswith("no at")
    result = one.cell("perl", "$n = 9; kill 9, $$")
    assert (result["status"], result["state"], result["state_via"]) == ("signal", "rolled_back", "replay")
    assert one.value("%%perl\n$n + @list") == "9" and one.value("open('f').read(), x") == "('perl', 1)"
    server.call("session.undo", session=one.id, cells=4)
    assert one.text("perl", "$n") == "6"
    one.py("import os; os._exit(1)")  # its checkpoint, of a later step than the one below, is used up
    server.call("session.undo", session=one.id, cells=2)
    assert one.value("x") == "1"
    one.close()
    assert server.close() == 0
    done = tester.run("run", "-l", "perl", "-c", "print 'out'; exit 7")
    assert (done.returncode, done.stdout) == (7, b"out")


def test_a_checkpoint_right_after_another_interpreter_was_ended(server, make):
    """The news of that end may come before the answer of whom the checkpoint was asked for. All is asked at once: in a pause
    the checkpoint would be taken earlier."""
    one = make(checkpoint="always")
    asked = []
    for _ in range(10):
        asked.append(server.start("session.execute", session=one.id, code="x = globals().get('x', 0) + 1; x"))
        server.start("session.execute", session=one.id, code="1", language="javascript")
        server.start("session.undo", session=one.id, cells=1)
    results = [each.answer() for each in asked]
    assert [(result["status"], result["state"]) for result in results] == [("ok", "kept")] * 10, results
    assert [result["value"]["text/plain"] for result in results] == [str(n + 1) for n in range(10)]


def test_a_resumed_session_has_the_files_of_its_last_cell(server, make):
    """Also where another interpreter has to be run again, which leaves those of an earlier one behind."""
    one = make(checkpoint="auto")
    one.js("1")
    one.sh("printf one > E")
    one.py("import os; os.mkdir('c')")
    server.call("session.close", session=one.id)
    server.call("session.resume", session=one.id)
    changed = one.js("require('fs').writeFileSync('/work/E', 'two')")["files"]
    assert [(entry["path"], entry["change"]) for entry in changed] == [("E", "modified")]
    assert one.text("python", "sorted(os.listdir('/work'))") == "['E', 'c']"


def test_a_resumed_session_runs_another_language_where_it_ran_first(server, make):
    """Links, directories and modes are not on record: the lists are those of the cells that were run again."""
    one = make(checkpoint="auto")
    one.py("import os; os.mkdir('out'); os.symlink('out', 'link'); open('old', 'w').close(); os.chmod('old', 0o444)")
    one.write("given", b"2")
    one.js("require('fs').writeFileSync('link/made', 'x'); let n = require('fs').readdirSync('out').length")
    server.call("session.close", session=one.id)
    assert server.call("session.resume", session=one.id)["state_notes"] == []
    assert one.text("javascript", "n") == "1" and one.text("python", "os.listdir('out')") == "['made']"
    server.call("session.undo", session=one.id, cells=3)
    assert one.value("sorted(os.listdir()), os.listdir('out'), os.path.islink('link'), oct(os.stat('old').st_mode)") == \
        "(['given', 'link', 'old', 'out'], [], True, '0o100444')"


def test_open_files_stay_what_they_are_in_a_new_file_system(make):
    """In which the numbers of files are those of others before: here, by files of a cell that was rolled back."""
    one = make(checkpoint="off")
    assert one.js("for (const n of 'abc') require('fs').writeFileSync(n, n); process.reallyExit(7)")["state"] == "rolled_back"
    one.cell("sql", "CREATE TABLE t (n)")
    one.py("import os; held = [open(f'f{n}', 'w+') for n in range(9)]")
    assert one.py("os._exit(1)")["state_via"] == "replay"
    assert one.value("[n for n, f in enumerate(held) if not os.path.samestat(os.fstat(f.fileno()), os.stat(f'f{n}'))]") == "[]"


def test_a_file_from_outside_does_not_hide_those_of_another_language(server, make):
    """When cells of a resumed session are run again: the list after the file is not known."""
    one = make(checkpoint="off")
    one.py("x = 1")
    one.sh("echo 1 > made")
    one.write("given", b"2")
    for _ in range(2):
        one.py("x += 1")
    server.call("session.close", session=one.id)
    server.call("session.resume", session=one.id)
    server.call("session.undo", session=one.id, cells=1)
    assert one.value("import os; x, sorted(os.listdir('/work'))") == "(2, ['given', 'made'])"


def test_javascript_that_is_interrupted_while_it_prints_can_print_again(server, session):
    """In the middle of console.log, between the writing and the word that it is done."""
    server.notes.clear()
    code = """process.stdout._write = function (data) {
        delete this._write;
        require('fs').writeSync(1, data);
        while (true);
    };
    console.log('on')"""
    running = server.start("session.execute", session=session.id, code=code, language="javascript")
    while not any(method == "session.output" for method, _ in server.notes):
        time.sleep(0.01)
    server.call("session.interrupt", session=session.id)
    assert running.answer()["status"] == "interrupted"
    assert session.js("console.log(6 * 7)")["stdout"] == "42\n"
