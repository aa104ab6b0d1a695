"""The door for E2B's clients under strain: bodies in every kind of pieces, large files, many sandboxes at once, and clients that
vanish at every step. Nothing hangs, and nothing is left."""
import concurrent.futures
import dataclasses
import http.client
import json
import os
import pathlib
import re
import socket
import time

import pytest

from sandboxes import HEADERS, ONE, asked, call, executed, made, opened

pytestmark = pytest.mark.by_turns

LIMITS = {"disk": 2200}  # MiB, for the largest file


@pytest.fixture(scope="module")
def door(light_caller):
    folder = light_caller.home / "roomy"
    (folder / "retort").mkdir(parents=True)
    (folder / "retort/config.json").write_text(json.dumps({"preload": [], "limits": LIMITS}))
    with opened(dataclasses.replace(light_caller, configured=(("XDG_CONFIG_HOME", str(folder)),))) as it:
        yield it


@pytest.fixture
def sandbox(door):
    opens = made(door[1])
    yield opens
    assert call(door[1], "DELETE", f"/sandboxes/{opens[0]}", key=ONE)[0] == 204


def headers(opens, **more):
    return {HEADERS["sandbox"]: opens[0], HEADERS["secret"]: opens[1], **more}


def sent(port, path, pieces, head):
    """The status of a POST whose body comes in these pieces, of no length that is known before."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("POST", path, iter(pieces), head, encode_chunked=True)
    try:
        return connection.getresponse().status
    finally:
        connection.close()


FORM = ('--edge\r\nContent-Disposition: form-data; name="file"; filename="/home/user/é.txt"\r\n\r\né✓𝄞\r\n--edge\r\n'
        'Content-Disposition: form-data; name="file"; filename="/home/user/two"\r\n\r\n\r\n-edge-\r\n\r\n--edge--\r\n').encode()


def test_bodies_in_pieces(door, sandbox, count):
    """Cut at every byte, and into single bytes: the same files, the same code."""
    port = door[1]
    code = json.dumps({"code": "open('é.txt').read(), open('two').read(), 'é✓𝄞'"}, ensure_ascii=False).encode()
    cuts = [[FORM[:at], FORM[at:]] for at in range(1, len(FORM), count(11, 1))] + [[FORM[at:at + 1] for at in range(len(FORM))]]
    for pieces in cuts:
        assert asked(port, sandbox, "filesystem.Filesystem/Remove", path="two")[0] in (200, 404)
        assert sent(port, "/files", pieces, headers(sandbox, **{"Content-Type": "multipart/form-data; boundary=edge"})) == 200
        assert call(port, "GET", "/files?path=%C3%A9.txt", sandbox=sandbox[0], secret=sandbox[1])[1] == "é✓𝄞".encode()
        assert call(port, "GET", "/files?path=two", sandbox=sandbox[0], secret=sandbox[1])[1] == b"\r\n-edge-\r\n"
    for at in range(1, len(code), count(9, 1)):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        connection.request("POST", "/execute", iter([code[:at], code[at:]]), headers(sandbox), encode_chunked=True)
        lines = [json.loads(line) for line in connection.getresponse().read().splitlines()]
        assert [line["text"] for line in lines if line["type"] == "result"] == [r"('é✓𝄞', '\n-edge-\n', 'é✓𝄞')"]
        connection.close()


@pytest.mark.few
def test_many_at_once(door, count):
    """All of them live at the same time."""
    port, wanted = door[1], count(24, 200)
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        all_of_them = list(pool.map(lambda _: made(port), range(wanted)))
        listed = {one["sandboxID"] for one in json.loads(call(port, "GET", "/v2/sandboxes?limit=1000", key=ONE)[1])}
        assert {one for one, _ in all_of_them} <= listed
        lines = list(pool.map(lambda n: executed(port, *all_of_them[n], f"{n} * 2"), range(wanted)))
        assert [[line["text"] for line in some if line["type"] == "result"] for some in lines] == [[str(n * 2)] for n in range(wanted)]
        told = list(pool.map(lambda opens: asked(port, opens, "process.Process/List"), all_of_them))
        assert told == [(200, {"processes": []})] * wanted
        gone = list(pool.map(lambda opens: call(port, "DELETE", f"/sandboxes/{opens[0]}", key=ONE)[0], all_of_them))
        assert gone == [204] * wanted
    assert json.loads(call(port, "GET", "/v2/sandboxes", key=ONE)[1]) == []


def most_memory(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) << 10


@pytest.mark.parametrize("form", [False, True], ids=["stream", "form"])
@pytest.mark.few(1)
def test_large_files_in_constant_memory(door, sandbox, count, form):
    """In pieces of no length that is known before, as the SDK sends streams, and in a form."""
    server, port = door
    piece, pieces = os.urandom(1 << 20), count(128, 1024)
    before = most_memory(server.process.pid)
    begin = b'--edge\r\nContent-Disposition: form-data; name="file"; filename="/home/user/large"\r\n\r\n'
    head = headers(sandbox, **({"Content-Type": "multipart/form-data; boundary=edge"} if form else {}))
    body = [begin, *[piece] * pieces, b"\r\n--edge--\r\n"] if form else [piece] * pieces
    assert sent(port, "/files" if form else "/files?path=large", body, head) == 200
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", "/files?path=large", headers=headers(sandbox))
    reply, got, same = connection.getresponse(), 0, True
    while data := reply.read(1 << 20):
        same, got = same and data == piece[:len(data)], got + len(data)
    connection.close()
    assert same and got == pieces << 20
    assert most_memory(server.process.pid) - before < 48 << 20


# ---- clients that vanish ----------------------------------------------------------------------------------------

START = json.dumps({"process": {"cmd": "/bin/sh", "args": ["-c", "sleep 0.3; echo x; sleep 0.3"]}, "timeout_ms": 9000}).encode()
PTY = json.dumps({"process": {"cmd": "/bin/sleep", "args": ["0.5"]}, "pty": {"size": {"rows": 9, "cols": 9}}}).encode()
WATCH = json.dumps({"path": "/home/user"}).encode()


def envelope(text):
    return b"\0" + len(text).to_bytes(4, "big") + text


def steps(sandbox):
    """(method, path, body, more headers) of every route."""
    rpc, stream = {"Content-Type": "application/json"}, {"Content-Type": "application/connect+json"}
    form = {"Content-Type": "multipart/form-data; boundary=edge"}
    yield from (
        ("POST", "/v2/sandboxes", b'{"timeout": 1}', {}), ("GET", "/v2/sandboxes", b"", {}), ("GET", f"/sandboxes/{sandbox}", b"", {}),
        ("GET", f"/sandboxes/{sandbox}/metrics", b"", {}), ("POST", f"/sandboxes/{sandbox}/timeout", b'{"timeout": 600}', {}),
        ("POST", f"/v2/sandboxes/{sandbox}/connect", b'{"timeout": 600}', {}),
        ("POST", f"/sandboxes/{sandbox}/fork", b'{"timeout": 1}', {}), ("POST", f"/sandboxes/{sandbox}/pause", b"{}", {}),
        ("GET", "/snapshots", b"", {}), ("POST", "/execute", b'{"code": "import time; time.sleep(600)"}', {}),
        ("POST", "/execute", b'{"code": "print(1); 2"}', {}), ("POST", "/contexts", b"{}", {}), ("GET", "/contexts", b"", {}),
        ("GET", "/health", b"", {}), ("POST", "/files?path=half", b"x" * 100000, {}), ("POST", "/files", FORM, form),
        ("GET", "/files?path=large", b"", {}), ("POST", "/process.Process/Start", envelope(START), stream),
        ("POST", "/process.Process/Start", envelope(PTY), stream), ("POST", "/process.Process/List", b"{}", rpc),
        ("POST", "/filesystem.Filesystem/WatchDir", envelope(WATCH), stream), ("POST", "/filesystem.Filesystem/ListDir", WATCH, rpc))


def vanish(port, opens, step, when):
    """In the middle of the head, after it, in the middle of the body, after all, or after the first bytes of the answer."""
    method, path, body, more = step
    lines = {"Host": "x", "X-API-KEY": ONE, "Content-Length": str(len(body)), **headers(opens), **more}
    head = f"{method} {path} HTTP/1.1\r\n{''.join(f'{name}: {value}{chr(13)}{chr(10)}' for name, value in lines.items())}\r\n".encode()
    whole = head + body
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(whole[:{"in the head": len(head) // 2, "after the head": len(head), "in the body": len(head) + len(body) // 2}
                                 .get(when, len(whole))])
        if when == "in the answer":
            connection.recv(64)


def held(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"Threads:\s+(\d+)", status)[1]), len(os.listdir(f"/proc/{pid}/fd"))


@pytest.mark.parametrize("when", ["in the head", "after the head", "in the body", "after all", "in the answer"])
def test_clients_that_vanish(door, when):
    server, port = door
    opens = made(port, timeout=600)
    assert sent(port, "/files?path=large", [b"x" * (1 << 20)] * 8, headers(opens)) == 200
    assert asked(port, opens, "process.Process/List") == (200, {"processes": []})
    executed(port, *opens, "x = 42")
    before = held(server.process.pid)
    for step in steps(opens[0]):
        vanish(port, opens, step, when)
    # It learns in its own time that nobody is there; sandboxes that were made for nobody end with theirs.
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        assert call(port, "POST", f"/sandboxes/{opens[0]}/connect", {"timeout": 600}, key=ONE)[0] == 200
        left = [one["sandboxID"] for one in json.loads(call(port, "GET", "/v2/sandboxes", key=ONE)[1])]
        names = [one["name"] for one in asked(port, opens, "filesystem.Filesystem/ListDir", path="/home/user")[1]["entries"]]
        after = held(server.process.pid)
        if (left == [opens[0]] and asked(port, opens, "process.Process/List") == (200, {"processes": []})
                and not any("upload" in name for name in names) and after[0] <= before[0] + 1 and after[1] <= before[1] + 4):
            break
        time.sleep(0.2)
    else:
        raise AssertionError((left, names, before, after))
    assert [line["text"] for line in executed(port, *opens, "x") if line["type"] == "result"] == ["42"]
    if when in ("after the head", "in the body"):
        assert "half" not in names
    assert call(port, "DELETE", f"/sandboxes/{opens[0]}", key=ONE)[0] == 204


# ---- who means harm ----

def memory(server):
    """MiB that the server has."""
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{server.process.pid}/status").read_text())[1]) // 1024


def lazy(port, opens, path, body, kind="application/json"):
    """A request whose answer nobody reads."""
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    s.connect(("127.0.0.1", port))
    head = "".join(f"{name}: {value}\r\n" for name, value in headers(opens).items())
    s.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{head}Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    return s


FLOOD = b'x' * 60000 + b'\n'


@pytest.mark.few
def test_output_that_nobody_reads(door, sandbox):
    """It was held, as fast as it came, up to 194 MiB for each request. What is missing is said."""
    server, port = door
    before = memory(server)
    code = f"import os\nfor _ in range(1500): os.write(1, {FLOOD!r})\nopen('over', 'w').close()\n'done'"
    s = lazy(port, sandbox, "/execute", json.dumps({"code": code}).encode())
    try:
        while asked(port, sandbox, "filesystem.Filesystem/Stat", path="/home/user/over")[0] != 200:
            assert memory(server) - before < 60
            time.sleep(0.1)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        text = b""
        while b"end_of_execution" not in text[-1000:]:
            text += s.recv(1 << 20) or pytest.fail("it ended before its end")
        assert b"pieces of output were dropped" in text and b"done" in text
    finally:
        s.close()


def test_commands_whose_output_nobody_reads(door, sandbox):
    """Each stream holds its credit, and the command waits."""
    server, port = door
    before = memory(server)
    question = json.dumps({"process": {"cmd": "/bin/sh", "args": ["-c", "yes " + "x" * 1000]}}).encode()
    streams = [lazy(port, sandbox, "/process.Process/Start", b"\0" + len(question).to_bytes(4, "big") + question, "application/connect+json")
               for _ in range(8)]
    try:
        for _ in range(10):
            time.sleep(0.2)
            assert memory(server) - before < 8 * 8
        assert asked(port, sandbox, "process.Process/List")[0] == 200
    finally:
        for s in streams:
            s.close()


def test_what_is_said_of_sandboxes_is_bounded(door, sandbox):
    port = door[1]
    for name in "metadata", "envVars":
        status, text = call(port, "POST", "/v2/sandboxes", {name: {"x": "y" * 70000}}, key=ONE)
        assert status == 400 and b"64 KiB" in text
    statuses = {call(port, "POST", "/contexts", {"cwd": "/" + "x" * 5000}, sandbox=sandbox[0], secret=sandbox[1])[0]}
    assert statuses == {400}


def test_paused_sandboxes_are_not_held_without_end(door, count):
    """Those that are forgotten come back from the record. Soak makes more than are kept."""
    port, most = door[1], count(3, 260)
    ids = []
    for i in range(most):
        opens = made(port, metadata={"n": str(i)})
        assert call(port, "POST", f"/sandboxes/{opens[0]}/pause", key=ONE)[0] == 204
        ids.append(opens[0])
    listed = call(port, "GET", "/v2/sandboxes?limit=1000&state=paused", key=ONE)[1]
    assert min(most, 256) <= listed.count(b'"sandboxID"') <= 256
    status, text = call(port, "POST", f"/sandboxes/{ids[0]}/connect", {"timeout": 60}, key=ONE)
    assert status in (200, 201), text
    for one in ids:
        call(port, "DELETE", f"/sandboxes/{one}", key=ONE)
