"""A broker in miniature: starts a guest outside any sandbox and speaks frames with it over a
socketpair and pipes."""
import array
import json
import os
import select
import socket
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOOT = ROOT / "guest/python/boot.py"
RUN_JS = ROOT / "guest/node/run.js"

READY, DISPLAY, PLOT, RESULT, TOOL_CALL, CHECKPOINTED, COMPLETIONS, RESUMED, SAID, LISTING = range(1, 11)
HELLO, CELL, COMPLETE, TOOL_RESULT, CHECKPOINT, TOOLS, BRANCH, SHOWN, ASK, VARIABLES = range(64, 74)
OK, ERROR, EXIT, INTERRUPTED = range(4)
QUIET, SCRIPT = 1, 2

TAGS = (
    "version pid id mime data path title chart json name call note start seed cell code flags"
    " filename kind exit_code value error_name error_message error_traceback error_line"
    " error_source error_values error_hint variables dataframes threads final language"
).split()
TAG = {name: number for number, name in enumerate(TAGS, 1)}
INTEGERS = {"pid", "call", "start", "seed", "cell", "flags", "kind", "exit_code", "error_line",
            "threads"}
JSON = {"chart", "json", "error_values", "variables", "dataframes", "final"}


def encode(kind, fields):
    payload = b""
    for name, value in fields:
        if isinstance(value, int):
            value = value.to_bytes(8, "little", signed=True)
        elif isinstance(value, str):
            value = value.encode()
        payload += TAG[name].to_bytes(4, "little") + len(value).to_bytes(4, "little") + value
    return len(payload).to_bytes(4, "little") + bytes((kind, 0, 0, 0)) + payload


def decode(payload):
    fields, at = [], 0
    while at < len(payload):
        name = TAGS[payload[at] - 1]
        end = at + 8 + int.from_bytes(payload[at + 4 : at + 8], "little")
        data = payload[at + 8 : end]
        assert end <= len(payload)
        if name in INTEGERS:
            data = int.from_bytes(data, "little", signed=True)
        elif name in JSON:
            data = json.loads(data.decode())
        elif name != "data":
            data = data.decode()
        fields.append((name, data))
        at = end
    return fields


class Frame:
    def __init__(self, kind, fields):
        self.type, self.fields = kind, fields

    def __getattr__(self, name):
        return next((value for key, value in self.fields if key == name), None)

    def all(self, name):
        return [value for key, value in self.fields if key == name]

    @property
    def mime(self):
        pairs = [(a[1], b[1]) for a, b in zip(self.fields, self.fields[1:]) if a[0] == "mime"
                 and b[0] == "data"]
        return {mime: data if mime.startswith("image/") else data.decode() for mime, data in pairs}

    @property
    def plain(self):
        return self.mime.get("text/plain")


class Guest:
    def __init__(self, command, cwd, env=None):
        self.channel, inner = socket.socketpair()
        out, out_inner = os.pipe()
        err, err_inner = os.pipe()
        self.pipes = {out: "out", err: "err"}
        self.out = self.err = b""
        self.cell = 0
        

        def plumb():
            os.dup2(inner.fileno(), 9)
            os.dup2(9, 3)
            os.closerange(4, 256)

        environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "MPLBACKEND": "agg",
                       "HOME": str(cwd), **(env or {})}
        self.process = subprocess.Popen(
            command, cwd=cwd, env=environment,
            stdin=subprocess.DEVNULL, stdout=out_inner, stderr=err_inner,
            preexec_fn=plumb, close_fds=False,
        )
        inner.close()
        os.close(out_inner)
        os.close(err_inner)
        self.ready = self.read()
        assert self.ready.type == READY, self.ready.type

    @classmethod
    def attach(cls, channel):
        """A guest that somebody else forked; its text goes nowhere."""
        self = cls.__new__(cls)
        self.channel, self.pipes, self.out, self.err, self.cell = channel, {}, b"", b"", 0
        self.ready = self.read()
        return self

    def send(self, kind, *fields):
        self.channel.sendall(encode(kind, fields))

    def hello(self, seed=1, **env):
        pairs = [pair for name, value in env.items() for pair in (("name", name), ("data", value))]
        self.send(HELLO, ("seed", seed), *pairs)
        return self

    def drain(self, fd):
        data = os.read(fd, 65536)
        if not data:
            del self.pipes[fd]
            os.close(fd)
        elif self.pipes[fd] == "out":
            self.out += data
        else:
            self.err += data

    def receive(self, size):
        """`size` bytes of the channel; text is taken from the pipes meanwhile, as the broker
        does."""
        data = b""
        while len(data) < size:
            ready, _, _ = select.select([*self.pipes, self.channel], [], [], 30)
            assert ready, "the guest is silent"
            for fd in [fd for fd in ready if fd in self.pipes]:
                self.drain(fd)
            if self.channel in ready:
                part = self.channel.recv(size - len(data))
                if not part:
                    raise EOFError(self.err.decode())
                data += part
        return data

    def read(self):
        head = self.receive(8)
        assert head[5:8] == b"\0\0\0"
        frame = Frame(head[4], decode(self.receive(int.from_bytes(head[:4], "little"))))
        while True:  # what was written before the frame is in the pipes now
            ready, _, _ = select.select(list(self.pipes), [], [], 0)
            if not ready:
                break
            for fd in ready:
                self.drain(fd)
        if frame.type in (DISPLAY, PLOT) and frame.call is not None:
            self.send(SHOWN)
        return frame

    def start(self, code, flags=0, filename=None, language=None):
        self.cell += 1
        self.out = self.err = b""
        name = [("filename", filename)] if filename else []
        name += [("language", language)] if language else []
        self.send(CELL, ("cell", self.cell), ("code", code), ("flags", flags), *name)

    def finish(self):
        """The result of the cell that runs, with `frames` sent before it and the texts."""
        frames = []
        while True:
            frame = self.read()
            if frame.type == RESULT:
                break
            frames.append(frame)
        frame.frames, frame.out, frame.err = frames, self.out.decode(), self.err.decode()
        frame.displays = [f for f in frames if f.type == DISPLAY]
        frame.plots = [f for f in frames if f.type == PLOT]
        return frame

    def run(self, code, flags=0, filename=None, language=None):
        self.start(code, flags, filename, language)
        return self.finish()

    def ask_checkpoint(self):
        """The broker's end of a wake socket, and the answer."""
        wake, inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.channel.sendall(encode(CHECKPOINT, []))
        socket.send_fds(self.channel, [b"w"], [inner.fileno()])
        inner.close()
        answer = self.read()
        assert answer.type == CHECKPOINTED
        return wake, answer

    def checkpoint(self):
        """Takes a checkpoint; returns the broker's end of its wake socket."""
        wake, answer = self.ask_checkpoint()
        assert answer.error_message is None, answer.error_message
        assert wake.recv(1) == b"d"
        return wake

    def resume(self, wake):
        """Ends the live process and wakes the dormant one, with a channel and pipes of its own."""
        self.process.kill()
        self.process.wait()
        self.channel.close()
        for fd in self.pipes:
            os.close(fd)
        self.channel, inner = socket.socketpair()
        out, out_inner = os.pipe()
        err, err_inner = os.pipe()
        self.pipes = {out: "out", err: "err"}
        fds = array.array("i", [inner.fileno(), out_inner, err_inner])
        wake.sendmsg([b"r"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)])
        inner.close()
        os.close(out_inner)
        os.close(err_inner)
        wake.close()
        frame = self.read()
        assert frame.type == RESUMED
        return frame

    def close(self):
        self.channel.close()
        try:
            self.process.wait(20)
        finally:
            self.process.kill()
            for fd in self.pipes:
                os.close(fd)
            self.pipes = {}
        return self.process.returncode
