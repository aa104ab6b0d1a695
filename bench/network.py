"""network.py BUILD: requests to a server of this host, by a session through its gate and by the same code without both.

Answers "KIND N WAY" with milliseconds of N requests, each on a connection of its own: KIND is plain, passed (TLS that nobody
reads) or read (TLS that the gate ends), WAY gate or direct. "download 1 WAY" is a file of 100 MB."""
import contextlib
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

CLIENT = '''
import socket, ssl, time

def whole(s):
    n = 0
    while chunk := s.recv(262144):
        n += len(chunk)
    return n

def request(kind, path, proxy, port, context, name):
    s = socket.create_connection(("127.0.0.1", 3128 if proxy else port))
    with s:
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        place = "%s:%d" % (name, port)
        if kind == "plain":
            url = "http://%s%s" % (place, path) if proxy else path
        else:
            url = path
            if proxy:
                s.sendall(("CONNECT %s HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n" % (place, place)).encode())
                head = b""
                while not head.endswith(b"\\r\\n\\r\\n"):
                    head += s.recv(4096)  # no byte follows before the client says more
                if b" 200 " not in head:
                    raise OSError(head.decode())
            s = context.wrap_socket(s, server_hostname=name)
        with s:
            s.sendall(("GET %s HTTP/1.1\\r\\nHost: %s\\r\\nConnection: close\\r\\n\\r\\n" % (url, place)).encode())
            return whole(s)

def samples(kind, count, proxy, ports, authority):
    path = "/large" if kind == "download" else "/small"
    kind = "plain" if kind == "download" else kind
    context = ssl.create_default_context(cadata=None if proxy and kind == "read" else authority)
    name = {"plain": "web.test", "passed": "passed.test", "read": "read.test"}[kind]
    found = []
    for _ in range(count):
        start = time.perf_counter()
        if request(kind, path, proxy, ports[kind != "plain"], context, name) < 100:
            raise OSError("no answer")
        found.append((time.perf_counter() - start) * 1000)
    return found
'''
NGINX = """daemon off; master_process off; pid {0}/pid; error_log {0}/error.log crit; events {{}}
http {{
    access_log off; keepalive_timeout 0; sendfile on; tcp_nodelay on; root {0}/files;
    client_body_temp_path {0}; proxy_temp_path {0}; fastcgi_temp_path {0}; uwsgi_temp_path {0}; scgi_temp_path {0};
    server {{ listen 127.0.0.1:{1}; }}
    server {{ listen 127.0.0.1:{2} ssl; ssl_certificate {0}/server.pem; ssl_certificate_key {0}/server.key;
              ssl_protocols TLSv1.2 TLSv1.3; }}
}}
"""
NAMES = ("web.test", "passed.test", "read.test")


def free_ports():
    import socket

    with socket.socket() as a, socket.socket() as b:
        for s in (a, b):
            s.bind(("127.0.0.1", 0))
        return a.getsockname()[1], b.getsockname()[1]


def serve(folder):
    """nginx, its ports and the certificate that it has."""
    ports = free_ports()
    (folder / "files").mkdir()
    (folder / "files/small").write_bytes(b"x" * 1000)
    with open(folder / "files/large", "wb") as large:
        large.truncate(100 << 20)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-keyout", str(folder / "server.key"), "-out", str(folder / "server.pem"), "-subj", "/CN=web.test", "-addext",
                    "keyUsage=critical,digitalSignature,keyCertSign", "-addext",
                    "subjectAltName=" + ",".join("DNS:" + name for name in NAMES)], check=True, capture_output=True)
    (folder / "nginx.conf").write_text(NGINX.format(folder, *ports))
    subprocess.run(["chmod", "-R", "a+rX", str(folder)], check=True)
    server = subprocess.Popen([shutil.which("nginx") or "/usr/sbin/nginx", "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")],
                              stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    return server, ports, (folder / "server.pem").read_text()


class Session:
    def __init__(self, build, folder, ports):
        rules = [{"host": name, "address": "127.0.0.1", "ports": [ports[name != "web.test"]],
                  **({"paths": ["/"], "authority": str(folder / "server.pem")} if name == "read.test" else {})} for name in NAMES]
        network = folder / "network.json"
        network.write_text(json.dumps({"rules": rules, "rate": 60000, "bytes": 1 << 40}))
        self.process = subprocess.Popen([str(pathlib.Path(build) / "retort"), "rpc", "--network", str(network)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.session = self.call("session.create", record=False)["session"]
        self.execute(CLIENT)

    def call(self, method, **params):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            message = json.loads(line)
            if "result" in message:
                return message["result"]
            if "error" in message:
                raise OSError(message["error"]["message"])
        raise OSError("retort rpc has ended")

    def execute(self, code):
        result = self.call("session.execute", session=self.session, code=code)
        if result["status"] != "ok":
            raise OSError(str(result["error"]))
        return result["stdout"]

    def end(self):
        self.process.stdin.close()
        self.process.wait(30)


def main(build):
    own = {}
    exec(CLIENT, own)  # the very same code
    with tempfile.TemporaryDirectory(prefix="retort-bench-") as name, contextlib.ExitStack() as stack:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        server, ports, authority = serve(folder)
        stack.callback(server.wait)
        stack.callback(server.terminate)
        session = Session(build, folder, ports)
        stack.callback(session.end)
        for line in sys.stdin:
            kind, count, way = line.split()
            try:
                if way == "gate":
                    said = io.StringIO(session.execute(f"print(*samples({kind!r}, {count}, True, {ports!r}, {authority!r}))"))
                    print(said.read().strip(), flush=True)
                else:
                    print(*own["samples"](kind, int(count), False, ports, authority), flush=True)
            except OSError as error:
                print("error", str(error).replace("\n", " "), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
