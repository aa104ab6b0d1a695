"""The Python guest, driven frame by frame outside any sandbox."""
import json
import os
import resource
import signal
import socket
import subprocess
import time

import pytest
from guest import (BOOT, COMPLETE, COMPLETIONS, ERROR, EXIT, INTERRUPTED, LISTING, OK, QUIET, RESULT,
                   SCRIPT, SHOWN, TOOL_CALL, TOOL_RESULT, TOOLS, VARIABLES, Guest)

PYTHON = os.environ.get("RETORT_TEST_PYTHON", "/usr/bin/python3")
VERSION = [int(n)
           for n in subprocess.check_output([PYTHON, "-V"], text=True).split()[1].split(".")[:2]]
HAVE = set()
for module in ("numpy", "pandas", "matplotlib", "PIL"):
    if os.system("%s -c 'import %s' 2>/dev/null" % (PYTHON, module)) == 0:
        HAVE.add(module)


def needs(*modules):
    missing = [m for m in modules if m not in HAVE]
    return pytest.mark.skipif(bool(missing), reason="not installed: " + ", ".join(missing))


without_site = pytest.mark.skipif(VERSION < [3, 10],
                                  reason="a Python that does not name its own modules")


@pytest.fixture
def new(tmp_path):
    guests = []

    def make(seed=1, **env):
        guests.append(Guest([PYTHON, "-S", str(BOOT)], tmp_path))
        return guests[-1].hello(seed, **env)

    yield make
    for guest in guests:
        guest.close()


@pytest.fixture
def guest(new):
    return new()


@pytest.mark.few
def test_ready_and_print(guest):
    assert guest.ready.pid == guest.process.pid
    result = guest.run("print(1)")
    assert (result.kind, result.out, result.err) == (OK, "1\n", "")
    assert result.fields == [("cell", 1), ("kind", OK)]


def imported(tmp_path, code, flags=0):
    """What an interpreter without `site` imports after it has said READY."""
    guest = Guest([PYTHON, "-S", "-X", "importtime", str(BOOT)], tmp_path).hello()
    log = guest.run(code, flags).err + guest.err.decode()
    guest.close()
    return [line.rpartition("|")[2].strip() for line in log.splitlines()
            if line.startswith("import time:")]


@without_site
def test_cold_path_imports_nothing(tmp_path):
    names = imported(tmp_path, "print(1)")
    allowed = {"_ast", "_thread", "_signal", "retort_guest.cell", "retort_guest.channel",
               "retort_guest.hooks"}
    assert set(names) <= allowed


@without_site
@pytest.mark.parametrize("flags", [0, QUIET | SCRIPT])
@pytest.mark.parametrize("code", [
    "x = [n ** 2 for n in range(9)]\nprint(sum(x), max(x))",
    "import math, json as j; print(j.dumps(math.pi))",
    "from collections import (Counter,\n    deque)\nprint(Counter('abca').most_common(1))",
    "class A:\n    def __init__(self): self.x = 1\nif __name__ == '__main__': print(A().x)",
])
def test_site_waits_for_code_that_could_notice(tmp_path, code, flags):
    assert "site" not in imported(tmp_path, code, flags)


@pytest.mark.parametrize("flags", [0, QUIET | SCRIPT])
@pytest.mark.parametrize("code", [
    "import sys", "import math, sys", "import nothing_of_this_name", "import importlib.metadata",
    "def f():\n    import sys", "from math import \\\n    pi", "from os import sys", "help", "eval('1')",
    "__import__('sys')", "import os\nos.sys", "print.__self__", "1/0", "1 +", "undefined",
    "if 1: import sys", "import math; import sys", "import collections\ncollections._sys",
])
def test_site_has_run_before_code_that_could_notice(tmp_path, code, flags):
    assert "site" in imported(tmp_path, code, flags)


def test_site_has_run_where_a_file_may_be_meant(tmp_path):
    (tmp_path / "json.py").write_text("import sys; path = sys.path")
    code = "import json; print(len(json.path))"
    assert "site" in imported(tmp_path, code)


def test_late_site_leaves_everything_as_usual(new, tmp_path):
    code = ("import builtins, subprocess, sys\n"
            "print(sys.path, sys.prefix, sys.flags, *sys.flags, sys.flags.no_site, sys.flags.quiet)\n"
            "print('-S' in getattr(sys, 'orig_argv', ()), 'site' in sys.modules)\n"
            "print(sorted(set(dir(builtins)) - {'display', 'final_answer'}))\n"
            "print(subprocess._args_from_interpreter_flags())\n")
    usual = subprocess.check_output([PYTHON, "-c", code], text=True, cwd=tmp_path,
                                    env={"LANG": "C.UTF-8", "HOME": str(tmp_path)})
    guest = new()
    assert guest.run("print(1)").out + guest.run(code).out == "1\n" + usual


@pytest.mark.parametrize("code, out, kind, name", [
    ("print(1)", "1\n", OK, None),
    ("import asyncio\nawait asyncio.sleep(0)\nprint(2)", "2\n", OK, None),
    ("print(1)\nasync def f(): return 3\nprint(await f())", "1\n3\n", OK, None),
    ("print(1)\nraise SyntaxError('own')", "1\n", ERROR, "SyntaxError"),
    ("print(1)\nprint(2", "", ERROR, "SyntaxError"),
    ("print(1)\n1/0", "1\n", ERROR, "ZeroDivisionError"),
    ("print(1)\nraise SystemExit(3)", "1\n", EXIT, None),
    ("class A:\n    def __del__(self): print('gone')\na = A(); a.a = a", "gone\n", OK, None),
])
def test_short_programs(guest, code, out, kind, name):
    result = guest.run(code, QUIET | SCRIPT)
    assert (result.out, result.kind, result.error_name) == (out, kind, name)
    assert kind != ERROR or ("<string>" in result.err and "boot.py" not in result.err)


@pytest.mark.parametrize("code, plain", [
    ("1+1", "2"), ("1+1\n\n", "2"), ("1+1  # two", "2"), ("'a;b'", "'a;b'"), ("(lambda n: n)(3)", "3"), ("print(1)", None), ("", None),
    ("# nothing", None), ("if 1: 2", None), ("pass", None), ("x = 5", None), ("x = 5; x", "5"), ("dict(a=1)", "{'a': 1}"),
    ("if(1): 2", None), ("\n7", "7"), ("...", "Ellipsis"), ("iffy = 4\niffy", "4"), (r"'\\'", r"'\\'"),
])
def test_cells_of_one_line(guest, code, plain):
    result = guest.run(code)
    assert (result.kind, result.plain) == (OK, plain)


@pytest.mark.parametrize("code, message", [
    (" 1+1", "unexpected indent"), ("1 +", "invalid syntax"), ("def", "invalid syntax"), ("print 1", "Missing parentheses"), ("f(", "never closed"),
])
def test_lines_that_are_wrong(guest, code, message):
    result = guest.run(code)
    assert result.kind == ERROR and message in result.error_message


def test_a_warning_is_shown_once(guest):
    assert guest.run("1 is 1").err.count("SyntaxWarning") == 1


def test_namespace_is_main(guest):
    assert guest.run("x = 6").kind == OK
    assert guest.run("x * 7").plain == "42"
    assert guest.run("_ + 1").plain == "43"
    assert guest.run("import sys; sys.modules['__main__'].x, __name__").plain == "(6, '__main__')"
    code = "import pickle\nclass A: pass\ntype(pickle.loads(pickle.dumps(A()))) is A"
    assert guest.run(code).plain == "True"


def test_user_modules_do_not_meet_the_guests(guest, tmp_path):
    (tmp_path / "cell.py").write_text("mine = 1")
    assert guest.run("import cell; cell.mine").plain == "1"
    assert guest.run("import channel").error_name == "ModuleNotFoundError"


def test_environment_and_seed(new):
    code = "import random, os; (random.random(), os.environ['COLOUR'])"
    first, second = new(7, COLOUR="red").run(code), new(7, COLOUR="red").run(code)
    assert first.plain == second.plain and "red" in first.plain
    assert new(8, COLOUR="red").run(code).plain != first.plain


def test_top_level_await_keeps_one_loop(guest):
    guest.run("import asyncio\nasync def tick():\n    await asyncio.sleep(0)\n    return 5")
    assert guest.run("await tick()").plain == "5"
    guest.run("task = asyncio.get_event_loop().create_task(tick())\nawait asyncio.sleep(0)")
    assert guest.run("await task").plain == "5"
    assert "asyncio" not in guest.run("await tick()\n1 / 0").error_traceback
    assert guest.run("asyncio.run(tick())").plain == "5"


def test_future_import_persists(guest):
    guest.run("from __future__ import annotations")
    assert guest.run("def f(a: nothing): pass\nf.__annotations__").plain == "{'a': 'nothing'}"


@pytest.mark.parametrize(
    "code, status, err",
    [("import sys; sys.exit(7)", 7, ""), ("exit()", 0, ""), ("raise SystemExit('x')", 1, "x\n"),
     ("exit(-1)", 255, ""), ("class I(int):\n    def __int__(self): 1/0\nexit(I(3))", 3, "")],
)
def test_exit_ends_the_cell_only(guest, code, status, err):
    result = guest.run(code)
    assert (result.kind, result.exit_code, result.err) == (EXIT, status, err)
    assert guest.run("print('on')").out == "on\n"
    assert guest.run("input()").error_name == "EOFError"


def test_traceback_shows_earlier_cells(guest):
    guest.run("def f(table):\n    return table['x'] + 1")
    result = guest.run("y = {}\nf(y)")
    assert (result.kind, result.error_name, result.error_line) == (ERROR, "KeyError", 2)
    assert 'File "<cell 2>", line 2, in <module>\n    f(y)' in result.error_traceback
    assert 'File "<cell 1>", line 2, in f\n    return table[\'x\'] + 1' in result.error_traceback
    assert "retort" not in result.error_traceback and "boot.py" not in result.error_traceback
    assert result.error_values == {"table": "{}"}
    assert ">    2 |     return table['x'] + 1" in result.error_source
    assert result.err == ""


@pytest.mark.skipif(VERSION < [3, 11], reason="columns are recorded since 3.11")
def test_carets(guest):
    result = guest.run("a = 1\nb = 0\nc = a + a / b\nd = 2")
    assert result.error_source.split("\n") == [
        "     1 | a = 1",
        "     2 | b = 0",
        ">    3 | c = a + a / b",
        "       |         ^^^^^",
        "     4 | d = 2",
    ]
    assert result.error_values == {"a": "1", "b": "0"}


def test_tracebacks_printed_by_the_cell_have_source(guest):
    code = "import traceback\ntry:\n    1 / 0\nexcept Exception:\n    traceback.print_exc()"
    assert "    1 / 0\n" in guest.run(code).err
    assert guest.run("import inspect\ndef f(): return 1\n"
                     "inspect.getsource(f)").plain == repr("def f(): return 1\n")


def test_syntax_error(guest):
    result = guest.run("x = 1\ny = = 2\nz = 3")
    assert (result.error_name, result.error_message, result.error_line) == (
        "SyntaxError", "invalid syntax", 2)
    assert ">    2 | y = = 2\n       |     ^\n" in result.error_source
    assert guest.run("x").error_name == "NameError"


@pytest.mark.parametrize(
    "code, hint",
    [
        ("total = 1\ntotl + 1", "did you mean total?"),
        ("pritn(1)", "did you mean print"),
        ("math.pi", "import math"),
        ("np.array", "import numpy as np"),
        ("Counter('a')", "from collections import Counter"),
        ("import math\nmath.sqroot(4)", "sqrt"),
        ("'a'.uper()", "upper"),
        ("d = {'name': 1}\nd['nmae']", "did you mean 'name'?"),
        ("d = {1: 1}\nd['1']", "did you mean 1?"),
        ("d = {'a': {'blue': 1}}\nd['a']['blu']", "did you mean 'blue'?"),
        ("import jsn", "json"),
        ("import nowhere_at_all", "not installed"),
        ("from math import sqroot", "sqrt"),
        ("open('data.cvs')", "data.csv"),
        ("%nothing", "%timeit"),
    ],
)
def test_hints(guest, tmp_path, code, hint):
    (tmp_path / "data.csv").write_text("")
    result = guest.run(code)
    assert result.kind == ERROR and hint in result.error_hint


HOSTILE = {
    "base": "raise BaseException('b')",
    "str": "class E(Exception):\n    def __str__(self): raise BaseException\n"
           "    __repr__ = __str__\nraise E(1)",
    "cycle": "a, b = ValueError(1), ValueError(2)\na.__cause__, b.__cause__ = b, a\nraise a",
    "chain": "e = None\nfor i in range(10**4):\n    n = ValueError(i)\n    n.__cause__ = e\n"
             "    e = n\nraise e",
    "recursion": "def f(): f()\nf()",
    "long": "raise ValueError('x' * 10**7)",
    "attributes": "class E(Exception):\n    @property\n    def __traceback__(self): 1/0\n"
                  "    __cause__ = __context__ = __notes__ = __traceback__\nraise E",
    "repr": "class A:\n    def __repr__(self): raise SystemExit(3)\na = A()\na.x",
    "slots": "class M(type):\n    def __getattribute__(c, n): raise BaseException(n)\n"
             "class E(Exception, metaclass=M): pass\nraise E",
    "group": "e = ValueError(1)\nfor i in range(10**4): e = ExceptionGroup('g', [e])\nraise e",
    "nul": "x = 1\0",
    "nested": "(" * 10**5,
    "surrogate": "raise ValueError('\\ud800\\0')",
    "syntax": "raise SyntaxError('m', (1, 'x', object(), []))",
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_exceptions_are_bounded(guest, name):
    result = guest.run(HOSTILE[name])
    assert result.kind == ERROR and result.error_name
    assert all(len(value) < 70000 for _, value in result.fields if isinstance(value, str))
    assert guest.run("1 + 1").plain == "2"


def test_deep_but_compilable_source(guest):
    assert guest.run("x = " + " + ".join(["1"] * 2000) + "\nprint(x)").out == "2000\n"


def test_library_frames_are_folded(guest):
    result = guest.run("import json\njson.loads('{')")
    assert result.error_name == "JSONDecodeError"
    assert "frames in libraries, the last in json.decoder" in result.error_traceback
    assert result.error_line == 2 and "decoder.py" not in result.error_traceback


def wait_for(path):
    while not path.exists():
        time.sleep(0.01)


@pytest.mark.parametrize("wait", ["import time; "
                                  "time.sleep(60)", "while True: pass", "import asyncio; "
                                                                        "await asyncio.sleep(60)"])
def test_interrupt_keeps_the_state(guest, tmp_path, wait):
    guest.start("x = 5\nopen('started', 'w').close()\n" + wait)
    wait_for(tmp_path / "started")
    guest.process.send_signal(signal.SIGINT)
    result = guest.finish()
    assert (result.kind, result.error_name) == (INTERRUPTED, "KeyboardInterrupt")
    assert result.error_line in (2, 3)  # the file is there before the call that made it has returned
    assert guest.run("x").plain == "5"


def test_interrupt_between_cells_is_nothing(guest):
    guest.run("x = 1")
    guest.process.send_signal(signal.SIGINT)
    assert guest.run("x").plain == "1"
    code = "import signal; signal.getsignal(signal.SIGINT) is signal.default_int_handler"
    assert guest.run(code).plain == "True"


RINGS = """
import signal
def ring(*_):
    open('rang', 'w').close()
    raise TimeoutError('too late')
signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.05)
"""


def test_a_handler_that_raises_between_cells(guest, tmp_path):
    """As one does that was to end a slow function, and was not taken back. TimeoutError is an OSError."""
    guest.run("x = 1" + RINGS)
    wait_for(tmp_path / "rang")
    assert guest.run("x").plain == "1"


def test_a_handler_that_raises_while_a_display_is_under_way(guest, tmp_path):
    guest.start(RINGS + "try: display(1)\nexcept TimeoutError as e: print(e)")
    guest.receive(int.from_bytes(guest.receive(8)[:4], "little"))
    wait_for(tmp_path / "rang")
    guest.send(SHOWN)
    assert guest.finish().out == "too late\n"
    assert guest.run("display(2); 3").plain == "3"


@pytest.mark.parametrize("full", ["try:\n    while True: kept.append(open('/dev/null'))\nexcept OSError: pass",
                                  "while True: kept.append(open('/dev/null'))"])
def test_site_can_wait_for_a_descriptor(guest, full):
    """A question meanwhile is answered, and what is installed can be imported afterwards."""
    resource.prlimit(guest.process.pid, resource.RLIMIT_NOFILE, (64, 64))
    guest.run("kept = []\n" + full)
    guest.send(COMPLETE, ("code", "kept."), ("start", 5))
    assert guest.read().type == COMPLETIONS
    guest.send(VARIABLES, ("language", "python"))
    assert guest.read().type == LISTING
    guest.run("kept.clear()")
    assert guest.run("import pytest").kind == OK


FINALIZER = """
import time
class A:
    def __del__(self):
        open('started', 'w').close()
        time.sleep(60)
a = A()
del a
time.sleep(60)
"""

STUBBORN = """
import asyncio
async def stay():
    open('started', 'w').close()
    while True:
        try: await asyncio.sleep(60)
        except asyncio.CancelledError: pass
await stay()
"""


@pytest.mark.parametrize("code", [FINALIZER, STUBBORN])
def test_interrupts_that_python_would_lose(guest, tmp_path, code):
    guest.start(code)
    wait_for(tmp_path / "started")
    guest.process.send_signal(signal.SIGINT)
    assert guest.finish().kind == INTERRUPTED
    assert guest.run("1").plain == "1"


def test_interrupt_of_a_slow_repr(guest, tmp_path):
    guest.start("import time\nclass A:\n    def __repr__(self):\n"
                "        open('started', 'w').close()\n"
                "        time.sleep(60)\nA()")
    wait_for(tmp_path / "started")
    guest.process.send_signal(signal.SIGINT)
    assert guest.finish().kind == INTERRUPTED
    assert guest.run("1").plain == "1"


def test_streams_that_were_closed_or_replaced(guest):
    assert guest.run("import sys; sys.stdout.close(); sys.stderr = None").kind == OK
    assert guest.run("print('again')").out == "again\n"
    assert guest.run("class S:\n    def write(self, t): pass\n    def flush(self): 1/0\n"
                     "sys.stdout = S(); print(1)").kind == OK
    assert guest.run("sys.stdout = sys.__stdout__; print('\\udc80é')").out == "\\udc80é\n"
    assert guest.run("import os; os.close(1); os.close(2); os.close(0)").kind == OK
    assert guest.run("1").plain == "1"


def test_forked_child_stays_silent(guest):
    result = guest.run("import os\npid = os.fork()\nif pid: os.waitpid(pid, 0)\n"
                       "print('child' if not pid else 'parent')")
    assert result.kind == OK and sorted(result.out.split()) == ["child", "parent"]
    result = guest.run("pid = os.fork()\nif not pid: raise ValueError\nos.waitpid(pid, 0)[1] >> 8")
    assert result.plain == "1" and "ValueError" in result.err
    assert guest.run("2").plain == "2"


def test_threads_are_counted(guest):
    code = ("import threading\ngo = threading.Event()\n"
            "threading.Thread(target=go.wait, daemon=True).start()")
    assert guest.run(code).threads == 1
    assert guest.run("go.set()\nfor t in threading.enumerate():\n"
                     "    if t is not threading.main_thread(): t.join()").kind == OK
    assert guest.run("1").threads is None


def test_final_answer_passes_except_exception(guest):
    result = guest.run("try:\n    final_answer({'a': (1, float('nan')), 2: 3, '2': None})\n"
                       "except Exception:\n    pass\nprint('no')")
    assert (result.kind, result.final, result.out) == (OK, {"a": [1, None], "2": None}, "")
    assert guest.run("1").final is None


def test_script(new, tmp_path):
    guest = new()
    code = (
        "import atexit, sys, threading, time\natexit.register(print, 'bye')\n"
        "threading.Thread(target=lambda: (time.sleep(0.1), print('thread'))).start()\n"
        "f = open('out.txt', 'w')\nf.write('flushed')\nprint(sys.argv, __name__, __file__)\n1 / 0"
    )
    result = guest.run(code, SCRIPT, "job.py")
    assert result.out == "['job.py'] __main__ job.py\nthread\nbye\n"
    assert (tmp_path / "out.txt").read_text() == "flushed"
    assert result.err.startswith(
        'Traceback (most recent call last):\n  File "job.py", line 7, in <module>\n    1 / 0\n')
    assert result.kind == ERROR and guest.close() == 0
    assert new().run("print(6 * 7)\n6 * 7", SCRIPT | QUIET).fields == [("cell", 1), ("kind", OK)]
    result = new().run("import sys\nsys.argv", SCRIPT)
    assert (result.plain, result.out) == ("['-c']", "")


def test_quiet(guest):
    """A replay sends nothing but its outcome, and the next cell does not tell of it either."""
    result = guest.run("x = 1\ndisplay(x)\nx", QUIET)
    assert result.fields == [("cell", 1), ("kind", OK)] and result.frames == []
    assert guest.run("y = 2").variables == [{"name": "y", "type": "int", "change": "new"}]


@needs("pandas", "matplotlib")
@pytest.mark.few
def test_quiet_tables_and_figures(guest):
    result = guest.run("import pandas as pd, matplotlib.pyplot as plt\n"
                       "df = pd.DataFrame({'a': [1]})\n"
                       "plt.plot([1])", QUIET)
    assert result.fields == [("cell", 1), ("kind", OK)] and result.frames == []
    result = guest.run("1")
    assert result.plots == [] and result.dataframes[0]["change"] == "same"
    assert result.dataframes[0]["head"] == [[1]]


POLARS = """
import sys, types
polars = sys.modules["polars"] = types.ModuleType("polars")
class DataFrame:
    shape, columns, dtypes, schema = (2, 1), ["a"], ["Int64"], {"a": "Int64"}
    def __len__(self): return 2
    def head(self, n): return self
    def rows(self): return [(1,), (2,)]
    def row(self, i): return (1,)
DataFrame.__module__ = "polars.dataframe.frame"
df = DataFrame()
"""


def test_polars_tables(guest):
    """By the methods of its interface: the library itself is not needed."""
    (df,) = guest.run(POLARS).dataframes
    assert (df["columns"], df["head"]) == ([{"name": "a", "dtype": "Int64"}], [[1], [2]])


def test_checkpoint_without_descriptors_is_refused(guest):
    guest.run("import os, resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\n"
              "fds = []\n"
              "try:\n    while True: fds.append(os.dup(0))\nexcept OSError: pass")
    answer = guest.ask_checkpoint()[1]
    assert answer.error_message
    assert guest.run("for fd in fds: os.close(fd)\n2").plain == "2"
    guest.checkpoint().close()


def test_values_and_displays(guest):
    guest.run("class A:\n    def _repr_html_(self): return '<b>a</b>'\n"
              "    def _repr_png_(self): return b'\\x89PNG'\n"
              "    def _repr_json_(self): return {'a': [1]}\n"
              "    def _repr_svg_(self): raise SystemExit\n"
              "    def __repr__(self): return 'A'")
    result = guest.run("A()")
    assert result.mime == {"text/plain": "A", "text/html": "<b>a</b>", "image/png": b"\x89PNG",
                           "application/json": '{"a": [1]}'}
    result = guest.run("print('before')\ndisplay(A(), 2, display_id='d')\nprint('after')")
    assert [d.plain for d in result.displays] == ["A", "2"] and result.displays[0].id == "d"
    result = guest.run("class B:\n    def _repr_mimebundle_(self, include=None, exclude=None):\n"
                       "        return {'text/plain': 'b', 'text/markdown': '*b*', "
                       "'image/png': 'aGk=', 5: 6, 'text/x': 7}\nB()")
    assert result.mime == {"text/plain": "b", "text/markdown": "*b*", "image/png": b"hi"}
    assert guest.run("display({'text/html': '<i>'}, "
                     "raw=True)").displays[0].mime == {"text/html": "<i>"}


def test_display_ids(guest):
    result = guest.run("h = display('a', display_id=True)\nh.update('b')\n"
                       "display('c', display_id='x').display('d')\ndisplay('e')")
    assert result.mime == {} and [d.plain for d in result.displays] == ["'a'", "'b'", "'c'", "'d'", "'e'"]
    first, second, third, fourth, fifth = [d.id for d in result.displays]
    assert first and first == second and first != "True"
    assert (third, fourth, fifth) == ("x", "x", None)


def test_display_of_ipython(guest, tmp_path):
    """Where IPython is installed code imports display from there, which would print a name."""
    core = tmp_path / "IPython" / "core"
    core.mkdir(parents=True)
    (core / "__init__.py").touch()
    (tmp_path / "IPython" / "__init__.py").touch()
    (core / "display_functions.py").write_text(
        "def display(*objects): print(objects)\ndef update_display(*_): pass\n"
        "def clear_output(wait=False): print('\\033[2K', end='')\n")
    (tmp_path / "IPython" / "display.py").write_text("from IPython.core.display_functions import *\n")
    result = guest.run("from IPython.display import display, update_display, clear_output\n"
                       "display({'a': 1})\nclear_output(wait=True)\nupdate_display(2, display_id='i')")
    assert (result.out, result.mime) == ("", {})
    assert [(d.plain, d.id) for d in result.displays] == [("{'a': 1}", None), ("2", "i")]


def test_repr_may_give_a_subclass(guest):
    assert guest.run("class S(str):\n    def __repr__(self): return S('sub')\n"
                     "    def __str__(self): return 'other'\nS('x')").plain == "sub"


def test_representations_are_bounded(guest):
    assert len(guest.run("'x' * 10**8").plain) < 70000
    assert len(guest.run("list(range(10**6))").plain) < 70000
    assert "ValueError" in guest.run("10**5000").plain
    assert "RuntimeError" in guest.run("class A:\n    def __repr__(self): raise RuntimeError\n"
                                       "A()").plain
    assert "RecursionError" in guest.run("class A:\n    def __repr__(self): return repr(self)\n"
                                         "A()").plain
    result = guest.run("class H:\n    def _repr_html_(self): return 'x' * 10**7\n"
                       "    def _repr_png_(self): return b'x' * 10**8\nH()")
    assert list(result.mime) == ["text/plain"]


def test_displays_are_counted(guest):
    result = guest.run("for i in range(1000): display(i)")
    assert len(result.displays) == 256 and result.err.count("dropped") == 1
    result = guest.run("class P:\n    def _repr_png_(self): return b'x' * 7 * 2**20\n"
                       "for i in range(10): display(P())")
    assert len(result.displays) == 3
    assert len(guest.run("display(1)").displays) == 1


def test_a_thread_cannot_display_between_cells(guest):
    guest.run("import threading\ngo, done = threading.Event(), threading.Event()\n"
              "threading.Thread(target=lambda: (go.wait(), display(1), done.set()), "
              "daemon=True).start()\n"
              "threading.Timer(0.1, go.set).start()")
    time.sleep(0.3)
    assert guest.run("done.wait(5)").frames == []


def test_variables(guest):
    changes = {v["name"]: (v["type"], v["change"]) for v in guest.run("a = 1; b = [1]; import os; "
                                                                      "_hidden = 2\n"
                                                                      "def f(): pass").variables}
    assert changes == {"a": ("int", "new"), "b": ("list", "new"), "os": ("module", "new"),
                       "f": ("function", "new"),
                       "_hidden": ("int", "new")}
    assert guest.run("a").variables is None
    changes = guest.run("b.append(2); a = 2; del f").variables
    assert [(v["name"], v["change"]) for v in changes] == [("a", "changed"), ("b", "changed"),
                                                           ("f", "deleted")]
    assert len(guest.run("for i in range(5000): globals()['v%d' % i] = i").variables) == 200


@needs("pandas")
def test_dataframes(guest):
    code = ("import pandas as pd\nt = pd.to_datetime(['2020-01-01', None])\n"
            "df = pd.DataFrame({'a': [1, None], 'b': ['x', 'y'], 't': t})")
    result = guest.run(code + "\ndf")
    assert "<table" in result.mime["text/html"] and "NaN" in result.plain
    (df,) = result.dataframes
    assert (df["name"], df["shape"], df["change"]) == ("df", [2, 3], "new")
    assert df["columns"] == [{"name": "a", "dtype": "float64", "missing": 1}, {"name": "b", "dtype": "object"},
                             {"name": "t", "dtype": "datetime64[ns]", "missing": 1}]
    assert df["head"] == [[1.0, "x", "2020-01-01T00:00:00"],
                          [None, "y", None]] and "NaN" in df["repr"]
    assert {"name": "df", "type": "DataFrame", "change": "new", "shape": [2, 3]} in result.variables
    assert guest.run("1").dataframes[0]["change"] == "same"
    assert guest.run("df.loc[0, 'a'] = 9").dataframes[0]["change"] == "changed"
    assert guest.run("del df").dataframes is None
    result = guest.run("s = pd.Series([1, 2], name='s')\ns")
    assert "<table" in result.mime["text/html"] and result.dataframes is None


@needs("pandas")
def test_large_tables_are_shown_in_part(guest):
    result = guest.run("import pandas as pd\npd.set_option('display.max_rows', None)\n"
                       "big = pd.DataFrame({'a': range(2 * 10**6)})\nbig")
    assert len(result.plain) < 70000 and len(result.mime["text/html"]) < 2**20
    assert result.dataframes[0]["shape"] == [2000000, 1]
    wide = guest.run("wide = pd.DataFrame([range(5000)])\nwide").dataframes[1]
    assert wide["shape"] == [1, 5000] and len(wide["columns"]) == 100 == len(wide["head"][0])


@needs("pandas")
@pytest.mark.parametrize("option, value", [(None, None), ("display.max_rows", 0), ("display.max_columns", 5),
                                           ("display.width", 40), ("display.large_repr", "info")])
@pytest.mark.few(1)
def test_text_of_tables_is_what_repr_says(guest, option, value):
    """Also where they are as wide as a terminal, or wider."""
    if option:
        guest.run("import pandas as pd; pd.set_option(%r, %r)" % (option, value))
    guest.run("import pandas as pd\ndef table(rows, columns, letters):\n"
              "    return pd.DataFrame({'c%d' % i: ['x' * letters] * rows for i in range(columns)})")
    for rows, columns, letters in ((0, 0, 1), (3, 0, 1), (9, 2, 9), (70, 3, 5), (9, 7, 8), (9, 7, 9), (9, 8, 8),
                                   (3, 30, 1), (300, 30, 8)):
        made = "table(%d, %d, %d)" % (rows, columns, letters)
        assert guest.run(made).plain == eval(guest.run("repr(%s)" % made).plain)


@needs("pandas")
def test_column_hint(guest):
    guest.run("import pandas as pd\ndf = pd.DataFrame({'price': [1], 'qty': [2]})")
    result = guest.run("df['prce'].sum()")
    assert result.error_hint == "did you mean 'price'?" and result.error_line == 1
    assert result.error_values == {"df": "DataFrame 1×2: price, qty"}
    assert "did you mean price" in guest.run("df.prise").error_hint


@needs("pandas")
@pytest.mark.parametrize("code", ["df.groupby('prce')", "df.sort_values('prce')", "df[['qty', 'prce']]",
                                  "df[['prce']]", "df.loc[:, 'prce']", "df.drop(columns=['prce'])",
                                  "df[df.qty > 0]['prce']", "df.merge(df, on='prce')"])
@pytest.mark.few(2)
def test_columns_named_elsewhere(guest, code):
    guest.run("import pandas as pd\ndf = pd.DataFrame({'price': [1], 'qty': [2]})")
    assert guest.run(code).error_hint == "did you mean 'price'?"


@needs("PIL")
def test_image(guest):
    result = guest.run("from PIL import Image\nImage.new('RGB', (4, 4)).convert('L')")
    assert result.mime["image/png"].startswith(b"\x89PNG")
    assert guest.run("Image.new('CMYK', (4, 4))").mime["image/png"].startswith(b"\x89PNG")


@needs("matplotlib")
def test_plots(guest, tmp_path):
    guest.run("import matplotlib.pyplot as plt")
    result = guest.run("plt.bar(list('abcde'), [3, 7, 2, 9, 5]); plt.title('T'); plt.xlabel('X'); "
                       "plt.savefig('chart.png')")
    (plot,) = result.plots
    assert (plot.path, plot.title, plot.data) == ("chart.png", "T",
                                                  (tmp_path / "chart.png").read_bytes())
    chart = plot.chart
    assert (chart["type"], chart["x"], chart["y"], chart["x_label"]) == (
        "bar", list("abcde"), [3, 7, 2, 9, 5], "X")
    assert guest.run("1").plots == []


CHARTS = {
    "line": ("plt.plot([1, 2], [3, 4])", {"x": [1, 2], "y": [3, 4]}),
    "scatter": ("plt.scatter([1, 2], [3, 4])", {"x": [1, 2], "y": [3, 4]}),
    "histogram": ("plt.hist([1, 1, 2], bins=2)", {"x": [1, 1.5, 2], "y": [2, 1]}),
    "pie": ("plt.pie([1, 3], labels=['a', 'b'])", {"x": ["a", "b"], "y": [1, 3]}),
    "box": ("plt.boxplot([1, 2, 3])",
            {"min": 1, "q1": 1.5, "median": 2, "q3": 2.5, "max": 3, "outliers": []}),
    "bar": ("plt.barh(['a'], [2])", {"x": [2], "y": ["a"], "orientation": "horizontal"}),
    "mixed": (
        "plt.plot([1, 2]); plt.bar([1], [2])",
        {"series": [{"type": "bar", "x": [1], "y": [2]},
                    {"type": "line", "x": [0, 1], "y": [1, 2]}]},
    ),
}


@needs("matplotlib")
def test_charts(guest):
    guest.run("import matplotlib.pyplot as plt")
    for kind, (code, numbers) in CHARTS.items():
        (plot,) = guest.run(code + "\nplt.show()").plots
        assert plot.path is None and plot.data.startswith(b"\x89PNG")
        assert plot.chart["type"] == kind
        assert {key: plot.chart.get(key) for key in numbers} == numbers
    (plot,) = guest.run("plt.plot([1], label='a'); plt.plot([2], label='b')").plots
    assert [s["label"] for s in plot.chart["series"]] == ["a", "b"]
    (plot,) = guest.run("f, ax = plt.subplots(2); ax[0].plot([1]); ax[1].pie([1])").plots
    assert [s["type"] for s in plot.chart["subplots"]] == ["line", "pie"]
    (plot,) = guest.run("plt.figure().add_subplot(projection='3d').scatter([1], [2], [3])").plots
    assert plot.data.startswith(b"\x89PNG")
    (plot,) = guest.run("class A(plt.Axes):\n    name = 'odd'\n    def get_title(self): 1 / 0\n"
                        "import matplotlib.projections as p; p.register_projection(A)\n"
                        "plt.figure().add_subplot(projection='odd').plot([1])").plots
    assert plot.chart["type"] == "mixed"
    (plot,) = guest.run("plt.plot(range(10**6))").plots
    assert len(plot.chart["x"]) == 1000 and plot.chart["points"] == 10**6


@needs("matplotlib")
@pytest.mark.few
def test_charts_of_dates_and_words(guest):
    guest.run("import matplotlib.pyplot as plt, numpy as np\n"
              "days = np.array(['2020-01-01', '2020-01-02'], dtype='datetime64[ns]')")
    moments = ["2020-01-01T00:00:00", "2020-01-02T00:00:00"]
    for draw in ("plot", "bar", "scatter"):
        (plot,) = guest.run("plt.%s(days, [1, 2])" % draw).plots
        assert (plot.chart["x"], plot.chart["y"]) == (moments, [1, 2])
    (plot,) = guest.run("plt.scatter(['a', 'b'], [1, 2])").plots
    assert plot.chart["x"] == ["a", "b"]
    (plot,) = guest.run("plt.hist([[1, 2], [2, 3]], bins=2, label=['p', 'q'])").plots
    assert [s["label"] for s in plot.chart["series"]] == ["p", "q"]
    (plot,) = guest.run("plt.axhline(2); plt.plot([1, 2])").plots
    assert plot.chart["y"] == [1, 2]
    (plot,) = guest.run("plt.loglog([1, 100], [1, 2])").plots
    assert plot.chart["x_ticks"] == ["10^{0}", "10^{1}", "10^{2}"]
    (plot,) = guest.run("plt.bar(range(1500), range(1500))").plots
    assert (len(plot.chart["y"]), plot.chart["points"]) == (1000, 1500)


@needs("pandas", "matplotlib")
@pytest.mark.few
def test_charts_of_periods(guest):
    guest.run("import pandas as pd")
    (plot,) = guest.run("pd.Series([1, 2], index=pd.date_range('2020', periods=2)).plot()").plots
    assert plot.chart["x"] == ["2020-01-01", "2020-01-02"]


@needs("matplotlib")
@pytest.mark.few
def test_figures_that_are_not_captured_are_told(guest):
    guest.run("import matplotlib.pyplot as plt")
    result = guest.run("plt.title(r'$\\bad$'); plt.plot([1])")
    assert result.plots == [] and "figure 1 could not be drawn: ValueError" in result.err
    result = guest.run("for i in range(250): display(i)\nfor i in range(10): plt.figure(); plt.plot([i])")
    assert len(result.plots) == 6 and result.err.count("dropped") == 1


@needs("matplotlib")
@pytest.mark.few
def test_each_figure_is_captured_once(guest):
    guest.run("import matplotlib.pyplot as plt")
    assert len(guest.run("plt.plot([1]); plt.savefig('a.png'); plt.savefig('a.pdf'); "
                         "plt.show()").plots) == 1
    plots = guest.run("plt.plot([1]); plt.savefig('a.png'); plt.clf(); plt.plot([2]); "
                      "plt.savefig('b.png')").plots
    assert [p.path for p in plots] == ["a.png", "b.png"]
    result = guest.run("fig = plt.figure(); plt.plot([1])\ndisplay(fig)\nfig")
    assert len(result.plots) == 1 and result.displays == []
    assert len(guest.run("plt.plot([1]); 1 / 0").plots) == 1
    assert guest.run("plt.get_fignums()").plain == "[]"


def test_checkpoint_takes_over(guest, tmp_path):
    (tmp_path / "in.txt").write_text("one\ntwo\nthree\n")
    (tmp_path / "sub").mkdir()
    guest.run("import os, random\nrandom.seed(42); random.random()\nx = [1]\n"
              "f = open('in.txt', buffering=1)\n"
              "fd = os.open('in.txt', os.O_RDONLY); os.read(fd, 4)\nos.chdir('sub')\n"
              "out = open('o.txt', 'a'); out.write('kept')")
    wake = guest.checkpoint()
    after = guest.run("[random.random() for _ in range(3)]").plain
    guest.run("x.append(2); os.read(fd, 100); os.chdir('/'); out.write('lost')")
    resumed = guest.resume(wake)
    assert resumed.all("note") == []
    assert guest.run("x, os.read(fd, 4), os.path.basename(os.getcwd()), "
                     "f.readline()").plain == r"([1], b'two\n', 'sub', 'one\n')"
    assert guest.run("[random.random() for _ in range(3)]").plain == after
    result = guest.run("import sys\n"
                       "out.close(); print(open('o.txt').read()); print('e', file=sys.stderr)")
    assert (result.out, result.err) == ("kept\n", "e\n")
    assert guest.run("1 / 0").error_name == "ZeroDivisionError"
    wake = guest.checkpoint()
    guest.run("x.append(3)")
    guest.resume(wake)
    assert guest.run("x").plain == "[1]"


def test_checkpoint_is_no_child(guest):
    guest.run("import os, signal\nheard = []\n"
              "signal.signal(signal.SIGCHLD, lambda *a: heard.append(a))")
    wake = guest.checkpoint()
    assert guest.run("os.wait()").error_name == "ChildProcessError"
    assert guest.run("heard").plain == "[]"
    guest.run("pid = os.fork()\nif not pid: os._exit(0)\nos.waitpid(pid, 0)")
    assert guest.run("len(heard)").plain == "1"
    wake.close()


def test_dormant_process_ends_with_its_socket(guest):
    wake = guest.checkpoint()
    other = guest.checkpoint()
    wake.shutdown(1)
    assert wake.recv(1) == b""
    wake.close()
    guest.resume(other)
    assert guest.run("1").plain == "1"


def test_checkpoint_notes(guest):
    guest.run("import os, threading, time\nopen('gone', 'w').close()\n"
              "g = open('gone'); os.unlink('gone')\np = os.pipe()\n"
              "late = open('late', 'w')\n"
              "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
              "import subprocess; child = subprocess.Popen(['sleep', '60'])")
    wake = guest.checkpoint()
    guest.run("os.unlink('late'); child.kill(); child.wait()")
    notes = "\n".join(guest.resume(wake).all("note"))
    for part in ("1 thread(s)", "1 child process(es)", "unlinked", "pipe", "late: No such file"):
        assert part in notes
    assert guest.run("threading.active_count()").plain == "1"
    assert guest.run("1").threads is None


def test_seeded_numbers_are_the_same_with_and_without_checkpoints(new):
    code = "import random; random.seed(42); [random.random() for _ in range(5)]"
    expected = new().run(code).plain
    guest = new()
    guest.run("import random; random.seed(42); got = []")
    for _ in range(5):
        wake = guest.checkpoint()
        guest.run("random.random(); got = None")
        guest.resume(wake)
        guest.run("got.append(random.random())")
    assert guest.run("got").plain == expected


TOOLS_LIST = [
    {"name": "add", "description": "Adds.", "parameters": {
        "type": "object", "required": ["a", "b"],
        "properties": {"scale": {"type": "number", "default": 1},
                       "a": {"type": "integer", "description": "first"},
                       "b": {"type": "integer"}, "note": {"type": "string"}}}},
    {"name": "db.query", "description": "", "parameters": {}},
]


def serve_tools(guest, answer):
    """The result of the running cell; answer(call frame) gives the fields of each reply."""
    while True:
        frame = guest.read()
        if frame.type == RESULT:
            frame.out = guest.out.decode()
            return frame
        assert frame.type == TOOL_CALL
        guest.send(TOOL_RESULT, ("call", frame.call), answer(frame))


def test_tools(guest):
    guest.send(TOOLS, ("json", json.dumps(TOOLS_LIST)))
    guest.start("import tools\nprint('x')\ntools.add(2, b=3)")
    calls = []
    result = serve_tools(guest, lambda f: calls.append((f.name, f.json, guest.out))
                         or ("json", '{"sum": 5}'))
    assert calls == [("add", {"a": 2, "b": 3, "scale": 1}, b"x\n")] and result.plain == "{'sum': 5}"
    assert guest.run("import inspect; str(inspect.signature(tools.add)), "
                     "tools.add.__doc__").plain == repr(
        ("(a: int, b: int, scale: float = 1, note: str = <not given>)", "Adds.\n    a: first"))
    guest.start("tools.db_query()")
    result = serve_tools(guest, lambda f: ("error_message", "denied: " + f.name))
    assert (result.error_name, result.error_message) == ("ToolError", "denied: db.query")
    assert result.error_traceback.count("File") == 1
    assert guest.run("tools.add(1)").error_name == "TypeError"
    assert guest.run("x = 1").variables == [{"name": "x", "type": "int", "change": "new"}]


def test_tools_in_parallel_and_in_threads(guest):
    guest.send(TOOLS, ("json", json.dumps(TOOLS_LIST)))
    guest.start("tools.parallel([('add', {'a': i}) for i in range(3)] + [(tools.db_query, {})])")
    calls = [guest.read() for _ in range(4)]
    for call in reversed(calls):
        reply = ("json", str(call.json["a"] * 10)) if call.name == "add" else (
            "error_message", "no")
        guest.send(TOOL_RESULT, ("call", call.call), reply)
    assert guest.finish().plain == "[0, 10, 20, ToolError('no')]"
    guest.start("import threading\ngot = []\n"
                "ts = [threading.Thread(target=lambda i=i: got.append(tools.add(i, 0))) "
                "for i in range(5)]\n"
                "for t in ts: t.start()\nfor t in ts: t.join()\nsorted(got)")
    assert serve_tools(guest, lambda f: ("json", str(f.json["a"]))).plain == "[0, 1, 2, 3, 4]"


def test_tool_call_of_a_thread_outlived_by_its_cell(guest):
    guest.send(TOOLS, ("json", json.dumps(TOOLS_LIST)))
    guest.start("import threading\ndef work():\n    try: tools.add(1, 2)\n"
                "    except tools.ToolError as e: told.append(str(e))\n"
                "told = []\nt = threading.Thread(target=work, daemon=True); t.start(); t.join(0.2)")
    stale = guest.read()
    assert stale.type == TOOL_CALL and guest.finish().threads == 1
    guest.send(TOOL_RESULT, ("call", stale.call), ("json", "1"))
    assert "ended" in guest.run("t.join(10); told").plain
    guest.start("tools.add(3, 4)")
    assert serve_tools(guest, lambda f: ("json", "7")).plain == "7"
    result = guest.run("import os\npid = os.fork()\nif not pid: tools.add(1, 2)\n"
                       "os.waitpid(pid, 0)[1] >> 8")
    assert result.plain == "1" and "ToolError" in result.err


def test_interrupted_tool_call(guest):
    guest.send(TOOLS, ("json", json.dumps(TOOLS_LIST)))
    guest.start("tools.add(1, 2)")
    stale = guest.read()
    guest.process.send_signal(signal.SIGINT)
    assert guest.finish().kind == INTERRUPTED
    guest.send(TOOL_RESULT, ("call", stale.call), ("json", "1"))
    guest.start("tools.add(3, 4)")
    assert serve_tools(guest, lambda f: ("json", "7")).plain == "7"


@pytest.mark.parametrize(
    "code, start, names",
    [
        ("import os\nvalue_one = 1\nval", 24, ["value_one"]),
        ("d.na", 2, ["name"]),
        ("m['ke", 3, ["key"]),
        ("m['key']['in", 10, ["inner"]),
        ("prin", 0, ["print"]),
        ("boom().x", 8, []),
        ("d.trap.x", 8, []),
        ("", 0, []),
    ],
)
def test_completion(guest, code, start, names):
    guest.run("value_one = 1\nclass D:\n    name = 1\n    @property\n"
              "    def trap(self): print('called')\nd = D()\nm = {'key': {'inner': 1}}")
    guest.send(COMPLETE, ("code", code), ("start", len(code)))
    reply = guest.read()
    assert reply.type == COMPLETIONS and reply.all("name") == names
    if names:
        assert reply.start == start
    assert guest.run("1").out == ""


@pytest.mark.parametrize(("fields", "members"), [([("language", "python")], {"name", "type", "repr"}),
                                                 ([], {"name", "type", "repr", "digest"})])
def test_variables(guest, fields, members):
    guest.run("import os\nvalue_one = 1")
    guest.send(VARIABLES, *fields)
    reply = guest.read()
    one, = [v for v in reply.variables if v["name"] == "value_one"]
    assert reply.type == LISTING and set(one) == members and (one["type"], one["repr"]) == ("int", "1")


ZYGOTE = """
import os, sys
_, folder, names, *fds = sys.argv
sys.path.insert(0, folder)
import boot
from retort_guest import zygote
sys.stderr.write(repr(zygote.preload(names.split(","))))
for fd in map(int, fds):
    if os.fork() == 0:
        os.dup2(fd, 3)
        os.closerange(4, 256)
        zygote.live(os.urandom(64))
"""

DRAWS = """
import random, secrets, ssl, tempfile, uuid
draws = [random.random(), secrets.token_hex(8), ssl.RAND_bytes(8),
         next(tempfile._get_candidate_names()), uuid.uuid1().hex,
         uuid.uuid4().hex, random.Random().random()]
try:
    import numpy
    draws += [float(numpy.random.random()), float(numpy.random.default_rng().random())]
except ImportError:
    pass
draws
"""


def test_sessions_of_one_zygote(tmp_path):
    """They share what was preloaded, and neither names nor randomness."""
    pairs = [socket.socketpair() for _ in range(8)]
    inner = [b.fileno() for _, b in pairs]
    modules = ",".join(sorted(HAVE - {"PIL"})
                       + ["ssl", "tempfile", "uuid", "multiprocessing.process", "no_such_module"])
    process = subprocess.Popen([PYTHON, "-c", ZYGOTE, str(BOOT.parent), modules, *map(str, inner)],
                               pass_fds=inner, cwd=tmp_path,
                               stderr=subprocess.PIPE)
    for _, b in pairs:
        b.close()
    assert b"ssl" in process.stderr.read1(4096)
    draws = []
    for seed, (a, _) in enumerate(pairs):
        guest = Guest.attach(a).hello(seed)
        assert guest.run("[n for n in dir() if not n.startswith('__')]").plain == "[]"
        result = guest.run("import sys; 'ssl' in sys.modules, 'no_such_module' in sys.modules")
        assert result.plain == "(True, False)"
        draws.append(eval(guest.run(DRAWS).plain))
        assert guest.run("1 / 0").error_source == ">    1 | 1 / 0\n       | ^^^^^" or VERSION < [
            3, 11]
    process.stderr.close()
    process.wait(20)
    for a, _ in pairs:
        a.close()
    for source in zip(*draws):
        assert len(set(source)) == len(pairs)


def test_seed_of_the_session_rules_after_the_zygotes(tmp_path):
    """Two sessions of one zygote with one recorded seed draw the same from `random`."""
    pairs = [socket.socketpair() for _ in range(2)]
    inner = [b.fileno() for _, b in pairs]
    process = subprocess.Popen([PYTHON, "-c", ZYGOTE, str(BOOT.parent), "random",
                                *map(str, inner)], pass_fds=inner, cwd=tmp_path,
                               stderr=subprocess.DEVNULL)
    for _, b in pairs:
        b.close()
    first, second = (Guest.attach(a).hello(9).run("import random; random.random()").plain for a,
                     _ in pairs)
    process.wait(20)
    for a, _ in pairs:
        a.close()
    assert first == second


def test_damaged_interpreter_still_answers(guest):
    guest.run("import builtins, sys\n"
              "for name in ('print', 'open', 'compile', 'eval', 'exec', 'repr'): setattr(builtins, "
              "name, None)\n"
              "sys.modules['json'] = sys.modules['re'] = None; sys.meta_path.clear(); "
              "sys.stdout = sys.excepthook = None")
    assert guest.run("x = 1").kind == OK
    assert guest.run("1 / 0").error_name == "ZeroDivisionError"
    guest.run("builtins.__import__ = None")
    assert guest.run("x = 2").kind == OK
    assert guest.run("raise KeyError").kind == ERROR


@needs("numpy")
def test_numpy_takes_the_seed(new):
    code = "import numpy; float(numpy.random.random())"
    assert new(3).run(code).plain == new(3).run(code).plain != new(4).run(code).plain


def test_final_answer_is_bounded(guest):
    assert guest.run("final_answer('x' * 2**21)").error_name == "ValueError"


def test_names_of_any_length(guest):
    assert len(guest.run("globals()['x' * 10**6] = 1").variables[0]["name"]) < 300
