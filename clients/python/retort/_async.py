"""The same session for asyncio. No call waits in a thread, but for what HTTP needs: an engine takes hundreds of sessions."""
from __future__ import annotations

import asyncio
import base64
import contextlib
import inspect
import threading
from typing import Any, AsyncIterator, Callable, Dict, List, Optional, Tuple, Union, cast

from ._engine import Engine, Error, Gone, Json, NotFound, Reply, default_engine, result_of, without_none
from ._result import Answer, Comparison, Display, File, Info, Output, Result
from ._session import (AGAIN, END_SECONDS, PIECE, Content, Event, Files, Function, Offer, Piece, answer_to, cell_params, described, event_of, gone,
                       gone_for_good, gone_with_engine, offer_of, pieces_of, uploads)


class AsyncBranches(List["AsyncSession"]):
    """Sessions that were made together; as an asynchronous context manager it closes all but the one whose keep() was called."""

    async def __aenter__(self) -> AsyncBranches:
        return self

    async def __aexit__(self, *_: object) -> None:
        for session in self:
            if not session.kept:
                await session.__aexit__()


class AsyncSession:
    """A Session for asyncio. Use it as an asynchronous context manager, or await open() and close(). Takes the options of
    Session. Cells of one object run one after the other; a task that is cancelled while its cell runs interrupts the cell, and
    one that is cancelled before its turn runs nothing. The session goes on.

    >>> import asyncio, retort
    >>> async def main():
    ...     async with retort.AsyncSession() as s:
    ...         await s.run("x = 20")
    ...         return (await s.run("x + 22")).value
    >>> asyncio.run(main())
    '42'
    """

    def __init__(self, *, engine: Optional[Engine] = None, files: Optional[Files] = None, **options: Any) -> None:
        self._engine = engine
        self._given = engine is not None
        self._create: Optional[Json] = {"files": uploads(files), **options}
        self._turn, self._back = asyncio.Lock(), asyncio.Lock()
        self._lost = False
        self._tools: Dict[str, Offer] = {}
        self._stop_tools: Optional[Callable[[], None]] = None
        self.id = ""
        self.kept = False
        self.isolation: Json = {}

    @classmethod
    async def attach(cls, identifier: str, *, engine: Optional[Engine] = None) -> AsyncSession:
        """A session that exists already; see Session.attach."""
        made = cls(engine=engine)
        made._create = None
        made.id = identifier
        return await made.resume()

    async def open(self) -> AsyncSession:
        """Starts the session; `async with` does so."""
        if self._create is not None:
            params, self._create = without_none(self._create), None
            self._engine = self._engine or await asyncio.to_thread(default_engine)
            made = await self._settled("session.create", params)
            self.id, self.isolation = made["session"], made["isolation"]
        return self

    async def resume(self, *, engine: Optional[Engine] = None) -> AsyncSession:
        """Brings the session back after its engine has died; see Session.resume."""
        self._lost = True  # until it is there, for other tasks
        if engine or not self._given:
            self._engine = engine or await asyncio.to_thread(default_engine)
        self.isolation = (await self._ask("session.resume", {"session": self._open_id()})).get("isolation", {})
        self._lost = False
        await self._stop_listening()
        if self._tools:
            await self._offer()
        return self

    # ---- requests ----

    @property
    def engine(self) -> Engine:
        """The engine that runs it."""
        if self._engine is None:
            raise RuntimeError("the session was not started: use `async with`, or await open()")
        return self._engine

    def _start(self, method: str, params: Json) -> asyncio.Future[Reply]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Reply] = loop.create_future()

        def settle(reply: Reply) -> None:
            if not future.done():
                future.set_result(reply)

        def take(reply: Reply) -> None:
            with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
                loop.call_soon_threadsafe(settle, reply)

        self.engine.start(method, params, take)
        return future

    async def _settled(self, method: str, params: Json) -> Json:
        return result_of(await self._start(method, params))

    def _open_id(self) -> str:
        if not self.id and self._create is not None:
            raise RuntimeError("the session was not started: use `async with`, or await open()")
        if not self.id:
            raise Error("the session is closed")
        return self.id

    async def _call(self, method: str, **params: Any) -> Json:
        await self._ready()
        return await self._ask(method, without_none({"session": self.id, **params}))

    async def _ask(self, method: str, params: Json) -> Json:
        try:
            return await self._settled(method, params)
        except Gone as error:
            self._lost = True
            raise gone(error, self.id) from None

    async def _ready(self) -> None:
        """See Session._ready."""
        self._open_id()
        if not self._away:
            return
        async with self._back:
            if not self._away:  # another task has brought it back
                return
            if self._given and not self.engine.alive:
                raise gone_with_engine(self.id)
            try:
                await self.resume()
            except NotFound as error:
                raise gone_for_good(error, self.id) from None

    @property
    def _away(self) -> bool:
        return self._lost or not self.engine.alive

    # ---- running code ----

    async def run(self, code: str, *, language: Optional[str] = None, timeout: Optional[float] = None,
                  limits: Optional[Dict[str, float]] = None) -> Result:
        """Runs one cell; see Session.run."""
        async with self._turn:
            return Result(await self._interruptible("session.execute", cell_params(self.id, code, language, timeout, limits)))

    async def _interruptible(self, method: str, params: Json) -> Json:
        """One request that runs cells. When its task is cancelled, they are interrupted, until the request has ended."""
        task = asyncio.ensure_future(self._call(method, **params))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            while not task.done():
                with contextlib.suppress(Error):
                    await self._settled("session.interrupt", {"session": params["session"]})
                await asyncio.wait([task], timeout=AGAIN)
            with contextlib.suppress(Error):
                task.result()
            raise

    async def stream(self, code: str, *, language: Optional[str] = None, timeout: Optional[float] = None,
                     limits: Optional[Dict[str, float]] = None) -> AsyncIterator[Event]:
        """Runs one cell: events as they happen, the Result last. Leaving the loop and closing the iterator interrupts it.

        >>> import asyncio, retort
        >>> async def main():
        ...     async with retort.AsyncSession() as s:
        ...         return [event async for event in s.stream("print('hello')")]
        >>> asyncio.run(main())
        [Output(stream='stdout', text='hello\\n'), <retort.Result cell=1 status='ok' value=None>]
        """
        told: asyncio.Queue[Union[Piece, int, asyncio.Task[Json]]] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def listener(method: str, params: Json) -> None:
            event = params["cell"] if method == "cell.end" else event_of(method, params)
            if event is not None:
                loop.call_soon_threadsafe(told.put_nowait, event)

        async with self._turn:
            await self._ready()
            stop = await asyncio.to_thread(self.engine.listen, self.id, listener)
            task = asyncio.ensure_future(
                self._interruptible("session.execute", cell_params(self.id, code, language, timeout, limits)))
            task.add_done_callback(told.put_nowait)
            try:
                while True:
                    event = await told.get()
                    if isinstance(event, (Output, Display)):
                        yield event
                    elif not isinstance(event, int):
                        result = Result(event.result())
                        for late in await self._late(told, result.cell):
                            yield late
                        yield result
                        return
            finally:
                task.cancel()
                await asyncio.wait([task])
                await asyncio.to_thread(stop)

    async def _late(self, told: asyncio.Queue[Union[Piece, int, asyncio.Task[Json]]], cell: int) -> List[Piece]:
        """What comes after the answer, over a connection of its own, until the end of the cell was told."""
        events: List[Piece] = []
        with contextlib.suppress(asyncio.TimeoutError):  # that connection was lost
            while self.engine.events_apart:
                event = await asyncio.wait_for(told.get(), END_SECONDS)
                if isinstance(event, (Output, Display)):
                    events.append(event)
                elif event == cell:
                    break
        return events

    async def interrupt(self) -> bool:
        """Interrupts the running cell. Whether one was running."""
        return bool((await self._ask("session.interrupt", {"session": self._open_id()}))["interrupted"])

    async def variables(self, language: Optional[str] = None) -> List[Dict[str, str]]:
        """What a language of the session holds, by name, type and repr; of "sql" its tables."""
        given = {"language": language} if language else {}
        return list((await self._call("session.variables", **given))["variables"])

    async def complete(self, code: str, cursor: Optional[int] = None, language: Optional[str] = None) -> Tuple[int, List[str]]:
        """Where the name at the cursor begins, and what it may become."""
        given = {"cursor": cursor, "language": language}
        answer = await self._call("session.complete", code=code, **{k: v for k, v in given.items() if v is not None})
        return int(answer["start"]), list(answer["names"])

    async def undo(self, cells: int = 1) -> int:
        """Takes memory and files back to before the last cells."""
        return int((await self._call("session.undo", cells=cells))["cells"])

    async def branch(self, count: int = 1) -> AsyncBranches:
        """New sessions with the present state of this one: `async with await s.branch(2) as (left, right)` closes them."""
        made = AsyncBranches()
        for identifier in (await self._call("session.branch", count=count))["sessions"]:
            one = AsyncSession(engine=self.engine)
            one._given, one._create, one.id, one.isolation = self._given, None, identifier, self.isolation
            made.append(one)
        return made

    async def compare(self, *others: AsyncSession) -> Comparison:
        """This session and others side by side; see Session.compare."""
        for session in (self, *others):
            await session._ready()
        return cast(Comparison, await self._settled("session.compare", {"sessions": [self.id, *(one.id for one in others)]}))

    async def keep(self) -> List[str]:
        """Ends the branches that were made together with this one. Their ids."""
        closed = list((await self._call("session.keep"))["closed"])
        self.kept = True
        return closed

    async def agent(self, task: str, *, files: Optional[Files] = None, on_event: Optional[Callable[[Json], None]] = None,
                    **options: Any) -> Answer:
        """Lets the server's model solve a task; see Session.agent. Events come in the loop's thread."""
        loop, stopped = asyncio.get_running_loop(), asyncio.Event()

        def listener(method: str, params: Json) -> None:
            if method == "agent.event" and on_event:
                loop.call_soon_threadsafe(on_event, params["event"])
                if params["event"]["event"] == "stop":
                    loop.call_soon_threadsafe(stopped.set)

        async with self._turn:
            await self._ready()
            stop = await asyncio.to_thread(self.engine.listen, self.id, listener) if on_event else None
            try:
                params = {"session": self.id, "task": task, "files": uploads(files), **options}
                answer = cast(Answer, await self._interruptible("agent.run", params))
                if on_event and self.engine.events_apart:
                    with contextlib.suppress(asyncio.TimeoutError):
                        await asyncio.wait_for(stopped.wait(), END_SECONDS)
                return answer
            finally:
                if stop:
                    await asyncio.to_thread(stop)

    async def check(self, answer: str, *, question: Optional[str] = None) -> Json:
        """Holds the numbers of an answer against what ran; see Session.check."""
        return cast(Json, await self._call("session.check", answer=answer, question=question))

    async def info(self) -> Info:
        """What the session is and does."""
        return cast(Info, await self._call("session.info"))

    # ---- files ----

    async def files(self) -> List[File]:
        """The regular files under /work."""
        return [File(file["path"], file["size"], file.get("mime")) for file in (await self._call("files.list"))["files"]]

    async def read(self, path: str) -> bytes:
        """A whole file under /work."""
        return b"".join([piece async for piece in self.read_pieces(path)])

    def read_pieces(self, path: str) -> AsyncIterator[bytes]:
        """The same in pieces, in constant memory."""
        return self._pieces("files.read", path=path)

    async def write(self, path: str, data: Content) -> None:
        """Writes a file under /work; see Session.write."""
        offset = 0
        for piece in pieces_of(data):
            await self._call("files.write", path=path, base64=base64.b64encode(piece).decode(), offset=offset or None)
            offset += len(piece)

    async def delete(self, path: str) -> None:
        """Deletes a file under /work."""
        await self._call("files.delete", path=path)

    async def output(self, cell: int, stream: str = "stdout") -> str:
        """Everything that is stored of what a cell printed."""
        pieces = [piece async for piece in self._pieces("output.read", cell=cell, stream=stream)]
        return b"".join(pieces).decode(errors="replace")

    async def _pieces(self, method: str, **params: Any) -> AsyncIterator[bytes]:
        offset, size = 0, 1
        while offset < size:
            piece = await self._call(method, offset=offset, length=PIECE, **params)
            data = base64.b64decode(piece["base64"])
            if not data:
                return
            offset, size = offset + len(data), piece["size"]
            yield data

    # ---- tools ----

    async def tool(self, function: Function) -> Function:
        """Offers a function, plain or async, to the code, as tools.NAME; see Session.tool. A plain one runs in a thread."""
        self._tools[function.__name__] = offer_of(function)
        await self._offer()
        return function

    async def _offer(self) -> None:
        loop = asyncio.get_running_loop()

        def on_call(method: str, params: Json) -> None:
            if method == "tools.call":
                threading.Thread(target=self._answer, args=(params, loop), name="retort-tool", daemon=True).start()

        if self._stop_tools is None:
            self._stop_tools = await asyncio.to_thread(self.engine.listen, self.id, on_call)
        await self._call("tools.register", tools=described(self._tools))

    def _answer(self, params: Json, loop: asyncio.AbstractEventLoop) -> None:
        def call() -> Any:
            value = self._tools[params["name"]].function(**params["arguments"])
            return asyncio.run_coroutine_threadsafe(value, loop).result() if inspect.iscoroutine(value) else value

        with contextlib.suppress(Error):  # the cell has ended meanwhile
            self.engine.request("tools.result", answer_to(params["call"], call))

    async def _stop_listening(self) -> None:
        stop, self._stop_tools = self._stop_tools, None
        if stop:
            await asyncio.to_thread(stop)

    # ---- ending ----

    async def close(self) -> None:
        """Ends the session. Closing twice does nothing."""
        await self._stop_listening()
        if self.id:
            identifier, self.id = self.id, ""
            await self._settled("session.close", {"session": identifier})

    async def __aenter__(self) -> AsyncSession:
        return await self.open()

    async def __aexit__(self, *_: object) -> None:
        with contextlib.suppress(Error):  # it ended before
            await self.close()
