"""client.py PROGRAM [bare]: cells through the Python client, or through the same pipes without it. One request a line, as
bench/server.h says: cells N US."""
import contextlib
import json
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "clients/python"))
import retort  # noqa: E402


@contextlib.contextmanager
def client():
    with retort.connect(program=sys.argv[1]) as engine, retort.Session(engine=engine) as session:
        yield lambda: session.run("1+1").value


@contextlib.contextmanager
def bare():
    engine = subprocess.Popen([sys.argv[1], "rpc"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def call(method, **params):
        engine.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
        engine.stdin.flush()
        return json.loads(engine.stdout.readline())["result"]

    session = call("session.create")["session"]
    yield lambda: call("session.execute", session=session, code="1+1")["value"]["text/plain"]
    engine.stdin.close()
    engine.wait()


with (bare if "bare" in sys.argv else client)() as cell:
    for _ in range(20):
        cell()
    for request in sys.stdin:
        _, count, pause = request.split()
        samples = []
        for _ in range(int(count)):
            time.sleep(int(pause) / 1e6)
            start = time.perf_counter()
            assert cell() == "2"
            samples.append((time.perf_counter() - start) * 1000)
        print(*("%.4f" % sample for sample in samples), flush=True)
