"""Connections to an engine: a private process, a Unix socket, or HTTP."""
from __future__ import annotations

import atexit
import http.client
import itertools
import json
import os
import pathlib
import queue
import shutil
import socket
import subprocess
import threading
import time
import traceback
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any, Callable, Dict, List, Optional, Tuple, Union

from ._skills import Skills

Json = Dict[str, Any]
Listener = Callable[[str, Json], None]
Reply = Union[Json, "Error"]  # an answer, or why there is none
Taker = Callable[[Reply], None]

NOT_FOUND = -32001
LOOK = 0.5  # seconds between two looks for a signal while a reply is awaited
AT_ONCE = 256  # requests of one HTTP engine that were started without waiting for them
IDLE = 30.0  # seconds after which an HTTP connection is not used again; the server waits for 60


class Error(Exception):
    """A request failed: `code` as in docs/rpc.md, `fault` says whose fault it was, `layer` which isolation layer."""

    def __init__(self, message: str, code: int = 0, data: Optional[Json] = None) -> None:
        super().__init__(message)
        self.code = code
        self.fault: str = (data or {}).get("fault", "")
        self.layer: Optional[str] = (data or {}).get("layer")


class NotFound(Error):
    """No such session, file, cell or call, or it is not yours."""


class Gone(Error):
    """The engine or server has ended or cannot be reached. Its recorded sessions come back with their next call."""


def result_of(reply: Reply) -> Json:
    """The result in an answer; what failed is raised."""
    if isinstance(reply, Error):
        raise reply
    if "error" in reply:
        error = reply["error"]
        kind = NotFound if error.get("code") == NOT_FOUND else Error
        raise kind(error.get("message", ""), error.get("code", 0), error.get("data"))
    result: Json = reply["result"]
    return result


def without_none(params: Json) -> Json:
    """Parameters that are None are left out."""
    return {name: value for name, value in params.items() if value is not None}


_encode = json.JSONEncoder(allow_nan=False).encode


class Engine:
    """An engine that runs sessions. Use connect() to get one; subclasses differ in how they reach it."""

    events_apart = False  # whether events have a connection of their own, where an answer may overtake them

    def __init__(self) -> None:
        self._ids = itertools.count(1)
        self._listeners: Dict[str, List[Listener]] = {}
        self._lock = threading.Lock()

    def call(self, method: str, **params: Any) -> Json:
        """One JSON-RPC request; its result, or an Error. Parameters that are None are left out."""
        return self.request(method, without_none(params))

    def request(self, method: str, params: Json) -> Json:
        """One JSON-RPC request with exactly these parameters."""
        return result_of(self._exchange(self._message(method, params)))

    def start(self, method: str, params: Json, taker: Taker) -> None:
        """The same without waiting: taker(reply) is called once, from another thread; result_of(reply) is the result."""
        self._send(self._message(method, params), taker)

    @property
    def skills(self) -> Skills:
        """The library of skills."""
        return Skills(self)

    def _message(self, method: str, params: Json) -> Json:
        return {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}

    @property
    def alive(self) -> bool:
        """Whether the engine is still there, as far as this side knows."""
        return True

    def close(self) -> None:
        """Ends the connection; a private engine ends with all its sessions."""

    def listen(self, session: str, listener: Listener) -> Callable[[], None]:
        """Calls listener(method, params) for every notification of a session, until the returned function is called."""
        with self._lock:
            self._listeners.setdefault(session, []).append(listener)

        def stop() -> None:
            with self._lock:
                self._listeners[session].remove(listener)

        return stop

    def _notify(self, note: Json) -> None:
        params = note.get("params", {})
        with self._lock:
            listeners = list(self._listeners.get(params.get("session", ""), ()))
        for listener in listeners:
            try:
                listener(note["method"], params)
            except Exception:  # its own fault: the thread that reads has answers to bring to others
                traceback.print_exc()

    def _send(self, request: Json, taker: Taker) -> None:
        raise NotImplementedError

    def _exchange(self, request: Json) -> Reply:
        replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()
        self._send(request, replies.put)
        while True:  # a signal that comes just before Python waits does not end the wait
            try:
                return replies.get(timeout=LOOK)
            except queue.Empty:
                pass

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _LineEngine(Engine):
    """One JSON object a line, both ways; a thread reads."""

    def __init__(self, reader: IO[bytes], writer: IO[bytes]) -> None:
        super().__init__()
        self._reader, self._writer = reader, writer
        self._write_lock = threading.Lock()
        self._open: Dict[int, Taker] = {}
        self._ended = False
        threading.Thread(target=self._read, name="retort-reader", daemon=True).start()

    @property
    def alive(self) -> bool:
        return not self._ended

    def _read(self) -> None:
        try:
            for line in self._reader:
                self._take(json.loads(line))
        except (OSError, ValueError):
            pass
        with self._lock:
            self._ended = True
            waiting = list(self._open.values())
            self._open.clear()
        for taker in waiting:
            taker(Gone("the engine has gone"))

    def _take(self, message: Json) -> None:
        if "method" in message:
            self._notify(message)
            return
        with self._lock:
            taker = self._open.pop(message["id"], None)
        if taker:
            taker(message)

    def _send(self, request: Json, taker: Taker) -> None:
        line = _encode(request).encode() + b"\n"
        with self._lock:
            ended = self._ended
            if not ended:
                self._open[request["id"]] = taker
        if ended:
            taker(Gone("the engine has gone"))
            return
        try:
            with self._write_lock:
                self._writer.write(line)
                self._writer.flush()
        except (OSError, ValueError):
            with self._lock:
                mine = self._open.pop(request["id"], None)
            if mine:
                mine(Gone("the engine has gone"))


class PrivateEngine(_LineEngine):
    """`retort rpc` as a child of this process. It has a session of its own, so that Ctrl-C in a terminal does not reach it;
    it ends when this process does, because its standard input ends then."""

    def __init__(self, program: str) -> None:
        self._process = subprocess.Popen([program, "rpc"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         start_new_session=True)
        assert self._process.stdin and self._process.stdout
        super().__init__(self._process.stdout, self._process.stdin)

    @property
    def alive(self) -> bool:
        return super().alive and self._process.poll() is None

    def close(self) -> None:
        try:
            self._writer.close()
        except OSError:
            pass
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class SocketEngine(_LineEngine):
    """The Unix socket of `retort serve --socket PATH`."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(path)
        super().__init__(self._socket.makefile("rb"), self._socket.makefile("wb"))

    def close(self) -> None:
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()


class HttpEngine(Engine):
    """`retort serve` over HTTP or HTTPS; notifications come over /events, one connection a session that listens."""

    events_apart = True

    def __init__(self, url: str, token: Optional[str] = None) -> None:
        super().__init__()
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"not an HTTP address: {url}")
        if parts.query or parts.fragment or parts.username is not None:
            raise ValueError(f"only a host, a port and the path of a proxy may be given: {url}")
        self._url, self._path = url, parts.path.rstrip("/")
        self._secure, self._host, self._port = parts.scheme == "https", parts.hostname, parts.port
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._local = threading.local()
        self._streams: Dict[str, Tuple[http.client.HTTPConnection, int]] = {}
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="retort-http")  # made when they are needed

    def close(self) -> None:
        self._threads.shutdown(wait=False)

    def _send(self, request: Json, taker: Taker) -> None:
        def exchange() -> None:
            try:
                taker(self._exchange(request))
            except Error as error:
                taker(error)

        self._threads.submit(exchange)

    def _connection(self) -> http.client.HTTPConnection:
        if self._secure:
            return http.client.HTTPSConnection(self._host, self._port)
        return http.client.HTTPConnection(self._host, self._port)

    def _exchange(self, request: Json) -> Reply:
        reply = self._post(_encode(request).encode())
        if "jsonrpc" not in reply:
            raise Error(f"{self._url}: {reply.get('error', 'the server refused the request')}")
        return reply

    def _kept(self) -> http.client.HTTPConnection:
        """This thread's connection. The server closes idle ones: a request is never sent into one that may be closing, so
        none is ever sent twice."""
        now = time.monotonic()
        connection: Optional[http.client.HTTPConnection] = getattr(self._local, "connection", None)
        if connection is None or now - self._local.used > IDLE:
            if connection:
                connection.close()
            connection = self._local.connection = self._connection()
        self._local.used = now
        return connection

    def _post(self, body: bytes) -> Json:
        connection = self._kept()
        try:
            connection.request("POST", self._path + "/rpc", body, {"Content-Type": "application/json", **self._headers})
            response = connection.getresponse()
            text = response.read()
            self._local.used = time.monotonic()
        except (http.client.HTTPException, OSError) as error:
            connection.close()
            raise Gone(f"{self._url}: the server has gone: {error}") from error
        except BaseException:  # an interrupt: the answer that is on its way is not that to the next request
            connection.close()
            raise
        return self._parsed(response.status, text)

    def _parsed(self, status: int, text: bytes) -> Json:
        try:
            reply = json.loads(text)
        except ValueError:
            reply = None
        if not isinstance(reply, dict):
            raise Error(f"{self._url}: not an answer of retort serve (HTTP status {status})")
        return reply

    def listen(self, session: str, listener: Listener) -> Callable[[], None]:
        stop = super().listen(session, listener)
        with self._lock:
            connection, users = self._streams.get(session, (None, 0))
            if connection is None:
                connection = self._start_stream(session)
            self._streams[session] = (connection, users + 1)

        def stop_both() -> None:
            stop()
            self._release(session)

        return stop_both

    def _open_stream(self, session: str, last: str) -> Tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        connection = self._connection()
        headers = {**self._headers, "Last-Event-ID": last} if last else self._headers
        connection.request("GET", f"{self._path}/events?session={urllib.parse.quote(session)}", headers=headers)
        connected = connection.sock
        response = connection.getresponse()
        if response.status != 200:
            raise NotFound("no such session", NOT_FOUND)
        connection.sock = connected  # a response without a length takes it away; closing needs it
        return connection, response

    def _start_stream(self, session: str) -> http.client.HTTPConnection:
        connection, response = self._open_stream(session, "")
        threading.Thread(target=self._follow, args=(session, response), name="retort-events", daemon=True).start()
        return connection

    def _follow(self, session: str, response: http.client.HTTPResponse) -> None:
        """Reads events until nobody listens any more; a connection that ends is made again, and nothing is missed."""
        last = ""
        while True:
            last = self._read_events(response, last)
            with self._lock:
                if session not in self._streams:
                    return
            try:
                connection, response = self._open_stream(session, last)
            except (OSError, http.client.HTTPException, Error):
                return
            with self._lock:
                if session not in self._streams:
                    connection.close()
                    return
                self._streams[session] = (connection, self._streams[session][1])

    def _release(self, session: str) -> None:
        with self._lock:
            connection, users = self._streams[session]
            if users > 1:
                self._streams[session] = (connection, users - 1)
                return
            del self._streams[session]
        try:
            connection.sock.shutdown(socket.SHUT_RDWR)
        except (OSError, AttributeError):  # it ended before
            pass
        connection.close()

    def _read_events(self, response: http.client.HTTPResponse, last: str) -> str:
        """The id of the last event that came whole."""
        identifier, data = last, b""
        try:
            for line in response:
                if line.startswith(b"id: "):
                    identifier = line[4:].strip().decode()
                elif line.startswith(b"data: "):
                    data = line[6:]
                elif line == b"\n" and data:
                    last, note, data = identifier, json.loads(data), b""
                    self._notify(note)
        except (OSError, ValueError, http.client.HTTPException, AttributeError):
            pass  # the connection was closed under it
        return last


def _program() -> str:
    named = os.environ.get("RETORT_PROGRAM") or shutil.which("retort")
    if named:
        return named
    in_tree = pathlib.Path(__file__).resolve().parents[3] / "build" / "retort"
    if in_tree.exists():
        return str(in_tree)
    raise Error("there is no program `retort` on the PATH; set RETORT_PROGRAM, RETORT_URL or RETORT_SOCKET")


def connect(url: Optional[str] = None, *, token: Optional[str] = None, socket_path: Optional[str] = None,
            program: Optional[str] = None) -> Engine:
    """An engine: at `url`, behind the Unix socket `socket_path`, or a private one started from `program`."""
    if url:
        return HttpEngine(url, token or os.environ.get("RETORT_TOKEN"))
    if socket_path:
        return SocketEngine(socket_path)
    return PrivateEngine(program or _program())


_default: Optional[Engine] = None
_default_owner = 0  # the process that made it: a child made by fork has no share in it
_default_lock = threading.Lock()


def default_engine() -> Engine:
    """The engine of this process: what the environment names, else a private one; made when first needed, and made anew
    when it has ended."""
    global _default, _default_owner
    with _default_lock:
        if _default is None or _default_owner != os.getpid() or not _default.alive:
            _default = connect(os.environ.get("RETORT_URL"), socket_path=os.environ.get("RETORT_SOCKET"))
            _default_owner = os.getpid()
            atexit.register(_default.close)
        return _default
