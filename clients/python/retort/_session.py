"""A session: an interpreter whose variables and files stay between cells."""
from __future__ import annotations

import base64
import contextlib
import dataclasses
import inspect
import json
import queue
import threading
import time
from typing import (IO, Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, TypeVar, Union, cast,
                    get_type_hints)

from ._engine import Engine, Error, Gone, Json, NotFound, Reply, default_engine, result_of, without_none
from ._result import Answer, Comparison, Display, File, Info, Output, Result

Event = Union[Output, Display, Result]
Piece = Union[Output, Display]
Told = Union[Piece, int, Reply]  # what a stream hears: events, the number of a cell that ended, the answer
Files = Mapping[str, Union[bytes, str]]
Content = Union[bytes, str, IO[bytes], Iterable[bytes]]
Function = TypeVar("Function", bound=Callable[..., Any])
PIECE = 8 << 20
TRIES = 5
AGAIN = 0.2  # seconds between two interrupts of a cell that does not end
END_SECONDS = 5  # how much later than the result the last event may come

_TYPES: Dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}


def _schema(function: Callable[..., Any]) -> Json:
    """A JSON schema of the arguments, from the signature."""
    hints = get_type_hints(function)
    properties: Json = {}
    required = []
    for name, parameter in inspect.signature(function).parameters.items():
        hint = hints.get(name)
        kind = _TYPES.get(getattr(hint, "__origin__", hint))  # List[int] is a list
        properties[name] = {"type": kind} if kind else {}
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


@dataclasses.dataclass(frozen=True)
class Offer:
    """A function that the code may call, and how it is described there."""

    function: Callable[..., Any]
    description: str
    parameters: Json


def offer_of(function: Callable[..., Any], description: Optional[str] = None, parameters: Optional[Json] = None) -> Offer:
    """What is not said is taken from docstring and signature."""
    return Offer(function, (inspect.getdoc(function) or "") if description is None else description,
                 _schema(function) if parameters is None else parameters)


def described(tools: Mapping[str, Offer]) -> List[Json]:
    """Functions as tools.register takes them."""
    return [{"name": name, "description": one.description, "parameters": one.parameters} for name, one in tools.items()]


def answer_to(call: str, function: Callable[[], Any]) -> Json:
    """What a tool gives, as tools.result takes it; whatever it raises is raised in the code that called."""
    try:
        result = function()
        json.dumps(result, allow_nan=False)
        return {"call": call, "result": result}
    except Exception as error:
        return {"call": call, "error": f"{type(error).__name__}: {error}"}


def uploads(files: Optional[Files]) -> Optional[List[Dict[str, str]]]:
    """Files as session.create takes them."""
    return [{"path": path, "base64": base64.b64encode(data.encode() if isinstance(data, str) else data).decode()}
            for path, data in (files or {}).items()] or None


def cell_params(session: str, code: str, language: Optional[str], timeout: Optional[float],
                limits: Optional[Dict[str, float]]) -> Json:
    """A cell as session.execute takes it."""
    merged = dict(limits or {})
    if timeout is not None:
        merged["timeout"] = timeout
    return without_none({"session": session, "code": code, "language": language, "limits": merged or None})


def pieces_of(data: Content) -> Iterator[bytes]:
    """Content in pieces that fit into a request; one at least."""
    if isinstance(data, (bytes, str)):
        content = data.encode() if isinstance(data, str) else data
        yield content[:PIECE]
        for offset in range(PIECE, len(content), PIECE):
            yield content[offset:offset + PIECE]
        return
    held = b""
    empty = True
    for more in _read_through(cast(IO[bytes], data)) if hasattr(data, "read") else data:
        held += more
        while len(held) >= PIECE:
            yield held[:PIECE]
            held, empty = held[PIECE:], False
    if held or empty:
        yield held


def _read_through(file: IO[bytes]) -> Iterator[bytes]:
    return iter(lambda: file.read(PIECE), b"")


def event_of(method: str, params: Json) -> Optional[Piece]:
    """A notification as what a stream gives."""
    if method == "session.output":
        return Output(params["stream"], params["text"])
    return Display(params["display"]["mime"]) if method == "session.display" else None


def gone(error: Gone, session: str) -> Gone:
    """The same with what helps."""
    return Gone(f"{error}; the session comes back with its next call, if it was recorded, or by retort.Session.attach({session!r})")


def gone_with_engine(session: str) -> Gone:
    """Nobody can know which engine should take the place of one that the caller had chosen."""
    return Gone(f"the engine that was given to session {session} has gone; resume(engine=...) brings the session back in another "
                "one, if it was recorded")


def gone_for_good(error: NotFound, session: str) -> Gone:
    return Gone(f"the engine has gone, and session {session} with it, because it was not recorded: {error}")


class Branches(List["Session"]):
    """Sessions that were made together; as a context manager it closes all but the one whose keep() was called."""

    def __enter__(self) -> Branches:
        return self

    def __exit__(self, *_: object) -> None:
        for session in self:
            if not session.kept:
                session.__exit__()


class Session:
    """A sealed interpreter. Use it as a context manager, or call close().

    >>> import retort
    >>> with retort.Session() as s:
    ...     s.run("x = 20").ok
    ...     s.run("x + 22").value
    True
    '42'
    """

    def __init__(self, *, engine: Optional[Engine] = None, language: Optional[str] = None,
                 environment: Optional[str] = None, limits: Optional[Dict[str, float]] = None,
                 files: Optional[Files] = None, env: Optional[Dict[str, str]] = None,
                 deterministic: Optional[bool] = None, seed: Optional[int] = None, on_error: Optional[str] = None,
                 checkpoint: Optional[str] = None, background: Optional[bool] = None, network: Any = None,
                 review: Optional[str] = None, rules: Optional[Json] = None, record: Optional[bool] = None,
                 skills: Optional[List[str]] = None) -> None:
        """Options as in session.create of docs/rpc.md; `files` maps paths under /work to contents, bytes or text."""
        self._given = engine is not None
        self._engine = engine or default_engine()
        made = self._engine.call("session.create", language=language, environment=environment, limits=limits,
                                 files=uploads(files), env=env, deterministic=deterministic, seed=seed, on_error=on_error,
                                 checkpoint=checkpoint, background=background, network=network, review=review, rules=rules,
                                 record=record, skills=skills)
        self.isolation: Json = made["isolation"]
        self._begin(made["session"])

    def _begin(self, identifier: str) -> None:
        self.id: str = identifier
        self.kept = False  # whether keep() was called: its branches' context leaves it open
        self._lost = False  # whether its engine was found to be gone
        self._back = threading.RLock()
        self._tools: Dict[str, Offer] = {}
        self._stop_tools: Optional[Callable[[], None]] = None

    @classmethod
    def attach(cls, identifier: str, *, engine: Optional[Engine] = None) -> Session:
        """A session that exists already: a live one, or a recorded one, which comes back as it was when it ended."""
        session = cls.__new__(cls)
        session._given = engine is not None
        session._engine = engine or default_engine()
        session._begin(identifier)
        session.isolation = session._ask("session.resume", {"session": identifier}).get("isolation", {})
        return session

    def resume(self, *, engine: Optional[Engine] = None) -> Session:
        """Brings the session back after its engine has died, by replay: in the engine that is given, or else in that of this
        process, which is made anew. Tools are offered again. Calls do so by themselves, unless the session's engine was given
        to it and has ended."""
        self._lost = True  # until it is there, for other threads
        self._engine = engine or (self._engine if self._given else default_engine())
        self.isolation = self._ask("session.resume", {"session": self._open_id()}).get("isolation", {})
        self._lost = False
        if self._stop_tools:
            self._stop_tools()
            self._stop_tools = None
        if self._tools:
            self._offer()
        return self

    @property
    def engine(self) -> Engine:
        """The engine that runs it."""
        return self._engine

    # ---- running code ----

    def run(self, code: str, *, language: Optional[str] = None, timeout: Optional[float] = None,
            limits: Optional[Dict[str, float]] = None) -> Result:
        """Runs one cell and waits for it. A cell that fails gives a Result too; see Result.ok. KeyboardInterrupt (Ctrl-C)
        interrupts the cell, and is raised then; the session's variables stay.

        >>> import retort
        >>> with retort.Session() as s:
        ...     r = s.run("print('counting'); 1 / 0")
        ...     r.ok, r.stdout, r.error["name"]
        ...     s.run("while True: pass", timeout=0.2).status
        (False, 'counting\\n', 'ZeroDivisionError')
        'timeout'
        """
        with self._interrupting():
            return Result(self._request("session.execute", cell_params(self.id, code, language, timeout, limits)))

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

    def stream(self, code: str, *, language: Optional[str] = None, timeout: Optional[float] = None,
               limits: Optional[Dict[str, float]] = None) -> Iterator[Event]:
        """Runs one cell: Output and Display events as they happen, the Result last. Leaving the loop interrupts it.

        >>> import retort
        >>> with retort.Session() as s:
        ...     for event in s.stream("print('hello')"):
        ...         event
        Output(stream='stdout', text='hello\\n')
        <retort.Result cell=1 status='ok' value=None>
        """
        told: queue.SimpleQueue[Told] = queue.SimpleQueue()

        def listener(method: str, params: Json) -> None:
            event = params["cell"] if method == "cell.end" else event_of(method, params)
            if event is not None:
                told.put(event)

        self._ready()
        params = cell_params(self.id, code, language, timeout, limits)
        stop = self._engine.listen(self.id, listener)
        ended = False
        try:
            self._engine.start("session.execute", params, told.put)
            while not ended:
                event = told.get()
                if isinstance(event, (Output, Display)):
                    yield event
                elif not isinstance(event, int):
                    ended = True
                    result = Result(self._result(event))
                    yield from self._late(told, result.cell)
                    yield result
        finally:
            while not ended:  # again: its request may still have been on the way
                with contextlib.suppress(Error):
                    self.interrupt()
                ended = self._ended_within(told, AGAIN)
            stop()

    def _late(self, told: queue.SimpleQueue[Told], cell: int) -> Iterator[Event]:
        """What comes after the answer, over a connection of its own, until the end of the cell was told."""
        end = time.monotonic() + END_SECONDS
        while self._engine.events_apart:
            try:
                event = told.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:  # that connection was lost
                return
            if isinstance(event, (Output, Display)):
                yield event
            elif event == cell:
                return

    @staticmethod
    def _ended_within(told: queue.SimpleQueue[Told], seconds: float) -> bool:
        end = time.monotonic() + seconds
        try:
            while True:
                if isinstance(told.get(timeout=max(0, end - time.monotonic())), (dict, Error)):
                    return True
        except queue.Empty:
            return False

    def interrupt(self) -> bool:
        """Interrupts the running cell, as Ctrl-C would. Whether one was running."""
        return bool(self._ask("session.interrupt", {"session": self._open_id()})["interrupted"])

    def variables(self, language: Optional[str] = None) -> List[Dict[str, str]]:
        """What a language of the session holds, by name, type and repr; of "sql" its tables.

        >>> import retort
        >>> with retort.Session() as s:
        ...     _ = s.run("x = [1, 2]")
        ...     s.variables()
        [{'name': 'x', 'type': 'list', 'repr': '[1, 2]'}]
        """
        given = {"language": language} if language else {}
        return list(self._call("session.variables", **given)["variables"])

    def complete(self, code: str, cursor: Optional[int] = None, language: Optional[str] = None) -> Tuple[int, List[str]]:
        """Where the name at the cursor begins, and what it may become.

        >>> import retort
        >>> with retort.Session() as s:
        ...     s.complete("6 * le")
        (4, ['len'])
        """
        given = {"cursor": cursor, "language": language}
        answer = self._call("session.complete", code=code, **{k: v for k, v in given.items() if v is not None})
        return int(answer["start"]), list(answer["names"])

    def undo(self, cells: int = 1) -> int:
        """Takes memory and files back to before the last cells. How many were taken back.

        >>> import retort
        >>> with retort.Session() as s:
        ...     _ = s.run("x = 1"), s.run("x = 2")
        ...     s.undo(), s.run("x").value
        (1, '1')
        """
        return int(self._call("session.undo", cells=cells)["cells"])

    def branch(self, count: int = 1) -> Branches:
        """New sessions with the present state of this one, each on its own from then on: a list, and a context manager that
        closes them.

        >>> import retort
        >>> with retort.Session() as s:
        ...     _ = s.run("x = 1")
        ...     with s.branch(2) as (left, right):
        ...         _ = left.run("x = 5")
        ...         left.run("x").value, right.run("x").value
        ('5', '1')
        """
        made = self._call("session.branch", count=count)
        branches = Branches(Session.attach(identifier, engine=self._engine) for identifier in made["sessions"])
        for one in branches:
            one._given = self._given
        return branches

    def compare(self, *others: Session) -> Comparison:
        """This session and others side by side: what differs in files, variables and last results. See session.compare
        of docs/rpc.md."""
        for session in (self, *others):
            session._ready()
        ids = [session.id for session in (self, *others)]
        return cast(Comparison, self._engine.call("session.compare", sessions=ids))

    def keep(self) -> List[str]:
        """Ends the branches that were made together with this one. Their ids."""
        closed = list(self._call("session.keep")["closed"])
        self.kept = True
        return closed

    def agent(self, task: str, *, files: Optional[Files] = None,
              on_event: Optional[Callable[[Json], None]] = None, **options: Any) -> Answer:
        """Lets the server's model solve a task by writing code in this session. An answer that is not verified is there, too,
        whatever stopped the run. Each event of the run is given to on_event as it happens. Options are those of agent.run:
        model, replies, mode, policy, schema, max_steps, max_tokens, prices, learn.

        >>> import retort
        >>> replies = [{"text": "```python\\nprint('product', 6 * 7)\\n```"}, {"text": "The product is 42."}]
        >>> with retort.Session() as s:
        ...     answer = s.agent("What is six times seven?", replies=replies)
        ...     answer["answer"], answer["verified"]
        ('The product is 42.', True)
        """
        stopped = threading.Event()

        def listener(method: str, params: Json) -> None:
            if method == "agent.event" and on_event:
                on_event(params["event"])
                if params["event"]["event"] == "stop":
                    stopped.set()

        self._ready()
        stop = self._engine.listen(self.id, listener) if on_event else None
        try:
            with self._interrupting():
                answer = cast(Answer, self._call("agent.run", task=task, files=uploads(files), **options))
            if on_event and self._engine.events_apart:
                stopped.wait(END_SECONDS)
            return answer
        finally:
            if stop:
                stop()

    def check(self, answer: str, *, question: Optional[str] = None) -> Json:
        """Holds the numbers of an answer against what ran in this session: accepted, flags, and numbers, each with its
        verdict and reason; advice for the model that wrote it. {{expr}} is filled in. See docs/provenance.md.

        >>> import retort
        >>> with retort.Session() as s:
        ...     _ = s.run("print('product:', 6 * 7)")
        ...     s.check("The product is 42.")["accepted"], s.check("The product is 43.")["flags"]
        (True, 1)
        """
        return cast(Json, self._call("session.check", answer=answer, question=question))

    def info(self) -> Info:
        """What the session is and does."""
        return cast(Info, self._call("session.info"))

    # ---- files ----

    def files(self) -> List[File]:
        """The regular files under /work."""
        return [File(file["path"], file["size"], file.get("mime")) for file in self._call("files.list")["files"]]

    def read(self, path: str) -> bytes:
        """A whole file under /work, or a captured figure under .plots/.

        >>> import retort
        >>> with retort.Session(files={"a.txt": "one"}) as s:
        ...     s.write("b.txt", (piece for piece in (b"two", b" three")))
        ...     s.read("a.txt"), b"".join(s.read_pieces("b.txt")), [file.path for file in s.files()]
        (b'one', b'two three', ['a.txt', 'b.txt'])
        """
        return b"".join(self.read_pieces(path))

    def read_pieces(self, path: str) -> Iterator[bytes]:
        """The same in pieces, in constant memory."""
        return self._pieces("files.read", path=path)

    def write(self, path: str, data: Content) -> None:
        """Writes a file under /work; directories are made. A file that is open for reading, or whatever gives bytes, is
        written in pieces."""
        offset = 0
        for piece in pieces_of(data):
            self._call("files.write", path=path, base64=base64.b64encode(piece).decode(), offset=offset or None)
            offset += len(piece)

    def delete(self, path: str) -> None:
        """Deletes a file under /work."""
        self._call("files.delete", path=path)

    def output(self, cell: int, stream: str = "stdout") -> str:
        """Everything that is stored of what a cell printed, beyond what its result keeps."""
        return b"".join(self._pieces("output.read", cell=cell, stream=stream)).decode(errors="replace")

    def _pieces(self, method: str, **params: Any) -> Iterator[bytes]:
        offset, size = 0, 1
        while offset < size:
            piece = self._call(method, offset=offset, length=PIECE, **params)
            data = base64.b64decode(piece["base64"])
            if not data:
                return
            offset, size = offset + len(data), piece["size"]
            yield data

    # ---- tools ----

    def tool(self, function: Function) -> Function:
        """Offers a function to the code, as tools.NAME; its docstring and annotations describe it. A decorator.

        >>> import retort
        >>> with retort.Session() as s:
        ...     @s.tool
        ...     def price(article: str) -> float:
        ...         "Price of an article."
        ...         return {"tea": 9.5}[article]
        ...     s.run("import tools; tools.price('tea') * 2").value
        '19.0'
        """
        self.offer({function.__name__: offer_of(function)})
        return function

    def offer(self, tools: Mapping[str, Offer]) -> None:
        """The same for several, which offer_of() describes."""
        self._tools.update(tools)
        self._offer()

    def _offer(self) -> None:
        if self._stop_tools is None:
            self._stop_tools = self._engine.listen(self.id, self._on_call)
        self._call("tools.register", tools=described(self._tools))

    def _on_call(self, method: str, params: Json) -> None:
        if method == "tools.call":
            threading.Thread(target=self._answer, args=(params,), name="retort-tool", daemon=True).start()

    def _answer(self, params: Json) -> None:
        answer = answer_to(params["call"], lambda: self._tools[params["name"]].function(**params["arguments"]))
        with contextlib.suppress(Error):  # the cell has ended meanwhile
            self._engine.request("tools.result", answer)

    # ---- ending ----

    def close(self) -> None:
        """Ends the session. Closing twice does nothing."""
        if self._stop_tools:
            self._stop_tools()
            self._stop_tools = None
        if self.id:
            identifier, self.id = self.id, ""
            self._engine.call("session.close", session=identifier)

    def _open_id(self) -> str:
        if not self.id:
            raise Error("the session is closed")
        return self.id

    def _call(self, method: str, **params: Any) -> Json:
        return self._request(method, without_none({"session": self.id, **params}))

    def _request(self, method: str, params: Json) -> Json:
        self._ready()
        return self._ask(method, params)

    def _ready(self) -> None:
        """It is open, and comes back first if its engine has gone. What was under way then is not done again: it may have been
        done."""
        self._open_id()
        if not self._away:
            return
        with self._back:
            if not self._away:  # another thread has brought it back
                return
            if self._given and not self._engine.alive:
                raise gone_with_engine(self.id)
            try:
                self.resume()
            except NotFound as error:
                raise gone_for_good(error, self.id) from None

    @property
    def _away(self) -> bool:
        return self._lost or not self._engine.alive

    def _ask(self, method: str, params: Json) -> Json:
        try:
            return self._engine.request(method, params)
        except Gone as error:
            self._lost = True
            raise gone(error, self.id) from None

    def _result(self, reply: Reply) -> Json:
        try:
            return result_of(reply)
        except Gone as error:
            self._lost = True
            raise gone(error, self.id) from None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.close()
        except Error:
            pass  # it ended before

    def __repr__(self) -> str:
        return f"<retort.Session {self.id or 'closed'}>"
