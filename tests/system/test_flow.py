"""Tools that declare sources and sinks: what the host holds against calls, whatever runs in the session."""
import json
import time

import flows
import loopback
import pytest
import rpc
from agents import Record


@pytest.fixture
def server(light_caller):
    server = rpc.Server(light_caller)
    yield server
    assert server.close() == 0


def begin(server, toolset="mail", **options):
    """A session with these tools; the calls of tools with sinks that were made."""
    tools, answers = flows.TOOLSETS[toolset]["tools"], flows.TOOLSETS[toolset]["answers"]
    return register(server, server.session(**options), tools, answers)


def register(server, session, tools, answers):
    called = []

    def answering(tool):
        def call(**arguments):
            if "sinks" in tool:
                called.append(tool["name"])
            return answers.get(tool["name"], "done")
        return call

    server.tools.update({tool["name"]: answering(tool) for tool in tools})
    server.call("tools.register", session=session.id, tools=tools)
    return session, called


@pytest.mark.by_turns
@pytest.mark.parametrize("toolset", flows.TOOLSETS)
@pytest.mark.few(1)
def test_honest_programs_pass_and_injected_ones_call_nothing(server, toolset):
    for name, code in flows.TOOLSETS[toolset]["honest"].items():
        session, called = begin(server, toolset)
        result = session.run(code)
        assert (result["status"], result["policy"]["verdict"], len(called)) == ("ok", "accepted", code.count("#")), (name, result)
    for name, code in flows.TOOLSETS[toolset]["injected"].items():
        session, called = begin(server, toolset)
        result = session.run(code)
        assert (called, result["policy"]["verdict"], result["flags"]) == ([], "refused", ["denied"]), (name, result)


def test_cells_are_read_behind_those_before_them(server):
    session, called = begin(server)
    assert session.run("import tools\ns = tools.inbox()[0]['text']")["policy"] == {"verdict": "accepted", "refusals": []}
    assert session.run("to = 'ann'\ntools.send(to=to, body='hello')")["status"] == "ok" and called == ["send"]
    leaked = session.run("to = s[:3]\ntools.send(to=to, body='hello')")
    assert (leaked["status"], leaked["flags"], called) == ("error", ["denied"], ["send"])
    path = "line 2: send(to=to): to ← slice ← s ← element ← inbox() cell 1 line 2 [untrusted]"
    assert leaked["error"]["message"].startswith("not called: the session has data of inbox (cell 1)"), leaked["error"]
    assert leaked["policy"]["refusals"][0]["message"].split(" ← ")[-1] == path.split(" ← ")[-1]
    # The cell that failed has left its variables; what they are now is told by what may have run of it.
    assert session.run("tools.send(to=to, body='hello')")["flags"] == ["denied"] and called == ["send"]


@pytest.mark.by_turns
def test_a_mistake_does_not_end_the_proofs(server):
    session, called = begin(server)
    session.run("import tools\ns = tools.inbox()[0]['text']")
    assert session.run("def f(:")["status"] == session.run("n = int(s)")["status"] == "error"
    assert session.run("tools.send(to='ann', body='hello')")["status"] == "ok" and called == ["send"]
    session.run("print(unheard_of)")  # a name of which nothing is known
    assert session.run("tools.send(to='ann', body='hello')")["policy"]["verdict"] == "refused" and called == ["send"]
    for _ in range(2):
        server.call("session.undo", session=session.id)
    assert session.run("tools.send(to='ann', body='hello')")["status"] == "ok" and called == ["send", "send"]


@pytest.mark.by_turns
def test_without_data_of_others_anything_may_call(server):
    session, called = begin(server)
    assert session.run("import tools\nexec(\"tools.send(to='ann', body='b')\")")["policy"]["verdict"] == "refused"
    assert called == ["send"]


@pytest.mark.by_turns
@pytest.mark.parametrize("between", ["%%bash\necho 1", "%%sql\nSELECT 1", "!echo 1"])
@pytest.mark.few(1)
def test_what_is_no_python_ends_the_proofs(server, between):
    session, called = begin(server)
    session.run("import tools\ns = tools.inbox()")
    session.run(between)
    result = session.run("tools.send(to='ann', body='b')")
    assert result["policy"]["verdict"] in ("unknown", "refused") and result["flags"] == ["denied"] and called == []


def test_undo_branches_and_sessions_that_come_back_forget_no_origin(light_caller):
    server, tools, answers = rpc.Server(light_caller), flows.TOOLSETS["mail"]["tools"], flows.TOOLSETS["mail"]["answers"]
    session, called = begin(server)
    hidden = "import tools\nexec(\"tools.send(to='eve', body='b')\")"
    session.run("import tools\ns = tools.inbox()")
    (branch,) = server.call("session.branch", session=session.id, count=1)["sessions"]
    assert server.call("session.execute", session=branch, code=hidden)["flags"] == ["denied"]
    server.call("session.undo", session=session.id)
    assert session.run(hidden)["flags"] == ["denied"] and called == []
    assert server.close() == 0
    server = rpc.Server(light_caller)
    server.call("session.resume", session=session.id)
    back, called = register(server, rpc.Session(server, {"session": session.id, "isolation": {}}), tools, answers)
    result = back.run("import tools\ntools.send(to='ann', body='b')")
    assert (result["policy"]["verdict"], result["flags"], called) == ("unknown", ["denied"], [])
    assert server.close() == 0


@pytest.mark.by_turns
def test_somebody_may_be_asked_instead(server):
    asking = [dict(tool, approval="ask") if tool["name"] == "send" else tool for tool in flows.TOOLSETS["mail"]["tools"]]
    session, called = register(server, server.session(), asking, flows.TOOLSETS["mail"]["answers"])
    running = session.start("import tools\ntools.send(to=tools.inbox()[0]['from'], body='b')")
    end = time.monotonic() + rpc.PATIENCE
    while not (found := [params for method, params in server.notes if method == "tools.approval"]):
        assert time.monotonic() < end
        time.sleep(0.01)
    assert (found[0]["arguments"], called) == ({"to": "eve@evil", "body": "b"}, [])
    server.call("tools.approve", call=found[0]["call"], allow=False)
    assert running.answer()["status"] == "error" and called == []


@pytest.mark.by_turns
def test_only_proved_cells_reach_the_network(server):
    fetch = "import urllib.request\nprint(urllib.request.urlopen('http://web.test:%d/', timeout=20).read())"
    hidden = "exec(%r)" % fetch
    with loopback.served() as web:
        session, _ = begin(server, network=[loopback.rule(web)])
        assert session.run(fetch % web.port)["stdout"] == "b'hello from /'\n"
        shut = session.run(hidden % web.port)
        assert shut["status"] == "error" and shut["flags"] == ["denied"] and [e["verdict"] for e in shut["network"]] == ["refused"]
        server.call("session.undo", session=session.id)
        again = session.run(fetch % web.port)
        assert again["stdout"] == "b'hello from /'\n", again
        free = server.session(network=[loopback.rule(web)])  # no tool declares anything
        assert free.run(hidden % web.port)["stdout"] == "b'hello from /'\n"


@pytest.mark.by_turns
def test_a_run_of_the_agent_is_held_to_it(server):
    session, called = begin(server)
    replies = [{"text": "```python\nimport tools\nmails = tools.inbox()\nprint('mails', len(mails))\n```"},
               {"text": "```python\ntools.send(to=mails[0]['from'], body='hello')\n```"},
               {"text": "There are 2 mails."}]
    done = server.call("agent.run", task="How many mails are there?", session=session.id, replies=replies)
    assert (done["answer"], called) == ("There are 2 mails.", [])
    told = [params["event"] for method, params in server.notes if method == "agent.event"]
    results = [event["result"] for event in told if event["event"] == "observation"]
    assert [result["policy"]["verdict"] for result in results] == ["accepted", "refused"]


@pytest.mark.by_turns
def test_the_record_has_it_and_mistakes_are_told_at_once(light_caller):
    server = rpc.Server(light_caller)
    session, called = begin(server)
    session.run("import tools\ns = tools.inbox()[0]['from']")
    session.run("tools.send(to=s, body='b')")
    with pytest.raises(rpc.Failure, match="there is no parameter nobody"):
        server.call("tools.register", session=session.id, tools=[{"name": "pay", "sinks": {"to": {"readers": "nobody"}}}])
    assert session.run("tools.send(to=s, body='b')")["flags"] == ["denied"] and called == []  # those before are still there
    assert server.close() == 0
    record = Record(light_caller, light_caller.home / ".local/state/retort", session.id)
    outcomes = [entry["body"] for entry in record.entries if entry["kind"] == "cell_outcome"]
    assert [outcome["policy"]["verdict"] for outcome in outcomes] == ["accepted", "refused", "refused"]
    assert json.loads(record.run("replay", "--json", session.id))["equal"]


FILES = {"inbox/*": {"source": "untrusted"}, "report*": {"sink": "trusted"}}


def begin_with(server, **beside):
    session, called = begin(server)
    server.call("tools.register", session=session.id, tools=flows.TOOLSETS["mail"]["tools"], **beside)
    return session, called


@pytest.mark.by_turns
def test_files_are_sources(server):
    session, called = begin_with(server, files=FILES)
    session.write("inbox/mail.txt", b"eve@evil")
    session.write("list.txt", b"ann")
    told = session.run("import tools\ntools.send(to=open('inbox/mail.txt').read(), body='b')")
    assert (called, told["flags"], told["policy"]["verdict"]) == ([], ["denied"], "refused")
    assert told["policy"]["refusals"][0]["message"].endswith("read() ← file inbox/* [untrusted]")
    server.call("session.undo", session=session.id)
    assert session.run("import tools\ntools.send(to=open('list.txt').read(), body='b')")["status"] == "ok" and called == ["send"]
    # Nothing came by a tool, and yet what hides itself calls nothing: the files may be in it.
    hidden = session.run("exec(\"tools.send(to=open('inbox/mail.txt').read(), body='b')\")")
    assert hidden["flags"] == ["denied"] and "data of files (inbox/*)" in hidden["error"]["message"] and called == ["send"]


@pytest.mark.by_turns
def test_what_one_cell_writes_another_reads(server):
    session, called = begin(server)
    session.run("import tools\nopen('kept.txt', 'w').write(tools.inbox()[0]['from'])")
    assert session.run("open('own.txt', 'w').write('ann')")["policy"]["verdict"] == "accepted"
    told = session.run("tools.send(to=open('kept.txt').read(), body='b')")
    assert (called, told["flags"], told["policy"]["verdict"]) == ([], ["denied"], "refused")
    server.call("session.undo", session=session.id)
    assert session.run("tools.send(to=open('own.txt').read(), body='b')")["status"] == "ok" and called == ["send"]
    # What a cell has written of which nothing is proved makes nothing provable that comes behind it.
    session.run("exec(\"open('own.txt', 'w').write(tools.inbox()[0]['from'])\")")
    assert session.run("tools.send(to=open('own.txt').read(), body='b')")["flags"] == ["denied"] and called == ["send"]


@pytest.mark.by_turns
def test_files_are_sinks(server):
    session, _ = begin_with(server, files=FILES)
    session.run("import tools\ns = tools.inbox()[0]['text']")
    assert session.run("open('report.txt', 'w').write('three mails')")["policy"]["verdict"] == "accepted"
    assert session.read("report.txt") == b"three mails"
    told = session.run("open('report2.txt', 'w').write(s)\nopen('other.txt', 'w').write(s)")
    assert [r["message"].split(" ← ")[0] for r in told["policy"]["refusals"]] == ["line 1: file report2.txt: s"]
    session.run("exec(\"open('report3.txt', 'w').write(s)\")")
    for path, cell in (("report2.txt", 3), ("report3.txt", 4)):
        with pytest.raises(rpc.Failure, match=f"not given out: cell {cell} has written this file, and it is not proved that nothing of files"):
            session.read(path)
    assert session.read("report.txt") == b"three mails" and session.read("other.txt")
    (branch,) = server.call("session.branch", session=session.id, count=1)["sessions"]
    with pytest.raises(rpc.Failure, match="not given out"):
        server.call("files.read", session=branch, path="report3.txt")
    session.write("report3.txt", b"mine")
    assert session.read("report3.txt") == b"mine"


@pytest.mark.parametrize("files, words", [
    ({"/etc/*": {"source": "untrusted"}}, "no pattern of paths below /work"), ({"../x": {"sink": "trusted"}}, "no pattern"),
    ({"a[b]": {"sink": "trusted"}}, "no pattern"), ({"a": {}}, 'neither "source" nor "sink"'), ({"a": {"sink": "never"}}, "sink content of file a")])
@pytest.mark.by_turns
def test_files_that_are_declared_wrongly(server, files, words):
    session, _ = begin(server)
    with pytest.raises(rpc.Failure, match=words):
        server.call("tools.register", session=session.id, tools=[], files=files)


@pytest.mark.by_turns
def test_a_cell_that_is_refused_need_not_run_at_all(light_caller):
    server = rpc.Server(light_caller)
    session, called = begin_with(server, policy="block")
    assert session.run("import tools\ns = tools.inbox()[0]['from']")["policy"]["verdict"] == "accepted"
    told = session.run("print('begun')\nx = 1\ntools.send(to=s, body='b')")
    assert (told["status"], told["flags"], told["stdout"], called) == ("error", ["refused"], "", [])
    assert told["error"]["name"] == "Refused" and told["error"]["line"] == 3 and told["error"]["message"].startswith("line 3: send(to=s): s ←")
    assert (told["policy"]["verdict"], told["state"]) == ("refused", "rolled_back")
    # What was not run stands in nobody's way: it is not in the state.
    again = session.run("tools.send(to='ann', body='b')")
    assert again["policy"]["verdict"] == "accepted" and called == ["send"]
    for other in ("%%bash\ntouch made", "exec('1')", "!touch made"):
        assert session.run(other)["flags"] == ["refused"]
    assert session.run("import os\nprint(os.path.exists('made'))")["stdout"] == "False\n"
    server.call("tools.register", session=session.id, tools=flows.TOOLSETS["mail"]["tools"])  # the policy stays
    assert session.run("exec('1')")["flags"] == ["refused"]
    server.call("tools.register", session=session.id, tools=flows.TOOLSETS["mail"]["tools"], policy="calls")
    assert session.run("exec('1')")["status"] == "ok"
    assert server.close() == 0
    record = Record(light_caller, light_caller.home / ".local/state/retort", session.id)
    outcomes = [entry["body"] for entry in record.entries if entry["kind"] == "cell_outcome"]
    assert [(outcome["policy"]["verdict"], "refused" in outcome["flags"]) for outcome in outcomes][:3] == [
        ("accepted", False), ("refused", True), ("accepted", False)]
    assert json.loads(record.run("replay", "--json", session.id))["equal"]


@pytest.mark.by_turns
def test_a_run_of_the_agent_is_told_what_was_not_run(server):
    session, called = begin_with(server, policy="block")
    replies = [{"text": "```python\nimport tools\nmails = tools.inbox()\nprint('mails', len(mails))\n```"},
               {"text": "```python\nprint('begun')\ntools.send(to=mails[0]['from'], body='hello')\n```"}, {"text": "There are 2 mails."}]
    done = server.call("agent.run", task="How many mails are there?", session=session.id, replies=replies)
    results = [params["event"]["result"] for method, params in server.notes
               if method == "agent.event" and params["event"]["event"] == "observation"]
    assert (done["answer"], called) == ("There are 2 mails.", [])
    assert [(result["policy"]["verdict"], result["flags"], result["stdout"]) for result in results] == [
        ("accepted", [], "mails 2\n"), ("refused", ["refused"], "")]


@pytest.mark.by_turns
def test_what_is_too_long_to_be_followed_is_not_proved(server):
    session, called = begin(server)
    session.run("import tools\ns = tools.inbox()\n#" + "x" * (1 << 19))
    assert session.run("tools.send(to='ann', body='b')")["status"] == "ok"
    session.run("#" + "x" * (1 << 19))
    told = session.run("tools.send(to='ann', body='b')")
    assert (told["policy"]["verdict"], told["flags"], called) == ("unknown", ["denied"], ["send"]) and "too long together" in told["policy"]["reason"]
    server.call("session.undo", session=session.id, cells=2)
    assert session.run("tools.send(to='ann', body='b')")["status"] == "ok"
