"""H8 to H10: sessions that may connect to one server, and try everything else. That server and what must not be reached are on this
host's loopback, or in namespaces that the tests made."""
import ctypes
import dataclasses
import socket
import subprocess
import threading

import loopback
import pytest
import rpc
from ring import refused
from test_h_network import CONNECT, UNREACHABLE

ASK = """
import json, socket, ssl
def ask(*pieces, proxy=("127.0.0.1", 3128)):
    "What the gate, or whoever it passes this on to, answers to these bytes: the first line of it."
    with socket.create_connection(proxy, 10) as s:
        s.settimeout(10)
        said = b""
        try:
            for piece in pieces:
                s.sendall(piece)
                if piece is not pieces[-1]:
                    said = s.recv(65536)
            while (more := s.recv(65536)):
                said += more
        except OSError as e:
            said += type(e).__name__.encode()
    return said.decode("latin-1")
def get(url, host=None, more=""):
    host = host or url.split("/")[2]
    return ask(f"GET {url} HTTP/1.1\\r\\nHost: {host}\\r\\n{more}\\r\\n".encode())
def tell(label, said):
    print(label, said.split("\\r\\n")[0])
"""
DENIED = "HTTP/1.1 403 retort:"
UNREAD = "HTTP/1.1 400 retort: this is no"


@pytest.fixture
def web(box):
    """The server that is allowed; nothing that a case has no business with may reach it."""
    with loopback.served() as server:
        yield server


@pytest.fixture
def secret(box):
    """One on the host's loopback that nobody has allowed."""
    with loopback.served() as server:
        yield server
        assert server.seen == []


def run(box, code, *rules, language="python", **limits):
    folder = box.caller.home / "rules"
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    box.caller.home.chmod(0o755)
    return box.run(ASK + code, *loopback.network(folder, *rules, **limits), language=language)


def said(outcome):
    pairs = [line.split(" ", 1) for line in outcome["stdout"].splitlines()]
    return {pair[0]: pair[1] for pair in pairs}


def all_denied(outcome):
    wrong = {label: answer for label, answer in said(outcome).items() if not answer.startswith((DENIED, UNREAD))}
    assert wrong == {} and said(outcome) and "denied" in outcome["flags"], outcome.result
    assert all(event["verdict"] == "refused" for event in outcome["network"])


def test_H8_other_hosts_and_ports(box, web, secret):
    code = f"""
tell("host", get("http://other.test/"))
tell("port", get("http://web.test:{secret.port}/"))
tell("below", get("http://x.web.test:{web.port}/"))
tell("suffix", get("http://xweb.test:{web.port}/"))
tell("user", get("http://web.test:{web.port}@127.0.0.1:{secret.port}/"))
tell("connect", ask(b"CONNECT other.test:443 HTTP/1.1\\r\\n\\r\\n"))
"""
    all_denied(run(box, code, loopback.rule(web)))
    assert web.seen == []


def test_H8_the_hosts_loopback(box, web, secret):
    names = ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]",
             "[::ffff:7f00:1]", "127.0.0.1.", "LOCALHOST", "localhost."]
    code = f"for name in {names!r}: tell(name, get(f'http://{{name}}:{secret.port}/'))"
    all_denied(run(box, code, loopback.rule(web)))


def test_H8_a_name_that_leads_inside(box, web, secret):
    """localhost is in every /etc/hosts: a rule that names it does not name its address."""
    code = f"tell('localhost', get('http://localhost:{secret.port}/'))"
    outcome = run(box, code, {"host": "localhost", "ports": [secret.port]}, loopback.rule(web))
    all_denied(outcome)
    assert "inside of this network" in outcome["network"][0]["reason"]


class Names(threading.Thread):
    """A name server in a network namespace: each look-up of turn.test gets the next of these addresses, the last one for ever."""

    def __init__(self, namespace, *addresses):
        super().__init__(daemon=True)
        self.namespace, self.addresses, self.asked = namespace, list(addresses), 0
        self.ready, self.over = threading.Event(), threading.Event()

    def __enter__(self):
        self.start()
        assert self.ready.wait(60)
        return self

    def __exit__(self, *problem):
        self.over.set()
        self.join()

    def run(self):
        with open(self.namespace) as namespace:
            assert ctypes.CDLL(None).setns(namespace.fileno(), 0x40000000) == 0
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.bind(("127.0.0.1", 53))
            s.settimeout(0.05)
            self.ready.set()
            while not self.over.is_set():
                try:
                    query, asker = s.recvfrom(512)
                except TimeoutError:
                    continue
                self.reply(s, query, asker)

    def reply(self, s, query, asker):
        if answer := self.answer(query):
            s.sendto(answer, asker)

    def answer(self, query):
        question = query[12:query.index(b"\0", 12) + 5]
        if question[-4:-2] != b"\0\1":  # an address of version 4
            return query[:2] + b"\x81\x80\0\1\0\0\0\0\0\0" + question
        address = self.addresses[min(self.asked, len(self.addresses) - 1)]
        self.asked += 1
        return query[:2] + b"\x81\x80\0\1\0\1\0\0\0\0" + question + b"\xc0\x0c\0\1\0\1\0\0\0\0\0\4" + socket.inet_aton(address)


class SlowNames(Names):
    """Says nothing of names that begin with slow, and notes them, until it is asked for another one."""

    def __init__(self, namespace):
        super().__init__(namespace, "127.0.0.1")
        self.slow = set()

    def answer(self, query):
        name = query[13:13 + query[12]]
        if not name.startswith(b"slow"):
            return super().answer(query)
        if not self.asked:
            self.slow.add(name)
            return b""
        return query[:2] + b"\x81\x83\0\1\0\0\0\0\0\0" + query[12:query.index(b"\0", 12) + 5]  # there is none


@pytest.fixture
def network_of_its_own(box, tmp_path):
    """Where the caller has a network with nothing but a loopback, on which a name server can be made. Gives its path."""
    holder = subprocess.Popen(["/usr/bin/unshare", "--net", "/bin/sh", "-c", "ip link set lo up && echo up; exec sleep 3600"], stdout=-1)
    assert holder.stdout.readline() == b"up\n"
    (tmp_path / "resolv.conf").write_text("nameserver 127.0.0.1\noptions timeout:20 attempts:1\n")
    (tmp_path / "resolv.conf").chmod(0o644)
    place = f"/proc/{holder.pid}/ns/net"
    mount = f'mount --bind {tmp_path}/resolv.conf /etc/resolv.conf && exec "$@"'
    prefix = ("/usr/bin/nsenter", f"--net={place}", "/usr/bin/unshare", "--mount", "--propagation", "private", "/bin/sh", "-c", mount, "sh")
    usual = box.caller
    box.caller = dataclasses.replace(usual, prefix=(*prefix, *usual.prefix))
    yield place
    box.caller = usual
    holder.kill()
    holder.communicate()


@pytest.mark.as_root
def test_H8_a_name_that_changes_its_address(box, network_of_its_own):
    """First it leads outside, where nobody answers here; then to the host. Each connection asks once, and is judged by that."""
    with Names(network_of_its_own, "8.8.8.8", "127.0.0.1", "10.0.0.1") as names:
        outcome = run(box, 'for i in range(3): tell(str(i), get("http://turn.test/"))', "turn.test")
    answers = said(outcome)
    assert answers["0"].startswith("HTTP/1.1 502 retort: the server cannot be reached")
    assert answers["1"].startswith(DENIED + " turn.test leads to an address inside") and answers["2"].startswith(DENIED)
    assert names.asked == 3


@pytest.mark.as_root
@pytest.mark.few
def test_H10_slow_names_of_another_session(box, network_of_its_own):
    """As many as the gate can look up at a time are asked for by one session: the other does not wait for them."""
    asked = """
import socket
held = []
for n in range(40):
    s = socket.create_connection(("127.0.0.1", 3128))
    s.sendall(b"CONNECT slow%d.test:80 HTTP/1.1\\r\\n\\r\\n" % n)
    held.append(s)
"""
    with SlowNames(network_of_its_own) as names:
        server = rpc.Server(box.caller)
        try:
            slow, quick = (server.session(network={"rules": ["*.test"], "connections": 64}, record=False) for _ in range(2))
            assert slow.run(asked)["status"] == "ok"
            quick.run(ASK)
            assert "inside of this network" in quick.value("get('http://quick.test/')")
            assert len(names.slow) <= 8, names.slow
        finally:
            server.close()


class LateNames(Names):
    """Answers the first question for an address together with the second one."""

    def __init__(self, namespace):
        super().__init__(namespace, "8.8.8.8")
        self.held = []

    def reply(self, s, query, asker):
        if query[query.index(b"\0", 12) + 1:][:2] != b"\0\1":
            super().reply(s, query, asker)
        elif not self.held:
            self.held.append((query, asker))
        else:
            for one in (*self.held, (query, asker)):
                super().reply(s, *one)


@pytest.mark.as_root
def test_H10_a_refused_request_whose_server_is_still_being_looked_up(box, network_of_its_own):
    """What was refused stays refused when the address comes: nobody is called, and nothing more is told of it."""
    code = """
s = socket.create_connection(("127.0.0.1", 3128))
s.sendall(b"CONNECT late.test:443 HTTP/1.1\\r\\n\\r\\n")
s.recv(65536)
tls = ssl._create_unverified_context().wrap_socket(s, server_hostname="late.test")
tls.sendall(b"POST / HTTP/1.1\\r\\nHost: late.test\\r\\nContent-Length: 0\\r\\n\\r\\n")
tell("refused", tls.recv(65536).decode())
tell("next", get("http://late.test/"))
try:
    s.recv(65536)
except OSError:
    pass
"""
    with LateNames(network_of_its_own):
        outcome = run(box, code, {"host": "late.test", "methods": ["GET"]})
    answers = said(outcome)
    assert answers["refused"].startswith(DENIED) and answers["next"].startswith("HTTP/1.1 502"), outcome.result
    assert sorted(event["verdict"] for event in outcome["network"]) == ["failed", "refused"], outcome["network"]


@pytest.mark.as_root
def test_H8_an_address_of_the_host_itself(box, network_of_its_own):
    """One that looks like any on the internet is refused all the same when it is this machine's."""
    subprocess.run(["/usr/bin/nsenter", f"--net={network_of_its_own}", "ip", "addr", "add", "8.8.8.8/32", "dev", "lo"], check=True)
    with Names(network_of_its_own, "8.8.8.8"):
        all_denied(run(box, 'tell("own", get("http://turn.test/"))', "turn.test"))


def test_H8_metadata(box, web):
    code = """
for name in ("169.254.169.254", "[::ffff:169.254.169.254]", "[fd00:ec2::254]", "2852039166"):
    tell(name, get(f"http://{name}/latest/"))
tell("connect", ask(b"CONNECT 169.254.169.254:80 HTTP/1.1\\r\\n\\r\\n"))
"""
    all_denied(run(box, code, loopback.rule(web)))


def test_H8_connect_to_an_address(box, web, secret):
    """Also to that of the allowed server: the rule is for its name."""
    code = f"""
for at in ("127.0.0.1:{web.port}", "127.0.0.1:{secret.port}", "[::ffff:127.0.0.1]:{web.port}", "[::1]:{web.port}"):
    tell(at, ask(f"CONNECT {{at}} HTTP/1.1\\r\\n\\r\\n".encode()))
socks = ask(b"\\5\\1\\0", b"\\5\\1\\0\\1\\x7f\\0\\0\\1" + ({web.port}).to_bytes(2, "big"))
tell("socks", "{DENIED}" if socks[2:4] == "\\5\\2" or socks[:2] == "\\5\\2" else repr(socks))
"""
    all_denied(run(box, code, loopback.rule(web)))
    assert web.seen == []


def test_H8_raw_sockets_and_names(box, web, tripwire):
    """A gate is no route: what connects without it gets nowhere."""
    code = CONNECT + f"""
attempt("tcp", tcp, {tripwire.tcp!r})
attempt("udp", udp, {tripwire.udp!r})
attempt("dns", udp, ("127.0.0.53", 53))
attempt("server", tcp, ("127.0.0.1", {web.port}))
attempt("metadata", tcp, ("169.254.169.254", 80))
attempt("raw", socket.socket, socket.AF_INET, socket.SOCK_RAW, 1)
attempt("name", socket.getaddrinfo, "web.test", 80)
"""
    attempts = box.attempts(code, "--allow", "web.test")
    assert attempts.pop("name") in ("OSError", "gaierror")
    refused(attempts, *UNREACHABLE, "EAFNOSUPPORT")


def test_H8_a_request_behind_another(box, web):
    """One request for each connection: what follows it is not passed on, however it is hidden."""
    behind = "GET http://web.test:{port}/behind HTTP/1.1\\r\\nHost: web.test:{port}\\r\\n\\r\\n".format(port=web.port)
    head = f"POST http://web.test:{web.port}/first HTTP/1.1\\r\\nHost: web.test:{web.port}\\r\\n"
    code = f"""
behind = b"{behind}"
head = b"{head}"
tell("pipelined", ask(head + b"Content-Length: 2\\r\\n\\r\\nxx" + behind))
tell("chunked", ask(head + b"Transfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n" + behind))
tell("both", ask(head + b"Content-Length: 5\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n" + behind))
tell("twice", ask(head + b"Content-Length: 2\\r\\nContent-Length: 200\\r\\n\\r\\nxx" + behind))
tell("folded", ask(head + b"X: y\\r\\n Content-Length: 200\\r\\n\\r\\n" + behind))
tell("space", ask(head + b"Content-Length : 200\\r\\n\\r\\n" + behind))
tell("feeds", ask(head.replace(b"\\r\\n", b"\\n") + b"\\n" + behind))
tell("trailer", ask(head + b"Transfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n" + behind))
"""
    outcome = run(box, code, loopback.rule(web))
    answers = said(outcome)
    assert answers.pop("pipelined") == answers.pop("chunked") == "HTTP/1.1 200 OK"
    assert all(answer.startswith("HTTP/1.1 400 retort:") for answer in answers.values()), answers
    assert not [line for line in web.seen if "behind" in line]


def test_H8_a_method_or_a_path_in_a_header(box, web):
    """Some servers obey these instead of the line that the rule was asked for."""
    others = ["X-HTTP-Method-Override: DELETE", "x_http_method: DELETE", "X-Method-Override: DELETE", "X-Original-URL: /admin",
              "X-Rewrite-URL: /admin"]
    more = "".join(line + "\\r\\n" for line in [*others, "X-Mine: kept"])
    code = f"""
tell("allowed", get("http://web.test:{web.port}/v1/a", more="{more}"))
for path in ("/admin", "/v1/../admin", "/v1/%2e%2e/admin", "/v1/%252e%252e/admin", "/v1/%c0%ae%c0%ae/admin"):
    tell(path, get("http://web.test:{web.port}" + path))
"""
    outcome = run(box, code, loopback.rule(web, methods=["GET"], paths=["/v1/"]))
    answers = said(outcome)
    assert answers.pop("allowed") == "HTTP/1.1 200 OK" and all(answer.startswith(DENIED) for answer in answers.values()), answers
    [head] = web.heads
    assert head["X-Mine"] == "kept" and not [name for name in head if "verrid" in name or "ethod" in name or "URL" in name], head
    assert web.seen == ["GET /v1/a"]


def test_H8_a_host_header_that_differs(box, web):
    code = f"""
tell("other", get("http://web.test:{web.port}/", host="other.test"))
tell("port", get("http://web.test:{web.port}/", host="web.test"))
tell("twice", get("http://web.test:{web.port}/", more="Host: other.test\\r\\n"))
tell("inner", ask(b"CONNECT web.test:{web.port} HTTP/1.1\\r\\n\\r\\n", b"GET / HTTP/1.1\\r\\nHost: other.test\\r\\n\\r\\n").split("\\r\\n\\r\\n", 1)[1])
"""
    all_denied(run(box, code, loopback.rule(web)))
    assert web.seen == []


def test_H8_tls_that_names_another_server(box, web):
    """The tunnel is to web.test; the hello names somebody else, or nobody."""
    code = f"""
def hello(name):
    context = ssl._create_unverified_context()
    with socket.create_connection(("127.0.0.1", 3128), 10) as s:
        s.sendall(b"CONNECT web.test:{web.port} HTTP/1.1\\r\\n\\r\\n")
        assert b" 200 " in s.recv(4096)
        try:
            context.wrap_socket(s, server_hostname=name)
        except ssl.SSLError as e:
            return "{DENIED} " + e.reason if "ACCESS_DENIED" in e.reason else e.reason
        return "connected"
tell("other", hello("other.test"))
tell("none", hello(None))
tell("address", hello("127.0.0.1"))
"""
    outcome = run(box, code, loopback.rule(web))
    all_denied(outcome)
    assert "TLS names the server other.test in a connection to web.test" in [event["reason"] for event in outcome["network"]]


def test_H8_a_redirect(box, web):
    code = f"""
import urllib.request, urllib.error
try:
    urllib.request.urlopen("http://web.test:{web.port}/away")
except urllib.error.HTTPError as e:
    print("redirect", "HTTP/1.1", e.code, e.reason)
"""
    outcome = run(box, code, loopback.rule(web))
    assert said(outcome)["redirect"].startswith(DENIED + " this session may not connect to elsewhere.test:80")
    assert [event["verdict"] for event in outcome["network"]] == ["allowed", "refused"]


def test_H8_other_protocols_in_a_tunnel(box, web):
    code = f"""
tunnel = b"CONNECT web.test:{web.port} HTTP/1.1\\r\\n\\r\\n"
tell("ssh", ask(tunnel, b"SSH-2.0-x\\r\\n\\r\\n").split("\\r\\n\\r\\n", 1)[1])
tell("bytes", ask(tunnel, bytes(range(1, 20)) + b"\\r\\n\\r\\n").split("\\r\\n\\r\\n", 1)[1])
"""
    all_denied(run(box, code, loopback.rule(web)))
    assert web.seen == []


def test_H9_methods_and_paths(box, web):
    base = f"http://web.test:{web.port}"
    code = f"""
def request(method, path):
    return ask(f"{{method}} {base}{{path}} HTTP/1.1\\r\\nHost: web.test:{web.port}\\r\\n\\r\\n".encode())
tell("allowed", request("GET", "/v1/x"))
for i, path in enumerate(("/", "/v10", "/v1/../admin", "/v1/%2e%2e/admin", "/v1//admin", "/V1")):
    tell(f"path{{i}}", request("GET", path))
tell("method", request("DELETE", "/v1/x"))
"""
    outcome = run(box, code, loopback.rule(web, methods=["GET"], paths=["/v1"]))
    answers = said(outcome)
    assert answers.pop("allowed") == "HTTP/1.1 200 OK"
    assert all(answer.startswith(DENIED) for answer in answers.values()), answers
    assert web.seen == ["GET /v1/x"]


def test_H10_floods(box, web):
    """Connections that say nothing, more than there may be; another session and the server's next request go on."""
    code = f"""
import resource, time
held = []
for i in range(500):
    s = socket.socket(); s.setblocking(False)
    try: s.connect(("127.0.0.1", 3128))
    except BlockingIOError: pass
    held.append(s)
time.sleep(0.5)
print("held", len(held))
for s in held: s.close()
"""
    outcome = run(box, code, loopback.rule(web), connections=8)
    assert said(outcome) == {"held": "500"}
    code = f"""
print("bytes", len(get("http://web.test:{web.port}/large/3000000")) < 3000000)
tell("after", get("http://web.test:{web.port}/"))
"""
    outcome = run(box, code, loopback.rule(web), bytes=1000000)
    assert said(outcome)["bytes"] == "True" and said(outcome)["after"].startswith(DENIED)
    code = f"for i in range(20): tell(str(i), get('http://web.test:{web.port}/'))"
    answers = list(said(run(box, code, loopback.rule(web), rate=10)).values())
    assert answers[:10] == ["HTTP/1.1 200 OK"] * 10 and any(a.startswith("HTTP/1.1 429 retort:") for a in answers[10:])
