"""Sessions that may connect to some hosts: by HTTP, TLS and SOCKS through their gate, in every language and at every door."""
import base64
import contextlib
import gzip
import http.server
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import time
import urllib.parse
import zipfile

import loopback
import pytest
import rpc
import serving

FETCH = """
import functools, ssl, urllib.request, urllib.error
@functools.cache
def strict_context():  # as Python does from 3.13 on
    context = ssl.create_default_context()
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    return context
ssl._create_default_https_context = strict_context
def fetch(url, **more):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, **more), timeout=20) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as e:
        return f"{e.code} {e.read().decode().strip()}"
    except OSError as e:
        return f"{type(e).__name__}: {e}"
"""


@pytest.fixture(scope="module")
def web():
    with loopback.served() as server:
        yield server


@pytest.fixture(scope="module")
def tls(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    folder.chmod(0o755)
    key, cert = loopback.certificate(folder, loopback.NAME)
    cert.chmod(0o644)
    with loopback.served((key, cert)) as server:
        server.cert = cert
        yield server


@pytest.fixture
def folder(tmp_path):
    for part in [tmp_path, *tmp_path.parents]:
        if part != pathlib.Path("/tmp") and part.owner() == pathlib.Path(tmp_path).owner() and part.is_relative_to("/tmp"):
            part.chmod(0o755)
    return tmp_path


def test_what_a_rule_allows_and_the_rest(light_caller, web, folder):
    code = FETCH + f"""
print(fetch("http://web.test:{web.port}/a?b"))
print(fetch("http://web.test:{web.port}/p", data=b"x" * 100000))
print(fetch("http://other.test/"))
print(fetch("http://web.test/"))
"""
    result = light_caller.result(code, *loopback.network(folder, loopback.rule(web)))
    lines = result["stdout"].splitlines()
    assert lines[:2] == ["hello from /a?b", "100000 bytes"]
    assert lines[2].startswith("403 retort: this session may not connect to other.test:80; it may connect to: web.test:")
    assert lines[3].startswith("403 retort: this session may not connect to web.test:80;")
    assert result["status"] == "ok" and result["flags"] == ["denied"]
    first, second, third, _ = result["network"]
    assert {name: first[name] for name in ("verdict", "scheme", "method", "host", "port", "path", "status", "rule")} == {
        "verdict": "allowed", "scheme": "http", "method": "GET", "host": "web.test", "port": web.port, "path": "/a?b", "status": 200,
        "rule": 0}
    assert second["method"] == "POST" and second["sent"] > 100000 and second["received"] > 0
    assert third["verdict"] == "refused" and third["status"] == 403 and "other.test" in third["reason"] and "rule" not in third


@pytest.mark.parametrize("language, code", [
    ("bash", "curl -sS http://web.test:$PORT/bash"),
    ("bash", "curl -sS --socks5-hostname 127.0.0.1:3128 http://web.test:$PORT/bash"),
    ("bash", "curl -sS --proxytunnel http://web.test:$PORT/bash"),
    ("bash", "printf '%s' $(head -c 200000 /dev/zero | tr '\\0' x) > f; curl -sS -H 'Expect: 100-continue' -T f "
             "http://web.test:$PORT/bash"),
    ("javascript", """
const http = require("http"), proxy = new URL(process.env.HTTP_PROXY), url = `http://web.test:${process.env.PORT}/js`;
http.get({host: proxy.hostname, port: proxy.port, path: url, headers: {host: new URL(url).host}}, answer => answer.pipe(process.stdout));
"""),
    ("javascript", "fetch(`http://web.test:${process.env.PORT}/js`).then(a => a.text()).then(text => process.stdout.write(text))"),
])
def test_languages(light, web, folder, language, code):
    result = light.result(code, "--env", f"PORT={web.port}", *loopback.network(folder, loopback.rule(web)), language=language)
    assert result["stdout"] in ("hello from /bash", "hello from /js", "200000 bytes"), result
    assert [event["verdict"] for event in result["network"]] == ["allowed"] and result["flags"] == []


def test_tls_passes(light_caller, tls, folder):
    code = FETCH + f"""
import subprocess
print(fetch("https://web.test:{tls.port}/python"))
print(subprocess.run(["curl", "-sS", "https://web.test:{tls.port}/curl"], capture_output=True, text=True).stdout)
print(subprocess.run(["curl", "-sS", "--socks5-hostname", "127.0.0.1:3128", "https://web.test:{tls.port}/socks"], capture_output=True,
                     text=True).stdout)
print(fetch("https://other.test/"))
"""
    trust = ["--file", str(tls.cert), *(word for name in ("SSL_CERT_FILE", "CURL_CA_BUNDLE")
                                        for word in ("--env", f"{name}=/work/server.pem"))]
    result = light_caller.result(code, *trust, *loopback.network(folder, loopback.rule(tls)))
    lines = result["stdout"].splitlines()
    assert lines[:3] == ["hello from /python", "hello from /curl", "hello from /socks"], result
    assert "Tunnel connection failed: 403 retort: this session may not connect to other.test:443" in lines[3]
    events = sorted(result["network"], key=lambda event: event["connection"])  # told in the order in which they ended
    assert [(event["scheme"], event["verdict"]) for event in events] == [("tls", "allowed")] * 3 + [("tcp", "refused")]


def test_without_rules_there_is_no_gate(light):
    with subprocess.Popen(light.command(light.retort, "run", "-c", "import time; print(1, flush=True); time.sleep(60)"),
                          stdout=-1, env=light.environment()) as run:
        assert run.stdout.readline() == b"1\n"
        assert gates(run.pid) == []
        run.kill()
    result = light.result("import os; print(sorted(n for n in os.environ if 'proxy' in n.lower()))")
    assert result["stdout"] == "[]\n" and "network" not in result
    done = light.run("run", "--allow", "a b", "-c", "1")
    assert done.returncode == 125 and b"no name or address of a host" in done.stderr


def until(holds):
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def gates(pid):
    """Pids of the gates that this process has started."""
    listed = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(pid)], capture_output=True, text=True, check=False).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if line.split()[1] == "retort-gate"]


@pytest.fixture
def server(light):
    made = rpc.Server(light)
    yield made
    made.close()


def test_a_session_of_rpc(server, web):
    session = server.session(network=[loopback.rule(web)])
    assert session.run(FETCH)["network"] == []
    assert session.run(f"fetch('http://web.test:{web.port}/x')")["value"]["text/plain"] == "'hello from /x'"
    noted = [params["network"] for method, params in server.notes if method == "session.network"]
    assert [(event["host"], event["path"]) for event in noted] == [("web.test", "/x")]
    branch = rpc.Session(server, {"session": server.call("session.branch", session=session.id)["sessions"][0], "isolation": None})
    assert branch.run(f"fetch('http://web.test:{web.port}/branch')")["value"]["text/plain"] == "'hello from /branch'"
    session.run("import os; os._exit(1)")
    assert session.run(f"fetch('http://web.test:{web.port}/back')")["value"]["text/plain"] == "'hello from /back'"
    kinds = [entry["body"]["path"] for entry in server.call("ledger.list", session=session.id)["entries"] if entry["kind"] == "network"]
    assert kinds == ["/x", "/back"]


def test_cells_of_the_past_reach_nobody(server, web):
    session = server.session(network=[loopback.rule(web)], checkpoint="off")
    session.run(FETCH)
    session.run(f"said = fetch('http://web.test:{web.port}/once')")
    before = web.seen.count("GET /once")
    session.run("pass")
    server.call("session.undo", session=session.id)
    session.run("import os; os._exit(1)")
    assert web.seen.count("GET /once") == before


@pytest.mark.parametrize("record", [True, False])
def test_cells_of_the_past_get_what_they_got(server, record):
    """After an undo, a roll-back and in a branch, with the server gone; the memory of the broker or its ledger has it."""
    with loopback.served() as web:
        url = f"http://web.test:{web.port}"
        session = server.session(network=[loopback.rule(web)], checkpoint="off", record=record)
        session.run(FETCH)
        session.run(f"said = [fetch('{url}/a'), fetch('{url}/large/300000'), fetch('{url}/p', data=b'12345')]; import subprocess")
        session.run(f"said.append(subprocess.getoutput('curl -sS --proxytunnel {url}/tunnel'))")
        digest = "import hashlib; hashlib.sha256(repr(said).encode()).hexdigest()"
        said = session.value(digest)
        assert session.value("said[2:]") == "['5 bytes', 'hello from /tunnel']" and session.value("len(said[1])") == "300000"
    session.run("pass")
    undone = server.call("session.undo", session=session.id)
    assert (undone["state_via"], undone["state_notes"]) == ("replay", [])
    assert session.value(digest) == said
    session.run("import os; os._exit(1)")
    assert session.value(digest) == said
    made = server.call("session.branch", session=session.id)["sessions"][0]
    assert rpc.Session(server, {"session": made, "isolation": None}).value(digest) == said


def test_a_session_comes_back_with_what_it_got(light):
    with loopback.served() as web:
        server = rpc.Server(light)
        session = server.session(network=[loopback.rule(web)])
        session.run(FETCH)
        session.run(f"said = [fetch('http://web.test:{web.port}/%d' % (i % 2)) for i in range(5)]")
        server.close()
        seen = len(web.seen)
        server = rpc.Server(light)
        back = server.call("session.resume", session=session.id)
        said = rpc.Session(server, {"session": session.id, "isolation": None}).value("said")
        server.close()
        assert len(web.seen) == seen
    assert said == repr([f"hello from /{i % 2}" for i in range(5)])
    assert not [note for note in back["state_notes"] if "again" in note]


def test_a_request_that_is_not_on_record_is_named(server, web):
    session = server.session(network=[loopback.rule(web)], checkpoint="off")
    session.run(FETCH)
    session.run(f"import random; said = fetch('http://web.test:{web.port}/x?%d' % random.SystemRandom().getrandbits(64))")
    session.run("pass")
    [note] = server.call("session.undo", session=session.id)["state_notes"]
    assert note.startswith("cell 2 asked for GET /x?") and note.endswith("which is not on record: nobody was asked")
    assert session.value("said").startswith("'403 retort: this cell is run again, and reaches nobody: GET /x?")
    report = server.call("ledger.replay", session=session.id)["report"]
    assert not report["equal"]
    [asked] = report["unanswered"]
    assert (asked["cell"], asked["method"], asked["host"], asked["port"]) == (2, "GET", "web.test", web.port)


def test_large_answers_are_not_kept(server, web):
    session = server.session(network=[loopback.rule(web)], checkpoint="off")
    session.run(FETCH)
    events = [session.run(f"said = fetch('http://web.test:{web.port}/large/{size}')")["network"][0] for size in (8 << 20, 7 << 20)]
    assert [event.get("kept") for event in events] == [False, None] and "blob" not in events[0] and "blob" in events[1]
    session.run("pass")
    [note] = server.call("session.undo", session=session.id)["state_notes"]
    assert note.startswith(f"cell 2 asked for GET /large/{8 << 20} at")
    assert session.value("len(said)") == str(7 << 20)


class Torn(loopback.Handler):
    """An answer whose length nobody knows, in the middle of which the server is gone."""

    def do_GET(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhalf of it")
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.connection.detach())
        self.close_connection = True


def test_an_answer_that_breaks_off_is_not_taken_for_whole(server):
    with loopback.served(handler=Torn) as web:
        session = server.session(network=[loopback.rule(web)], record=False)
        session.run(FETCH)
        assert session.value(f"fetch('http://web.test:{web.port}/')").strip("'").startswith(("ConnectionResetError", "502 "))


SLOW = """
import socket, time
def ask(size):
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.connect(('127.0.0.1', 3128))
    one.sendall(b'GET http://web.test:PORT/large/%d HTTP/1.1\\r\\nHost: web.test:PORT\\r\\n\\r\\n' % size)
    return one
def rest(one):
    with one, one.makefile('rb') as answer:
        return len(answer.read().partition(b'\\r\\n\\r\\n')[2])
sizes = range(100_000, 3_100_000, 50_000)
asked = [ask(size) for size in sizes]
time.sleep(7)
[(size, got) for size, got in zip(sizes, map(rest, asked)) if size != got]
"""


@pytest.mark.few
def test_a_client_may_take_its_time(server, web):
    """Of one of these answers the last bytes are in the gate when the server has sent them all, and nobody reads for seconds."""
    session = server.session(network={"rules": [loopback.rule(web)], "connections": 64}, record=False)
    assert session.value(SLOW.replace("PORT", str(web.port))) == "[]"


class Numbers(loopback.Handler):
    """Bytes of which no two parts are the same, with their number or until the end of the connection."""

    def do_GET(self):
        kind, size = self.path.strip("/").split("/")
        body = b"".join(b"%15d\n" % n for n in range(int(size) // 16))
        length = {"whole": f"Content-Length: {len(body)}\r\n", "cut": f"Content-Length: {len(body) + 1}\r\n", "open": ""}[kind]
        self.wfile.write(f"HTTP/1.1 200 OK\r\n{length}Connection: close\r\n\r\n".encode() + body)
        self.close_connection = True


GET_NUMBERS = """
import hashlib, socket
def numbers(kind, size, tunnel=False):
    "What was wrong with them, or nothing."
    place = 'web.test:PORT'
    wanted = hashlib.sha256(b''.join(b'%15d\\n' % n for n in range(size // 16))).hexdigest()
    with socket.create_connection(('127.0.0.1', 3128)) as s, s.makefile('rb') as answer:
        if tunnel:
            s.sendall(f'CONNECT {place} HTTP/1.1\\r\\n\\r\\n'.encode())
            while answer.readline() != b'\\r\\n': pass
        url = f'/{kind}/{size}' if tunnel else f'http://{place}/{kind}/{size}'
        s.sendall(f'GET {url} HTTP/1.1\\r\\nHost: {place}\\r\\n\\r\\n'.encode())
        while answer.readline() != b'\\r\\n': pass
        got = hashlib.sha256()
        count = 0
        try:
            while piece := answer.read(100_003):
                got.update(piece)
                count += len(piece)
        except ConnectionError as error:
            return type(error).__name__
    return '' if got.hexdigest() == wanted else f'{count} bytes'
"""


@pytest.mark.few
def test_what_is_large_comes_whole(server):
    """Nobody looks at such bytes, and they are counted nevertheless."""
    size = 10 << 20
    with loopback.served(handler=Numbers) as web:
        code = GET_NUMBERS.replace("PORT", str(web.port))
        session = server.session(network=[loopback.rule(web)], record=False)
        tunnelled = server.session(network=[loopback.rule(web, protocol="tcp")], record=False)
        bounded = server.session(network={"rules": [loopback.rule(web)], "bytes": 9 << 20}, record=False)
        for one in (session, tunnelled, bounded):
            one.run(code)
        assert session.value(f"[numbers(kind, {size}) for kind in ('whole', 'open', 'cut')]") == "['', '', 'ConnectionResetError']"
        assert tunnelled.value(f"[numbers(kind, {size}, tunnel=True) for kind in ('whole', 'open')]") == "['', '']"
        result = bounded.run(f"print(numbers('whole', {size}))")
        [event] = result["network"]
        count = int(result["stdout"].split()[0])
        assert 8 << 20 < count <= 9 << 20 and "denied" in result["flags"] and "all the bytes" in event["reason"]


def test_a_session_is_replayed_without_its_servers(light_caller, folder):
    """What was read inside of TLS as well, without the secret; what was passed on unread is named."""
    secret, light = "mellon-of-the-door", light_caller
    key, cert = loopback.certificate(folder, loopback.NAME, "read.test")
    cert.chmod(0o644)
    with loopback.served() as web, loopback.served((key, cert)) as tls:
        rules = loopback.network(folder, loopback.rule(web), {**loopback.rule(tls, "read.test", authority=str(cert)), "secret": {
            "header": "X-Key", "value": "${DOOR_KEY}"}}, loopback.rule(tls))
        server = rpc.Server(light, rules, DOOR_KEY=secret)
        session, passing = server.session(), server.session()
        for one in (session, passing):
            one.run(FETCH)
        said = session.run(f"print(fetch('http://web.test:{web.port}/a?b'), fetch('http://web.test:{web.port}/p', data=b'x' * 100000),"
                           f"fetch('https://read.test:{tls.port}/echo'), fetch('http://other.test/'))")["stdout"]
        assert "hello from /a?b 100000 bytes" in said and "*" * len(secret) in said and secret not in said
        passing.run(f"import subprocess; print(subprocess.getoutput('curl -sSk https://web.test:{tls.port}/unread'))")
        server.close()
    cert.unlink()
    done = light.run("replay", session.id)
    assert (done.returncode, b"all equal" in done.stdout) == (0, True), done
    done = light.run("replay", passing.id, "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 1 and [(one["cell"], one["host"], one["scheme"]) for one in report["unanswered"]] == [(2, "web.test", "tcp")]
    shown = light.run("replay", passing.id).stdout
    assert b"not on record, and nobody was asked" in shown and b"web.test" in shown
    kept = b"".join(path.read_bytes() for path in (light.home / ".local/state/retort").rglob("*") if path.is_file())
    assert kept and secret.encode() not in kept and base64.b64encode(secret.encode()) not in kept


def test_a_gate_that_ends_or_hangs_comes_back(server, web):
    session, other = server.session(network=[loopback.rule(web)]), server.session(network=[loopback.rule(web)])
    for one in (session, other):
        one.run(FETCH)
    fetch = f"fetch('http://web.test:{web.port}/again')"
    for how in (*[signal.SIGKILL] * 8, signal.SIGSTOP):
        [gate] = gates(server.pid)
        os.kill(gate, how)
        [event] = session.run("1")["network"]
        assert event["verdict"] == "failed" and "another one" in event["reason"]
        assert session.run(fetch)["value"]["text/plain"] == "'hello from /again'"
        other.run("1")
        assert other.run(fetch)["value"]["text/plain"] == "'hello from /again'"


def test_a_gate_that_ends_while_it_is_used_is_told_of_once(server, web):
    session = server.session(network=[loopback.rule(web)])
    session.run(FETCH)
    code = f"""
for number in range(40):
    try:
        fetch('http://web.test:{web.port}/%d' % number)
    except OSError:
        __import__('time').sleep(0.05)
"""
    for _ in range(4):
        told, [gate] = len(server.notes), gates(server.pid)
        cell = server.start("session.execute", session=session.id, code=code)
        until(lambda: any(method == "session.network" for method, _ in server.notes[told:]))
        os.kill(gate, signal.SIGKILL)
        events = cell.answer()["network"]
        assert len([event for event in events if "another one" in event.get("reason", "")]) == 1
        assert session.run(f"fetch('http://web.test:{web.port}/on')")["value"]["text/plain"] == "'hello from /on'"


def test_what_was_agreed_with_a_server_is_resumed(light, tls, folder):
    """By the session that agreed on it, and by no other."""
    reused = []

    class Noting(loopback.Handler):
        def do_GET(self):
            reused.append(self.connection.session_reused)
            super().do_GET()

    key = tls.cert.parent / "server.key"
    with loopback.served((key, tls.cert), Noting) as server:
        words = loopback.network(folder, loopback.rule(server, authority=str(tls.cert), paths=["/"]))
        with contextlib.closing(rpc.Server(light, words)) as engine:
            for session in (engine.session(), engine.session()):
                session.run(FETCH + f"print(*(fetch('https://web.test:{server.port}/%d' % n) for n in range(3)))")
    assert reused == [False, True, True] * 2


def test_environments_have_rules(light, web, folder):
    config = folder / "config/retort/environments"
    config.mkdir(parents=True)
    (config / "web.json").write_text(json.dumps({"preload": [], "network": [loopback.rule(web)]}))
    code = FETCH + f"print(fetch('http://web.test:{web.port}/e'))"
    with_config = {"XDG_CONFIG_HOME": str(folder / "config")}
    assert light.result(code, "--environment", "web", env=with_config)["stdout"] == "hello from /e\n"
    (config / "web.json").write_text('{"network": [{"host": "a", "port": 1}]}')
    done = light.run("run", "--environment", "web", "-c", "1", env=with_config)
    assert done.returncode == 125 and b"network" in done.stderr and b"a rule has" in done.stderr


def test_hints_know_of_rules(server, web):
    said = server.session(network=[loopback.rule(web)]).run("%pip install nothing-of-this-name")["stderr"]
    assert "the network is the hosts that this session's rules allow. Missing: nothing-of-this-name." in said
    session = server.session(language="javascript", network=[loopback.rule(web)])
    hint = session.run("require('nothing-of-this-name')")["error"]["hint"]
    assert "nothing-of-this-name is not installed" in hint and "--npm nothing-of-this-name" in hint


def test_a_server_gives_its_own_rules(light, web, folder):
    tokens = folder / "tokens"
    tokens.write_text("one-token-of-many-letters\ntwo-token-of-many-letters name=two\n")
    tokens.chmod(0o600)
    with serving.serving(light, "--token-file", str(tokens), *loopback.network(folder, loopback.rule(web))) as door:
        client = serving.Client(door, "one-token-of-many-letters")
        result = client.run(client.session(), FETCH + f"print(fetch('http://web.test:{web.port}/served'))")
        assert result["stdout"] == "hello from /served\n", result
        _, answer = client.rpc("session.create", network=["other.test"])
        assert "other.test is not among the hosts and ports that this server allows" in answer["error"]["message"]
        _, answer = client.rpc("session.create", network={"rules": ["web.test"], "bytes": 1 << 40})
        assert "this server's own rules hold for everybody" in answer["error"]["message"]
        assert "network" not in client.run(client.session(network=[]), "1")


def test_a_client_chooses_among_the_rules_of_its_server(light, web, folder):
    tokens = folder / "tokens"
    tokens.write_text("one-token-of-many-letters\n")
    tokens.chmod(0o600)
    rules = loopback.rule(web), {**loopback.rule(web), "host": "*.wide.test"}
    with serving.serving(light, "--token-file", str(tokens), *loopback.network(folder, *rules)) as door:
        client = serving.Client(door, "one-token-of-many-letters")
        session = client.session(network=["a.wide.test"])
        got = client.run(session, FETCH + f"print(fetch('http://a.wide.test:{web.port}/chosen'))")
        assert got["stdout"] == "hello from /chosen\n", got
        for other in "web.test", "b.wide.test":
            got = client.run(session, FETCH + f"print(fetch('http://{other}:{web.port}/other'))")
            assert "hello" not in got["stdout"] and "denied" in got["flags"], got


# --- requests that the gate reads ---

def test_requests_inside_of_tls_are_read(light_caller, tls, folder):
    base = f"https://web.test:{tls.port}"
    code = FETCH + f"""
import subprocess
print(fetch("{base}/v1/python"))
print(subprocess.run(["curl", "-sS", "{base}/v1/curl"], capture_output=True, text=True).stdout)
print(subprocess.run(["curl", "-sS", "--socks5-hostname", "127.0.0.1:3128", "{base}/v1/socks"], capture_output=True, text=True).stdout)
print(fetch("{base}/v1/large/300000").count("x"))
print(fetch("{base}/admin"))
print(fetch("{base}/v1/x", data=b"x"))
"""
    rule = loopback.rule(tls, authority=str(tls.cert), methods=["GET"], paths=["/v1"])
    before = len(tls.seen)
    result = light_caller.result(code, *loopback.network(folder, rule))
    lines = result["stdout"].splitlines()
    assert lines[:3] == ["hello from /v1/python", "hello from /v1/curl", "hello from /v1/socks"], result
    assert lines[4:] == ["403 retort: this session may not GET /admin at web.test", "403 retort: this session may not POST /v1/x at web.test"]
    assert tls.seen[before:] == ["GET /v1/python", "GET /v1/curl", "GET /v1/socks", "GET /v1/large/300000"]
    assert sorted((e["scheme"], e["path"], e["verdict"]) for e in result["network"])[:2] == [("https", "/admin", "refused"),
                                                                                             ("https", "/v1/curl", "allowed")]


def test_the_rule_of_the_request_says_where_it_goes(light, tls, folder):
    """Servers are called while their clients still speak of certificates: by the first rule for the host, which may not be the last."""
    key = tls.cert.parent / "server.key"
    with loopback.served((key, tls.cert)) as one, loopback.served((key, tls.cert), place=("127.0.0.2", one.port)) as other:
        rules = [loopback.rule(one, authority=str(tls.cert), paths=["/one/"]),
                 loopback.rule(other, authority=str(tls.cert), paths=["/other/"], address="127.0.0.2")]
        result = light.result(FETCH + f"for path in ('one/1', 'other/2', 'none/3', 'one/4'): print(fetch('https://web.test:{one.port}/' + path))",
                              *loopback.network(folder, *rules))
        said = result["stdout"].splitlines()
        assert said[0] == "hello from /one/1" and said[1] == "hello from /other/2" and said[3] == "hello from /one/4"
        assert "may not GET /none/3" in said[2] and "denied" in result["flags"]
        assert one.seen == ["GET /one/1", "GET /one/4"] and other.seen == ["GET /other/2"]


def test_programs_as_they_are(light, folder):
    """git, pip with its own requests, npm, curl and node's fetch find the gate and trust it by the environment alone."""
    root = folder / "root"
    (root / "simple/thing").mkdir(parents=True)
    with zipfile.ZipFile(root / "simple/thing/thing-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("thing.py", "")
        wheel.writestr("thing-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n")
        wheel.writestr("thing-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("thing-1.0.dist-info/RECORD", "")
    (root / "simple/thing/index.html").write_text('<a href="thing-1.0-py3-none-any.whl">thing-1.0-py3-none-any.whl</a>')
    (root / "package").write_text(json.dumps({"name": "package", "dist-tags": {"latest": "2.0.0"}, "versions": {
        "2.0.0": {"name": "package", "version": "2.0.0", "dist": {"tarball": "https://web.test/none.tgz", "shasum": "0" * 40}}}}))
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(root)]
    subprocess.run([*git, "init", "-q", "work"], check=True)
    subprocess.run([*git, "-C", "work", "commit", "-q", "--allow-empty", "-m", "the first"], check=True)
    subprocess.run([*git, "clone", "-q", "--bare", "work", "repo.git"], check=True)
    subprocess.run([*git, "-C", "repo.git", "update-server-info"], check=True)

    class Files(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *words):
            super().__init__(*words, directory=str(root))

        def log_message(self, *words):
            pass

    key, cert = loopback.certificate(folder, loopback.NAME)
    with loopback.served((key, cert), handler=Files) as server:
        base = f"https://web.test:{server.port}"
        code = f"""
git clone -q {base}/repo.git repo && git -C repo log --format=%s
/usr/bin/python3 -m pip -q --disable-pip-version-check download --no-deps --index-url {base}/simple/ -d out thing && ls out
/usr/bin/python3 -c "from pip._vendor import requests; print(requests.get('{base}/package').status_code)"
npm view package version --registry {base}/
curl -sS -o /dev/null -w '%{{http_code}}\\n' {base}/package
node -e "fetch('{base}/package').then(answer => answer.json()).then(said => console.log(said.name))"
"""
        rule = loopback.rule(server, authority=str(cert), methods=["GET", "HEAD"])
        result = light.result(code, "--timeout", "100", "--memory", "1500", *loopback.network(folder, rule), language="bash")
    assert result["stdout"].split("\n") == ["the first", "thing-1.0-py3-none-any.whl", "200", "2.0.0", "200", "package", ""], result["stderr"]
    assert {event["scheme"] for event in result["network"] if event["verdict"] == "allowed"} == {"https"}


def test_fetch_of_cells(light_caller, tls, folder):
    """Through the gate, by TLS that is read and by TLS that is passed on; what is the session's own it reaches without."""
    port = tls.port
    with contextlib.closing(rpc.Server(light_caller, loopback.network(folder, loopback.rule(tls, authority=str(tls.cert), methods=["GET"])))) as server:
        session = server.session(language="javascript")
        assert session.value(f"await (await fetch('https://web.test:{port}/one')).text()") == "'hello from /one'"
        assert session.value(f"await (await fetch(new URL('https://web.test:{port}/two'), {{cache: 'no-store'}})).text()") == "'hello from /two'"
        result = session.run(f"await fetch('https://other.test:{port}/')")
        assert result["status"] == "error" and "denied" in result["flags"]
        assert "may not connect to other.test" in session.value(f"await fetch('https://other.test:{port}/').catch(e => e.cause.message)")
        assert "may not POST" in session.value(f"(await fetch('https://web.test:{port}/', {{method: 'POST', body: 'x'}})).statusText")
        assert session.value("""
const own = require('http').createServer((_, answer) => answer.end('mine'));
await new Promise(ready => own.listen(0, '127.0.0.1', ready));
const text = await (await fetch(`http://127.0.0.1:${own.address().port}/`)).text();
own.close(); text""") == "'mine'"
    with contextlib.closing(rpc.Server(light_caller, loopback.network(folder, loopback.rule(tls)))) as server:
        session = server.session(language="javascript", env={"NODE_EXTRA_CA_CERTS": "/work/server.pem"})
        server.call("files.write", session=session.id, path="server.pem", base64=base64.b64encode(tls.cert.read_bytes()).decode())
        result = session.run(f"await (await fetch('https://web.test:{port}/passed')).text()")
        assert result["value"]["text/plain"] == "'hello from /passed'", result["error"]
        assert [event["scheme"] for event in result["network"]] == ["tls"]


def test_a_server_that_cannot_prove_its_name(light, tls, folder):
    rule = loopback.rule(tls, name="other.test", authority=str(tls.cert), methods=["GET"])
    result = light.result(FETCH + f"print(fetch('https://other.test:{tls.port}/'))", *loopback.network(folder, rule))
    assert result["stdout"].startswith("502 retort: hostname mismatch"), result["stdout"]
    rule = loopback.rule(tls, methods=["GET"])
    result = light.result(FETCH + f"print(fetch('https://web.test:{tls.port}/'))", *loopback.network(folder, rule))
    assert result["stdout"].startswith("502 retort: self-signed certificate"), result["stdout"]


LOOK = """
import base64, re
def look():
    "Whether something like the secret, or its base64, is anywhere in this process."
    found = set()
    for line in open("/proc/self/maps"):
        part, rights = line.split()[:2]
        first, last = (int(word, 16) for word in part.split("-"))
        if rights[0] != "r" or "[v" in line:
            continue
        with open("/proc/self/mem", "rb") as f:
            f.seek(first)
            try:
                data = f.read(last - first)
            except OSError:
                continue
        found.update(re.findall(rb"sk-[0-9a-f]{24}", data))
        found.update(word for word in re.findall(rb"[A-Za-z0-9+/]{36}", data) if base64.b64decode(word).startswith(b"sk-"))
    return found
"""


@pytest.mark.few
def test_a_secret_is_the_gates_alone(light, tls, folder, count):
    secret = "sk-" + os.urandom(12).hex()
    keys = folder / "key"
    keys.write_text(secret + "\n")
    base, rounds = f"https://web.test:{tls.port}", count(20, 1000)
    code = FETCH + LOOK + f"""
for i in range({rounds}):
    said = fetch("{base}/echo", headers={{"X-Key": "mine"}})
print(said)
print(fetch("http://web.test:{tls.port}/"))
print(look())
"""
    for value, env in (("Bearer ${THE_KEY}", {"THE_KEY": secret}), (f"Bearer ${{{keys}}}", {})):
        rule = loopback.rule(tls, authority=str(tls.cert), secret={"header": "X-Key", "value": value})
        state = folder / "state"
        done = light.run("run", "--record", "--json", "--timeout", "900", *loopback.network(folder, rule, rate=60000), "-c", code,
                         env={**env, "RETORT_STATE": str(state)}, timeout=1000)
        lines = json.loads(done.stdout)["stdout"].splitlines()
        assert json.loads(lines[0])["X-Key"] == "Bearer " + "*" * len(secret)
        assert lines[1].startswith("403 retort: web.test has a secret") and lines[2] == "set()"
        assert tls.heads[-1]["X-Key"] == f"Bearer {secret}"
        kept = [done.stdout, done.stderr, *(path.read_bytes() for path in state.rglob("*") if path.is_file())]
        assert not [data for data in kept if secret.encode() in data or base64.b64encode(secret.encode()) in data]
    done = light.run("run", *loopback.network(folder, rule | {"secret": {"header": "X-Key", "value": "${NO_SUCH}"}}), "-c", "1")
    assert done.returncode == 125 and b"the secret NO_SUCH is not set" in done.stderr


def lines_of(data):
    return base64.encodebytes(data * 3).decode()


ECHOES = {
    "itself": bytes.decode,
    "base64": lambda key: base64.b64encode(key).decode(),
    "behind": lambda key: base64.b64encode(b"user:" + key).decode().rstrip("="),
    "between": lambda key: base64.urlsafe_b64encode(b"Bearer " + key + b"\n").decode().rstrip("="),
    "url": lambda key: urllib.parse.quote(key, safe=""),
    "form": lambda key: urllib.parse.urlencode({"key": key}),
    "json": lambda key: json.dumps({"key": key.decode()}).replace("/", "\\/"),
    "hex": bytes.hex,
    "HEX": lambda key: key.hex().upper(),
    "lines": lines_of,
}


class Echoing(loopback.Handler):
    """Says the key that it was sent, in the form that the path names: whole, and in chunks of one byte, each in a record of its own."""

    def do_GET(self):
        way, _, form = self.path[1:].partition("/")
        self.server.seen.append(self.headers["X-Key"])
        text = ECHOES[form](self.headers["X-Key"].encode())
        getattr(self, way)(text, text.encode())

    def whole(self, text, data):
        self.send_response(200, text if "\n" not in text else None)
        self.send_header("X-Said", " ".join(text.split()))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def pieces(self, _, data, *more, end=b"\r\n"):
        self.send_response(200)
        for header in (*more, ("Transfer-Encoding", "chunked")):
            self.send_header(*header)
        self.end_headers()
        for i in range(len(data)):
            self.wfile.write(b"1\r\n" + data[i:i + 1] + b"\r\n")
            self.wfile.flush()
        self.wfile.write(b"0\r\n" + end)

    def trailer(self, text, _):
        self.pieces("", b"x", end=f"X-Said: {' '.join(text.split())}\r\n\r\n".encode())

    def packed(self, _, data):
        self.pieces("", gzip.compress(data), ("Content-Encoding", "gzip"))


def test_however_a_server_echoes_a_secret(light_caller, tls, folder):
    """In a head, a reason, a body, split anywhere, and as programs write it down; what cannot be looked through does not come at all."""
    secret = 'sk+/"~%' + os.urandom(6).hex() + ">x?"
    code = FETCH + f"""
def told(path):
    try:
        with urllib.request.urlopen("https://web.test:{{}}" + path, timeout=20) as answer:
            return answer.reason, answer.headers["X-Said"], answer.read().decode()
    except urllib.error.HTTPError as e:
        return e.code, e.read().decode()
    except Exception as e:
        return type(e).__name__,
for form in {list(ECHOES)!r}:
    print(told("/whole/" + form), told("/pieces/" + form)[2])
print(told("/trailer/itself"), told("/packed/itself"))
"""
    key, cert = tls.cert.with_name("server.key"), tls.cert
    with loopback.served((key, cert), Echoing) as server:
        rule = loopback.rule(server, authority=str(cert), secret={"header": "X-Key", "value": "${THE_KEY}"})
        state = light_caller.home / "echoes"
        done = light_caller.run("run", "--record", "--json", "--timeout", "120", *loopback.network(folder, rule), "-c",
                                code.replace("{}", str(server.port)), env={"THE_KEY": secret, "RETORT_STATE": str(state)})
        result = json.loads(done.stdout)
        lines = result["stdout"].splitlines()
        assert result["status"] == "ok" and set(server.seen) == {secret}, result
    assert sum(line.count("****") >= 2 for line in lines) >= len(ECHOES), lines
    assert lines[-1].startswith(("('IncompleteRead',)", "('ConnectionResetError',)")), lines[-1]  # torn, however soon
    assert "has packed its answer" in lines[-1]
    said = "".join(result["stdout"].split())
    wrong = [form for form, write in ECHOES.items() if "".join(write(secret.encode()).split())[-24:] in said.replace("\\\\", "\\")]
    assert wrong == [] and secret[8:20] not in said, lines
    kept = [done.stderr, *(path.read_bytes() for path in state.rglob("*") if path.is_file())]
    assert not [data for data in kept if secret.encode() in data or base64.b64encode(secret.encode()) in data]


def test_a_secret_has_one_name(light, tls, folder):
    rule = loopback.rule(tls, secret={"header": "X-Key", "value": "${THE_KEY}:${OTHER}"})
    done = light.run("run", *loopback.network(folder, rule), "-c", "1", env={"THE_KEY": "secret", "OTHER": "another"})
    assert done.returncode == 125 and b"${NAME}, once" in done.stderr


def core_limits(pid):
    lines = pathlib.Path(f"/proc/{pid}/limits").read_text().splitlines()
    return next(line.split()[4:6] for line in lines if "core file" in line)


def test_no_core_has_the_secret(light_caller, tls, folder):
    """Neither the gate, whose memory nobody of its user may read, nor the engine, which has read the key, nor code of a session
    leaves one, whatever limits it sets."""
    keys = folder / "key"
    keys.write_text("sk-" + os.urandom(12).hex())
    keys.chmod(0o644)
    rule = loopback.rule(tls, authority=str(tls.cert), secret={"header": "X-Key", "value": f"${{{keys}}}"})
    server = rpc.Server(light_caller, loopback.network(folder, rule))
    try:
        session = server.session()
        session.run(FETCH)
        ask = f"fetch('https://web.test:{tls.port}/echo')"
        assert "****" in session.value(ask)
        [gate] = gates(server.pid)
        assert core_limits(gate) == ["0", "0"] and core_limits(server.pid)[0] in ("0", "1")
        assert os.stat(f"/proc/{gate}").st_uid != 0 == os.stat(f"/proc/{gate}/mem").st_uid
        assert session.value("""
import os, resource
try: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
except (OSError, ValueError): pass
if (child := os.fork()) == 0: os.abort()
os.WCOREDUMP(os.waitpid(child, 0)[1])""") == "False"
        os.kill(gate, signal.SIGSEGV)
        session.run("1")
        assert "****" in session.value(ask) and gates(server.pid) != [gate]
    finally:
        server.close()


def test_clients_name_no_secrets(server):
    with pytest.raises(rpc.Failure, match="not by a client"):
        server.session(network=[{"host": "web.test", "secret": {"header": "X", "value": "${HOME}"}}])


# --- floods ---

def processor_time(pid):
    return sum(map(int, pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.few
def test_clients_that_hang_up_inside_of_tls(light, tls, folder):
    """Whoever leaves while the gate writes to him ends his own connection, and not the gate."""
    rule = loopback.rule(tls, authority=str(tls.cert), methods=["GET"])
    server = rpc.Server(light, loopback.network(folder, rule, rate=60000))
    try:
        session = server.session()
        session.run(FETCH)
        [gate] = gates(server.pid)
        result = session.run(f"""
import socket, ssl, struct
context = ssl.create_default_context()
for i in range(60):
    s = socket.create_connection(("127.0.0.1", 3128))
    s.sendall(b"CONNECT web.test:{tls.port} HTTP/1.1\\r\\n\\r\\n"); s.recv(4096)
    s = context.wrap_socket(s, server_hostname="web.test")
    s.sendall(b"GET /large/2000000 HTTP/1.1\\r\\nHost: web.test:{tls.port}\\r\\n\\r\\n")
    s.recv(1000 if i % 2 else 100000)
    if i % 3:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    s.close()
""")
        assert result["status"] == "ok", result["error"]
        assert session.value(f"fetch('https://web.test:{tls.port}/after')") == "'hello from /after'"
        assert gates(server.pid) == [gate]
    finally:
        server.close()


def test_a_server_that_does_not_speak_tls_costs_nothing(light, folder):
    """It accepts and says nothing: the gate waits, and does not ask again and again."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        mute.settimeout(60)
        rule = {"host": "web.test", "address": "127.0.0.1", "ports": [mute.getsockname()[1]], "methods": ["GET"]}
        server = rpc.Server(light, loopback.network(folder, rule))
        try:
            session = server.session()
            session.run(FETCH)
            pending = session.start(f"urllib.request.urlopen('https://web.test:{mute.getsockname()[1]}/', timeout=3)")
            with mute.accept()[0] as connection:
                [gate] = gates(server.pid)
                before = processor_time(gate)
                assert pending.answer()["status"] == "error"
                used = processor_time(gate) - before
                assert used < 0.3, used
                assert connection.recv(1) == b"\x16"
        finally:
            server.close()


def memory_of(pid):
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) >> 10


def test_a_flood_harms_nobody_else(light, web, folder, count):
    """Thousands of connections that say nothing, and long bodies: others go on, and the gate needs no more memory than before."""
    limits = {"rules": [loopback.rule(web)], "bytes": 1 << 40, "rate": 60000, "connections": 256}
    server = rpc.Server(light)
    try:
        flooder, other = server.session(network=limits), server.session(network=limits)
        other.run(FETCH)
        flood = flooder.start(f"""
import socket
for round in range({count(10, 40)}):
    held = []
    for i in range(250):
        s = socket.socket(); s.setblocking(False)
        try: s.connect(("127.0.0.1", 3128))
        except BlockingIOError: pass
        try: s.send(b"GET ")
        except OSError: pass
        held.append(s)
    del held
""", timeout=120)
        answers = {other.value(f"fetch('http://web.test:{web.port}/beside')") for _ in range(20)}
        assert answers == {"'hello from /beside'"} and flood.answer()["status"] == "ok"
        [gate] = gates(server.pid)
        size = count(100, 1000) * 1000000
        assert other.value(f"""
import urllib.request
got = 0
with urllib.request.urlopen("http://web.test:{web.port}/large/{size}") as answer:
    while piece := answer.read(1 << 16):
        got += len(piece)
got""") == str(size)
        assert gates(server.pid) == [gate] and memory_of(gate) < 160
    finally:
        server.close()
