"""Many clients at once: 200 of them, with 400 sessions in all; in make soak with at least a thousand, for ten minutes."""
import asyncio
import json
import pathlib
import re
import statistics
import time

import traces

from serving import serving

CLIENTS = 200
# Descriptors of the cgroups that the supervisor keeps for sessions to come, or happens to have used up, and of a session
# of the pool that a busy machine has not made yet. What leaks does so for each of the 400 sessions.
SPARE = 4 * 5 + 20


class Browser:
    """One client with one kept connection, in asyncio: two hundred threads would measure themselves."""

    def __init__(self, port, sessions, pause):
        self.port, self.sessions, self.pause = port, sessions, pause
        self.reader, self.writer, self.times = None, None, []

    async def rpc(self, method, **params):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        self.writer.write(b"POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                          b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"Content-Length: (\d+)", head)[1])
        answer = json.loads(await self.reader.readexactly(length))
        assert "result" in answer, answer
        return answer["result"]

    async def live(self, until):
        """Sessions one after the other, each with a few cells that build on each other."""
        made = 0
        while made < self.sessions or time.monotonic() < until:
            session = (await self.rpc("session.create", record=False))["session"]
            for cell in range(3):
                start = time.monotonic()
                result = await self.rpc("session.execute", session=session, code=f"x = {cell if cell == 0 else f'x + {cell}'}\nx")
                self.times.append(time.monotonic() - start)
                assert result["value"]["text/plain"] == str([0, 1, 3][cell])
                await asyncio.sleep(self.pause)
            await self.rpc("session.close", session=session)
            made += 1
        self.writer.close()
        return made


async def crowd(port, clients, sessions, pause, seconds=0):
    browsers = [Browser(port, sessions, pause) for _ in range(clients)]
    until = time.monotonic() + seconds
    made = await asyncio.gather(*(browser.live(until) for browser in browsers))
    return sum(made), sorted(one for browser in browsers for one in browser.times)


def footprint(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]), len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))


def supervisor_of(pid):
    """The child of the keeper, which is a child of the server; a launcher beside it has none."""
    found, = [child for keeper in traces.children(pid) for child in traces.children(keeper) if traces.name_of(child) == "retort-supervis"]
    return found


def settled(*pids):
    """Memory and descriptors of each, once connections have closed and the pool is full: nothing changes for 3 s."""
    seen = []
    for _ in range(1000):
        time.sleep(0.1)
        seen.append([footprint(pid) for pid in pids])
        if len(seen) >= 30 and all(one[1] == last[1] for now in seen[-30:] for one, last in zip(now, seen[-1])):
            break
    return [tuple(map(min, zip(*of_one))) for of_one in zip(*seen[-30:])]


def test_two_hundred_clients(light, count, record_property):
    sessions, pause, seconds = count((2, 0.3, 0), (5, 1, 600))
    with serving(light, "--no-auth", "--supervisors", "1") as server:
        # Thread stacks and arenas are there before anything is measured.
        asyncio.run(crowd(server.port, CLIENTS // 4, sessions, 0.1))
        supervisor = supervisor_of(server.process.pid)
        before, before_there = settled(server.process.pid, supervisor)
        made, times = asyncio.run(crowd(server.port, CLIENTS, sessions, pause, seconds))
        after, after_there = settled(server.process.pid, supervisor)
        assert made >= CLIENTS * sessions
        p99 = times[len(times) * 99 // 100]
        record_property("sessions", made)
        record_property("median_ms", statistics.median(times) * 1e3)
        record_property("p99_ms", p99 * 1e3)
        print(f"{made} sessions, {len(times)} cells, median {statistics.median(times) * 1e3:.1f} ms, p99 {p99 * 1e3:.1f} ms, "
              f"memory {before[0]} -> {after[0]} KiB, descriptors {before[1]} -> {after[1]}; "
              f"supervisor {before_there[0]} -> {after_there[0]} KiB, {before_there[1]} -> {after_there[1]}")
        assert after[1] <= before[1] + 5
        assert after_there[1] <= before_there[1] + SPARE + 5
        assert traces.growth(before_there[0], after_there[0]) < 5_000
        assert traces.growth(before[0], after[0]) < 30_000
