"""The warm interpreter that sessions are forked from: loads, rehearses, freezes; no user's code.

    import boot; from retort_guest import zygote
    zygote.preload(["numpy", "pandas", "matplotlib.pyplot"])    once, before it is ready
    zygote.live(entropy, waited)                                in each locked-down child; serves

"""
import _socket
import gc
import os
import sys
import time

from . import cell, channel, reseed

# Otherwise imported by a session's first error, value, table, tool call ….
GUEST = ("checkpoint", "completion", "errors", "hints", "inventory", "peek", "rich", "tools",
         "variables")
AWAIT = "loop"  # and asyncio, which takes longer than all the others: not if a quick start is wanted
STANDARD = ("ast", "difflib", "io", "json", "linecache", "random", "re", "traceback")
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_MAX_THREADS")

# In this order: the last one leaves its own methods in CPython's method cache.
REHEARSALS = {
    "matplotlib.pyplot": ["import io\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\n"
                          "plt.title('t'); plt.savefig(io.BytesIO()); plt.close('all')"],
    "numpy": ["import numpy\na = numpy.arange(16.0).reshape(4, 4)\na.sum(), (a @ a).mean()"],
    "pandas": ["import pandas\ndf = pandas.DataFrame({'a': [1, 2, 3], 'b': ['x', 'y', 'z']})\n"
               "df['a'].sum(), df.groupby('b').mean(), df.describe()",
               "import io\ndf = pandas.read_csv(io.StringIO('a,b\\n1,x\\n'))\ndf",
               "df = pandas.DataFrame({'a': range(99), 'b': [0.5 * x for x in range(99)]})\n"
               "str(df.describe())"],
}


PACKAGES = "/opt/packages/python"  # of the environment, if it has some

later = []  # handlers for forks that a session registers


def register_at_fork(**handlers):
    """Replaces os.register_at_fork while modules are loaded. After a fork, threading and logging look after other
    threads; a newborn session has none, and the handlers would copy eighty pages. They run if the session forks itself.
    """
    module = getattr(handlers.get("after_in_child"), "__module__", None)
    if module in ("threading", "logging", "random") and os.register_at_fork is register_at_fork:
        later.append(handlers)
    else:
        registered(**handlers)


registered = os.register_at_fork


def preload(names):
    """Imports those of `names` that are installed, rehearses, freezes; returns the names imported."""
    cell.prepare()
    os.register_at_fork = register_at_fork
    before = dict(os.environ)
    os.environ.update(MPLBACKEND="agg", **dict.fromkeys(THREADS, "1"))
    for name in STANDARD:
        __import__(name)
    for name in GUEST + ((AWAIT,) if names else ()):
        __import__("retort_guest." + name)
    reseed.born(os.urandom(64))  # initialises OpenSSL, which takes megabytes: once here, not in each child
    threading = __import__("threading")  # now, because of its fork handlers
    # Matplotlib's timer ends at any time, and would leave each zygote's heap a little different.
    threading.Timer.start = lambda _: None
    loaded = [name for name in names if importable(name)]
    del threading.Timer.start
    if "matplotlib" in sys.modules:
        __import__("retort_guest.plots")
    rehearse(loaded)
    os.register_at_fork = registered
    os.environ.clear()
    os.environ.update(before)
    gc.collect()
    gc.freeze()
    rehearse_life()
    threads = last_threads()
    if threads != 1:
        raise RuntimeError("%d threads after preloading %s: a fork would lose them"
                           % (threads, ", ".join(loaded)))
    return loaded


def last_threads():
    """How many threads are left after those that are about to end (matplotlib's timer) had time to."""
    for _ in range(500):
        threads = len(os.listdir("/proc/self/task"))
        if threads == 1:
            break
        time.sleep(0.01)
    return threads


def importable(name):
    try:
        __import__(name)
        return True
    except ImportError:
        return False


def rehearse(loaded):
    """Warms the code that first cells run, its pages and caches; leaves no name behind."""
    from . import errors, rich, variables

    scenes = [scene for name in REHEARSALS if name in loaded for scene in REHEARSALS[name]]
    for code in ["x = [1]\nx", "import nothing_of_this_name"] + scenes:
        try:
            value = cell.run(code, "<rehearsal>")
            rich.bundle(value)
            variables.fields(cell.namespace)
        except ImportError as e:
            errors.report(e)
        except Exception:
            pass  # a library that cannot be rehearsed can still be used
    close_fonts()
    for name in set(cell.namespace) - cell.BASE | {"_"}:
        cell.namespace.pop(name, None)
    variables.known.clear()
    variables.tables.clear()
    cell.state.futures = 0


def rehearse_life():
    """Does what each child does from its birth to its first result. It comes last, so that CPython's caches hold it: a
    cache entry that is found is not written, and a page that is not written is not copied."""
    if "RETORT_DETERMINISTIC" in os.environ:
        return  # HELLO starts the session's clock
    broker, guest = _socket.socketpair()
    null, out = os.open(os.devnull, os.O_RDWR), os.dup(1)
    os.dup2(null, 1)
    fd = guest.fileno()
    broker.send(channel.encode(channel.HELLO, [(channel.F_SEED, 0)]) + channel.encode(
        channel.CELL, [(channel.F_CELL, 1), (channel.F_FLAGS, 0), (channel.F_CODE, "print(1)")]))
    reseed.born(os.urandom(64))
    cell.born(fd)
    cell.greet(fd)
    channel.spoken(0, fd)
    cell.step(fd, fd)
    cell.step(fd, fd)
    os.dup2(out, 1)
    for fd in null, out:
        os.close(fd)
    cell.forget("<cell 1>")


def close_fonts():
    """Cached fonts hold open files, and descriptors do not cross into a session."""
    fonts = sys.modules.get("matplotlib.font_manager")
    if fonts is not None and hasattr(fonts, "_get_font"):
        fonts._get_font.cache_clear()


def add_packages():
    """Adds the environment's packages if none was preloaded: only now, so that none of their code ran before the lock."""
    if PACKAGES not in sys.path and os.path.isdir(PACKAGES):
        sys.path.insert(1, PACKAGES)
        os.environ["PYTHONPATH"] = PACKAGES
        os.environ.pop("PYTHONNOUSERSITE", None)


def live(entropy, waited=False):
    add_packages()
    for handlers in later:
        registered(**handlers)
    reseed.born(entropy)
    cell.serve(prepared=True, waited=waited)
