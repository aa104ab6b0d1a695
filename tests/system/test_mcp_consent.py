"""Calls of tools that the user of a client of MCP has to allow: elicitation, in both eras and over both transports."""
import http.client
import json
import queue
import threading

import pytest
import serving
from test_mcp import META, MODERN
from test_tools_file import caller, tools  # noqa: F401: fixtures, used by name

pytestmark = pytest.mark.by_turns

CODE = "import tools\ntry:\n    print(tools.pay(to='ann'))\nexcept tools.ToolError as e:\n    print('refused:', e)"
ALLOW, REFUSE = {"action": "accept", "content": {"allow": True}}, {"action": "accept", "content": {"allow": False}}
DISMISSED, DENIED = "refused: the question whether it may be called was dismissed", "refused: the call was not allowed"
HOW = "nobody can be asked whether it may be called: tools.approve and the page decide for those who listen to the session, and clients of MCP that offer elicitation"
ANSWERS = [(ALLOW, "paid", "allowed"), (REFUSE, DENIED, "denied"), ({"action": "accept"}, DENIED, "denied"), ({"action": "decline"}, DENIED, "denied"),
           ({"action": "cancel"}, DISMISSED, "cancelled"), ({}, "refused: the client could not ask", "cancelled")]


class Client:
    """A client on standard input and output that reads whatever comes."""

    def __init__(self, caller, *options, modern=False, elicits=True, version="2025-11-25"):
        self.program = caller.popen("mcp", *options, stdin=-1, stdout=-1)
        self.heard, self.last, self.modern = queue.Queue(), 0, modern
        self.can = {"elicitation": {} if elicits is True else elicits} if elicits else {}
        threading.Thread(target=self.listen, daemon=True).start()
        if not modern:
            self.send("initialize", protocolVersion=version, capabilities=self.can, clientInfo={"name": "t", "version": "1"})
            self.hear()

    def listen(self):
        for line in self.program.stdout:
            self.heard.put(json.loads(line))
        self.heard.put(None)

    def write(self, message):
        self.program.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.program.stdin.flush()

    def send(self, method, **params):
        self.last += 1
        meta = {"_meta": {**MODERN, META + "clientCapabilities": self.can}} if self.modern else {}
        self.write({"id": self.last, "method": method, "params": {**params, **meta}})
        return self.last

    def hear(self):
        """The next message; what was printed comes as log messages, too."""
        while True:
            message = self.heard.get(timeout=60)
            if not message or message.get("method") != "notifications/message":
                return message

    def run(self, code=CODE, timeout=30, **again):
        return self.send("tools/call", name="run_code", arguments={"code": code, "timeout": timeout}, **again)

    def close(self):
        self.program.stdin.close()
        assert self.program.wait(timeout=60) == 0


def text(message):
    return "\n".join(block["text"] for block in message["result"]["content"] if block["type"] == "text")


def check_question(params, modern):
    assert params["message"] == 'Code in the session wants to call pay with {"to":"ann"}' and params["mode"] == "form"
    assert params["requestedSchema"]["required"] == ["allow"] and params["requestedSchema"]["properties"]["allow"]["default"] is False


@pytest.fixture
def client(caller, tools):
    started = []

    def start(**how):
        started.append(Client(caller, "--tools", tools.write(), **how))
        return started[-1]

    yield start
    for one in started:
        if one.program.poll() is None:
            one.close()


def decided(caller):
    """Of the newest session: what was decided, by whom and through which door."""
    newest = json.loads(caller.run("log", "--json", "-n", "1").stdout)[0]
    entries = json.loads(caller.run("log", "--json", newest.get("session") or newest["id"]).stdout)
    return [(note["verdict"], note["by"], note.get("door")) for note in (entry.get("event") for entry in entries if entry["kind"] == "note")]


# --- legacy ---


@pytest.mark.parametrize("answer, printed, verdict", ANSWERS)
@pytest.mark.few(1)
def test_a_legacy_client_is_asked_while_its_call_runs(client, caller, tools, answer, printed, verdict):
    one = client()
    call = one.run()
    question = one.hear()
    assert question["method"] == "elicitation/create" and tools.paid == []
    check_question(question["params"], False)
    one.write({"id": question["id"], **({"result": answer} if answer else {"error": {"code": -1, "message": "no"}})})
    done = one.hear()
    assert done["id"] == call and printed in text(done) and tools.paid == ([{"to": "ann"}] if verdict == "allowed" else [])
    one.write({"id": question["id"], "result": ALLOW})  # twice
    one.run("1 + 1")
    one.hear()
    assert len(tools.paid) == (verdict == "allowed")
    one.close()
    assert decided(caller) == [(verdict, "local" if verdict in ("allowed", "denied") else "", "mcp" if verdict in ("allowed", "denied") else "")]


@pytest.mark.parametrize("how", [{"elicits": False}, {"version": "2025-03-26"}, {"elicits": {"url": {}}}, {"modern": True, "elicits": False},
                                 {"modern": True, "elicits": {"url": {}}}])
def test_a_client_that_cannot_ask_is_told_how_to_allow(client, tools, how):
    one = client(**how)
    one.run()
    assert HOW in text(one.hear()) and tools.paid == []


def test_a_legacy_question_ends_with_its_cell(client, tools):
    one = client()
    call = one.run(timeout=1)
    question = one.hear()
    withdrawn, done = one.hear(), one.hear()
    assert withdrawn["method"] == "notifications/cancelled" and withdrawn["params"]["requestId"] == question["id"]
    assert done["id"] == call and "timeout" in text(done).lower() and tools.paid == []
    one.write({"id": question["id"], "result": ALLOW})  # too late
    call = one.run()
    question = one.hear()
    one.write({"method": "notifications/cancelled", "params": {"requestId": call}})
    assert one.hear()["method"] == "notifications/cancelled"  # the question is taken back; a cancelled call is not answered
    call = one.run("6 * 7")
    assert "42" in text(one.hear()) and tools.paid == []


@pytest.mark.parametrize("modern", [False, True])
def test_a_client_that_leaves_has_allowed_nothing(client, caller, tools, modern):
    one = client(modern=modern)
    one.run()
    one.hear()
    one.close()
    assert tools.paid == [] and decided(caller) == [("cancelled", "", "")]


@pytest.mark.parametrize("modern", [False, True])
def test_what_cannot_be_shown_cannot_be_allowed(client, tools, modern):
    one = client(modern=modern)
    one.run("import tools\ntry:\n    tools.pay(to='x' * 5000)\nexcept tools.ToolError as e:\n    print(e)")
    assert "too long to be shown" in text(one.hear()) and tools.paid == []
    one.run("import tools\ntools.pay(to='ann\\u202e\\u200b')")
    asked = one.hear()
    params = next(iter(asked["result"]["inputRequests"].values()))["params"] if modern else asked["params"]
    assert params["message"].endswith('{"to":"ann\\u202E\\u200B"}'), params


# --- modern ---


def asked(message):
    """The key of the question, and the state."""
    assert message["result"]["resultType"] == "input_required", message
    ((key, request),) = message["result"]["inputRequests"].items()
    assert request["method"] == "elicitation/create"
    check_question(request["params"], True)
    return key, message["result"]["requestState"]


@pytest.mark.parametrize("answer, printed, verdict", ANSWERS)
def test_a_modern_client_repeats_its_call_with_the_answer(client, caller, tools, answer, printed, verdict):
    one = client(modern=True)
    one.run()
    key, state = asked(one.hear())
    assert tools.paid == []
    one.run(requestState=state, inputResponses={key: answer})
    done = one.hear()
    assert done["result"]["resultType"] == "complete" and printed in text(done) and tools.paid == ([{"to": "ann"}] if verdict == "allowed" else [])
    one.run(requestState=state, inputResponses={key: ALLOW})  # twice
    assert "no such call" in one.hear()["error"]["message"] and len(tools.paid) == (verdict == "allowed")
    one.close()
    assert decided(caller)[0][0] == verdict


def test_a_modern_call_may_ask_several_times_and_is_asked_again_without_an_answer(client, tools):
    one = client(modern=True)
    one.run("import tools\nprint(tools.pay(to='ann'), tools.pay(to='ann'))")
    key, state = asked(one.hear())
    one.run(requestState=state)
    assert asked(one.hear()) == (key, state) and tools.paid == []
    one.run(requestState="0" * 32, inputResponses={key: ALLOW})
    assert "error" in one.hear() and tools.paid == []
    one.run(requestState=state, inputResponses={key: ALLOW})
    second, same = asked(one.hear())
    assert second != key and same == state and len(tools.paid) == 1
    one.run(requestState=state, inputResponses={key: ALLOW})  # the answer to the first is none to the second
    assert asked(one.hear()) == (second, state) and len(tools.paid) == 1
    one.run(requestState=state, inputResponses={second: ALLOW})
    assert "paid paid" in text(one.hear()) and len(tools.paid) == 2


def test_a_modern_answer_that_comes_too_late_gets_what_happened(client, tools):
    one = client(modern=True)
    one.run(timeout=1)
    key, state = asked(one.hear())
    one.run("1", session="none")  # any call: the cell's time goes on
    one.hear()
    one.run("2")  # waits for the cell before
    one.hear()
    one.run(requestState=state, inputResponses={key: ALLOW})
    assert "timeout" in text(one.hear()).lower() and tools.paid == []


def test_a_cancelled_modern_call_allows_nothing(client, tools):
    one = client(modern=True)
    one.run()
    key, state = asked(one.hear())
    again = one.run(requestState=state, inputResponses={})
    asked(one.hear())
    slow = one.run("import time\ntime.sleep(60)")  # waits behind the cell that waits for its answer
    one.write({"method": "notifications/cancelled", "params": {"requestId": slow}})
    one.run(requestState=state, inputResponses={key: {"action": "decline"}})
    assert DENIED in text(one.hear()) and tools.paid == []
    assert again != slow


# --- over HTTP, with the tools of another client ---


TOKENS = {"one": "first-token-0123456789abcdef", "two": "second-token-0123456789abcdef"}


@pytest.fixture
def server(light_caller, tmp_path):
    tokens = light_caller.home / "consent-tokens"
    tokens.write_text("".join(f"{token} name={name}\n" for name, token in TOKENS.items()))
    with serving.serving(light_caller, "--token-file", tokens) as running:
        yield running


class Web:
    """A client of /mcp; a reply may be a stream of messages."""

    def __init__(self, server, token, modern):
        self.server, self.token, self.modern, self.last, self.id = server, token, modern, 0, None
        if not modern:
            for message in self.send("initialize", protocolVersion="2025-11-25", capabilities={"elicitation": {}}, clientInfo={"name": "t", "version": "1"}):
                assert "result" in message

    def post(self, message, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        given = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
        if self.id:
            given["Mcp-Session-Id"] = self.id
        connection.request("POST", "/mcp", json.dumps({"jsonrpc": "2.0", **message}), given)
        reply = connection.getresponse()
        self.id = reply.getheader("Mcp-Session-Id") or self.id
        if not reply.getheader("Content-Type", "").startswith("text/event-stream"):
            body = reply.read()
            return [json.loads(body)] if body else []
        return (json.loads(line[5:]) for line in reply if line.startswith(b"data:") and b"notifications/message" not in line)

    def send(self, method, **params):
        self.last += 1
        if not self.modern:
            return iter(self.post({"id": self.last, "method": method, "params": params}))
        meta = {**MODERN, META + "clientCapabilities": {"elicitation": {}}}
        return iter(self.post({"id": self.last, "method": method, "params": {**params, "_meta": meta}},
                              **{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": params["name"]}))

    def run(self, session, **again):
        return self.send("tools/call", name="run_code", arguments={"code": CODE, "session": session}, **again)


def test_over_http_the_one_who_runs_the_code_is_asked(server):
    payer = serving.Payer(server, TOKENS["one"])
    web = Web(server, TOKENS["one"], modern=False)
    messages = web.run(payer.session)
    question = next(messages)
    assert question["method"] == "elicitation/create" and payer.paid == []
    other = Web(server, TOKENS["two"], modern=False)
    other.post({"id": question["id"], "result": ALLOW})  # of another token, in another session
    status, answer = serving.Client(server, TOKENS["two"]).rpc("tools.approve", call=payer.until("tools.approval")["call"], allow=True)
    assert "waits for a decision" in answer["error"]["message"] and payer.paid == []
    web.post({"id": question["id"], "result": ALLOW})
    assert "paid" in text(next(messages)) and payer.paid == [{"to": "ann"}]
    assert payer.until("tools.decided")["verdict"] == "allowed"


def test_over_http_a_modern_state_belongs_to_its_token(server):
    payer = serving.Payer(server, TOKENS["one"])
    web = Web(server, TOKENS["one"], modern=True)
    key, state = asked(next(web.run(payer.session)))
    stranger = Web(server, TOKENS["two"], modern=True)
    assert "no such call" in next(stranger.run(payer.session, requestState=state, inputResponses={key: ALLOW}))["error"]["message"] and payer.paid == []
    assert "paid" in text(next(web.run(payer.session, requestState=state, inputResponses={key: ALLOW}))) and payer.paid == [{"to": "ann"}]


def test_whoever_decides_first_decides(server):
    """The user of the client is asked, and so is everybody who listens: here somebody at the page."""
    payer = serving.Payer(server, TOKENS["one"])
    web = Web(server, TOKENS["one"], modern=False)
    messages = web.run(payer.session)
    question = next(messages)
    payer.rpc.result("tools.approve", call=payer.until("tools.approval")["call"], allow=False, by="ann", reason="not today")
    withdrawn, done = next(messages), next(messages)
    assert withdrawn["params"]["requestId"] == question["id"] and "not today" in text(done) and payer.paid == []
    told = payer.until("tools.decided")
    assert (told["verdict"], told["by"]) == ("denied", "ann")
