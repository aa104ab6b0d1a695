"""The Python client for asyncio, over every way to an engine. mypy --strict reads this file, as it would read a program that
uses the client."""
import asyncio
import os
from typing import Any, List

import pytest

import retort as client

ENDLESS = "print('on', flush=True)\nimport time\nwhile True: time.sleep(0.05)"


@pytest.fixture(scope="module")
def retort(light: Any) -> Any:
    return light


@pytest.mark.few(1)
def test_state_files_tools_and_branches(engine: client.Engine) -> None:
    async def main() -> None:
        async with client.AsyncSession(engine=engine, files={"in.txt": "here"}) as s:
            await s.run("x = 20")
            result: client.Result = await s.run("x + 22")
            assert result.value == "42"
            await s.write("out.txt", "text")
            assert sorted(file.path for file in await s.files()) == ["in.txt", "out.txt"]
            assert await s.read("in.txt") == b"here"
            await s.delete("out.txt")
            with pytest.raises(client.NotFound):
                await s.read("out.txt")

            async def price(article: str) -> float:
                """Price of an article."""
                await asyncio.sleep(0)
                return {"tea": 9.5}[article]

            def twice(n: int) -> int:
                return 2 * n

            await s.tool(price)
            await s.tool(twice)
            assert (await s.run("import tools\ntools.price('tea') * tools.twice(1)")).value == "19.0"
            async with await s.branch(2) as (left, right):
                await left.run("x = 1")
                assert [v["name"] for v in (await s.compare(left, right))["variables"]] == ["x"]
                ended = right.id
                assert await left.keep() == [ended]
            assert (await left.run("x")).value == "1"  # it was kept
            await left.close()
            assert (await s.variables())[0]["name"] == "x"
            assert await s.complete("prin") == (0, ["print"])
            assert await s.undo() == 1
            again = await client.AsyncSession.attach(s.id, engine=engine)
            info: client.Info = await again.info()
            assert info["session"] == s.id
        with pytest.raises(client.Error, match="closed"):
            await s.run("1")

    asyncio.run(main())


def test_a_session_that_was_not_started_says_so() -> None:
    async def main() -> None:
        with pytest.raises(RuntimeError, match="async with"):
            await client.AsyncSession().run("1")

    asyncio.run(main())


def test_streams_come_as_they_happen(engine: client.Engine) -> None:
    async def main() -> None:
        async with client.AsyncSession(engine=engine) as s:
            events: List[client.Event] = [event async for event in s.stream("print('a')\n7")]
            assert events[0] == client.Output("stdout", "a\n")
            last = events[-1]
            assert isinstance(last, client.Result) and last.value == "7"
            result = await s.run("print('x' * 200_000)")
            assert await s.output(result.cell) == "x" * 200_000 + "\n"

    asyncio.run(main())


async def begun(engine: client.Engine, s: client.AsyncSession, code: str) -> "asyncio.Task[client.Result]":
    """A task whose cell has begun to print."""
    started, loop = asyncio.Event(), asyncio.get_running_loop()

    def listener(method: str, params: Any) -> None:
        loop.call_soon_threadsafe(started.set)

    stop = await asyncio.to_thread(engine.listen, s.id, listener)
    task = asyncio.create_task(s.run(code))
    await started.wait()
    await asyncio.to_thread(stop)
    return task


def test_a_cancelled_task_interrupts_its_cell_and_no_other(engine: client.Engine) -> None:
    async def main() -> None:
        async with client.AsyncSession(engine=engine, limits={"timeout": 100}) as s:
            await s.run("x = 1")
            first = await begun(engine, s, ENDLESS)
            second = asyncio.create_task(s.run("x = 2"))
            await asyncio.sleep(0)
            second.cancel()
            with pytest.raises(asyncio.CancelledError):
                await second
            assert (await s.info())["running"]
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first
            assert (await s.run("x")).value == "1"
            stream = s.stream(ENDLESS)
            async for event in stream:
                break
            await stream.aclose()  # type: ignore[attr-defined]
            assert (await s.run("x")).value == "1"

    asyncio.run(main())


def test_an_interrupt_of_ones_own(engine: client.Engine) -> None:
    async def main() -> None:
        async with client.AsyncSession(engine=engine, limits={"timeout": 100}) as s:
            task = await begun(engine, s, ENDLESS)
            assert await s.interrupt()
            assert (await task).status == "interrupted"

    asyncio.run(main())


def test_the_agent(engine: client.Engine) -> None:
    async def main() -> None:
        replies = [{"text": "```python\nprint('product', 6 * 7)\n```"}, {"text": "The product is 42."}]
        events: List[str] = []
        async with client.AsyncSession(engine=engine) as s:
            answer: client.Answer = await s.agent("What is six times seven?", replies=replies,
                                                  on_event=lambda event: events.append(event["event"]))
        assert (answer["answer"], answer["verified"]) == ("The product is 42.", True) and "action" in events

    asyncio.run(main())


def test_a_cancelled_task_ends_the_run_of_its_agent(engine: client.Engine) -> None:
    """Of nine cells one ran, and was interrupted."""
    async def main() -> None:
        async with client.AsyncSession(engine=engine, limits={"timeout": 100}) as s:
            await s.run("x = 1")
            begun = asyncio.Event()

            def on_event(event: Any) -> None:
                if event["event"] == "output":
                    begun.set()

            replies = [{"text": "```python\nimport time\nx += 1\nprint('on', flush=True)\ntime.sleep(90)\n```"}] * 9
            task = asyncio.create_task(s.agent("Wait.", replies=replies, on_event=on_event))
            await begun.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await s.run("x")).value == "2"

    asyncio.run(main())


@pytest.mark.few(1)
def test_many_sessions_at_once(engine: client.Engine) -> None:
    many = 200 if os.environ.get("RETORT_SOAK") else 20

    async def one(number: int) -> None:
        async with client.AsyncSession(engine=engine, limits={"memory": 64}) as s:
            await s.run(f"x = {number}")
            assert (await s.run("x * 2")).value == str(number * 2)

    async def main() -> None:
        await asyncio.gather(*(one(number) for number in range(many)))

    asyncio.run(main())


def surround(monkeypatch: pytest.MonkeyPatch, retort: Any) -> None:
    """Engines that the client starts itself have the caller's configuration, and a state of their own."""
    for name, value in (("RETORT_STATE", str(retort.home / "state-of-async")), *retort.configured):
        monkeypatch.setenv(name, value)


def test_a_session_comes_back_by_itself(retort: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    surround(monkeypatch, retort)
    monkeypatch.setenv("RETORT_PROGRAM", str(retort.retort))
    monkeypatch.setattr(client._engine, "_default", None)  # which another test may have left, with its state

    async def main() -> None:
        s = await client.AsyncSession().open()
        forgotten = await client.AsyncSession(record=False).open()
        await s.run("x = 0")
        s.engine._process.kill()  # type: ignore[attr-defined]
        s.engine._process.wait()  # type: ignore[attr-defined]
        results, _ = await asyncio.gather(asyncio.gather(*(s.run("x += 1") for _ in range(8))), s.files())
        assert all(result.ok for result in results) and (await s.run("x")).value == "8"
        assert [event.value async for event in s.stream("x") if isinstance(event, client.Result)] == ["8"]
        with pytest.raises(client.Gone, match="was not recorded"):
            await forgotten.run("1")
        s.engine.close()

    asyncio.run(main())


def test_the_engine_is_killed_in_the_middle(retort: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    surround(monkeypatch, retort)

    async def main() -> None:
        with client.connect(program=str(retort.retort)) as engine:
            s = await client.AsyncSession(engine=engine, limits={"timeout": 100}).open()
            await s.run("x = 20")
            task = await begun(engine, s, ENDLESS)
            engine._process.kill()  # type: ignore[attr-defined]
            with pytest.raises(client.Gone, match="comes back with its next call"):
                await task
            with pytest.raises(client.Gone, match=r"resume\(engine="):
                await s.run("x")
        with client.connect(program=str(retort.retort)) as other:
            await s.resume(engine=other)
            assert (await s.run("x + 22")).value == "42"
            await s.close()

    asyncio.run(main())
