"""Unmodified SDKs of E2B, this year's and older ones, against `retort serve --e2b`: every route, and who may use it."""
import http.client
import json
import os
import subprocess
import time

import pytest

import loopback
from npm import HERE, MODULES
from sandboxes import ONE, TWO, Stream, asked, call, executed, made, opened

BY_DOMAIN = ["code-interpreter-2.6.1"]  # takes no address for the sandbox
PACKAGES = ["@e2b/code-interpreter", "code-interpreter-2.7.2", "code-interpreter-2.7.1", "code-interpreter-2.7.0", *BY_DOMAIN,
            "e2b", "e2b-2.50.0", "e2b-2.45.0", "e2b-2.30.5", "e2b-2.20.1"]
TRIED = PACKAGES if os.environ.get("RETORT_SOAK") else ["@e2b/code-interpreter", *BY_DOMAIN, "e2b-2.20.1"]

CODE = {
    "value": "2", "output": {"stdout": ["héllo ✓\n"], "stderr": ["e\n"]}, "state": "40", "string": "plain",
    "callbacks": ["1\n", "2"], "streamed": True, "error": ["ZeroDivisionError", "division by zero", True], "exit": "SystemExit",
    "dies": True, "state after": "20", "html": ["<b>b</b>", True], "table": True, "json": {"k": [1]},
    "bar": [True, "bar", "bars", [["a", 1], ["b", 2]]], "line": [{"label": "l", "points": [[1, 3], [2, 4]]}],
    "pie": [["p", 90], ["q", 270]], "envs": "('red', 'v')", "envs gone": "False", "javascript": "4", "bash": "it's\n",
    "abandoned": ["TimeoutError", "20"], "context": ["python", "/tmp"], "context is apart": "NameError",
    "context has a place": "/tmp", "first context again": "20", "context keeps": "1",
    "contexts": ["bash", "bash", "javascript", "python", "python"], "restart": "NameError", "remove context": None,
    "context of bash": ["two\n", "one\n"]}
ALWAYS = {
    "is running": True, "info": [True, {"task": "walk"}, "running"], "list": 1, "list nothing": 0, "set timeout": None,
    "metrics": 512 << 20, "write": "/home/user/d/hello.txt", "read": "héllo", "relative": "r", "bytes": [0, 255, 10], "empty": "",
    "several": ["/home/user/m1", "/home/user/m2"], "stream": 1000000, "list": [["hello.txt", "file", "/home/user/d/hello.txt"]],
    "exists": [True, False], "make directory": [True, False], "rename": "/home/user/made/moved.txt", "remove": False,
    "watch": ["new.txt", "create"], "download": "héllo", "upload": [200, "up"], "stale address": [200, 502, 502],
    "command": [0, "out\nred\n", "err\n"], "command fails": ["CommandExitError", 3], "command options": "/tmp\nbar\n",
    "command not there": 127, "background": "1\n2\n3\n", "output as it comes": "a\nb\n", "much output": 3000000, "input": "line\n",
    "list and kill": [True, True, False], "connect to it": "late\n", "beside code": 9, "same files": "héllo",
    "terminal": True, "terminal has a size": True, "terminal is resized": True, "terminal interrupts": True,
    "terminal ends": ["CommandExitError", 3, "typed é"], "terminal is killed": [True, False],
    "snapshot": [True, True, "héllo", True, False],
    "kill": True, "kill again": False, "dead": False}
# What is refused: the error of the SDK, and a word of its message. Older ones have fewer kinds of errors.
REFUSED = {"no such language": ("SandboxError", "400"), "removed context": ("NotFoundError", "context-1"),
           "missing": ("NotFoundError FileNotFoundError", "No such file"), "outside": ("SandboxError InvalidArgumentError", "/home/user"),
           "climb": ("SandboxError InvalidArgumentError", ""), "too long": ("TimeoutError", "timeoutMs"),
           "connect to nothing": ("NotFoundError SandboxNotFoundError", "")}


@pytest.fixture(scope="module")
def door(retort):
    with opened(retort) as it:
        yield it


@pytest.fixture(scope="module")
def domain(retort):
    """(domain with its port, certificate) of a door where every sandbox has names of its own."""
    cert, key = retort.home / "boxes.pem", retort.home / "boxes.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2",
                    "-subj", "/CN=boxes", "-addext", "subjectAltName=DNS:*.boxes.localhost"], check=True, capture_output=True)
    with opened(retort, "--tls-cert", cert, "--tls-key", key) as (_, port):
        yield f"boxes.localhost:{port}", str(cert)


def drive(node, request, program, package, *words):
    """What it printed; the variables of the environment are all that tells it of Retort."""
    if package in BY_DOMAIN:
        name, cert = request.getfixturevalue("domain")
        where = {"E2B_DOMAIN": name, "NODE_EXTRA_CA_CERTS": cert}
    else:
        url = f"http://127.0.0.1:{request.getfixturevalue('door')[1]}"
        where = {"E2B_API_URL": url, "E2B_SANDBOX_URL": url}
    done = subprocess.run([node, HERE / program, package, *words], cwd=HERE, capture_output=True, text=True, timeout=300, check=False,
                          env={"PATH": "/usr/bin:/bin", "E2B_API_KEY": ONE, **where})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("package", [one for one in TRIED if "code-interpreter" in one])
@pytest.mark.few(1)
def test_a_program_as_the_documentation_teaches(node, request, package, tmp_path):
    orders, picture = tmp_path / "orders.csv", tmp_path / "chart.png"
    orders.write_text("region,amount\nnorth,10\nsouth,5\nnorth,2\n")
    seen = json.loads(drive(node, request, "e2b_program.mjs", package, orders, picture))
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert seen == {
        "listed": ["a.txt", "b.txt"], "total": "12", "streamed": "0\n1\n2\n", "chart": ["bar", "Orders", [["north", 12], ["south", 5]]],
        "error": ["AttributeError", []], "javascript": "2,4,6", "bash": "Hello, Alice\n", "context": "A",
        "sums": "region,amount\nnorth,12\nsouth,5\n", "address": True, "command": "2", "killed": True, "terminal": True,
        "info": {"user": "alice"}, "running": True, "again": "3", "kill": True}


@pytest.mark.parametrize("package", TRIED)
@pytest.mark.few(1)
def test_every_route(node, request, package):
    printed = drive(node, request, "e2b.mjs", package)
    steps = {}
    for line in map(json.loads, printed.splitlines()):
        steps.setdefault(line.pop("step"), []).append(line)
    interprets = "code-interpreter" in package
    assert len(steps) >= (60 if interprets else 30)
    expected = {**ALWAYS, **(CODE if interprets else {})}
    for name, lines in steps.items():
        last = lines[-1]
        if name in REFUSED:
            kinds, word = REFUSED[name]
            assert last.get("error") in kinds.split() and word in last["message"], (name, last)
        elif name in expected:
            assert last == {"value": expected[name]}, (name, last)
    assert set(expected) <= set(steps)
    if "pause" in steps:
        assert [steps[name][0]["value"] for name in ("pause", "pause again", "is paused", "connect")] == [
            True, False, False, "20" if interprets else "héllo"]


class TestWhoMayComeIn:
    """A key sees its own sandboxes, and what opens one sandbox opens nothing else."""

    ROUTES = [("POST", "/execute", {"code": "1"}), ("GET", "/contexts", None), ("POST", "/contexts", {}), ("GET", "/health", None),
              ("GET", "/files?path=x", None), ("POST", "/files?path=x", b"data"), ("POST", "/process.Process/List", {}),
              ("POST", "/filesystem.Filesystem/ListDir", {"path": "/"})]

    @pytest.mark.parametrize("method, path, body", ROUTES, ids=[path for _, path, _ in ROUTES])
    def test_a_sandbox_is_its_owners(self, door, method, path, body):
        port = door[1]
        sandbox, secret = made(port)
        other, others = made(port, TWO)
        refused = [call(port, method, path, body, sandbox=sandbox),
                   call(port, method, path, body, sandbox=sandbox, secret="0" * 40),
                   call(port, method, path, body, sandbox=sandbox, secret=others),
                   call(port, method, path, body, sandbox=sandbox, key="e2b_" + "0" * 20)]
        refused.append(call(port, method, path, body, sandbox=sandbox, key=TWO))
        assert [status for status, _ in refused] == [502] * 5  # as if there were none
        assert call(port, method, path, body, sandbox=sandbox, secret=secret)[0] != 502
        assert call(port, method, path, body, sandbox=sandbox, traffic=secret)[0] != 502
        for one, key in ((sandbox, ONE), (other, TWO)):
            assert call(port, "DELETE", f"/sandboxes/{one}", key=key)[0] == 204

    @pytest.mark.parametrize("method, verb", [("GET", ""), ("GET", "/metrics"), ("POST", "/timeout"), ("POST", "/pause"),
                                              ("POST", "/connect"), ("POST", "/fork"), ("DELETE", "")])
    def test_control(self, door, method, verb):
        port = door[1]
        sandbox, secret = made(port)
        path = f"/sandboxes/{sandbox}{verb}"
        body = {} if method == "POST" else None
        assert call(port, method, path, body, key=TWO)[0] == 404
        assert call(port, method, path, body)[0] == 401
        assert call(port, method, path, body, key=ONE)[0] in (200, 201, 204)
        call(port, "DELETE", f"/sandboxes/{sandbox}", key=ONE)

    def test_lists_show_ones_own(self, door):
        port = door[1]
        sandbox, _ = made(port)
        assert sandbox in call(port, "GET", "/v2/sandboxes", key=ONE)[1].decode()
        assert sandbox not in call(port, "GET", "/v2/sandboxes", key=TWO)[1].decode()
        call(port, "DELETE", f"/sandboxes/{sandbox}", key=ONE)


def test_a_fork_has_memory_and_files(door):
    port = door[1]
    sandbox, secret = made(port)
    call(port, "POST", "/execute", {"code": "x = 41; open('f', 'w').write('kept')"}, sandbox=sandbox, secret=secret)
    status, text = call(port, "POST", f"/sandboxes/{sandbox}/fork", {"count": 2}, key=ONE)
    forks = [one["sandbox"] for one in json.loads(text)]
    assert status == 201 and len(forks) == 2
    for fork in forks:
        _, lines = call(port, "POST", "/execute", {"code": "x += 1; x, open('f').read()"}, sandbox=fork["sandboxID"],
                        secret=fork["envdAccessToken"])
        assert b"(42, 'kept')" in lines
    for one in [sandbox, *(fork["sandboxID"] for fork in forks)]:
        assert call(port, "DELETE", f"/sandboxes/{one}", key=ONE)[0] == 204


def shown(lines):
    return [line["text"] for line in lines if line["type"] == "result"]


def snapshots(port, query="", key=ONE):
    return [one["snapshotID"] for one in json.loads(call(port, "GET", "/snapshots" + query, key=key)[1])]


def test_a_snapshot_outlives_its_sandbox(door):
    """Memory, contexts and files of that moment; each sandbox made from it goes its own way."""
    port = door[1]
    opens = made(port, envVars={"COLOUR": "red"})
    context = json.loads(call(port, "POST", "/contexts", {}, sandbox=opens[0], secret=opens[1])[1])["id"]
    executed(port, *opens, "x = 40; open('f', 'w').write('kept')")
    executed(port, *opens, "x = 'other'", context_id=context)
    status, text = call(port, "POST", f"/sandboxes/{opens[0]}/snapshots", {"name": "then"}, key=ONE)
    snapshot = json.loads(text)
    assert status == 201 and snapshot["names"] == ["then"]
    assert shown(executed(port, *opens, "x += 1; x")) == ["41"]  # goes on as if nothing had happened
    assert call(port, "DELETE", f"/sandboxes/{opens[0]}", key=ONE)[0] == 204
    others = [made(port, templateID=template, metadata={"n": "1"}) for template in (snapshot["snapshotID"], "then")]
    for number, other in enumerate(others):
        assert shown(executed(port, *other, f"x += {number}; x, open('f').read()")) == [f"({40 + number}, 'kept')"]
        assert shown(executed(port, *other, "x", context_id=context)) == ["other"]
        info = json.loads(call(port, "GET", f"/sandboxes/{other[0]}", key=ONE)[1])
        assert (info["templateID"], info["metadata"]) == (snapshot["snapshotID"], {"n": "1"})
    for one in others:
        assert call(port, "DELETE", f"/sandboxes/{one[0]}", key=ONE)[0] == 204
    assert call(port, "DELETE", f"/templates/{snapshot['snapshotID']}", key=ONE)[0] == 204
    assert call(port, "DELETE", f"/templates/{snapshot['snapshotID']}", key=ONE)[0] == 404


def test_a_snapshot_is_its_owners_and_no_sandbox(door):
    port = door[1]
    opens = made(port)
    executed(port, *opens, "secret = 1")
    snapshot = json.loads(call(port, "POST", f"/sandboxes/{opens[0]}/snapshots", {"name": "mine"}, key=ONE)[1])["snapshotID"]
    assert snapshots(port) == snapshots(port, "?name=mine") == snapshots(port, f"?sandboxID={opens[0]}") == [snapshot]
    assert snapshots(port, "?name=other") == snapshots(port, "?sandboxID=s_0") == snapshots(port, key=TWO) == []
    for key in (ONE, TWO):
        assert snapshot not in call(port, "GET", "/v2/sandboxes", key=key)[1].decode()
        for method, verb in (("GET", ""), ("POST", "/connect"), ("POST", "/snapshots"), ("POST", "/pause"), ("DELETE", "")):
            assert call(port, method, f"/sandboxes/{snapshot}{verb}", {} if method == "POST" else None, key=key)[0] == 404
        assert call(port, "GET", "/health", sandbox=snapshot, key=key)[0] == 502
    for method, path in (("GET", "/snapshots"), ("DELETE", f"/templates/{snapshot}"), ("POST", f"/sandboxes/{opens[0]}/snapshots")):
        assert call(port, method, path, {} if method == "POST" else None)[0] == 401
    assert call(port, "DELETE", f"/templates/{snapshot}", key=TWO)[0] == 404
    assert call(port, "POST", f"/sandboxes/{opens[0]}/snapshots", {}, key=TWO)[0] == 404
    theirs = made(port, TWO, templateID="mine")  # to whom this is a name like any other
    assert executed(port, *theirs, "secret")[1]["name"] == "NameError"
    again = json.loads(call(port, "POST", f"/sandboxes/{opens[0]}/snapshots", {"name": "mine"}, key=ONE)[1])["snapshotID"]
    assert snapshots(port, "?name=mine") == [again] and set(snapshots(port)) == {snapshot, again}
    assert call(port, "POST", f"/sandboxes/{opens[0]}/snapshots", {"name": "s_1"}, key=ONE)[0] == 400
    assert call(port, "DELETE", "/templates/", key=ONE)[0] == 404  # which is not the name of those that have none
    for method, path, key in (("DELETE", f"/templates/{snapshot}", ONE), ("DELETE", "/templates/mine", ONE),
                              ("DELETE", f"/sandboxes/{opens[0]}", ONE), ("DELETE", f"/sandboxes/{theirs[0]}", TWO)):
        assert call(port, method, path, key=key)[0] == 204
    assert snapshots(port) == []


def test_characters_that_come_in_pieces_are_whole(door):
    port = door[1]
    sandbox, secret = made(port)
    code = "import os, time\nfor byte in 'é✓𝄞'.encode(): os.write(1, bytes([byte])); time.sleep(0.05)"
    lines = executed(port, sandbox, secret, code)
    assert "".join(line["text"] for line in lines if line["type"] == "stdout") == "é✓𝄞"
    call(port, "DELETE", f"/sandboxes/{sandbox}", key=ONE)


def test_contexts_outlive_a_pause_and_a_fork(door):
    """Whichever of them the interpreter was in then."""
    port = door[1]
    sandbox, secret = made(port)
    executed(port, sandbox, secret, "x = 'first'")
    context = json.loads(call(port, "POST", "/contexts", {}, sandbox=sandbox, secret=secret)[1])["id"]
    executed(port, sandbox, secret, "x = 'second'", context_id=context)
    fork = json.loads(call(port, "POST", f"/sandboxes/{sandbox}/fork", {}, key=ONE)[1])[0]["sandbox"]
    assert call(port, "POST", f"/sandboxes/{sandbox}/pause", {}, key=ONE)[0] == 204
    assert call(port, "POST", f"/sandboxes/{sandbox}/connect", {}, key=ONE)[0] == 200
    for one, opens in ((sandbox, secret), (fork["sandboxID"], fork["envdAccessToken"])):
        for expected, more in (("first", {}), ("second", {"context_id": context})):
            assert [line["text"] for line in executed(port, one, opens, "x", **more) if line["type"] == "result"] == [expected]
        call(port, "DELETE", f"/sandboxes/{one}", key=ONE)


def text_of(port, opens, code, **more):
    return [line.get("text", line.get("name")) for line in executed(port, *opens, code, **more) if line["type"] in ("result", "error")]


def test_a_context_is_an_interpreter(door):
    """Variables, modules, directory and process are its own, in Python and in JavaScript."""
    port = door[1]
    opens = made(port)
    one, two, script = (json.loads(call(port, "POST", "/contexts", body, sandbox=opens[0], secret=opens[1])[1])["id"] for body in (
        {"cwd": "/home/user/one"}, {"language": "python"}, {"language": "javascript", "cwd": "/home/user/js"}))
    executed(port, *opens, "import json; json.mark = 1; x = 'first'")
    executed(port, *opens, "x = 'one'", context_id=one)
    executed(port, *opens, "let x = 'script'", context_id=script)
    assert text_of(port, opens, "import json, os; hasattr(json, 'mark'), x, os.getcwd()", context_id=one) == ["(False, 'one', '/work/one')"]
    assert text_of(port, opens, "x", context_id=two) == ["NameError"]
    assert text_of(port, opens, "process.cwd() + x", context_id=script) == ["/work/jsscript"]
    assert text_of(port, opens, "typeof x", language="javascript") == ["undefined"]
    assert text_of(port, opens, "x") == ["first"]
    pids = {text_of(port, opens, "import os; os.getpid()", **more)[0] for more in ({}, {"context_id": one}, {"context_id": two})}
    assert len(pids) == 3
    assert call(port, "POST", "/execute", {"code": "x", "language": one}, sandbox=opens[0], secret=opens[1])[0] == 400
    call(port, "DELETE", f"/sandboxes/{opens[0]}", key=ONE)


def stdout_of(port, opens, code, **more):
    return "".join(line["text"] for line in executed(port, *opens, code, **more) if line["type"] == "stdout")


def test_contexts_of_other_languages(door):
    """Of bash each is one by itself; TypeScript shares those of JavaScript; SQL has the one database of the session."""
    port = door[1]
    opens = made(port)

    def ask(path, body):
        status, text = call(port, "POST", path, body, sandbox=opens[0], secret=opens[1])
        return status, json.loads(text)

    odd = "/home/user/it's \"here\" $x"
    one, two = (ask("/contexts", {"language": "bash", "cwd": cwd})[1]["id"] for cwd in (odd, "/home/user"))
    executed(port, *opens, "x=first", language="bash")
    executed(port, *opens, "x=one", context_id=one)
    assert stdout_of(port, opens, "echo $x; pwd", context_id=one) == f"one\n{odd}\n"
    assert (stdout_of(port, opens, "echo .$x", context_id=two), stdout_of(port, opens, "echo $x", language="bash")) == (".\n", "first\n")
    assert ask(f"/contexts/{one}/restart", {})[0] == 200
    assert stdout_of(port, opens, "echo .$x", context_id=one) == ".\n"
    assert ask("/contexts", {"language": "bash"})[0] == 200
    refused = ask("/contexts", {"language": "bash"})
    assert refused[0] == 400 and "at most 4 contexts of bash" in refused[1]["message"]
    typed = ask("/contexts", {"language": "ts", "cwd": "/home/user/ts"})[1]
    assert typed["language"] == "typescript" and typed["id"] != "typescript"
    for _ in range(3):
        assert ask("/contexts", {"language": "javascript"})[0] == 200
    refused = ask("/contexts", {"language": "typescript"})
    assert refused[0] == 400 and "at most 4 contexts of javascript and typescript" in refused[1]["message"]
    assert ask("/contexts", {"language": "sql"}) == (200, {"id": "sql", "language": "sql", "cwd": "/home/user"})
    executed(port, *opens, "CREATE TABLE t AS SELECT 5 AS n", context_id="sql")
    assert "5" in text_of(port, opens, "SELECT n FROM t", language="sql")[0]
    refused = ask("/contexts/sql/restart", {})
    assert refused[0] == 501 and "cannot be restarted" in refused[1]["message"]
    refused = ask("/contexts", {"language": "r"})
    assert refused[0] == 400 and "python, javascript, typescript, bash and sql" in refused[1]["message"]
    call(port, "DELETE", f"/sandboxes/{opens[0]}", key=ONE)


def test_there_is_room_for_so_many_contexts_at_a_time(door):
    port = door[1]
    opens = made(port)

    def ask(method, path, body=None):
        return call(port, method, path, body, sandbox=opens[0], secret=opens[1])

    ids = [json.loads(ask("POST", "/contexts", {})[1])["id"] for _ in range(8)]
    for number, context in enumerate(ids):
        executed(port, *opens, f"x = {number}", context_id=context)
    status, text = ask("POST", "/contexts", {})
    assert status == 400 and b"at most 8 contexts of python" in text
    assert ask("DELETE", f"/contexts/{ids[3]}")[0] == 200
    again = json.loads(ask("POST", "/contexts", {})[1])["id"]
    assert text_of(port, opens, "x", context_id=again) == ["NameError"]  # of the one that had its interpreter
    assert ask("POST", f"/contexts/{ids[5]}/restart", {})[0] == 200
    assert text_of(port, opens, "x", context_id=ids[5]) == ["NameError"]
    assert text_of(port, opens, "x", context_id=ids[7]) == ["7"]
    for _ in range(4):
        assert ask("POST", "/contexts", {"language": "js"})[0] == 200
    assert ask("POST", "/contexts", {"language": "js"})[0] == 400
    call(port, "DELETE", f"/sandboxes/{opens[0]}", key=ONE)


def test_a_killed_sandbox_stays_dead(light):
    """Also one that was paused, one whose time was over, and for the next server; one that was left alone is there again."""
    folder = light.home / "killed"
    folder.mkdir()
    with opened(light, folder=folder) as (_, port):
        killed, paused, over, left = ids = [made(port, timeout=seconds)[0] for seconds in (300, 300, 1, 300)]
        call(port, "POST", f"/sandboxes/{paused}/pause", {}, key=ONE)
        for one in (killed, paused):
            assert call(port, "DELETE", f"/sandboxes/{one}", key=ONE)[0] == 204
        deadline = time.monotonic() + 60
        while call(port, "GET", f"/sandboxes/{over}", key=ONE)[0] == 200 and time.monotonic() < deadline:
            time.sleep(0.2)
        assert [call(port, "POST", f"/v2/sandboxes/{one}/connect", {}, key=ONE)[0] for one in (killed, paused, over)] == [404] * 3
    with opened(light, folder=folder) as (_, port):
        assert [call(port, "POST", f"/sandboxes/{one}/connect", {}, key=ONE)[0] for one in ids] == [404, 404, 404, 200]
        assert call(port, "DELETE", f"/sandboxes/{left}", key=ONE)[0] == 204


def test_time_ends_a_sandbox(door):
    port = door[1]
    sandbox, secret = made(port, timeout=1)
    paused, _ = made(port, timeout=1, autoPause=True)
    deadline = time.monotonic() + 60
    while call(port, "GET", f"/sandboxes/{sandbox}", key=ONE)[0] == 200 and time.monotonic() < deadline:
        time.sleep(0.2)
    assert call(port, "GET", "/health", sandbox=sandbox, secret=secret)[0] == 502
    while time.monotonic() < deadline:
        state = json.loads(call(port, "GET", f"/sandboxes/{paused}", key=ONE)[1])["state"]
        if state == "paused":
            break
        time.sleep(0.2)
    assert state == "paused"
    call(port, "DELETE", f"/sandboxes/{paused}", key=ONE)


@pytest.mark.parametrize("name, body", [("mcp", {"mcp": {"x": 1}}), ("volumeMounts", {"volumeMounts": [{"name": "a"}]}),
                                        ("rules", {"network": {"allowOut": ["x"], "rules": {"x": [{}]}}}),
                                        ("maskRequestHost", {"network": {"maskRequestHost": "x"}}),
                                        ("denyOut of less", {"network": {"denyOut": ["10.0.0.0/8"]}})])
def test_what_there_is_not_is_refused_by_name(door, name, body):
    status, text = call(door[1], "POST", "/v2/sandboxes", body, key=ONE)
    told = json.loads(text)["message"]
    assert status == 400 and told.startswith(name) and "is not supported" in told


FETCH = """
import urllib.request
def fetch(host):
    try:
        return urllib.request.urlopen(f"http://{host}:%d/x", timeout=20).read().decode()
    except urllib.error.HTTPError as e:
        return e.code
print([fetch(host) for host in ("web.test", "a.wide.test")])
"""


@pytest.mark.parametrize("network, reached", [
    ({}, "['hello from /x', 'hello from /x']"), ({"denyOut": ["0.0.0.0/0"]}, None),
    ({"allowOut": ["a.wide.test"]}, "['hello from /x', 'hello from /x']"),
    ({"allowOut": ["a.wide.test"], "denyOut": ["0.0.0.0/0"]}, "[403, 'hello from /x']"),
    ({"allowOut": ["elsewhere.test"], "denyOut": ["0.0.0.0/0"]}, 403)])
def test_a_client_chooses_among_the_rules_of_the_server(light, tmp_path, network, reached):
    with loopback.served() as web:
        rules = loopback.rule(web), {**loopback.rule(web), "host": "*.wide.test"}
        with opened(light, *loopback.network(tmp_path, *rules)) as (_, port):
            status, text = call(port, "POST", "/v2/sandboxes", {"network": network}, key=ONE)
            if isinstance(reached, int):
                assert status == reached and "elsewhere.test is not among" in json.loads(text)["message"]
                return
            made_one = json.loads(text)
            told = executed(port, made_one["sandboxID"], made_one["envdAccessToken"], FETCH % web.port)
            assert (reached in str(told)) if reached else "hello" not in str(told), told


def test_a_download_is_of_one_version(door):
    port = door[1]
    sandbox, secret = made(port)
    executed(port, sandbox, secret, "open('f', 'wb').write(b'a' * (64 << 20)) and None")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/files?path=f", headers={"E2b-Sandbox-Id": sandbox, "X-Access-Token": secret})
    reply = connection.getresponse()
    got = reply.read(1000)
    executed(port, sandbox, secret, "open('f', 'r+b').write(b'b' * (64 << 20)) and None")
    with pytest.raises(http.client.IncompleteRead) as cut:
        reply.read()
    assert set(got + cut.value.partial) == {ord("a")}
    connection.close()
    call(port, "DELETE", f"/sandboxes/{sandbox}", key=ONE)


def test_the_manner_of_the_python_sdk(door):
    """Its package cannot be had here; these are requests in its manner, as far as it is known: forms of httpx, watchers that are asked, and streams."""
    port = door[1]
    status, text = call(port, "POST", "/sandboxes", {"templateID": "code-interpreter-v1", "timeout": 300, "autoPause": False, "secure": True,
                                                    "allow_internet_access": True, "metadata": {}, "envVars": {}}, key=ONE, lang="python", package_version="2.3.0")
    assert status == 201
    told = json.loads(text)
    opens = told["sandboxID"], told["envdAccessToken"]
    kind = {"Content-Type": "multipart/form-data; boundary=0123abcd"}
    form = b"".join(b'--0123abcd\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\nContent-Type: application/octet-stream\r\n\r\n%s\r\n' % one
                    for one in ((b"/home/user/a.txt", b"one"), (b"/home/user/deep/b.txt", "zwei é".encode()))) + b"--0123abcd--\r\n"
    status, text = call(port, "POST", "/files?username=user", form, sandbox=opens[0], secret=opens[1], **kind)
    assert [one["path"] for one in json.loads(text)] == ["/home/user/a.txt", "/home/user/deep/b.txt"]
    assert call(port, "GET", "/files?path=deep%2Fb.txt&username=user", sandbox=opens[0], secret=opens[1]) == (200, "zwei é".encode())
    watcher = asked(port, opens, "filesystem.Filesystem/CreateWatcher", path="/home/user")[1]["watcherId"]
    Stream(port, opens, "process.Process/Start", process={"cmd": "/bin/bash", "args": ["-l", "-c", "touch new"]}, stdin=False).next()
    events, deadline = [], time.monotonic() + 60
    while not events and time.monotonic() < deadline:
        events = asked(port, opens, "filesystem.Filesystem/GetWatcherEvents", watcherId=watcher)[1].get("events", [])
    assert events[0] == {"name": "new", "type": "EVENT_TYPE_CREATE"}
    assert [asked(port, opens, "filesystem.Filesystem/RemoveWatcher", watcherId=watcher)[0] for _ in range(2)] == [200, 404]
    stream = Stream(port, opens, "process.Process/Start", process={"cmd": "/bin/bash", "args": ["-l", "-c", "echo out; exit 3"], "envs": {"A": "b"}, "cwd": "/tmp"})
    said = [one["event"] for one in iter(stream.next, None)]
    assert "pid" in said[0]["start"] and said[-1]["end"]["exitCode"] == 3 and stream.error is None
    assert [line["type"] for line in executed(port, *opens, "print(1)\n2", env_vars={"K": "v"})] == ["number_of_executions", "stdout", "result", "end_of_execution"]
    assert call(port, "DELETE", f"/sandboxes/{opens[0]}", key=ONE)[0] == 204


def test_the_packages_are_those_of_this_list(node):
    assert [name for name in PACKAGES if not (MODULES / name / "package.json").exists()] == []


def test_code_of_a_sandbox_is_reviewed(light):
    with opened(light, "--review", "block") as (_, port):
        sandbox, secret = made(port)
        found = executed(port, sandbox, secret, "key = 'AKIAIOSFODNN7EXAMPLE'; open('ran', 'w')")
        (error,) = [line for line in found if line["type"] == "error"]
        assert (error["name"], error["value"]) == ("Refused", "line 1: a key or token stands in the code [secret-key]")
        (value,) = [line for line in executed(port, sandbox, secret, "import os\nos.path.exists('ran')") if line["type"] == "result"]
        assert value["text"] == "False"
        status, text = call(port, "POST", "/process.Process/Start", b"\0\0\0\0\x1d" + b'{"process":{"cmd":"/bin/ls"}}', sandbox=sandbox,
                            secret=secret, **{"Content-Type": "application/connect+json"})
        assert status == 400 and b"commands run in its cells only" in text
