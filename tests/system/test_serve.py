"""`retort serve`: who may come in, what goes over which route, and what bad clients cost."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import pwd
import resource
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time

import pytest
import traces

from serving import Client, serving

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ALICE, BOB, CAROL = "alice-has-a-long-token", "bob-has-a-long-token-too", "carol-has-a-token-with-caps"
ADMIN = "dora-administrates-all-this"
JSON = {"Content-Type": "application/json"}


as_root = pytest.mark.as_root


def token_file(caller):
    path = caller.home / "tokens"
    path.write_text(f"# who may come in\n{ALICE} name=alice sessions=50\n{BOB} name=bob sessions=2\n"
                    f"{CAROL} timeout=1.5 memory=100\n{ADMIN} name=dora admin\n")
    return path


@pytest.fixture(scope="module")
def caller(light_caller):
    return light_caller


@pytest.fixture(scope="module")
def retort(light):
    return light


@pytest.fixture(scope="module")
def tokens(retort):
    return token_file(retort)


@pytest.fixture(scope="module")
def server(retort, tokens):
    with serving(retort, "--token-file", tokens) as running:
        yield running


@pytest.fixture(scope="module")
def alice(server):
    return Client(server, ALICE)


@pytest.fixture(scope="module")
def bob(server):
    return Client(server, BOB)


@pytest.fixture
def dora(server):
    return Client(server, ADMIN)


@pytest.fixture(scope="module")
def session(alice):
    return alice.session()


# ---- who may come in ----

@pytest.mark.parametrize("token", [None, "wrong-token-of-some-length", ALICE[:-1], ALICE + "x", ""])
@pytest.mark.parametrize("path", ["/rpc", "/mcp", "/events", "/files/s_x/a", "/metrics", "/nowhere"])
def test_without_a_token_nothing_is_told(server, token, path):
    status, headers, body = Client(server, token).request("POST" if path in ("/rpc", "/mcp") else "GET", path)
    assert status == 401
    assert headers["www-authenticate"].startswith("Bearer")
    assert json.loads(body) == {"error": "a valid token is needed: Authorization: Bearer TOKEN"}


def test_other_schemes_are_no_tokens(server):
    for value in (ALICE, f"Basic {ALICE}", f"Bearer{ALICE}", f"Bearer {ALICE} x"):
        assert Client(server).request("GET", "/metrics", headers={"Authorization": value})[0] == 401


def test_another_tokens_session_is_unknown(alice, bob, session):
    unknown = bob.rpc("session.info", session="s_0000000000")
    assert unknown[0] == 404
    for method, extra in (("session.info", {}), ("session.execute", {"code": "1"}), ("session.close", {}),
                          ("files.list", {}), ("ledger.verify", {}), ("ledger.list", {})):
        assert bob.rpc(method, session=session, **extra)[1]["error"] == unknown[1]["error"]
    for verb, path in (("GET", f"/files/{session}"), ("GET", f"/files/{session}/a"), ("PUT", f"/files/{session}/a"),
                       ("DELETE", f"/files/{session}/a"), ("GET", f"/events?session={session}")):
        status, _, body = bob.request(verb, path, b"x" if verb == "PUT" else None)
        assert (status, json.loads(body)) == (404, {"error": "no such session"})
    assert alice.run(session, "40 + 2")["value"]["text/plain"] == "42"
    assert bob.result("session.list") == {"sessions": []}


def test_a_token_has_its_own_number_of_sessions(bob):
    first, second = bob.session(), bob.session()
    status, answer = bob.rpc("session.create")
    assert (status, answer["error"]["code"]) == (429, -32002)
    for one in (first, second):
        bob.result("session.close", session=one)


@pytest.mark.parametrize("headers", [
    {"Host": "evil.example"}, {"Host": "evil.example:80"}, {"Host": "127.0.0.1.evil.example"}, {"Host": "localhost.evil"},
    {"Host": ""}, {"Host": "[::1"}, {"Host": "localhost:x"}, {"Origin": "http://evil.example"}, {"Origin": "null"},
    {"Origin": "http://localhost.evil.example"}, {"Origin": "evil"}, {"Origin": "http://127.0.0.1@evil.example"}])
def test_foreign_hosts_and_origins_are_refused(alice, headers):
    for path in ("/healthz", "/metrics", "/mcp"):
        assert alice.request("GET", path, headers=headers)[0] in (400, 403)


def test_own_hosts_and_origins_are_served(alice, server):
    for headers in ({"Host": "localhost"}, {"Host": f"127.0.0.1:{server.port}"}, {"Host": "[::1]:80"},
                    {"Origin": f"http://localhost:{server.port}"}, {"Origin": "http://127.0.0.1"}):
        assert alice.request("GET", "/healthz", headers=headers)[0] == 200


@pytest.mark.parametrize("options, message", [
    ([], "--token-file"), (["--listen", "0.0.0.0:0", "--no-auth"], "loopback"),
    (["--listen", "0.0.0.0:0", "--token-file", "tokens"], "--tls-cert"), (["--listen", "nowhere"], "ADDRESS:PORT"),
    (["--listen", "127.0.0.1:99999", "--no-auth"], "ADDRESS:PORT"), (["--no-auth", "--token-file", "tokens"], "exclude"),
    (["--no-auth", "--tls-cert", "x"], "belong together"), (["--token-file", "nowhere"], "token file"),
    (["--no-auth", "--allow-origin", "*"], "--allow-origin"), (["--no-auth", "--allow-origin", "http://a.example/x"], "--allow-origin"),
    (["--no-auth", "--allow-origin", "a.example"], "--allow-origin"), (["--no-auth", "--allow-origin", "null"], "--allow-origin"),
    (["--token-file", "/dev/null"], "holds no token"), (["--no-auth", "--frobnicate"], "option"), (["extra"], "extra")])
def test_unsafe_or_wrong_options_are_refused(retort, tokens, options, message):
    done = retort.run("serve", *options)
    assert done.returncode == 125
    assert message in done.stderr.decode()


def test_a_port_has_one_server(retort, server):
    done = retort.run("serve", "--no-auth", "--listen", f"127.0.0.1:{server.port}", env={"RETORT_STATE": str(retort.home / "second")})
    assert done.returncode == 125
    assert f"port {server.port} of 127.0.0.1 is in use" in done.stderr.decode() and "--listen" in done.stderr.decode()


@pytest.mark.parametrize("path", ["/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server/mcp", "/register"])
def test_clients_that_look_for_an_authorization_server_find_none(server, path):
    for verb in ("GET", "POST"):
        assert Client(server).request(verb, path)[0] == 404


APP = "https://app.example:3000"


@pytest.fixture(scope="module")
def open_to_app(retort, tokens):
    with serving(retort, "--token-file", tokens, "--allow-origin", "http://other.example", "--allow-origin", APP) as running:
        yield Client(running)


def test_a_page_of_an_allowed_origin_may_use_the_server(open_to_app):
    asked = {"Origin": APP, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization, content-type"}
    status, headers, body = open_to_app.request("OPTIONS", "/rpc", headers=asked)
    assert (status, body, headers["access-control-allow-origin"]) == (204, b"", APP)
    assert "POST" in headers["access-control-allow-methods"]
    assert {"Authorization", "Content-Type", "Last-Event-ID"} <= set(headers["access-control-allow-headers"].split(", "))
    for token, expected in ((ADMIN, 200), (None, 401)):
        status, headers, _ = Client(open_to_app.server, token).request("GET", "/metrics", headers={"Origin": APP})
        assert (status, headers["access-control-allow-origin"], headers["vary"]) == (expected, APP, "Origin")


def test_pages_of_other_origins_may_not(open_to_app, alice):
    for client, origin in ((open_to_app, "https://app.example"), (open_to_app, APP + ".evil"), (open_to_app, "null"), (alice, APP)):
        for verb, path in (("OPTIONS", "/rpc"), ("GET", "/healthz")):
            status, headers, _ = client.request(verb, path, headers={"Origin": origin, "Access-Control-Request-Method": "POST"})
            assert status == 403 and "access-control-allow-origin" not in headers
    _, headers, _ = alice.request("GET", "/healthz", headers={"Origin": "http://localhost:3000"})
    assert "access-control-allow-origin" not in headers


# ---- POST /rpc ----

def post(client, body, headers=None):
    status, _, answer = client.request("POST", "/rpc", body, JSON if headers is None else headers)
    return status, json.loads(answer) if answer else None


@pytest.mark.parametrize("body, status, code", [
    (b"", 400, -32700), (b"{", 400, -32700), (b"\xff", 400, -32700), (b"[]", 400, -32600), (b"{}", 400, -32600),
    (b"[" * 100000, 400, -32700), (b'{"jsonrpc":"2.0","id":1,"method":"no.such"}', 404, -32601),
    (b'{"jsonrpc":"2.0","id":1,"method":"session.list","params":{"x":1}}', 400, -32602)])
def test_bad_requests_get_their_error(alice, body, status, code):
    seen, answer = post(alice, body)
    assert (seen, answer["error"]["code"]) == (status, code)


def test_a_notification_is_answered_by_nothing(alice):
    assert post(alice, b'{"jsonrpc":"2.0","method":"session.list"}') == (204, None)


def test_other_types_are_refused(alice):
    for headers in ({}, {"Content-Type": "text/plain"}, {"Content-Type": "application/x-www-form-urlencoded"}):
        assert post(alice, b'{"jsonrpc":"2.0","id":1,"method":"session.list"}', headers)[0] == 415


def test_a_body_has_a_limit(alice, server):
    connection = socket.create_connection(("127.0.0.1", server.port))
    connection.sendall(f"POST /rpc HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {ALICE}\r\nContent-Type: application/json\r\n"
                       "Content-Length: 99999999999\r\n\r\n".encode())
    assert b"413" in connection.recv(100)
    connection.close()


# ---- files ----

def test_files_go_up_and_down(alice, session):
    data = os.urandom(5_000_000)
    status, _, body = alice.request("PUT", f"/files/{session}/some/dir/data.bin", data)
    assert (status, json.loads(body)) == (201, {"written": len(data)})
    status, headers, body = alice.request("GET", f"/files/{session}/some/dir/data.bin")
    assert (status, body) == (200, data)
    assert headers["content-length"] == str(len(data)) and headers["accept-ranges"] == "bytes"
    assert alice.run(session, "import os; os.path.getsize('some/dir/data.bin')")["value"]["text/plain"] == "5000000"
    listed = json.loads(alice.request("GET", f"/files/{session}")[2])
    assert {"path": "some/dir/data.bin", "size": len(data)}.items() <= listed[0].items()
    assert alice.request("HEAD", f"/files/{session}/some/dir/data.bin")[1]["content-length"] == str(len(data))
    assert alice.request("DELETE", f"/files/{session}/some/dir/data.bin")[0] == 204
    assert alice.request("GET", f"/files/{session}/some/dir/data.bin")[0] == 404


def test_a_list_that_is_not_whole_says_so(alice, session):
    assert "retort-incomplete" not in alice.request("GET", f"/files/{session}")[1]
    alice.run(session, "import os\nfor i in range(6000): os.symlink('t' * 4000, 'l' * 250 + str(i))\nopen('a', 'w').close()")
    assert alice.request("GET", f"/files/{session}")[1]["retort-incomplete"] == "true"


@pytest.mark.parametrize("header, status, piece", [
    ("bytes=0-4", 206, b"01234"), ("bytes=5-", 206, b"56789"), ("bytes=-3", 206, b"789"), ("bytes=8-99", 206, b"89"),
    ("bytes=-99", 206, b"0123456789"), ("bytes=10-", 416, b""), ("bytes=-0", 416, b""), ("bytes=4-2", 200, None),
    ("bytes=0-1,4-5", 200, None), ("lines=1-2", 200, None), ("bytes=a-b", 200, None),
    ("bytes=99999999999999999999-", 200, None)])
def test_ranges(alice, session, header, status, piece):
    alice.request("PUT", f"/files/{session}/digits.txt", b"0123456789")
    seen, headers, body = alice.request("GET", f"/files/{session}/digits.txt", headers={"Range": header})
    assert (seen, body) == (status, b"0123456789" if piece is None else piece)
    if status == 206:
        assert re.fullmatch(r"bytes \d+-\d+/10", headers["content-range"])
    assert headers.get("content-type", "text/plain").startswith("text/plain")


@pytest.mark.parametrize("path", ["../x", "a/../../x", "..", "/etc/passwd", "%2e%2e/x", "a%2f..%2f..%2fx", "%00", "a%00b", ".", ""])
def test_paths_stay_inside(alice, session, path):
    for verb in ("GET", "PUT", "DELETE"):
        status, _, body = alice.request(verb, f"/files/{session}/{path}", b"x" if verb == "PUT" else None)
        if "00" not in path and path != "":  # %00 is not decoded: it is part of a name
            assert 400 <= status < 500, (verb, path, body)
        assert b"root:" not in body
    names = alice.run(session, "import os; sorted(os.listdir('/')), os.path.exists('/work/../x')")
    assert names["value"]["text/plain"].endswith("False)")


def test_hostile_pages_are_defused(alice, session):
    alice.request("PUT", f"/files/{session}/page.html", b"<script>alert(1)</script>")
    _, headers, _ = alice.request("GET", f"/files/{session}/page.html")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"].startswith("sandbox")


def paths(client, session):
    return sorted(one["path"] for one in json.loads(client.request("GET", f"/files/{session}")[2]))


def send_piecewise(server, path, pieces, end=b"0\r\n\r\n"):
    """PUT in chunks of unknown number; the reply, unless the client hangs up."""
    connection = raw(server)
    connection.sendall(f"PUT {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {ALICE}\r\nTransfer-Encoding: chunked\r\n\r\n"
                       .encode())
    for piece in pieces:
        connection.sendall(b"%x\r\n%b\r\n" % (len(piece), piece))
    if end:
        connection.sendall(end)
        return connection, connection.recv(1000)
    return connection, b""


def test_a_file_that_does_not_fit_leaves_nothing(alice, server):
    small = alice.session(limits={"disk": 4})
    alice.request("PUT", f"/files/{small}/kept", b"old")
    for path in ("big", "kept"):
        assert alice.request("PUT", f"/files/{small}/{path}", b"x" * 5_000_000)[0] == 413
        connection, reply = send_piecewise(server, f"/files/{small}/{path}", [b"x" * 1_000_000] * 6)
        assert b" 413 " in reply
        connection.close()
        status, answer = alice.rpc("files.write", session=small, path=path, base64="eHh4" * 1_700_000)
        assert status == 413, answer
    assert paths(alice, small) == ["kept"] and alice.request("GET", f"/files/{small}/kept")[2] == b"old"
    assert alice.run(small, "import os; os.listdir('.')")["value"]["text/plain"] == "['kept']"
    # Replacing needs room for the new one alone.
    for content in (b"a" * 3_000_000, b"b" * 3_000_000):
        assert alice.request("PUT", f"/files/{small}/kept", content)[0] == 201
    assert alice.request("GET", f"/files/{small}/kept")[2] == b"b" * 3_000_000
    alice.result("session.close", session=small)


def test_an_upload_that_breaks_off_leaves_nothing(alice, server):
    one = alice.session()
    alice.request("PUT", f"/files/{one}/kept", b"old")
    for path in ("new", "kept"):
        connection, _ = send_piecewise(server, f"/files/{one}/{path}", [b"x" * 1_000_000] * 3, end=None)
        while b".upload-" not in alice.run(one, "import os; str(os.listdir('.'))")["value"]["text/plain"].encode():
            pass
        result = alice.run(one, "open('made', 'w').write('x')")
        assert {file["path"] for file in result["files"]} <= {"made"}
        connection.close()
        while b".upload-" in alice.run(one, "str(os.listdir('.'))")["value"]["text/plain"].encode():
            pass
    assert paths(alice, one) == ["kept", "made"] and alice.request("GET", f"/files/{one}/kept")[2] == b"old"
    entries = alice.result("ledger.list", session=one)["entries"]
    assert [entry["body"]["path"] for entry in entries if entry["kind"] == "file_write"] == ["kept"]
    alice.result("session.close", session=one)


def test_an_upload_replaces_a_file_and_keeps_its_mode(alice):
    one = alice.session()
    alice.run(one, "import os\nopen('f', 'w').write('old'); os.chmod('f', 0o600)\nos.symlink('f', 'link'); os.mkdir('dir'); os.mkfifo('pipe')")
    assert alice.request("PUT", f"/files/{one}/f", b"new")[0] == 201
    for path in ("link", "dir", "pipe"):
        assert 400 <= alice.request("PUT", f"/files/{one}/{path}", b"new")[0] < 500
    seen = alice.run(one, "oct(os.stat('f').st_mode), open('f').read(), os.readlink('link'), sorted(os.listdir('.'))")["value"]["text/plain"]
    assert seen == "('0o100600', 'new', 'f', ['dir', 'f', 'link', 'pipe'])"
    alice.result("session.close", session=one)


@pytest.mark.parametrize("how", ["open('f', 'wb').write(b'b' * N)", "open('g', 'wb').write(b'b' * N); import os; os.rename('g', 'f')",
                                 "open('f', 'r+b').write(b'b')", "import os; os.truncate('f', 5)", "upload"])
@pytest.mark.few(1)
def test_a_download_is_of_one_version(alice, server, how):
    size = 40_000_000
    one = alice.session(limits={"disk": 200})
    alice.request("PUT", f"/files/{one}/f", b"a" * size)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("GET", f"/files/{one}/f", headers={"Authorization": f"Bearer {ALICE}"})
    reply = connection.getresponse()
    assert reply.status == 200
    got = reply.read(1000)
    if how == "upload":
        alice.request("PUT", f"/files/{one}/f", b"b" * size)
    else:
        alice.run(one, f"N = {size}\n" + how)
    try:
        while piece := reply.read(1 << 20):
            got += piece
        whole = len(got) == size
    except http.client.IncompleteRead as cut:
        got, whole = got + cut.partial, False
    assert set(got) == {ord("a")}
    assert whole == (how == "upload" or "rename" in how)
    connection.close()
    alice.result("session.close", session=one)


def test_versions_are_named_and_asked_for(alice, session):
    get = lambda **headers: alice.request("GET", f"/files/{session}/v.txt", headers={name.replace("_", "-"): value for name, value in headers.items()})
    alice.request("PUT", f"/files/{session}/v.txt", b"0123456789")
    first = get()[1]["etag"]
    assert get()[1]["etag"] == first and get(Range="bytes=2-3", If_Range=first)[::2] == (206, b"23")
    assert get(If_Match=first)[0] == 200 and get(If_None_Match=f'"x", {first}')[::2] == (304, b"")
    alice.run(session, "open('v.txt', 'w').write('abcdefghij')")
    second = get()[1]["etag"]
    assert second != first
    assert get(Range="bytes=2-3", If_Range=first)[::2] == (200, b"abcdefghij")
    assert get(Range="bytes=2-3", If_Match=first)[0] == 412 and get(Range="bytes=2-3", If_Match=second)[::2] == (206, b"cd")
    assert get(If_None_Match=first)[0] == 200 and get(If_Match="*")[0] == 200


def memory_kb(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1])


def test_a_large_file_costs_constant_memory(alice, server):
    one = alice.session(limits={"disk": 200})
    alice.request("PUT", f"/files/{one}/warm", b"x" * 9_000_000)
    alice.request("GET", f"/files/{one}/warm")
    before = memory_kb(server.process.pid)
    size = 90_000_000
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    headers = {"Authorization": f"Bearer {ALICE}", "Content-Length": str(size)}
    connection.request("PUT", f"/files/{one}/large", (b"y" * 1_000_000 for _ in range(size // 1_000_000)), headers)
    assert connection.getresponse().read() == b'{"written":%d}\n' % size
    connection.request("GET", f"/files/{one}/large", headers={"Authorization": f"Bearer {ALICE}"})
    reply, got = connection.getresponse(), 0
    while piece := reply.read(1 << 20):
        got += len(piece)
    assert got == size
    assert traces.growth(before, memory_kb(server.process.pid)) < 30_000
    connection.close()
    alice.result("session.close", session=one)


# ---- events ----

class Events:
    """Reads /events in a thread."""

    def __init__(self, server, token, query="", last=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self.connection.request("GET", "/events" + query,
                                headers={"Authorization": f"Bearer {token}", **({"Last-Event-ID": last} if last else {})})
        self.reply, self.last = self.connection.getresponse(), "0-0"
        assert self.reply.getheader("content-type") == "text/event-stream"

    def until(self, wanted):
        """Notifications up to the first for which wanted(note) holds."""
        seen, event = [], {}
        for line in self.reply:
            if line == b"\n" and b"data" in event:  # one whose end does not come is none
                self.last = event.get(b"id", b"").decode() or self.last
                seen.append(json.loads(event[b"data"]))
                event = {}
                if wanted(seen[-1]):
                    return seen
            elif line.endswith(b"\n"):
                name, _, value = line[:-1].partition(b": ")
                event[name] = value
        raise AssertionError(f"the stream ended: {seen}")


def says(text):
    return lambda note: note["method"] == "session.output" and text in note["params"]["text"]


def test_events_tell_what_a_cell_says(alice, server, session):
    events = Events(server, ALICE, f"?session={session}")
    cell = alice.run(session, "print('hello'); import sys; print('oh', file=sys.stderr)")["cell"]
    note = events.until(says("oh"))[-1]
    assert note["params"] == {"session": session, "cell": cell, "stream": "stderr", "text": "oh\n"}


def test_who_comes_late_hears_the_running_cell_from_its_beginning(alice, server):
    one = alice.session()
    early = Events(server, ALICE)
    runner = threading.Thread(target=alice.run, args=(one, "import time\nprint('first', flush=True)\nwhile True: time.sleep(0.05)"))
    runner.start()
    early.until(says("first"))
    late = Events(server, ALICE, f"?session={one}")
    assert [note["method"] for note in late.until(says("first"))] == ["cell.begin", "session.output"]
    assert alice.result("session.interrupt", session=one) == {"interrupted": True}
    runner.join()
    alice.result("session.close", session=one)


def ended(cell):
    return lambda note: note["method"] == "cell.end" and note["params"]["cell"] == cell


def test_events_tell_how_far_a_replay_is(alice, server):
    one = alice.session()
    alice.run(one, "1")
    alice.run(one, "2")
    events = Events(server, ALICE)
    assert alice.result("ledger.replay", session=one)["equal"]
    seen = events.until(lambda note: note["method"] == "ledger.replaying" and note["params"]["done"] == 2)
    assert seen[-1]["params"] == {"session": one, "done": 2, "total": 2, "verdict": {"cell": 2, "equal": True}}
    alice.result("session.close", session=one)


def test_events_tell_what_came_of_each_cell_of_a_replay(alice, server):
    one = alice.session()
    alice.run(one, "print('the same')")
    drawn = alice.run(one, "import os\nprint(os.urandom(8).hex())")["stdout"]
    alice.run(one, "os.urandom(200000).hex()\nprint(os.urandom(200000).hex())")
    alice.run(one, "print('the same')")
    events = Events(server, ALICE)
    assert not alice.result("ledger.replay", session=one)["equal"]
    seen = events.until(lambda note: note["method"] == "ledger.replaying" and note["params"]["done"] == 4)
    told = [note["params"]["verdict"] for note in seen if note["method"] == "ledger.replaying"]
    assert told[0] == {"cell": 1, "equal": True} and told[3] == {"cell": 4, "equal": True}
    assert (told[1]["equal"], told[1]["what"], told[1]["expected"]) == (False, "stdout", drawn)
    assert len(told[1]["got"]) == 17 and told[1]["got"] != drawn
    assert told[2] == {"cell": 3, "equal": False, "what": "stdout", "truncated": True}
    alice.result("session.close", session=one)


def test_entries_of_a_record_are_told_in_parts(alice):
    one = alice.session()
    for code in ("x = 1", "x = 2", "x = 3"):
        alice.run(one, code)
    [branch] = alice.result("session.branch", session=one)["sessions"]
    whole = alice.result("ledger.list", session=one)
    assert [entry["entry"] for entry in whole["entries"]] == list(range(1, whole["total"] + 1)) and whole["parent"] is None
    for part, wanted in (({"limit": 2}, [7, 8]), ({"before": 4, "limit": 2}, [2, 3]), ({"after": 6}, [7, 8]), ({"after": 2, "before": 5}, [3, 4]),
                         ({"after": 8}, []), ({"before": 1}, []), ({"before": 100, "limit": 100}, list(range(1, 9)))):
        told = alice.result("ledger.list", session=one, **part)
        assert [entry["entry"] for entry in told["entries"]] == wanted and told["total"] == 8, part
    made = alice.result("ledger.list", session=branch, limit=1)
    assert (made["parent"], whole["entries"][made["branched_at"] - 1]["body"]["child"]) == (one, branch)
    assert alice.rpc("ledger.list", session=one, limit=-1)[0] == 400
    for session in (branch, one):
        alice.result("session.close", session=session)


def test_recorded_sessions_are_searched_by_their_code_and_no_others(alice, bob):
    mine, other, his = alice.session(), alice.session(), bob.session()
    alice.run(mine, "x = 1")
    alice.run(mine, "needle_in_a_haystack = 2")
    alice.run(other, "x = 3")
    bob.run(his, "needle_in_a_haystack = 4")
    found = alice.result("ledger.list", search="NEEDLE_in_a_hay")["sessions"]
    assert [one["session"] for one in found] == [mine]
    for client, session in ((alice, mine), (alice, other), (bob, his)):
        client.result("session.close", session=session)


def test_a_session_is_called_what_its_owner_calls_it(alice, bob):
    mine, quiet = alice.session(), alice.session(record=False)
    alice.run(mine, "x = 1")
    assert alice.result("session.rename", session=mine, name="Orders of May")["name"] == "Orders of May"
    title = lambda **search: [one["title"] for one in alice.result("ledger.list", **search)["sessions"] if one["session"] == mine]
    assert title() == title(search="orders of") == ["Orders of May"]
    assert alice.result("ledger.verify", session=mine)["sound"] is True
    assert alice.rpc("session.rename", session=mine, name="ü" * 121)[1]["error"]["code"] == -32602
    assert bob.rpc("session.rename", session=mine, name="his")[1]["error"]["code"] == -32001
    assert alice.rpc("session.rename", session=quiet, name="nowhere")[1]["error"]["code"] == -32001
    alice.result("session.rename", session=mine, name="")
    assert title() == ["x = 1"]
    for session in (mine, quiet):
        alice.result("session.close", session=session)


def test_events_tell_how_a_cell_went(alice, server):
    one = alice.session()
    events = Events(server, ALICE, f"?session={one}")
    alice.run(one, "open('made.txt', 'w').write('x')\nprint('said')\n6 * 7")
    alice.run(one, "1/0")
    alice.run(one, "import sys; sys.exit(3)")
    seen = events.until(ended(3))
    assert [(note["method"], note["params"]["cell"]) for note in seen] == [
        ("cell.begin", 1), ("session.output", 1), ("session.files", 1), ("cell.end", 1), ("cell.begin", 2), ("cell.end", 2),
        ("cell.begin", 3), ("cell.end", 3)]
    assert [note["params"].get("code") for note in seen if note["method"] == "cell.begin"][1:] == ["1/0", "import sys; sys.exit(3)"]
    ok, error, left = (note["params"] for note in seen if note["method"] == "cell.end")
    assert ok == {"session": one, "cell": 1, "status": "ok", "exit_code": None, "value": {"text/plain": "42"}, "error": None, "state": "kept"}
    assert (error["status"], error["value"], error["error"]["name"]) == ("error", None, "ZeroDivisionError")
    assert (left["status"], left["exit_code"]) == ("exit", 3)
    alice.result("session.close", session=one)


def test_a_cell_cannot_hide_its_files_from_listeners(alice, server):
    one = alice.session()
    events = Events(server, ALICE, f"?session={one}")
    alice.run(one, "open('made.txt', 'w').write('x')\nprint('\"files\":[]')\n'\"files\": []'")
    assert "session.files" in [note["method"] for note in events.until(ended(1))]
    alice.result("session.close", session=one)


def test_the_agents_cells_are_told_too(alice, server):
    one = alice.session()
    events = Events(server, ALICE, f"?session={one}")
    alice.result("agent.run", session=one, task="What is 6 times 7?", replies=[
        {"text": "```python\nprint(6 * 7)\n```"}, {"text": "It is 42."}])
    seen = [note["method"] for note in events.until(lambda note: note["method"] == "cell.end")]
    assert seen.count("cell.begin") == 1 and seen.index("cell.begin") < seen.index("cell.end")
    alice.result("session.close", session=one)


def test_the_agents_cells_are_run_like_everybodys(alice, dora):
    """They count, and what a client asks about the session meanwhile and afterwards is true."""
    one, before = alice.session(), dora.result("metrics")
    alice.result("agent.run", session=one, task="What is 6 times 7?", replies=[
        {"text": "```python\n1 / 0\n```"}, {"text": "```python\nprint(6 * 7)\n```"}, {"text": "It is 42."}])
    after = dora.result("metrics")
    assert (after["cells_ok"] - before["cells_ok"], after["cells_failed"] - before["cells_failed"]) == (1, 1)
    assert alice.result("session.execute", session=one, code="1")["cell"] == 3
    alice.result("session.close", session=one)


def test_who_comes_back_misses_nothing_and_hears_nothing_twice(alice, server):
    one = alice.session()
    first = Events(server, ALICE, f"?session={one}")
    alice.run(one, "print('before')")
    first.until(ended(1))
    first.connection.close()
    alice.run(one, "print('between')")
    again = Events(server, ALICE, f"?session={one}", last=first.last)
    alice.run(one, "print('after')")
    seen = again.until(ended(3))
    assert [note["params"]["text"] for note in seen if note["method"] == "session.output"] == ["between\n", "after\n"]
    assert [note["params"]["cell"] for note in seen if note["method"] == "cell.end"] == [2, 3]
    stranger = Events(server, ALICE, f"?session={one}", last="0-7")
    assert stranger.until(ended(1))[0] == {"jsonrpc": "2.0", "method": "events.dropped", "params": {"count": None}}
    alice.result("session.close", session=one)


def test_streams_that_nobody_reads_cost_little(retort, count):
    """All of them share what is kept for them."""
    streams = count(100, 400)
    with serving(retort, "--no-auth") as running:
        client = Client(running)
        one = client.session()
        loud = "for i in range(64): print('x' * 65536, flush=True)"
        client.run(one, loud)
        before = memory_kb(running.process.pid)
        unread = [Events(running, "", f"?session={one}") for _ in range(streams)]
        client.run(one, loud)
        client.run(one, loud)
        cost = traces.growth(before, memory_kb(running.process.pid))
        assert cost < streams * 200 + 20_000, f"{streams} unread streams cost {cost} KiB"
        dropped = lambda note: note["method"] == "events.dropped"
        try:
            told = unread[0].until(dropped)
        except AssertionError:  # it had stopped within an event, and was hung up on
            told = Events(running, "", f"?session={one}", last=unread[0].last).until(dropped)
        assert told[-1]["params"]["count"] != 0
        for events in unread:
            events.connection.close()


def test_events_are_the_owners(alice, bob, server, session):
    listening = Events(server, BOB)
    alice.run(session, "print('secret')")
    own = bob.session()
    bob.run(own, "print('mine')")
    assert not any("secret" in json.dumps(note) for note in listening.until(says("mine")))
    bob.result("session.close", session=own)


def test_another_token_allows_no_call(alice, bob, server):
    one = alice.session()
    alice.result("tools.register", session=one, tools=[{"name": "pay", "approval": "ask"}])
    events, answers = Events(server, ALICE, f"?session={one}"), []
    runner = threading.Thread(target=lambda: answers.append(alice.run(one, "import tools\ntry:\n    print(tools.pay())\nexcept tools.ToolError as e:\n    print(e)")))
    runner.start()
    told = events.until(lambda note: note["method"] == "tools.approval")
    call = told[-1]["params"]["call"]
    for allow in (True, False):
        status, answer = bob.rpc("tools.approve", call=call, allow=allow)
        assert status == 404 and "waits for a decision" in answer["error"]["message"]
    assert alice.result("tools.approve", call=call, allow=False) == {"accepted": True}
    runner.join()
    assert answers[0]["stdout"] == "the call was not allowed\n"
    assert not any(note["method"] == "tools.call" for note in told)
    alice.result("session.close", session=one)


def test_a_tool_is_called_over_events(alice, server):
    one = alice.session()
    alice.result("tools.register", session=one, tools=[{"name": "price", "parameters": {
        "type": "object", "properties": {"article": {"type": "string"}}, "required": ["article"]}}])
    events, answers = Events(server, ALICE, f"?session={one}"), []
    runner = threading.Thread(target=lambda: answers.append(alice.run(one, "import tools; tools.price('tea') * 2")))
    runner.start()
    call = events.until(lambda note: note["method"] == "tools.call")[-1]["params"]
    assert (call["name"], call["arguments"]) == ("price", {"article": "tea"})
    assert Client(server, BOB).rpc("tools.result", call=call["call"], result=1)[0] == 404
    assert alice.result("tools.result", call=call["call"], result=9.5) == {"accepted": True}
    runner.join()
    assert answers[0]["value"]["text/plain"] == "19.0"
    alice.result("session.close", session=one)


# ---- the rest of the routes ----

def test_health_needs_no_token(server):
    assert json.loads(Client(server).request("GET", "/healthz")[2]) == {"status": "ok"}


def test_what_everybody_does_is_for_administrators(alice, dora):
    assert (alice.result("server.info")["administrator"], dora.result("server.info")["administrator"]) == (False, True)
    assert dora.result("metrics")["sessions"] >= 0 and dora.request("GET", "/metrics")[0] == 200
    status, _, body = alice.request("GET", "/metrics")
    assert status == 403 and b"only administrators" in body and b"retort_" not in body
    status, answer = alice.rpc("metrics")
    assert answer["error"]["code"] == -32003 and "result" not in answer


def test_metrics_are_prometheus_text(alice, dora, session):
    alice.run(session, "1")
    _, headers, body = dora.request("GET", "/metrics")
    assert headers["content-type"].startswith("text/plain; version=0.0.4")
    for line in body.decode().splitlines():
        assert re.fullmatch(r'# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [-+.e\d]+(Inf)?', line), line
    assert b'retort_requests_total{method="session.execute",outcome="ok"}' in body


def test_unknown_paths_and_methods(alice):
    assert alice.request("GET", "/nowhere")[0] == 404
    assert alice.request("GET", "/rpc")[0] == 405
    assert alice.request("PUT", "/healthz", b"")[0] == 405
    assert alice.request("BREW", "/rpc")[0] in (400, 405)


def test_openapi_describes_every_route(server, alice):
    document = json.loads(Client(server).request("GET", "/openapi.json")[2])
    assert document["openapi"].startswith("3.1")
    for path, methods in document["paths"].items():
        concrete = path.replace("{session}", "s_none").replace("{path}", "a")
        for method, operation in methods.items():
            status = alice.request(method.upper(), concrete)[0] if path != "/events" else 200
            assert str(status) in operation["responses"], (method, path, status)
    assert {f"#/components/schemas/{name}" for name in alice.result("server.info")["methods"]} == \
        {one["$ref"] for one in document["components"]["schemas"]["request"]["oneOf"]}
    references = set(re.findall(r'"\$ref": "#/components/schemas/([^"]+)"', json.dumps(document)))
    assert references <= set(document["components"]["schemas"])


def test_the_log_names_session_and_cell(alice, server, session):
    cell = alice.run(session, "1")["cell"]
    entry = server.entry(lambda one: one.get("cell") == cell and one.get("session") == session)
    assert (entry["rpc"], entry["status"], entry["client"]) == ("session.execute", 200, "alice")
    assert not any(ALICE in json.dumps(one) for one in server.log)


def test_unix_socket_serves_lines(server):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(server.socket))
        lines = connection.makefile("rw")
        lines.write('{"jsonrpc":"2.0","id":"a","method":"server.info"}\n')
        lines.flush()
        assert json.loads(lines.readline())["result"]["name"] == "retort"
    assert server.socket.stat().st_mode & 0o777 == 0o600


@as_root
def test_started_as_root_it_is_root_no_more(server):
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    assert "0" not in re.search(r"Uid:\t(.*)", status)[1].split()
    assert re.search(r"Groups:\s*\n", status)
    assert re.search(r"CapEff:\t0+\n", status)


# ---- bad clients cost only themselves ----

def raw(server):
    return socket.create_connection(("127.0.0.1", server.port))


def test_bad_clients_cost_only_themselves(alice, server, session):
    head = f"POST /rpc HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {ALICE}\r\nContent-Type: application/json\r\n"
    bad = []
    for start in (b"", b"P", b"GET /healthz HTTP/1.1\r\nHo", head.encode() + b"Content-Length: 100\r\n\r\n{",
                  head.encode() + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", b"\x16\x03\x01" * 100, b"\0" * 4096,
                  b"GET " + b"a" * 200000):
        connection = raw(server)
        try:
            connection.sendall(start)
        except OSError:
            pass  # it was refused already
        bad.append(connection)
    never_reads = raw(server)
    never_reads.sendall((f"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 500).encode())
    half = raw(server)
    half.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    half.shutdown(socket.SHUT_WR)
    assert b'{"status":"ok"}' in b"".join(iter(lambda: half.recv(4096), b""))
    vanished = raw(server)
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "session.execute", "params": {"session": session, "code": "gone = 1"}})
    vanished.sendall((head + f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
    vanished.close()
    assert alice.run(session, "6 * 7")["value"]["text/plain"] == "42"
    assert alice.run(session, "gone")["value"]["text/plain"] == "1"
    for connection in [*bad, never_reads, half]:
        connection.close()


def persistent(call):
    """What a client does whose connection found no place for a moment: it comes again."""
    for _ in range(100):
        try:
            return call()
        except (ConnectionError, http.client.RemoteDisconnected):
            time.sleep(0.1)
    return call()


def test_connections_without_a_token_keep_nobody_out(retort, tokens):
    """Twelve hundred that say nothing, or not who they are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    strangers = []
    try:
        with serving(retort, "--token-file", tokens) as running:
            kept = http.client.HTTPConnection("127.0.0.1", running.port, timeout=60)
            known = {"Authorization": f"Bearer {ADMIN}"}
            kept.request("GET", "/metrics", headers=known)
            kept.getresponse().read()
            for i in range(1200):
                strangers.append(raw(running))
                if i % 3 == 0:
                    with contextlib.suppress(ConnectionError):  # it was shown out at once
                        strangers[-1].sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            alice = Client(running, ALICE)
            session = persistent(alice.session)
            assert persistent(lambda: alice.run(session, "6 * 7"))["value"]["text/plain"] == "42"
            strangers[0].settimeout(60)
            with contextlib.suppress(ConnectionError):
                while strangers[0].recv(4096):
                    pass  # an answer, and then the end
            kept.request("GET", "/metrics", headers=known)
            text = kept.getresponse().read().decode()
            assert int(re.search(r"^retort_connections (\d+)", text, re.MULTILINE)[1]) < 1024
    finally:
        for connection in strangers:
            connection.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_token_has_its_share_of_connections(retort, tokens):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    ask = f"GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {ADMIN}\r\n\r\n".encode()
    greedy = []
    try:
        with serving(retort, "--token-file", tokens) as running:
            for _ in range(513):
                greedy.append(raw(running))
                greedy[-1].sendall(ask)
                answer = greedy[-1].recv(100)
            assert b" 503 " in answer
            assert Client(running, BOB).rpc("server.info")[0] == 200
    finally:
        for connection in greedy:
            connection.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


# ---- TLS, and the end ----

def test_tls(retort, tokens):
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    cert, key = retort.home / "cert.pem", retort.home / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    with serving(retort, "--token-file", tokens, "--tls-cert", cert, "--tls-key", key) as running:
        context = ssl.create_default_context(cafile=str(cert))
        connection = http.client.HTTPSConnection("127.0.0.1", running.port, context=context, timeout=60)
        connection.request("GET", "/healthz")
        assert connection.getresponse().status == 200
        plain = raw(running)
        plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert not plain.recv(100).startswith(b"HTTP/1.1 200")


def test_a_graceful_end_answers_what_runs(retort):
    with serving(retort, "--no-auth") as running:
        client = Client(running)
        one, answers = client.session(), []
        code = "import time\nprint('on', flush=True)\ntime.sleep(1.5)\n'done'"
        events = Events(running, "")
        worker = threading.Thread(target=lambda: answers.append(client.run(one, code)))
        worker.start()
        events.until(says("on"))
        events.connection.sock and events.connection.close()
        assert running.stop() == 0
        worker.join()
    assert answers[0]["value"]["text/plain"] == "'done'"
    assert [entry["event"] for entry in running.log if entry.get("event") in ("stopping", "stopped")] == ["stopping", "stopped"]


class Lines:
    """JSON-RPC over the Unix socket: requests out, answers and notifications in."""

    def __init__(self, server):
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(str(server.socket))
        self.lines, self.last, self.heard = self.connection.makefile("rw"), 0, []

    def ask(self, method, **params):
        self.last += 1
        self.lines.write(json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}) + "\n")
        self.lines.flush()
        return self.last

    def hear(self, wanted):
        """The first message for which wanted(message) holds; others may be heard later."""
        for message in self.heard:
            if wanted(message):
                return message
        for line in self.lines:
            self.heard.append(json.loads(line))
            if wanted(self.heard[-1]):
                return self.heard[-1]
        raise AssertionError("the server hung up")

    def answer(self, number):
        return self.hear(lambda message: message.get("id") == number)


def test_a_graceful_end_gives_every_door_its_time(retort):
    """The cell ends by itself when it is told to, which happens only after the server has begun to stop."""
    with serving(retort, "--no-auth") as running:
        lines = Lines(running)
        one = lines.answer(lines.ask("session.create"))["result"]["session"]
        lines.answer(lines.ask("tools.register", session=one, tools=[{"name": "go_on"}]))
        cell = lines.ask("session.execute", session=one, code="print(tools.go_on())\n'done'")
        call = lines.hear(lambda message: message.get("method") == "tools.call")["params"]["call"]
        ended = []
        stopper = threading.Thread(target=lambda: ended.append(running.stop()))
        stopper.start()
        running.entry(lambda entry: entry.get("event") == "stopping")
        while "error" not in (refused := lines.answer(lines.ask("session.create"))):
            pass  # the word of the stop has not come round yet
        assert "stopping" in refused["error"]["message"]
        lines.ask("tools.result", call=call, result="went on")
        result = lines.answer(cell)["result"]
        assert (result["status"], result["stdout"], result["value"]["text/plain"]) == ("ok", "went on\n", "'done'")
        stopper.join()
    assert ended == [0]


ENDLESS = "import time\nprint('on', flush=True)\nwhile True: time.sleep(0.1)"


@pytest.fixture(scope="module")
def at_the_end(retort):
    """What a server answered that was stopped while a cell without an end ran behind each of its doors."""
    answers = {}
    with serving(retort, "--no-auth") as running:
        client, events, lines = Client(running), Events(running, ""), Lines(running)
        one = client.session(limits={"timeout": 100})
        worker = threading.Thread(target=lambda: answers.update(http=client.run(one, ENDLESS)))
        worker.start()
        events.until(says("on"))
        other = lines.answer(lines.ask("session.create", limits={"timeout": 100}))["result"]["session"]
        cell = lines.ask("session.execute", session=other, code=ENDLESS)
        lines.hear(lambda message: message.get("method") == "session.output" and message["params"]["session"] == other)
        behind = lines.ask("session.execute", session=other, code="1")
        stopper = threading.Thread(target=lambda: answers.update(server=running.stop()))
        stopper.start()
        answers.update(unix=lines.answer(cell), behind=lines.answer(behind))
        stopper.join()
        worker.join()
    return answers


def test_an_endless_cell_is_interrupted_at_the_end(at_the_end):
    assert at_the_end["http"]["status"] == "interrupted" and at_the_end["server"] == 0


def test_an_endless_cell_of_the_unix_socket_is_interrupted_at_the_end(at_the_end):
    assert at_the_end["unix"]["result"]["status"] == "interrupted"
    assert "stopping" in at_the_end["behind"]["error"]["message"]


# ---- what outlives a server ----

@pytest.fixture
def folder(request):
    path = pathlib.Path(tempfile.mkdtemp(prefix="retort-serve-"))
    request.addfinalizer(lambda: shutil.rmtree(path, ignore_errors=True))
    return path


def test_sessions_are_their_tokens_own_after_a_restart(caller, folder):
    with serving(caller, "--token-file", token_file(caller), folder=folder) as first:
        alice, bob = Client(first, ALICE), Client(first, BOB)
        kept, closed, theirs = alice.session(), alice.session(), bob.session()
        alice.run(kept, "x = 20")
        alice.run(kept, "x += 1")
        alice.run(closed, "y = 1")
        branch = alice.result("session.branch", session=kept)["sessions"][0]
        alice.run(branch, "x = 0")
        alice.result("session.close", session=closed)
        bob.run(theirs, "z = 1")
    with serving(caller, "--token-file", token_file(caller), folder=folder) as second:
        alice, bob = Client(second, ALICE), Client(second, BOB)
        listed = alice.result("ledger.list")["sessions"]
        assert {one["session"] for one in listed} == {kept, closed, branch}
        assert not any(token in json.dumps(listed) for token in (ALICE, BOB))
        assert {one["session"] for one in bob.result("ledger.list")["sessions"]} == {theirs}
        unknown = bob.rpc("session.info", session="s_0000000000")[1]["error"]
        for method in ("session.info", "session.resume", "ledger.list", "ledger.verify", "ledger.replay"):
            assert bob.rpc(method, session=kept)[1]["error"] == unknown
        assert bob.rpc("session.execute", session=kept, code="1")[1]["error"] == unknown
        assert alice.result("ledger.list", session=kept)["entries"][0]["kind"] == "create"
        assert alice.result("ledger.verify", session=kept)["sound"] is True
        assert alice.result("ledger.replay", session=branch)["equal"] is True
        assert alice.rpc("session.execute", session=kept, code="1")[0] == 404
        assert alice.result("session.resume", session=kept)["cells"] == 2
        assert alice.run(kept, "x * 2")["value"]["text/plain"] == "42"
        assert alice.result("session.resume", session=kept)["cells"] == 3
        assert alice.result("session.resume", session=branch)["session"] == branch
        assert alice.run(branch, "x")["value"]["text/plain"] == "0"
        alice.result("session.resume", session=closed)
        assert alice.run(closed, "y")["value"]["text/plain"] == "1"
        assert bob.rpc("session.info", session=kept)[1]["error"] == unknown
        status, answer = bob.rpc("session.create")
        assert status == 200 and bob.result("session.resume", session=theirs)["session"] == theirs
        status, answer = bob.rpc("session.branch", session=theirs)
        assert (status, answer["error"]["code"]) == (429, -32002)


def owners(path):
    return {entry.stat().st_uid for entry in path.rglob("*")}


@as_root
@pytest.mark.parametrize("there", ["nothing", "empty", "unreachable", "records"])
@pytest.mark.few(1)
def test_a_service_of_root_has_a_state_of_its_own(retort, folder, there):
    """Root's own commands go on as before, and read what the service recorded."""
    state, nobody = folder / "state", pwd.getpwnam("nobody").pw_uid
    if there == "unreachable":
        state = folder / "private" / "state"
        state.parent.mkdir(0o700)
    if there == "empty":
        state.mkdir(0o755)
    env = {"RETORT_STATE": str(state)}
    if there == "records":
        assert retort.run("run", "--record", "-c", "1", env=env).returncode == 0
    before = {entry: entry.stat().st_uid for entry in folder.rglob("*") if there == "records"}
    for _ in range(2):
        with serving(retort, "--no-auth", "--user", "nobody", folder=folder, state=state) as running:
            client = Client(running)
            session = client.session()
            assert client.run(session, "open('f', 'wb').write(b'x' * 200000)\n6 * 7")["ledger"]["hash"]
            assert retort.run("log", session, env={"RETORT_STATE": running.state}).returncode == 0
        made = pathlib.Path(running.state)
        assert made == (state / "service" if there == "records" else state)
        assert owners(made) == {nobody} and made.stat().st_mode & 0o777 == 0o700
    assert {entry: entry.stat().st_uid for entry in before if entry.exists()}.items() <= before.items()
    # Root's commands work in either, and leave nothing behind that the service could not use.
    for where in {state, made}:
        env = {"RETORT_STATE": str(where)}
        done = retort.run("run", "--record", "-c", "open('f', 'wb').write(b'y' * 300000)", env=env)
        assert done.returncode == 0, done.stderr
        assert session.encode() in retort.run("log", env=env).stdout or where != made
    assert retort.run("verify", session, env={"RETORT_STATE": str(made)}).returncode == 0
    assert owners(made) == {nobody}
    with serving(retort, "--no-auth", "--user", "nobody", folder=folder, state=state) as running:
        client = Client(running)
        client.result("session.resume", session=session)
        assert client.run(session, "len(open('f').read())")["value"]["text/plain"] == "200000"


@as_root
def test_a_state_of_somebody_else_is_refused(retort, folder):
    state = folder / "state"
    state.mkdir()
    os.chown(state, 1234, 1234)
    done = retort.run("serve", "--no-auth", "--listen", "127.0.0.1:0", env={"RETORT_STATE": str(state)})
    assert done.returncode == 125 and b"belongs to user 1234" in done.stderr
    assert state.stat().st_uid == 1234


def test_a_token_has_caps(server, alice):
    carol = Client(server, CAROL)
    one = carol.result("session.create")["session"]
    limits = carol.result("session.info", session=one)["limits"]
    assert (limits["timeout"], limits["memory"], limits["disk"]) == (1.5, 100 << 20, 256 << 20)
    for method, params in (("session.create", {"limits": {"timeout": 2}}), ("session.create", {"limits": {"memory": 101}}),
                           ("session.execute", {"session": one, "code": "1", "limits": {"timeout": 60}})):
        assert "(limits of the server)" in carol.rpc(method, **params)[1]["error"]["message"]
    assert alice.result("session.create", limits={"timeout": 60})["session"]
