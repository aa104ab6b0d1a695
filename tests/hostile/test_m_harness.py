"""M: abuse of the Python harness. Every case ends in a clear kind, for its own cell and no other."""
import time

import pytest
from arena import arena, lab  # noqa: F401 (fixtures)

ENDS = [("import sys\nsys.exit(7)", "exit", 7, None), ("exit()", "exit", 0, None), ("raise SystemExit('x')", "exit", 1, None),
        ("import os\nos._exit(3)", "exit", 3, None), ("import os\nos.abort()", "signal", None, 6),
        ("import os\nos.kill(os.getpid(), 9)", "signal", None, 9), ("raise SystemExit(2.5)", "exit", 1, None),
        ("class E(SystemExit):\n    code = property(lambda s: 1 / 0)\nraise E", "error", None, None),
        ("import signal, os\nos.kill(os.getpid(), signal.SIGTERM)", "signal", None, 15),
        ("import os\nos.execv('/bin/true', ['true'])", "exit", 0, None)]


def test_M1_ends(arena):
    one = arena.session()
    arena.run(one, "x = 1")
    for code, status, exit_code, signal in ENDS:
        result = arena.run(one, code, status if status != "error" else ("error", "exit"))
        if status != "error":
            assert (result["exit_code"], result["signal"]) == (exit_code, signal), code
        kept = code.startswith(("import sys", "exit", "raise", "class"))
        assert result["state"] == ("kept" if kept else "rolled_back"), code
        assert one.value("x") == "1"


RAISED = {
    "base": "raise BaseException('plain')",
    "str": "class E(Exception):\n    def __str__(self): raise E\n    __repr__ = __str__\nraise E",
    "exit in str": "import os\nclass E(Exception):\n    def __str__(self): raise SystemExit(3)\nraise E",
    "long": "raise Exception('x' * 50000000)",
    "cause cycle": "a, b = Exception('a'), Exception('b')\na.__cause__, b.__cause__ = b, a\nraise a",
    "context chain": "e = None\nfor i in range(50000):\n    n = Exception(i); n.__context__ = e; e = n\nraise e",
    "group": "g = ValueError(1)\nfor _ in range(10000): g = ExceptionGroup('g', [g])\nraise g",
    "deep": "def f(n): return f(n + 1)\nf(0)",
    "notes": "e = Exception('n')\ne.__notes__ = ['x' * 100000] * 100\nraise e",
    "traceback setter": "class E(Exception):\n    __traceback__ = property(lambda s: 1 / 0, lambda s, v: None)\nraise E('t')",
    "class": "class M(type):\n    __name__ = property(lambda s: 1 / 0)\n    def __repr__(s): raise s\nclass E(Exception, metaclass=M): pass\nraise E",
    "filename": "raise SyntaxError('bad', ('f', 10 ** 9, 10 ** 9, 'x' * 100000))",
    "unicode": "raise Exception('\\ud800\\udfff \\0 \\x1b[31m')",
}


def test_M2_exceptions(arena):
    one = arena.session()
    for what, code in RAISED.items():
        result = arena.run(one, code, "error", timeout=20)
        assert len(str(result["error"])) < 200000, what
    assert one.value("1 + 1") == "2"


SHUTDOWN = {
    "atexit": "import atexit\natexit.register(lambda: [None for _ in iter(int, 1)])",
    "del": "class D:\n    def __del__(self):\n        while True: pass\nd = D()",
    "thread": "import threading, time\nthreading.Thread(target=lambda: [time.sleep(1) for _ in iter(int, 1)]).start()",
    "patched": "import threading\nthreading._shutdown = lambda: [None for _ in iter(int, 1)]",
}


def test_M4_shutdown_in_a_session(arena):
    """Cells do not shut anything down; closing the session ends it all."""
    for code in SHUTDOWN.values():
        arena.once(code)
    one = arena.session()
    arena.run(one, SHUTDOWN["del"])
    assert arena.run(one, "del d", "timeout", timeout=0.5)["state"] == "rolled_back"


PATCHES = ["import builtins\nbuiltins.print = builtins.open = builtins.compile = builtins.exec = None",
           "import builtins\nbuiltins.__import__ = lambda *a, **k: 1 / 0", "import sys\nsys.modules['json'] = sys.modules['os'] = None",
           "import sys\nsys.stdout = sys.stderr = sys.stdin = None", "import sys\nsys.meta_path[:] = []; sys.path[:] = []",
           "import sys\nsys.modules.clear()", "import builtins\nfor n in list(vars(builtins)): delattr(builtins, n)",
           "import sys\nsys.setrecursionlimit(50)", "import sys, gc\nsys.setswitchinterval(1000); gc.disable()",
           "__builtins__ = None; _ = 5; __name__ = 3", "import sys\nsys.settrace(lambda *a: 1 / 0)\nsys.excepthook = None",
           "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)", "import os\nos.getpid = lambda: 1; os.write = os.read = None"]


def test_M6_patches(arena):
    """Whatever becomes of the session itself, the next one is pristine."""
    for code in PATCHES:
        one = arena.session(limits={"timeout": 3})
        arena.run(one, code, ("ok", "error", "exit", "lost", "timeout"))
        try:
            arena.run(one, "print('next')", ("ok", "error", "exit", "lost", "timeout"), timeout=2)
        except arena.rpc.Failure as failure:
            assert "ended" in str(failure), code
        fresh = arena.session()
        assert arena.run(fresh, "import json, os\nprint(json.dumps([1]), os.getpid() > 0)")["stdout"] == "[1] True\n"


def test_M7_guest_module(arena):
    one = arena.session()
    result = arena.run(one, "import sys\nguest = [m for m in sys.modules if m.startswith('retort_guest')]\n"
                       "source = open(sys.modules['retort_guest.cell'].__file__).read()\nlen(guest) > 1 and len(source) > 100")
    assert result["value"]["text/plain"] == "True"
    forged = arena.run(one, "channel = sys.modules['retort_guest.channel']\n"
                       "channel.send(channel.RESULT, [(channel.F_KIND, 0), (channel.F_VALUE, b''), (channel.F_MIME, 'text/plain'),"
                       " (channel.F_DATA, 'forged')])\nimport time\ntime.sleep(0.3)")
    assert forged["value"] == {"text/plain": "forged"}  # its own cell's, to say what it likes
    after = arena.run(one, "'own'", "lost")  # that cell's own result came in the time of this one, and is not taken for it
    assert after["value"] is None and "protocol_error" in after["flags"]


MEMORY = {
    "null": "ctypes.string_at(0)",
    "random": "import random\nr = random.Random(3)\nfor _ in range(100000): ctypes.memset(r.randrange(1 << 47), 65, 64)",
    "refcounts": "for o in (None, True, 0, (), ''): ctypes.c_ssize_t.from_address(id(o)).value = 1\nfor i in range(1000): (None, True, 0)",
    "types": "ctypes.memset(id(int), 0, 200)\n1 + 1",
    "code": "f = (lambda: 1).__code__\nctypes.memset(id(f) + 16, 0x41, 120)\nexec(f)",
    "stack": "ctypes.memset(ctypes.addressof(ctypes.c_int()) , 0xff, 1 << 24)",
    "jump": "ctypes.CFUNCTYPE(None)(0x41414141)()",
    "thread state": "ctypes.pythonapi.PyThreadState_Get.restype = ctypes.c_void_p\n"
                    "ctypes.memset(ctypes.pythonapi.PyThreadState_Get(), 0, 256)",
}


def test_M9_memory(arena):
    for what, code in MEMORY.items():
        one = arena.session(limits={"timeout": 5})
        arena.run(one, "x = 5")
        result = arena.run(one, "import ctypes\n" + code, ("signal", "ok", "error", "exit", "timeout", "lost"))
        if result["status"] in ("signal", "timeout", "exit"):
            assert result["state"] == "rolled_back" and one.value("x") == "5", what


def test_M10_walking_up(arena):
    result = arena.once("""
import gc, sys, inspect
f, names = sys._getframe(), set()
while f: names.add(f.f_code.co_filename); f = f.f_back
text = ' '.join(str(o)[:2000] for o in gc.get_objects() if isinstance(o, (dict, list, tuple)))[:5000000]
print(sorted(names), len(text) > 1000)
import os
print(sorted(os.environ))
print([open('/proc/self/' + n, 'rb').read() for n in ('cmdline', 'environ')])
""")
    assert arena.lab.canary.token not in result["stdout"]
    assert str(arena.lab.caller.home) not in result["stdout"] and str(arena.lab.caller.programs) not in result["stdout"]


SOURCES = {
    "parentheses": ("(" * 100000 + ")" * 100000, "error"), "brackets": ("[" * 5000 + "]" * 5000, "error"),
    "unary": ("-" * 200000 + "1", "error"), "nested": ("\n".join(" " * i + "if 1:" for i in range(200)), "error"),
    "chain": ("x" + ".a" * 100000, "error"), "plus": ("+".join(["1"] * 100000), ("ok", "error")),
    "carriage returns": ("x = 1\rx = 2\r\nx", ("ok", "error")), "cookie": ("# -*- coding: utf-16 -*-\nprint('é')", "ok"),
    "unknown cookie": ("# coding: nothing\n1", ("ok", "error")), "tabs": ("if 1:\n\tx = 1\n        y = 2", "error"),
    "future": ("x = 1\nfrom __future__ import annotations", "error"), "form feed": ("\f\f1", "ok"),
    "byte order mark": ("\ufeff1", ("ok", "error")), "null string": ("'\\0' + '\\ud800'", "ok"),
    "digits": ("9" * 100000, "error"), "f-string": ("f'" + "{" * 201 + "1" + "}" * 201 + "'", ("ok", "error")),
    "await": ("await 5", "error"), "return": ("return 5", "error"), "yield": ("yield 5", "error"), "empty": ("", "ok"),
    "only comments": ("# nothing\n\n", "ok"), "backslash": ("x = \\", "error"), "decorators": ("@a\n" * 50000 + "def f(): 1", "error"),
}


def test_M12_sources(arena):
    one = arena.session(limits={"timeout": 20})
    for what, (code, status) in SOURCES.items():
        wanted = (status,) if isinstance(status, str) else status
        result = one.run(code)
        # The compiler of some versions runs out of stack: its own crash, and a clear kind.
        assert result["status"] in (*wanted, "signal"), (what, result["error"])
    assert one.value("1 + 1") == "2"


def test_M12_not_a_source(arena):
    one = arena.session()
    with pytest.raises(arena.rpc.Failure, match="NUL"):
        one.run("x = '\0'")
    arena.server.send(b'{"jsonrpc":"2.0","id":"bad","method":"session.execute","params":{"session":"%s","code":"\\ud800"}}\n'
                      % one.id.encode())
    arena.server.send(b"\xff\xfe{}\n")
    assert one.value("1 + 1") == "2"


LOOPS = ["import asyncio\nawait asyncio.Event().wait()", "import asyncio\nasyncio.new_event_loop().run_forever()",
         "import asyncio\nasync def spin():\n    while True: await asyncio.sleep(0)\nawait spin()",
         "import asyncio\nasync def deaf():\n    while True:\n        try: await asyncio.sleep(9)\n        except BaseException: pass\nawait deaf()"]


def test_M13_endless_loops(arena):
    one = arena.session()
    arena.run(one, "x = 1")
    for code in LOOPS:
        assert arena.run(one, code, "timeout", timeout=0.4)["state"] == "rolled_back", code
    nested = arena.run(one, "import asyncio\nasync def f(): asyncio.run(asyncio.sleep(0))\nawait f()", "error")
    assert nested["error"]["name"] == "RuntimeError"
    arena.run(one, "import asyncio\ntask = asyncio.ensure_future(asyncio.sleep(1000))\nawait asyncio.sleep(0)")
    assert one.value("x") == "1"


def test_M14_pools_left_running(arena):
    one = arena.session()
    for how in ("fork", "spawn", "forkserver"):
        arena.run(one, f"import multiprocessing as mp, time\ncontext = mp.get_context('{how}')\n"
                  "p = context.Process(target=time.sleep, args=(1000,)); p.start()", ("ok", "error"))
    code = "import os\ndef lives(p):\n    try: return 'Z' not in open(f'/proc/{p}/stat').read().split(')')[1][:3]\n" \
           "    except OSError: return False  # it has just gone\n" \
           "[p for p in os.listdir('/proc') if p.isdigit() and int(p) not in (1, os.getpid()) and lives(p)]"
    left = arena.run(one, code)["value"]["text/plain"]
    assert left.count("'") <= 4, left  # none, or the dormant checkpoint


def test_M16_displays(arena):
    one = arena.session()
    many = arena.run(one, "for i in range(5000): display(i)", timeout=60)
    assert len(many["displays"]) == 256 and "the rest is dropped" in many["stderr"]
    large = arena.run(one, "class Big:\n    def _repr_html_(self): return 'x' * (100 << 20)\n    def __repr__(self): return 'y' * (50 << 20)\n"
                      "display(Big())\nBig()", ("ok", "error"), timeout=60)
    assert len(str(large["displays"])) + len(str(large["value"])) < 40 << 20
    strange = arena.run(one, "class Odd:\n    def _repr_mimebundle_(self, **k): return {'text/html': '<script>1</script>', 5: 6,"
                        " 'image/svg+xml': '<svg onload=\"x\"/>', '../x': b'1', 'a' * 1000: 'z', 'text/plain': None}\n"
                        "    def _repr_png_(self): return 'no bytes'\n    def __repr__(self): raise SystemExit\ndisplay(Odd())\nOdd()",
                        ("ok", "error", "exit"))
    assert all(len(mime) < 128 for shown in strange["displays"] for mime in shown["mime"])


REPRS = ["while True: pass", "import os; os._exit(1)", "raise KeyboardInterrupt", "return 5", "import sys; sys.exit(3)",
         "return 'z' * (1 << 28)", "import ctypes; ctypes.string_at(0)"]


def test_M16_hostile_reprs(arena):
    one = arena.session(limits={"timeout": 1})
    arena.run(one, "x = 1")
    for body in REPRS:
        result = arena.run(one, f"class R:\n    def __repr__(self):\n        {body}\nr = R()\nr",
                           ("ok", "error", "exit", "signal", "timeout", "interrupted", "oom"))
        assert result["state"] in ("kept", "rolled_back") and one.value("x") == "1", body


SWALLOW = {
    "C code": "import re\nprint('go', flush=True)\nre.match('(a+)+$', 'a' * 40 + 'b')",
    "finally": "try:\n    print('go', flush=True)\n    while True: pass\nfinally:\n    while True: pass",
    "handler": "import signal\nsignal.signal(signal.SIGINT, lambda *_: None)\nprint('go', flush=True)\nwhile True: pass",
    "ignored": "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('go', flush=True)\nimport time\nwhile True: time.sleep(0.01)",
    "masked": "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\nprint('go', flush=True)\nimport time\nwhile True: time.sleep(0.01)",
}


def test_M17_swallowed_interrupts(arena):
    one = arena.session()
    arena.run(one, "x = 1")
    for what, code in SWALLOW.items():
        before = len(one.notes("session.output"))
        pending = one.start("x = 2\n" + code)
        while len(one.notes("session.output")) == before:
            arena.pause()
        assert one.interrupt()
        result = pending.answer()
        # The interrupt may come between the print and what would swallow it.
        assert (result["status"], result["state"]) in (("interrupted", "rolled_back"), ("interrupted", "kept")), what
        assert one.value("x") == ("1" if result["state"] == "rolled_back" else "2"), what
        arena.run(one, "x = 1")


def test_M18_pickles(arena):
    code = "import pickle, os\nclass P:\n    def __reduce__(self): return os.system, ('touch /tmp/pwned',)\n" \
           "data = pickle.dumps(P())\n"
    one = arena.session()
    one.offer(echo=lambda value: value)
    result = arena.run(one, code + "tools.echo(data)", ("ok", "error"))
    assert one.notes("tools.call") == [] or isinstance(one.notes("tools.call")[-1]["arguments"]["value"], str)
    shown = arena.run(one, "class S:\n    def _repr_mimebundle_(self, **k): return {'application/x-python-pickle': data}\nS()")
    assert shown["status"] == "ok" and result["status"] in ("ok", "error")


NODE = {
    "workers": ("const {Worker} = require('worker_threads'); for (let i = 0; i < 500; i++)"
                " new Worker('while (true);', {eval: true}).on('error', () => {})", ("timeout", "oom", "signal", "error", "exit", "cpu_limit")),
    "binding": ("try { process.binding('spawn_sync'); console.log('bound') } catch (e) { console.log('no') }", ("ok", "error")),
    "inspect": ("require('inspector').open(9229); console.log('listening')", ("ok", "error", "exit")),
    "kill": ("try { process.kill(1, 9) } catch (e) { console.log(e.code) }", ("ok", "error")),
    "rejection": ("Promise.reject(new Error('unhandled'))", ("error", "exit")),
    "wait": ("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)", "timeout"),
    "buffers": ("const held = []; for (let i = 0; i < 64; i++) held.push(new Uint8Array(1 << 28).fill(1))",
                ("oom", "signal", "error", "exit", "timeout")),
    "addon": ("process.dlopen({exports: {}}, '/work/none.node')", ("error", "exit")),
}


@pytest.fixture
def node_waits(lab):
    """Who asks for a session in JavaScript makes the next ones wait ready; they are no leak of the case."""
    before = lab.settled()["processes"]
    lab.server.session(language="javascript", record=False).close()
    patience = time.monotonic() + 60
    while lab.settled(rounds=20)["processes"] < before + 4 and time.monotonic() < patience:
        pass


@pytest.mark.few
def test_M20_node(node_waits, arena):
    for code, status in NODE.values():
        one = arena.session(language="javascript", limits={"timeout": 4, "memory": 300})
        arena.run(one, code, status if isinstance(status, tuple) else (status,))


BASH = {
    "traps": ("trap '' TERM INT HUP; trap 'while :; do :; done' EXIT; exit 3", ("timeout", "exit")),
    "descriptor": ("exec >&9", ("exit", "error")), "heredoc": ("x=$(head -c 30000000 /dev/zero | tr '\\0' a); cat <<E\n$x\nE\n", ("ok", "exit", "oom", "signal", "timeout")),
    "ulimit": ("ulimit -n 1000000 || echo refused", ("ok",)), "tcp": ("exec 5<>/dev/tcp/127.0.0.1/80 || echo refused", ("ok", "exit")),
    "coproc": ("coproc sleep 1000; echo $!", ("ok",)), "options": ("set -o noexec; echo no", ("ok", "exit", "timeout")),
}


@pytest.mark.few
def test_M21_bash(arena):
    for code, status in BASH.values():
        one = arena.session(language="bash", limits={"timeout": 0.4 if "timeout" in status else 20})
        arena.run(one, code, status)
