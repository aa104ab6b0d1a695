"""The same session for asyncio: each call waits in a thread of the session's own, so that the event loop never does."""
from __future__ import annotations

import asyncio
import concurrent.futures
import functools
import inspect
from typing import Any, AsyncIterator, Callable, Dict, Iterator, List, Optional, TypeVar, Union

from ._engine import Engine
from ._result import File, Result
from ._session import Event, Session

T = TypeVar("T")
THREADS = 8  # calls of one session that wait at the same time; they are made when needed


def _next(events: Iterator[Event]) -> Optional[Event]:
    return next(events, None)


class AsyncSession:
    """A Session for asyncio. Use it as an asynchronous context manager:

        async with retort.AsyncSession() as s:
            print((await s.run("6 * 7")).value)

    Takes the options of Session. A task that is cancelled while its cell runs interrupts the cell; the session goes on."""

    def __init__(self, **options: Any) -> None:
        self._make: Callable[[], Session] = functools.partial(Session, **options)
        self._session: Optional[Session] = None
        self._threads = concurrent.futures.ThreadPoolExecutor(THREADS, thread_name_prefix="retort-async")

    @classmethod
    async def attach(cls, identifier: str, *, engine: Optional[Engine] = None) -> AsyncSession:
        """A session that exists already; see Session.attach."""
        made = cls()
        made._make = functools.partial(Session.attach, identifier, engine=engine)
        return await made.open()

    async def open(self) -> AsyncSession:
        """Starts the session; `async with` does so."""
        self._session = await self._wait(self._make)
        return self

    async def _wait(self, function: Callable[..., T], *args: Any, **options: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, functools.partial(function, *args, **options))

    @property
    def session(self) -> Session:
        """The session behind it, for what has no method here."""
        if self._session is None:
            raise RuntimeError("the session was not started: use `async with`, or await open()")
        return self._session

    @property
    def id(self) -> str:
        """The id of the session."""
        return self.session.id

    async def run(self, code: str, *, timeout: Optional[float] = None, limits: Optional[Dict[str, float]] = None) -> Result:
        """Runs one cell; see Session.run."""
        try:
            return await self._wait(self.session.run, code, timeout=timeout, limits=limits)
        except asyncio.CancelledError:
            await asyncio.shield(self._wait(self.session._stop_cell))
            raise

    async def stream(self, code: str, *, timeout: Optional[float] = None,
                     limits: Optional[Dict[str, float]] = None) -> AsyncIterator[Event]:
        """Runs one cell: events as they happen, the Result last. Leaving the loop and closing the iterator interrupts it."""
        events = self.session.stream(code, timeout=timeout, limits=limits)
        try:
            while True:
                event = await self._wait(_next, events)
                if event is None:
                    return
                yield event
        finally:
            await asyncio.shield(self._wait(self._leave, events))

    def _leave(self, events: Any) -> None:
        while True:
            try:
                events.close()
                return
            except ValueError:  # a thread waits for the next event: let it come
                self.session.interrupt()

    async def interrupt(self) -> bool:
        """Interrupts the running cell. Whether one was running."""
        return await self._wait(self.session.interrupt)

    async def undo(self, cells: int = 1) -> int:
        """Takes memory and files back to before the last cells."""
        return await self._wait(self.session.undo, cells)

    async def branch(self, count: int = 1) -> List[AsyncSession]:
        """New sessions with the present state of this one."""
        made = []
        for session in await self._wait(self.session.branch, count):
            one = AsyncSession()
            one._session = session
            made.append(one)
        return made

    async def agent(self, task: str, **options: Any) -> Dict[str, Any]:
        """Lets the server's model solve a task; see Session.agent."""
        return await self._wait(self.session.agent, task, **options)

    async def files(self) -> List[File]:
        """The regular files under /work."""
        return await self._wait(self.session.files)

    async def read(self, path: str) -> bytes:
        """A whole file under /work."""
        return await self._wait(self.session.read, path)

    async def write(self, path: str, data: Union[bytes, str]) -> None:
        """Writes a file under /work."""
        await self._wait(self.session.write, path, data)

    async def delete(self, path: str) -> None:
        """Deletes a file under /work."""
        await self._wait(self.session.delete, path)

    async def info(self) -> Dict[str, Any]:
        """What the session is and does."""
        return await self._wait(self.session.info)

    async def tool(self, function: Callable[..., Any]) -> None:
        """Offers a function, plain or async, to the code, as tools.NAME; see Session.tool."""
        loop = asyncio.get_running_loop()

        @functools.wraps(function)
        def call(**arguments: Any) -> Any:
            return asyncio.run_coroutine_threadsafe(function(**arguments), loop).result()

        await self._wait(self.session.tool, call if inspect.iscoroutinefunction(function) else function)

    async def close(self) -> None:
        """Ends the session."""
        if self._session is not None:
            await self._wait(self._session.close)
        self._threads.shutdown(wait=False)

    async def __aenter__(self) -> AsyncSession:
        return await self.open()

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._wait(self._session.__exit__)
        self._threads.shutdown(wait=False)
