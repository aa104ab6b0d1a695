"""--deterministic: clock, entropy, hashes, addresses and file times repeat; waiting still works."""
import contextlib
import json
import os
import subprocess
from random import Random

import pytest
import rpc

BUILD = os.environ.get("RETORT_BUILD", "build")

LOOK = """
import os, random, ssl, threading, time, uuid
print(time.time(), time.monotonic(), time.perf_counter(), uuid.uuid4(), uuid.uuid1())
print(random.random(), os.urandom(8).hex(), ssl.RAND_bytes(8).hex(), hash("x"), id(object()), {"a", "b", "c"})
open("made.txt", "w").close()
print(os.stat("made.txt").st_mtime, os.listdir("."), os.getpid())
"""

PLOT = "import matplotlib.pyplot as plt; plt.bar(['a', 'b'], [3, 7]); plt.savefig('chart.png')"
CELL = "import time, uuid; print(uuid.uuid4(), time.time(), id(object()), {'x', 'y'}); open('log', 'a').write('line\\n')"


def run(code, *options):
    command = [f"{BUILD}/retort", "run", "--json", *options, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    result = json.loads(done.stdout)
    assert result["status"] == "ok", result["stderr"]
    return result["stdout"]


def test_two_runs_with_one_seed_are_equal():
    assert run(LOOK, "--deterministic", "--seed", "7") == run(LOOK, "--deterministic", "--seed", "7")


def test_another_seed_gives_other_entropy():
    one, two = (run(LOOK, "--deterministic", "--seed", seed).splitlines()[1] for seed in ("7", "8"))
    assert one.split()[:3] != two.split()[:3]


def test_ordinary_runs_differ():
    assert run(LOOK, "--seed", "7") != run(LOOK, "--seed", "7")


def test_numpy_generators_repeat():
    pytest.importorskip("numpy")
    code = "import numpy as np; print(np.random.rand(), np.random.default_rng().random())"
    assert run(code, "--deterministic", "--seed", "7") == run(code, "--deterministic", "--seed", "7")


def test_the_virtual_clock_advances_by_what_was_slept():
    code = "import time; a = time.time(); time.sleep(0.05); print(round(time.time() - a, 2))"
    assert run(code, "--deterministic") == "0.05\n"


def test_waits_with_a_deadline_end():
    code = """
import queue, threading
print(threading.Event().wait(0.05))
try:
    queue.Queue().get(timeout=0.05)
except queue.Empty:
    print("empty")
done = threading.Event()
threading.Timer(0.05, done.set).start()
print(done.wait(20))
"""
    assert run(code, "--deterministic") == "False\nempty\nTrue\n"


def test_a_recorded_session_replays_to_the_byte(retort, count):
    """Fifty cells of a live session, forked from a warm interpreter: streams, values, files and the plot's bytes."""
    server = rpc.Server(retort)
    session = server.session(deterministic=True)
    for code in [LOOK, "import numpy as np; np.random.rand(3), np.random.default_rng().random()", PLOT] + [CELL] * 47:
        assert session.run(code)["status"] == "ok"
    answer = server.call("ledger.replay", session=session.id)
    assert answer["equal"] and answer["report"]["cells"] == 50, answer
    session.close()
    assert server.close() == 0
    for _ in range(count(1, 10)):  # by another engine
        done = retort.run("replay", session.id)
        assert (done.returncode, done.stdout.decode()) == (0, f"{session.id}: 50 cells, all equal\n")


@pytest.mark.few
def test_a_replay_is_equal_however_the_state_was_reached(light, count):
    """Undo, branch, roll-back, resume in any order: each looks at clock and entropy in its own way."""
    look = ("import os, time, uuid\nclass Loud:\n    def __repr__(self): return f'{time.time()}'\n"
            "print(time.time(), time.monotonic(), uuid.uuid4(), os.urandom(4).hex()); time.sleep(0.001); Loud()")
    for number in range(count(4, 60)):
        random = Random(number)
        server = rpc.Server(light)
        sessions = [server.session(deterministic=True, seed=number)]
        for _ in range(12):
            one = random.choice(sessions)
            match random.choice(["run", "run", "die", "undo", "branch", "resume"]):
                case "run":
                    assert one.run(look)["status"] == "ok"
                case "die":
                    assert one.run(look + "\nos._exit(1)")["state"] == "rolled_back"
                case "undo" if one.info()["cells"]:
                    with contextlib.suppress(rpc.Failure):  # nothing is left to take back
                        server.call("session.undo", session=one.id)
                case "branch" if len(sessions) < 4:
                    sessions += [rpc.Session(server, {"session": made, "isolation": None})
                                 for made in server.call("session.branch", session=one.id)["sessions"]]
                case "resume":
                    one.close()
                    server.call("session.resume", session=one.id)
        for one in sessions:
            one.run(look)
            answer = server.call("ledger.replay", session=one.id)
            assert answer["equal"], (number, answer)
        assert server.close() == 0


def test_a_program_replays_in_an_engine_that_has_zygotes(retort):
    """It had an interpreter of its own, whose objects have other addresses than those of a fork."""
    done = retort.run("run", "--deterministic", "--record", "-c", LOOK)
    session = done.stderr.decode().split()[-1]
    server = rpc.Server(retort)
    assert server.call("ledger.replay", session=session)["equal"]
    server.close()


@pytest.mark.few
def test_real_entropy_is_named_as_the_first_difference(retort):
    server = rpc.Server(retort)
    session = server.session()
    session.run("x = 1")
    session.run("import os; print(os.urandom(8).hex())")
    answer = server.call("ledger.replay", session=session.id)
    assert not answer["equal"]
    assert (answer["report"]["first"]["cell"], answer["report"]["first"]["what"]) == (2, "stdout")
    session.close()
    assert server.close() == 0
