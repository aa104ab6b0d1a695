"""Clients of E2B and MCP behind a balancer that knows nothing: each request goes to the next node, and nodes die."""
import contextlib
import http.client
import itertools
import json
import os
import re
import socket
import subprocess
import threading
import time

import pytest

import clustered
from clustered import Nats, Node, until
from npm import HERE
from sandboxes import ONE, TOKENS, TWO, Stream, asked, call, executed, made

pytestmark = pytest.mark.skipif(not clustered.SERVER, reason="nats-server is not installed")


class Balancer:
    """Round robin. `port` is that of the next node: of its door for E2B, or with `http` of the other one."""

    def __init__(self, nodes):
        self.nodes, self.turn = list(nodes), itertools.count()

    def next(self):
        return self.nodes[next(self.turn) % len(self.nodes)]

    @property
    def port(self):
        return e2b_port(self.next())

    def kill(self, node):
        self.nodes.remove(node)
        node.kill()


def e2b_port(node):
    return until(lambda: [e["port"] for e in node.events() if e.get("door") == "e2b"])[0]


@pytest.fixture(name="cluster")
def cluster_of_three(light):
    tokens = light.home / "tokens-of-doors"
    tokens.write_text(TOKENS.replace(ONE, f"{ONE} admin", 1))  # who also looks at the numbers
    with contextlib.ExitStack() as stack:
        nats = Nats()
        stack.callback(nats.close)
        made_nodes = [Node(light, nats, "--token-file", tokens, "--e2b", "127.0.0.1:0", token=ONE) for _ in range(3)]
        for one in made_nodes:
            stack.callback(one.close)
        yield Balancer(made_nodes)


def shown(lines):
    return [line["text"] for line in lines if line["type"] == "result"]


def owner_of(cluster, sandbox):
    """The node that has it."""
    session = sandbox.replace("s-", "s_", 1)
    where, = [s["node"] for s in cluster.next().call("session.list")["sessions"] if s["session"] == session]
    return next(node for node in cluster.nodes if node.id == where)


def again(ask):
    """A client that asks again as long as it is told to."""
    def once():
        with contextlib.suppress(OSError, http.client.HTTPException):
            status, text = ask()
            return (status, text) if status not in (502, 503) else None
        return None
    return until(once)


def run_again(cluster, opens, code, **more):
    _, text = again(lambda: call(cluster.port, "POST", "/execute", {"code": code, **more}, sandbox=opens[0], secret=opens[1]))
    return shown([json.loads(line) for line in text.splitlines()])


# ---- E2B ----

def test_a_sandbox_is_one_through_any_node(cluster):
    opens = made(cluster.port, metadata={"task": "walk"})
    executed(cluster.port, *opens, "x = 0")
    for i in range(4):
        assert shown(executed(cluster.port, *opens, "x += 1; x")) == [str(i + 1)]
    context = json.loads(call(cluster.port, "POST", "/contexts", {}, sandbox=opens[0], secret=opens[1])[1])["id"]
    executed(cluster.port, *opens, "x = 'other'", context_id=context)
    assert shown(executed(cluster.port, *opens, "x", context_id=context)) == ["other"]
    for _ in cluster.nodes:
        listed = json.loads(call(cluster.port, "GET", "/v2/sandboxes", key=ONE)[1])
        assert [(one["sandboxID"], one["metadata"], one["state"]) for one in listed] == [(opens[0], {"task": "walk"}, "running")]
        assert json.loads(call(cluster.port, "GET", "/v2/sandboxes?metadata=task%3Dsit", key=ONE)[1]) == []
        assert json.loads(call(cluster.port, "GET", f"/sandboxes/{opens[0]}", key=ONE)[1])["state"] == "running"
    assert sum("retort_cluster_taken_total 0\n" in get(node, "/metrics")[1] for node in cluster.nodes) == 3
    assert call(cluster.port, "DELETE", f"/sandboxes/{opens[0]}", key=ONE)[0] == 204
    for _ in cluster.nodes:
        assert call(cluster.port, "GET", f"/sandboxes/{opens[0]}", key=ONE)[0] == 404
        assert call(cluster.port, "POST", f"/sandboxes/{opens[0]}/connect", {}, key=ONE)[0] == 404


def get(node, path):
    status, body = call(node.port, "GET", path, Authorization=f"Bearer {ONE}")
    return status, body.decode()


def test_files_and_processes_are_reached_through_any_node(cluster):
    opens, data = made(cluster.port), os.urandom(5_000_000)
    # Bytes of a known number, and of one that is not known before.
    assert call(cluster.port, "POST", "/files?path=%2Fhome%2Fuser%2Fa%20b", data, sandbox=opens[0], secret=opens[1])[0] == 200
    pieces = http.client.HTTPConnection("127.0.0.1", cluster.port, timeout=60)
    pieces.request("POST", "/files?path=chunks", iter([data[:3_000_000], data[3_000_000:]]), {
        "E2b-Sandbox-Id": opens[0], "X-Access-Token": opens[1], "Content-Type": "application/octet-stream"}, encode_chunked=True)
    assert pieces.getresponse().status == 200
    pieces.close()
    for name in ("a%20b", "chunks"):
        for _ in cluster.nodes:
            assert call(cluster.port, "GET", f"/files?path={name}", sandbox=opens[0], secret=opens[1]) == (200, data)
    stream = Stream(cluster.port, opens, "process.Process/Start", process={"cmd": "/bin/bash", "args": ["-c", "echo up; sleep 600"]})
    assert "start" in stream.next()["event"]
    assert stream.next()["event"]["data"]["stdout"] == "dXAK"
    for _ in cluster.nodes:
        assert len(asked(cluster.port, opens, "process.Process/List")[1]["processes"]) == 1
    pid = asked(cluster.port, opens, "process.Process/List")[1]["processes"][0]["pid"]
    assert asked(cluster.port, opens, "process.Process/SendSignal", process={"pid": pid}, signal="SIGNAL_SIGKILL")[0] == 200
    assert "end" in stream.next()["event"]
    stream.close()


def test_nobody_comes_in_through_another_node_either(cluster):
    sandbox, secret = made(cluster.port)
    theirs = made(cluster.port, key=TWO)
    for _ in cluster.nodes:
        for wrong in ({"sandbox": sandbox}, {"sandbox": sandbox, "secret": "0" * 40}, {"sandbox": sandbox, "secret": theirs[1]},
                      {"sandbox": sandbox, "key": TWO}, {"sandbox": sandbox, "Retort-Peer": '{"owner": "token", "review": "off"}'}):
            assert call(cluster.port, "POST", "/execute", {"code": "1"}, **wrong)[0] == 502
        assert call(cluster.port, "GET", f"/sandboxes/{sandbox}", key=TWO)[0] == 404
        assert call(cluster.port, "POST", "/execute", {"code": "1"}, secret=secret)[0] == 200


def test_a_sandbox_outlives_its_node(cluster):
    opens = made(cluster.port, metadata={"task": "last"}, timeout=3600)
    executed(cluster.port, *opens, "x = 41; open('f', 'w').write('kept')")
    context = json.loads(call(cluster.port, "POST", "/contexts", {}, sandbox=opens[0], secret=opens[1])[1])["id"]
    executed(cluster.port, *opens, "x = 'other'", context_id=context)
    cluster.kill(owner_of(cluster, opens[0]))
    for i in range(3):
        assert run_again(cluster, opens, "x += 1; x, open('f').read()") == [f"({42 + i}, 'kept')"]
    assert run_again(cluster, opens, "x", context_id=context) == ["other"]
    told = json.loads(again(lambda: call(cluster.port, "GET", f"/sandboxes/{opens[0]}", key=ONE))[1])
    assert (told["metadata"], told["state"]) == ({"task": "last"}, "running")
    assert call(cluster.port, "POST", "/execute", {"code": "1"}, sandbox=opens[0], secret="0" * 40)[0] == 502


def test_an_answer_whose_node_dies_does_not_look_whole(cluster):
    opens = made(cluster.port)
    owner = owner_of(cluster, opens[0])
    other = next(node for node in cluster.nodes if node is not owner)
    stream = Stream(e2b_port(other), opens, "process.Process/Start", process={"cmd": "/bin/bash", "args": ["-c", "echo up; sleep 600"]})
    assert "start" in stream.next()["event"]
    assert stream.next()["event"]["data"]["stdout"] == "dXAK"
    cluster.kill(owner)
    with pytest.raises((OSError, http.client.HTTPException)):
        stream.reply.read()
    stream.close()


def test_one_that_is_paused_comes_back_on_any_node(cluster):
    opens = made(cluster.port, timeout=3600)
    executed(cluster.port, *opens, "x = 1")
    for _ in range(3):
        assert call(cluster.port, "POST", f"/sandboxes/{opens[0]}/pause", {}, key=ONE)[0] == 204
        status, text = again(lambda: call(cluster.port, "POST", f"/sandboxes/{opens[0]}/connect", {"timeout": 3600}, key=ONE))
        assert (status, json.loads(text)["envdAccessToken"]) == (200, opens[1])
        assert run_again(cluster, opens, "x") == ["1"]
        cluster.next()
    assert len(json.loads(call(cluster.port, "GET", "/v2/sandboxes", key=ONE)[1])) == 1


def test_a_snapshot_is_known_on_any_node(cluster):
    opens = made(cluster.port)
    executed(cluster.port, *opens, "x = 40")
    status, text = call(cluster.port, "POST", f"/sandboxes/{opens[0]}/snapshots", {"name": "then"}, key=ONE)
    assert status == 201
    snapshot = json.loads(text)["snapshotID"]
    for i, template in enumerate(["then", snapshot, "then"]):
        other = made(cluster.port, templateID=template)
        assert shown(executed(cluster.port, *other, f"x += {i}; x")) == [str(40 + i)]
        assert [one["snapshotID"] for one in json.loads(call(cluster.port, "GET", "/snapshots", key=ONE)[1])] == [snapshot]
    assert call(cluster.port, "DELETE", f"/templates/{snapshot}", key=ONE)[0] == 204
    for _ in cluster.nodes:
        other = made(cluster.port, templateID="then")
        assert shown(executed(cluster.port, *other, "'x' in globals()")) == ["False"]


@contextlib.contextmanager
def spread(ports):
    """A balancer for programs: each connection goes to the next of these."""
    turn = itertools.cycle(ports)

    def carry(one, other):
        with contextlib.suppress(OSError):
            while data := one.recv(1 << 16):
                other.sendall(data)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def serve(listener):
        with contextlib.suppress(OSError):
            while True:
                here, _ = listener.accept()
                there = socket.create_connection(("127.0.0.1", next(turn)))
                for pair in ((here, there), (there, here)):
                    threading.Thread(target=carry, args=pair, daemon=True).start()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


@pytest.mark.few
def test_the_sdk_of_e2b_behind_a_balancer(node, cluster):
    with spread([e2b_port(one) for one in cluster.nodes]) as port:
        url = f"http://127.0.0.1:{port}"
        done = subprocess.run([node, HERE / "e2b.mjs", "@e2b/code-interpreter"], cwd=HERE, capture_output=True, text=True, timeout=300,
                              check=False, env={"PATH": "/usr/bin:/bin", "E2B_API_KEY": ONE, "E2B_API_URL": url, "E2B_SANDBOX_URL": url})
    assert done.returncode == 0, done.stderr
    steps = {}
    for line in map(json.loads, done.stdout.splitlines()):
        steps[line.pop("step")] = line
    for name, value in {"value": "2", "state": "40", "streamed": True, "context keeps": "1", "read": "héllo", "stream": 1000000,
                        "download": "héllo", "upload": [200, "up"], "stale address": [200, 502, 502], "background": "1\n2\n3\n",
                        "much output": 3000000, "input": "line\n", "terminal": True, "kill": True, "dead": False}.items():
        assert steps[name] == {"value": value}, (name, steps[name])


# ---- MCP ----

META = "io.modelcontextprotocol/"


class Mcp:
    """A client of /mcp, which asks the next node each time."""

    def __init__(self, cluster, era, token=ONE):
        self.cluster, self.era, self.last = cluster, era, 0
        self.headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": f"Bearer {token}"}
        if era == "legacy":
            self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})

    def post(self, request):
        more = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": request["method"], "Mcp-Name": request["params"].get("name", "")}
        link = http.client.HTTPConnection("127.0.0.1", self.cluster.next().port, timeout=60)
        try:
            link.request("POST", "/mcp", json.dumps(request), {**self.headers, **(more if self.era == "modern" else {})})
            reply = link.getresponse()
            if reply.headers["Mcp-Session-Id"]:
                self.headers["Mcp-Session-Id"] = reply.headers["Mcp-Session-Id"]
            return reply.status, reply.read().decode()
        finally:
            link.close()

    def request(self, method, params):
        meta = {META + "protocolVersion": "2026-07-28", META + "clientInfo": {"name": "test", "version": "1"}, META + "clientCapabilities": {"elicitation": {}}}
        return {"jsonrpc": "2.0", "id": self.last, "method": method, "params": {**params, **({"_meta": meta} if self.era == "modern" else {})}}

    def ask(self, method, params):
        self.last += 1
        status, text = again(lambda: self.post(self.request(method, params)))
        assert status == 200, text
        if not text.startswith("{"):
            text = [line[6:] for line in text.splitlines() if line.startswith("data: ")][-1]
        return json.loads(text)["result"]

    def run(self, code, **more):
        return "\n".join(block["text"] for block in self.ask("tools/call", {"name": "run_code", "arguments": {"code": code, **more}})["content"])


def has_session(cluster, which):
    """The node that has the only session."""
    where, = [s["node"] for s in which.call("session.list")["sessions"]]
    return next(node for node in cluster.nodes if node.id == where)


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.few(1)
def test_a_client_of_mcp_has_its_session_through_any_node(cluster, era):
    client = Mcp(cluster, era)
    assert "new session" in client.run("x = 0")
    for i in range(4):
        told = client.run("x += 1; x")
        assert str(i + 1) in told and "new session" not in told
    cluster.kill(has_session(cluster, cluster.next()))
    for i in range(3):
        told = client.run("x += 1; x")
        assert str(i + 5) in told and "new session" not in told, told
    other = Mcp(cluster, era, token=TWO)
    assert "NameError" in other.run("x")


def test_who_was_asked_by_one_node_answers_to_another(cluster):
    client = Mcp(cluster, "modern")
    client.run("1")
    session, = [s["session"] for s in cluster.next().call("session.list")["sessions"]]
    cluster.next().call("tools.register", session=session, tools=[{"name": "pay", "approval": "ask"}])
    call = {"name": "run_code", "arguments": {"code": "import tools\ntools.pay()"}}
    for _ in cluster.nodes:
        question = client.ask("tools/call", call)
        key, = question["inputRequests"]
        done = client.ask("tools/call", {**call, "requestState": question["requestState"], "inputResponses": {key: {"action": "decline"}}})
        assert done["resultType"] == "complete" and "was not allowed" in done["content"][0]["text"], done


def test_a_session_of_mcp_that_was_ended_is_ended_everywhere(cluster):
    client = Mcp(cluster, "legacy")
    client.run("x = 1")
    link = http.client.HTTPConnection("127.0.0.1", cluster.next().port, timeout=60)
    link.request("DELETE", "/mcp", headers=client.headers)
    assert link.getresponse().status == 204
    link.close()
    for _ in cluster.nodes:
        assert client.post({"jsonrpc": "2.0", "id": 9, "method": "tools/list", "params": {}})[0] == 404
    stranger = {**client.headers, "Authorization": f"Bearer {TWO}"}
    mine = Mcp(cluster, "legacy")
    stranger["Mcp-Session-Id"] = mine.headers["Mcp-Session-Id"]
    mine.headers = stranger
    for _ in cluster.nodes:
        assert mine.post({"jsonrpc": "2.0", "id": 9, "method": "tools/list", "params": {}})[0] == 404


# ---- while nodes die ----

class Counting(threading.Thread):
    """A client that counts in its session. What it was not told of may have been done, or not."""

    def __init__(self, count_once, over):
        super().__init__(daemon=True)
        self.count_once, self.over, self.told, self.unknown, self.wrong = count_once, over, [0], 0, []

    def run(self):
        while not self.over.is_set() and not self.wrong:
            try:
                value = self.count_once()
            except (OSError, http.client.HTTPException):
                value = None
            if value is None:
                self.unknown += 1
                time.sleep(0.1)
            elif self.told[-1] < value <= self.told[-1] + 1 + self.unknown:
                self.told.append(value)
                self.unknown = 0
            else:
                self.wrong.append(f"{value} after {self.told[-1]}, {self.unknown} unknown")


def count_by_e2b(cluster, opens):
    def once():
        status, text = call(cluster.port, "POST", "/execute", {"code": "x += 1; x"}, sandbox=opens[0], secret=opens[1])
        found = shown([json.loads(line) for line in text.splitlines()]) if status == 200 else []
        return int(found[0]) if found else None
    return once


def count_by_mcp(cluster, era):
    client = Mcp(cluster, era)
    client.run("x = 0")

    def once():
        client.last += 1
        status, text = client.post(client.request("tools/call", {"name": "run_code", "arguments": {"code": "x += 1; print('<', x, '>')"}}))
        # What was printed is told before the cell counts: the answer decides, and a stream that ends without one has none.
        found = re.search(r'"result":.*< (\d+) >', text)
        return int(found[1]) if status == 200 and found else None
    return once


@pytest.mark.few
def test_clients_of_all_doors_go_on_while_nodes_die(cluster, count):
    opens, over = made(cluster.port, timeout=36000), threading.Event()
    executed(cluster.port, *opens, "x = 0")
    clients = [Counting(once, over) for once in (count_by_e2b(cluster, opens), count_by_mcp(cluster, "legacy"), count_by_mcp(cluster, "modern"))]
    for client in clients:
        client.start()
    for i in range(count(3, 30)):
        node = cluster.nodes[i % 3]
        before = [len(client.told) for client in clients]
        node.kill()
        until(lambda: all(client.wrong or len(client.told) > had + 2 for client, had in zip(clients, before)), 120)
        node.start()
    over.set()
    for client in clients:
        client.join()
    assert not [client.wrong for client in clients if client.wrong]
