"""Heads of requests that a proxy and the server could read differently, at the raw socket and behind real proxies."""
import json
import re
import shutil
import socket
import subprocess
import tempfile
import time

import pytest

from serving import Client, serving

BODY = b'{"jsonrpc":"2.0","id":1,"method":"session.list"}'
HEAD = b"POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
LENGTH = b"Content-Length: %d\r\n" % len(BODY)
HIDDEN = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(scope="module")
def server(light):
    with serving(light, "--no-auth") as running:
        yield running


def talk(port, *pieces, patience=None):
    """Everything that comes back until the server hangs up. With `patience` the client does not say that it has no more to
    send, which proxies take for its end, but hangs up itself when nothing comes for so long."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        for piece in pieces:
            connection.sendall(piece)
        if patience is None:
            connection.shutdown(socket.SHUT_WR)
        connection.settimeout(patience or 60)
        seen = b""
        try:
            while data := connection.recv(65536):
                seen += data
        except ConnectionResetError:
            pass
        except TimeoutError:
            assert patience
        return seen


GOOD = {
    "usual": HEAD + LENGTH + b"\r\n" + BODY,
    "chunked": HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY),
    "no space after the colon": HEAD.replace(b": ", b":") + LENGTH + b"\r\n" + BODY,
    "many headers": HEAD + b"".join(b"X-%d: %b\r\n" % (n, b"v" * 200) for n in range(150)) + LENGTH + b"\r\n" + BODY,
    "an empty value": HEAD + b"X:\r\nY: \r\n" + LENGTH + b"\r\n" + BODY,
    "a cookie": HEAD + b"Cookie: a=b; c=d\r\n" + LENGTH + b"\r\n" + BODY,
    "an empty line before it": b"\r\n" + HEAD + LENGTH + b"\r\n" + BODY,
    "a query": HEAD.replace(b"/rpc", b"/rpc?a=%20b&c") + LENGTH + b"\r\n" + BODY,
}

BAD = {
    "two lengths": HEAD + LENGTH + b"Content-Length: 5\r\n\r\n" + BODY,
    "the same length twice": HEAD + LENGTH + LENGTH + b"\r\n" + BODY,
    "a list of lengths": HEAD + b"Content-Length: 48, 48\r\n\r\n" + BODY,
    "a signed length": HEAD + b"Content-Length: +48\r\n\r\n" + BODY,
    "a length in hexadecimal": HEAD + b"Content-Length: 0x30\r\n\r\n" + BODY,
    "a length and chunks": HEAD + LENGTH + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN,
    "chunks and a length": HEAD + b"Transfer-Encoding: chunked\r\n" + LENGTH + b"\r\n0\r\n\r\n" + HIDDEN,
    "chunks twice": HEAD + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN,
    "another encoding": HEAD + b"Transfer-Encoding: identity\r\n" + LENGTH + b"\r\n" + BODY,
    "an encoding with a tab": HEAD + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n" + HIDDEN,
    "a space before the colon": HEAD + LENGTH.replace(b":", b" :") + b"\r\n" + BODY,
    "chunks, a space before the colon": HEAD + b"Transfer-Encoding : chunked\r\n" + LENGTH + b"\r\n" + BODY,
    "two hosts": HEAD + b"Host: evil.example\r\n" + LENGTH + b"\r\n" + BODY,
    "the same host twice": HEAD + b"Host: localhost\r\n" + LENGTH + b"\r\n" + BODY,
    "no host": HEAD.replace(b"Host: localhost\r\n", b"") + LENGTH + b"\r\n" + BODY,
    "line feeds": (HEAD + LENGTH).replace(b"\r\n", b"\n") + b"\n" + BODY,
    "one line feed": HEAD + b"X: a\n" + LENGTH + b"\r\n" + BODY,
    "a hidden length": HEAD + b"X: a\nContent-Length: 0\r\n\r\n" + BODY,
    "a line feed made up for by a space": HEAD.replace(b"Host: ", b"Host:  ") + b"X: a\n" + LENGTH + b"\r\n" + BODY,
    "a line feed after the request line": HEAD.replace(b"1.1\r\n", b"1.1\n") + LENGTH + b"\r\n" + BODY,
    "a line feed at the last header": HEAD + LENGTH[:-2] + b"\n\r\n" + BODY,
    "a line feed as empty line": HEAD + LENGTH + b"\n" + BODY,
    "a carriage return alone": HEAD + b"X: a\rContent-Length: 0\r\n" + LENGTH + b"\r\n" + BODY,
    "a continued line": HEAD + b"X: a\r\n b\r\n" + LENGTH + b"\r\n" + BODY,
    "a continued length": HEAD + b"Content-Length: 4\r\n 8\r\n\r\n" + BODY,
    "a continued last line": HEAD + LENGTH + b"X: a\r\n\tb\r\n\r\n" + BODY,
    "a continued first line": HEAD.replace(b"Host", b" Host") + LENGTH + b"\r\n" + BODY,
    "a NUL in a value": HEAD + b"X: a\0b\r\n" + LENGTH + b"\r\n" + BODY,
}


@pytest.mark.parametrize("name", GOOD)
def test_clear_requests_are_served(server, name):
    for pieces in ([GOOD[name]], [GOOD[name] * 3], [GOOD[name][:40], GOOD[name][40:]]):
        seen = talk(server.port, *pieces)
        assert seen.count(b"HTTP/1.1 200 OK") == (3 if len(pieces[0]) > len(GOOD[name]) else 1), seen
        assert seen.count(b'"sessions"') == seen.count(b"HTTP/1.1 ")


@pytest.mark.parametrize("before", ["", "after a good one"])
@pytest.mark.parametrize("name", BAD)
def test_unclear_requests_are_refused_and_end_the_connection(server, name, before):
    good = GOOD["usual"] if before else b""
    seen = talk(server.port, good + BAD[name] + HIDDEN)
    answers = re.findall(rb"HTTP/1\.1 (\d+) ", seen)  # not the page of libmicrohttpd 1.0, which says «HTTP/1.1 request without …»
    if before:
        assert answers.pop(0) == b"200"
    assert set(answers) <= {b"400"}, seen  # libmicrohttpd's own may be sent twice
    assert b'"status":"ok"' not in seen
    assert json.loads(Client(server).request("GET", "/healthz")[2]) == {"status": "ok"}


# ---- behind proxies ----

NGINX = """daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    upstream retort {{ server 127.0.0.1:{port}; keepalive 1; }}
    server {{
        listen 127.0.0.1:{own};
        location /healthz {{ deny all; }}
        location / {{ proxy_pass http://retort; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host localhost; }}
    }}
}}
"""

HAPROXY = """global
    maxconn 64
defaults
    mode http
    timeout connect 10s
    timeout client 20s
    timeout server 20s
    http-reuse always
frontend front
    bind 127.0.0.1:{own}
    http-request deny if {{ path /healthz }}
    default_backend retort
backend retort
    server one 127.0.0.1:{port}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    end = time.monotonic() + 60
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.02)


@pytest.fixture(scope="module", params=["nginx", "haproxy"])
def proxy(request, server):
    """The port of a proxy that keeps everybody from /healthz."""
    program = shutil.which(request.param, path="/usr/sbin:/usr/bin")
    if not program:
        pytest.skip(f"{request.param} is not installed")
    folder, own = tempfile.mkdtemp(prefix="retort-proxy-"), free_port()
    text = (NGINX if request.param == "nginx" else HAPROXY).format(folder=folder, own=own, port=server.port)
    with open(f"{folder}/conf", "w", encoding="utf-8") as file:
        file.write(text)
    words = [program, "-p", folder, "-c", f"{folder}/conf"] if request.param == "nginx" else [program, "-f", f"{folder}/conf"]
    running = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(own)
        yield own
    finally:
        running.terminate()
        running.wait()
        shutil.rmtree(folder, ignore_errors=True)


LAST = GOOD["usual"].replace(b"Content-Type", b"Connection: close\r\nContent-Type")


def test_a_proxy_serves_what_is_clear(proxy):
    assert b'"sessions"' in talk(proxy, LAST, patience=60)


@pytest.mark.parametrize("name", BAD)
def test_nothing_is_smuggled_past_a_proxy(proxy, server, name):
    """Whoever sends the next request over the same connection to the server gets the answer to it, and to nothing else."""
    refused = server_requests(server)
    seen = talk(proxy, BAD[name] + HIDDEN, patience=0.3)
    assert b'"status":"ok"' not in seen
    assert b'"sessions"' in talk(proxy, LAST, patience=60)
    assert server_requests(server) == refused


def server_requests(server):
    """How often /healthz was served so far."""
    return sum(1 for entry in list(server.log) if entry.get("path") == "/healthz")
