"""tries.py PROGRAM: runs of the agent from one session that holds 300 MB, with replies instead of a model. One request a line, as
bench/server.h says: tries OF N, N runs that are the best of so many; each step's code waits for half a second, as for a database."""
import json
import subprocess
import sys
import time

FILL = "import numpy as np\ndata = np.ones(300 << 17)\nlen(data)"
STEP = "```python\nimport time\ntime.sleep(0.5)\nx = int(data[::1000].sum()) + %d\nprint('sum', x)\n```"

engine = subprocess.Popen([sys.argv[1], "rpc"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def call(method, **params):
    engine.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
    engine.stdin.flush()
    for line in engine.stdout:
        message = json.loads(line)
        if "id" in message:
            return message["result"]


session = call("session.create", limits={"memory": 4 << 30})["session"]
assert call("session.execute", session=session, code=FILL)["status"] == "ok"


def run(count):
    """The milliseconds of one."""
    numbers = range(1, count + 1)  # no two tries say the same, so that none is stopped early
    replies = [{"text": text, **({"try": number} if count > 1 else {})} for number in numbers for text in (STEP % number, "The sum is {{x}}.")]
    begin = time.perf_counter()
    done = call("agent.run", session=session, task="Add them.", replies=replies, **({"best_of": count} if count > 1 else {}))
    took = (time.perf_counter() - begin) * 1e3
    assert done["answer"] == "The sum is 39323.", done
    if count > 1:
        call("session.close", session=done["session"])
    return took


for request in sys.stdin:
    _, count, runs = request.split()
    print(*("%.4f" % run(int(count)) for _ in range(int(runs))), flush=True)
engine.stdin.close()
engine.wait()
