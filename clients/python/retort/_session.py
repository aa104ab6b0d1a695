"""A session: an interpreter whose variables and files stay between cells."""
from __future__ import annotations

import base64
import contextlib
import inspect
import json
import queue
import threading
import time
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, TypeVar, Union, get_type_hints

from ._engine import Engine, Error, Gone, default_engine
from ._result import Display, File, Output, Result

Event = Union[Output, Display, Result]
Files = Mapping[str, Union[bytes, str]]
Function = TypeVar("Function", bound=Callable[..., Any])
PIECE = 8 << 20
TRIES = 5
END_SECONDS = 5  # how much later than the result the last event may come

_TYPES: Dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}


def _schema(function: Callable[..., Any]) -> Dict[str, Any]:
    """A JSON schema of the arguments, from the signature."""
    hints = get_type_hints(function)
    properties: Dict[str, Any] = {}
    required = []
    for name, parameter in inspect.signature(function).parameters.items():
        hint = hints.get(name)
        kind = _TYPES.get(getattr(hint, "__origin__", hint))  # List[int] is a list
        properties[name] = {"type": kind} if kind else {}
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _uploads(files: Optional[Files]) -> Optional[List[Dict[str, str]]]:
    return [{"path": path, "base64": base64.b64encode(data.encode() if isinstance(data, str) else data).decode()}
            for path, data in (files or {}).items()] or None


class Session:
    """A sealed interpreter. Use it as a context manager, or call close()."""

    def __init__(self, *, engine: Optional[Engine] = None, language: Optional[str] = None,
                 environment: Optional[str] = None, limits: Optional[Dict[str, float]] = None,
                 files: Optional[Files] = None, env: Optional[Dict[str, str]] = None,
                 deterministic: Optional[bool] = None, seed: Optional[int] = None, on_error: Optional[str] = None,
                 checkpoint: Optional[str] = None, record: Optional[bool] = None) -> None:
        """Options as in session.create of docs/rpc.md; `files` maps paths under /work to contents, bytes or text."""
        self._engine = engine or default_engine()
        uploads = _uploads(files)
        made = self._engine.call("session.create", language=language, environment=environment, limits=limits,
                                 files=uploads, env=env, deterministic=deterministic, seed=seed, on_error=on_error,
                                 checkpoint=checkpoint, record=record)
        self.isolation: Dict[str, Any] = made["isolation"]
        self._begin(made["session"])

    def _begin(self, identifier: str) -> None:
        self.id: str = identifier
        self._tools: Dict[str, Callable[..., Any]] = {}
        self._stop_tools: Optional[Callable[[], None]] = None

    @classmethod
    def attach(cls, identifier: str, *, engine: Optional[Engine] = None) -> Session:
        """A session that exists already: a live one, or a recorded one, which comes back as it was when it ended."""
        session = cls.__new__(cls)
        session._engine = engine or default_engine()
        session._begin(identifier)
        session.isolation = session._call("session.resume").get("isolation", {})
        return session

    # ---- running code ----

    def run(self, code: str, *, timeout: Optional[float] = None, limits: Optional[Dict[str, float]] = None) -> Result:
        """Runs one cell and waits for it. A cell that fails gives a Result too; see Result.ok. KeyboardInterrupt (Ctrl-C)
        interrupts the cell, and is raised then; the session's variables stay."""
        with self._interrupting():
            return Result(self._call("session.execute", code=code, limits=self._limits(timeout, limits)))

    @contextlib.contextmanager
    def _interrupting(self) -> Iterator[None]:
        try:
            yield
        except KeyboardInterrupt:
            self._stop_cell()
            raise

    def _stop_cell(self) -> None:
        """Interrupts what was just begun: its request may still be on the way."""
        for _ in range(TRIES):
            try:
                if self.interrupt():
                    return
            except Error:
                return
            time.sleep(0.05)

    def stream(self, code: str, *, timeout: Optional[float] = None,
               limits: Optional[Dict[str, float]] = None) -> Iterator[Event]:
        """Runs one cell: Output and Display events as they happen, the Result last. Leaving the loop interrupts it."""
        events: queue.Queue[Union[Event, Exception]] = queue.Queue()
        ends: queue.Queue[int] = queue.Queue()
        stop = self._engine.listen(self.id, lambda method, params: self._enqueue(events, ends, method, params))
        worker = threading.Thread(target=self._run_into, args=(events, ends, code, timeout, limits), name="retort-stream")
        worker.start()
        try:
            while True:
                event = events.get()
                if isinstance(event, (Exception, Result)):
                    worker.join()
                if isinstance(event, Exception):
                    raise event
                yield event
                if isinstance(event, Result):
                    return
        finally:
            while worker.is_alive():  # again: its request may still have been on the way
                self.interrupt()
                worker.join(0.2)
            stop()

    def _run_into(self, events: queue.Queue[Union[Event, Exception]], ends: queue.Queue[int], code: str,
                  timeout: Optional[float], limits: Optional[Dict[str, float]]) -> None:
        try:
            result = self.run(code, timeout=timeout, limits=limits)
            if self._engine.events_apart:
                with contextlib.suppress(queue.Empty):  # the connection of the events was lost
                    while ends.get(timeout=END_SECONDS) != result.cell:
                        pass
            events.put(result)
        except Exception as error:  # raised again where the events are read
            events.put(error)

    @staticmethod
    def _enqueue(events: queue.Queue[Union[Event, Exception]], ends: queue.Queue[int], method: str,
                 params: Dict[str, Any]) -> None:
        if method == "cell.end":
            ends.put(params["cell"])
        elif method == "session.output":
            events.put(Output(params["stream"], params["text"]))
        elif method == "session.display":
            events.put(Display(params["display"]["mime"]))

    @staticmethod
    def _limits(timeout: Optional[float], limits: Optional[Dict[str, float]]) -> Optional[Dict[str, float]]:
        merged = dict(limits or {})
        if timeout is not None:
            merged["timeout"] = timeout
        return merged or None

    def interrupt(self) -> bool:
        """Interrupts the running cell, as Ctrl-C would. Whether one was running."""
        return bool(self._call("session.interrupt")["interrupted"])

    def undo(self, cells: int = 1) -> int:
        """Takes memory and files back to before the last cells. How many were taken back."""
        return int(self._call("session.undo", cells=cells)["cells"])

    def branch(self, count: int = 1) -> List[Session]:
        """New sessions with the present state of this one, each on its own from then on."""
        made = self._call("session.branch", count=count)
        return [Session.attach(identifier, engine=self._engine) for identifier in made["sessions"]]

    def compare(self, *others: Session) -> Dict[str, Any]:
        """This session and others side by side: what differs in files, variables and last results. See session.compare
        of docs/rpc.md."""
        ids = [session.id for session in (self, *others)]
        return self._engine.call("session.compare", sessions=ids)

    def keep(self) -> List[str]:
        """Ends the branches that were made together with this one. Their ids."""
        return list(self._call("session.keep")["closed"])

    def agent(self, task: str, *, files: Optional[Files] = None,
              on_event: Optional[Callable[[Dict[str, Any]], None]] = None, **options: Any) -> Dict[str, Any]:
        """Lets the server's model solve a task by writing code in this session. The answer: answer, verified, provenance,
        unproved, artifacts, stop, … An answer that is not verified is there, too, whatever stopped the run. Each event of the run is given to on_event as it happens. Options are those of agent.run:
        model, replies, mode, policy, schema, max_steps, max_tokens."""
        def listener(method: str, params: Dict[str, Any]) -> None:
            if method == "agent.event" and on_event:
                on_event(params["event"])

        stop = self._engine.listen(self.id, listener) if on_event else None
        try:
            with self._interrupting():
                return self._call("agent.run", task=task, files=_uploads(files), **options)
        finally:
            if stop:
                stop()

    def info(self) -> Dict[str, Any]:
        """What the session is and does."""
        return self._call("session.info")

    # ---- files ----

    def files(self) -> List[File]:
        """The regular files under /work."""
        return [File(file["path"], file["size"], file.get("mime")) for file in self._call("files.list")["files"]]

    def read(self, path: str) -> bytes:
        """A whole file under /work, or a captured figure under .plots/."""
        return self._read_all("files.read", path=path)

    def write(self, path: str, data: Union[bytes, str]) -> None:
        """Writes a file under /work; directories are made."""
        content = data.encode() if isinstance(data, str) else data
        self._call("files.write", path=path, base64=base64.b64encode(content[:PIECE]).decode())
        for offset in range(PIECE, len(content), PIECE):
            piece = base64.b64encode(content[offset:offset + PIECE]).decode()
            self._call("files.write", path=path, base64=piece, offset=offset)

    def delete(self, path: str) -> None:
        """Deletes a file under /work."""
        self._call("files.delete", path=path)

    def output(self, cell: int, stream: str = "stdout") -> str:
        """Everything that is stored of what a cell printed, beyond what its result keeps."""
        return self._read_all("output.read", cell=cell, stream=stream).decode(errors="replace")

    def _read_all(self, method: str, **params: Any) -> bytes:
        data = b""
        while True:
            piece = self._call(method, offset=len(data), length=PIECE, **params)
            data += base64.b64decode(piece["base64"])
            if len(data) >= piece["size"] or not piece["base64"]:
                return data

    # ---- tools ----

    def tool(self, function: Function) -> Function:
        """Offers a function to the code, as tools.NAME; its docstring and annotations describe it. A decorator."""
        if self._stop_tools is None:
            self._stop_tools = self._engine.listen(self.id, self._on_call)
        self._tools[function.__name__] = function
        self._call("tools.register", tools=[
            {"name": name, "description": inspect.getdoc(one) or "", "parameters": _schema(one)}
            for name, one in self._tools.items()])
        return function

    def _on_call(self, method: str, params: Dict[str, Any]) -> None:
        if method == "tools.call":
            threading.Thread(target=self._answer, args=(params,), name="retort-tool", daemon=True).start()

    def _answer(self, params: Dict[str, Any]) -> None:
        answer: Dict[str, Any] = {"call": params["call"]}
        try:
            result = self._tools[params["name"]](**params["arguments"])
            json.dumps(result, allow_nan=False)
            answer["result"] = result
        except Exception as error:  # whatever it is, it is raised in the code that called
            answer["error"] = f"{type(error).__name__}: {error}"
        try:
            self._engine.request("tools.result", answer)
        except Error:
            pass  # the cell has ended meanwhile

    # ---- ending ----

    def close(self) -> None:
        """Ends the session. Closing twice does nothing."""
        if self._stop_tools:
            self._stop_tools()
            self._stop_tools = None
        if self.id:
            identifier, self.id = self.id, ""
            self._engine.call("session.close", session=identifier)

    def _call(self, method: str, **params: Any) -> Dict[str, Any]:
        if not self.id:
            raise Error("the session is closed")
        try:
            return self._engine.call(method, session=self.id, **params)
        except Gone as error:
            raise Gone(f"{error}; retort.Session.attach({self.id!r}) brings the session back, if it was recorded") from None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.close()
        except Error:
            pass  # it ended before

    def __repr__(self) -> str:
        return f"<retort.Session {self.id or 'closed'}>"
