"""A client of `retort rpc`: requests out, answers and notifications in, in any order."""
import base64
import inspect
import json
import queue
import subprocess
import threading

PATIENCE = 120  # seconds until an answer that does not come fails the test


class Failure(Exception):
    """A request was answered with an error."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code, self.data = error["code"], error.get("data", {})


class Pending:
    """A request on its way."""

    def __init__(self):
        self.box = queue.Queue()

    def answer(self, patience=PATIENCE):
        message = self.box.get(timeout=patience)
        if "error" in message:
            raise Failure(message["error"])
        return message["result"]


class Server:
    """A running `retort rpc`. `tools` maps names to functions that answer calls of sessions. Unless the options say otherwise
    it has one supervisor, on machines with many processors too: cases look at its processes."""

    def __init__(self, caller, options=(), **env):
        if "--supervisors" not in options:
            options = ("--supervisors", "1", *options)
        self.process = caller.popen("rpc", *options, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE)
        self.open, self.notes, self.tools = {}, [], {}
        self.lock, self.last = threading.Lock(), 0
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    @property
    def pid(self):
        return self.process.pid

    def read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            if "method" in message:
                self.notes.append((message["method"], message["params"]))
                if message["method"] == "tools.call":
                    threading.Thread(target=self.run_tool, args=(message["params"],), daemon=True).start()
            elif message["id"] in self.open:
                self.open.pop(message["id"]).box.put(message)
        for pending in list(self.open.values()):
            pending.box.put({"error": {"code": 0, "message": "retort rpc has ended"}})

    def run_tool(self, params):
        tool = self.tools.get(params["name"])
        if tool is None:
            return
        try:
            given = {"result": tool(**params["arguments"])}
        except Exception as problem:
            given = {"error": str(problem)}
        self.start("tools.result", call=params["call"], **given)

    def send(self, line):
        with self.lock:
            self.process.stdin.write(line)
            self.process.stdin.flush()

    def start(self, method, **params):
        pending = Pending()
        with self.lock:
            self.last += 1
            self.open[self.last] = pending
            request = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        return pending

    def call(self, method, **params):
        return self.start(method, **params).answer()

    def session(self, **options):
        return Session(self, self.call("session.create", **options))

    def close(self):
        """Ends it as a client does, by the end of its input; returns its status."""
        if self.process.poll() is None:
            self.process.stdin.close()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.reader.join(PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.returncode


def schema_of(function):
    names = list(inspect.signature(function).parameters)
    return {"type": "object", "properties": {name: {} for name in names}, "required": names}


class Session:
    """One session; `run` gives the result object of a cell."""

    def __init__(self, server, created):
        self.server, self.id, self.isolation = server, created["session"], created["isolation"]

    def start(self, code, **limits):
        return self.server.start("session.execute", session=self.id, code=code, **({"limits": limits} if limits else {}))

    def run(self, code, **limits):
        return self.start(code, **limits).answer()

    def runs(self, *cells):
        """Cells back to back: all are on their way before the first is answered."""
        return [pending.answer() for pending in [self.start(code) for code in cells]]

    def value(self, code):
        """The text of the last expression of a cell that must be well."""
        result = self.run(code)
        assert result["status"] == "ok", (result["status"], result["error"], result["stderr"])
        return result["value"] and result["value"]["text/plain"]

    def interrupt(self):
        return self.server.call("session.interrupt", session=self.id)["interrupted"]

    def info(self):
        return self.server.call("session.info", session=self.id)

    def read(self, path, **part):
        return base64.b64decode(self.server.call("files.read", session=self.id, path=path, **part)["base64"])

    def write(self, path, data, **part):
        text = base64.b64encode(data).decode()
        return self.server.call("files.write", session=self.id, path=path, base64=text, **part)["written"]

    def delete(self, path):
        return self.server.call("files.delete", session=self.id, path=path)["deleted"]

    def files(self):
        return {f["path"]: f for f in self.server.call("files.list", session=self.id)["files"]}

    def output(self, cell, stream="stdout", **part):
        return self.server.call("output.read", session=self.id, cell=cell, stream=stream, **part)

    def offer(self, **tools):
        """Offers Python functions as tools, with their parameters."""
        self.server.tools.update(tools)
        listed = [{"name": name, "parameters": schema_of(function)} for name, function in tools.items()]
        return self.server.call("tools.register", session=self.id, tools=listed)["tools"]

    def notes(self, method):
        return [params for name, params in list(self.server.notes) if name == method and params["session"] == self.id]

    def close(self):
        return self.server.call("session.close", session=self.id)["closed"]
