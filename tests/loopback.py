"""Servers on this host's loopback that sessions reach by their gate: rules name the address, so no name server is asked."""
import contextlib
import http.server
import json
import pathlib
import ssl
import subprocess
import threading

NAME = "web.test"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = b"hello from " + self.path.encode()
        if self.path.startswith("/echo"):
            body = json.dumps(dict(self.headers)).encode()
        if self.path.startswith("/large/"):
            body = b"x" * int(self.path.rsplit("/", 1)[1])
        self.answer(body)

    def do_POST(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b"".join(self.chunks())
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.answer(b"%d bytes" % len(body))

    do_PUT = do_DELETE = do_POST

    def chunks(self):
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def answer(self, body):
        self.server.seen.append(f"{self.command} {self.path}")
        self.server.heads.append(dict(self.headers))
        if self.path.startswith("/away"):
            self.send_response(302)
            self.send_header("Location", "http://elsewhere.test/")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


def certificate(folder, *names):
    """A key and a certificate for these names, which is its own authority: paths of both."""
    key, cert = pathlib.Path(folder) / "server.key", pathlib.Path(folder) / "server.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-keyout", str(key), "-out", str(cert), "-subj", f"/CN={names[0]}", "-addext",
                    "keyUsage=critical,digitalSignature,keyCertSign", "-addext", "subjectAltName=" + ",".join(f"DNS:{name}" for name in names)], check=True, capture_output=True)
    return key, cert


@contextlib.contextmanager
def served(tls=None, handler=Handler, place=("127.0.0.1", 0)):
    """A server that notes what it is asked for in `seen`; `tls`: (key, certificate)."""
    server = http.server.ThreadingHTTPServer(place, handler)
    server.seen, server.heads, server.daemon_threads = [], [], True
    server.handle_error = lambda request, address: None  # clients that hang up are what is tested
    server.port = server.server_address[1]
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tls[1], tls[0])
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def rule(server, name=NAME, **more):
    return {"host": name, "ports": [server.port], "address": "127.0.0.1", **more}


def network(folder, *rules, **limits):
    """--network for these rules: words of the command line. Anybody may read the file."""
    path = pathlib.Path(folder) / "network.json"
    path.write_text(json.dumps({"rules": rules, **limits}))
    path.chmod(0o644)
    return "--network", str(path)
