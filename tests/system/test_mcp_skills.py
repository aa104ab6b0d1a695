"""Skills for clients of MCP: functions as tools, SKILL.md as resources, and word when the library changes."""
import http.client
import json
import queue
import threading

import pytest
import serving
import skillsets
from skillsets import folder, told
from test_mcp import MODERN, over_http

pytestmark = pytest.mark.by_turns

TRIPLE = {"name": "triple", "code": "def triple(x):\n    return 3 * x\n", "tests": [{"in": {"x": 1}, "out": 3}, {"in": {"x": 2}, "out": 6}]}


class Client:
    def __init__(self, caller, *options, modern=False):
        self.program = caller.popen("mcp", *options, stdin=-1, stdout=-1)
        self.heard, self.notes, self.last, self.modern = queue.Queue(), queue.Queue(), 0, modern
        threading.Thread(target=self.listen, daemon=True).start()
        if not modern:
            self.abilities = self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "t", "version": "1"})["capabilities"]

    def listen(self):
        for line in self.program.stdout:
            message = json.loads(line)
            (self.heard if "id" in message else self.notes).put(message)

    def send(self, method, params):
        self.last += 1
        meta = {"_meta": MODERN} if self.modern else {}
        self.program.stdin.write(json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": {**params, **meta}}).encode() + b"\n")
        self.program.stdin.flush()
        return self.last

    def ask(self, method, **params):
        self.send(method, params)
        answer = self.heard.get(timeout=60)
        assert answer["id"] == self.last
        return answer["result"] if "result" in answer else answer["error"]

    def names(self):
        return {tool["name"] for tool in self.ask("tools/list")["tools"] if tool["name"].startswith("skill_")}

    def close(self):
        self.program.stdin.close()
        assert self.program.wait() == 0


@pytest.fixture
def caller(light_caller):
    yield light_caller
    skillsets.clear(light_caller)


def test_functions_are_tools(caller):
    told(caller, "add", folder(caller))
    client = Client(caller, "--skills")
    assert client.abilities["tools"] == {"listChanged": True} and client.abilities["resources"]["listChanged"]
    (tool,) = [one for one in client.ask("tools/list")["tools"] if one["name"] == "skill_double"]
    assert tool["inputSchema"]["required"] == ["x"] and tool["description"]
    done = client.ask("tools/call", name="skill_double", arguments={"x": 21})
    assert not done["isError"] and "42" in [part["text"] for part in done["content"]]
    text = client.ask("tools/call", name="skill_double", arguments={"x": "\u2028\"'\\n"})
    assert not text["isError"], text  # whatever stands in an argument, it is one
    wrong = client.ask("tools/call", name="skill_double", arguments={"y": 1})
    assert wrong["isError"]
    assert client.ask("tools/call", name="skill_none", arguments={})["code"] == -32602
    assert "42" in str(client.ask("tools/call", name="run_code", arguments={"code": "from skills import double\ndouble(x=21)"}))
    client.close()


def test_word_comes_when_the_library_changes(caller):
    told(caller, "add", folder(caller))
    client = Client(caller, "--skills")
    assert client.names() == {"skill_double"}
    assert client.ask("tools/call", name="skill_double", arguments={"x": 1})["isError"] is False
    client.ask("resources/subscribe", uri="skill://double")
    told(caller, "add", folder(caller, **TRIPLE))  # another process
    assert {client.notes.get(timeout=60)["method"] for _ in range(2)} == {"notifications/tools/list_changed", "notifications/resources/list_changed"}
    assert client.names() == {"skill_double", "skill_triple"}
    assert "63" in str(client.ask("tools/call", name="skill_triple", arguments={"x": 21}))  # in the session that is older than it
    told(caller, "add", folder(caller, code=skillsets.DOUBLE + "# again\n"))
    assert {client.notes.get(timeout=60)["method"] for _ in range(3)} == {
        "notifications/tools/list_changed", "notifications/resources/list_changed", "notifications/resources/updated"}
    client.close()


def test_word_comes_to_those_who_listen(caller):
    client = Client(caller, "--skills", modern=True)
    client.send("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
    assert client.notes.get(timeout=60)["method"] == "notifications/subscriptions/acknowledged"
    told(caller, "add", folder(caller))
    assert client.notes.get(timeout=60)["method"] == "notifications/tools/list_changed"
    client.close()


def test_texts_are_resources(caller):
    head = "---\nname: notes\ndescription: Writes notes.\n---\nDo it.\n"
    told(caller, "add", folder(caller, "notes", code=None, head=head))
    told(caller, "add", folder(caller))
    client = Client(caller, "--skill", "double")
    listed = {one["uri"]: one["description"] for one in client.ask("resources/list")["resources"]}
    assert listed == {"skill://notes": "Writes notes.", "skill://double": "Doubles a number."}
    assert client.ask("resources/read", uri="skill://notes")["contents"][0]["text"] == head
    for uri in ("skill://none", "skill://../notes", "skill://"):
        assert client.ask("resources/read", uri=uri)["code"] == -32602
    client.close()


def test_without_skills_nothing_is_different(caller):
    told(caller, "add", folder(caller))
    client = Client(caller)
    assert client.names() == set() and "listChanged" not in client.abilities["tools"]
    assert client.ask("resources/list")["resources"] == []
    client.close()


# ---- over HTTP ---------------------------------------------------------------------------------------------------------

ADMIN, OTHER = "admin-token-0123456789abcdef", "other-token-0123456789abcdef"


class Stream:
    """Messages that come on a connection which stays open."""

    def __init__(self, server, method, body=None, **headers):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self.connection.request(method, "/mcp", body and json.dumps(body), {
            "Authorization": f"Bearer {OTHER}", "Accept": "application/json, text/event-stream", "Content-Type": "application/json",
            **{name.replace("_", "-"): value for name, value in headers.items()}})
        self.lines = self.connection.getresponse()
        assert self.lines.status == 200, self.lines.read()

    def methods(self, count):
        found = []
        while len(found) < count:
            line = self.lines.readline()
            assert line, found
            if line.startswith(b"data: "):
                found.append(json.loads(line[6:])["method"])
        return set(found)


@pytest.fixture
def hosts(light_caller):
    tokens = light_caller.home / "tokens"
    tokens.write_text(f"{ADMIN} name=a admin\n{OTHER} name=b\n")
    with serving.serving(light_caller, "--skills", "--token-file", tokens) as running:
        running.add = lambda name, code, tests: serving.Client(running, ADMIN).result("skills.add", files=[
            {"path": "SKILL.md", "text": f"---\nname: {name}\ndescription: About {name}.\n---\n"}, {"path": "skill.py", "text": code},
            {"path": "skill.json", "text": json.dumps({"functions": [name], "tests": tests})}])
        yield running


def names_of(client):
    return {tool["name"] for tool in client.ask("tools/list", {})[0]["tools"] if tool["name"].startswith("skill_")}


def session_of(server):
    """The id of a session of MCP, of the era that has them."""
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    status, told_of, body = serving.Client(server, OTHER).request("POST", "/mcp", json.dumps(begin), headers)
    assert status == 200 and b'"listChanged":true' in body.replace(b" ", b""), body
    return told_of["mcp-session-id"]


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.few(1)
def test_functions_are_tools_over_http(hosts, era):
    client = over_http(hosts, era, OTHER)
    assert names_of(client) == set()
    hosts.add("double", skillsets.DOUBLE, skillsets.TESTS)
    assert names_of(client) == {"skill_double"}
    done, _ = client.call("skill_double", x=21)
    assert not done["isError"] and "42" in [part["text"] for part in done["content"]]
    assert client.run("from skills import double\ndouble(x=4)") == "8"
    hosts.add("triple", TRIPLE["code"], TRIPLE["tests"])
    assert "63" in str(client.call("skill_triple", x=21)[0])  # in the session that is older than it
    plain = serving.Client(hosts, OTHER)  # sessions of other doors have them, too
    assert plain.run(plain.session(), "import skills; skills.double(5)")["value"]["text/plain"] == "10"
    assert plain.run(plain.session(skills=[]), "import skills")["status"] == "error"


def test_word_of_changes_comes_over_http(hosts):
    both = {"notifications/tools/list_changed", "notifications/resources/list_changed"}
    old = Stream(hosts, "GET", Mcp_Session_Id=session_of(hosts))
    listen = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
        "notifications": {"toolsListChanged": True}, "_meta": MODERN}}
    new = Stream(hosts, "POST", listen, MCP_Protocol_Version="2026-07-28", Mcp_Method="subscriptions/listen")
    assert new.methods(1) == {"notifications/subscriptions/acknowledged"}
    hosts.add("double", skillsets.DOUBLE, skillsets.TESTS)
    assert old.methods(2) == both and new.methods(1) == {"notifications/tools/list_changed"}
    serving.Client(hosts, ADMIN).result("skills.remove", name="double")
    assert old.methods(2) == both and new.methods(1) == {"notifications/tools/list_changed"}
    for stream in (old, new):
        stream.connection.close()
