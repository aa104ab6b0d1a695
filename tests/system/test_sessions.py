"""Live Python sessions, as a client of `retort rpc` sees them."""
import base64
import itertools
import json
import math
import os
import re
import signal
import statistics
import time

import pytest
import rpc
import traces

pytestmark = pytest.mark.by_turns
PNG = b"\x89PNG\r\n"


@pytest.fixture
def make(server):
    """make(**options): sessions that are closed at the end."""
    made = []

    def create(**options):
        made.append(server.session(**options))
        return made[-1]

    yield create
    for one in made:
        one.close()


@pytest.mark.few
def test_cells_share_everything(session):
    assert session.run("x = 41\nimport math\ndef double(n): return 2 * n")["status"] == "ok"
    assert session.run("class Box:\n    size = 3")["status"] == "ok"
    assert session.value("double(x) + Box().size + math.floor(1.5)") == "86"
    session.run("import os\nos.makedirs('deep/er'); os.chdir('deep/er')\nf = open('log', 'w+'); f.write('one ')")
    assert session.value("f.write('two'); f.seek(0); f.read(), os.getcwd()") == "('one two', '/work/deep/er')"
    assert (session.value("x"), session.value("_ + 1")) == ("41", "42")
    assert session.value("__name__") == "'__main__'"


@pytest.mark.every_caller
@pytest.mark.few(1)
def test_a_refused_fork_is_told_of_one_cell(make):
    """Also when a thread of an earlier cell asked for it."""
    one = make(limits={"pids": 16})
    forks = ("import os, threading, time\ndef forks():\n    try:\n        while os.fork(): pass\n        time.sleep(60)\n"
             "    except BlockingIOError: pass\nforks()")
    reap = "try:\n    while os.wait(): pass\nexcept ChildProcessError: pass"
    told = lambda code: "pids_limit" in one.run(code)["flags"]
    assert [told(code) for code in ("1", forks, reap, "1", "forks()", reap, "1")] == [False, True, False, False, True, False, False]
    one.run("t = threading.Thread(target=lambda: (time.sleep(0.3), forks())); t.start()")
    assert [told(code) for code in ("time.sleep(1)", reap, "1")] == [True, False, False]


def test_sessions_share_nothing(make):
    one, two = make(), make()
    one.run("x = 1\nimport os\nopen('/work/f', 'w').write('a'); open('/tmp/f', 'w').write('a')\n"
            "open('/dev/shm/f', 'w').write('a'); os.environ['MARK'] = 'a'\nimport builtins; builtins.mark = 1")
    assert two.value("import os, builtins\n[n for n in ('x',) if n in globals()], os.listdir('/work'), os.listdir('/tmp'),"
                     " os.listdir('/dev/shm'), os.environ.get('MARK'), hasattr(builtins, 'mark')") \
        == "([], [], [], [], None, False)"
    assert two.files() == {} and list(one.files()) == ["f"]


FORKING = """
import os, threading
gate = threading.Event()
other = threading.Thread(target=gate.wait)
other.start()
pid = os.fork()
if pid == 0:
    os._exit(threading.active_count() * 10 + other.is_alive())
gate.set()
os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
"""


def test_a_session_that_forks_has_pythons_handlers(session):
    """Its zygote keeps those of threading and logging back."""
    assert session.value(FORKING) == "10"


SOURCES = """
import random, numpy, secrets, ssl, tempfile, uuid, os, json, ctypes
libc = ctypes.CDLL(None)
numbers = [random.random(), float(numpy.random.rand()), float(numpy.random.default_rng().random()), secrets.token_hex(16),
           ssl.RAND_bytes(16).hex(), tempfile.mktemp(), str(uuid.uuid1()), str(uuid.uuid4()), os.urandom(16).hex(),
           random.SystemRandom().random(), random.Random().random(), float(numpy.random.RandomState().rand()),
           hash('a string'), id(object()) and next(tempfile._get_candidate_names()), libc.rand(), libc.lrand48()]
json.dumps(numbers)
"""


@pytest.mark.few
def test_randomness_is_distinct(server):
    pytest.importorskip("numpy")
    alive = [server.session(record=False) for _ in range(64)]
    drawn = [json.loads(eval(pending.answer()["value"]["text/plain"]))
             for pending in [one.start(SOURCES) for one in alive]]
    for one in alive:
        one.close()
    for i, column in enumerate(zip(*drawn)):
        if i != 12:  # the hash seed is the interpreter's, shared by those forked from it
            assert len(set(column)) == len(alive), f"source {i}: {column}"


DRAW = "drawn.append((random.random(), float(numpy.random.rand()), random.choice('abcdefgh')))"
DIE = "import os\nos._exit(1)"


def huge_pages():
    """Whether this kernel can put huge pages under memory that is there already (Linux 6.1)."""
    release = tuple(int(n) for n in os.uname().release.split(".")[:2])
    try:
        setting = open("/sys/kernel/mm/transparent_hugepage/enabled").read()
    except OSError:
        return False
    return release >= (6, 1) and "[never]" not in setting


def huge_kb(pid):
    try:
        text = open(f"/proc/{pid}/smaps_rollup").read()
    except OSError:
        return 0  # it has ended
    return next((int(line.split()[1]) for line in text.split("\n") if line.startswith("AnonHugePages")), 0)


@pytest.mark.as_root
def test_what_a_zygote_loads_lies_in_huge_pages(server, session):
    if not huge_pages():
        pytest.skip("no huge pages here")
    assert max(map(huge_kb, traces.tree(server.pid))) >= 2048


PARTS = """
import ctypes
parts, apart = [], 0
for line in open("/proc/self/maps"):
    span, access, offset, _, inode = line.split()[:5]
    begin, end = (int(x, 16) for x in span.split("-"))
    parts.append((begin, end, access, int(offset, 16), int(inode)))
for (a, b, first, offset, inode), (c, _, second, next_offset, next_inode) in zip(parts, parts[1:]):
    one = b == c and offset + b - a == next_offset and inode == next_inode != 0
    apart += one and {first, second} <= {"r--p", "r-xp"}
code = ctypes.cast(ctypes.pythonapi.PyEval_EvalCode, ctypes.c_void_p).value
inode = next(part[4] for part in parts if part[0] <= code < part[1])
"""


def test_parts_of_a_library_are_one_mapping(session):
    """Two that follow each other, neither of them to be written, would be two for each fork to copy."""
    assert session.run(PARTS)["status"] == "ok"
    assert session.value("len(parts) > 100, apart") == "(True, 0)"


def test_the_code_of_the_interpreter_lies_in_huge_pages(session):
    if not huge_pages():
        pytest.skip("no huge pages here")
    assert session.run(PARTS)["status"] == "ok"
    assert session.value("inode") == "0"


def test_a_fork_in_a_session_has_random_numbers_of_its_own(session):
    code = ("import os, random\nr, w = os.pipe()\nif os.fork() == 0:\n    os.write(w, repr(random.random()).encode()); os._exit(0)\n"
            "os.wait(); float(os.read(r, 99)) == random.random()")
    assert session.value(code) == "False"


def test_a_warning_of_the_compiler_comes_once(session):
    for code in ("'a' is 'b'", "('a' is 'b'); 1", "x = 'a' is 'b'"):
        assert session.run(code)["stderr"].count("SyntaxWarning") == 1


def test_what_was_loaded_can_be_freed(session):
    """Also that which CPython did not map itself."""
    assert session.run("x = [object() for _ in range(10 ** 6)]")["status"] == "ok"
    assert session.run("import gc, sys\ndel x\nfor name in list(sys.modules):\n"
                       "    if name.partition('.')[0] in ('pandas', 'matplotlib'): del sys.modules[name]\n"
                       "gc.unfreeze(); gc.collect()")["status"] == "ok"
    assert session.value("len([object() for _ in range(10 ** 6)])") == "1000000"


@pytest.mark.parametrize("between", ["nothing", "checkpoints", "deaths", "replays"])
def test_seed_gives_the_same_sequence(make, between):
    mode = {"nothing": "off", "checkpoints": "always", "deaths": "always", "replays": "off"}[between]
    one = make(checkpoint=mode)
    cells = ["import random, numpy\nrandom.seed(42); numpy.random.seed(42); drawn = []"] + [DRAW] * 4
    for code in cells:
        assert one.run(code)["status"] == "ok"
        if between in ("deaths", "replays"):
            died = one.run("random.random(); numpy.random.rand()\n" + DIE)
            via = {"deaths": "checkpoint", "replays": "replay"}[between]
            assert (died["status"], died["state"], died["state_via"]) == ("exit", "rolled_back", via)
    scope = {}
    for code in cells:
        exec(code, scope)
    assert one.value("drawn") == repr(scope["drawn"])


# ---- the tasks of the tutorial ---------------------------------------------------------------------------------


def test_sum_of_squares_of_primes(session):
    code = "sum(n * n for n in range(2, 50) if all(n % d for d in range(2, n)))"
    assert session.value(code) == "10466"


def test_random_integers_with_a_seed(session):
    import random

    random.seed(42)
    numbers = [random.randint(1, 100) for _ in range(20)]
    session.run("import random\nrandom.seed(42)\nnumbers = [random.randint(1, 100) for _ in range(20)]")
    result = session.run("import statistics as st\nprint(st.mean(numbers), st.median(numbers), st.stdev(numbers))\nnumbers")
    mean, median, deviation = map(float, result["stdout"].split())
    assert result["value"]["text/plain"] == repr(numbers)
    assert (mean, median) == (statistics.mean(numbers), statistics.median(numbers))
    assert math.isclose(deviation, statistics.stdev(numbers))


def test_bar_chart(session):
    pytest.importorskip("matplotlib")
    result = session.run("import matplotlib.pyplot as plt\nplt.bar(range(5), [3, 7, 2, 9, 5])\nplt.title('five')\n"
                         "plt.xlabel('which'); plt.ylabel('how many')\nplt.savefig('chart.png')\nplt.show()")
    assert result["status"] == "ok", result["error"]
    [made] = result["files"]
    assert (made["path"], made["mime"], made["change"]) == ("chart.png", "image/png", "created")
    [plot] = result["plots"]
    assert (plot["path"], plot["title"], plot["size"]) == ("chart.png", "five", made["size"])
    chart = plot["chart"]
    assert (chart["type"], chart["x_label"], chart["y_label"]) == ("bar", "which", "how many")
    assert [float(y) for y in chart["y"]] == [3, 7, 2, 9, 5]
    assert session.read("chart.png").startswith(PNG)
    [shown] = result["displays"]
    assert base64.b64decode(shown["mime"]["image/png"]).startswith(PNG)


def test_unsaved_figure(session):
    pytest.importorskip("matplotlib")
    result = session.run("import matplotlib.pyplot as plt\nplt.plot([1, 2, 3], [4, 5, 6], label='line')\nplt.show()")
    [plot] = result["plots"]
    assert plot["path"] == ".plots/cell1-1.png" and result["files"] == [] and session.files() == {}
    assert session.read(plot["path"]).startswith(PNG)
    assert session.run("1")["plots"] == []


def test_savings_plan(session):
    code = "balance = 0.0\nfor month in range(120):\n    balance = balance * (1 + 0.08 / 12) + 500\nround(balance, 2)"
    assert session.value(code) == "91473.02"


REGRESSION = """
x, y = [1, 2, 3, 4, 5], [2, 4, 5, 4, 5]
try:
    from sklearn.linear_model import LinearRegression
    import numpy
    fit = LinearRegression().fit(numpy.array(x).reshape(-1, 1), y)
    slope, intercept = float(fit.coef_[0]), float(fit.intercept_)
except ImportError:
    import numpy
    slope, intercept = map(float, numpy.polyfit(x, y, 1))
round(slope, 9), round(intercept, 9)
"""


def test_regression(session):
    pytest.importorskip("numpy")
    assert session.value(REGRESSION) == "(0.6, 2.2)"


def test_pil_image(session):
    pytest.importorskip("PIL")
    result = session.run("from PIL import Image, ImageFilter\nimage = Image.new('RGB', (40, 30), 'white')\n"
                         "image.paste((200, 0, 0), (10, 10, 30, 20))\nimage.filter(ImageFilter.BLUR)")
    assert result["status"] == "ok", result["error"]
    assert base64.b64decode(result["value"]["image/png"]).startswith(PNG)


TABLE = "name,age,height\nAnn,31,1.71\nBen,,1.80\nCid,29,\nDora,34,1.66\nEve,33,17.2\nFinn,30,1.75\n"


def test_csv_in_four_cells(make):
    pytest.importorskip("pandas")
    one = make(files=[{"path": "people.csv", "text": TABLE}])
    loaded = one.run("import pandas as pd\ndf = pd.read_csv('people.csv')\ndf")
    assert "text/html" in loaded["value"] and loaded["files"] == []
    [frame] = loaded["dataframes"]
    assert (frame["name"], frame["shape"], frame["change"]) == ("df", [6, 3], "new")
    assert [c["name"] for c in frame["columns"]] == ["name", "age", "height"] and len(frame["head"]) >= 5
    assert ("df", "DataFrame", "new") in [(v["name"], v["type"], v["change"]) for v in loaded["variables"]]

    cleaned = one.run("clean = df.dropna()\nclean = clean[clean.height < 3]\nprint(len(clean))")
    assert cleaned["stdout"] == "3\n"
    shapes = {f["name"]: (f["shape"], f["change"]) for f in cleaned["dataframes"]}
    assert shapes == {"df": ([6, 3], "same"), "clean": ([3, 3], "new")}

    described = one.run("summary = clean.describe()\nsummary.loc['mean']")
    assert "31.666667" in described["value"]["text/plain"]
    assert {f["name"] for f in described["dataframes"]} == {"df", "clean", "summary"}

    plotted = one.run("clean.plot.bar(x='name', y='age')")
    [plot] = plotted["plots"]
    assert plot["chart"]["type"] == "bar" and [float(y) for y in plot["chart"]["y"]] == [31, 34, 30]


# ---- a dead cell does not kill the session ---------------------------------------------------------------------

STORY = ["x = [1]", "x.append(2)\nimport os\nos.makedirs('d', exist_ok=True)\nos.chdir('d')",
         "f = open('notes', 'w+b', buffering=0)\nf.write(b'abcdef'); f.seek(2)\nopen('/work/other', 'w').write('whole')"]
HARM = """
x.append('harm'); y = 1; f.write(b'HARM'); os.chdir('/work')
open('other', 'w').write('spoilt'); open('new', 'w').write('more'); os.rename('d/notes', 'd/lost')
"""
DEATHS = {
    "segfault": ("import ctypes\nctypes.string_at(0)", {}, ("signal", None, 11)),
    "exit": ("os._exit(3)", {}, ("exit", 3, None)),
    "hang": ("while True: pass", {"timeout": 0.5}, ("timeout", None, None)),
    "stubborn": ("while True:\n    try:\n        while True: pass\n    except BaseException: pass", {"timeout": 0.3},
                 ("timeout", None, None)),
    "oom": ("b = []\nwhile True: b.append(bytearray(8 << 20))", {}, ("oom", None, None)),
    "kill": ("os.kill(os.getpid(), 9)", {}, ("signal", None, 9)),
    "kill all": ("try: os.kill(-1, 9)\nexcept OSError: pass\nos._exit(1)", {}, ("exit", 1, None)),
    "abort": ("os.abort()", {}, ("signal", None, 6)),
}


def check_story(one):
    assert one.value("x, 'y' in globals(), os.getcwd()") == "([1, 2], False, '/work/d')"
    assert {path: f["size"] for path, f in one.files().items()} == {"d/notes": 6, "other": 5}
    assert (one.read("other"), one.read("d/notes")) == (b"whole", b"abcdef")
    assert one.value("f.tell(), f.read(), f.write(b'gh'), open('notes').read()") == "(2, b'cdef', 2, 'abcdefgh')"


@pytest.mark.every_caller
def test_a_bash_cell_without_memory_names_the_limit(make):
    one = make(language="bash", limits={"memory": 64})
    one.run("y=1")
    result = one.run("printf -v x %100000000s")
    assert result["status"] in ("oom", "exit") and "64 MiB limit" in result["error"]["message"], result
    assert result["state"] == "rolled_back" and one.run("echo $y")["stdout"] == "1\n"


def test_a_cell_without_memory_names_limit_and_peak(make):
    """However short it was."""
    one = make(limits={"memory": 64})
    for code in ("x = bytearray(30 << 20)", "y = bytearray(900 << 20)"):
        result = one.run(code)
    told = f"{result['error']['message']} {result['error']['hint']}"
    peak = re.search(r"peak (?:was )?(\d+) MiB", told)
    assert "64 MiB" in told and peak and int(peak[1]) >= 30, told
    assert abs(int(peak[1]) - result["resources"]["peak_memory_mb"]) <= 1


@pytest.mark.parametrize("mode", ["auto", "always", "off"])
@pytest.mark.parametrize("death", list(DEATHS))
@pytest.mark.every_caller
@pytest.mark.few(24)
def test_death(make, death, mode):
    code, limits, outcome = DEATHS[death]
    one = make(checkpoint=mode, limits={"memory": 100}, record=death != "exit")
    for result in one.runs(*STORY):
        assert result["status"] == "ok", result["error"]
    died = one.run(HARM + code, **limits)
    if death == "oom" and died["status"] == "error":  # without a cgroup the resource limit is quicker
        assert "cgroup" in one.isolation["missing"] and died["error"]["name"] == "MemoryError"
        return
    assert (died["status"], died["exit_code"], died["signal"]) == outcome
    assert died["state"] == "rolled_back", died["state_notes"]
    ways = {"always": {"checkpoint"}, "off": {"replay"}, "auto": {"checkpoint", "replay"}}[mode]
    assert died["state_via"] in (ways if death != "kill all" else {"checkpoint", "replay"})
    assert died["files"] == [] and died["state_notes"] == []
    check_story(one)


def test_idle_time_gives_a_checkpoint(make):
    """Sleeping is no assertion on time: a machine that needs longer gets longer. It is taken after a cell that stays."""
    one = make()
    one.runs(*STORY)
    ways = []
    for pause in (0.05, 0.2, 1, 5, 20):
        one.run("pass")
        time.sleep(pause)
        ways.append(one.run(HARM + "os._exit(1)")["state_via"])
        if ways[-1] == "checkpoint":
            break
    assert ways[-1] == "checkpoint", ways
    check_story(one)


def test_idle_time_leaves_no_trace(make):
    """What is run between cells, to have its pages ready, is not seen by the next."""
    one = make(checkpoint="always")
    assert one.value("41") == "41"
    time.sleep(0.1)
    assert one.value("import linecache\n_, [name for name in linecache.cache if 'idle' in name]") == "(41, [])"
    assert one.run("1 / 0")["error"]["source"].endswith("1 / 0\n       | ^^^^^")


def test_deaths_in_a_row(make):
    one = make()
    one.runs(*STORY)
    for i in range(6):
        died = one.run(HARM + DEATHS[["segfault", "exit", "kill"][i % 3]][0])
        assert died["state"] == "rolled_back", died
    check_story(one)


def test_long_cells_are_not_run_again(make):
    """A cell that costs CPU time is in a checkpoint before the next begins, so that nothing of it is repeated."""
    one = make()
    slow = "import time, uuid\nend = time.process_time() + 0.1\nwhile time.process_time() < end: pass\nmark = uuid.uuid4()"
    _, first, died, after = one.runs(slow, "mark", DIE, "mark")
    assert died["state"] == "rolled_back" and after["value"] == first["value"]


@pytest.mark.parametrize("mode", ["auto", "always", "off"])
def test_death_between_cells(make, mode):
    """Found by whoever comes next: the checkpoint, the next cell, or what ends the cell itself."""
    one = make(checkpoint=mode)
    one.runs("x = [1]", "x.append(2)")
    last = one.run("import os, threading\nif x == [1, 2]: threading.Timer(0.6, os._exit, (4,)).start()\nx.append(3)")
    time.sleep(1.2)  # long after the checkpoint, which a busy machine may take late
    found = one.run("x")
    assert last["status"] == "ok" and (found["status"], found["exit_code"]) == ("exit", 4)
    assert found["state"] == "rolled_back" and found["value"] is None
    if mode == "always":  # by replay, the cell starts its timer again
        assert one.value("x") == "[1, 2, 3]"


def test_on_error_rollback(make):
    one = make(on_error="rollback")
    one.runs(*STORY)
    failed = one.run(HARM + "1 / 0")
    assert (failed["status"], failed["state"]) == ("error", "rolled_back")
    assert failed["state_via"] in ("checkpoint", "replay") and failed["error"]["name"] == "ZeroDivisionError"
    check_story(one)


def test_errors_keep_the_state_by_default(session):
    failed = session.run("a = 1\nopen('f', 'w').write('b')\n1 / 0")
    assert (failed["status"], failed["state"], failed["state_via"]) == ("error", "kept", None)
    assert [f["path"] for f in failed["files"]] == ["f"] and session.value("a") == "1"


def answered_without(supervisor, one):
    """Whether five cells in a row are, while it is stopped."""
    os.kill(supervisor, signal.SIGSTOP)
    pending = [one.start("time.sleep(0.02)") for _ in range(5)]
    try:
        until = time.monotonic() + 5
        while time.monotonic() < until and any(each.box.empty() for each in pending):
            time.sleep(0.01)
        return not any(each.box.empty() for each in pending)
    finally:
        os.kill(supervisor, signal.SIGCONT)
        assert [each.answer()["status"] for each in pending] == ["ok"] * 5


def test_cells_in_a_row_do_not_wait_for_the_supervisor(make):
    """It is asked in the pauses. If it is stopped in the middle of that, the next cell has to wait: then it counts the next time."""
    one = make(checkpoint="off")
    one.runs("import time", "1")
    [supervisor] = [pid for keeper in traces.children(one.server.pid) for pid in traces.children(keeper)
                    if traces.name_of(pid).startswith("retort-supervis")]
    for _ in range(6):
        time.sleep(0.3)
        if answered_without(supervisor, one):
            return
    pytest.fail("no cell was answered while the supervisor was stopped")


SLOW_CHECKPOINTS = """open('/proc/self/comm', 'w').write('slow')
import time
from retort_guest import checkpoint
def slowly(*arguments, take=checkpoint.take):
    time.sleep(0.2)
    take(*arguments)
checkpoint.take = slowly"""


def test_checkpoints_that_take_long_keep_out_of_the_way(make):
    """Cells that follow each other soon do not all have to wait for one."""
    one = make()
    one.run(SLOW_CHECKPOINTS)
    seen = set()
    for _ in range(12):
        time.sleep(0.03)  # six times as long as any session has to be quiet
        one.value("1 + 1")
        seen |= {pid for pid in traces.tree(one.server.pid) if traces.name_of(pid) == "slow"}
    assert len(seen) <= 6, "the interpreter, and a checkpoint for almost every cell"


@pytest.mark.few
def test_a_checkpoint_is_taken_although_somebody_looks_when_it_is_due(make):
    """Who reads files has the session at that moment, and no cell follows that would ask for one again."""
    one = make()
    for turn in range(4):
        cell = one.start(f"open('/proc/self/comm', 'w').write('looked-{turn}')\nopen('f', 'wb').write(bytes(4 << 20))")
        looks = [one.server.start("files.read", session=one.id, path="f") for _ in range(10)]
        cell.answer()
        for look in looks:
            look.answer()
        deadline = time.monotonic() + traces.PATIENCE
        while sum(traces.name_of(pid) == f"looked-{turn}" for pid in traces.tree(one.server.pid)) < 2:
            assert time.monotonic() < deadline, "the interpreter has no checkpoint"
            time.sleep(0.05)


def test_what_a_checkpoint_cannot_carry_is_said(make):
    one = make(checkpoint="always")
    one.run("import os, socket, tempfile, threading, time\na, b = socket.socketpair()\ngone = tempfile.TemporaryFile()\n"
            "threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()\nr, w = os.pipe()")
    died = one.run(DIE)
    notes = "\n".join(died["state_notes"])
    assert died["state_via"] == "checkpoint"
    for word in ("socket", "pipe", "unlinked", "1 thread(s)"):
        assert word in notes, (word, notes)


@pytest.mark.parametrize("record", [True, False])
def test_files_written_from_outside_survive_a_death(make, record):
    one = make(checkpoint="off", record=record)
    one.run("x = 1")
    one.write("given.txt", b"from outside")
    one.run("text = open('given.txt').read()")
    one.write("given.txt", b"second")
    died = one.run("open('given.txt', 'w').write('spoilt')\n" + DIE)
    assert died["state"] == "rolled_back"
    assert one.read("given.txt") == b"second"
    assert one.value("text, x") == "('from outside', 1)"


@pytest.mark.parametrize("record", [True, False])
def test_a_branch_can_go_back(make, server, record):
    """To its beginning, with what its parent read and was given; and further, to before what it inherited."""
    one = make(record=record, checkpoint="off")
    one.write("given.csv", b"a,b\n1,2\n")
    one.run("text = open('given.csv').read()\nopen('made', 'w').write('1')")
    one.run("open('later', 'w').write('2'); count = len(text)")
    [branch] = [rpc.Session(server, {"session": name, "isolation": None})
                for name in server.call("session.branch", session=one.id)["sessions"]]
    died = branch.run("import os; os.unlink('given.csv')\n" + DIE)
    assert (died["state"], died["state_via"]) == ("rolled_back", "replay")
    assert "restored" not in str(died["state_notes"])
    assert branch.value("import os\ncount, sorted(os.listdir())") == "(8, ['given.csv', 'later', 'made'])"
    server.call("session.undo", session=branch.id, cells=2)
    assert branch.value("import os\n'count' in globals(), sorted(os.listdir())") == "(False, ['given.csv', 'made'])"
    branch.close()


def test_kept_bytes_are_written_anew(make):
    """More than fits: what no state needs goes, and what the present one needs is found again."""
    one = make(record=False, limits={"disk": 1}, checkpoint="always")
    for i in range(14):
        one.run(f"open('f{i % 2}', 'w').write('{i:x}' * 400000)")
        died = one.run("import os\nos.unlink('f0')\n" + DIE)
        assert died["state_notes"] == []
        assert one.value("{c for c in open('f0').read()}") == f"{{'{i - i % 2:x}'}}"


def test_interrupted_cells_are_not_run_again(make):
    one = make()
    one.run("import time")
    pending = one.start("try:\n    print('go', flush=True)\n    time.sleep(1000)\nfinally:\n    mark = 5")
    while not one.notes("session.output"):
        time.sleep(0.01)
    one.interrupt()
    assert pending.answer()["state"] == "kept"
    died, after = one.runs("import os\nos._exit(1)", "mark")
    assert died["state"] == "rolled_back" and died["state_via"] == "checkpoint"
    assert after["value"]["text/plain"] == "5"
    for result in one.runs("import os\nos._exit(1)", "import os\nos._exit(2)", "import os\nos._exit(3)"):
        assert result["state"] == "rolled_back"
    assert one.value("mark") == "5"


FILES = """import os
os.mkdir('closed'); open('closed/in', 'w').write('in'); os.chmod('closed', 0o500)
open('one', 'w').write('shared'); os.link('one', 'two'); os.mkdir('d'); os.link('one', 'd/three')
open('secret', 'w').write('s'); os.chmod('secret', 0)
held = os.open('two', os.O_RDONLY); os.read(held, 2); os.chmod('two', 0o040)
"""
FILES_SEEN = """[(n, oct(os.stat(n).st_mode & 0o7777), os.stat(n).st_nlink) for n in ('closed', 'closed/in', 'one', 'secret')], [
    os.path.samefile('one', n) for n in ('two', 'd/three')], os.lseek(held, 0, 1), os.pread(held, 9, 0)"""
FILES_HARM = """os.chmod('closed', 0o700); os.unlink('closed/in'); os.unlink('two'); open('two', 'w').write('else')
os.chmod('secret', 0o600); os.chmod('one', 0o644); open('one', 'w').write('x'); os.unlink('d/three')
"""


@pytest.mark.parametrize("mode", ["auto", "always", "off"])
def test_modes_and_second_names_come_back(make, mode):
    one = make(checkpoint=mode)
    one.run(FILES)
    before = one.value(FILES_SEEN)
    assert one.run(FILES_HARM + DIE)["state_notes"] == [] and one.value(FILES_SEEN) == before
    one.run(FILES_HARM)
    assert one.server.call("session.undo", session=one.id, cells=1)["state_notes"] == []
    assert one.value(FILES_SEEN) == before
    branch = rpc.Session(one.server, {"session": one.server.call("session.branch", session=one.id)["sessions"][0], "isolation": None})
    assert branch.value(FILES_SEEN) == before
    branch.run(FILES_HARM)
    assert one.value(FILES_SEEN) == before
    branch.close()


def test_what_takes_the_place_of_a_file(session):
    session.run("import os\nopen('a', 'w').write('1'); os.mkdir('b')")
    changed = session.run("os.remove('a'); os.mkdir('a'); os.rmdir('b'); open('b', 'w').write('2')")
    assert [(f["path"], f["change"]) for f in changed["files"]] == [("a", "deleted"), ("b", "created")]


def test_changes_in_one_tick_of_the_clock(session):
    """The same size and, on older kernels, the same times: the bytes tell."""
    results = session.runs(*(f"open('f', 'w').write('{i:03}') and None" for i in range(100)))
    assert [len(r["files"]) for r in results] == [1] * 100
    assert session.run("open('f', 'w').write('bad')\n" + DIE)["state"] == "rolled_back"
    assert session.read("f") == b"099"


def test_a_process_ends_with_its_cell_though_another_has_gone(session):
    """The second cell starts one and, by the way, reaps that of the first: their number is the same as before."""
    session.run("import subprocess\nchild = subprocess.Popen(['sleep', '1000'])")
    session.run("child = subprocess.Popen(['sleep', '1000'])")
    assert session.value("open(f'/proc/{child.pid}/stat').read().split()[2]") == "'Z'"


def test_cells_that_are_run_again_leave_no_process(make):
    one = make(checkpoint="off")
    one.run("import os, subprocess\nchild = subprocess.Popen(['sleep', '1000'])")
    one.run(DIE)
    assert one.value("open(f'/proc/{child.pid}/stat').read().split()[2]") == "'Z'"


def test_what_is_printed_again_is_not_told_again(make):
    one = make(checkpoint="off")
    one.run("import sys\nprint('one'); print('two', file=sys.stderr)")
    died = one.run(DIE)
    after = one.run("1")
    assert died["state_via"] == "replay" and [r[k] for r in (died, after) for k in ("stdout", "stderr")] == [""] * 4


def interrupt_and_die(one, code):
    """The result of a cell that dies after one that was interrupted once it had printed."""
    pending = one.start(code)
    while not one.notes("session.output"):
        time.sleep(0.001)  # the sooner the interrupt came, the sooner it comes when the cell is run again
    one.interrupt()
    assert pending.answer()["state"] == "kept"
    return one.run(DIE)


def test_an_interrupt_is_noticed_just_before_a_wait(make, count):
    """When it is run again, the interrupt comes as soon as the text does, and the wait begins then."""
    for _ in range(count(30, 300)):
        died = interrupt_and_die(make(checkpoint="off"), "import time\nprint('go', flush=True); time.sleep(1000)")
        assert died["state"] == "rolled_back", died["state_notes"]


def test_an_interrupted_cell_can_be_run_again(make):
    """For as long, and until it has said as much: which need not lead to the same, and the result says so."""
    one = make(checkpoint="off")
    died = interrupt_and_die(one, "import time\nx = [1]\nx.append(2)\nprint('go', flush=True); time.sleep(1000)")
    assert (died["state"], died["state_via"]) == ("rolled_back", "replay")
    assert "cell 1 was interrupted" in died["state_notes"][0] and one.value("x") == "[1, 2]"
    one.close()
    one.server.call("session.resume", session=one.id)
    again = one.run("x")
    assert again["value"]["text/plain"] == "[1, 2]" and "cell 1 was interrupted" in str(again["state_notes"])
    assert one.server.call("ledger.replay", session=one.id)["equal"]


def test_a_cell_that_caught_its_interrupt_can_be_run_again(make):
    """Its status does not tell that it was interrupted; without another interrupt it would never end."""
    one = make()
    pending = one.start("import time\ntry:\n    print('go', flush=True)\n    while True: time.sleep(0.01)\n"
                        "except KeyboardInterrupt:\n    print('caught')")
    wait_for_output(one)
    one.interrupt()
    caught = pending.answer()
    assert (caught["status"], caught["state"], caught["stdout"]) == ("ok", "kept", "go\ncaught\n")
    one.run("x = 1")
    one.close()
    one.server.call("session.resume", session=one.id)
    assert one.value("x") == "1"
    assert one.server.call("ledger.replay", session=one.id)["equal"]


def test_a_session_that_cannot_come_back_says_why(server):
    one = server.session()
    later = time.time() + 1
    one.run(f"import os, time\nif time.time() > {later}: os._exit(1)")
    one.close()
    time.sleep(max(0, later - time.time()))
    for _ in range(2):  # the second try is refused for the same reason, and not because the first one is under way
        with pytest.raises(rpc.Failure, match="cell 1 could not be run again"):
            one.server.call("session.resume", session=one.id)


def test_a_sleeping_session_that_did_not_wake_may_try_again(server):
    one = server.session(limits={"idle": 0.2})
    now = time.time()
    one.run(f"import os, time\nif {now + 1} < time.time() < {now + 4}: os._exit(1)")
    while one.info()["state"] != "asleep" or time.time() < now + 1:
        time.sleep(0.05)
    with pytest.raises(rpc.Failure, match="cell 1 could not be run again"):
        one.run("1")
    time.sleep(max(0, now + 4 - time.time()))
    assert one.value("6 * 7") == "42"
    one.close()


def test_a_session_is_put_to_sleep_and_wakes_by_its_next_cell(make):
    one = make()
    one.run("x = 6 * 7")
    assert one.server.call("session.sleep", session=one.id) == {"asleep": True}
    assert one.info()["state"] == "asleep"
    assert one.server.call("session.sleep", session=one.id) == {"asleep": True}
    assert one.value("x") == "42"
    assert one.info()["state"] == "live"


def test_a_resumed_session_says_which_variables_are_not_set(make):
    one = make(env={"REGION": "north", "LEVEL": "3"})
    assert one.value("import os; os.environ['REGION']") == "'north'"
    one.close()
    one.server.call("session.resume", session=one.id)
    notes = one.run("1")["state_notes"]
    assert any(note.startswith("REGION, LEVEL: not set any more") or note.startswith("LEVEL, REGION: not set any more")
               for note in notes)
    other = make()
    other.run("1")
    other.close()
    other.server.call("session.resume", session=other.id)
    assert "not set" not in str(other.run("1")["state_notes"])


def test_an_uploaded_file_whose_bytes_are_gone_is_told(make):
    one = make(record=False, checkpoint="off", limits={"disk": 1})  # one that was taken in the middle might hold them
    one.write("data", b"x" * 900_000)
    one.run("size = len(open('data').read())")
    for i in range(20):  # more than the spool keeps
        one.run(f"open('other', 'w').write('{i}' * 60_000); import os; os.remove('data'); open('data', 'w').write('y' * 800_000)")
    undone = one.server.call("session.undo", session=one.id, cells=20)
    assert "data" in str(undone["state_notes"]) and "bytes are gone" in str(undone["state_notes"])


def test_cells_that_come_out_differently_are_named(make):
    one = make()
    one.run("import time, os\nx = 1\nprint('the same')")
    one.run("t = time.time_ns()\nt")
    one.run("print(time.time_ns())")
    one.run("open('a', 'w').write('the same')")
    one.run("open('b', 'w').write(str(time.time_ns()))\nNone")
    one.server.call("session.close", session=one.id)
    told = one.server.call("session.resume", session=one.id)["state_notes"]
    assert told == [f"cell {cell} was run again and came out differently than it is recorded: {what}"
                    for cell, what in ((2, "value"), (3, "stdout"), (5, "files"))]
    result = one.run("x")
    assert result["value"]["text/plain"] == "1" and result["state_notes"][1:] == told
    assert one.server.call("session.info", session=one.id)["state_notes"] == []
    report = one.server.call("ledger.replay", session=one.id)["report"]
    assert report["different"] == [{"cell": 2, "what": "value"}, {"cell": 3, "what": "stdout"}, {"cell": 5, "what": "files"}]


def test_files_are_open_again_after_a_plot_was_undone(make):
    one = make(checkpoint="always")
    one.run("import matplotlib.pyplot as plt\nplt.plot([1]); plt.show()")
    one.run("f = open('f', 'w'); f.write('abc'); f.flush()")
    one.run("x = 1")
    undone = one.server.call("session.undo", session=one.id)
    assert (undone["state_via"], undone["state_notes"]) == ("checkpoint", [])
    assert one.run("f.write('d'); f.close(); open('f').read()")["value"]["text/plain"] == "'abcd'"


def test_a_resumed_session_does_not_use_numbers_again(make):
    one = make()
    one.runs("x = 1", "x = 2", DIE)
    one.server.call("session.undo", session=one.id, cells=1)
    one.close()
    assert one.server.call("session.resume", session=one.id)["cells"] == 3
    assert one.run("x")["cell"] == 4


def test_links_are_rejected_once(session):
    assert session.run("import os\nos.symlink('nowhere', 'link')")["flags"] == ["artifact_rejected"]
    assert session.run("1")["flags"] == []
    assert session.run("os.remove('link'); os.symlink('elsewhere', 'link')")["flags"] == ["artifact_rejected"]


# ---- interrupts and limits -------------------------------------------------------------------------------------


def wait_for_output(one):
    while not one.notes("session.output"):
        time.sleep(0.01)


def test_interrupt_that_is_obeyed(session):
    session.run("x = 1")
    pending = session.start("print('go', flush=True)\nx = 2\nwhile True: pass")
    wait_for_output(session)
    assert session.interrupt() is True
    result = pending.answer()
    assert (result["status"], result["state"]) == ("interrupted", "kept")
    assert result["error"]["name"] == "KeyboardInterrupt" and result["error"]["line"] == 3
    assert session.value("x") == "2"
    assert session.interrupt() is False


@pytest.mark.parametrize("language, loop", [("bash", "while :; do :; done"), ("javascript", "for (;;);")])
def test_interrupt_of_a_program(make, language, loop):
    one = make(language=language)
    pending = one.start({"bash": "echo go", "javascript": "console.log('go')"}[language] + "\n" + loop)
    wait_for_output(one)
    assert one.interrupt() is True
    result = pending.answer()
    assert (result["status"], result["signal"]) == ("interrupted", None)


def test_interrupt_that_is_swallowed(session):
    session.run("x = 1")
    pending = session.start("x = 2\nwhile True:\n    try:\n        print('go', flush=True)\n        while True: pass\n"
                            "    except KeyboardInterrupt: pass")
    wait_for_output(session)
    session.interrupt()
    result = pending.answer()
    assert (result["status"], result["state"]) == ("interrupted", "rolled_back")
    assert session.value("x") == "1"


def test_interrupt_of_sleep_and_subprocess(session):
    for code in ("import time\ntime.sleep(1000)", "import subprocess\nsubprocess.run(['sleep', '1000'])",
                 "import asyncio\nawait asyncio.sleep(1000)", "import threading\nthreading.Event().wait()"):
        before = len(session.notes("session.output"))
        pending = session.start("print('go', flush=True)\n" + code)
        while len(session.notes("session.output")) == before:
            time.sleep(0.01)
        session.interrupt()
        result = pending.answer()
        assert (result["status"], result["state"]) == ("interrupted", "kept"), code
    assert session.value("1 + 1") == "2"


WAIT = "import asyncio\nasync def wait():\n    {}\n    print('go', flush=True)\n    await asyncio.sleep(1000)\n"


def interrupted(session, code):
    pending = session.start(code)
    wait_for_output(session)
    session.interrupt()
    result = pending.answer()
    assert result["state"] == "kept", result
    return result["status"], (result["error"] or {}).get("message")


def test_interrupt_of_await(session):
    """Also if the loop stops as soon as the task is done, as it does where the interrupt struck asyncio before its first step."""
    stop = "task = asyncio.current_task(); task.add_done_callback(lambda _: task.get_loop().stop())"
    assert interrupted(session, WAIT.format(stop) + "await wait()")[0] == "interrupted"
    assert session.value("await asyncio.sleep(0, 5)") == "5"


def test_what_waits_for_an_interrupted_task_stops_no_other(session):
    stop = "task = asyncio.current_task(); task.add_done_callback(lambda _: task.get_loop().stop()); raise KeyboardInterrupt"
    assert session.run(WAIT.format(stop) + "await wait()")["error"]["name"] == "KeyboardInterrupt"
    assert session.value("await asyncio.sleep(0, 5)") == "5"


def test_what_awaits_may_answer_an_interrupt(session):
    ends = "try: await wait()\nexcept BaseException: raise RuntimeError('mine')"
    assert interrupted(session, WAIT.format("pass") + ends) == ("error", "mine")


def test_limits_of_a_cell(session):
    session.run("x = 1")
    late = session.run("x = 2\nwhile True: pass", timeout=0.3)
    assert (late["status"], late["state"], late["variables"]) == ("timeout", "rolled_back", [])
    assert (late["error"]["name"], late["error"]["message"]) == ("Timeout", "stopped after 0.3 s (limit `timeout`)")
    assert late["error"]["line"] == 2 and "`timeout`" in late["error"]["hint"]
    assert late["error"]["traceback"].endswith("\nTimeout: stopped after 0.3 s (limit `timeout`)\n")
    stubborn = session.run("import signal; signal.signal(2, signal.SIG_IGN)\nwhile True: pass", timeout=0.3)
    assert stubborn["error"] == {**late["error"], "traceback": "", "line": None, "source": None, "values": {}}
    busy = session.run("while True: pass", cpu=0.3)
    assert (busy["status"], busy["state"]) == ("cpu_limit", "rolled_back")
    assert busy["error"]["message"] == "stopped after 0.3 s of processor time (limit `cpu`)"
    short = session.run("print('a' * 5000)", output=1)
    assert "truncated" in short["flags"] and short["truncated"]["stdout"]["total"] == 5001
    assert len(short["stdout"]) < 1100
    assert session.run("print('a' * 5000)")["truncated"] == {} and session.value("x") == "1"


def test_cells_run_again_have_the_limits_they_had(make):
    one = make(limits={"timeout": 0.5}, checkpoint="off")
    one.run("import time\ntime.sleep(0.8)\nx = 5", timeout=20)
    assert one.run(DIE)["state"] == "rolled_back"
    assert one.value("x") == "5"


@pytest.mark.every_caller
def test_limits_of_a_session(make):
    hasty = make(limits={"timeout": 0.5})
    assert hasty.run("while True: pass")["status"] == "timeout"
    assert hasty.info()["limits"]["timeout"] == 0.5
    one = make(limits={"disk": 2, "memory": 120})  # with time enough, whatever else the machine is doing
    full = one.run("open('big', 'wb').write(bytes(4 << 20))")
    assert (full["status"], full["error"]["name"]) == ("error", "OSError") and "disk_full" in full["flags"]
    assert one.run("import os\nos.remove('big')")["flags"] == []


@pytest.mark.every_caller
def test_memory_is_for_the_code_not_for_what_libraries_mapped_before(make):
    one = make(limits={"memory": 120})
    assert one.run("x = bytearray(80 << 20)")["status"] == "ok"
    more = one.run("y = b'x' * (2 << 30)")
    assert more["status"] == "oom" or more["error"]["name"] == "MemoryError"


def test_a_path_that_is_refused_is_not_on_record(server, session):
    for path in ("../x", "/x", "", "a//b", "n" * 256):
        for request in ({"method": "files.write", "base64": ""}, {"method": "files.delete"}):
            with pytest.raises(rpc.Failure):
                server.call(session=session.id, path=path, **request)
    kinds = [entry["kind"] for entry in server.call("ledger.list", session=session.id)["entries"]]
    assert kinds == ["create"]


def test_errors_tell_nothing_of_the_configuration(server, caller):
    with pytest.raises(rpc.Failure, match="there is no environment nope") as refused:
        server.session(environment="nope")
    assert str(caller.home) not in str(refused.value)


def test_unknown_fields_are_refused(server, session):
    for wrong in ({"limits": {"tmeout": 1}}, {"limits": {"memory": 5}}, {"timeout": 3}):
        with pytest.raises(rpc.Failure) as failure:
            server.call("session.execute", session=session.id, code="1", **wrong)
        assert failure.value.code == -32602
    with pytest.raises(rpc.Failure) as failure:
        server.call("session.execute", session="s_nobody", code="1")
    assert failure.value.code == -32001


def test_code_that_is_none(session):
    for code in ("x = '\0'", "x" * (17 << 20)):
        with pytest.raises(rpc.Failure) as failure:
            session.run(code)
        assert failure.value.code == -32602
    assert session.value("1 + 1") == "2"


# ---- processes and threads -------------------------------------------------------------------------------------

COUNT = "import os\nsum('(sleep) S' in open(f'/proc/{p}/stat').read() for p in os.listdir('/proc') if p.isdigit())"


@pytest.mark.parametrize("background", [False, True])
def test_background_work(make, background):
    one = make(background=background)
    one.run("import subprocess\nchild = subprocess.Popen(['sleep', '1000'])\n"
            "while '(sleep) S' not in open(f'/proc/{child.pid}/stat').read(): pass")
    assert one.value(COUNT) == ("1" if background else "0")
    assert one.value("child.poll() is None") == str(background)


def test_threads_live_on(session):
    result = session.run("import threading, time\nseen = []\n"
                         "def work():\n    while True: seen.append(1); time.sleep(0.001)\n"
                         "threading.Thread(target=work, daemon=True).start()")
    assert result["status"] == "ok" and result["resources"]["threads"] == 1
    first = int(session.value("while len(seen) < 3: time.sleep(0.001)\nlen(seen)"))
    assert int(session.value(f"while len(seen) <= {first}: time.sleep(0.001)\nlen(seen)")) > first


# ---- what cells may be -----------------------------------------------------------------------------------------


def test_top_level_await(session):
    session.run("import asyncio\nqueue = asyncio.Queue()\nawait queue.put(7)")
    assert session.value("async def twice(n):\n    await asyncio.sleep(0)\n    return 2 * n\nawait twice(await queue.get())") == "14"
    assert session.value("await asyncio.gather(twice(1), twice(2))") == "[2, 4]"


def test_display(session):
    result = session.run("class Rich:\n    def _repr_html_(self): return '<b>h</b>'\n    def _repr_latex_(self): return '$x$'\n"
                         "display(Rich()); display('text'); print('after')\nRich()")
    assert result["displays"][0]["mime"]["text/html"] == "<b>h</b>"
    assert "text" in result["displays"][1]["mime"]["text/plain"]
    assert result["value"]["text/html"] == "<b>h</b>" and result["value"]["text/latex"] == "$x$"
    assert [note["display"]["mime"] for note in session.notes("session.display")] == [d["mime"] for d in result["displays"]]


def test_streaming_keeps_order(session):
    result = session.run("import sys\nfor i in range(20):\n    print('out', i)\n    if i % 5 == 4: display(i)\n"
                         "print('end', file=sys.stderr)")
    mine = [(name, p) for name, p in session.server.notes if p.get("session") == session.id]
    text, seen = "", []
    for name, params in mine:
        if name == "session.output" and params["stream"] == "stdout":
            text += params["text"]
        elif name == "session.display":
            seen.append(text.count("\n"))
    assert text == result["stdout"] and len(seen) == 4
    for lines, least in zip(seen, (5, 10, 15, 20)):
        assert lines >= least, "a display came before what was printed before it"


def test_streaming_while_the_cell_runs(session):
    pending = session.start("print('early')\nimport sys\nwhile True: pass", timeout=20)
    wait_for_output(session)
    assert session.notes("session.output")[0]["text"] == "early\n" and session.info()["running"]
    session.interrupt()
    assert pending.answer()["status"] == "interrupted"


@pytest.mark.parametrize("way", ["print(f'{i:09d}')", "import os\nfor i in range(10000): os.write(1, b''.join(b'%09d\\n' % j for j in range(10 * i, 10 * i + 10)))"])
def test_long_output_by_range(session, way):
    result = session.run(way if "import" in way else "for i in range(100000): " + way)
    size = 1000000
    assert result["truncated"]["stdout"]["total"] == size == result["truncated"]["stdout"]["stored"]
    assert len(result["stdout"]) <= 65536 and result["stdout"].startswith("000000000\n000000001\n")
    assert result["stdout"].endswith("000099999\n") and "bytes omitted" in result["stdout"]
    part = session.output(1, offset=500000, length=20)
    assert (part["text"], part["size"]) == ("000050000\n000050001\n", size)
    assert session.output(1, offset=size - 10)["text"] == "000099999\n"
    assert session.output(1, offset=size + 5)["text"] == ""
    short = session.run("print('short')")
    assert session.output(short["cell"])["text"] == "short\n"
    with pytest.raises(rpc.Failure):
        session.output(99)


@pytest.mark.parametrize("size", [10, 50000])
def test_output_is_kept_byte_for_byte(session, size):
    """A zero does not end it, and what follows is what was written, not what lay in memory behind it."""
    written = b"a\0b\xff\n" * (size // 5)
    cell = session.run(f"import os\nos.write(1, {written[:5]!r} * {size // 5})")["cell"]
    read = session.output(cell)
    assert base64.b64decode(read["base64"]) == written and read["size"] == len(written)


@pytest.mark.parametrize("record", [True, False])
def test_output_of_long_ago(make, record):
    """In the ledger, if there is one; that it is gone is said, and not taken for a cell that printed nothing."""
    one = make(record=record)
    for i in range(70):
        one.run(f"print('cell', {i + 1})")
    assert one.output(70)["text"] == "cell 70\n" and one.output(70, stream="stderr")["text"] == ""
    if record:
        assert one.output(1)["text"] == "cell 1\n" and one.output(1, offset=5, length=1)["text"] == "1"
    else:
        with pytest.raises(rpc.Failure, match="not kept any more"):
            one.output(1)


def test_output_quota(make):
    one = make(limits={"output_stored": 1})
    result = one.run("print('a' * 3000000)\nx = 5")
    assert result["status"] == "ok" and result["truncated"]["stdout"]["total"] == 3000001
    assert result["truncated"]["stdout"]["stored"] <= 1 << 20 and one.value("x") == "5"
    assert one.output(1, length=1)["size"] == result["truncated"]["stdout"]["stored"]


def test_files(session):
    assert session.write("sub/dir/f.bin", bytes(range(256))) == 256
    assert session.value("open('sub/dir/f.bin', 'rb').read() == bytes(range(256))") == "True"
    session.write("sub/dir/f.bin", b"XY", offset=10)
    assert session.read("sub/dir/f.bin", offset=9, length=4) == b"\x09XY\x0c"
    session.run("open('made.csv', 'w').write('a,b\\n')")
    assert {p: f["size"] for p, f in session.files().items()} == {"made.csv": 4, "sub/dir/f.bin": 256}
    assert session.delete("made.csv") and list(session.files()) == ["sub/dir/f.bin"]
    with pytest.raises(rpc.Failure) as failure:
        session.read("made.csv")
    assert failure.value.code == -32001
    changed = session.run("open('sub/dir/f.bin', 'ab').write(b'.')")["files"]
    assert [(f["path"], f["change"], f["size"]) for f in changed] == [("sub/dir/f.bin", "modified", 257)]


HINTS = {
    "valeu = 1\nvalue": ("NameError", "valeu"), "'a'.uper()": ("AttributeError", "upper"),
    "d = {'price': 1}\nd['prise']": ("KeyError", "price"), "import nunpy": ("ModuleNotFoundError", "numpy"),
    "import pandas as pd\ndf = pd.DataFrame({'margin': [1]})\ndf['margn']": ("KeyError", "margin"),
}


@pytest.mark.parametrize("code", list(HINTS))
def test_errors_with_hints(session, code):
    if "pandas" in code:
        pytest.importorskip("pandas")
    name, word = HINTS[code]
    error = session.run(code)["error"]
    assert error["name"] == name and word in error["hint"], error


def test_error_is_written_for_correction(session):
    code = "rate = 0.5\nparts = 0\ndef share(total):\n    return total * rate / parts\nshare(10)"
    error = session.run(code)["error"]
    assert (error["name"], error["line"]) == ("ZeroDivisionError", 4)
    assert error["message"] in ("float division by zero", "division by zero")  # since Python 3.14
    assert "return total * rate / parts" in error["source"] and "<cell 1>" in error["traceback"]
    assert "retort_guest" not in error["traceback"]
    assert error["values"]["parts"] == "0" and error["values"]["total"] == "10"


def test_numbers_keep_their_digits(session):
    result = session.run("final_answer([1234567890123.45, 2.2, 0.1, 123456789012345678])")
    assert result["final"] == [1234567890123.45, 2.2, 0.1, 123456789012345678]


def test_input_is_at_its_end(session):
    assert session.run("input()")["error"]["name"] == "EOFError"
    assert session.value("import sys\nsys.stdin.read()") == "''"


def test_exit_ends_the_cell_only(session):
    session.run("x = 1")
    for code, status in (("import sys\nsys.exit(7)", 7), ("exit()", 0), ("raise SystemExit('gone')", 1), ("quit(300)", 44)):
        result = session.run(code)
        assert (result["status"], result["exit_code"], result["state"]) == ("exit", status, "kept"), code
    assert session.value("x") == "1"


def test_tools(session):
    session.offer(price=lambda article: {"apple": 3}[article], add=lambda a, b: a + b)
    session.run("prices = [tools.price('apple')]\ntotal = tools.add(1, b=2)")
    assert session.value("prices, total") == "([3], 3)"
    failed = session.run("tools.price('pear')")
    assert failed["error"]["name"] == "ToolError" and "pear" in failed["error"]["message"]
    assert session.value("tools.parallel([(tools.add, {'a': i, 'b': i}) for i in range(5)])") == "[0, 2, 4, 6, 8]"


def test_tools_take_no_number_that_json_has_not(session):
    session.offer(same=lambda x: x)
    assert "not JSON compliant" in session.run("tools.same(x=float('nan'))")["error"]["message"]
    assert session.value("tools.same(x=1.5)") == "1.5"


def test_tools_answer_again_on_replay(make):
    one = make(checkpoint="off")
    numbers = itertools.count(100)
    one.offer(number=lambda: next(numbers))
    one.run("drawn = [tools.number() for _ in range(3)]")
    assert one.run("tools.number()\n" + DIE)["state_via"] == "replay"
    assert one.value("drawn") == "[100, 101, 102]"
    assert one.value("tools.number()") == "104"


def test_tools_answer_again_by_name(make):
    """A cell that is run again and calls in another order gets the answers that belong to its calls."""
    one = make(checkpoint="off")
    heard = []
    one.offer(double=lambda n: heard.append(n) or 2 * n, name=lambda: "named")
    one.run("import secrets\norder = list(range(8)); secrets.SystemRandom().shuffle(order)\n"
            "name = tools.name() if order[0] % 2 else None\nsaid = {n: tools.double(n) for n in order}\n"
            "name = name or tools.name()")
    assert one.run(DIE)["state_via"] == "replay"
    assert one.value("sorted(said.items()), name") == str(([(n, 2 * n) for n in range(8)], "named")) and len(heard) == 8


def test_tools_do_not_stop_the_clock(make):
    """Nobody answers, and the limits hold all the same: that of the cell and that of the session."""
    one = make(limits={"timeout": 0.5})
    one.server.call("tools.register", session=one.id, tools=[{"name": "never"}])
    one.run("x = 1")
    for limits in ({"timeout": 0.3}, {}):
        late = one.run("x = 2\ntools.never()", **limits)
        assert (late["status"], late["state"]) == ("timeout", "rolled_back")
        assert late["resources"]["wall_ms"] < 50000  # whatever the machine does: not the minute that a tool is given
    assert one.value("x") == "1"


def test_tools_do_not_stop_the_clock_of_a_cell_that_began_late(make):
    """Its checkpoint comes first, and takes a while: the time of the call is not over before that of the cell."""
    one = make(checkpoint="always")
    one.server.call("tools.register", session=one.id, tools=[{"name": "never"}])
    one.run("import time\nx = bytearray(b'1') * (128 << 20)")
    slow = one.start("end = time.process_time() + 0.1\nwhile time.process_time() < end: pass")
    late = one.start("x = 2\ntools.never()", timeout=0.3)
    assert slow.answer()["status"] == "ok"
    late = late.answer()
    assert (late["status"], late["state"], late["state_via"]) == ("timeout", "rolled_back", "checkpoint")


def test_cells_of_a_session_that_came_back_are_counted_on(server):
    one = server.session()
    one.runs("x = 1", "x += 1")
    one.close()
    server.call("session.resume", session=one.id)
    result = one.run("print(x)")
    assert (result["stdout"], result["cell"]) == ("2\n", 3)
    assert one.notes("session.output")[-1]["cell"] == 3
    assert {"session": one.id, "running": False, "cells": 3} in server.call("session.list")["sessions"]
    one.close()


def test_info_and_list(server, make):
    one = make(limits={"memory": 300})
    one.run("1")
    info = one.info()
    assert (info["session"], info["language"], info["cells"], info["running"]) == (one.id, "python", 1, False)
    assert info["limits"]["memory"] == 300 << 20 or info["limits"]["memory"] == 300
    assert one.id in [s["session"] for s in server.call("session.list")["sessions"]]
    gone = server.session()
    gone.close()
    with pytest.raises(rpc.Failure) as failure:
        gone.run("1")
    assert failure.value.code == -32001


# ---- nothing leaks ---------------------------------------------------------------------------------------------


def usage(pid):
    """Descriptors, resident KiB and children of all processes of the server."""
    pids = [pid, *traces.tree(pid)]
    memory = 0
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("VmRSS:"):
            memory = int(line.split()[1])
    return len(os.listdir(f"/proc/{pid}/fd")), memory, len(pids)


def settled(one):
    """Usage once the session has its checkpoint again: the deaths before changed who holds what."""
    for _ in range(20):
        one.value("x")
        time.sleep(0.05)
        yield usage(one.server.pid)


@pytest.mark.every_caller
def test_dying_cells_leak_nothing(caller, count):
    server = rpc.Server(caller)
    one = server.session(limits={"memory": 100}, record=False)
    one.runs("import os, ctypes\nx = 5", "f = open('f', 'w')")
    deaths = ["ctypes.string_at(0)", "os._exit(1)", "os.kill(os.getpid(), 9)", "os.fork() or os._exit(1)\nos._exit(2)"]
    for code in deaths * 2:
        assert one.run(code)["state"] == "rolled_back"
    before = list(settled(one))
    for i in range(count(30, 1000)):
        assert one.run(deaths[i % len(deaths)])["state"] == "rolled_back"
    after = list(settled(one))
    fds, _, processes = zip(*before)
    assert min(after)[0] <= min(fds)
    assert traces.growth(min(before)[1], min(after)[1]) < 1024, "the broker has grown"
    assert min(a[2] for a in after) <= max(processes), "of which the pool may have lacked some at first"
    assert one.value("x") == "5"
    server.close()
